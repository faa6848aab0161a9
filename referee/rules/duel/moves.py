"""The moves of Azul Duel: the four actions of a turn, and the choices inside them.

A move is its text: no two moves of the game share one (docs/notation.md), so the text
decides whether moves are equal. Moves are values that nobody can change, so all tables
share them; `offer` keeps those it lists.
"""

from typing import Any, Final

from referee.rules.duel import chips as chipset
from referee.rules.duel.components import (
    BROKEN,
    CELLS_PER_ROW,
    COLOR_LETTERS,
    FACE_LETTERS,
    LARGE,
    LINES,
    PLATE_COUNT,
    ROTATIONS,
    SLOTS,
    SMALL_FACTORIES,
    TILES_PER_SMALL,
)
from referee.rules.errors import MalformedMove, shown
from referee.rules.position import MoveValue
from referee.rules.tally import COLORS, of_colors

# A stack of drawn plates can never be higher than the stack they come from.
MAX_DRAWN: Final = PLATE_COUNT
# What is left on a small factory when at least one tile is taken.
MAX_PILE: Final = TILES_PER_SMALL - 1


def _check_range(name: str, value: object, top: int) -> None:
    if type(value) is not int or not 0 <= value <= top:
        raise MalformedMove(f"{name} is a number from 0 to {top}, not {shown(value)}")


def line_text(line: int) -> str:
    """Return a pattern line in notation, X for the broken area."""
    return "X" if line == BROKEN else str(line)


class DuelMove(MoveValue):
    """A move of Azul Duel, equal to another if its text is."""

    __slots__ = ("text",)

    text: str

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, DuelMove):
            return NotImplemented
        return self.text == other.text

    def __hash__(self) -> int:
        return hash(self.text)

    def __str__(self) -> str:
        return self.text

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self.text!r})"


class PlacePlate(DuelMove):
    """Take a plate of the display and lay it into a slot (3.3.4, 3.4.2)."""

    __slots__ = ("plate", "rotation", "slot")

    plate: int
    slot: int
    rotation: int

    def __init__(self, plate: object, slot: object, rotation: object) -> None:
        _check_range("plate", plate, PLATE_COUNT - 1)
        _check_range("slot", slot, SLOTS - 1)
        _check_range("rotation", rotation, ROTATIONS - 1)
        self._set("plate", plate)
        self._set("slot", slot)
        self._set("rotation", rotation)
        self._set("text", f"plate{plate}@{slot}r{rotation}")

    def __reduce__(self) -> tuple[Any, ...]:
        return PlacePlate, (self.plate, self.slot, self.rotation)


class DrawPlate(DuelMove):
    """Draw the top plate of the stack for a point (3.4.3)."""

    __slots__ = ()

    def __init__(self) -> None:
        self._set("text", "draw")

    def __reduce__(self) -> tuple[Any, ...]:
        return DrawPlate, ()


class StopDrawing(DuelMove):
    """Stop drawing, to look at the plates drawn (3.4.3)."""

    __slots__ = ()

    def __init__(self) -> None:
        self._set("text", "stop")

    def __reduce__(self) -> tuple[Any, ...]:
        return StopDrawing, ()


class KeepPlate(DuelMove):
    """Keep a drawn plate, named by its place in the order drawn, and lay it (D28)."""

    __slots__ = ("index", "rotation", "slot")

    index: int
    slot: int
    rotation: int

    def __init__(self, index: object, slot: object, rotation: object) -> None:
        _check_range("index", index, MAX_DRAWN - 1)
        _check_range("slot", slot, SLOTS - 1)
        _check_range("rotation", rotation, ROTATIONS - 1)
        self._set("index", index)
        self._set("slot", slot)
        self._set("rotation", rotation)
        self._set("text", f"keep{index}@{slot}r{rotation}")

    def __reduce__(self) -> tuple[Any, ...]:
        return KeepPlate, (self.index, self.slot, self.rotation)


class ReturnPlate(DuelMove):
    """Put a drawn plate, named by its place in the order drawn, under the stack (D28)."""

    __slots__ = ("index",)

    index: int

    def __init__(self, index: object) -> None:
        _check_range("index", index, MAX_DRAWN - 1)
        self._set("index", index)
        self._set("text", f"return{index}")

    def __reduce__(self) -> tuple[Any, ...]:
        return ReturnPlate, (self.index,)


class TakeSun(DuelMove):
    """Take all tiles of one color from the sun side of one factory (3.4.4).

    ``factory`` is a small one or `LARGE`, ``line`` a pattern line or `BROKEN`. ``stack`` has
    the tiles left on a small factory in the order in which the taker piles them, from the
    bottom; ``rest`` is the same as a tally.
    """

    __slots__ = ("color", "factory", "line", "rest", "stack")

    factory: int
    color: int
    line: int
    stack: tuple[int, ...]
    rest: int

    def __init__(self, factory: object, color: object, line: object, stack: object = ()) -> None:
        _check_range("factory", factory, LARGE)
        _check_range("color", color, COLORS - 1)
        _check_range("line", line, BROKEN)
        if type(stack) is not tuple or len(stack) > MAX_PILE:
            raise MalformedMove(f"a stack has up to {MAX_PILE} tiles, not {shown(stack)}")
        for tile in stack:
            _check_range("a tile of the stack", tile, COLORS - 1)
        self._set("factory", factory)
        self._set("color", color)
        self._set("line", line)
        self._set("stack", stack)
        self._set("rest", of_colors(stack))
        source = "L" if factory == LARGE else str(factory)
        pile = ":" + "".join([COLOR_LETTERS[tile] for tile in stack]) if stack else ""
        self._set("text", f"{source}{COLOR_LETTERS[self.color]}{line_text(self.line)}{pile}")

    def __reduce__(self) -> tuple[Any, ...]:
        return TakeSun, (self.factory, self.color, self.line, self.stack)


class TakeMoon(DuelMove):
    """Take all tiles of one color that lie open on the moon sides (3.4.5)."""

    __slots__ = ("color", "line")

    color: int
    line: int

    def __init__(self, color: object, line: object) -> None:
        _check_range("color", color, COLORS - 1)
        _check_range("line", line, BROKEN)
        self._set("color", color)
        self._set("line", line)
        self._set("text", f"M{COLOR_LETTERS[self.color]}{line_text(self.line)}")

    def __reduce__(self) -> tuple[Any, ...]:
        return TakeMoon, (self.color, self.line)


class TakeChip(DuelMove):
    """Take the revealed chip of a small factory (3.4.6)."""

    __slots__ = ("factory",)

    factory: int

    def __init__(self, factory: object) -> None:
        _check_range("factory", factory, SMALL_FACTORIES - 1)
        self._set("factory", factory)
        self._set("text", f"chip{factory}")

    def __reduce__(self) -> tuple[Any, ...]:
        return TakeChip, (self.factory,)


class SpendChips(DuelMove):
    """Complete a pattern line with a set of chips, or with none leave it as it is (D29)."""

    __slots__ = ("chips", "line")

    line: int
    chips: int

    def __init__(self, line: object, chips: object) -> None:
        _check_range("line", line, LINES - 1)
        if type(chips) is not int or not chipset.is_set(chips):
            raise MalformedMove(f"{shown(chips)} is no set of chips that the game has")
        faces = ",".join([FACE_LETTERS[face] for face in chipset.faces(chips)]) or "-"
        self._set("line", line)
        self._set("chips", chips)
        self._set("text", f"{line}+{faces}")

    def __reduce__(self) -> tuple[Any, ...]:
        return SpendChips, (self.line, self.chips)


class PlaceTile(DuelMove):
    """Lay the tile of a completed pattern line into one column of its dome row (3.5.1)."""

    __slots__ = ("column", "line")

    line: int
    column: int

    def __init__(self, line: object, column: object) -> None:
        _check_range("line", line, LINES - 1)
        _check_range("column", column, CELLS_PER_ROW - 1)
        self._set("line", line)
        self._set("column", column)
        self._set("text", f"{line}@{column}")

    def __reduce__(self) -> tuple[Any, ...]:
        return PlaceTile, (self.line, self.column)
