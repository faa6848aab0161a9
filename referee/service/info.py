"""What everybody may know of a match, as a message.

While a match with a delay goes on, spectators learn from here no more than from watching it.
"""

from referee.service.auth import Caller, Role
from referee.service.host import Host
from referee.service.index import Row, ending_of, row_of_fold
from referee.service.index.row import seat_info
from referee.transcript.fold import Stage
from referee.v1 import match_pb2


def match_row(host: Host) -> Row:
    """Return what the index keeps of a match."""
    fold = host.match.fold
    ending = None if host.end is None else ending_of(host.end)
    return row_of_fold(fold, ending, signed=fold.stage is Stage.SIGNED)


def match_info(host: Host, caller: Caller | None = None) -> match_pb2.MatchInfo:
    """Describe a match as it is now, with what only the running referee knows.

    For a caller that is no organiser, the delay of the match is kept.
    """
    info = match_row(host).info
    fold = host.match.fold
    info.round = fold.position.round
    info.turn = fold.turn
    info.events = len(host.events.public)
    del info.seats[:]
    for seat, place in enumerate(host.places):
        described = seat_info(fold, seat)
        described.connected = place is not None
        info.seats.append(described)
    delayed = fold.setup.message.spectator_delay_ns and host.closed is None
    if delayed and caller is not None and caller.principal.role is not Role.ORGANISER:
        _keep_delay(info)
    return info


def _keep_delay(info: match_pb2.MatchInfo) -> None:
    """Leave out how a match goes: only its set-up, who is there and that it goes on."""
    for name in ("round", "turn", "events", "result", "detail"):
        info.ClearField(name)
    info.state = min(info.state, match_pb2.MATCH_STATE_PLAYING)
    for seat in info.seats:
        seat.ClearField("score")
        seat.ClearField("out")
