"""What lies on no board and no factory: the bag, the tower that is poured into it, the chips."""

from __future__ import annotations

from collections import Counter
from typing import Any

from tests.oracle.engine import RuleError, contains

from .components import CHIPS_OF_A_FACE, COLORS, FACES, TILES_OF_A_COLOR

LARGE_SIZE = 5
SMALL_SIZE = 4


class Supply:
    """Bag, tower and chips; they yield only what a blind draw could have brought."""

    def __init__(self, seen: Counter[str]) -> None:
        """Fill the bag with all tiles; rare cases are counted in `seen`."""
        self.bag: Counter[str] = Counter(dict.fromkeys(COLORS, TILES_OF_A_COLOR))
        self.tower: Counter[str] = Counter()
        self.chips: Counter[str] = Counter(dict.fromkeys(FACES, CHIPS_OF_A_FACE))
        self.seen = seen

    def total(self) -> int:
        """Count all tiles that can still be drawn."""
        return self.bag.total() + self.tower.total()

    def draw(self, tiles: object, size: int) -> list[str]:
        """Draw the given tiles for a factory of that size."""
        if not isinstance(tiles, list):
            raise RuleError("factory-type")
        if not all(tile in COLORS for tile in tiles):
            raise RuleError("color")
        # D20: factories are filled one after the other while tiles last.
        if len(tiles) != min(size, self.total()):
            raise RuleError("factory-size")
        if len(tiles) < size:
            self.seen["short factory" if tiles else "factory without tiles"] += 1
        wanted = Counter(tiles)
        if len(tiles) > self.bag.total():
            # The bag runs out here, so all that is left in it lies in this factory, and only
            # then the tower is poured.
            if not contains(wanted, self.bag):
                raise RuleError("bag-not-emptied")
            self.seen["tower poured within a factory" if self.bag.total() else "tower poured"] += 1
            wanted -= self.bag
            self.bag = Counter()
            self._pour()
        if not contains(self.bag, wanted):
            raise RuleError("tiles-not-there")
        self.bag -= wanted
        return list(tiles)

    def draw_large(self, tiles: object) -> list[str]:
        """Draw the tiles that stay on the large factory."""
        drawn = self.draw(tiles, LARGE_SIZE)
        if len(set(drawn)) == 1:
            # D17: alike tiles stay only where nothing else could be drawn.
            if self._holds_another(drawn[0]):
                raise RuleError("alike-not-put-back")
            self.seen["large factory of one color"] += 1
        return drawn

    def redraw(self, color: Any) -> None:
        """Draw tiles of only that color for the large factory and put them back."""
        if color not in COLORS:
            raise RuleError("color")
        drawn = self.draw([color] * min(LARGE_SIZE, self.total()), LARGE_SIZE)
        if not self._holds_another(color):
            raise RuleError("alike-must-stay")
        self.bag.update(drawn)
        self.seen["redraw"] += 1
        if len(+self.bag) == 1:
            self._pour()
            self.seen["redraw pours the tower"] += 1

    def draw_chips(self, faces: list[Any]) -> list[str | None]:
        """Draw one chip for every small factory; no chip ever comes back."""
        if len(faces) != 4:
            raise RuleError("chip-count")
        for face in faces:
            if not (face in FACES and self.chips[face] > 0):
                raise RuleError("chip-not-there")
            self.chips[face] -= 1
        return list(faces)

    def _holds_another(self, color: str) -> bool:
        return any(tile != color for tile in [*self.bag.elements(), *self.tower.elements()])

    def _pour(self) -> None:
        self.bag, self.tower = self.bag + self.tower, Counter()
