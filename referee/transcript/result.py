"""What a match came to, from its last position and the seats that went out.

The live match records this, and a record is checked with it (docs/transcript.md, "The
result").
"""

from collections.abc import Sequence
from typing import Final, NamedTuple, TypeAlias

from referee.rules import Bonus, Position
from referee.v1.reason_pb2 import EndReason

Reason: TypeAlias = EndReason.ValueType
NO_SHOW: Final = EndReason.END_REASON_NO_SHOW
ILLEGAL_MOVE: Final = EndReason.END_REASON_ILLEGAL_MOVE
PROTOCOL: Final = EndReason.END_REASON_PROTOCOL
RESIGN: Final = EndReason.END_REASON_RESIGN
ENTROPY: Final = EndReason.END_REASON_ENTROPY
TIME: Final = EndReason.END_REASON_TIME
DOUBLE_FAULT: Final = EndReason.END_REASON_DOUBLE_FAULT


class Out(NamedTuple):
    """Seats that went out at once, for one reason."""

    reason: Reason
    seats: tuple[int, ...]


class SeatResult(NamedTuple):
    """What the match came to for one seat; ``out`` is None if it played to the end."""

    score: int
    rank: int
    bonuses: tuple[Bonus, ...]
    out: Reason | None


class Result(NamedTuple):
    """Why the match ended, and what it came to for every seat."""

    reason: Reason
    seats: tuple[SeatResult, ...]

    @property
    def winners(self) -> tuple[int, ...]:
        """The seats with rank 1; nobody, if all are out."""
        return tuple([seat for seat, result in enumerate(self.seats) if result.rank == 1])


def end_reason(name: str) -> Reason:
    """Return the reason of that name."""
    return EndReason.Value(f"END_REASON_{name.upper()}")


def reason_name(reason: int) -> str:
    """Return the word for a reason, also for one that this version does not know."""
    try:
        name = EndReason.Name(reason)  # type: ignore[arg-type]
    except ValueError:
        return f"reason {reason}"
    return name.removeprefix("END_REASON_").lower()


def result(position: Position, outs: Sequence[Out]) -> Result:
    """Return the result of a match whose game is over, or whose seats are out but for one."""
    reasons = {seat: out.reason for out in outs for seat in out.seats}
    live = [seat for seat in range(position.seats) if seat not in reasons]
    outcome = position.outcome()
    if outcome is not None:
        reason = end_reason(outcome.termination.value)
        scores, bonuses = outcome.scores, outcome.bonuses
        ranked = outcome.ranks
        better = {
            seat: len([other for other in live if ranked[other] < ranked[seat]]) for seat in live
        }
    else:
        last = outs[-1]
        both = not live and last.reason == TIME and len(last.seats) > 1
        reason = DOUBLE_FAULT if both else last.reason
        scores, bonuses = position.scores, ((),) * position.seats
        better = dict.fromkeys(live, 0)
    ranks = {seat: 1 + number for seat, number in better.items()}
    # Out seats rank below all live ones, later out above earlier; nobody wins if all are out.
    rank = 1 + len(live) + (not live)
    for out in reversed(outs):
        for seat in out.seats:
            ranks[seat] = rank
        rank += len(out.seats)
    return Result(
        reason,
        tuple(
            [
                SeatResult(scores[seat], ranks[seat], tuple(bonuses[seat]), reasons.get(seat))
                for seat in range(position.seats)
            ]
        ),
    )


def difference(expected: Result, found: Result) -> tuple[str, str]:
    """Return the first thing in which two results differ, in words, from both."""
    if expected.reason != found.reason:
        return f"reason {reason_name(expected.reason)}", f"reason {reason_name(found.reason)}"
    if len(expected.seats) != len(found.seats):
        return f"{len(expected.seats)} seats", f"{len(found.seats)} seats"
    for seat, (one, other) in enumerate(zip(expected.seats, found.seats, strict=True)):
        for name in ("score", "rank", "out"):
            left, right = getattr(one, name), getattr(other, name)
            if left != right:
                return f"{name} {left} of seat {seat}", f"{name} {right}"
        if one.bonuses != other.bonuses:
            left, right = ("; ".join(map(str, side.bonuses)) for side in (one, other))
            return f"bonuses of seat {seat}: {left or 'none'}", right or "none"
    return "the same", "the same"
