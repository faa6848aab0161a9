"""Counting sequences: what counts, which deals are met, and that merging changes nothing."""

import hashlib
from collections.abc import Iterator
from itertools import islice

import pytest
from hypothesis import given
from hypothesis import strategies as st

from referee.draws import FixedStreams, RoundStreams
from referee.rules import CHANCE, DealNotPinned, PerftError, PinnedDealRefused, Position
from referee.rules import perft as module
from referee.rules.azul.position import AzulPosition
from referee.rules.perft import MAX_DEPTH, Leaves, Pins, divide, leaf_digest, perft, total
from tests.rules.toy import ToyDeal, ToyPosition
from tests.tables import board, deal, positions, table

# One tile is left, and then a round follows; both seats have a line to tile.
LAST_TILE = table(factories="W,-,-,-,-", boards=[board(lines="B/-/-/-/-"), board(score=3)])
NEXT_ROUND = deal("factories=BBBB,YYYY,RRRR,KKKK,WWWW")
SHORT = table(factories="BBKW,RRKY,-,-,-", center="K")


def seeded(seats: int) -> Pins:
    """Return pins that draw every deal."""
    return Pins(streams=lambda number: FixedStreams(bytes(32), seats).round(number))


def leaf_texts(position: Position, depth: int, pins: Pins, dealt: int = 0) -> Iterator[str]:
    """Yield the notation at the end of every sequence, with nothing merged or bulked."""
    if depth == 0:
        yield str(position)
        return
    while position.actor == CHANCE:
        dealt += 1
        if dealt <= len(pins.deals):
            position.deal(pins.deals[dealt - 1])
        else:
            assert pins.streams is not None
            position.deal(position.draw(pins.streams(dealt)))
    for move in position.legal_moves():
        after = position.copy()
        after.play(move)
        yield from leaf_texts(after, depth - 1, pins, dealt)


def plainly(position: Position, depth: int, pins: Pins) -> Leaves:
    """Count as the definition says."""
    texts = list(leaf_texts(position.copy(), depth, pins))
    hashes = [hashlib.sha256(text.encode()).hexdigest()[:16] for text in texts]
    return Leaves(len(texts), sum(int(digits, 16) for digits in hashes) % 2**64)


def small_depth(position: Position, pins: Pins, most: int) -> int:
    """Return the largest depth up to 7 that has at most so many sequences."""
    depth = 0
    while depth < 7 and perft(position, depth + 1, pins, with_digest=False).count <= most:
        depth += 1
    return depth


# The definition -----------------------------------------------------------------------------


def test_depth_0_is_the_position_itself() -> None:
    """One sequence without a move, also before a deal and after the end."""
    for position in (SHORT, ToyPosition(due=1), ToyPosition(over=True)):
        assert perft(position, 0) == Leaves(1, leaf_digest(position))
        assert list(divide(position, 0)) == []


def test_the_digest_is_a_sum_of_hashes_of_notation() -> None:
    """Modulo 2^64, 8 bytes of each, most significant first."""
    texts = ["toy/1 0 0 on", "toy/1 0 2 on", "toy/1 0 0 over"]
    hashes = [hashlib.sha256(text.encode()).digest()[:8] for text in texts]
    expected = sum(int.from_bytes(part, "big") for part in hashes)
    assert expected >= 2**64
    assert perft(ToyPosition(), 1) == Leaves(3, expected % 2**64)


def test_a_digest_is_written_as_sixteen_digits() -> None:
    """With zeros in front; without a digest a dash."""
    assert Leaves(1, 0xABC).digest_text == "0000000000000abc"
    assert Leaves(1, None).digest_text == "-"


def test_a_leaf_comes_before_the_deal() -> None:
    """So the last move of a round needs no deal, and is not followed by one."""
    after = LAST_TILE.copy()
    (first, *_, last) = after.legal_moves()
    assert perft(LAST_TILE, 1).count == len(LAST_TILE.legal_moves())
    after.play(last)
    assert after.actor == CHANCE
    assert str(last) == "0WF"
    parts = dict(divide(LAST_TILE, 1))
    assert parts[last] == Leaves(1, leaf_digest(after))
    assert parts[first] != parts[last]


def test_a_game_that_ends_earlier_counts_nothing() -> None:
    """Two of three moves go on; the third never counts again."""
    pins = Pins([ToyDeal(0)] * 10)
    assert [perft(ToyPosition(), depth, pins).count for depth in range(5)] == [1, 3, 6, 12, 24]
    assert perft(ToyPosition(over=True), 1) == Leaves(0, 0) == perft(ToyPosition(over=True), 64)
    assert perft(ToyPosition(over=True), 1, with_digest=False) == Leaves(0, None)


def test_the_position_stays_as_it_was() -> None:
    """Counting works on copies, also where a deal is due at once."""
    for position in (SHORT, ToyPosition(due=1)):
        before = str(position)
        perft(position, 2, seeded(2))
        list(divide(position, 2, seeded(2)))
        assert str(position) == before


@pytest.mark.parametrize("depth", [-1, MAX_DEPTH + 1, True, 1.0, "1", None])
def test_depths_that_are_refused(depth: int) -> None:
    """With a sentence that says what a depth is."""
    with pytest.raises(PerftError, match="0 to 64"):
        perft(SHORT, depth)
    with pytest.raises(PerftError, match="0 to 64"):
        list(divide(SHORT, depth))


# Deals --------------------------------------------------------------------------------------


def test_pinned_deals_are_met_in_order() -> None:
    """The n-th deal of a sequence is the n-th pin, two in a row included."""
    pins = Pins([ToyDeal(1), ToyDeal(20), ToyDeal(300), ToyDeal(4000)])
    assert "toy/1 321 0 over" in leaf_texts(ToyPosition(due=1), 2, pins)
    assert perft(ToyPosition(due=1), 2, pins) == plainly(ToyPosition(due=1), 2, pins)


def test_deals_beyond_the_pinned_ones_are_drawn_by_their_number() -> None:
    """Numbers go on counting from the deals that were given, and streams are fresh."""
    asked = []

    def streams(number: int) -> RoundStreams:
        asked.append(number)
        return FixedStreams(bytes(32), 1).round(number)

    position = ToyPosition(due=2)
    pins = Pins([ToyDeal(0)], streams)
    assert perft(position, 1, pins).count == 3
    assert asked == [2]
    expected = ToyPosition(due=1)
    expected.deal(expected.draw(FixedStreams(bytes(32), 1).round(2)))
    assert perft(position, 1, pins) == perft(expected, 1)


def test_a_deal_that_is_not_pinned() -> None:
    """The error names its number and the moves that led to it."""
    with pytest.raises(DealNotPinned, match="deal 1 is due after 0W1, and it is not") as caught:
        perft(LAST_TILE, 2)
    assert (caught.value.number, caught.value.moves) == (1, ("0W1",))
    with pytest.raises(DealNotPinned, match="deal 2 is due before the first move"):
        list(divide(ToyPosition(due=2), 1, Pins([ToyDeal(0)])))


def test_a_pinned_deal_that_does_not_fit() -> None:
    """The error names its number, the moves that led to it, and what is wrong."""
    pins = Pins([ToyDeal(1), ToyDeal(13)])
    with pytest.raises(
        PinnedDealRefused, match="pinned deal 2 does not fit after \\. \\+"
    ) as caught:
        perft(ToyPosition(), 3, pins)
    error = caught.value
    assert (error.number, error.moves) == (2, (".", "+"))
    assert error.problem == "number: it is 13; expected another one (toy)"
    with pytest.raises(PinnedDealRefused, match="before the first move: number: it is 13"):
        perft(ToyPosition(due=1), 1, Pins([ToyDeal(13)]))


def test_pins_that_no_sequence_reaches_do_no_harm() -> None:
    """They are simply left over."""
    assert perft(LAST_TILE, 2, Pins([NEXT_ROUND] * 3)) == perft(LAST_TILE, 2, Pins([NEXT_ROUND]))


# Merging, bulk counts, parts ----------------------------------------------------------------


def test_equal_positions_after_different_numbers_of_deals_stay_apart() -> None:
    """A deal of 0 leaves no trace in the position, but the next deal is another one."""
    pins = Pins([ToyDeal(0), ToyDeal(0), *(ToyDeal(7**n) for n in range(12))])
    assert perft(ToyPosition(), 6, pins) == plainly(ToyPosition(), 6, pins)


@given(positions())
def test_merging_changes_nothing(position: Position) -> None:
    """In any position of any ruleset, count and digest are those of the definition."""
    pins = seeded(position.seats)
    depth = small_depth(position, pins, 400)
    assert perft(position, depth, pins) == plainly(position, depth, pins)


@given(positions(), st.integers(1, 3))
def test_forgetting_changes_nothing(position: Position, room: int) -> None:
    """However few positions are kept."""
    pins = seeded(position.seats)
    depth = small_depth(position, pins, 400)
    kept = perft(position, depth, pins)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(module, "MERGED_POSITIONS", room)
        assert perft(position, depth, pins) == kept


def test_positions_are_merged(monkeypatch: pytest.MonkeyPatch) -> None:
    """A position that is met again is not looked into again, so fewer leaves are digested."""
    digested = []

    def counting(position: Position) -> int:
        digested.append(position)
        return 0

    monkeypatch.setattr(module, "leaf_digest", counting)
    leaves = perft(table(factories="-,-,-,-,-", center="BYRKW"), 4)
    assert len(digested) < leaves.count * 0.8


def test_rounds_that_came_to_the_same_are_merged() -> None:
    """Who dropped which of two tiles is forgotten with the round, and one deal is drawn for both."""
    position = table(center="BY", marker="0", boards=[board(floor="M"), board()])
    drawn = []

    def streams(number: int) -> RoundStreams:
        drawn.append(number)
        return FixedStreams(bytes(32), 2).round(number)

    pins = Pins(streams=streams)
    assert perft(position, 3, pins) == plainly(position, 3, seeded(2))
    ends = set(leaf_texts(position.copy(), 2, Pins()))
    assert len(drawn) == len(ends) < perft(position, 2).count


def test_no_more_positions_are_kept_than_the_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    """However large the tree is."""
    monkeypatch.setattr(module, "MERGED_POSITIONS", 50)
    position = table(center="BYRKW")
    sizes = []
    tree = module._Tree(Pins(), with_digest=True)

    def counting(position: Position) -> int:
        sizes.append(len(tree._merged))
        return 0

    monkeypatch.setattr(module, "leaf_digest", counting)
    tree.leaves(position, 4, 0)
    assert max(sizes) == 50


@pytest.mark.parametrize(("depth", "with_digest"), [(3, True), (4, False)])
def test_small_trees_write_nothing_but_their_leaves(
    depth: int, with_digest: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Where sequences cannot meet yet, merging costs nothing; counts alone come in bulk."""
    position = table(center="BYRKW")
    written = []
    write = AzulPosition.__str__

    def counting(position: AzulPosition) -> str:
        written.append(position)
        return write(position)

    monkeypatch.setattr(AzulPosition, "__str__", counting)
    leaves = perft(position, depth, with_digest=with_digest)
    assert len(written) == (leaves.count if with_digest else 0)


@given(positions())
def test_parts_make_up_the_whole(position: Position) -> None:
    """One part for every first move, in the published order, with and without a digest."""
    pins = seeded(position.seats)
    depth = max(1, small_depth(position, pins, 400))
    whole = perft(position, depth, pins)
    parts = list(divide(position, depth, pins))
    start = position.copy()
    if start.actor == CHANCE:
        assert pins.streams is not None
        start.deal(start.draw(pins.streams(1)))
    assert [move for move, _ in parts] == start.legal_moves()
    assert total(part for _, part in parts) == whole
    counts = list(divide(position, depth, pins, with_digest=False))
    assert total((part for _, part in counts), with_digest=False) == Leaves(whole.count, None)
    assert perft(position, depth, pins, with_digest=False) == Leaves(whole.count, None)


def test_a_part_without_leaves_adds_nothing() -> None:
    """Neither to the count nor to the digest."""
    assert total([Leaves(0, 0), Leaves(2, 5)]) == Leaves(2, 5)


def test_a_part_is_what_follows_its_move() -> None:
    """The same as counting from the position after it, one move less."""
    for move, part in islice(divide(SHORT, 3), 5):
        after = SHORT.copy()
        after.play(move)
        assert part == perft(after, 2)
