"""Random deals for Duel, steered now and then into corners that blind chance seldom reaches."""

from __future__ import annotations

import random
from typing import Any

from .components import COLORS, TOKENS
from .supply import LARGE_SIZE, SMALL_SIZE, Supply

# Steered deals stay possible ones, since any tile of the bag may be the next.
STEERS = ("plain", "alike", "saving")
ALIKE = 0.85


def random_goals(rng: random.Random) -> list[str]:
    """Choose three or four tokens and a side of each, in any order."""
    return [rng.choice(token) for token in rng.sample(TOKENS, rng.choice((3, 4)))]


def random_deal(supply: Supply, rng: random.Random, steer: str) -> dict[str, Any]:
    """Draw the next deal, as the fields of a round; nothing is taken from the supply."""
    return {**_RandomTiles(supply, rng, steer).deal(), "chips": _random_chips(supply, rng)}


def _random_chips(supply: Supply, rng: random.Random) -> list[str]:
    return rng.sample(sorted(supply.chips.elements()), 4)


class _RandomTiles:
    """The tiles of bag and tower one by one, on the way to the factories."""

    def __init__(self, supply: Supply, rng: random.Random, steer: str) -> None:
        self.bag = sorted(supply.bag.elements())
        self.tower = sorted(supply.tower.elements())
        self.rng = rng
        self.steer = steer
        # The color of which there is most can be saved the longest.
        self.saved = max(COLORS, key=(self.bag + self.tower).count)

    def deal(self) -> dict[str, Any]:
        """Fill the large factory, as often as needed, then the small ones."""
        redraws = []
        large = self._draw(LARGE_SIZE)
        while len(set(large)) == 1 and set(self.bag + self.tower) - set(large):
            redraws.append(large[0])
            self.bag += large
            if len(set(self.bag)) == 1:
                self._pour()
            large = self._draw(LARGE_SIZE)
        deal: dict[str, Any] = {"redraws": redraws} if redraws else {}
        return {**deal, "large": large, "small": [self._draw(SMALL_SIZE) for _ in range(4)]}

    def _draw(self, size: int) -> list[str]:
        tiles: list[str] = []
        while len(tiles) < size and (self.bag or self.tower):
            if not self.bag:
                self._pour()
            tile = self.rng.choice(self._candidates(tiles))
            self.bag.remove(tile)
            tiles.append(tile)
        return tiles

    def _candidates(self, tiles: list[str]) -> list[str]:
        """Narrow down what comes next: more of the same, or anything but the color saved."""
        if self.steer == "alike" and tiles and self.rng.random() < ALIKE:
            return [tile for tile in self.bag if tile == tiles[0]] or self.bag
        if self.steer == "saving":
            return [tile for tile in self.bag if tile != self.saved] or self.bag
        return self.bag

    def _pour(self) -> None:
        self.bag += self.tower
        self.tower = []
