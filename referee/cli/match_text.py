"""Matches as a referee describes them: as facts for people, as rows, as JSON.

What comes from another machine is shown without a character that could command a terminal.
"""

from collections.abc import Iterator
from datetime import UTC, datetime
from typing import Any

from referee.cli.text import printable
from referee.rules.duel.components import GOAL_NAMES
from referee.transcript.clock import ClockRule
from referee.transcript.errors import WireError
from referee.transcript.report import result_object
from referee.transcript.result import reason_name
from referee.transcript.time_text import format_clock, format_duration
from referee.transcript.wire.results import decode_result
from referee.transcript.wire.setup import decode_clock
from referee.v1 import match_pb2, setup_pb2

HEADER = f"{'match':<32}  {'state':<8}  {'ruleset':<17}  {'round':>5}  seats"


def state_name(state: int) -> str:
    """Return the word for a state, also for one that this version does not know."""
    try:
        name = match_pb2.MatchState.Name(state)  # type: ignore[arg-type]
    except ValueError:
        return f"state {state}"
    return name.removeprefix("MATCH_STATE_").lower()


def row(info: match_pb2.MatchInfo) -> str:
    """Return a match as a line of a table."""
    seats = ", ".join(f"{printable(seat.agent)} {seat.score}" for seat in info.seats)
    ruleset = printable(info.setup.ruleset)
    named = printable(info.match_id)
    return f"{named:<32}  {state_name(info.state):<8}  {ruleset:<17}  {info.round:>5}  {seats}"


def facts(info: match_pb2.MatchInfo) -> Iterator[str]:
    """Yield a match as lines of a name and what there is to say."""
    setup = info.setup
    yield _fact("match", printable(info.match_id))
    yield _fact("state", _state(info))
    yield _fact("ruleset", f"{printable(setup.ruleset)}/{setup.revision}")
    options = ", ".join(_options(setup.options))
    if options:
        yield _fact("options", options)
    yield _fact("clock", format_clock(_clock(setup)))
    yield _fact("strikes", str(setup.strikes))
    yield _fact("rated", "yes" if setup.rated else "no")
    if setup.fixed_seed:
        yield _fact("seed", "fixed by the organiser")
    yield _fact("durability", _durability(setup))
    if setup.spectator_delay_ns:
        yield _fact("delay", f"spectators are {format_duration(setup.spectator_delay_ns)} behind")
    for name, text in (("event", setup.event_id), ("pairing", setup.pairing)):
        if text:
            yield _fact(name, printable(text))
    yield _fact("created", _time(setup.created_utc_s))
    for number, seat in enumerate(info.seats):
        yield _fact(f"seat {number}", _seat(seat))
    yield from _end(info)


def _fact(name: str, text: str) -> str:
    return f"{name:<11}{text}"


def _state(info: match_pb2.MatchInfo) -> str:
    words = [state_name(info.state)]
    if info.round:
        words.append(f"round {info.round}, turn {info.turn}")
    if info.events:
        words.append(f"{info.events} events")
    words.append("signed" if info.signed else "not signed yet")
    return ", ".join(words)


def _options(options: setup_pb2.Options) -> Iterator[str]:
    if options.HasField("round_cap"):
        yield f"{options.round_cap} rounds at most"
    if options.HasField("first_player"):
        yield f"seat {options.first_player} starts"
    if options.HasField("random_goals"):
        yield f"{options.random_goals} goals by chance"
    if options.goals:
        yield "goals " + ", ".join(_goal(goal) for goal in options.goals)


def _goal(number: int) -> str:
    return GOAL_NAMES[number - 1] if 0 < number <= len(GOAL_NAMES) else f"goal {number}"


def _clock(setup: setup_pb2.Setup) -> ClockRule | None:
    try:
        return decode_clock(setup.clock) if setup.HasField("clock") else None
    except WireError:
        return None


def _durability(setup: setup_pb2.Setup) -> str:
    try:
        name = setup_pb2.Durability.Name(setup.durability)
    except ValueError:
        return f"durability {setup.durability}"
    return name.removeprefix("DURABILITY_").lower()


def _time(utc_s: int) -> str:
    try:
        return datetime.fromtimestamp(utc_s, UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
    except (OverflowError, OSError, ValueError):
        return "at no known time"


def _seat(seat: match_pb2.SeatInfo) -> str:
    words = [printable(seat.agent)]
    if seat.name:
        words[0] += f' as "{printable(seat.name)}"'
    words.append(f"{seat.score} points")
    if seat.out:
        words.append("out")
    elif seat.connected:
        words.append("connected")
    elif not seat.joined:
        words.append("not here yet")
    return ", ".join(words)


def _end(info: match_pb2.MatchInfo) -> Iterator[str]:
    if info.HasField("result"):
        yield _fact("ended by", reason_name(info.result.reason).replace("_", " "))
        winners = [number for number, seat in enumerate(info.result.seats) if seat.rank == 1]
        yield _fact("winner", ", ".join(f"seat {number}" for number in winners) or "nobody")
    elif info.detail:
        yield _fact("because", printable(info.detail, 1_024))


def as_object(info: match_pb2.MatchInfo) -> dict[str, Any]:
    """Return a match as JSON can hold it; text of strangers stands there as they wrote it."""
    setup = info.setup
    clock = _clock(setup)
    return {
        "match_id": info.match_id,
        "state": state_name(info.state),
        "signed": info.signed,
        "ruleset": setup.ruleset,
        "revision": setup.revision,
        "round": info.round,
        "turn": info.turn,
        "events": info.events,
        "clock": None if clock is None else format_clock(clock),
        "strikes": setup.strikes,
        "rated": setup.rated,
        "fixed_seed": setup.fixed_seed,
        "durability": _durability(setup),
        "spectator_delay_ns": setup.spectator_delay_ns,
        "event_id": setup.event_id,
        "pairing": setup.pairing,
        "game_number": setup.game_number,
        "created_utc_s": setup.created_utc_s,
        "seats": [
            {
                "agent": seat.agent,
                "name": seat.name,
                "joined": seat.joined,
                "connected": seat.connected,
                "score": seat.score,
                "out": seat.out,
            }
            for seat in info.seats
        ],
        "result": result_object(decode_result(info.result)) if info.HasField("result") else None,
        "detail": info.detail,
    }
