"""The words of a told step, and the points it brought, each with its reason."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from referee.rules import Bonus

# What is met once, where its name is a plural.
ONE_OF = {
    "rows": "row",
    "columns": "column",
    "colors": "color",
    "diagonals": "diagonal",
    "corners": "corner",
    "wilds": "wild",
    "empty_specials": "empty special",
}
TIMES = ("", "once", "twice", "three times")


@dataclass(frozen=True)
class Points:
    """What one thing brought one seat, or cost it.

    ``points`` is the change of the score, so those of a step add up to what it changed.
    ``kind`` is a fixed word (docs/replay.md lists them); ``row`` and ``column`` are set where
    a tile was laid, ``across`` and ``down`` are the lengths of its runs.
    """

    seat: int
    kind: str
    points: int
    words: str
    row: int | None = None
    column: int | None = None
    across: int | None = None
    down: int | None = None


@dataclass(frozen=True)
class Telling:
    """What one step did.

    sentence  a move as a sentence without its subject, anything else as a whole one
    details   what it led to, in order
    points    what it brought, seat by seat, in the order of scoring
    """

    sentence: str
    details: tuple[str, ...] = ()
    points: tuple[Points, ...] = ()


def number(n: int, thing: str) -> str:
    """Return a number of things: 1 point, 2 points."""
    return f"{n} {thing}" if n == 1 else f"{n} {thing}s"


def listed(things: Iterable[str]) -> str:
    """Return things as one reads them: a, b and c."""
    *most, last = things
    return f"{', '.join(most)} and {last}" if most else last


def counted(counts: Sequence[int], names: Sequence[str]) -> str:
    """Return how many tiles there are of each color, without those that are missing."""
    return listed(f"{n} {name}" for n, name in zip(counts, names, strict=True) if n)


def clamped(cost: int, score: int) -> tuple[int, str]:
    """Return what a cost takes off a score, and what to add where it cannot take all."""
    if cost <= score:
        return cost, ""
    left = f"only {number(score, 'point')} {'is' if score == 1 else 'are'} left to lose"
    return score, f"; {left if score else 'no point is left to lose'}"


def runs(across: int, down: int, points: int) -> str:
    """Return why a tile scores what it scores."""
    if across == 1 and down == 1:
        return f"stands alone, {number(points, 'point')}"
    parts = []
    if across > 1:
        parts.append(f"{across} in its row")
    if down > 1:
        parts.append(f"{down} in its column")
    return f"{' and '.join(parts)}, {number(points, 'point')}"


def bonus_words(bonus: Bonus) -> str:
    """Return a bonus in words: how often, what for, how much."""
    name = ONE_OF.get(bonus.name, bonus.name) if bonus.times == 1 else bonus.name
    return f"{bonus.times} {name.replace('_', ' ')} {bonus.points:+d}"


def bonus_points(seat: int, bonuses: Iterable[Bonus], before: int, final: int) -> list[Points]:
    """Return what the end of the game brought a seat, from its score before to its final one."""
    points = [
        Points(seat, "bonus", bonus.points, bonus_words(bonus)) for bonus in bonuses if bonus.times
    ]
    # D16: all goals are added first, and then a score stops at 0.
    missing = final - before - sum(entry.points for entry in points)
    if missing:
        points.append(Points(seat, "stop", missing, f"a score stops at 0 {missing:+d}"))
    return points
