"""The words of a ruling: the verdict, and what becomes of the result."""

from dataclasses import dataclass, replace
from enum import Enum

from referee.transcript.dispute.claims import Claim
from referee.transcript.result import Result

# What a field of a ruling can hold: a number of points, a rank, seats, or words.
Value = int | str | tuple[int, ...] | None


@dataclass(frozen=True)
class Values:
    """The thing in dispute: as claimed, as recorded, and by re-play; None where it is no value."""

    claimed: Value = None
    recorded: Value = None
    correct: Value = None


class Verdict(Enum):
    """What the record says to a claim; the values are exit codes."""

    UPHELD = 0
    OVERTURNED = 20
    INCONCLUSIVE = 21


# What decides over several claims: the record is wrong if it is wrong anywhere.
WORST_FIRST = (Verdict.OVERTURNED, Verdict.INCONCLUSIVE, Verdict.UPHELD)


class Remedy(Enum):
    """What becomes of the result of the match."""

    STANDS = "stands"
    CORRECTED = "corrected"
    REPLAY = "replay"
    NONE = "none"
    UNKNOWN = "unknown"


@dataclass(frozen=True)
class Ruling:
    """The answer to one claim.

    rule         the clause, ruling or page that decides
    event        the record that is in dispute, if there is one
    values       the thing in dispute
    corrected    the result of the match by re-play, where it differs from the recorded one
    replay_turn  the turn from which the match would have to be played again
    if_trusted   what the verdict would be if the record could be trusted, which it cannot
    notes        what else is wrong, or must be known
    """

    claim: Claim
    verdict: Verdict
    reason: str
    rule: str = ""
    event: int | None = None
    values: Values = Values()
    remedy: Remedy = Remedy.UNKNOWN
    corrected: Result | None = None
    replay_turn: int | None = None
    if_trusted: Verdict | None = None
    notes: tuple[str, ...] = ()

    def distrusted(self, why: str) -> "Ruling":
        """Return the ruling on a record that nobody vouches for."""
        return replace(
            self,
            verdict=Verdict.INCONCLUSIVE,
            reason=f"{why}. As it stands, it would be {self.verdict.name}: {self.reason}",
            remedy=Remedy.UNKNOWN,
            corrected=None,
            replay_turn=None,
            if_trusted=self.verdict,
        )
