"""Draws tables and boards of Azul Duel, with hidden facts as the position knows them."""

from rich.text import Text

from referee.cli.tiles import spaced, tiles
from referee.rules import Position, tally
from referee.rules.duel.board import DuelBoard
from referee.rules.duel.chips import faces
from referee.rules.duel.components import (
    BROKEN_SPACES,
    CELLS_PER_ROW,
    COLOR_LETTERS,
    FACE_LETTERS,
    GOAL_NAMES,
    LARGE,
    LINES,
    NOBODY,
    PLATES,
    ROTATIONS,
    SMALL_FACTORIES,
    is_special,
)
from referee.rules.duel.deal import face_text, letters, plate_text
from referee.rules.duel.dome import SLOT_CELLS, SLOT_OF_CELL, rotated
from referee.rules.duel.plates import plate_of
from referee.rules.duel.position import DuelPosition


def table(position: Position) -> list[list[Text]]:
    """Return factories (sun side / moon side [chip]), plates and the supply, as groups."""
    assert isinstance(position, DuelPosition)
    large = Text("large ").append_text(_sides(letters(position.sun[LARGE]), letters(position.moon)))
    if position.round and position.first == NOBODY:
        large.append(" +first-player tile")
    offer = [large]
    for factory in range(SMALL_FACTORIES):
        pile = "".join(COLOR_LETTERS[tile] for tile in position.stacks[factory]) or "-"
        item = Text(f"{factory} ").append_text(_sides(letters(position.sun[factory]), pile))
        face = position.chips[factory]
        if face != NOBODY:
            shown = face_text(face) if position.revealed >> factory & 1 else "?"
            item.append(f" [{shown}]")
        offer.append(item)
    plates = [Text("plates"), *(Text(f"{plate} ({PLATES[plate]})") for plate in position.display)]
    stack = position.stack
    if stack.top != NOBODY:
        back = "special" if is_special(plate_of(stack.top)) else "wild"
        plates.append(Text(f"stack of {stack.size()}, {back} on top"))
    drawn = [plate_text(plate_of(entry)) if entry >= 0 else "-" for entry in stack.drawn]
    if drawn:
        plates.append(Text(f"drawn: {' '.join(drawn)}"))
    supply = [Text(f"bag {tally.size(position.bag)}"), Text(f"tower {tally.size(position.tower)}")]
    if position.goals:
        supply.append(Text("goals " + " ".join(GOAL_NAMES[goal] for goal in position.goals)))
    if position.first != NOBODY:
        supply.append(Text(f"first-player tile with seat {position.first}"))
    return [offer, plates, supply]


def _sides(sun: str, moon: str) -> Text:
    return Text().append_text(tiles(sun)).append("/").append_text(tiles(moon))


def board(position: Position, seat: int) -> list[Text]:
    """Return the pattern lines and the dome of a seat, and what lies beside them."""
    assert isinstance(position, DuelPosition)
    own = position.boards[seat]
    lines = []
    for row in range(LINES):
        held = own.line_counts[row]
        line = Text(" " * (LINES - row - 1))
        line.append_text(tiles("." * (row + 1 - held) + COLOR_LETTERS[own.line_colors[row]] * held))
        line.append(" | ")
        line.append_text(spaced("".join(_cell(own, row, at) for at in range(CELLS_PER_ROW))))
        lines.append(line)
    broken = letters(own.broken) if own.broken_count else ""
    last = Text("broken ").append_text(tiles(broken + "." * (BROKEN_SPACES - len(broken))))
    last.append(f"  tokens {own.tokens}")
    chips = " ".join(FACE_LETTERS[face] for face in faces(own.chips))
    return [*lines, last, Text(f"chips {chips or '-'}")]


def _cell(own: DuelBoard, row: int, column: int) -> str:
    cell = CELLS_PER_ROW * row + column
    for color, cells in enumerate(own.colors):
        if cells >> cell & 1:
            return COLOR_LETTERS[color]
    if own.specials >> cell & 1:
        return "S"
    slot = SLOT_OF_CELL[cell]
    code = own.plates[slot]
    if code == NOBODY:
        return "."
    # An empty cell shows what is printed on it in small.
    printed = rotated(code // ROTATIONS, code % ROTATIONS)
    return printed[SLOT_CELLS[slot].index(cell)].lower()
