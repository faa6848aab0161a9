"""What lies on the five factories of Duel: sun sides, moon sides, chips, the first-player tile."""

from __future__ import annotations

from dataclasses import dataclass, field
from itertools import permutations

from .components import COLORS

LARGE = "large"
FACTORIES: tuple[int | str, ...] = (0, 1, 2, 3, LARGE)


def _four_empty() -> list[list[str]]:
    return [[] for _ in range(4)]


@dataclass
class Offer:
    """The factories of one round. A stack on a small factory is a list from bottom to top."""

    large: list[str] = field(default_factory=list)
    small: list[list[str]] = field(default_factory=_four_empty)
    large_moon: list[str] = field(default_factory=list)
    small_moon: list[list[str]] = field(default_factory=_four_empty)
    chips: list[str | None] = field(default_factory=lambda: [None] * 4)
    has_first_tile: bool = True

    def has_tiles(self) -> bool:
        """Say whether a tile is left on any side of any factory."""
        return bool(self.large or self.large_moon or any(self.small) or any(self.small_moon))

    def has_chips(self) -> bool:
        """Say whether a chip is left, face up or down."""
        return any(face is not None for face in self.chips)

    def revealed(self) -> list[int]:
        """List the small factories whose chip lies open, because no tile is left on them."""
        return [
            factory
            for factory in range(4)
            if self.chips[factory] is not None
            and not self.small[factory]
            and not self.small_moon[factory]
        ]

    def sun(self, factory: int | str) -> list[str]:
        """Give the tiles on the sun side of a factory."""
        return self.large if isinstance(factory, str) else self.small[factory]

    def sun_takes(self) -> list[tuple[int | str, str, list[str]]]:
        """List what can be taken from sun sides, with every order of the tiles left behind."""
        takes: list[tuple[int | str, str, list[str]]] = []
        for factory in FACTORIES:
            for color in COLORS:
                if color not in self.sun(factory):
                    continue
                rest = [tile for tile in self.sun(factory) if tile != color]
                # On the large factory the tiles lie apart, so they have no order.
                orders = [()] if factory == LARGE else sorted(set(permutations(rest)))
                takes += [(factory, color, list(order)) for order in orders]
        return takes

    def moon_colors(self) -> list[str]:
        """List the colors that moon sides offer: tops of the stacks, everything on the large."""
        tiles = [stack[-1] for stack in self.small_moon if stack] + self.large_moon
        return [color for color in COLORS if color in tiles]

    def take_sun(self, factory: int | str, color: str, stack: list[str]) -> tuple[list[str], bool]:
        """Take a color from a sun side; give the tiles and whether the first tile comes along."""
        tiles = self.sun(factory)
        taken = [tile for tile in tiles if tile == color]
        if not isinstance(factory, str):
            self.small[factory] = []
            self.small_moon[factory] = list(stack)
            return taken, False
        self.large = []
        self.large_moon = [tile for tile in tiles if tile != color]
        # D17: a take that leaves nothing brings the first-player tile, since nothing will ever
        # lie on the moon side to bring it.
        return taken, not self.large_moon and self._give_first_tile()

    def take_moon(self, color: str) -> tuple[list[str], bool]:
        """Take a color from all moon sides; give the tiles and whether the first tile comes."""
        # One tile of a stack at most, even if the next one matches too.
        matching = [stack for stack in self.small_moon if stack and stack[-1] == color]
        taken = [stack.pop() for stack in matching]
        from_large = [tile for tile in self.large_moon if tile == color]
        self.large_moon = [tile for tile in self.large_moon if tile != color]
        return taken + from_large, bool(from_large) and self._give_first_tile()

    def _give_first_tile(self) -> bool:
        given = self.has_first_tile
        self.has_first_tile = False
        return given

    def take_chip(self, factory: int) -> str:
        """Take an open chip."""
        face = self.chips[factory]
        assert face is not None
        self.chips[factory] = None
        return face
