"""What a match says to a seat at once, beside what its records tell everybody.

Plain values: the service makes messages of them, and adds the handle by which the stream of
the seat knows the match.
"""

from typing import NamedTuple, TypeAlias

from referee.v1.play_pb2 import RefuseReason
from referee.v1.reason_pb2 import RejectReason


class Refusal(NamedTuple):
    """A message that had no effect; it costs no strike and is not recorded.

    ``counted`` refusals are moves off turn and their like, of which a seat has so many.
    """

    reason: RefuseReason.ValueType
    message: str
    counted: bool = False


class Rejection(NamedTuple):
    """An answer on the right turn that was no legal move; it stands in the record."""

    turn: int
    attempt: int
    reason: RejectReason.ValueType
    message: str
    rule: str
    strikes_left: int


class Repeat(NamedTuple):
    """An answer that was given before, and accepted: the event of that index is told again."""

    event: int


Reply: TypeAlias = Refusal | Rejection | Repeat | None
