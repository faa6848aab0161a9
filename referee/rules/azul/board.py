"""One seat's board: pattern lines, wall, floor line and score.

A board knows what may lie where and what a placed tile scores. It does not know whose
turn it is, nor what lies on the table; `Position` does.
"""

from typing import Final

from referee.native.hints import i64
from referee.rules.azul.components import (
    COLOR_BONUS,
    COLUMN_BONUS,
    FLOOR_PENALTY,
    FLOOR_SPACES,
    MARKER,
    ROW_BONUS,
    ROWS,
)
from referee.rules.interface import Bonus
from referee.rules.tally import COLORS, ONE, ONES, WIDTH

ROW_BITS: Final = (1 << COLORS) - 1
COLUMN_MASKS: Final = tuple(
    sum(1 << (COLORS * row + column) for row in range(ROWS)) for column in range(COLORS)
)
_FIRST_COLUMN: Final = 0b00001_00001_00001_00001_00001

# open_lines: for each color a field of targets, one bit a pattern line and one for the
# floor, which is always open (A6).
ALL_OPEN: Final = (1 << (WIDTH * COLORS)) - 1
LINE_IN_ALL: Final = [ONES << row for row in range(ROWS)]
# CLAIMS[color][row]: what stays open once that line holds that color, unfilled.
CLAIMS: Final[list[list[i64]]] = [
    [ALL_OPEN ^ LINE_IN_ALL[row] | ONE[color] << row for row in range(ROWS)]
    for color in range(COLORS)
]
# FILLS[row]: what stays open once that line is full.
FILLS: Final[list[i64]] = [ALL_OPEN ^ LINE_IN_ALL[row] for row in range(ROWS)]
# IN_A_ROW[n], multiplied by what they hold: n spaces of the floor line, three bits each.
IN_A_ROW: Final[list[i64]] = [0o1111111 % 8**n for n in range(FLOOR_SPACES + 1)]
BITS: Final = [
    tuple([column for column in range(COLORS) if mask >> column & 1]) for mask in range(1 << COLORS)
]


def _run(mask: int, at: int) -> int:
    low = high = at
    while low > 0 and mask >> (low - 1) & 1:
        low -= 1
    while high < COLORS - 1 and mask >> (high + 1) & 1:
        high += 1
    return high - low + 1


# ACROSS[cells of a row][column]: length of the unbroken run through a cell of the wall.
ACROSS: Final[list[list[i64]]] = [
    [_run(mask, at) for at in range(COLORS)] for mask in range(1 << COLORS)
]


def _runs_down() -> list[list[i64]]:
    runs: list[list[i64]] = [[] for _ in range(63)]
    for mask in range(1 << ROWS):
        cells = sum([1 << (COLORS * row) for row in range(ROWS) if mask >> row & 1])
        runs[cells % 63] = ACROSS[mask]
    return runs


# DOWN[cells of a column % 63][row]: the same downwards. The cells are taken where the first
# column has them; divided by 63, they leave five different powers of two over.
DOWN: Final = _runs_down()


class Board:
    """What lies in front of one seat.

    lines       a tally per pattern line, of one color each; made from
                held, for each line 8 * color + number of tiles, 0 for an empty one: a small
                number that Python keeps at hand, where a tally is made anew
    open_lines  for each color the lines that may take it (1.3.3), kept up to date
    barred      for each color the rows of the wall that hold it, in the same layout
    wall        occupied cells, bit 5*row + column
    colors      the same cells, one mask per color
    floor       the floor line from the left: colors, or `MARKER`; made from
                floor_size, how many spaces are occupied,
                floor_order, what they hold, three bits each, the leftmost lowest, and
                fallen, the tiles among them as a tally, because tiles fall in most moves
    """

    __slots__ = (
        "barred",
        "colors",
        "fallen",
        "floor_order",
        "floor_size",
        "held",
        "open_lines",
        "score",
        "wall",
    )

    held: list[i64]
    open_lines: i64
    barred: i64
    wall: i64
    colors: list[int]
    floor_size: i64
    floor_order: i64
    fallen: i64
    score: i64

    # There is no __init__: `empty_board` and `copy` set every field themselves, which
    # keeps copies cheap, plain and compiled.

    def copy(self) -> "Board":
        """Return an independent board that is equal to this one."""
        new = Board()
        new.held = self.held[:]
        new.open_lines = self.open_lines
        new.barred = self.barred
        new.wall = self.wall
        new.colors = self.colors[:]
        new.floor_size = self.floor_size
        new.floor_order = self.floor_order
        new.fallen = self.fallen
        new.score = self.score
        return new

    @property
    def lines(self) -> list[int]:
        """A tally per pattern line."""
        return [(held & 7) << WIDTH * (held >> 3) for held in self.held]

    def is_open(self, line: i64, color: i64) -> bool:
        """Return whether that line, or the floor, may take that color (1.3.3)."""
        return self.open_lines >> (WIDTH * color + line) & 1 == 1

    def full_line_color(self, row: i64) -> int | None:
        """Return the color of that pattern line if it is full, else None."""
        held: i64 = self.held[row]
        return held >> 3 if held & 7 == row + 1 else None

    def line_color(self, row: i64) -> int | None:
        """Return the color that line holds, None if it is empty."""
        held: i64 = self.held[row]
        return held >> 3 if held else None

    def row_has_color(self, row: i64, color: i64) -> bool:
        """Return whether that row of the wall holds that color."""
        return self.barred >> (WIDTH * color + row) & 1 == 1

    def is_occupied(self, row: i64, column: i64) -> bool:
        """Return whether that cell of the wall holds a tile."""
        return self.wall >> (COLORS * row + column) & 1 == 1

    def free_columns(self, row: i64, color: i64) -> tuple[int, ...]:
        """Return the columns of the gray wall that may take the tile (1.7.1)."""
        cells: i64 = self.colors[color]
        held = (cells | cells >> 5 | cells >> 10 | cells >> 15 | cells >> 20) & ROW_BITS
        return BITS[~(self.wall >> (COLORS * row) | held) & ROW_BITS]

    def add_to_line(self, row: i64, color: i64, n: i64) -> i64:
        """Lay n tiles into a pattern line that is open to them; return the surplus."""
        before: i64 = self.held[row] & 7
        surplus = before + n - row - 1
        if surplus < 0:
            self.held[row] = 8 * color + before + n
            if not before:
                self.open_lines &= CLAIMS[color][row]
            return 0
        self.held[row] = 8 * color + row + 1
        self.open_lines &= FILLS[row]
        return surplus

    def empty_line(self, row: i64) -> i64:
        """Clear a pattern line, opening it to the colors its wall row lacks."""
        held: i64 = self.held[row]
        self.held[row] = 0
        self.open_lines |= ONES << row & ~self.barred
        return (held & 7) << WIDTH * (held >> 3)

    def place(self, row: i64, column: i64, color: i64) -> i64:
        """Lay a tile on the wall and return what it scores there (1.4.2)."""
        one: i64 = 1
        cell = one << (COLORS * row + column)
        cells: i64 = self.colors[color]
        self.colors[color] = cells | cell
        self.barred |= one << (WIDTH * color + row)
        wall = self.wall = self.wall | cell
        across: i64 = ACROSS[wall >> (COLORS * row) & ROW_BITS][column]
        down: i64 = DOWN[(wall >> column & _FIRST_COLUMN) % 63][row]
        # A crossing tile counts in both runs; a run of one tile is no run.
        if across == 1:
            return down
        return across if down == 1 else across + down

    @property
    def floor(self) -> tuple[int, ...]:
        """The floor line from the left: colors, or `MARKER`."""
        return tuple([self.floor_order >> 3 * space & 7 for space in range(self.floor_size)])

    def lay_on_floor(self, tile: i64, n: i64) -> None:
        """Lay n tiles of a color, or the marker, onto the next spaces; there must be room."""
        self.floor_order |= tile * IN_A_ROW[n] << 3 * self.floor_size
        self.floor_size += n
        # A3: the marker is no tile.
        if tile != MARKER:
            self.fallen += n << WIDTH * tile

    def clear_floor(self) -> i64:
        """Clear the floor line and return the tiles that lay there."""
        fallen = self.fallen
        self.floor_size = self.floor_order = self.fallen = 0
        return fallen

    def floor_penalty(self) -> i64:
        """Return what the floor line costs (1.4.3)."""
        return FLOOR_PENALTY[self.floor_size]

    def _folded_rows(self) -> i64:
        """Return the first cells of the complete rows: all five, folded onto the first."""
        wall = self.wall
        return wall & wall >> 1 & wall >> 2 & wall >> 3 & wall >> 4 & _FIRST_COLUMN

    def has_complete_row(self) -> bool:
        """Return whether any row of the wall is complete."""
        return self._folded_rows() != 0

    def complete_rows(self) -> int:
        """Return how many rows of the wall are complete."""
        rows: int = self._folded_rows()
        return rows.bit_count()

    def bonuses(self) -> tuple[Bonus, ...]:
        """Return the bonuses of the end of the game (1.6.2)."""
        rows = self.complete_rows()
        columns = sum(1 for mask in COLUMN_MASKS if self.wall & mask == mask)
        colors = sum(1 for cells in self.colors if cells.bit_count() == ROWS)
        return (
            Bonus("rows", rows, rows * ROW_BONUS),
            Bonus("columns", columns, columns * COLUMN_BONUS),
            Bonus("colors", colors, colors * COLOR_BONUS),
        )


def empty_board() -> Board:
    """Return a board as every seat starts with (1.2.4)."""
    board = Board()
    board.held = [0] * ROWS
    board.open_lines = ALL_OPEN
    board.barred = 0
    board.wall = 0
    board.colors = [0] * COLORS
    board.floor_size = board.floor_order = board.fallen = 0
    board.score = 0
    return board
