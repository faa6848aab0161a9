"""The eight goals, scored once at the end of the game (3.7.2)."""

from typing import Final

from referee.rules.duel.board import DuelBoard
from referee.rules.duel.components import (
    CELLS_PER_ROW,
    COLUMN_POINTS,
    COLUMNS,
    CORNERS,
    DIAGONAL_POINTS,
    DIAGONALS,
    EMPTY_SPECIAL_POINTS,
    EMPTY_SPECIALS,
    FIVE_COLORS,
    FIVE_COLORS_POINTS,
    GOAL_NAMES,
    LOWER_CORNER_POINTS,
    NOBODY,
    PERIMETER,
    PERIMETER_POINTS,
    ROW_POINTS,
    ROWS,
    SLOTS,
    UPPER_CORNER_POINTS,
    WILD_POINTS,
)
from referee.rules.duel.dome import FIRST_COLUMN, ROW_CELLS, SPECIALS, WHOLE, WILD_CELLS
from referee.rules.interface import Bonus

_LAST: Final = CELLS_PER_ROW - 1
ROW_MASKS: Final = [ROW_CELLS << (CELLS_PER_ROW * row) for row in range(CELLS_PER_ROW)]
COLUMN_MASKS: Final = [FIRST_COLUMN << column for column in range(CELLS_PER_ROW)]
DIAGONAL_MASKS: Final = [
    sum(1 << (CELLS_PER_ROW * at + at) for at in range(CELLS_PER_ROW)),
    sum(1 << (CELLS_PER_ROW * at + _LAST - at) for at in range(CELLS_PER_ROW)),
]
PERIMETER_MASK: Final = ROW_MASKS[0] | ROW_MASKS[_LAST] | COLUMN_MASKS[0] | COLUMN_MASKS[_LAST]
UPPER_CORNERS: Final = (0, 2)
LOWER_CORNERS: Final = (6, 8)


def bonus(board: DuelBoard, goal: int) -> Bonus:
    """Return what one goal brings a seat: how often it is met, and the points."""
    times, points = _score(board, goal)
    return Bonus(GOAL_NAMES[goal], times, points)


def _score(board: DuelBoard, goal: int) -> tuple[int, int]:
    filled = int(board.filled)
    if goal == ROWS:
        return _times(_complete(filled, ROW_MASKS), ROW_POINTS)
    if goal == FIVE_COLORS:
        # D15: all five colors; a special tile or a gap neither helps nor hurts.
        rows = [all(cells & row for cells in board.colors) for row in ROW_MASKS]
        return _times(sum(rows), FIVE_COLORS_POINTS)
    if goal == COLUMNS:
        return _times(_complete(filled, COLUMN_MASKS), COLUMN_POINTS)
    if goal == PERIMETER:
        return _times((filled & PERIMETER_MASK).bit_count(), PERIMETER_POINTS)
    if goal == DIAGONALS:
        return _times(_complete(filled, DIAGONAL_MASKS), DIAGONAL_POINTS)
    if goal == CORNERS:
        upper = _complete(filled, [WHOLE[slot] for slot in UPPER_CORNERS])
        lower = _complete(filled, [WHOLE[slot] for slot in LOWER_CORNERS])
        points = upper * UPPER_CORNER_POINTS + lower * LOWER_CORNER_POINTS
        return upper + lower, points
    if goal == EMPTY_SPECIALS:
        specials = _printed(board, SPECIALS)
        return _times((specials & ~filled).bit_count(), EMPTY_SPECIAL_POINTS)
    # Wild cells count only when every one of them is filled; a dome without any has none.
    wild = _printed(board, WILD_CELLS)
    return _times(wild.bit_count() if wild & filled == wild else 0, WILD_POINTS)


def _times(times: int, points: int) -> tuple[int, int]:
    return times, times * points


def _complete(filled: int, masks: list[int]) -> int:
    return sum(1 for mask in masks if filled & mask == mask)


def _printed(board: DuelBoard, cells: list[list[int]]) -> int:
    """Return the cells of a kind that the plates of a dome show."""
    found = 0
    for slot in range(SLOTS):
        if board.plates[slot] != NOBODY:
            found |= cells[slot][board.plates[slot]]
    return found
