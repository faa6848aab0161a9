"""Azul Duel: moves and deals as messages and back."""

from collections.abc import Callable, Sequence
from typing import Any

from referee.rules.duel import chips as chipset
from referee.rules.duel.components import CHIPS_PER_FACE, FACES, GOAL_NAMES, HIDDEN_FACE
from referee.rules.duel.deal import RoundDeal, Uncovered
from referee.rules.duel.moves import (
    DrawPlate,
    DuelMove,
    KeepPlate,
    PlacePlate,
    PlaceTile,
    ReturnPlate,
    SpendChips,
    StopDrawing,
    TakeChip,
    TakeMoon,
    TakeSun,
)
from referee.transcript.errors import WireError
from referee.transcript.wire.numbers import absent_or, color_list, need, need_color, wire_color
from referee.v1 import duel_pb2 as pb
from referee.v1 import game_pb2

FIFTH_COLOR = 6


def colors(tiles: Sequence[int]) -> list[Any]:
    """Return colors as messages have them."""
    return [wire_color(tile, FIFTH_COLOR) for tile in tiles]


# Faces and goals are numbered from 1 on the wire, where 0 stands for none.


def encode_faces(chips: int) -> list[Any]:
    """Return a set of chips as a list of faces, in order."""
    return [face + 1 for face in chipset.faces(chips)]


def decode_faces(numbers: Sequence[int]) -> int:
    """Return a list of faces as a set of chips."""
    faces = [decode_face(number) for number in numbers]
    if any(face == HIDDEN_FACE or faces.count(face) > CHIPS_PER_FACE for face in faces):
        raise WireError("these chips do not exist")
    return chipset.of_faces(faces)


def decode_face(number: int) -> int:
    """Return a face, a hidden one included."""
    if not 1 <= number <= FACES + 1:
        raise WireError(f"there is no face {number}")
    return number - 1


def decode_goals(numbers: Sequence[int]) -> tuple[int, ...]:
    """Return goals in the numbers of the rules."""
    if any(not 1 <= number <= len(GOAL_NAMES) for number in numbers):
        raise WireError("there is no such goal")
    return tuple([number - 1 for number in numbers])


# Moves -------------------------------------------------------------------------------------


# A message of each kind of move, by its class.
_ENCODERS: dict[type[DuelMove], Callable[[Any], game_pb2.Move]] = {
    PlacePlate: lambda move: game_pb2.Move(
        duel_place_plate=pb.DuelPlacePlate(plate=move.plate, slot=move.slot, rotation=move.rotation)
    ),
    DrawPlate: lambda _: game_pb2.Move(duel_draw_plate=pb.DuelDrawPlate()),
    StopDrawing: lambda _: game_pb2.Move(duel_stop_drawing=pb.DuelStopDrawing()),
    KeepPlate: lambda move: game_pb2.Move(
        duel_keep_plate=pb.DuelKeepPlate(index=move.index, slot=move.slot, rotation=move.rotation)
    ),
    ReturnPlate: lambda move: game_pb2.Move(duel_return_plate=pb.DuelReturnPlate(index=move.index)),
    TakeSun: lambda move: game_pb2.Move(
        duel_take_sun=pb.DuelTakeSun(
            factory=move.factory,
            color=wire_color(move.color, FIFTH_COLOR),
            line=move.line,
            stack=colors(move.stack),
        )
    ),
    TakeMoon: lambda move: game_pb2.Move(
        duel_take_moon=pb.DuelTakeMoon(color=wire_color(move.color, FIFTH_COLOR), line=move.line)
    ),
    TakeChip: lambda move: game_pb2.Move(duel_take_chip=pb.DuelTakeChip(factory=move.factory)),
    SpendChips: lambda move: game_pb2.Move(
        duel_spend_chips=pb.DuelSpendChips(line=move.line, chips=encode_faces(move.chips))
    ),
    PlaceTile: lambda move: game_pb2.Move(
        duel_place_tile=pb.DuelPlaceTile(line=move.line, column=move.column)
    ),
}


def encode_move(move: DuelMove) -> game_pb2.Move:
    """Return a move as a message."""
    return _ENCODERS[type(move)](move)


def _place_plate(message: pb.DuelPlacePlate) -> DuelMove:
    return PlacePlate(need(message, "plate"), need(message, "slot"), need(message, "rotation"))


def _keep_plate(message: pb.DuelKeepPlate) -> DuelMove:
    return KeepPlate(need(message, "index"), need(message, "slot"), need(message, "rotation"))


def _take_sun(message: pb.DuelTakeSun) -> DuelMove:
    return TakeSun(
        need(message, "factory"),
        need_color(message.color, FIFTH_COLOR),
        need(message, "line"),
        color_list(message.stack, FIFTH_COLOR),
    )


def _take_moon(message: pb.DuelTakeMoon) -> DuelMove:
    return TakeMoon(need_color(message.color, FIFTH_COLOR), need(message, "line"))


# By the name of the field in `Move`.
DECODERS: dict[str, Any] = {
    "duel_place_plate": _place_plate,
    "duel_draw_plate": lambda _: DrawPlate(),
    "duel_stop_drawing": lambda _: StopDrawing(),
    "duel_keep_plate": _keep_plate,
    "duel_return_plate": lambda message: ReturnPlate(need(message, "index")),
    "duel_take_sun": _take_sun,
    "duel_take_moon": _take_moon,
    "duel_take_chip": lambda message: TakeChip(need(message, "factory")),
    "duel_spend_chips": lambda message: SpendChips(
        need(message, "line"), decode_faces(message.chips)
    ),
    "duel_place_tile": lambda message: PlaceTile(need(message, "line"), need(message, "column")),
}


# Deals -------------------------------------------------------------------------------------


def encode_round(deal: RoundDeal) -> game_pb2.Deal:
    """Return the deal of a round as a message."""
    chips: list[Any] = [face + 1 for face in deal.chips]
    goals: list[Any] = [goal + 1 for goal in deal.goals or ()]
    message = pb.DuelRoundDeal(
        large=deal.large,
        small=deal.small,
        chips=chips,
        display=deal.display,
        top=absent_or(deal.top),
        redraws=colors(deal.redraws),
        starter=deal.starter,
        goals=goals,
    )
    return game_pb2.Deal(duel_round=message)


def decode_round(message: pb.DuelRoundDeal) -> RoundDeal:
    """Return the deal of a round, or raise `WireError` or `InvalidDeal`."""
    return RoundDeal(
        message.large,
        tuple(message.small),
        tuple(map(decode_face, message.chips)),
        display=tuple(message.display),
        top=message.top if message.HasField("top") else -1,
        redraws=color_list(message.redraws, FIFTH_COLOR),
        starter=message.starter if message.HasField("starter") else None,
        goals=decode_goals(message.goals) or None,
    )


def encode_uncovered(deal: Uncovered) -> game_pb2.Deal:
    """Return what came to light as a message."""
    chips = []
    for factory, face in deal.chips:
        number: Any = face + 1
        chips.append(pb.DuelChip(factory=factory, face=number))
    message = pb.DuelUncovered(
        display=absent_or(deal.display),
        top=absent_or(deal.top),
        looker=absent_or(deal.looker),
        faces=deal.faces,
        kept=absent_or(deal.kept),
        chips=chips,
    )
    return game_pb2.Deal(duel_uncovered=message)


def decode_uncovered(message: pb.DuelUncovered) -> Uncovered:
    """Return what came to light, or raise `WireError` or `InvalidDeal`."""
    return Uncovered(
        display=message.display if message.HasField("display") else -1,
        top=message.top if message.HasField("top") else -1,
        looker=message.looker if message.HasField("looker") else -1,
        faces=tuple(message.faces),
        kept=message.kept if message.HasField("kept") else -1,
        chips=tuple([(need(chip, "factory"), decode_face(chip.face)) for chip in message.chips]),
    )
