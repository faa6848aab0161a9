"""The deal of a round: how it is drawn from streams, and whether a given one can be.

Drawing and checking are two readings of one rule (3.3, 3.6, D17-D20): the large factory is
filled first, then the small ones in order; when the bag is empty and a tile is needed, the
whole tower is poured in.
"""

from typing import TYPE_CHECKING

from referee.rules import tally
from referee.rules.chance import Chance, Purpose, Stream, pick
from referee.rules.duel import chips as chipset
from referee.rules.duel.components import (
    FACE_LETTERS,
    GOAL_TOKENS,
    HIDDEN_FACE,
    NOBODY,
    SMALL_FACTORIES,
    TILES_ON_LARGE,
    TILES_PER_SMALL,
)
from referee.rules.duel.deal import RoundDeal, letters, plate_text
from referee.rules.duel.plates import PlateStack, plate_of
from referee.rules.errors import InvalidDeal, WrongMoment
from referee.rules.tally import ONE

if TYPE_CHECKING:
    from referee.rules.duel.position import DuelPosition


def is_one_color(tiles: int) -> bool:
    """Return whether these are tiles, and all of one color."""
    return len(tally.colors(tiles)) == 1


class Supply:
    """Bag and tower while a round is taken out of them."""

    __slots__ = ("bag", "tower")

    bag: int
    tower: int

    def __init__(self, bag: int, tower: int) -> None:
        self.bag = bag
        self.tower = tower

    def left(self) -> int:
        """Return how many tiles can still be drawn."""
        return tally.size(self.bag) + tally.size(self.tower)

    def pour(self) -> None:
        """Pour the tower into the bag."""
        self.bag += self.tower
        self.tower = 0

    def put_back(self, tiles: int) -> bool:
        """Put a large factory of one color back; return whether it is drawn again (D17).

        If bag and tower have no other color the same tiles are taken once more.
        """
        self.bag += tiles
        if is_one_color(self.bag):
            self.pour()
        if is_one_color(self.bag):
            self.bag -= tiles
            return False
        return True

    def draw(self, stream: Stream, wanted: int) -> int:
        """Draw so many tiles, or all there are; pour when a tile is needed and none is left.

        The bag has no order of its own: it is read color by color, so the k-th tile is
        found by counting through the colors, and no order exists that could leak.
        """
        tiles = tally.singles(self.bag)
        taken = sum(pick(stream, tiles, min(wanted, len(tiles))))
        self.bag -= taken
        missing = wanted - len(tiles)
        if missing > 0 and self.tower:
            self.pour()
            tiles = tally.singles(self.bag)
            more = sum(pick(stream, tiles, min(missing, len(tiles))))
            self.bag -= more
            taken += more
        return taken

    def take(self, part: str, tiles: int) -> None:
        """Take given tiles out, or raise `InvalidDeal` if a draw cannot bring them."""
        if tally.size(tiles) <= tally.size(self.bag):
            if not tally.contains(self.bag, tiles):
                _refuse(part, tiles, "tiles of the bag", self.bag)
            self.bag -= tiles
            return
        if not tally.contains(tiles, self.bag):
            _refuse(part, tiles, "all tiles of the bag first", self.bag)
        rest = tiles - self.bag
        if not tally.contains(self.tower, rest):
            _refuse(part, rest, "tiles of the tower, the bag being empty", self.tower)
        self.bag, self.tower = self.tower - rest, 0


def _refuse(part: str, tiles: int, source: str, held: int) -> None:
    message = f"{letters(tiles)} cannot be drawn"
    raise InvalidDeal(part, message, f"{source}, {letters(held)}", "D20")


# Drawing -------------------------------------------------------------------------------


def draw_round(position: "DuelPosition", chance: Chance) -> RoundDeal:
    """Draw a whole round: set-up first, then plates, tiles and chips.

    The position does not change. Views do not know what to draw from.
    """
    if position.stack.hidden_entries():
        raise WrongMoment("this view does not know the plates that a draw would bring")
    starter = goals = None
    if position.round == 0:
        starter = position.starter
        if starter == NOBODY:
            starter = chance.stream(Purpose.FIRST_PLAYER).uniform(position.seats)
        if position.random_goals:
            goals = _draw_goals(chance.stream(Purpose.GOALS), position.random_goals)
    display, top = draw_display(position, chance)
    supply = Supply(position.bag, position.tower)
    stream = chance.stream(Purpose.TILES)
    redraws: list[int] = []
    large = supply.draw(stream, TILES_ON_LARGE)
    while is_one_color(large) and supply.put_back(large):
        redraws.append(tally.colors(large)[0])
        large = supply.draw(stream, TILES_ON_LARGE)
    small = [supply.draw(stream, TILES_PER_SMALL) for _ in range(SMALL_FACTORIES)]
    chips = pick(chance.stream(Purpose.CHIPS), chipset.faces(position.supply), SMALL_FACTORIES)
    return RoundDeal(
        large,
        tuple(small),
        tuple(chips),
        display=tuple(display),
        top=top,
        redraws=tuple(redraws),
        starter=starter,
        goals=goals,
    )


def _draw_goals(stream: Stream, number: int) -> tuple[int, ...]:
    """Pick tokens, then a side of each in their order (D25)."""
    tokens = sorted(pick(stream, range(GOAL_TOKENS), number))
    return tuple([2 * token + stream.uniform(2) for token in tokens])


def draw_top(stack: PlateStack, chance: Chance) -> int:
    """Draw the plate that becomes the top of the stack."""
    return pick(chance.stream(Purpose.PLATES), stack.ids(), 1)[0]


def draw_display(position: "DuelPosition", chance: Chance) -> tuple[list[int], int]:
    """Fill up the display; return its new plates and the top to draw, `NOBODY` for none."""
    stack = position.stack.copy()
    display: list[int] = []
    top = NOBODY
    for _ in range(position.display_gaps()):
        if stack.needs_top():
            # Only before the first round: the stack has no top yet.
            stack.lay_top(draw_top(stack, chance))
        display.append(plate_of(stack.take_top()))
        stack.settle()
        top = NOBODY
        if stack.needs_top():
            top = draw_top(stack, chance)
            stack.lay_top(top)
    return display, top


# Checking ------------------------------------------------------------------------------


def deal_round(position: "DuelPosition", deal: RoundDeal) -> None:
    """Lay out a given round, or raise `InvalidDeal` and leave the position as it was."""
    starter = _check_starter(position, deal)
    goals = _check_goals(position, deal)
    stack = position.stack.copy()
    _fill_display(stack, deal, position.display_gaps())
    bag, tower = _check_tiles(deal, position.bag, position.tower)
    supply = _check_chips(deal, position.supply)
    position.starter = starter
    position.goals = goals
    position.stack = stack
    position.display = tuple(sorted(position.display + deal.display))
    position.bag, position.tower = bag, tower
    position.supply = supply
    position.sun = [*deal.small, deal.large]
    position.chips = list(deal.chips)
    position.revealed = 0
    for factory, tiles in enumerate(deal.small):
        if not tiles:
            # 3.6.3: nothing lies on this chip, so it lies open.
            position.revealed |= 1 << factory
    position.tiles_left = sum([tally.size(tiles) for tiles in position.sun])
    position.chips_left = SMALL_FACTORIES
    position.round += 1


def _check_starter(position: "DuelPosition", deal: RoundDeal) -> int:
    """Return who starts: whoever must, or else whoever the deal names (3.3.5, 3.6.4)."""
    expected = position.next_starter()
    if expected == NOBODY:
        if deal.starter is None:
            raise InvalidDeal("starter", "nobody is named", "seat 0 or 1", "3.3.5")
        return deal.starter
    if deal.starter not in (None, expected):
        raise InvalidDeal("starter", f"{deal.starter} cannot start", str(expected), "3.6.4")
    return expected


def _check_goals(position: "DuelPosition", deal: RoundDeal) -> tuple[int, ...]:
    """Return the goals in play: those that are named, or those that chance brings (D25)."""
    if position.round == 0 and position.random_goals:
        wanted = position.random_goals
        if deal.goals is None:
            raise InvalidDeal("goals", "they are missing", f"{wanted} goals", "D25")
        tokens = [goal // 2 for goal in deal.goals]
        if len(tokens) != wanted or tokens != sorted(set(tokens)):
            expected = f"{wanted} goals, in order, of different tokens"
            raise InvalidDeal("goals", f"{len(tokens)} goals are drawn", expected, "D25")
        return deal.goals
    if deal.goals is not None and deal.goals != position.goals:
        raise InvalidDeal("goals", "they are not drawn now", "the goals in play", "D25")
    return position.goals


def _fill_display(stack: PlateStack, deal: RoundDeal, gaps: int) -> None:
    """Take the new plates of the display off the stack, and lay its new top."""
    if len(deal.display) != gaps:
        message = f"{len(deal.display)} plates are added"
        raise InvalidDeal("display", message, f"{gaps} plates", "3.6.1")
    for plate in deal.display:
        to_display(stack, plate)
    new_top(stack, deal.top)


def to_display(stack: PlateStack, plate: int) -> None:
    """Turn the top of the stack over, or the plate that chance lets become it."""
    fits = stack.may_become_top(plate) if stack.needs_top() else stack.can_be(plate, stack.top)
    if not fits:
        expected = "a plate that can be on top of the stack"
        raise InvalidDeal("display", f"plate {plate} cannot come", expected, "3.3.1")
    stack.see(plate)
    stack.take_top()
    stack.settle()


def new_top(stack: PlateStack, plate: int) -> None:
    """Lay the new top of the stack where chance must name one."""
    if not stack.needs_top():
        if plate != NOBODY:
            raise InvalidDeal("top", "no top is to be drawn", "none", "3.3.1")
        return
    if plate == NOBODY or not stack.may_become_top(plate):
        message = f"{plate_text(plate)} cannot be the top of the stack"
        raise InvalidDeal("top", message, "a plate that is still unseen", "3.3.1")
    stack.lay_top(plate)


def _check_tiles(deal: RoundDeal, bag: int, tower: int) -> tuple[int, int]:
    """Return bag and tower after the deal, or raise `InvalidDeal` if they cannot give it."""
    supply = Supply(bag, tower)
    for color in deal.redraws:
        tiles = TILES_ON_LARGE * ONE[color]
        # Five alike are put back only while another color is there to be drawn.
        supply.take("redraws", tiles)
        if not supply.put_back(tiles):
            raise InvalidDeal("redraws", "no other color is left", "no redraw", "D17")
    wanted = min(TILES_ON_LARGE, supply.left())
    if tally.size(deal.large) != wanted:
        message = f"the large factory holds {letters(deal.large)}"
        raise InvalidDeal("large", message, f"{wanted} tiles", "3.3.2")
    supply.take("large", deal.large)
    if is_one_color(deal.large) and supply.put_back(deal.large):
        raise InvalidDeal("large", "it has one color only", "a redraw", "D17")
    for index, tiles in enumerate(deal.small):
        wanted = min(TILES_PER_SMALL, supply.left())
        if tally.size(tiles) != wanted:
            message = f"small factory {index} holds {letters(tiles)}"
            raise InvalidDeal("small", message, f"{wanted} tiles", "D20")
        supply.take("small", tiles)
    return supply.bag, supply.tower


def _check_chips(deal: RoundDeal, supply: int) -> int:
    """Return the chips left for later rounds, or raise `InvalidDeal`.

    A chip that lies face down in a view is still among those left.
    """
    for tiles, face in zip(deal.small, deal.chips, strict=True):
        if face == HIDDEN_FACE:
            if not tiles:
                raise InvalidDeal("chips", "a chip lies open", "its face", "3.6.3")
        elif not chipset.count(supply, face):
            message = f"no {FACE_LETTERS[face]} chip is left"
            raise InvalidDeal("chips", message, "chips that are left", "3.2.3")
        else:
            supply -= chipset.ONE_CHIP[face]
    return supply
