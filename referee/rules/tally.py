"""A tally: how many tiles of each color, in one int.

Six bits a color, so the five colors of any game of the family fill 30 bits, the size
of one CPython digit. Sets of tiles are then added and subtracted as numbers: the bag,
the lid, a factory, the center and a pattern line are all tallies. The sixth bit of a
color is a guard that no tally ever sets (there are at most 20 tiles of a color), which
lets `contains` and `colors` look at all five colors in one operation.
"""

from collections.abc import Iterable, Sequence
from typing import Final

from referee.native.hints import i64

# Constants are `Final` here and in every module that is compiled: numbers are then written
# into the code, and tables are found without looking up their name. Tables are lists, which
# compiled code reads several times as fast as tuples.
COLORS: Final = 5
WIDTH: Final = 6
FIELD: Final = (1 << WIDTH) - 1
MAX_COUNT: Final = 31

ONE: Final[list[i64]] = [1 << (WIDTH * color) for color in range(COLORS)]
ONES: Final = 0b000001_000001_000001_000001_000001
GUARD: Final = ONES << (WIDTH - 1)
# Added to a tally, it carries into the guard bit of every color that is present.
TO_GUARD: Final = ONES * MAX_COUNT


def is_tally(value: i64) -> bool:
    """Return whether the number is a tally: up to 31 tiles of each of the five colors."""
    return 0 <= value <= TO_GUARD and not value & GUARD


def of_counts(counts: Sequence[int]) -> int:
    """Return the tally with that many tiles of each color."""
    total = 0
    for color in range(COLORS):
        total += counts[color] << (WIDTH * color)
    return total


def of_colors(colors: Iterable[int]) -> int:
    """Return the tally of a list of tiles."""
    total = 0
    for color in colors:
        total += ONE[color]
    return total


def count(tally: i64, color: i64) -> i64:
    """Return how many tiles of that color the tally has."""
    return (tally >> (WIDTH * color)) & FIELD


def counts(tally: int) -> tuple[int, int, int, int, int]:
    """Return how many tiles of each color the tally has."""
    return (
        tally & FIELD,
        (tally >> 6) & FIELD,
        (tally >> 12) & FIELD,
        (tally >> 18) & FIELD,
        (tally >> 24) & FIELD,
    )


def size(tally: i64) -> i64:
    """Return how many tiles the tally has."""
    return (
        (tally & FIELD)
        + ((tally >> 6) & FIELD)
        + ((tally >> 12) & FIELD)
        + ((tally >> 18) & FIELD)
        + ((tally >> 24) & FIELD)
    )


def singles(tally: int) -> list[int]:
    """Return a tally of one for every tile, color by color."""
    first, second, third, fourth, fifth = ONE
    return (
        [first] * (tally & FIELD)
        + [second] * (tally >> 6 & FIELD)
        + [third] * (tally >> 12 & FIELD)
        + [fourth] * (tally >> 18 & FIELD)
        + [fifth] * (tally >> 24 & FIELD)
    )


def contains(tally: i64, part: i64) -> bool:
    """Return whether every tile of the part is in the tally; both must be tallies."""
    return ((tally | GUARD) - part) & GUARD == GUARD


def _present() -> dict[int, tuple[int, ...]]:
    table: dict[int, tuple[int, ...]] = {}
    for mask in range(1 << COLORS):
        present = tuple(color for color in range(COLORS) if mask >> color & 1)
        table[sum(ONE[color] for color in present) << (WIDTH - 1)] = present
    return table


# PRESENT[(tally + TO_GUARD) & GUARD] lists the colors that are present.
PRESENT: Final = _present()


def colors(tally: i64) -> tuple[int, ...]:
    """Return the colors that are present, in order."""
    return PRESENT[(tally + TO_GUARD) & GUARD]
