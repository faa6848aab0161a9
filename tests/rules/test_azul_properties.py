"""What holds in every position of Azul and Chocolatier that play can reach."""

import random
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from referee.draws import FixedStreams
from referee.rules import CHANCE, OVER, IllegalMove, Move, Options, tally
from referee.rules.azul.components import FULL_BAG, MAGNET_COLOR, MARKER, NOBODY
from referee.rules.azul.deal import RoundDeal
from referee.rules.azul.moves import Take
from referee.rules.azul.position import AzulPosition
from referee.rules.azul.position_text import tiles_by_place
from referee.rules.azul.ruleset import AzulRuleset
from tests.games import seed_bytes
from tests.tables import AZUL_TABLES, positions, ruleset, walk
from tests.well_formed import well_formed_moves

GAMES = [(key, seats, seed) for key, seats in AZUL_TABLES for seed in range(6)]


@pytest.mark.parametrize(("key", "seats", "seed"), GAMES)
def test_every_tile_is_somewhere_at_every_instant(key: str, seats: int, seed: int) -> None:
    """P-G1: twenty of each color, one marker, after each step of whole games."""
    for position, _ in walk(key, seats, seed, builder=seed % 2 == 1):
        assert sum(tiles_by_place(position).values()) == FULL_BAG
        markers = sum(board.floor.count(MARKER) for board in position.boards)
        assert markers <= (position.marker != NOBODY)
        assert all(score >= 0 for score in position.scores)
        assert position.on_offer == sum(tally.size(tiles) for tiles in position.sources)


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


@given(st.sampled_from(AZUL_TABLES), st.integers(0, 300), st.permutations(range(5)))
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


@given(st.sampled_from(AZUL_TABLES), st.integers(0, 300), st.integers(1, 3))
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
