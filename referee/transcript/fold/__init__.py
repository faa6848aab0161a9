"""A match as its records tell it: one fold, for verifying, replaying and resuming.

match        the state of a match, and what must follow what
opening      set-up, commitments, joining, the start
chance       reveals and deals
turns        moves, refusals, rounds
ending       seats that go out, results, the end
proof        whether every deal follows from the seed
timekeeping  whether every charge follows from the times
"""

from referee.transcript.fold.match import Fold
from referee.transcript.fold.proof import Fairness
from referee.transcript.fold.stage import Stage

__all__ = ["Fairness", "Fold", "Stage"]
