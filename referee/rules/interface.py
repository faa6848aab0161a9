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
from dataclasses import dataclass, fields
from enum import Enum
from typing import NamedTuple

from referee.rules.errors import InvalidSetup, shown
from referee.rules.position import CHANCE, OVER, Deal, Move, Position

__all__ = [
    "CHANCE",
    "OVER",
    "Bonus",
    "Deal",
    "Move",
    "Options",
    "Outcome",
    "Position",
    "Ruleset",
    "Termination",
    "is_int",
]


@dataclass(frozen=True)
class Options:
    """What an organiser may choose before a game; None leaves it to the ruleset.

    A ruleset names the options it knows in `Ruleset.options` and refuses the others.

    first_player  the seat that starts; otherwise chance decides. Every ruleset knows it
    round_cap     the round after which a game ends that nobody brings to its end (A16)
    goals         the goals of Duel by name, or how many of them chance chooses (D25)
    """

    round_cap: int | None = None
    first_player: int | None = None
    goals: tuple[str, ...] | int | None = None


def is_int(value: object) -> bool:
    """Return whether a value is a number; a truth value is none."""
    return isinstance(value, int) and not isinstance(value, bool)


class Termination(Enum):
    """Why the rules ended a game."""

    COMPLETE_ROW = "complete_row"
    ROUND_CAP = "round_cap"
    NO_TILES = "no_tiles"
    LAST_ROUND = "last_round"


class Bonus(NamedTuple):
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
    options: tuple[str, ...]
    # Whether the game has facts that lie on the table and not everybody may know.
    hides: bool = False

    def check_seats(self, seats: int) -> None:
        """Raise `InvalidSetup` unless that many can play."""
        if not is_int(seats) or not self.min_seats <= seats <= self.max_seats:
            allowed = f"{self.min_seats}"
            if self.max_seats > self.min_seats:
                allowed += f" to {self.max_seats}"
            raise InvalidSetup(f"{self.key} is for {allowed} players, not {shown(seats)}")

    def check_options(self, options: Options, seats: int) -> None:
        """Raise `InvalidSetup` unless a game of that many seats can use the options.

        A ruleset with options of its own extends this.
        """
        if not isinstance(options, Options):
            raise InvalidSetup(f"options are an Options, not {shown(options)}")
        for option in fields(Options):
            known = option.name == "first_player" or option.name in self.options
            if not known and getattr(options, option.name) is not None:
                raise InvalidSetup(f"{self.key} has no option {option.name}")
        first = options.first_player
        if first is not None and not (is_int(first) and 0 <= first < seats):
            raise InvalidSetup(f"the first player is a seat below {seats}, not {shown(first)}")

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
