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

from abc import ABC, abstractmethod
from dataclasses import dataclass
from enum import Enum

from referee.rules.chance import Chance
from referee.rules.errors import InvalidSetup, UnknownSeat, shown

CHANCE = -1
OVER = -2


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


class Value:
    """Something that is what it says and never changes, so that it can be shared freely.

    Subclasses set their fields once, with `_set`, when they are made.
    """

    __slots__ = ()

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError(f"a {type(self).__name__} does not change; make another one")

    def __delattr__(self, name: str) -> None:
        raise AttributeError(f"a {type(self).__name__} does not change; make another one")

    def _set(self, name: str, value: object) -> None:
        # Past our own __setattr__, in the one form that also works compiled.
        super().__setattr__(name, value)


class Move(Value, ABC):
    """One choice of one seat; its text form is in docs/notation.md."""

    __slots__ = ()

    @abstractmethod
    def __str__(self) -> str:
        """Return the move in notation."""


class Deal(Value, ABC):
    """What chance brought at one moment; its text form is in docs/notation.md."""

    __slots__ = ()

    @abstractmethod
    def view(self, seat: int | None) -> "Deal":
        """Return what that seat (None: a spectator) may know of it.

        Applied to that seat's view of the table it gives the seat's view of the new table.
        """

    @abstractmethod
    def __str__(self) -> str:
        """Return the deal in notation."""


class Position(ABC):
    """A table at one moment, with everything that happens next decided by `actor`."""

    __slots__ = ()

    seats: int
    round: int
    actor: int

    def check_seat(self, seat: int | None) -> None:
        """Raise `UnknownSeat` unless the table has that seat; None is a spectator."""
        if seat is not None and not (is_int(seat) and 0 <= seat < self.seats):
            raise UnknownSeat(f"the table has seats 0 to {self.seats - 1}, not {shown(seat)}")

    @abstractmethod
    def legal_moves(self) -> list[Move]:
        """Return every legal move in the published order; none if no seat is to move."""

    @abstractmethod
    def check(self, move: Move) -> None:
        """Raise `IllegalMove` with the reason unless the move is legal now."""

    @abstractmethod
    def play(self, move: Move) -> None:
        """Play a legal move, and all that the rules force after it."""

    @property
    @abstractmethod
    def chance_round(self) -> int:
        """The round whose streams the next draw takes from."""

    @abstractmethod
    def draw(self, chance: Chance) -> Deal:
        """Return the deal these streams give.

        The position does not change; the streams move on, so a draw is made once. A view
        that does not know all there is to draw from refuses with `WrongMoment`.
        """

    @abstractmethod
    def deal(self, deal: Deal) -> None:
        """Apply a deal, or raise `InvalidDeal` if it cannot come from this table."""

    @property
    @abstractmethod
    def scores(self) -> tuple[int, ...]:
        """The score of every seat, without the bonuses of the end."""

    @abstractmethod
    def outcome(self) -> Outcome | None:
        """Return the outcome once the game is over, None before."""

    @abstractmethod
    def view(self, seat: int | None) -> "Position":
        """Return what that seat (None: a spectator) may know, as a position of its own."""

    @abstractmethod
    def copy(self) -> "Position":
        """Return an independent position that is equal to this one."""

    @abstractmethod
    def __str__(self) -> str:
        """Return the position in notation, on one line."""


class Ruleset(ABC):
    """One way to play one game, under a key and a revision that every record names."""

    key: str
    revision: int
    title: str
    min_seats: int
    max_seats: int
    options: tuple[str, ...]

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
        for name, value in (("round_cap", options.round_cap), ("goals", options.goals)):
            if value is not None and name not in self.options:
                raise InvalidSetup(f"{self.key} has no option {name}")
        first = options.first_player
        if first is not None and not (is_int(first) and 0 <= first < seats):
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
