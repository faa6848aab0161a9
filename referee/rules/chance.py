"""Where the rules let chance in.

The rules never make randomness. They ask a `Chance` for the stream of a purpose and
take numbers from it in a documented order (docs/draws.md), so that the same streams
always give the same deal. `referee.draws` provides the provable streams; a test may
provide any object of this shape.
"""

from collections.abc import Sequence
from enum import IntEnum
from typing import Protocol, TypeVar

Item = TypeVar("Item")


class Purpose(IntEnum):
    """What a stream is for; each round has one stream per purpose."""

    TILES = 1
    FIRST_PLAYER = 2
    SPECIAL_FACTORIES = 3
    PLATES = 4
    CHIPS = 5
    GOALS = 6


class Stream(Protocol):
    """Numbers in a fixed order; a stream keeps its place for the whole round."""

    def uniform(self, n: int) -> int:
        """Return the next number, uniform over 0 .. n-1, for 1 <= n <= 256."""

    def descend(self, n: int, k: int) -> list[int]:
        """Return uniform(n), uniform(n-1), ..., k numbers: a draw without putting back."""


class Chance(Protocol):
    """The streams of one round."""

    def stream(self, purpose: Purpose) -> Stream:
        """Return the stream of that purpose, always the same one within a round."""


def pick(stream: Stream, items: Sequence[Item], k: int) -> list[Item]:
    """Take k items one after the other; those left keep their order."""
    rest = list(items)
    return [rest.pop(at) for at in stream.descend(len(rest), k)]
