"""What every ruleset offers, whatever its game.

A game is a fold: an initial position, then deals and moves in turn. A `Position` says
through `actor` what comes next: the seat that must choose a move, `CHANCE` when a deal
is due, or `OVER`. Whatever the rules force (scoring, a tile with one possible cell) is
done by the position itself and is never a move.

    position = ruleset.initial(seats)
    while position.actor != OVER:
        if position.actor == CHANCE:
            position.deal(position.draw(streams.round(position.chance_round)))
        else:
            position.play(choose(position.legal_moves()))

A position changes in place, because search needs it to be fast; `copy` is cheap and
shares nothing that changes. `play` refuses whatever `check` refuses and then leaves the
position untouched.
"""

# Not compiled: it is asked once a game, and wrong types must meet our own errors.

from abc import ABC, abstractmethod
from dataclasses import dataclass
from enum import Enum

from referee.rules.errors import InvalidSetup, shown
from referee.rules.position import CHANCE, OVER, Deal, Move, Position

__all__ = [
    "CHANCE",
    "DEFAULT_ROUND_CAP",
    "MAX_ROUND_CAP",
    "OVER",
    "Bonus",
    "Deal",
    "Move",
    "Options",
    "Outcome",
    "Position",
    "Ruleset",
    "Termination",
]

DEFAULT_ROUND_CAP = 20
MAX_ROUND_CAP = 64


@dataclass(frozen=True)
class Options:
    """What an organiser may choose before a game.

    ``round_cap`` ends a game that nobody brings to its end (A16); None means no cap and
    is for games that were played elsewhere. ``first_player`` None leaves it to chance.
    """

    round_cap: int | None = DEFAULT_ROUND_CAP
    first_player: int | None = None


def _is_int(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


class Termination(Enum):
    """Why the rules ended a game."""

    COMPLETE_ROW = "complete_row"
    ROUND_CAP = "round_cap"
    NO_TILES = "no_tiles"


@dataclass(frozen=True)
class Bonus:
    """Points given at the end of the game: what for, how often, how much in all."""

    name: str
    times: int
    points: int


@dataclass(frozen=True)
class Outcome:
    """Who won and why the game is over; scores include the bonuses of the end.

    ``ranks`` starts at 1 and equal results share a rank (A11, A12).
    """

    termination: Termination
    scores: tuple[int, ...]
    ranks: tuple[int, ...]
    bonuses: tuple[tuple[Bonus, ...], ...]

    @property
    def winners(self) -> tuple[int, ...]:
        """The seats that share the first rank."""
        return tuple(seat for seat, rank in enumerate(self.ranks) if rank == 1)


class Ruleset(ABC):
    """One way to play one game, under a key and a revision that every record names."""

    key: str
    revision: int
    title: str
    min_seats: int
    max_seats: int

    def check_seats(self, seats: int) -> None:
        """Raise `InvalidSetup` unless that many can play."""
        if not _is_int(seats) or not self.min_seats <= seats <= self.max_seats:
            allowed = f"{self.min_seats} to {self.max_seats}"
            raise InvalidSetup(f"{self.key} is for {allowed} players, not {shown(seats)}")

    def check_options(self, options: Options, seats: int) -> None:
        """Raise `InvalidSetup` unless a game of that many seats can use the options."""
        if not isinstance(options, Options):
            raise InvalidSetup(f"options are an Options, not {shown(options)}")
        cap = options.round_cap
        if cap is not None and not (_is_int(cap) and 1 <= cap <= MAX_ROUND_CAP):
            raise InvalidSetup(f"a round cap is 1 to {MAX_ROUND_CAP}, not {shown(cap)}")
        first = options.first_player
        if first is not None and not (_is_int(first) and 0 <= first < seats):
            last = seats - 1
            raise InvalidSetup(f"the first player is a seat from 0 to {last}, not {shown(first)}")

    @abstractmethod
    def initial(self, seats: int, options: Options | None = None) -> Position:
        """Return the table before the first deal."""

    @abstractmethod
    def parse_position(self, text: str) -> Position:
        """Read a position from its notation."""

    @abstractmethod
    def parse_move(self, text: str) -> Move:
        """Read a move from its notation."""

    @abstractmethod
    def parse_deal(self, text: str) -> Deal:
        """Read a deal from its notation."""
