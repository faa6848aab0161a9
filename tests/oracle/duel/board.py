"""One player's board in Duel: pattern lines, dome, broken tiles, chips, and what a dome is worth."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from itertools import combinations

from .components import (
    BROKEN_PENALTIES,
    COLORS,
    FIRST_PLAYER_PENALTY,
    SPECIAL,
    START_SCORE,
    WILD,
    plate_cells,
    shows,
)

BROKEN_SPACES = len(BROKEN_PENALTIES)
# The corners of the dome by slot, with the points of a complete plate there.
CORNERS = {0: 3, 2: 3, 6: 8, 8: 8}


@dataclass
class Player:
    """One player's board and score, and what the player has done this round."""

    score: int = START_SCORE
    lines: list[list[str]] = field(default_factory=lambda: [[] for _ in range(6)])
    # The cells of the plate in each slot, as they lie after its rotation.
    slots: list[list[str] | None] = field(default_factory=lambda: [None] * 9)
    tiles: list[list[str | None]] = field(default_factory=lambda: [[None] * 6 for _ in range(6)])
    broken: list[str] = field(default_factory=list)
    chips: list[str] = field(default_factory=list)
    tokens: int = 0
    chips_taken: int = 0
    has_passed: bool = False
    has_first_tile: bool = False

    # The dome.

    def free_slots(self) -> list[int]:
        """List the slots without a plate."""
        return [slot for slot in range(9) if self.slots[slot] is None]

    def lay_plate(self, plate: int, slot: int, rotation: int) -> None:
        """Put a plate into a slot for good."""
        assert self.slots[slot] is None
        self.slots[slot] = plate_cells(plate, rotation)

    def cell(self, row: int, column: int) -> str | None:
        """Say what is printed on a cell of the dome, or None where no plate lies yet."""
        plate = self.slots[slot_of(row, column)]
        return None if plate is None else plate[2 * (row % 2) + column % 2]

    def columns_for(self, row: int, color: str) -> list[int]:
        """List the free cells of a dome row that take a tile of that color."""
        return [
            column
            for column in range(6)
            if self.tiles[row][column] is None and self.cell(row, column) in (color, WILD)
        ]

    def plate_row_is_full(self, row: int) -> bool:
        """Say whether all three plates lie that a dome row runs through."""
        return all(self.cell(row, column) is not None for column in range(6))

    def place(self, row: int, column: int, color: str) -> bool:
        """Lay a tile, score it, and say whether it earned the special tile of its plate."""
        self.tiles[row][column] = color
        self.score += self.points_for(row, column)
        cells = cells_of(slot_of(row, column))
        specials = [(r, c) for r, c in cells if self.cell(r, c) == SPECIAL]
        others = [(r, c) for r, c in cells if self.cell(r, c) != SPECIAL]
        if not specials or any(self.tiles[r][c] is None for r, c in others):
            return False
        # The special tile is worth the number of its row and has no run of its own.
        special_row, special_column = specials[0]
        self.tiles[special_row][special_column] = SPECIAL
        self.score += special_row + 1
        return True

    def points_for(self, row: int, column: int) -> int:
        """Score a tile just placed by the unbroken runs through it."""
        across = self._run(row, column, 0, 1)
        down = self._run(row, column, 1, 0)
        if across == 1 and down == 1:
            return 1
        return (across if across > 1 else 0) + (down if down > 1 else 0)

    def _run(self, row: int, column: int, row_step: int, column_step: int) -> int:
        length = 1
        for sign in (-1, 1):
            r, c = row + sign * row_step, column + sign * column_step
            while 0 <= r < 6 and 0 <= c < 6 and self.tiles[r][c] is not None:
                length += 1
                r, c = r + sign * row_step, c + sign * column_step
        return length

    # Pattern lines, chips and broken tiles.

    def open_lines(self, color: str) -> list[int]:
        """List the lines that take tiles of that color; the dome has no say in it."""
        return [
            row
            for row, line in enumerate(self.lines)
            if len(line) < row + 1 and all(tile == color for tile in line)
        ]

    def chip_sets(self, row: int) -> list[list[str]]:
        """List the different sets of chips that complete a line, each in the order of names."""
        color = self.lines[row][0]
        missing = row + 1 - len(self.lines[row])
        found = set()
        for size in range(2 * missing, 3 * missing + 1):
            for chips in combinations(sorted(self.chips), size):
                matching = sum(shows(face, color) for face in chips)
                # A missing tile is made of two matching chips or of any three (D9, D10).
                if matching >= 2 * (3 * missing - size):
                    found.add(chips)
        return [list(chips) for chips in sorted(found)]

    def penalty(self) -> int:
        """Add up what the broken tiles and the first-player tile cost."""
        points = sum(BROKEN_PENALTIES[: len(self.broken)])
        # D27: the first-player tile has a place of its own.
        return points + (FIRST_PLAYER_PENALTY if self.has_first_tile else 0)

    # Goals.

    def goal_points(self, goal: str) -> int:
        """Score one goal on this dome."""
        scorers: dict[str, Callable[[], int]] = {
            "rows": self._rows,
            "five_colors": self._five_colors,
            "columns": self._columns,
            "perimeter": self._perimeter,
            "diagonals": self._diagonals,
            "corners": self._corners,
            "wilds": self._wilds,
            "empty_specials": self._empty_specials,
        }
        return scorers[goal]()

    def _rows(self) -> int:
        return 3 * sum(None not in row for row in self.tiles)

    def _five_colors(self) -> int:
        # D15: special tiles and gaps neither help nor hurt.
        return 4 * sum(all(color in row for color in COLORS) for row in self.tiles)

    def _columns(self) -> int:
        columns = [[self.tiles[row][column] for row in range(6)] for column in range(6)]
        return 7 * sum(None not in column for column in columns)

    def _perimeter(self) -> int:
        return sum(
            self.tiles[row][column] is not None
            for row in range(6)
            for column in range(6)
            if row in (0, 5) or column in (0, 5)
        )

    def _diagonals(self) -> int:
        falling = [self.tiles[index][index] for index in range(6)]
        rising = [self.tiles[5 - index][index] for index in range(6)]
        return 10 * sum(None not in diagonal for diagonal in (falling, rising))

    def _corners(self) -> int:
        return sum(
            points
            for slot, points in CORNERS.items()
            if all(self.tiles[row][column] is not None for row, column in cells_of(slot))
        )

    def _wilds(self) -> int:
        filled = [self.tiles[r][c] is not None for r, c in self._printed(WILD)]
        return 2 * len(filled) if all(filled) else 0

    def _empty_specials(self) -> int:
        return -3 * sum(self.tiles[r][c] is None for r, c in self._printed(SPECIAL))

    def _printed(self, kind: str) -> list[tuple[int, int]]:
        everywhere = [(row, column) for row in range(6) for column in range(6)]
        return [(row, column) for row, column in everywhere if self.cell(row, column) == kind]


def slot_of(row: int, column: int) -> int:
    """Name the slot that a cell of the dome lies in."""
    return 3 * (row // 2) + column // 2


def cells_of(slot: int) -> list[tuple[int, int]]:
    """List the four cells of a slot as (row, column)."""
    top, left = 2 * (slot // 3), 2 * (slot % 3)
    return [(top, left), (top, left + 1), (top + 1, left), (top + 1, left + 1)]
