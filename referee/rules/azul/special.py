"""The special factories of Master Chocolatier (part 2 of docs/rules).

Two of the five kinds act when a round is dealt, here in `act_on_deal`; the other three
act when somebody takes from them, in `Position`, with the neighbors found here.
"""

from collections.abc import Sequence

from referee.rules import tally
from referee.rules.azul.components import MAGNET_COLOR, PLUS_ONE


def neighbors(index: int, factories: int, absent: int) -> tuple[int, int]:
    """Return the factories to the left and right in the circle (C5).

    ``absent`` is the place of a shield that somebody owns, or -1: it is passed over (C6).
    """
    left = (index - 1) % factories
    if left == absent:
        left = (left - 1) % factories
    right = (index + 1) % factories
    if right == absent:
        right = (right + 1) % factories
    return left, right


def act_on_deal(sources: list[int], gold: Sequence[int], extra: int | None) -> None:
    """Let plus-one and magnets act in the order of the circle, after all is dealt (C2)."""
    for index, disc in enumerate(gold):
        if disc == PLUS_ONE:
            # C3: None when neither bag nor lid had a tile for it.
            if extra is not None:
                sources[index] += tally.ONE[extra]
        elif disc in MAGNET_COLOR:
            color = MAGNET_COLOR[disc]
            # C4: mandatory, from gold neighbors too, nothing where the color is missing.
            for neighbor in neighbors(index, len(gold), -1):
                if tally.count(sources[neighbor], color):
                    sources[neighbor] -= tally.ONE[color]
                    sources[index] += tally.ONE[color]
