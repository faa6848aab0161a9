"""Reads a position from its notation, and refuses tables that no game can show.

Two steps, two errors: `NotationError` for a text outside the grammar, `InvalidPosition`
for one inside it whose tiles, walls or turn contradict the rules. Not every table that
passes can be reached by play: scores and the history behind a table are not looked into.
"""

import re
from typing import Final

from referee.rules import tally
from referee.rules.azul import notation
from referee.rules.azul.board import COLUMN_MASKS, ROW_BITS, Board
from referee.rules.azul.components import (
    CENTER,
    COLOR_LETTERS,
    COLOR_NAMES,
    FLOOR_SPACES,
    FULL_BAG,
    MARKER,
    MARKER_LETTER,
    MAX_ROUND_CAP,
    NOBODY,
    ROWS,
    SHIELD,
    TILES_PER_FACTORY,
    factories_for,
)
from referee.rules.azul.deal import check_gold
from referee.rules.azul.position import AzulPosition, new_table
from referee.rules.azul.variant import Variant
from referee.rules.errors import InvalidDeal, InvalidPosition, NotationError, shown
from referee.rules.interface import CHANCE, OVER
from referee.rules.tally import COLORS, ONE

_FIELDS: Final = ("cap", "round", "starter", "turn", "marker", "factories", "center", "bag", "lid")
_NUMBER: Final = re.compile(r"0|[1-9][0-9]{0,5}", re.ASCII)
MAX_LENGTH: Final = 2_000


def parse_position(variant: Variant, given: object) -> AzulPosition:
    """Read a position of that variant."""
    position = _read(variant, notation.need_text(given))
    _check_tiles(position)
    for seat in range(position.seats):
        _check_board(position, seat)
    _check_marker(position)
    _check_turn(position)
    return position


# The grammar ---------------------------------------------------------------------------


def _read(variant: Variant, text: str) -> AzulPosition:
    if len(text) > MAX_LENGTH:
        raise NotationError(f"a position is at most {MAX_LENGTH} characters long")
    head, *parts = text.split(" ")
    if head != f"{variant.key}/{variant.revision}":
        raise NotationError(f"{shown(head)} is not {variant.key}/{variant.revision}")
    values = {}
    seats = len(parts) - len(_FIELDS)
    names = [*_FIELDS, *[f"seat{seat}" for seat in range(seats)]]
    for name, part in zip(names, parts, strict=False):
        found, equals, value = part.partition("=")
        if found != name or not equals:
            raise NotationError(f"{shown(part)} stands where {name}=... is expected")
        values[name] = value
    if not 2 <= seats <= 4:
        raise NotationError(f"a position ends with seat0=... to seat1, seat2 or seat3, not {seats}")
    cap = None if values["cap"] == "none" else _number(values["cap"])
    if cap is not None and not 1 <= cap <= MAX_ROUND_CAP:
        raise NotationError(f"cap={cap}: a round cap is 1 to {MAX_ROUND_CAP}, or none")
    position = new_table(variant, seats, cap, NOBODY)
    position.round = _number(values["round"])
    position.starter = _seat_or(values["starter"], {"?": NOBODY}, seats)
    position.actor = _seat_or(values["turn"], {"deal": CHANCE, "over": OVER}, seats)
    position.marker = _seat_or(values["marker"], {"center": NOBODY}, seats)
    for seat in range(seats):
        _read_board(position, seat, values[f"seat{seat}"])
    _read_factories(position, values["factories"].split(","))
    position.sources[CENTER] = notation.parse_tiles(values["center"])
    position.on_offer = sum(tally.size(tiles) for tiles in position.sources)
    position.bag = notation.parse_counts(values["bag"])
    position.lid = notation.parse_counts(values["lid"])
    return position


def _number(text: str) -> int:
    if _NUMBER.fullmatch(text) is None:
        raise NotationError(f"{shown(text)} is no number")
    return int(text)


def _seat_or(text: str, words: dict[str, int], seats: int) -> int:
    if text in words:
        return words[text]
    seat = notation.parse_seat(text)
    if seat >= seats:
        raise NotationError(f"there is no seat {seat}")
    return seat


def _read_factories(position: AzulPosition, texts: list[str]) -> None:
    if len(texts) != factories_for(position.seats):
        raise NotationError(f"{position.seats} seats have {position.factories} factories")
    gold = []
    for index, text in enumerate(texts):
        name, colon, tiles = text.rpartition(":")
        disc = notation.parse_disc(name) if colon else 0
        if colon and not disc:
            raise NotationError(f"factory {index}: a blue side has no name")
        gold.append(disc)
        if tiles == "out":
            if gold[index] != SHIELD or position.shield_owner == NOBODY:
                raise InvalidPosition(f"factory {index} is out, but no seat owns its shield")
        else:
            position.sources[index] = notation.parse_tiles(tiles)
            if gold[index] == SHIELD and position.shield_owner != NOBODY:
                raise InvalidPosition(f"factory {index} is owned by a seat, so it is out")
    position.set_gold(tuple(gold))
    if position.shield_owner != NOBODY and SHIELD not in gold:
        raise InvalidPosition("a seat owns a shield that is not in the circle")


def _read_board(position: AzulPosition, seat: int, text: str) -> None:
    parts = text.split(":")
    if len(parts) not in (4, 5):
        raise NotationError(f"seat{seat}: {shown(text)} is not score:lines:wall:floor")
    board = position.boards[seat]
    board.score = _number(parts[0])
    lines = parts[1].split("/")
    rows = parts[2].split("/")
    if len(lines) != ROWS or len(rows) != ROWS:
        raise NotationError(f"seat{seat} needs {ROWS} pattern lines and {ROWS} rows of the wall")
    for row, line in enumerate(lines):
        _read_line(board, seat, row, notation.parse_tiles(line))
    for row, cells in enumerate(rows):
        if len(cells) != COLORS or any(cell not in "." + COLOR_LETTERS for cell in cells):
            raise NotationError(f"seat{seat}: {shown(cells)} is no row of {COLORS} cells")
        for column, cell in enumerate(cells):
            if cell != ".":
                board.place(row, column, COLOR_LETTERS.index(cell))
    for tile in notation.parse_floor(parts[3]):
        board.lay_on_floor(tile, 1)
    if len(parts) == 5:
        _read_shield(position, seat, parts[4])


def _read_line(board: Board, seat: int, row: int, tiles: int) -> None:
    if tiles:
        color = tally.colors(tiles)[0]
        n = tally.count(tiles, color)
        if n > row + 1 or tally.size(tiles) > n:
            raise InvalidPosition(f"seat {seat}: pattern line {row} cannot hold those tiles")
        board.add_to_line(row, color, n)


def _read_shield(position: AzulPosition, seat: int, text: str) -> None:
    tile = text.removeprefix("shield")
    if not text.startswith("shield") or len(tile) > 1 or tile not in COLOR_LETTERS:
        raise NotationError(f"seat{seat}: {shown(text)} is not 'shield' and at most one color")
    if position.shield_owner != NOBODY:
        raise InvalidPosition("two seats own the shield")
    position.shield_owner = seat
    position.shield_tile = COLOR_LETTERS.index(tile) if tile else NOBODY


# The table -----------------------------------------------------------------------------


def tiles_by_place(position: AzulPosition) -> dict[str, int]:
    """Return a tally for every place where tiles can lie; together they are the game's."""
    places = {"bag": position.bag, "lid": position.lid, "center": position.sources[CENTER]}
    for index in range(position.factories):
        places[f"factory {index}"] = position.sources[index]
    for seat, board in enumerate(position.boards):
        places[f"lines of seat {seat}"] = sum(board.lines)
        places[f"wall of seat {seat}"] = tally.of_counts(
            [cells.bit_count() for cells in board.colors]
        )
        places[f"floor of seat {seat}"] = board.fallen
    if position.shield_tile != NOBODY:
        places["shield"] = ONE[position.shield_tile]
    return places


def _check_tiles(position: AzulPosition) -> None:
    """Every color has its twenty tiles, each in one place."""
    counted = [tally.counts(tiles) for tiles in tiles_by_place(position).values()]
    for color, wanted in enumerate(tally.counts(FULL_BAG)):
        found = sum(counts[color] for counts in counted)
        if found != wanted:
            name = COLOR_NAMES[color]
            raise InvalidPosition(f"{found} {name} tiles are on the table, the game has {wanted}")


def _check_board(position: AzulPosition, seat: int) -> None:
    board = position.boards[seat]
    _check_wall(position, seat, board)
    board.open_lines &= ~board.barred
    for row in range(ROWS):
        color = board.line_color(row)
        if color is not None and board.row_has_color(row, color):
            name = COLOR_NAMES[color]
            raise InvalidPosition(f"seat {seat}: row {row} of the wall already holds {name}")


def _check_wall(position: AzulPosition, seat: int, board: Board) -> None:
    layout = position.variant.layout
    for color, cells in enumerate(board.colors):
        name = COLOR_NAMES[color]
        for index in range(ROWS):
            row = cells >> (COLORS * index) & ROW_BITS
            if row.bit_count() > 1:
                raise InvalidPosition(f"seat {seat}: {name} lies twice in row {index} of the wall")
            if layout is not None and row and row != 1 << layout[index][color]:
                raise InvalidPosition(f"seat {seat}: {name} lies in a wrong column of row {index}")
            if layout is None and (cells & COLUMN_MASKS[index]).bit_count() > 1:
                raise InvalidPosition(f"seat {seat}: {name} lies twice in column {index}")


def _check_marker(position: AzulPosition) -> None:
    for seat, board in enumerate(position.boards):
        lying = board.floor.count(MARKER)
        if lying > (position.marker == seat):
            raise InvalidPosition(f"seat {seat}: {MARKER_LETTER} lies where the marker is not")
        # A1: only a floor line that was full may lack the marker its owner took.
        taken = position.marker == seat and position.on_offer > 0
        if taken and not lying and len(board.floor) < FLOOR_SPACES:
            raise InvalidPosition(f"seat {seat}: the marker must lie on the floor line")


def _check_turn(position: AzulPosition) -> None:
    if position.starter == NOBODY and position.round > 0:
        raise InvalidPosition("a round has a starter")
    if position.round == 0:
        _check_untouched(position)
    elif position.variant.special:
        try:
            check_gold(position.gold, position.factories, position.seats)
        except InvalidDeal as error:
            raise InvalidPosition(str(error)) from error
    if not position.variant.special and any(position.gold):
        raise InvalidPosition("this ruleset has no special factories")
    if position.round_cap is not None and position.round > position.round_cap:
        raise InvalidPosition("the round is past the cap")
    if position.on_offer:
        _check_offer(position)
    elif position.actor >= 0:
        _check_tiling(position)
    else:
        _check_between_rounds(position)


def _check_offer(position: AzulPosition) -> None:
    if position.actor < 0:
        raise InvalidPosition("tiles are on offer, so a seat is to move")
    if any(board.complete_rows() for board in position.boards):
        raise InvalidPosition("a wall has a complete row, so no tiles are on offer")
    if position.round == 1 and any(board.wall for board in position.boards):
        raise InvalidPosition("in round 1 no wall has a tile before the offer ends")
    for index in range(position.factories):
        # Special factories may gather more (2.4.2).
        full = tally.size(position.sources[index]) > TILES_PER_FACTORY
        if full and not position.variant.special:
            raise InvalidPosition(f"factory {index} holds more than {TILES_PER_FACTORY} tiles")


def _check_untouched(position: AzulPosition) -> None:
    start = new_table(position.variant, position.seats, position.round_cap, position.starter)
    if position != start:
        raise InvalidPosition("before round 1 nothing is dealt and every board is empty")


def _check_tiling(position: AzulPosition) -> None:
    """On a gray wall the actor has a choice, and whoever tiled before has finished."""
    if position.variant.layout is not None:
        raise InvalidPosition("nothing is on offer and a colored wall leaves no choice")
    board = position.boards[position.actor]
    full = [row for row in range(ROWS) if board.full_line_color(row) is not None]
    if not full:
        raise InvalidPosition("nothing is on offer and the seat to move has no full line")
    row, color = position.tiling_choice()
    if len(board.free_columns(row, color)) < 2:
        raise InvalidPosition(f"line {row} of the seat to move leaves no choice")
    seat = position.starter
    while seat != position.actor:
        _check_tiled(position, seat)
        seat = (seat + 1) % position.seats


def _check_between_rounds(position: AzulPosition) -> None:
    for seat in range(position.seats):
        _check_tiled(position, seat)
    if position.shield_owner != NOBODY:
        raise InvalidPosition("between rounds nobody owns the shield")
    over = position.termination() is not None
    if over != (position.actor == OVER):
        raise InvalidPosition("the game is over" if over else "the game is not over yet")


def _check_tiled(position: AzulPosition, seat: int) -> None:
    board = position.boards[seat]
    if board.floor or any(board.full_line_color(row) is not None for row in range(ROWS)):
        raise InvalidPosition(f"seat {seat} has tiled, so its floor and full lines are clear")
