"""Bonus chips: sets of faces in one int, and which sets complete a pattern line (3.5.2).

Three bits a face: at most two chips of a face exist, so the third bit is a guard that no
set ever has, and one subtraction tells whether one set contains another.
"""

from collections.abc import Iterable
from typing import Final

from referee.native.hints import i64
from referee.rules.duel.components import (
    CHIPS_PER_FACE,
    COLOR_LETTERS,
    FACE_LETTERS,
    FACES,
)

FACE_WIDTH: Final = 3
FACE_FIELD: Final = 3
ONE_CHIP: Final = tuple(1 << (FACE_WIDTH * face) for face in range(FACES))
_ONES: Final = sum(ONE_CHIP)
CHIP_GUARD: Final = _ONES << (FACE_WIDTH - 1)
ALL_CHIPS: Final = _ONES * CHIPS_PER_FACE
_EVERY_OTHER: Final = 0o07_07_07_07_07
# MATCHING[color]: the bits of the faces that show a color.
MATCHING: Final = [
    sum(FACE_FIELD * ONE_CHIP[face] for face in range(FACES) if letter in FACE_LETTERS[face])
    for letter in COLOR_LETTERS
]


def of_faces(faces: Iterable[int]) -> int:
    """Return the set of a list of faces."""
    total = 0
    for face in faces:
        total += ONE_CHIP[face]
    return total


def count(chips: i64, face: i64) -> i64:
    """Return how many chips of that face the set has."""
    return chips >> (FACE_WIDTH * face) & FACE_FIELD


def faces(chips: int) -> list[int]:
    """Return the faces of a set in order, each as often as it is there."""
    found: list[int] = []
    for face in range(FACES):
        found += [face] * (chips >> (FACE_WIDTH * face) & FACE_FIELD)
    return found


def size(chips: i64) -> i64:
    """Return how many chips the set has."""
    # Neighboring faces are added into fields of six bits. As 64 leaves 1 when divided by 63,
    # the remainder is the sum of the fields, which is at most 20.
    return ((chips & _EVERY_OTHER) + (chips >> FACE_WIDTH & _EVERY_OTHER)) % 63


def contains(chips: i64, part: i64) -> bool:
    """Return whether every chip of the part is in the set."""
    return ((chips | CHIP_GUARD) - part) & CHIP_GUARD == CHIP_GUARD


def is_set(value: int) -> bool:
    """Return whether the number is a set of chips that can exist."""
    return 0 <= value <= ALL_CHIPS and not value & CHIP_GUARD and contains(ALL_CHIPS, value)


def completes(chips: i64, color: i64, missing: i64) -> bool:
    """Return whether exactly these chips stand for so many missing tiles (3.5.2).

    A tile takes two chips that show the color, or any three. With s chips for m tiles,
    3m - s tiles are paid with two, and need two chips each that show the color.
    """
    spent = size(chips)
    pairs = 3 * missing - spent
    return 0 <= pairs <= missing and size(chips & MATCHING[color]) >= 2 * pairs


def can_complete(chips: i64, color: i64, missing: i64) -> bool:
    """Return whether some of these chips stand for so many missing tiles."""
    # The more chips are spent the fewer must match, so spending most decides.
    spent = min(size(chips), 3 * missing)
    pairs = 3 * missing - spent
    return pairs <= missing and size(chips & MATCHING[color]) >= 2 * pairs


def completing_sets(chips: i64, color: i64, missing: i64) -> list[int]:
    """Return every part of the chips that completes the line, in the published order.

    Small sets come first; among sets of one size, the one that has more of the first face
    in which they differ.
    """
    most = 3 * missing
    least = 2 * missing
    # Pairs of a set and its size, so that the size need not be counted again.
    parts = [(0, 0)]
    for face in range(FACES - 1, -1, -1):
        n = chips >> (FACE_WIDTH * face) & FACE_FIELD
        if n:
            one = ONE_CHIP[face]
            parts = [
                (part + k * one, spent + k)
                for k in range(n, -1, -1)
                for part, spent in parts
                if spent + k <= most
            ]
    matching = MATCHING[color]
    found: list[list[int]] = [[] for _ in range(most + 1)]
    for part, spent in parts:
        if spent >= least and size(part & matching) >= 2 * (most - spent):
            found[spent].append(part)
    return [part for sized in found for part in sized]
