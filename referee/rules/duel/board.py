"""One seat's board: pattern lines, dome, broken tiles, tokens, chips and score.

A board knows what may lie where and what a placed tile scores. It does not know whose turn
it is, nor what lies on the factories; `DuelPosition` does.
"""

from typing import Final

from referee.native.hints import i64
from referee.rules.duel.components import (
    BROKEN_PENALTY,
    BROKEN_SPACES,
    CELLS_PER_ROW,
    LINES,
    NOBODY,
    SLOTS,
    START_SCORE,
)
from referee.rules.duel.dome import (
    ACCEPTS,
    ROW_CELLS,
    SLOT_OF_CELL,
    SLOT_ROWS,
    SPECIALS,
    WHOLE,
    tile_points,
)
from referee.rules.tally import COLORS, ONE, ONES, WIDTH

# open_lines: for each color six bits, one a pattern line.
ALL_OPEN: Final = (1 << (WIDTH * COLORS)) - 1
LINE_IN_ALL: Final = [ONES << line for line in range(LINES)]
# CLAIMS[color][line]: what stays open once that line holds that color, unfilled.
CLAIMS: Final = [
    [ALL_OPEN ^ LINE_IN_ALL[line] | ONE[color] << line for line in range(LINES)]
    for color in range(COLORS)
]
# FILLS[line]: what stays open once that line is full.
FILLS: Final = [ALL_OPEN ^ LINE_IN_ALL[line] for line in range(LINES)]


class DuelBoard:
    """What lies in front of one seat.

    line_colors, line_counts  color (`NOBODY`: empty) and number of tiles of each pattern line
    open_lines   for each color the lines that may take it (3.4.7), kept up to date
    plates       the code of the plate in each slot, or `NOBODY`
    taken_slots  the slots that hold a plate, as bits
    accepts      for each color the free cells that take it
    filled       cells with a tile, special ones included
    colors       the cells with a tile of each color
    specials     the cells with a special tile
    broken, broken_count  the broken tiles, as a tally and their number
    tokens       player tokens not used yet this round
    chips_taken  chips taken this round
    chips        the chips that can still be spent
    """

    __slots__ = (
        "accepts",
        "broken",
        "broken_count",
        "chips",
        "chips_taken",
        "colors",
        "filled",
        "line_colors",
        "line_counts",
        "open_lines",
        "plates",
        "score",
        "specials",
        "taken_slots",
        "tokens",
    )

    score: i64
    line_colors: list[int]
    line_counts: list[int]
    open_lines: i64
    plates: list[int]
    taken_slots: i64
    accepts: list[int]
    filled: i64
    colors: list[int]
    specials: i64
    broken: i64
    broken_count: i64
    tokens: i64
    chips_taken: i64
    chips: i64

    # There is no __init__: `empty_board` and `copy` set every field themselves, which
    # keeps copies cheap, plain and compiled.

    def copy(self) -> "DuelBoard":
        """Return an independent board that is equal to this one."""
        new = DuelBoard()
        new.score = self.score
        new.line_colors = self.line_colors[:]
        new.line_counts = self.line_counts[:]
        new.open_lines = self.open_lines
        new.plates = self.plates[:]
        new.taken_slots = self.taken_slots
        new.accepts = self.accepts[:]
        new.filled = self.filled
        new.colors = self.colors[:]
        new.specials = self.specials
        new.broken = self.broken
        new.broken_count = self.broken_count
        new.tokens = self.tokens
        new.chips_taken = self.chips_taken
        new.chips = self.chips
        return new

    # Pattern lines ----------------------------------------------------------------------

    def is_open(self, line: i64, color: i64) -> bool:
        """Return whether that pattern line may take that color (3.4.7)."""
        return self.open_lines >> (WIDTH * color + line) & 1 == 1

    def is_full(self, line: i64) -> bool:
        """Return whether every place of that pattern line holds a tile."""
        return self.line_counts[line] > line

    def add_to_line(self, line: i64, color: i64, n: i64) -> i64:
        """Lay n tiles into a pattern line that is open to them; return the surplus."""
        held = self.line_counts[line]
        surplus = held + n - line - 1
        self.line_colors[line] = color
        if surplus < 0:
            self.line_counts[line] = held + n
            if not held:
                self.open_lines &= CLAIMS[color][line]
            return 0
        self.line_counts[line] = line + 1
        self.open_lines &= FILLS[line]
        return surplus

    def empty_line(self, line: i64) -> i64:
        """Clear a pattern line and return how many tiles it held."""
        held = self.line_counts[line]
        self.line_counts[line] = 0
        self.line_colors[line] = NOBODY
        self.open_lines |= LINE_IN_ALL[line]
        return held

    def break_tiles(self, color: i64, n: i64) -> i64:
        """Lay n tiles into the broken area; return how many found no space there (3.4.7)."""
        room = BROKEN_SPACES - self.broken_count
        lost = n - room if n > room else 0
        self.broken += (n - lost) * ONE[color]
        self.broken_count += n - lost
        return lost

    def broken_penalty(self) -> i64:
        """Return what the broken tiles cost (3.5.7)."""
        return BROKEN_PENALTY[self.broken_count]

    # The dome ---------------------------------------------------------------------------

    def place_plate(self, slot: i64, code: i64) -> None:
        """Lay a plate into a free slot, for good."""
        self.plates[slot] = code
        self.taken_slots |= 1 << slot
        accepts = self.accepts
        for color, cells in enumerate(ACCEPTS[slot][code]):
            accepts[color] |= cells

    def row_has_all_plates(self, line: i64) -> bool:
        """Return whether three plates lie beside that pattern line."""
        row = SLOT_ROWS[line // 2]
        return self.taken_slots & row == row

    def free_columns(self, line: i64, color: i64) -> i64:
        """Return the columns of the dome row of that line whose free cells take the color."""
        return self.accepts[color] >> (CELLS_PER_ROW * line) & ROW_CELLS

    def is_occupied(self, line: i64, column: i64) -> bool:
        """Return whether that cell of the dome has a tile."""
        return self.filled >> (CELLS_PER_ROW * line + column) & 1 == 1

    def lay_tile(self, line: i64, column: i64, color: i64) -> i64:
        """Lay a tile on the dome and return what it scores there, special tile included."""
        cell = CELLS_PER_ROW * line + column
        bit = 1 << cell
        self.colors[color] |= bit
        accepts = self.accepts
        for other in range(COLORS):
            accepts[other] &= ~bit
        filled = self.filled = self.filled | bit
        points = tile_points(filled, line, column)
        # 3.5.6: the tile scores first, then the special tile it may bring.
        slot = SLOT_OF_CELL[cell]
        special = SPECIALS[slot][self.plates[slot]]
        if special and (filled | special) & WHOLE[slot] == WHOLE[slot]:
            self.specials |= special
            self.filled = filled | special
            # Its row, counted from 1.
            points += (special.bit_length() - 1) // CELLS_PER_ROW + 1
        return points


def empty_board() -> DuelBoard:
    """Return a board as both seats start with (3.2.5, 3.2.6)."""
    board = DuelBoard()
    board.score = START_SCORE
    board.line_colors = [NOBODY] * LINES
    board.line_counts = [0] * LINES
    board.open_lines = ALL_OPEN
    board.plates = [NOBODY] * SLOTS
    board.taken_slots = 0
    board.accepts = [0] * COLORS
    board.filled = 0
    board.colors = [0] * COLORS
    board.specials = 0
    board.broken = 0
    board.broken_count = 0
    board.tokens = 0
    board.chips_taken = 0
    board.chips = 0
    return board
