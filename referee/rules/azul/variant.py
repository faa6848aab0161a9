"""What tells the four rulesets of this family apart, as data."""

# Not compiled: a frozen dataclass can be copied and pickled as an ordinary class only.

from dataclasses import dataclass


@dataclass(frozen=True)
class Variant:
    """A key, and the two choices a table makes: the side of the boards, the discs.

    ``layout[row][color]`` is the column of a color on the colored wall; None is the gray
    wall, where the player chooses. ``special`` turns discs of Chocolatier to gold.
    """

    key: str
    revision: int
    layout: tuple[tuple[int, ...], ...] | None
    special: bool
