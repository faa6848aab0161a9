"""Azul and Master Chocolatier: moves, deals and positions as messages and back."""

from collections.abc import Iterable
from typing import Any

from referee.rules import OVER, Move, Position, get_ruleset
from referee.rules.azul.components import (
    BLUE_SIDE,
    CENTER,
    COLOR_LETTERS,
    DISC_NAMES,
    MARKER,
    MARKER_LETTER,
    NOBODY,
    ROWS,
    SHIELD,
)
from referee.rules.azul.deal import RoundDeal, letters
from referee.rules.azul.moves import Place, Take, shared_take
from referee.rules.azul.position import AzulPosition
from referee.rules.tally import COLORS, is_tally
from referee.transcript.errors import WireError
from referee.transcript.wire.numbers import absent_or, color_set, colors_of, enum, need, need_color
from referee.v1 import azul_pb2 as pb
from referee.v1 import game_pb2

FIFTH_COLOR = 5
# Disc numbers are those of the rules, except that there 0 is a blue side.
_BLUE_SIDE = int(pb.AZUL_DISC_BLUE_SIDE)


def encode_take(move: Take) -> game_pb2.Move:
    """Return a take as a message."""
    return game_pb2.Move(
        azul_take=pb.AzulTake(
            source=move.source,
            color=enum(move.color + 1),
            line=move.line,
            left=colors_of(move.left, FIFTH_COLOR),
            right=colors_of(move.right, FIFTH_COLOR),
        )
    )


def decode_take(message: pb.AzulTake) -> Move:
    """Return a take, or raise `WireError` or `MalformedMove`."""
    take = Take(
        need(message, "source"),
        need_color(message.color, FIFTH_COLOR),
        need(message, "line"),
        color_set(message.left, FIFTH_COLOR),
        color_set(message.right, FIFTH_COLOR),
    )
    # The one that all tables share: whoever looks it up need not compare it field by field.
    return take if take.left | take.right else shared_take(take.source, take.color, take.line)


def encode_place(move: Place) -> game_pb2.Move:
    """Return a place as a message."""
    return game_pb2.Move(azul_place=pb.AzulPlace(row=move.row, column=move.column))


def decode_place(message: pb.AzulPlace) -> Place:
    """Return a place, or raise `WireError` or `MalformedMove`."""
    return Place(need(message, "row"), need(message, "column"))


# Deals -------------------------------------------------------------------------------------


def encode_round(deal: RoundDeal) -> game_pb2.Deal:
    """Return the deal of a round as a message."""
    message = pb.AzulRoundDeal(
        factories=deal.factories,
        extra=None if deal.extra is None else enum(deal.extra + 1),
        starter=deal.starter,
        gold=map(_encode_disc, deal.gold or ()),
    )
    return game_pb2.Deal(azul_round=message)


def decode_round(message: pb.AzulRoundDeal) -> RoundDeal:
    """Return the deal of a round, or raise `WireError` or `InvalidDeal`."""
    extra = need_color(message.extra, FIFTH_COLOR) if message.HasField("extra") else None
    gold = tuple([_decode_disc(disc) for disc in message.gold[:]]) or None
    starter = message.starter if message.HasField("starter") else None
    # A slice is a list at once; going through the field itself takes twice as long.
    return RoundDeal(tuple(message.factories[:]), extra, starter, gold)


def _encode_disc(disc: int) -> Any:  # noqa: ANN401  as `enum`
    return enum(_BLUE_SIDE if disc == BLUE_SIDE else disc)


def _decode_disc(disc: int) -> int:
    if not 1 <= disc <= _BLUE_SIDE:
        raise WireError(f"there is no disc {disc}")
    return BLUE_SIDE if disc == _BLUE_SIDE else disc


# Positions ---------------------------------------------------------------------------------


def encode_position(position: AzulPosition) -> pb.AzulPosition:
    """Return a table as a message."""
    factories = position.factories
    return pb.AzulPosition(
        round_cap=position.round_cap,
        round=position.round,
        starter=absent_or(position.starter),
        turn=absent_or(position.actor),
        over=position.actor == OVER,
        marker=absent_or(position.marker),
        factories=position.sources[:factories],
        center=position.sources[CENTER],
        bag=position.bag,
        lid=position.lid,
        gold=map(_encode_disc, position.gold if position.variant.special else ()),
        shield_owner=absent_or(position.shield_owner),
        shield_tile=None if position.shield_tile == NOBODY else enum(position.shield_tile + 1),
        boards=[
            pb.AzulBoard(
                score=board.score,
                line_colors=[enum((held >> 3) + 1 if held else 0) for held in board.held],
                line_counts=[held & 7 for held in board.held],
                wall=board.colors,
                floor=[enum(0 if tile == MARKER else tile + 1) for tile in board.floor],
            )
            for board in position.boards
        ],
    )


def decode_position(key: str, revision: int, message: pb.AzulPosition) -> Position:
    """Return a table, or raise `WireError` or what its notation is refused with.

    It goes through the notation, which knows every way in which a table can be impossible.
    """
    over = message.over
    turn = "over" if over else str(message.turn) if message.HasField("turn") else "deal"
    fields = [
        f"{key}/{revision}",
        f"cap={message.round_cap if message.HasField('round_cap') else 'none'}",
        f"round={message.round}",
        f"starter={message.starter if message.HasField('starter') else '?'}",
        f"turn={turn}",
        f"marker={message.marker if message.HasField('marker') else 'center'}",
        "factories=" + ",".join(_factories(message)),
        f"center={_letters(message.center)}",
        f"bag={_counts(message.bag)}",
        f"lid={_counts(message.lid)}",
    ]
    for seat, board in enumerate(message.boards):
        fields.append(f"seat{seat}={_board(message, seat, board)}")
    return get_ruleset(key).parse_position(" ".join(fields))


def _tally(tiles: int) -> int:
    if not is_tally(tiles):
        raise WireError(f"{tiles} is no tally")
    return tiles


def _letters(tiles: int) -> str:
    return letters(_tally(tiles)) or "-"


def _counts(tiles: int) -> str:
    _tally(tiles)
    counted = ((tiles >> 6 * color & 63, COLOR_LETTERS[color]) for color in range(COLORS))
    return "".join(f"{number}{letter}" for number, letter in counted if number) or "-"


def _factories(message: pb.AzulPosition) -> Iterable[str]:
    discs = [_decode_disc(disc) for disc in message.gold] or [BLUE_SIDE] * len(message.factories)
    if len(discs) != len(message.factories):
        raise WireError("there is a disc for each factory, or for none")
    for tiles, disc in zip(message.factories, discs, strict=True):
        name = f"{DISC_NAMES[disc]}:" if disc else ""
        out = disc == SHIELD and message.HasField("shield_owner")
        yield name + ("out" if out else _letters(tiles))


def _board(message: pb.AzulPosition, seat: int, board: pb.AzulBoard) -> str:
    if len(board.line_colors) != ROWS or len(board.line_counts) != ROWS:
        raise WireError(f"a board has {ROWS} pattern lines")
    if len(board.wall) != COLORS:
        raise WireError(f"a wall has {COLORS} masks, one a color")
    lines = "/".join(map(_line, board.line_colors, board.line_counts))
    rows = "/".join(
        "".join(_cell(board, ROWS * row + column) for column in range(COLORS))
        for row in range(ROWS)
    )
    floor = "".join(_floor_tile(tile) for tile in board.floor) or "-"
    text = f"{board.score}:{lines}:{rows}:{floor}"
    if message.HasField("shield_owner") and message.shield_owner == seat:
        tile = message.HasField("shield_tile")
        text += ":shield"
        if tile:
            text += COLOR_LETTERS[need_color(message.shield_tile, FIFTH_COLOR)]
    return text


def _line(color: int, number: int) -> str:
    if (color == 0) != (number == 0) or number > ROWS:
        raise WireError(f"no pattern line holds {number} tiles of color {color}")
    return COLOR_LETTERS[need_color(color, FIFTH_COLOR)] * number if number else "-"


def _cell(board: pb.AzulBoard, cell: int) -> str:
    found = [color for color in range(COLORS) if board.wall[color] >> cell & 1]
    if len(found) > 1:
        raise WireError(f"cell {cell} of a wall holds two colors")
    return COLOR_LETTERS[found[0]] if found else "."


def _floor_tile(tile: int) -> str:
    return COLOR_LETTERS[need_color(tile, FIFTH_COLOR)] if tile else MARKER_LETTER
