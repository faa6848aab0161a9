"""What holds in every position that play can reach."""

import random
from collections.abc import Iterator
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from referee.draws import FixedStreams, RoundStreams
from referee.rules import CHANCE, OVER, IllegalMove, Move, Options, UnknownSeat, tally
from referee.rules.azul.components import CENTER, FULL_BAG, MAGNET_COLOR, MARKER, NOBODY, SPREAD
from referee.rules.azul.deal import RoundDeal
from referee.rules.azul.moves import Place, Take
from referee.rules.azul.position import AzulPosition
from referee.rules.azul.position_text import tiles_by_place
from referee.rules.azul.ruleset import AzulRuleset
from tests.tables import ALL_TABLES, positions, ruleset, seed_bytes, walk

GAMES = [(key, seats, seed) for key, seats in ALL_TABLES for seed in range(6)]


@pytest.mark.parametrize(("key", "seats", "seed"), GAMES)
def test_every_tile_is_somewhere_at_every_instant(key: str, seats: int, seed: int) -> None:
    """P-G1: twenty of each color, one marker, after each step of whole games."""
    for position, _ in walk(key, seats, seed, builder=seed % 2 == 1):
        assert sum(tiles_by_place(position).values()) == FULL_BAG
        markers = sum(board.floor.count(MARKER) for board in position.boards)
        assert markers <= (position.marker != NOBODY)
        assert all(score >= 0 for score in position.scores)
        assert position.on_offer == sum(tally.size(tiles) for tiles in position.sources)


@pytest.mark.parametrize(("key", "seats", "seed"), GAMES)
def test_every_playout_ends(key: str, seats: int, seed: int) -> None:
    """With an outcome, within the cap, and with moves to choose from until then."""
    for position, _ in walk(key, seats, seed):
        assert (len(position.legal_moves()) > 0) == (position.actor >= 0)
        assert (position.outcome() is None) == (position.actor != OVER)
        assert position.round <= 20
    outcome = position.outcome()
    assert outcome is not None
    assert min(outcome.ranks) == 1
    assert set(outcome.winners) == {s for s in range(seats) if outcome.ranks[s] == 1}


def well_formed_moves(position: AzulPosition) -> Iterator[Move]:
    """Yield every take and place that can be written at all; splits only where any could be."""
    rest = 0
    if SPREAD in position.gold:
        rest = 31
    for source in range(CENTER + 1):
        for color in range(5):
            for line in range(6):
                yield Take(source, color, line)
                if rest and source < len(position.gold) and position.gold[source] == SPREAD:
                    for left in range(32):
                        for right in range(32):
                            if left | right:
                                yield Take(source, color, line, left, right)
    yield Take(CENTER, 0, 5, 1, 0)
    yield Take(0, 0, 5, 0, 1)
    for row in range(5):
        for column in range(5):
            yield Place(row, column)


def refused(position: AzulPosition, move: Move) -> bool:
    """Return whether check refuses the move."""
    try:
        position.check(move)
    except IllegalMove:
        return True
    return False


@given(positions())
def test_check_agrees_with_legal_moves(position: AzulPosition) -> None:
    """P-G2: over every well-formed move; what check refuses, play refuses and changes nothing."""
    legal = position.legal_moves()
    allowed = set(legal)
    assert len(allowed) == len(legal)
    before = str(position)
    tried = 0
    for move in well_formed_moves(position):
        assert refused(position, move) == (move not in allowed), str(move)
        if move not in allowed and tried < 100:
            tried += 1
            with pytest.raises(IllegalMove):
                position.play(move)
    assert str(position) == before


@given(positions(), st.integers(0, 10_000))
def test_a_copy_is_independent(position: AzulPosition, seed: int) -> None:
    """Playing one of the two to its end leaves the other as it was."""
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


@given(positions())
def test_notation_round_trip(position: AzulPosition) -> None:
    """Position, legal moves and a deal all come back as they were written."""
    rules = ruleset(position.variant.key)
    again = rules.parse_position(str(position))
    assert again == position
    assert str(again) == str(position)
    assert again.legal_moves() == position.legal_moves()
    assert again.on_offer == position.on_offer
    for move in position.legal_moves():
        assert rules.parse_move(str(move)) == move
    if position.actor == CHANCE:
        drawn = position.draw(RoundStreams(seed_bytes(1)))
        assert rules.parse_deal(str(drawn)) == drawn


@given(positions(), st.integers(0, 100))
def test_a_parsed_position_plays_on_like_the_original(position: AzulPosition, seed: int) -> None:
    """The text holds everything that matters to the rest of the game."""
    again = ruleset(position.variant.key).parse_position(str(position))
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


@pytest.mark.parametrize(("key", "seats"), ALL_TABLES)
def test_views_leak_nothing_of_the_draws_to_come(key: str, seats: int) -> None:
    """Two games with the same past and different futures look the same to everybody.

    The only hidden fact of these games is what will be drawn. One game goes on with other
    keys from round 3 on; up to that deal no view may differ, and a view of a table that is
    dealt to shows the same as the table dealt with the view of the deal.
    """
    same, other = FixedStreams(seed_bytes(1), seats), FixedStreams(seed_bytes(2), seats)
    left, right = ruleset(key).initial(seats), ruleset(key).initial(seats)
    rng = random.Random(3)
    differ = False
    while left.actor != OVER and not differ:
        for seat in (None, *range(seats)):
            assert str(left.view(seat)) == str(right.view(seat))
        if left.actor == CHANCE:
            dealt = left.draw(same.round(left.chance_round))
            seen = left.view(0)
            seen.deal(dealt.view(0))
            left.deal(dealt)
            assert str(seen) == str(left.view(0))
            streams = same if right.chance_round < 3 else other
            right.deal(right.draw(streams.round(right.chance_round)))
            differ = left != right
        else:
            choice = rng.randrange(len(left.legal_moves()))
            left.play(left.legal_moves()[choice])
            right.play(right.legal_moves()[choice])
    # The keys do matter: the test would notice a view that knew them.
    assert differ


@pytest.mark.parametrize("seat", [-1, 2, 7, True, "0"])
def test_there_is_no_view_for_a_seat_that_is_not_there(seat: int) -> None:
    """A wrong seat is an error, not an empty view."""
    with pytest.raises(UnknownSeat):
        ruleset("azul").initial(2).view(seat)


# Symmetry -----------------------------------------------------------------------------------


def permuted_rules(key: str, order: list[int]) -> AzulRuleset:
    """Return the ruleset with its wall map permuted: color c becomes order[c]."""
    rules = ruleset(key)
    layout = rules.variant.layout
    if layout is None:
        return rules
    permuted = tuple(tuple(row[order.index(color)] for color in range(5)) for row in layout)
    return AzulRuleset(replace(rules.variant, layout=permuted), rules.title)


def permute_tally(tiles: int, order: list[int]) -> int:
    """Rename the colors of a tally."""
    return sum(tally.count(tiles, c) << (6 * order[c]) for c in range(5))


def permute_set(colors: int, order: list[int]) -> int:
    """Rename a set of colors."""
    return sum(1 << order[c] for c in range(5) if colors >> c & 1)


def permute_deal(deal: RoundDeal, order: list[int]) -> RoundDeal:
    """Rename the colors of a deal, the pictures of the magnets included."""
    by_color = {color: disc for disc, color in MAGNET_COLOR.items()}
    gold = deal.gold
    if gold is not None:
        gold = tuple(
            by_color[order[MAGNET_COLOR[disc]]] if disc in MAGNET_COLOR else disc for disc in gold
        )
    return RoundDeal(
        tuple(permute_tally(tiles, order) for tiles in deal.factories),
        None if deal.extra is None else order[deal.extra],
        deal.starter,
        gold,
    )


def permute_move(move: Move, order: list[int]) -> Move:
    """Rename the color of a move."""
    if isinstance(move, Take):
        left, right = permute_set(move.left, order), permute_set(move.right, order)
        return Take(move.source, order[move.color], move.line, left, right)
    return move


@given(st.sampled_from(ALL_TABLES), st.integers(0, 300), st.permutations(range(5)))
def test_nothing_depends_on_color_names(
    where: tuple[str, int], seed: int, order: list[int]
) -> None:
    """P-G3: the same game with other colors, and the wall map to match, scores the same."""
    key, seats = where
    original = ruleset(key).initial(seats, Options(first_player=0))
    renamed = permuted_rules(key, order).initial(seats, Options(first_player=0))
    streams = FixedStreams(seed_bytes(seed), seats)
    rng = random.Random(seed)
    while original.actor != OVER:
        assert renamed.actor == original.actor
        if original.actor == CHANCE:
            deal = original.draw(streams.round(original.chance_round))
            original.deal(deal)
            renamed.deal(permute_deal(deal, order))
        else:
            moves = original.legal_moves()
            assert {permute_move(move, order) for move in moves} == set(renamed.legal_moves())
            move = rng.choice(moves)
            original.play(move)
            renamed.play(permute_move(move, order))
        assert renamed.scores == original.scores
    assert renamed.outcome() == original.outcome()


@given(st.sampled_from(ALL_TABLES), st.integers(0, 300), st.integers(1, 3))
def test_nothing_depends_on_seat_numbers(where: tuple[str, int], seed: int, turn: int) -> None:
    """P-G3: the same game with everybody moved by some seats gives everybody the same."""
    key, seats = where
    original = ruleset(key).initial(seats, Options(first_player=0))
    rotated = ruleset(key).initial(seats, Options(first_player=turn % seats))
    streams = FixedStreams(seed_bytes(seed), seats)
    rng = random.Random(seed)
    while original.actor != OVER:
        if original.actor == CHANCE:
            deal = original.draw(streams.round(original.chance_round))
            original.deal(deal)
            starter = None if deal.starter is None else (deal.starter + turn) % seats
            rotated.deal(RoundDeal(deal.factories, deal.extra, starter, deal.gold))
        else:
            moves = original.legal_moves()
            assert rotated.legal_moves() == moves
            move = rng.choice(moves)
            original.play(move)
            rotated.play(move)
        actor = original.actor
        assert rotated.actor == (actor if actor < 0 else (actor + turn) % seats)
        moved = tuple(rotated.scores[(seat + turn) % seats] for seat in range(seats))
        assert moved == original.scores
    first, second = original.outcome(), rotated.outcome()
    assert first is not None
    assert second is not None
    assert tuple(second.ranks[(seat + turn) % seats] for seat in range(seats)) == first.ranks
