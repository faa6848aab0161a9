"""The table of Azul Duel: factories, plates, chips, boards, bag, tower, whose turn.

`play` and `deal` change it in place; what the rules force after a move happens inside them.
A fact that comes to light in the middle of a round (a new top of the stack, the plates a
seat drew, a chip below an emptied stack) arrives as a deal of its own: the table then waits
for `CHANCE`, and `due` says for what. So a view of the table, which does not know that fact
before, goes through the same steps as the table itself.
"""

from typing import Final

from referee.native.hints import i64
from referee.rules import tally
from referee.rules.duel import (
    dealing,
    ending,
    notation,
    offer,
    plate_turns,
    refusals,
    taking,
    tiling,
    uncovering,
)
from referee.rules.duel import layout as layouts
from referee.rules.duel.board import DuelBoard, empty_board
from referee.rules.duel.chips import ALL_CHIPS, ONE_CHIP
from referee.rules.duel.components import (
    CHIPS_PER_ROUND,
    DISPLAY_SIZE,
    FULL_BAG,
    HIDDEN_FACE,
    LARGE,
    NOBODY,
    ROUNDS,
    SEATS,
    SMALL_FACTORIES,
    TOKENS_PER_ROUND,
)
from referee.rules.duel.deal import RoundDeal, Uncovered
from referee.rules.duel.moves import (
    PlaceTile,
    SpendChips,
    TakeChip,
    TakeMoon,
    TakeSun,
)
from referee.rules.duel.phases import (
    BETWEEN,
    CHIPS,
    DISPLAY,
    FACES,
    KEPT,
    NOTHING,
    OPENING,
    ROUND,
    TOP,
    TURN,
)
from referee.rules.duel.plates import PlateStack, full_stack
from referee.rules.errors import InvalidDeal, WrongMoment
from referee.rules.interface import CHANCE, OVER, Deal, Move, Outcome, Position
from referee.rules.tally import WIDTH


class DuelPosition(Position):
    """A table of two seats.

    goals         the goals in play; empty until chance has chosen them
    random_goals  how many goals chance chooses, 0 if they are named
    starter       who starts, or started, the round; `NOBODY` before a random first deal
    first         who holds the first-player tile; `NOBODY`: it lies on the large factory
    mover         the seat whose turn it is, also while something is due
    phase, due    what the mover chooses, and what must come to light before (`phases`)
    line          the pattern line that is tiled
    kept          the plate being kept: index among the drawn, slot and rotation
    display       the open plates, by id
    stack         the plates that lie face down
    sun           a tally per factory, the large one at index `LARGE`
    stacks        the piles on the moon sides of the small factories, from the bottom
    moon          the tally on the moon side of the large factory
    chips         the face of the chip on each small factory, `NOBODY` for none
    revealed      the small factories whose chip lies open, as bits
    supply        the chips that are still to come, and in a view those that lie face down
    tiles_left, chips_left   how many tiles and chips all factories hold together
    """

    __slots__ = (
        "actor",
        "bag",
        "boards",
        "chips",
        "chips_left",
        "display",
        "due",
        "first",
        "goals",
        "kept",
        "line",
        "moon",
        "mover",
        "phase",
        "random_goals",
        "revealed",
        "revision",
        "round",
        "seats",
        "stack",
        "stacks",
        "starter",
        "sun",
        "supply",
        "tiles_left",
        "tower",
    )

    revision: i64
    seats: i64
    goals: tuple[int, ...]
    random_goals: i64
    round: i64
    actor: i64
    starter: i64
    first: i64
    mover: i64
    phase: i64
    due: i64
    line: i64
    kept: tuple[int, int, int]
    display: tuple[int, ...]
    stack: PlateStack
    sun: list[int]
    stacks: list[tuple[int, ...]]
    moon: i64
    chips: list[int]
    revealed: i64
    supply: i64
    bag: i64
    tower: i64
    tiles_left: i64
    chips_left: i64
    boards: list[DuelBoard]

    # There is no __init__: `new_table` and `copy` set every field themselves, which keeps
    # copies cheap, plain and compiled.

    def copy(self) -> "DuelPosition":
        """Return an independent position that is equal to this one."""
        new = DuelPosition()
        new.revision = self.revision
        new.seats = self.seats
        new.goals = self.goals
        new.random_goals = self.random_goals
        new.round = self.round
        new.actor = self.actor
        new.starter = self.starter
        new.first = self.first
        new.mover = self.mover
        new.phase = self.phase
        new.due = self.due
        new.line = self.line
        new.kept = self.kept
        new.display = self.display
        new.stack = self.stack.copy()
        new.sun = self.sun[:]
        new.stacks = self.stacks[:]
        new.moon = self.moon
        new.chips = self.chips[:]
        new.revealed = self.revealed
        new.supply = self.supply
        new.bag = self.bag
        new.tower = self.tower
        new.tiles_left = self.tiles_left
        new.chips_left = self.chips_left
        new.boards = [board.copy() for board in self.boards]
        return new

    def __eq__(self, other: object) -> bool:
        # The notation holds every fact exactly once, so it decides.
        return isinstance(other, DuelPosition) and str(self) == str(other)

    # A position changes in place, so it must not be a key.
    __hash__ = None  # type: ignore[assignment]

    def __str__(self) -> str:
        return notation.format_position(self)

    def __repr__(self) -> str:
        return f"DuelPosition({str(self)!r})"

    def view(self, seat: object) -> "DuelPosition":
        """Return the table without the faces that the seat has not seen (D3)."""
        self.check_seat(seat)
        new = self.copy()
        new.stack = self.stack.view(seat if isinstance(seat, int) else None)
        for factory in range(SMALL_FACTORIES):
            face = self.chips[factory]
            if face not in (NOBODY, HIDDEN_FACE) and not self.revealed >> factory & 1:
                new.chips[factory] = HIDDEN_FACE
                new.supply += ONE_CHIP[face]
        return new

    def layout(self) -> bytes:
        """Return the table as bytes of a fixed layout (docs/transcript.md)."""
        return layouts.layout(self)

    @property
    def scores(self) -> tuple[int, ...]:
        """The score of every seat, without the goals of the end."""
        return (self.boards[0].score, self.boards[1].score)

    # Moves -----------------------------------------------------------------------------

    def can_draw(self) -> bool:
        """Return whether the mover may draw a plate: for a point, or free as D1 says."""
        if self.stack.is_empty():
            return False
        if self.boards[self.mover].score > 0:
            return True
        return self.phase == TURN and not self.display

    def moon_colors(self) -> list[int]:
        """Return the colors that lie open on the moon sides, in order."""
        present = (self.moon + tally.TO_GUARD) & tally.GUARD
        for stack in self.stacks:
            if stack:
                present |= _TOP_BITS[stack[-1]]
        return list(tally.PRESENT[present])

    def legal_moves(self) -> list[Move]:
        """Return the legal moves in the published order (docs/notation.md)."""
        return offer.legal_moves(self) if self.actor >= 0 else []

    def check(self, move: object) -> None:
        """Raise `IllegalMove` with the reason unless the move is legal now."""
        refusals.check(self, move)

    def play(self, move: object) -> None:
        """Play a legal move, and all that the rules force after it."""
        if isinstance(move, TakeSun):
            taken = self.sun[move.factory] >> (WIDTH * move.color) & 63
            if not taking.is_legal_sun(self, move, taken):
                refusals.check(self, move)
            self._end_take(taking.take_sun(self, move, taken))
            return
        if isinstance(move, TakeMoon):
            if not taking.is_legal_moon(self, move):
                refusals.check(self, move)
            self._end_take(taking.take_moon(self, move))
            return
        refusals.check(self, move)
        if isinstance(move, TakeChip):
            taking.take_chip(self, move)
            self.end_turn()
        elif isinstance(move, PlaceTile):
            tiling.place(self, move.column)
        elif isinstance(move, SpendChips):
            tiling.spend(self, move.chips)
        else:
            plate_turns.play(self, move)

    # Turns -----------------------------------------------------------------------------

    def wait_for(self, due: i64) -> None:
        """Let chance bring something to light before the mover goes on."""
        self.due = due
        self.actor = CHANCE

    def go_on(self) -> None:
        """Let the mover choose."""
        self.due = NOTHING
        self.actor = self.mover

    def _end_take(self, uncovered: bool) -> None:  # noqa: FBT001  the one thing it depends on
        """End a turn in which tiles were taken; chips that were uncovered are revealed."""
        if uncovered:
            self.wait_for(CHIPS)
        else:
            self.end_turn()

    def uncovered_factories(self) -> list[int]:
        """Return the small factories without a tile whose chip still lies face down."""
        return [
            factory
            for factory in range(SMALL_FACTORIES)
            if self.chips[factory] != NOBODY
            and not self.stacks[factory]
            and not self.sun[factory]
            and not self.revealed >> factory & 1
        ]

    def can_act(self, seat: i64) -> bool:
        """Return whether a seat has any action left in this phase (3.4.8).

        While a tile is left it can be taken, a token can always be used, and without tiles
        every chip lies open.
        """
        if self.tiles_left:
            return True
        board = self.boards[seat]
        return board.tokens > 0 or (self.chips_left > 0 and board.chips_taken < CHIPS_PER_ROUND)

    def end_turn(self) -> None:
        """Pass the turn on; who cannot act is passed over, and nobody else passes (D8)."""
        other = SEATS - 1 - self.mover
        self.phase = TURN
        if self.can_act(other):
            self.mover = other
            self.go_on()
        elif self.can_act(self.mover):
            self.go_on()
        else:
            self.due = NOTHING
            tiling.start(self)

    # The end of a round and of the game -------------------------------------------------

    def end_round(self) -> None:
        """Clear what belongs to one round, and see whether another one follows."""
        for board in self.boards:
            board.chips_taken = 0
        self.phase = BETWEEN
        self.mover = NOBODY
        self.line = 0
        if self.round == ROUNDS:
            self.actor = OVER
        else:
            self.wait_for(ROUND)

    def next_starter(self) -> int:
        """Return who starts the next round; D18: the same if nobody took the tile."""
        return self.starter if self.first == NOBODY else self.first

    def outcome(self) -> Outcome | None:
        """Return the outcome once the game is over, None before."""
        return ending.outcome(self) if self.actor == OVER else None

    # Chance ----------------------------------------------------------------------------

    @property
    def chance_round(self) -> int:
        """The round whose streams the next draw takes from."""
        return self.round + 1 if self.due == ROUND else self.round

    def display_gaps(self) -> int:
        """Return how many plates fill up the display before a round."""
        return min(DISPLAY_SIZE - len(self.display), self.stack.size())

    def draw(self, chance: object) -> Deal:
        """Return the deal these streams give; the streams move on, the position does not."""
        self._require_chance()
        if not hasattr(chance, "stream"):
            raise WrongMoment("a draw takes the streams of one round: streams.round(chance_round)")
        if self.due == ROUND:
            return dealing.draw_round(self, chance)
        return uncovering.draw(self, chance)

    def deal(self, deal: object) -> None:
        """Apply a deal, or raise `InvalidDeal` if it cannot come from this table."""
        self._require_chance()
        if self.due == ROUND:
            if not isinstance(deal, RoundDeal):
                raise InvalidDeal("deal", "it is no deal of a round", "a RoundDeal", "3.3")
            dealing.deal_round(self, deal)
            self._start_round()
            return
        if not isinstance(deal, Uncovered):
            raise InvalidDeal("deal", "it does not fit this moment", "an Uncovered", "3.4")
        due = self.due
        uncovering.uncover(self, deal)
        if due == DISPLAY:
            self._end_opening()
        elif due == TOP:
            plate_turns.draw_again_or_stop(self)
        elif due == FACES:
            self.go_on()
        elif due == KEPT:
            plate_turns.return_or_end(self)
        else:
            self.end_turn()

    def _start_round(self) -> None:
        tokens = TOKENS_PER_ROUND if self.round < ROUNDS else 0
        for board in self.boards:
            board.tokens = tokens
        self.first = NOBODY
        self.phase = TURN
        self.mover = self.starter
        if self.round == 1:
            # 3.3.4: the other seat chooses its opening plate first.
            self.phase = OPENING
            self.mover = SEATS - 1 - self.starter
        # The starter can always act: every round brings chips.
        self.go_on()

    def _end_opening(self) -> None:
        if self.mover == self.starter:
            self.phase = TURN
        self.mover = self.starter
        self.go_on()

    def _require_chance(self) -> None:
        if self.actor != CHANCE:
            what = "the game is over" if self.actor == OVER else f"seat {self.actor} is to move"
            raise WrongMoment(f"nothing is due from chance: {what}")


# A top tile of a color, in the layout of `tally.PRESENT`.
_TOP_BITS: Final = [one << (WIDTH - 1) for one in tally.ONE]


def new_table(
    revision: int, goals: tuple[int, ...], random_goals: int, starter: int
) -> DuelPosition:
    """Return the table before the first deal (3.3)."""
    table = DuelPosition()
    table.revision = revision
    table.seats = SEATS
    table.goals = goals
    table.random_goals = random_goals
    table.round = 0
    table.actor = CHANCE
    table.starter = starter
    table.first = NOBODY
    table.mover = NOBODY
    table.phase = BETWEEN
    table.due = ROUND
    table.line = 0
    table.kept = (0, 0, 0)
    table.display = ()
    table.stack = full_stack()
    table.sun = [0] * (LARGE + 1)
    table.stacks = [()] * SMALL_FACTORIES
    table.moon = 0
    table.chips = [NOBODY] * SMALL_FACTORIES
    table.revealed = 0
    table.supply = ALL_CHIPS
    table.bag = FULL_BAG
    table.tower = 0
    table.tiles_left = 0
    table.chips_left = 0
    table.boards = [empty_board() for _ in range(SEATS)]
    return table
