"""Perft: counts all sequences of so many moves, and digests the positions they end in.

The count says whether two engines agree on which moves are legal. It is nearly blind to
scores, which seldom decide what is legal, so a digest of the leaves stands beside it: the sum, over
every sequence, of the first 8 bytes of SHA-256 of the last position's notation, modulo
2^64. A sum has no order, so an engine may walk the tree as it likes. docs/perft.md defines
both for other engines.

Only moves of seats count as depth. Deals must be pinned, one after the other along each
sequence: `Pins` has them, or the streams that draw them. Nothing here knows any game; it
plays through the interface that every ruleset has.
"""

# Not compiled: it plays positions of any kind, plain ones too, and its time goes into theirs.

import hashlib
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass

from referee.rules.chance import Chance, Purpose, Stream
from referee.rules.errors import (
    DealNotPinned,
    InvalidDeal,
    PerftError,
    PinnedDealRefused,
    shown,
)
from referee.rules.interface import CHANCE, Deal, Move, Position

MAX_DEPTH = 64
DIGEST_BYTES = 8
DIGEST_MODULUS = 1 << (8 * DIGEST_BYTES)

# How many inner positions are kept to be merged, at 500 to 700 bytes each. When there are
# more, all are forgotten and the next ones kept, which did better than keeping the first.
MERGED_POSITIONS = 250_000


@dataclass(frozen=True)
class Pins:
    """Which deals a tree meets.

    The n-th deal of a sequence, from 1, is the n-th of ``deals``. Beyond them ``streams``
    is asked for fresh streams of number n, and the deal is drawn from those: it depends on
    n and the position alone, not on how the position was reached.
    """

    deals: Sequence[Deal] = ()
    streams: Callable[[int], Chance] | None = None


NO_PINS = Pins()


@dataclass(frozen=True)
class Leaves:
    """How many sequences there are, and the digest of where they end, if it was asked for."""

    count: int
    digest: int | None

    @property
    def digest_text(self) -> str:
        """The digest as it is written: 16 hexadecimal digits, or ``-`` for none."""
        return "-" if self.digest is None else f"{self.digest:0{2 * DIGEST_BYTES}x}"


def perft(
    position: Position, depth: int, pins: Pins = NO_PINS, *, with_digest: bool = True
) -> Leaves:
    """Return the leaves after exactly so many moves; a game that ends earlier has none there.

    A leaf is the position right after the last move, before any deal that comes next. Raises
    `DealNotPinned` or `PinnedDealRefused` where a sequence cannot go on.
    """
    _check_depth(depth)
    tree = _Tree(pins, with_digest=with_digest)
    return tree.as_leaves(*tree.leaves(position.copy(), depth, 0))


def divide(
    position: Position, depth: int, pins: Pins = NO_PINS, *, with_digest: bool = True
) -> Iterator[tuple[Move, Leaves]]:
    """Yield every first move in the published order with its part of `perft`.

    At depth 0 there is no first move, and nothing is yielded.
    """
    _check_depth(depth)
    if depth == 0:
        return
    tree = _Tree(pins, with_digest=with_digest)
    start = position.copy()
    dealt = tree.deal(start, 0)
    for move in start.legal_moves():
        yield move, tree.as_leaves(*tree.after(start, move, depth, dealt))


def total(parts: Iterable[Leaves], *, with_digest: bool = True) -> Leaves:
    """Return the leaves of all parts together."""
    count = digest = 0
    for part in parts:
        count += part.count
        digest += part.digest or 0
    return Leaves(count, digest % DIGEST_MODULUS if with_digest else None)


def leaf_digest(position: Position) -> int:
    """Return what one leaf adds to a digest."""
    hashed = hashlib.sha256(str(position).encode("ascii")).digest()
    return int.from_bytes(hashed[:DIGEST_BYTES], "big")


def _check_depth(depth: int) -> None:
    if not isinstance(depth, int) or isinstance(depth, bool) or not 0 <= depth <= MAX_DEPTH:
        raise PerftError(f"a depth is a number from 0 to {MAX_DEPTH}, not {shown(depth)}")


class _NoStreams:
    """Streams for what is determined; to draw from them is the error they are made with."""

    def __init__(self, error: DealNotPinned) -> None:
        self._error = error

    def stream(self, purpose: Purpose) -> Stream:  # noqa: ARG002  there is none for any purpose
        raise self._error


class _Tree:
    """One walk through a tree, depth first, with the inner positions it has met.

    Two sequences that lead to equal positions with equally many moves to go and equally many
    deals behind them have the same leaves below, so the second one takes over what the first
    one found. That is exact for count and digest. The leaves themselves are never kept.

    Leaves are pairs of numbers here, the digest being 0 where none is asked for.
    """

    def __init__(self, pins: Pins, *, with_digest: bool) -> None:
        self._pins = pins
        self._with_digest = with_digest
        # The moves that led here, for errors.
        self._moves: list[Move] = []
        self._merged: dict[tuple[int, int, str], tuple[int, int]] = {}
        # Writing a position costs more than listing its moves: where leaves are only counted,
        # a position whose moves are the leaves is not worth merging.
        self._merged_from = 1 if with_digest else 2

    def as_leaves(self, count: int, digest: int) -> Leaves:
        """Return a pair of numbers as the value that callers get."""
        return Leaves(count, digest if self._with_digest else None)

    def leaves(self, position: Position, depth: int, dealt: int) -> tuple[int, int]:
        """Return the leaves below a position, which this may change."""
        if depth == 0:
            return 1, leaf_digest(position) if self._with_digest else 0
        # Equal positions come from the same moves in another order, which takes a seat that
        # has moved twice, or from rounds that came to the same. Looking for them earlier would
        # only make small trees slower.
        met_before = len(self._moves) > position.seats or position.actor == CHANCE
        if depth < self._merged_from or not met_before:
            return self._sum(position, depth, dealt)
        key = (depth, dealt, str(position))
        found = self._merged.get(key)
        if found is None:
            found = self._sum(position, depth, dealt)
            if len(self._merged) >= MERGED_POSITIONS:
                self._merged.clear()
            self._merged[key] = found
        return found

    def _sum(self, position: Position, depth: int, dealt: int) -> tuple[int, int]:
        dealt = self.deal(position, dealt)
        moves = position.legal_moves()
        if depth == 1 and not self._with_digest:
            return len(moves), 0
        count = digest = 0
        for move in moves:
            more, part = self.after(position, move, depth, dealt)
            count += more
            digest += part
        return count, digest % DIGEST_MODULUS

    def after(self, position: Position, move: Move, depth: int, dealt: int) -> tuple[int, int]:
        """Return the leaves of the sequences that go on with that move."""
        after = position.copy()
        after.play(move)
        self._moves.append(move)
        found = self.leaves(after, depth - 1, dealt)
        self._moves.pop()
        return found

    def deal(self, position: Position, dealt: int) -> int:
        """Make the deals that are due; return how many the sequence has then had."""
        while position.actor == CHANCE:
            dealt += 1
            if dealt <= len(self._pins.deals):
                try:
                    position.deal(self._pins.deals[dealt - 1])
                except InvalidDeal as error:
                    raise PinnedDealRefused(dealt, self._sequence(), str(error)) from error
            elif self._pins.streams is not None:
                position.deal(position.draw(self._pins.streams(dealt)))
            else:
                # What the position knows itself needs no streams, and so no pin.
                position.deal(position.draw(_NoStreams(DealNotPinned(dealt, self._sequence()))))
        return dealt

    def _sequence(self) -> tuple[str, ...]:
        return tuple([str(move) for move in self._moves])
