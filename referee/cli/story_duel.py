"""Tells games of Azul Duel."""

from collections.abc import Iterator

from referee.rules import Deal, Move, Position
from referee.rules.duel.board import DuelBoard
from referee.rules.duel.chips import faces
from referee.rules.duel.components import (
    BROKEN,
    CELLS_PER_ROW,
    COLOR_LETTERS,
    COLOR_NAMES,
    FACE_NAMES,
    GOAL_NAMES,
    LARGE,
    LINES,
    NOBODY,
    PLATES,
    ROTATIONS,
    is_special,
)
from referee.rules.duel.deal import RoundDeal, Uncovered, letters
from referee.rules.duel.dome import SLOT_CELLS, SLOT_OF_CELL, rotated
from referee.rules.duel.moves import (
    DrawPlate,
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
from referee.rules.duel.plates import plate_of
from referee.rules.duel.position import DuelPosition

MARGIN = " " * 21


def words(move: Move) -> str:
    """Return a move as a sentence without a subject."""
    if isinstance(move, TakeSun):
        return _sun_words(move)
    if isinstance(move, TakeMoon):
        return f"takes {COLOR_NAMES[move.color]} from the moon sides to {_target(move.line)}"
    if isinstance(move, TakeChip):
        return f"takes the chip of factory {move.factory}"
    if isinstance(move, PlaceTile):
        return f"lays the tile of line {move.line} into column {move.column}"
    if isinstance(move, SpendChips):
        names = " and ".join(FACE_NAMES[face] for face in faces(move.chips))
        return f"spends {names} on line {move.line}" if names else f"leaves line {move.line}"
    return _plate_words(move)


def _plate_words(move: Move) -> str:
    if isinstance(move, PlacePlate):
        return f"lays plate {move.plate} into slot {move.slot}{_turned(move.rotation)}"
    if isinstance(move, KeepPlate):
        return f"keeps plate number {move.index} for slot {move.slot}{_turned(move.rotation)}"
    if isinstance(move, ReturnPlate):
        return f"returns plate number {move.index}"
    assert isinstance(move, (DrawPlate, StopDrawing))
    return "draws a plate" if isinstance(move, DrawPlate) else "stops drawing"


def _sun_words(move: TakeSun) -> str:
    factory = "the large factory" if move.factory == LARGE else f"factory {move.factory}"
    text = f"takes {COLOR_NAMES[move.color]} from {factory} to {_target(move.line)}"
    if move.stack:
        text += ", piles " + " below ".join(COLOR_NAMES[tile] for tile in move.stack)
    return text


def _target(line: int) -> str:
    return "the broken tiles" if line == BROKEN else f"line {line}"


def _turned(rotation: int) -> str:
    return ("", ", turned once", ", turned twice", ", turned three times")[rotation]


def tell_deal(deal: Deal, position: Position) -> Iterator[str]:
    """Yield what was dealt, or what came to light."""
    assert isinstance(position, DuelPosition)
    if isinstance(deal, RoundDeal):
        yield from _tell_round(deal, position)
        return
    assert isinstance(deal, Uncovered)
    for factory, face in deal.chips:
        yield f"{MARGIN}the chip of factory {factory} is {FACE_NAMES[face]}"
    if deal.faces:
        yield f"{MARGIN}it has drawn {_plates(deal.faces)}"
    if deal.kept != NOBODY:
        yield f"{MARGIN}it keeps {_plates((deal.kept,))}"
    if deal.display != NOBODY:
        yield f"{MARGIN}the display gets {_plates((deal.display,))}"
    if deal.top != NOBODY:
        yield f"{MARGIN}the next plate of the stack is a {_type(deal.top)} one"


def _tell_round(deal: RoundDeal, position: DuelPosition) -> Iterator[str]:
    yield ""
    small = "   ".join(f"{index} {letters(tiles)}" for index, tiles in enumerate(deal.small))
    yield f"Round {position.round}: large {letters(deal.large)}   {small}"
    for color in deal.redraws:
        yield f"Five {COLOR_NAMES[color]} tiles for the large factory were put back."
    if position.display:
        yield f"Plates: {_plates(position.display)}"
    if position.stack.top != NOBODY:
        yield f"The next plate of the stack is a {_type(plate_of(position.stack.top))} one."
    if position.round == 1:
        yield "Goals: " + ", ".join(GOAL_NAMES[goal] for goal in position.goals)


def _type(plate: int) -> str:
    """Return what the back of a plate shows; its face is for nobody yet."""
    return "special" if is_special(plate) else "wild"


def _plates(plates: tuple[int, ...]) -> str:
    return ", ".join(f"{plate} ({PLATES[plate]})" for plate in plates)


def draw_boards(position: Position, before: tuple[int, ...]) -> list[list[str]]:
    """Return the board of every seat as lines of text, with the points gained since."""
    assert isinstance(position, DuelPosition)
    return [_draw_board(board, seat, before[seat]) for seat, board in enumerate(position.boards)]


def _draw_board(board: DuelBoard, seat: int, before: int) -> list[str]:
    lines = [f"seat {seat}: {board.score} ({board.score - before:+d})"]
    for line in range(LINES):
        held = board.line_counts[line]
        pattern = "." * (line + 1 - held) + COLOR_LETTERS[board.line_colors[line]] * held
        cells = " ".join(_draw_cell(board, line, column) for column in range(CELLS_PER_ROW))
        lines.append(f"{pattern.rjust(LINES)} | {cells}")
    names = ", ".join(FACE_NAMES[face] for face in faces(board.chips))
    lines.append(f"chips: {names or 'none'}")
    return lines


def _draw_cell(board: DuelBoard, row: int, column: int) -> str:
    cell = CELLS_PER_ROW * row + column
    for color, cells in enumerate(board.colors):
        if cells >> cell & 1:
            return COLOR_LETTERS[color]
    if board.specials >> cell & 1:
        return "S"
    slot = SLOT_OF_CELL[cell]
    code = board.plates[slot]
    if code == NOBODY:
        return "."
    # An empty cell shows what is printed on it in small.
    printed = rotated(code // ROTATIONS, code % ROTATIONS)
    return printed[SLOT_CELLS[slot].index(cell)].lower()
