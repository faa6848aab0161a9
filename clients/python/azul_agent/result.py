"""What became of one match."""

from dataclasses import dataclass

from referee.v1.play_pb2 import MatchClosed, MatchOver
from referee.v1.reason_pb2 import EndReason
from referee.v1.record_pb2 import SeatResult


def reason_word(reason: int) -> str:
    """Return the word for a reason, also for one that this kit does not know."""
    known = EndReason.DESCRIPTOR.values_by_number.get(reason)
    return known.name.removeprefix("END_REASON_") if known else "UNKNOWN"


@dataclass(frozen=True, slots=True)
class Result:
    """Tells how a match ended for one seat, and whether the referee kept its word.

    `over` is None if the agent was away when the match ended and came back too late to be told.
    `problems` is empty unless what the referee said at the end contradicts what it said before.
    `error` is what the bot raised, if the match was given up for it.
    """

    match_id: bytes
    seat: int
    ruleset: str
    over: MatchOver | None
    closed: MatchClosed | None
    problems: tuple[str, ...] = ()
    error: Exception | None = None

    @property
    def seats(self) -> tuple[SeatResult, ...]:
        """Return the result of each seat; empty if the match counts for nothing."""
        if self.over is None or not self.over.HasField("game_over"):
            return ()
        return tuple(self.over.game_over.seats)

    @property
    def scores(self) -> tuple[int, ...]:
        """Return the score of each seat."""
        return tuple(seat.score for seat in self.seats)

    @property
    def rank(self) -> int | None:
        """Return the rank of this seat, from 1; None if the match counts for nothing."""
        return self.seats[self.seat].rank if self.seat < len(self.seats) else None

    @property
    def reason(self) -> str:
        """Return why the match ended, in one word."""
        if self.over is None:
            return "UNKNOWN"
        kind = self.over.WhichOneof("end")
        if kind != "game_over":
            return {"voided": "VOID", "aborted": "ABORTED"}.get(kind or "", "UNKNOWN")
        return reason_word(self.over.game_over.reason)

    def __str__(self) -> str:
        scores = " ".join(map(str, self.scores))
        text = f"{self.ruleset} {self.match_id.hex()} seat {self.seat}: {self.reason}"
        text += f", scores {scores}, rank {self.rank}" if scores else ""
        return text + "".join(f"; PROBLEM: {problem}" for problem in self.problems)
