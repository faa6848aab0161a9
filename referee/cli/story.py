"""Tells a game in words and draws the boards with letters, for a terminal without color."""

from collections.abc import Callable, Iterable, Iterator
from types import ModuleType

from referee.cli import story_azul, story_duel
from referee.rules import CHANCE, OVER, Bonus, Deal, Move, Outcome, Position
from referee.rules.azul.position import AzulPosition
from referee.rules.duel.position import DuelPosition

COLUMN_WIDTH = 20
# A new game gets a module that tells it, and a line here.
TELLERS: dict[type[Position], ModuleType] = {AzulPosition: story_azul, DuelPosition: story_duel}
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


class Story:
    """Tells a game as it goes: deals, moves in words, boards after each round, the outcome."""

    def __init__(self, write: Callable[[str], None]) -> None:
        self._write = write
        self._scores: tuple[int, ...] = ()

    def watch(self, actor: int, step: Deal | Move, position: Position) -> None:
        """Tell one step; the shape is that of `referee.match.playout.Watch`."""
        game = teller(position)
        if isinstance(step, Deal):
            if actor == CHANCE and not self._scores:
                self._scores = position.scores
            self._tell(game.tell_deal(step, position))
        else:
            self._write(f"  seat {actor}  {step!s:<10} {game.words(step)}")
        if is_round_over(position):
            self._tell(side_by_side(game.draw_boards(position, self._scores)))
            self._scores = position.scores
        outcome = position.outcome()
        if outcome is not None:
            self._tell(_tell_outcome(outcome))

    def _tell(self, lines: Iterable[str]) -> None:
        for line in lines:
            self._write(line)


def teller(position: Position) -> ModuleType:
    """Return the module that tells games of this kind."""
    return TELLERS[type(position)]


def is_round_over(position: Position) -> bool:
    """Return whether a round has just ended; within one, chance may show something too."""
    if position.actor == CHANCE:
        return position.chance_round > position.round
    return position.actor == OVER


def side_by_side(columns: list[list[str]]) -> Iterator[str]:
    """Yield the lines of several boards beside each other."""
    yield ""
    width = max(COLUMN_WIDTH, *(len(line) for column in columns for line in column))
    for row in zip(*columns, strict=True):
        yield "   ".join(f"{cell:<{width}}" for cell in row).rstrip()


def _tell_outcome(outcome: Outcome) -> Iterator[str]:
    yield ""
    yield f"The game is over: {outcome.termination.value.replace('_', ' ')}."
    for seat, score in enumerate(outcome.scores):
        gained = ", ".join(_tell_bonus(bonus) for bonus in outcome.bonuses[seat] if bonus.times)
        yield f"  seat {seat}: {score} points, rank {outcome.ranks[seat]}" + (
            f" (bonuses: {gained})" if gained else ""
        )
    seats = " and ".join(f"seat {seat}" for seat in outcome.winners)
    yield f"{seats} {'wins' if len(outcome.winners) == 1 else 'share the victory'}."


def _tell_bonus(bonus: Bonus) -> str:
    name = ONE_OF.get(bonus.name, bonus.name) if bonus.times == 1 else bonus.name
    return f"{bonus.times} {name.replace('_', ' ')} {bonus.points:+d}"
