"""What the operator's log tells of matches: who came, who went out and why, how each ended.

Moves are not logged, transcripts have them; neither is anything that is not public yet.
"""

from collections.abc import Callable
from typing import Any, Final

from referee.transcript.fold import Fold
from referee.transcript.result import reason_name
from referee.v1 import record_pb2 as pb

_LINES: Final[dict[str, Callable[[Any], tuple[str, dict[str, Any]]]]] = {
    "joined": lambda said: ("joined", {"seat": said.seat, "name": said.name, "kit": said.kit}),
    "started": lambda _: ("match started", {}),
    "seat_out": lambda said: (
        "seat out",
        {"seat": said.seat, "reason": reason_name(said.reason)},
    ),
    "disconnect": lambda said: ("connection lost", {"seat": said.seat}),
    "reconnect": lambda said: ("connected again", {"seat": said.seat}),
    "resign": lambda said: ("resigned", {"seat": said.seat}),
}


def note(log: Any, kind: str, record: pb.Record) -> None:  # noqa: ANN401  structlog's loggers have no one type
    """Log a record that became public, if it is one of those that are logged."""
    line = _LINES.get(kind)
    if line is not None:
        event, values = line(getattr(record, kind))
        log.info(event, **values)


def closed(log: Any, fold: Fold) -> None:  # noqa: ANN401
    """Log how a match ended, once it is signed."""
    end: dict[str, Any] = {"end": fold.ended_by, "ruleset": fold.setup.ruleset.key}
    if fold.result is not None:
        end["reason"] = reason_name(fold.result.reason)
        end["agents"] = list(fold.setup.agents)
        end["scores"] = [seat.score for seat in fold.result.seats]
        end["ranks"] = [seat.rank for seat in fold.result.seats]
    log.info("match closed", **end)
