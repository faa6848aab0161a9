"""Tells what happens in a game in words: every take, every placement, every point.

What is told is derived from the position before a step, the step, and the position after it,
with the functions of the rules themselves. Nothing here decides what is legal, and nothing
draws; all text can be shown as it is, because none of it comes from strangers.
"""

from types import ModuleType

from referee.rules import CHANCE, OVER, Deal, Move, Position
from referee.rules.azul.position import AzulPosition
from referee.rules.duel.position import DuelPosition
from referee.transcript.telling import azul, duel
from referee.transcript.telling.values import Points, Telling, bonus_points

# A new game gets a module that tells it, and a line here.
TELLERS: dict[type[Position], ModuleType] = {AzulPosition: azul, DuelPosition: duel}

__all__ = ["Points", "Telling", "bonus_points", "is_round_over", "tell"]


def tell(before: Position, step: Deal | Move, after: Position) -> Telling:
    """Tell a deal or a move; it must lead from the one position to the other."""
    teller = TELLERS[type(before)]
    telling: Telling
    if isinstance(step, Deal):
        telling = teller.tell_deal(before, step, after)
    else:
        telling = teller.tell_move(before, step, after)
    return telling


def is_round_over(position: Position) -> bool:
    """Return whether a round has just ended; within one, chance may show something too."""
    if position.actor == CHANCE:
        return position.chance_round > position.round
    return position.actor == OVER
