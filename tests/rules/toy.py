"""A game as small as the interface allows, for what is said of every game.

One seat. The move ``.`` does nothing, ``+`` asks for two deals in a row, and ``!`` ends the
game. A deal adds a number to the score; deals are due in the middle of nothing, as in no
game of the family, and a position does not tell how many there were.
"""

from referee.rules import (
    CHANCE,
    OVER,
    Chance,
    Deal,
    InvalidDeal,
    Move,
    Outcome,
    Position,
    Purpose,
)


class ToyMove(Move):
    """One of the three signs."""

    __slots__ = ("sign",)

    sign: str

    def __init__(self, sign: str) -> None:
        self.sign = sign

    def __str__(self) -> str:
        return self.sign


class ToyDeal(Deal):
    """A number; 13 is never dealt."""

    __slots__ = ("number",)

    number: int

    def __init__(self, number: int) -> None:
        self.number = number

    def view(self, seat: int | None) -> "ToyDeal":
        """Return all of it."""
        return self

    def __str__(self) -> str:
        return str(self.number)


class ToyPosition(Position):
    """The score, and how many deals are due."""

    __slots__ = ("due", "over", "score")

    seats = 1
    round = 1

    def __init__(self, score: int = 0, due: int = 0, *, over: bool = False) -> None:
        self.score = score
        self.due = due
        self.over = over

    @property
    def actor(self) -> int:  # type: ignore[override]
        """The seat, chance, or nobody."""
        return OVER if self.over else CHANCE if self.due else 0

    def legal_moves(self) -> list[Move]:
        """Return all three signs."""
        return [] if self.actor < 0 else [ToyMove("."), ToyMove("+"), ToyMove("!")]

    def check(self, move: Move) -> None:
        """Allow everything."""

    def play(self, move: Move) -> None:
        """Do what the sign says."""
        self.over = str(move) == "!"
        self.due = 2 if str(move) == "+" else 0

    @property
    def chance_round(self) -> int:
        """Always the first."""
        return 1

    def draw(self, chance: Chance) -> ToyDeal:
        """Draw a number below ten."""
        return ToyDeal(chance.stream(Purpose.TILES).uniform(10))

    def deal(self, deal: Deal) -> None:
        """Add the number to the score."""
        assert isinstance(deal, ToyDeal)
        if deal.number == 13:
            raise InvalidDeal("number", "it is 13", "another one", "toy")
        self.score += deal.number
        self.due -= 1

    @property
    def scores(self) -> tuple[int, ...]:
        """The one score."""
        return (self.score,)

    def outcome(self) -> Outcome | None:
        """Tell nothing."""
        return None

    def layout(self) -> bytes:
        """Return the position as bytes."""
        return str(self).encode()

    def view(self, seat: int | None) -> "ToyPosition":
        """Return all of it."""
        return self.copy()

    def copy(self) -> "ToyPosition":
        """Return an equal one."""
        return ToyPosition(self.score, self.due, over=self.over)

    def __str__(self) -> str:
        return f"toy/1 {self.score} {self.due} {'over' if self.over else 'on'}"
