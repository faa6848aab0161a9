"""What an agent's answer means in a position, or why it is refused.

The live match decides with this, and a record is checked with it.
"""

from referee.rules import Illegal, IllegalMove, MalformedMove, Move, Position
from referee.rules.azul.components import FLOOR
from referee.rules.azul.moves import Take
from referee.transcript.errors import Unparsable, WireError
from referee.transcript.wire.game import read_action
from referee.v1.reason_pb2 import RejectReason

UNPARSABLE = RejectReason.REJECT_REASON_UNPARSABLE
MALFORMED = RejectReason.REJECT_REASON_MALFORMED
NO_SUCH_INDEX = RejectReason.REJECT_REASON_NO_SUCH_INDEX
_REASONS = {illegal: RejectReason.Value(f"REJECT_REASON_{illegal.name}") for illegal in Illegal}


class Refused(Exception):
    """An answer that is no legal move, with the reason that the record names."""

    def __init__(self, reason: RejectReason.ValueType, message: str, rule: str = "") -> None:
        self.reason = reason
        self.message = message
        self.rule = rule
        super().__init__(message)


def resolve(position: Position, action: bytes) -> Move:
    """Return the legal move that an answer means, or raise `Refused`."""
    move = named_move(position, action)
    try:
        position.check(move)
    except IllegalMove as error:
        raise Refused(_REASONS[error.reason], error.message, error.rule) from error
    except MalformedMove as error:
        raise Refused(MALFORMED, str(error)) from error
    return move


def named_move(position: Position, action: bytes) -> Move:
    """Return the move that an answer names, legal or not; raise `Refused` if it names none."""
    try:
        choice = read_action(action)
        if not isinstance(choice, int):
            return choice
    except Unparsable as error:
        raise Refused(UNPARSABLE, str(error)) from error
    except WireError as error:
        raise Refused(MALFORMED, str(error)) from error
    moves = position.legal_moves()
    if choice >= len(moves):
        message = f"there are {len(moves)} legal moves, none has index {choice}"
        raise Refused(NO_SUCH_INDEX, message)
    return moves[choice]


def reason_name(reason: int) -> str:
    """Return the word for a reason, also for one that this version does not know."""
    try:
        name = RejectReason.Name(reason)  # type: ignore[arg-type]
    except ValueError:
        return f"reason {reason}"
    return name.removeprefix("REJECT_REASON_").lower()


def frozen_move(position: Position) -> Move:
    """Return what the referee plays for a seat that is out: onto the floor, or what is first."""
    moves = position.legal_moves()
    for move in moves:
        if isinstance(move, Take) and move.line == FLOOR:
            return move
    return moves[0]
