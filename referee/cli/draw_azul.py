"""Draws tables and boards of Azul and Master Chocolatier."""

from rich.text import Text

from referee.cli.tiles import spaced, tiles
from referee.rules import Position, tally
from referee.rules.azul.board import Board
from referee.rules.azul.components import (
    CENTER,
    COLOR_LETTERS,
    DISC_NAMES,
    FLOOR_SPACES,
    MARKER_LETTER,
    NOBODY,
    ROWS,
    WALL_COLUMNS,
)
from referee.rules.azul.deal import letters
from referee.rules.azul.position import AzulPosition

FLOOR_LETTERS = COLOR_LETTERS + MARKER_LETTER


def table(position: Position) -> list[list[Text]]:
    """Return the offer and the supply, as groups of items."""
    assert isinstance(position, AzulPosition)
    offer = [Text("factories")]
    for index, disc in enumerate(position.gold):
        name = f"({DISC_NAMES[disc]})" if disc else ""
        item = Text(f"{index}{name} ")
        if index == position.absent_factory():
            item.append(f"with seat {position.shield_owner}")
        else:
            item.append_text(_tiles(position.sources[index]))
        offer.append(item)
    center = Text("center ")
    if position.on_offer and position.marker == NOBODY:
        center.append_text(tiles(MARKER_LETTER))
    center.append_text(_tiles(position.sources[CENTER]))
    supply = [
        center,
        Text(f"bag {tally.size(position.bag)}"),
        Text(f"lid {tally.size(position.lid)}"),
    ]
    if position.marker != NOBODY:
        supply.append(Text(f"marker with seat {position.marker}"))
    return [offer, supply]


def _tiles(held: int) -> Text:
    return tiles(letters(held) or "-")


def board(position: Position, seat: int) -> list[Text]:
    """Return the pattern lines and the wall of a seat, and its floor line."""
    assert isinstance(position, AzulPosition)
    own = position.boards[seat]
    lines = []
    for row in range(ROWS):
        held = letters(own.lines[row])
        line = Text(" " * (ROWS - row - 1))
        line.append_text(tiles("." * (row + 1 - len(held)) + held))
        line.append(" | ")
        line.append_text(spaced("".join(_cell(position, own, row, at) for at in range(ROWS))))
        lines.append(line)
    floor = "".join(FLOOR_LETTERS[tile] for tile in own.floor)
    last = Text("floor ")
    last.append_text(tiles(floor + "." * (FLOOR_SPACES - len(floor))))
    if position.shield_owner == seat:
        color = position.shield_tile
        last.append(" +")
        last.append_text(tiles("." if color == NOBODY else COLOR_LETTERS[color]))
    lines.append(last)
    return lines


def _cell(position: AzulPosition, own: Board, row: int, column: int) -> str:
    for color, cells in enumerate(own.colors):
        if cells >> (ROWS * row + column) & 1:
            return COLOR_LETTERS[color]
    if position.variant.layout is None:
        return "."
    # An empty cell of the colored wall shows its color in small.
    return COLOR_LETTERS[WALL_COLUMNS[row].index(column)].lower()
