"""Moves, deals, positions and answers of any game, as messages and back."""

from typing import Any, Final

from google.protobuf.message import DecodeError

from referee.rules import Deal, MalformedMove, Move, Position
from referee.rules.azul import deal as azul_deal
from referee.rules.azul.moves import Place, Take
from referee.rules.azul.position import AzulPosition
from referee.rules.duel import deal as duel_deal
from referee.rules.duel.moves import DuelMove
from referee.rules.duel.position import DuelPosition
from referee.transcript.errors import Unparsable, WireError
from referee.transcript.wire import azul, azul_bytes, duel, duel_position
from referee.v1.game_pb2 import Action
from referee.v1.game_pb2 import Deal as DealMessage
from referee.v1.game_pb2 import Move as MoveMessage
from referee.v1.game_pb2 import Position as PositionMessage

# By the name of the field in `Move`.
_DECODERS: dict[str, Any] = {
    "azul_take": azul.decode_take,
    "azul_place": azul.decode_place,
    **duel.DECODERS,
}
# Answers and moves repeat: there are a few hundred of Azul, and some thousands of Duel. Every
# recorded move asks for both; compiled code reads a table of its own more quickly than it calls
# `lru_cache`. One that is full begins anew. No move needs a long answer: those are not kept.
_KEPT: Final = 1 << 14
_KEPT_BYTES: Final = 64
_messages: Final[dict[Move, MoveMessage]] = {}
_choices: Final[dict[bytes, Move | int]] = {}


def encode_move(move: Move) -> MoveMessage:
    """Return a move as a message, which nobody may change: it is kept."""
    message = _messages.get(move)
    if message is None:
        message = _encode_move(move)
        if len(_messages) >= _KEPT:
            _messages.clear()
        _messages[move] = message
    return message


def _encode_move(move: Move) -> MoveMessage:
    if isinstance(move, Take):
        return azul.encode_take(move)
    if isinstance(move, Place):
        return azul.encode_place(move)
    if isinstance(move, DuelMove):
        return duel.encode_move(move)
    raise WireError(f"{move!r} has no message")


def decode_move(message: MoveMessage) -> Move:
    """Return the move of a message, or raise `WireError` if it stands for none."""
    kind = message.WhichOneof("kind")
    if kind is None:
        raise WireError("the move has no kind")
    try:
        move: Move = _DECODERS[kind](getattr(message, kind))
    except MalformedMove as error:
        raise WireError(str(error)) from error
    return move


# Answers -----------------------------------------------------------------------------------


def move_action(move: Move) -> bytes:
    """Return the answer that names a move itself."""
    return Action(move=encode_move(move)).SerializeToString()


def index_action(index: int) -> bytes:
    """Return the answer that names a legal move by its index."""
    return Action(index=index).SerializeToString()


def read_action(data: bytes) -> Move | int:
    """Return the move or the index that an answer names.

    Raises `Unparsable` for bytes that are no answer, `WireError` for one that names nothing.
    """
    choice = _choices.get(data)
    if choice is None:
        choice = _read_action(data)
        if len(_choices) >= _KEPT:
            _choices.clear()
        # Strangers may fill an answer up with fields that nobody knows: those are not kept.
        if len(data) <= _KEPT_BYTES:
            _choices[data] = choice
    return choice


def _read_action(data: bytes) -> Move | int:
    try:
        action = Action.FromString(data)
    except DecodeError as error:
        raise Unparsable("these bytes are no action") from error
    choice = action.WhichOneof("choice")
    if choice is None:
        raise WireError("the action names nothing")
    return action.index if choice == "index" else decode_move(action.move)


# Deals -------------------------------------------------------------------------------------


def encode_deal(deal: Deal) -> DealMessage:
    """Return a deal as a message."""
    if isinstance(deal, azul_deal.RoundDeal):
        return azul.encode_round(deal)
    if isinstance(deal, duel_deal.RoundDeal):
        return duel.encode_round(deal)
    if isinstance(deal, duel_deal.Uncovered):
        return duel.encode_uncovered(deal)
    raise WireError(f"{deal!r} has no message")


def decode_deal(message: DealMessage) -> Deal:
    """Return the deal of a message, or raise `WireError` or `InvalidDeal`."""
    match message.WhichOneof("kind"):
        case "azul_round":
            return azul.decode_round(message.azul_round)
        case "duel_round":
            return duel.decode_round(message.duel_round)
        case "duel_uncovered":
            return duel.decode_uncovered(message.duel_uncovered)
        case _:
            raise WireError("the deal has no kind")


# Positions ---------------------------------------------------------------------------------


def encode_position(position: Position) -> PositionMessage:
    """Return a table, or a view of one, as a message."""
    if isinstance(position, AzulPosition):
        variant = position.variant
        return PositionMessage(
            ruleset=variant.key, revision=variant.revision, azul=azul.encode_position(position)
        )
    if isinstance(position, DuelPosition):
        return PositionMessage(
            ruleset="duel",
            revision=position.revision,
            duel=duel_position.encode_position(position),
        )
    raise WireError("the position has no message")


def position_bytes(position: Position) -> bytes:
    """Return a table as the bytes of its message."""
    if isinstance(position, AzulPosition):
        return azul_bytes.position_bytes(position)
    return encode_position(position).SerializeToString()


def decode_position(message: PositionMessage) -> Position:
    """Return the table of a message, or raise `WireError` or what notation raises."""
    match message.WhichOneof("kind"):
        case "azul":
            return azul.decode_position(message.ruleset, message.revision, message.azul)
        case "duel":
            return duel_position.decode_position(message.revision, message.duel)
        case _:
            raise WireError("the position has no kind")
