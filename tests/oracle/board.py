"""One player's board: pattern lines, wall, floor line, and the points a wall is worth."""

from __future__ import annotations

from dataclasses import dataclass, field

COLORS = ("blue", "yellow", "red", "black", "white")


@dataclass
class Player:
    """One player's board and score."""

    score: int = 0
    lines: list[list[str]] = field(default_factory=lambda: [[] for _ in range(5)])
    wall: list[list[str | None]] = field(default_factory=lambda: [[None] * 5 for _ in range(5)])
    floor: list[str] = field(default_factory=list)
    has_shield: bool = False
    shield_tile: str | None = None

    def complete_rows(self) -> int:
        """Count the horizontal rows without a gap."""
        return sum(None not in row for row in self.wall)

    def bonus(self) -> int:
        """Add up the bonuses at the end: 2 a row, 7 a column, 10 a color."""
        columns = [[self.wall[row][column] for row in range(5)] for column in range(5)]
        cells = [cell for row in self.wall for cell in row]
        points = 2 * self.complete_rows()
        points += 7 * sum(None not in column for column in columns)
        points += 10 * sum(cells.count(color) == 5 for color in COLORS)
        return points

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
            while 0 <= r < 5 and 0 <= c < 5 and self.wall[r][c] is not None:
                length += 1
                r, c = r + sign * row_step, c + sign * column_step
        return length
