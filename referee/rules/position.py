"""A move, a deal and a position, whatever their game: what `interface` says they owe.

They are apart from it because they are compiled. A class that is compiled can have no
other base than a compiled one, and these leave room for subclasses in plain Python. They
are abstract for type checkers only: with the metaclass of `abc.ABC` a compiled object
would accept weak references and then not tell them of its end.
"""

from abc import abstractmethod
from typing import TYPE_CHECKING, Final, NoReturn

from referee.native.hints import i64, mypyc_attr
from referee.rules.chance import Chance
from referee.rules.errors import UnknownSeat, shown

if TYPE_CHECKING:
    from referee.rules.interface import Outcome

CHANCE: Final = -1
OVER: Final = -2


@mypyc_attr(allow_interpreted_subclasses=True)
class Move:
    """One choice of one seat; its text form is in docs/notation.md."""

    __slots__ = ()

    @abstractmethod
    def __str__(self) -> str:
        """Return the move in notation."""


@mypyc_attr(allow_interpreted_subclasses=True)
class Deal:
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


# A value is what it says and never changes, so that all tables can share it. Its fields
# are set once, with `_set`, when it is made. The moves and the deals of our games derive
# from the two classes below, which say the same twice: a compiled class has one base, and
# one that guards its fields cannot leave room for subclasses that are not compiled.


def _refuse_change(value: object) -> NoReturn:
    raise AttributeError(f"a {type(value).__name__} does not change; make another one")


class MoveValue(Move):
    """A move that is a value."""

    __slots__ = ()

    def __setattr__(self, name: str, value: object) -> None:
        _refuse_change(self)

    def __delattr__(self, name: str) -> None:
        _refuse_change(self)

    def _set(self, name: str, value: object) -> None:
        # Past our own __setattr__, in the one form that also works compiled.
        super().__setattr__(name, value)


class DealValue(Deal):
    """A deal that is a value."""

    __slots__ = ()

    def __setattr__(self, name: str, value: object) -> None:
        _refuse_change(self)

    def __delattr__(self, name: str) -> None:
        _refuse_change(self)

    def _set(self, name: str, value: object) -> None:
        super().__setattr__(name, value)


@mypyc_attr(allow_interpreted_subclasses=True)
class Position:
    """A table at one moment, with everything that happens next decided by `actor`."""

    __slots__ = ()

    seats: i64
    round: i64
    actor: i64

    def check_seat(self, seat: object) -> None:
        """Raise `UnknownSeat` unless the table has that seat; None is a spectator."""
        if seat is None:
            return
        # An int on purpose: a number of any size can be compared with it.
        seats: int = self.seats
        if not isinstance(seat, int) or isinstance(seat, bool) or not 0 <= seat < seats:
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
    def outcome(self) -> "Outcome | None":
        """Return the outcome once the game is over, None before."""

    @abstractmethod
    def view(self, seat: int | None) -> "Position":
        """Return what that seat (None: a spectator) may know, as a position of its own."""

    @abstractmethod
    def layout(self) -> bytes:
        """Return the table as bytes of a fixed layout, for digests (docs/transcript.md)."""

    @abstractmethod
    def copy(self) -> "Position":
        """Return an independent position that is equal to this one."""

    @abstractmethod
    def __str__(self) -> str:
        """Return the position in notation, on one line."""
