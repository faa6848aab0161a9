"""Mistakes that public engines of the game have made, each with the case that shows it."""

import pytest

from referee.draws import FixedStreams
from referee.rules import CHANCE, OVER, Options, tally
from referee.rules.azul.deal import RoundDeal
from tests.games import seed_bytes
from tests.tables import AZUL_TABLES, board, deal, play, ruleset, table, walk

FULL_ROW = "BYRKW/...../...../...../....."


def test_a_crossing_tile_scores_both_runs() -> None:
    """Two across and two down are 4, not 3."""
    own = board(score=1, lines="-/BB/-/-/-", wall=".Y.../W..../...../...../.....")
    position = play(table(factories="W,-,-,-,-", boards=[own, board()], turn="1"), "0W0")
    assert position.scores[0] == 1 + 4


def test_two_tiles_of_one_round_as_vertical_neighbors() -> None:
    """The lower one counts the upper one, which was laid a moment before."""
    own = board(lines="B/WW/-/-/-")
    position = play(table(factories="W,-,-,-,-", boards=[own, board()], turn="1"), "0W0")
    assert position.scores[0] == 1 + 2


def test_a_run_that_is_only_vertical() -> None:
    """Three down and nothing across are 3, not 4."""
    own = board(lines="-/-/KKK/-/-", wall="B..../W..../...../...../.....")
    position = play(table(factories="W,-,-,-,-", boards=[own, board()], turn="1"), "0W0")
    assert position.scores[0] == 3


def test_the_marker_is_paid_for_when_the_take_goes_to_the_floor() -> None:
    """Marker and two tiles: 1 + 1 + 2."""
    position = play(table(center="YY", boards=[board(score=10), board()]), "CYF")
    assert position.scores[0] == 10 - 4


def test_the_tile_on_the_wall_does_not_also_go_to_the_lid() -> None:
    """A full line of four leaves three for the lid."""
    own = board(lines="-/-/-/KKKK/-")
    position = play(table(factories="W,-,-,-,-", boards=[own, board()], turn="1"), "0W0")
    assert tally.counts(position.lid) == (0, 0, 0, 3, 0)


def test_the_bag_is_refilled_neither_early_nor_late() -> None:
    """Six in the bag and twenty needed: factory 1 is dealt half from each."""
    position = play(table(factories="W,-,-,-,-"), "0W0")
    position.bag, position.lid = deal("factories=BBBBBB,YYYYYYYYYYYYYY").factories
    position.deal(deal("factories=BBBB,BBYY,YYYY,YYYY,YYYY"))
    assert (position.bag, position.lid) == (0, 0)


def test_rows_break_ties_only_among_those_who_tie() -> None:
    """Seat 2 has the most rows and the lowest score: it must not win the tie of 0 and 1."""
    two_rows = "BYRKW/WBYRK/...../...../....."
    boards = [board(score=30, wall=FULL_ROW), board(score=30, wall=FULL_ROW), board(wall=two_rows)]
    outcome = table(boards=boards, turn="over", factories=",".join("-" * 7)).outcome()
    assert outcome is not None
    assert (outcome.winners, outcome.ranks) == ((0, 1), (1, 1, 3))


@pytest.mark.parametrize("score", [99, 126, 127, 128, 255, 256, 70_000])
def test_scores_past_the_size_of_a_byte(score: int) -> None:
    """Nothing wraps around."""
    position = play(table(factories="W,-,-,-,-", boards=[board(score=score), board()]), "0W0")
    assert position.scores[0] == score + 1


def test_a_round_in_which_nobody_takes_the_marker() -> None:
    """The round ends, the same seat starts again, and the game goes on."""
    position = table(factories="BBBB,YYYY,-,-,-", starter="1", turn="1")
    play(position, "0B3", "1Y3")
    assert (position.actor, position.next_starter()) == (CHANCE, 1)


@pytest.mark.parametrize(("key", "seats"), AZUL_TABLES)
def test_players_who_only_feed_the_floor_still_come_to_an_end(key: str, seats: int) -> None:
    """The cap ends it: every take falls, no wall ever gets a tile."""
    position = ruleset(key).initial(seats, Options(round_cap=20))
    streams = FixedStreams(seed_bytes(1), seats)
    while position.actor != OVER:
        if position.actor == CHANCE:
            position.deal(position.draw(streams.round(position.chance_round)))
        else:
            floor = [move for move in position.legal_moves() if "F" in str(move)]
            position.play(floor[0])
    assert position.round == 20
    assert position.scores == (0,) * seats


def test_two_players_can_always_be_dealt_to() -> None:
    """A14: with two seats no round ever starts short."""
    dealt = [
        position.on_offer
        for seed in range(40)
        for position, step in walk("azul", 2, seed, builder=True)
        if isinstance(step, RoundDeal)
    ]
    assert len(dealt) > 40 * 5
    assert set(dealt) == {20}
