"""The deal of a round: how it is drawn from streams, and whether a given one can be.

Drawing and checking are two readings of one rule (1.5): factories are filled in order
with four tiles each, and when the bag is empty and a tile is needed the whole lid goes
into the bag (A13). Neither changes a position.
"""

from collections.abc import Sequence
from functools import lru_cache
from typing import Any, Final

from referee.native.hints import i64
from referee.rules import tally
from referee.rules.azul.components import (
    COLOR_LETTERS,
    DISC_NAMES,
    DISCS,
    MAX_SEATS,
    TILES_PER_FACTORY,
)
from referee.rules.chance import Chance, Purpose, Stream, pick
from referee.rules.errors import InvalidDeal, shown
from referee.rules.position import DealValue
from referee.rules.tally import FIELD, ONES, WIDTH

_TILES: Final = Purpose.TILES


class RoundDeal(DealValue):
    """What chance brings at the start of a round.

    ``factories`` is a tally per factory as dealt, before any special factory acts.
    ``extra`` is the color of the plus-one factory's tile, None without one or when no
    tile is left. ``starter`` is given in the first round, and may be named again later.
    ``gold`` is given in the first round of Chocolatier: a disc number per factory, 0 for
    a blue side.
    """

    __slots__ = ("extra", "factories", "gold", "starter")

    factories: tuple[int, ...]
    extra: int | None
    starter: int | None
    gold: tuple[int, ...] | None

    def __init__(
        self,
        factories: object,
        extra: object = None,
        starter: object = None,
        gold: object = None,
    ) -> None:
        _check_numbers("factories", factories, tally.TO_GUARD, "tallies")
        if extra is not None:
            _check_numbers("extra", (extra,), tally.COLORS - 1, "a color")
        if starter is not None:
            _check_numbers("starter", (starter,), MAX_SEATS - 1, "a seat")
        if gold is not None:
            _check_numbers("gold", gold, max(DISCS), "disc numbers")
        self._set("factories", factories)
        self._set("extra", extra)
        self._set("starter", starter)
        self._set("gold", gold)

    def view(self, seat: object) -> "RoundDeal":  # noqa: ARG002
        """Return all of it: everything dealt lies open (A17)."""
        return self

    def __reduce__(self) -> tuple[Any, ...]:
        return RoundDeal, (self.factories, self.extra, self.starter, self.gold)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, RoundDeal):
            return NotImplemented
        return (
            self.factories == other.factories
            and self.extra == other.extra
            and self.starter == other.starter
            and self.gold == other.gold
        )

    def __hash__(self) -> int:
        return hash((self.factories, self.extra, self.starter, self.gold))

    def __repr__(self) -> str:
        return f"RoundDeal({str(self)!r})"

    def __str__(self) -> str:
        parts = ["factories=" + ",".join(letters(tiles) or "-" for tiles in self.factories)]
        if self.extra is not None:
            parts.append(f"extra={COLOR_LETTERS[self.extra]}")
        if self.starter is not None:
            parts.append(f"starter={self.starter}")
        if self.gold is not None:
            parts.append("gold=" + ",".join(DISC_NAMES[disc] for disc in self.gold))
        return " ".join(parts)


def _check_numbers(part: str, values: object, top: int, expected: str) -> None:
    """Raise `InvalidDeal` unless these are numbers of that range, without a guard bit."""
    if type(values) is not tuple:
        raise InvalidDeal(part, f"{shown(values)} is no tuple", expected, "1.5")
    for value in values:
        if type(value) is not int or not 0 <= value <= top or value & tally.GUARD:
            raise InvalidDeal(part, f"there is no {shown(value)}", expected, "1.5")


@lru_cache(maxsize=4096)
def letters(tiles: int) -> str:
    """Return a tally as one letter a tile, in the order of the colors.

    A search writes the same few tallies over and over, so they are kept.
    """
    return "".join(letter * n for letter, n in zip(COLOR_LETTERS, tally.counts(tiles), strict=True))


def draw_gold(stream: Stream, factories: int, seats: int) -> tuple[int, ...]:
    """Lay discs onto the places, then turn as many to gold as there are seats (2.2)."""
    discs = pick(stream, DISCS, factories)
    turned = pick(stream, range(factories), seats)
    return tuple(disc if place in turned else 0 for place, disc in enumerate(discs))


def draw_round(
    chance: Chance, bag: i64, lid: i64, factories: i64, *, plus_one: bool
) -> tuple[tuple[int, ...], int | None]:
    """Draw the tiles of every factory, then the tile of a plus-one factory.

    The bag has no order of its own: it is read color by color, so the k-th tile is found
    by counting through the colors, and no order exists that could leak.
    """
    wanted = factories * TILES_PER_FACTORY + plus_one
    first, second, third, fourth, in_bag = _ends_of_colors(bag)
    stream = chance.stream(_TILES)
    numbers = stream.descend(in_bag, min(wanted, in_bag))
    if wanted > in_bag:
        # A13: the bag is empty and a tile is needed.
        in_lid = tally.size(lid)
        numbers = numbers + stream.descend(in_lid, min(wanted - in_bag, in_lid))
    dealt: list[int] = []
    factory: i64 = 0
    drawn: i64 = 0
    color: i64 = 0
    one: i64 = 1
    at: i64
    for at in numbers:
        if drawn == in_bag:
            first, second, third, fourth, _ = _ends_of_colors(lid)
        # Without the tile, its color and all after it end one place earlier.
        if at < third:
            if at < first:
                color = 0
                first -= 1
                second -= 1
            elif at < second:
                color = 1
                second -= 1
            else:
                color = 2
            third -= 1
            fourth -= 1
        elif at < fourth:
            color = 3
            fourth -= 1
        else:
            color = 4
        factory += one << WIDTH * color
        drawn += 1
        if drawn % TILES_PER_FACTORY == 0:
            dealt.append(factory)
            factory = 0
    if len(dealt) < factories:
        # A15: when the lid is empty too, the last places stay empty.
        dealt.append(factory)
        dealt += [0] * (factories - len(dealt))
    return tuple(dealt), color if plus_one and drawn == wanted else None


def _ends_of_colors(tiles: i64) -> tuple[i64, i64, i64, i64, i64]:
    """Return where each color ends when the tiles are listed color by color."""
    first = tiles & FIELD
    second = first + (tiles >> WIDTH & FIELD)
    third = second + (tiles >> 2 * WIDTH & FIELD)
    fourth = third + (tiles >> 3 * WIDTH & FIELD)
    return first, second, third, fourth, fourth + (tiles >> 4 * WIDTH)


def check_gold(gold: Sequence[int] | None, factories: int, seats: int) -> tuple[int, ...]:
    """Return the gold discs if they can lie there, else raise `InvalidDeal` (2.2)."""
    expected = f"{seats} different gold discs on {factories} factories"
    if gold is None:
        raise InvalidDeal("gold", "the special factories are missing", expected, "2.2")
    if len(gold) != factories:
        raise InvalidDeal("gold", f"{len(gold)} factories are named", expected, "2.2")
    turned = [disc for disc in gold if disc != 0]
    if len(turned) != seats or len(set(turned)) != seats:
        raise InvalidDeal("gold", f"{len(turned)} discs are gold", expected, "2.2")
    return tuple(gold)


def check_starter(starter: int | None, expected: int | None, seats: int) -> int:
    """Return who starts: whoever must, or else whoever the deal names (1.2.5, 1.5.1)."""
    if expected is None:
        if starter is None or not 0 <= starter < seats:
            allowed = f"a seat from 0 to {seats - 1}"
            raise InvalidDeal("starter", f"{starter} cannot start", allowed, "1.2.5")
        return starter
    if starter is not None and starter != expected:
        raise InvalidDeal("starter", f"{starter} cannot start", str(expected), "1.5.1")
    return expected


class _Supply:
    """Bag and lid while a given deal is taken out of them, tile by tile."""

    def __init__(self, bag: int, lid: int) -> None:
        self.bag = bag
        self.lid = lid
        self.in_bag = tally.size(bag)
        self.in_lid = tally.size(lid)

    def left(self) -> int:
        """Return how many tiles can still be drawn."""
        return self.in_bag + self.in_lid

    def take(self, part: str, tiles: int, n: int) -> None:
        """Take n tiles out of the bag; if it has fewer, all of it and the rest of the lid."""
        if n <= self.in_bag:
            if not tally.contains(self.bag, tiles):
                _refuse(part, tiles, "tiles of the bag", self.bag)
            self.bag -= tiles
        else:
            if not tally.contains(tiles, self.bag):
                _refuse(part, tiles, "all tiles of the bag first", self.bag)
            missing = tiles - self.bag
            if not tally.contains(self.lid, missing):
                _refuse(part, missing, "tiles of the lid, the bag being empty", self.lid)
            self.bag, self.lid = self.lid - missing, 0
            self.in_bag, self.in_lid = self.left(), 0
        self.in_bag -= n


def _refuse(part: str, tiles: int, source: str, held: int) -> None:
    message = f"{letters(tiles)} cannot be drawn"
    raise InvalidDeal(part, message, f"{source}, {letters(held) or 'none'}", "A13")


def check_round(
    deal: RoundDeal, bag: i64, lid: i64, factories: i64, *, plus_one: bool
) -> tuple[i64, i64, i64]:
    """Return bag, lid and tiles dealt, or raise `InvalidDeal` if these cannot give it."""
    if len(deal.factories) != factories:
        message = f"{len(deal.factories)} factories are dealt"
        raise InvalidDeal("factories", message, f"{factories} factories", "1.2")
    wanted = factories * TILES_PER_FACTORY
    everything = _sum_if_full(deal.factories)
    if everything and tally.contains(bag, everything):
        # The common case in one look: the bag holds enough for every factory.
        bag -= everything
        if deal.extra is None and not plus_one:
            return bag, lid, wanted
        supply = _Supply(bag, lid)
        before = supply.left() + wanted
    else:
        supply = _Supply(bag, lid)
        before = supply.left()
        _take_factories(deal, supply)
    _check_extra(deal.extra, supply, plus_one=plus_one)
    return supply.bag, supply.lid, before - supply.left()


_MORE_THAN_SEVEN: Final = (FIELD - 7) * ONES


def _sum_if_full(factories: tuple[int, ...]) -> i64:
    """Return the tally of all factories if each holds four tiles, else 0."""
    everything: i64 = 0
    tiles: i64
    for tiles in factories:
        # 64 leaves 1 over when divided by 63, so what a tally leaves over is its size, as
        # long as there are few tiles of each color.
        if tiles & _MORE_THAN_SEVEN or tiles % 63 != TILES_PER_FACTORY:
            return 0
        everything += tiles
    # Nine factories of one color are more than a tally holds.
    return everything if tally.is_tally(everything) else 0


def _take_factories(deal: RoundDeal, supply: _Supply) -> None:
    """Take the factories out of the supply one by one, as they were dealt (A13, A15)."""
    for index, tiles in enumerate(deal.factories):
        wanted = min(TILES_PER_FACTORY, supply.left())
        if tally.size(tiles) != wanted:
            message = f"factory {index} holds {letters(tiles) or 'nothing'}"
            raise InvalidDeal("factories", message, f"{wanted} tiles", "A15")
        supply.take("factories", tiles, wanted)


def _check_extra(extra: int | None, supply: _Supply, *, plus_one: bool) -> None:
    if not plus_one:
        if extra is not None:
            raise InvalidDeal("extra", "there is no plus-one factory", "none", "2.3.1")
    elif supply.left() == 0:
        if extra is not None:
            raise InvalidDeal("extra", "no tile is left for it", "none", "C3")
    elif extra is None:
        raise InvalidDeal("extra", "the plus-one factory gets a tile", "a color", "2.3.1")
    else:
        supply.take("extra", tally.ONE[extra], 1)
