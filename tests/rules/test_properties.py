"""What holds in every position of every ruleset that play can reach."""

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from referee.draws import FixedStreams
from referee.rules import CHANCE, OVER, RULESETS, Move, Options, Position, UnknownSeat
from tests.games import EVERY_TABLE, positions, seed_bytes, walk

GAMES = [(key, seats, seed) for key, seats in EVERY_TABLE for seed in range(6)]


@pytest.mark.parametrize(("key", "seats", "seed"), GAMES)
def test_every_playout_ends(key: str, seats: int, seed: int) -> None:
    """With an outcome, within the cap, and with moves to choose from until then."""
    for position, _ in walk(key, seats, seed):
        assert (len(position.legal_moves()) > 0) == (position.actor >= 0)
        assert (position.outcome() is None) == (position.actor != OVER)
        assert position.round <= 20
        assert all(score >= 0 for score in position.scores)
    outcome = position.outcome()
    assert outcome is not None
    assert min(outcome.ranks) == 1
    assert set(outcome.winners) == {s for s in range(seats) if outcome.ranks[s] == 1}


@given(positions())
def test_legal_moves_are_legal_and_named_apart(drawn: tuple[str, Position]) -> None:
    """Check accepts each of them, each has a text of its own, and equal texts are equal moves."""
    _, position = drawn
    moves = position.legal_moves()
    assert len({str(move) for move in moves}) == len(set(moves)) == len(moves)
    for move in moves:
        position.check(move)


@given(positions(), st.integers(0, 10_000))
def test_a_copy_is_independent(drawn: tuple[str, Position], seed: int) -> None:
    """Playing one of the two to its end leaves the other as it was."""
    _, position = drawn
    before = str(position)
    for played, kept in ((position.copy(), position), (position, position.copy())):
        assert played == kept
        rng = random.Random(seed)
        streams = FixedStreams(seed_bytes(seed), played.seats)
        while played.actor != OVER:
            if played.actor == CHANCE:
                played.deal(played.draw(streams.round(played.chance_round)))
            else:
                played.play(rng.choice(played.legal_moves()))
        assert str(kept) == before
        assert (played == kept) == (kept.actor == OVER)


@given(positions(), st.integers(0, 100))
def test_notation_round_trip(drawn: tuple[str, Position], seed: int) -> None:
    """Position, views, legal moves and a deal all come back as they were written."""
    key, position = drawn
    rules = RULESETS[key]
    seats = (None, *range(position.seats))
    for shown in (position, *(position.view(seat) for seat in seats)):
        again = rules.parse_position(str(shown))
        assert again == shown
        assert str(again) == str(shown)
        assert again.actor == shown.actor
        assert again.legal_moves() == shown.legal_moves()
    for move in position.legal_moves():
        assert rules.parse_move(str(move)) == move
    if position.actor == CHANCE:
        deal = position.draw(FixedStreams(seed_bytes(seed), position.seats).round(1))
        for seen in (deal, *(deal.view(seat) for seat in seats)):
            assert rules.parse_deal(str(seen)) == seen


@given(positions(), st.integers(0, 100))
def test_a_parsed_position_plays_on_like_the_original(
    drawn: tuple[str, Position], seed: int
) -> None:
    """The text holds everything that matters to the rest of the game."""
    key, position = drawn
    again = RULESETS[key].parse_position(str(position))
    rng = random.Random(seed)
    streams = FixedStreams(seed_bytes(seed), position.seats)
    other = FixedStreams(seed_bytes(seed), position.seats)
    while position.actor != OVER:
        if position.actor == CHANCE:
            position.deal(position.draw(streams.round(position.chance_round)))
            again.deal(again.draw(other.round(again.chance_round)))
        else:
            choice = rng.randrange(len(position.legal_moves()))
            position.play(position.legal_moves()[choice])
            again.play(again.legal_moves()[choice])
        assert str(again) == str(position)
    assert again.outcome() == position.outcome()


@pytest.mark.parametrize(("key", "seats"), EVERY_TABLE)
@pytest.mark.parametrize("seed", range(4))
def test_views_go_through_the_game_like_the_table(key: str, seats: int, seed: int) -> None:
    """A view that is dealt what it may see, and played, stays the view of the table."""
    seen_by = (None, *range(seats))
    views: dict[int | None, Position] = {}
    for position, step in walk(key, seats, seed, builder=seed % 2 == 1):
        for seat in seen_by:
            if step is None:
                views[seat] = position.view(seat)
            elif isinstance(step, Move):
                views[seat].play(step)
            else:
                views[seat].deal(step.view(seat))
            assert str(views[seat]) == str(position.view(seat))
            assert views[seat].actor == position.actor
            assert views[seat].legal_moves() == position.legal_moves()
            assert str(views[seat].view(seat)) == str(views[seat])


@pytest.mark.parametrize(("key", "seats"), EVERY_TABLE)
def test_views_leak_nothing_of_the_draws_to_come(key: str, seats: int) -> None:
    """Two games with the same past and different futures look the same to everybody.

    One game goes on with other keys from round 3 on; up to that deal no view may differ.
    """
    same, other = FixedStreams(seed_bytes(1), seats), FixedStreams(seed_bytes(2), seats)
    left, right = RULESETS[key].initial(seats), RULESETS[key].initial(seats)
    rng = random.Random(3)
    differ = False
    while left.actor != OVER and not differ:
        for seat in (None, *range(seats)):
            assert str(left.view(seat)) == str(right.view(seat))
        if left.actor == CHANCE:
            left.deal(left.draw(same.round(left.chance_round)))
            streams = same if right.chance_round < 3 else other
            right.deal(right.draw(streams.round(right.chance_round)))
            differ = left != right
        else:
            choice = rng.randrange(len(left.legal_moves()))
            left.play(left.legal_moves()[choice])
            right.play(right.legal_moves()[choice])
    # The keys do matter: the test would notice a view that knew them.
    assert differ


@pytest.mark.parametrize("key", RULESETS)
@pytest.mark.parametrize("seat", [-1, 2, 7, True, "0"])
def test_there_is_no_view_for_a_seat_that_is_not_there(key: str, seat: int) -> None:
    """A wrong seat is an error, not an empty view."""
    with pytest.raises(UnknownSeat):
        RULESETS[key].initial(2, Options()).view(seat)
