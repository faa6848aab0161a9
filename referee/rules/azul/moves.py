"""The two kinds of moves of Azul: a take from the offer, a place on the gray wall.

Moves are values: nobody can change one, so all tables share them. The takes that need no
split are made once, when this module loads, and `TAKES` hands out whole runs of them in
the published order, so that listing legal moves copies references and builds nothing.
"""

from typing import Any, Final

from referee.native.hints import i64
from referee.rules.azul.components import (
    CENTER,
    COLOR_LETTERS,
    FLOOR,
    ROWS,
)
from referee.rules.errors import MalformedMove, shown
from referee.rules.position import Move, MoveValue
from referee.rules.tally import COLORS

ALL_COLORS: Final = (1 << COLORS) - 1


def _check_range(name: str, value: object, top: int) -> None:
    if not isinstance(value, int) or isinstance(value, bool) or not 0 <= value <= top:
        raise MalformedMove(f"{name} is a number from 0 to {top}, not {shown(value)}")


def letters(colors: int) -> str:
    """Return the letters of a set of colors, in order."""
    return "".join(COLOR_LETTERS[color] for color in range(COLORS) if colors >> color & 1)


class Take(MoveValue):
    """Take all tiles of one color from one source and lay them on one line (1.3).

    ``source`` is a factory or `CENTER`, ``line`` a pattern line or `FLOOR`. ``left`` and
    ``right`` are sets of colors, bit c for color c: where the taker sends the tiles that
    a spread factory still holds (2.3.4). They are empty for every other source.
    """

    __slots__ = ("_hash", "color", "left", "line", "right", "source")

    _hash: int
    source: i64
    color: i64
    line: i64
    left: i64
    right: i64

    def __init__(
        self, source: object, color: object, line: object, left: object = 0, right: object = 0
    ) -> None:
        _check_range("source", source, CENTER)
        _check_range("color", color, COLORS - 1)
        _check_range("line", line, FLOOR)
        _check_range("left", left, ALL_COLORS)
        _check_range("right", right, ALL_COLORS)
        self._set("source", source)
        self._set("color", color)
        self._set("line", line)
        self._set("left", left)
        self._set("right", right)
        # A take is made once and looked up many times.
        self._set("_hash", hash((source, color, line, left, right)))

    def __reduce__(self) -> tuple[Any, ...]:
        return Take, (self.source, self.color, self.line, self.left, self.right)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Take):
            return NotImplemented
        return (
            self.source == other.source
            and self.color == other.color
            and self.line == other.line
            and self.left == other.left
            and self.right == other.right
        )

    def __hash__(self) -> int:
        return self._hash

    def __str__(self) -> str:
        source = "C" if self.source == CENTER else str(self.source)
        line = "F" if self.line == FLOOR else str(self.line)
        split = f"<{letters(self.left)}>{letters(self.right)}" if self.left | self.right else ""
        return f"{source}{COLOR_LETTERS[self.color]}{line}{split}"

    def __repr__(self) -> str:
        return f"Take({str(self)!r})"


class Place(MoveValue):
    """Lay the tile of a full pattern line into one column of the gray wall (1.7)."""

    __slots__ = ("column", "row")

    row: i64
    column: i64

    def __init__(self, row: object, column: object) -> None:
        _check_range("row", row, ROWS - 1)
        _check_range("column", column, COLORS - 1)
        self._set("row", row)
        self._set("column", column)

    def __reduce__(self) -> tuple[Any, ...]:
        return Place, (self.row, self.column)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Place):
            return NotImplemented
        return self.row == other.row and self.column == other.column

    def __hash__(self) -> int:
        return hash((self.row, self.column))

    def __str__(self) -> str:
        return f"{self.row}@{self.column}"

    def __repr__(self) -> str:
        return f"Place({str(self)!r})"


def _runs(source: int) -> list[tuple[Move, ...]]:
    """Return, for each color and each set of open lines, the takes in order, the floor last."""
    runs: list[tuple[Move, ...]] = []
    for color in range(COLORS):
        takes = [Take(source, color, line) for line in range(FLOOR + 1)]
        runs += [
            tuple([take for take in takes if take.line == FLOOR or lines >> take.line & 1])
            for lines in range(1 << ROWS)
        ]
    return runs


# TAKES[source][32 * color + lines]: the takes of a color when these pattern lines are open,
# bit r for line r.
TAKES: Final[list[list[tuple[Move, ...]]]] = [_runs(source) for source in range(CENTER + 1)]


def shared_take(source: int, color: int, line: int) -> Move:
    """Return the take without a split that `legal_moves` hands out, too."""
    # With every line open, the takes of a color stand in the order of their lines.
    return TAKES[source][32 * color + 31][line]


PLACES: Final[list[list[Move]]] = [
    [Place(row, column) for column in range(COLORS)] for row in range(ROWS)
]

_spread_takes: dict[tuple[int, int, int, int], tuple[Move, ...]] = {}


def spread_takes(source: int, color: int, line: int, rest: int) -> tuple[Move, ...]:
    """Return the take once for every division of the remaining colors, in order.

    The colors are written as bits, the first color most significant, 0 for left and 1
    for right, and counted up. They are made when first asked for and then kept.
    """
    key = (source, color, line, rest)
    takes = _spread_takes.get(key)
    if takes is None:
        present = [c for c in range(COLORS) if rest >> c & 1]
        rights = [0]
        for c in present:
            rights = [right | side << c for right in rights for side in (0, 1)]
        takes = tuple(Take(source, color, line, rest & ~right, right) for right in rights)
        _spread_takes[key] = takes
    return takes
