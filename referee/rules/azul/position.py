"""The table of Azul and Master Chocolatier: offer, boards, bag, lid, whose turn.

`play` and `deal` change it in place; what the rules force after a move (tiling a
colored wall, a gray tile with one column, penalties, the end of the game) happens
inside them. The order of the fields and of the moves is published in docs/notation.md.
"""

from referee.native.hints import i64
from referee.rules import tally
from referee.rules.azul import deal as dealing
from referee.rules.azul import ending, floor, notation, refusals, tiling
from referee.rules.azul import layout as layouts
from referee.rules.azul.board import Board, empty_board
from referee.rules.azul.components import (
    CENTER,
    FLOOR,
    FULL_BAG,
    KEEP,
    MAX_FACTORIES,
    NOBODY,
    PLUS_ONE,
    ROWS,
    SHIELD,
    SPREAD,
    factories_for,
)
from referee.rules.azul.deal import RoundDeal
from referee.rules.azul.moves import PLACES, TAKES, Place, Take, spread_takes
from referee.rules.azul.special import act_on_deal, neighbors
from referee.rules.azul.variant import Variant
from referee.rules.chance import Purpose
from referee.rules.errors import InvalidDeal, WrongMoment
from referee.rules.interface import (
    CHANCE,
    OVER,
    Move,
    Outcome,
    Position,
    Termination,
)
from referee.rules.tally import ONE, WIDTH


class AzulPosition(Position):
    """A table of two to four seats.

    sources       a tally per factory, and the center at index `CENTER`
    on_offer      how many tiles the sources hold together
    special       whether factories of Chocolatier may lie there, as the variant says
    gold          disc number per factory, 0 for a blue side
    spread        where the spread factory lies, or `NOBODY`
    starter       who starts, or started, the round; `NOBODY` before a random first deal
    marker        who took the first-player marker this round; `NOBODY`: in the center
    shield_owner  who owns the shield factory this round, or `NOBODY`
    shield_tile   the color of the tile on it, or `NOBODY`
    """

    __slots__ = (
        "actor",
        "bag",
        "boards",
        "gold",
        "lid",
        "marker",
        "on_offer",
        "round",
        "round_cap",
        "seats",
        "shield_owner",
        "shield_tile",
        "sources",
        "special",
        "spread",
        "starter",
        "variant",
    )

    variant: Variant
    round_cap: int | None
    starter: i64
    marker: i64
    bag: i64
    lid: i64
    sources: list[i64]
    on_offer: i64
    special: bool
    gold: tuple[int, ...]
    spread: i64
    shield_owner: i64
    shield_tile: i64
    boards: list[Board]

    # There is no __init__: `new_table` and `copy` set every field themselves, which keeps
    # copies cheap, plain and compiled.

    def copy(self) -> "AzulPosition":
        """Return an independent position that is equal to this one."""
        new = AzulPosition()
        new.variant = self.variant
        new.seats = self.seats
        new.round_cap = self.round_cap
        new.round = self.round
        new.actor = self.actor
        new.starter = self.starter
        new.marker = self.marker
        new.bag = self.bag
        new.lid = self.lid
        new.sources = self.sources[:]
        new.on_offer = self.on_offer
        new.special = self.special
        new.gold = self.gold
        new.spread = self.spread
        new.shield_owner = self.shield_owner
        new.shield_tile = self.shield_tile
        new.boards = [board.copy() for board in self.boards]
        return new

    def __eq__(self, other: object) -> bool:
        # The notation holds every fact exactly once, so it decides.
        return isinstance(other, AzulPosition) and str(self) == str(other)

    # A position changes in place, so it must not be a key.
    __hash__ = None  # type: ignore[assignment]

    def __str__(self) -> str:
        return notation.format_position(self)

    def __repr__(self) -> str:
        return f"AzulPosition({str(self)!r})"

    def view(self, seat: object) -> "AzulPosition":
        """Return all of it: Azul hides nothing but the draws to come (A17)."""
        self.check_seat(seat)
        return self.copy()

    def layout(self) -> bytes:
        """Return the table as bytes of a fixed layout (docs/transcript.md)."""
        return layouts.layout(self)

    @property
    def scores(self) -> tuple[int, ...]:
        """The score of every seat, without the bonuses of the end."""
        return tuple(board.score for board in self.boards)

    @property
    def factories(self) -> int:
        """How many factories lie in the circle."""
        return len(self.gold)

    # Moves -----------------------------------------------------------------------------

    def legal_moves(self) -> list[Move]:
        """Return factories ascending then the center, colors in order, lines then floor.

        When a gray wall is tiled: the columns of the first full line, ascending.
        """
        if self.on_offer == 0:
            return self._list_places()
        moves: list[Move] = []
        # Where the takes of each color begin in `TAKES`: its open lines are the same for
        # every source. Five colors by name, because this is the most called of all loops.
        lines = self.boards[self.actor].open_lines
        blue = lines & 31
        yellow = 32 + (lines >> 6 & 31)
        red = 64 + (lines >> 12 & 31)
        black = 96 + (lines >> 18 & 31)
        white = 128 + (lines >> 24 & 31)
        spread = self.spread
        source: i64
        held: i64
        for source, held in enumerate(self.sources):
            if not held:
                continue
            if source == spread:
                self._list_spread_takes(source, moves)
                continue
            takes = TAKES[source]
            if held & 63:
                moves += takes[blue]
            if held & 63 << 6:
                moves += takes[yellow]
            if held & 63 << 12:
                moves += takes[red]
            if held & 63 << 18:
                moves += takes[black]
            if held & 63 << 24:
                moves += takes[white]
        return moves

    def _list_places(self) -> list[Move]:
        if self.actor < 0:
            return []
        row, color = self.tiling_choice()
        places = PLACES[row]
        return [places[column] for column in self.boards[self.actor].free_columns(row, color)]

    def _list_spread_takes(self, source: i64, moves: list[Move]) -> None:
        """Add the takes from the spread factory: one for every division of the rest."""
        board = self.boards[self.actor]
        present = tally.colors(self.sources[source])
        everything = sum(1 << color for color in present)
        for color in present:
            for line in range(FLOOR + 1):
                if board.is_open(line, color):
                    moves += spread_takes(source, color, line, everything ^ 1 << color)

    def check(self, move: object) -> None:
        """Raise `IllegalMove` with the reason unless the move is legal now."""
        refusals.check(self, move)

    def play(self, move: object) -> None:
        """Play a legal move, and all that the rules force after it."""
        if not isinstance(move, Take):
            refusals.check(self, move)
            assert isinstance(move, Place)
            tiling.place(self, move)
            return
        source = move.source
        color = move.color
        line = move.line
        shift = WIDTH * color
        sources = self.sources
        held: i64 = sources[source]
        taken = held >> shift & 63
        seat = self.actor
        board = self.boards[seat]
        # The two facts that make an ordinary take legal; what is wrong, if anything, and
        # whatever concerns a split, is for the full check to say.
        if not taken or not board.open_lines >> (shift + line) & 1 or move.left | move.right:
            refusals.check(self, move)
        rest = held - (taken << shift)
        if source == CENTER:
            sources[CENTER] = rest
            if self.marker == NOBODY:
                floor.take_marker(self, board)
        elif self.special and self.gold[source]:
            self._leave_on_gold(move, rest)
        else:
            center: i64 = sources[CENTER]
            sources[source] = 0
            sources[CENTER] = center + rest
        if line == FLOOR:
            floor.drop(self, seat, color, taken)
        else:
            surplus = board.add_to_line(line, color, taken)
            if surplus:
                floor.drop(self, seat, color, surplus)
        self.on_offer -= taken
        # A5: the phase ends when no tile is left, wherever the marker is.
        if self.on_offer:
            seat += 1
            self.actor = 0 if seat == self.seats else seat
        else:
            self.actor = self.starter
            tiling.tile(self)

    def _leave_on_gold(self, move: Take, rest: int) -> None:
        """Leave the tiles that were not taken where the gold disc sends them (2.3)."""
        source = move.source
        sources = self.sources
        disc = self.gold[source]
        if disc == SPREAD and rest:
            refusals.check(self, move)
            left, right = neighbors(source, self.factories, self.absent_factory())
            sources[source] = 0
            for color in tally.colors(rest):
                side = left if move.left >> color & 1 else right
                sources[side] += tally.count(rest, color) << (WIDTH * color)
            return
        if disc == KEEP:
            sources[source] = rest
            return
        sources[source] = 0
        sources[CENTER] += rest
        if disc == SHIELD:
            # C10, C15: owned at once, before the taken tiles are laid.
            self.shield_owner = self.actor

    def absent_factory(self) -> int:
        """Return the place of a shield factory that somebody owns this round, or -1."""
        return NOBODY if self.shield_owner == NOBODY else self.gold.index(SHIELD)

    # The end of a round and of the game -------------------------------------------------

    def tiling_choice(self) -> tuple[int, int]:
        """Return row and color of the tile that the actor must place on a gray wall."""
        board = self.boards[self.actor]
        for row in range(ROWS):
            color = board.full_line_color(row)
            if color is not None:
                return row, color
        raise WrongMoment("no full pattern line waits to be tiled")

    def end_round(self) -> None:
        """Bring the shield back (C14), and see whether another round follows."""
        if self.shield_tile != NOBODY:
            self.lid += ONE[self.shield_tile]
        self.shield_owner = self.shield_tile = NOBODY
        self.actor = CHANCE if self.termination() is None else OVER

    def termination(self) -> Termination | None:
        """Return why the game ends if the round is over, None if another one follows."""
        return ending.termination(self.boards, self.round, self.round_cap, self.bag + self.lid)

    def outcome(self) -> Outcome | None:
        """Return the outcome once the game is over, None before."""
        if self.actor != OVER:
            return None
        reason = self.termination()
        assert reason is not None
        return ending.outcome(self.boards, reason)

    # Chance ----------------------------------------------------------------------------

    @property
    def chance_round(self) -> int:
        """The round whose streams the next draw takes from."""
        return self.round + 1

    def next_starter(self) -> int:
        """Return who starts the round about to be dealt; A5: the same if none took the marker."""
        return self.starter if self.marker == NOBODY else self.marker

    def draw(self, chance: object) -> RoundDeal:
        """Return the deal these streams give; the streams move on, the position does not."""
        self._require_chance()
        if not hasattr(chance, "stream"):
            raise WrongMoment("a draw takes the streams of one round: streams.round(chance_round)")
        starter = gold = None
        if self.round == 0:
            starter = self.starter
            if starter == NOBODY:
                starter = chance.stream(Purpose.FIRST_PLAYER).uniform(self.seats)
            if self.special:
                stream = chance.stream(Purpose.SPECIAL_FACTORIES)
                gold = dealing.draw_gold(stream, self.factories, self.seats)
        plus_one = self.special and PLUS_ONE in (gold or self.gold)
        factories, extra = dealing.draw_round(
            chance, self.bag, self.lid, self.factories, plus_one=plus_one
        )
        return RoundDeal(factories, extra, starter, gold)

    def deal(self, deal: object) -> None:
        """Apply a deal, or raise `InvalidDeal` if it cannot come from this table."""
        self._require_chance()
        if not isinstance(deal, RoundDeal):
            raise InvalidDeal("deal", "it is of another game", "a RoundDeal", "1.5")
        gold = self.gold
        if self.round == 0 and self.special:
            gold = dealing.check_gold(deal.gold, self.factories, self.seats)
        elif deal.gold is not None and deal.gold != gold:
            # C1: the gold discs stay for the whole game.
            raise InvalidDeal("gold", "the discs are not drawn now", "the discs that lie", "C1")
        expected = None if self.next_starter() == NOBODY else self.next_starter()
        starter = dealing.check_starter(deal.starter, expected, self.seats)
        plus_one = self.special and PLUS_ONE in gold
        self.bag, self.lid, self.on_offer = dealing.check_round(
            deal, self.bag, self.lid, self.factories, plus_one=plus_one
        )
        if self.round == 0:
            self.set_gold(gold)
        self.sources[: self.factories] = deal.factories
        if self.special:
            act_on_deal(self.sources, gold, deal.extra)
        self.round += 1
        self.starter = self.actor = starter
        self.marker = NOBODY

    def set_gold(self, gold: tuple[int, ...]) -> None:
        """Lay the discs of the circle, which stay for the whole game (C1)."""
        self.gold = gold
        self.spread = gold.index(SPREAD) if SPREAD in gold else NOBODY

    def _require_chance(self) -> None:
        if self.actor != CHANCE:
            what = "the game is over" if self.actor == OVER else f"seat {self.actor} is to move"
            raise WrongMoment(f"no deal is due: {what}")


def new_table(variant: Variant, seats: int, cap: int | None, starter: int) -> AzulPosition:
    """Return the table before the first deal (1.2)."""
    factories = factories_for(seats)
    table = AzulPosition()
    table.variant = variant
    table.seats = seats
    table.round_cap = cap
    table.round = 0
    table.actor = CHANCE
    table.starter = starter
    table.marker = NOBODY
    table.bag = FULL_BAG
    table.lid = 0
    table.sources = [0] * (MAX_FACTORIES + 1)
    table.on_offer = 0
    table.special = variant.special
    table.gold = (0,) * factories
    table.spread = NOBODY
    table.shield_owner = NOBODY
    table.shield_tile = NOBODY
    table.boards = [empty_board() for _ in range(seats)]
    return table
