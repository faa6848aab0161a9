"""The dome: where the cells of a plate come to lie, and what runs of tiles are worth.

A dome has six rows of six cells; bit 6*row + column stands for a cell. A slot holds a plate
of two by two cells. Everything a plate does in a slot is looked up by its code, which
joins id and rotation.
"""

from typing import Final

from referee.native.hints import i64
from referee.rules.duel.components import (
    CELLS_PER_ROW,
    COLOR_LETTERS,
    PLATES,
    ROTATIONS,
    SLOTS,
    SLOTS_PER_ROW,
    SPECIAL_CELL,
    WILD_CELL,
)

CELLS: Final = CELLS_PER_ROW * CELLS_PER_ROW
# The bit of each cell. It is looked up, not shifted into place: compiled, a shifted constant
# has 32 bits, and a dome has 36 cells.
CELL_BITS: Final = [1 << cell for cell in range(CELLS)]
ROW_CELLS: Final = (1 << CELLS_PER_ROW) - 1
FIRST_COLUMN: Final = sum(1 << (CELLS_PER_ROW * row) for row in range(CELLS_PER_ROW))
# Slots of one row of plates, as bits of slots.
SLOT_ROWS: Final = tuple(
    sum(1 << (SLOTS_PER_ROW * row + column) for column in range(SLOTS_PER_ROW))
    for row in range(SLOTS // SLOTS_PER_ROW)
)
# FREE_SLOTS[bits of taken slots]: the free ones in order.
FREE_SLOTS: Final = tuple(
    tuple(slot for slot in range(SLOTS) if not taken >> slot & 1) for taken in range(1 << SLOTS)
)


def code(plate: int, rotation: int) -> int:
    """Return the code of a plate turned by so many quarter turns clockwise."""
    return ROTATIONS * plate + rotation


def rotated(plate: int, rotation: int) -> str:
    """Return the cells of a turned plate: top left, top right, bottom left, bottom right."""
    cells = PLATES[plate]
    for _ in range(rotation):
        cells = cells[2] + cells[0] + cells[3] + cells[1]
    return cells


def slot_cells(slot: int) -> tuple[int, int, int, int]:
    """Return the cells of a slot: top left, top right, bottom left, bottom right."""
    row, column = divmod(slot, SLOTS_PER_ROW)
    first = CELLS_PER_ROW * 2 * row + 2 * column
    return first, first + 1, first + CELLS_PER_ROW, first + CELLS_PER_ROW + 1


SLOT_CELLS: Final = tuple(slot_cells(slot) for slot in range(SLOTS))
SLOT_OF_CELL: Final = tuple(
    next(slot for slot in range(SLOTS) if cell in SLOT_CELLS[slot]) for cell in range(CELLS)
)

_CODES: Final = [
    rotated(plate, rotation) for plate in range(len(PLATES)) for rotation in range(ROTATIONS)
]


def _cells_of(slot: int, cells: str, kinds: str) -> int:
    return sum(
        1 << cell for cell, kind in zip(SLOT_CELLS[slot], cells, strict=True) if kind in kinds
    )


# By slot, then by code of the plate in it:
# the cells that take each color (its own and wild ones),
ACCEPTS: Final = [
    [[_cells_of(slot, cells, color + WILD_CELL) for color in COLOR_LETTERS] for cells in _CODES]
    for slot in range(SLOTS)
]
# the cell of a special tile, 0 on a wild plate,
SPECIALS: Final = [
    [_cells_of(slot, cells, SPECIAL_CELL) for cells in _CODES] for slot in range(SLOTS)
]
# the wild cell, 0 on a special plate.
WILD_CELLS: Final = [
    [_cells_of(slot, cells, WILD_CELL) for cells in _CODES] for slot in range(SLOTS)
]
# All four cells of a slot.
WHOLE: Final = [sum(1 << cell for cell in cells) for cells in SLOT_CELLS]


def _run(mask: int, at: int) -> int:
    low = high = at
    while low > 0 and mask >> (low - 1) & 1:
        low -= 1
    while mask >> (high + 1) & 1:
        high += 1
    return high - low + 1


# RUNS[mask][at]: length of the unbroken run through a cell of a row or column.
RUNS: Final = [
    [_run(mask, at) for at in range(CELLS_PER_ROW)] for mask in range(1 << CELLS_PER_ROW)
]
# COLUMNS_OF[mask]: the columns in a set of cells of one row, ascending.
COLUMNS_OF: Final = [
    tuple(column for column in range(CELLS_PER_ROW) if mask >> column & 1)
    for mask in range(1 << CELLS_PER_ROW)
]

# Two neighboring bits of every twelve, for `column_mask`.
_PAIRS: Final = sum(3 << (2 * CELLS_PER_ROW * pair) for pair in range(3))


def column_mask(filled: i64, column: i64) -> i64:
    """Return the filled cells of a column as six bits, the top one first."""
    cells = filled >> column & FIRST_COLUMN
    # Cells lie six bits apart; each fold brings the rows of one half beside the other.
    cells = (cells | cells >> 5) & _PAIRS
    return (cells | cells >> 10 | cells >> 20) & ROW_CELLS


def tile_points(filled: i64, row: i64, column: i64) -> i64:
    """Return what a tile just laid there scores: its runs across and down (3.5.5)."""
    across: i64 = RUNS[filled >> (CELLS_PER_ROW * row) & ROW_CELLS][column]
    down: i64 = RUNS[column_mask(filled, column)][row]
    # A tile counts in both of its runs; a run of one tile is no run.
    if across == 1:
        return down
    return across if down == 1 else across + down
