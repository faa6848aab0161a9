"""The ruleset of Azul Duel, and the options it knows."""

# Not compiled: it is asked once a game, and wrong types must meet our own errors.

from referee.rules.duel import reading
from referee.rules.duel.components import (
    DEFAULT_GOALS,
    GOAL_NAMES,
    GOAL_TOKENS,
    NOBODY,
    SEATS,
)
from referee.rules.duel.position import DuelPosition, new_table
from referee.rules.duel.position_text import parse_position
from referee.rules.errors import InvalidSetup, shown
from referee.rules.interface import Deal, Move, Options, Ruleset

GOAL_COUNTS = (GOAL_TOKENS - 1, GOAL_TOKENS)


class DuelRuleset(Ruleset):
    """Azul Duel for two players."""

    def __init__(self, revision: int) -> None:
        self.key = "duel"
        self.revision = revision
        self.title = "Azul Duel"
        self.min_seats = SEATS
        self.max_seats = SEATS
        self.options = ("goals",)
        self.hides = True

    def initial(self, seats: int, options: Options | None = None) -> DuelPosition:
        """Return the table before the first deal."""
        self.check_seats(seats)
        chosen = Options() if options is None else options
        self.check_options(chosen, seats)
        goals, random_goals = read_goals(chosen.goals)
        starter = NOBODY if chosen.first_player is None else chosen.first_player
        return new_table(self.revision, goals, random_goals, starter)

    def check_options(self, options: Options, seats: int) -> None:
        """Raise `InvalidSetup` unless a game can use the options."""
        super().check_options(options, seats)
        read_goals(options.goals)

    def parse_position(self, text: str) -> DuelPosition:
        """Read a position from its notation."""
        return parse_position(self.revision, text)

    def parse_move(self, text: str) -> Move:
        """Read a move from its notation."""
        return reading.parse_move(text)

    def parse_deal(self, text: str) -> Deal:
        """Read a deal from its notation."""
        return reading.parse_deal(text)


def read_goals(goals: object) -> tuple[tuple[int, ...], int]:
    """Return the goals that options name, and how many chance is to choose (D25)."""
    if goals is None:
        return DEFAULT_GOALS, 0
    if type(goals) is int and goals in GOAL_COUNTS:
        return (), goals
    if type(goals) is not tuple or [goal for goal in goals if goal not in GOAL_NAMES]:
        expected = f"3 or 4 of {', '.join(GOAL_NAMES)}, or the number 3 or 4 for random ones"
        raise InvalidSetup(f"goals are {expected}, not {shown(goals)}")
    numbers = sorted([GOAL_NAMES.index(goal) for goal in goals])
    if len(numbers) not in GOAL_COUNTS or len({number // 2 for number in numbers}) != len(numbers):
        raise InvalidSetup("goals are three or four, and no two are sides of one token")
    return tuple(numbers), 0


DUEL = DuelRuleset(1)
