"""The worked examples of the printed rules, E1 to E11."""

import pytest

from referee.rules import tally
from referee.rules.azul.board import empty_board
from referee.rules.azul.components import BLUE, CENTER, MARKER, RED, YELLOW
from tests.tables import board, listed, play, table


def test_e1_two_black_taken_the_others_go_to_the_center() -> None:
    """Two of four tiles are black."""
    position = play(table(factories="KKBY,RRRR,-,-,-"), "0K1")
    assert tally.counts(position.boards[0].lines[1]) == (0, 0, 0, 2, 0)
    assert tally.counts(position.sources[CENTER]) == (1, 1, 0, 0, 0)


def test_e2_one_yellow_taken_three_red_go_to_the_center() -> None:
    """The other color goes as a whole."""
    position = play(table(factories="YRRR,KKKK,-,-,-"), "0Y0")
    assert tally.counts(position.sources[CENTER]) == (0, 0, 3, 0, 0)


def test_e3_first_from_the_center_takes_marker_and_tiles() -> None:
    """Marker first, onto the leftmost space; then three red tiles into line 2."""
    position = play(table(factories="KKKK,-,-,-,-", center="RRRY"), "CR2")
    assert position.boards[0].floor == (MARKER,)
    assert tally.counts(position.boards[0].lines[2]) == (0, 0, 3, 0, 0)


def test_e4_where_two_yellow_tiles_may_go() -> None:
    """Yellow on rows 1 and 2 of the wall, blue in line 3: lines 0 and 4 and the floor."""
    own = board(lines="-/-/-/B/-", wall="...../..Y../...Y./...../.....")
    position = table(factories="YYRK,BBBB,-,-,-", boards=[own, board()])
    assert [move for move in listed(position) if move.startswith("0Y")] == ["0Y0", "0Y4", "0YF"]
    one_placed = play(position.copy(), "0Y0").boards[0]
    assert (tally.size(one_placed.lines[0]), one_placed.floor) == (1, (YELLOW,))
    both_placed = play(position.copy(), "0Y4").boards[0]
    assert (tally.size(both_placed.lines[4]), both_placed.floor) == (2, ())
    assert play(position.copy(), "0YF").boards[0].floor == (YELLOW, YELLOW)


def test_e5_two_full_lines_score_one_each() -> None:
    """One red and three blue tiles go to the lid, lines 2 and 4 wait."""
    own = board(lines="-/RR/KK/BBBB/YYY")
    position = play(table(factories="W,-,-,-,-", boards=[own, board()], turn="1"), "0W0")
    assert position.scores[0] == 1 + 1
    assert tally.counts(position.lid) == (3, 0, 1, 0, 0)
    assert [tally.size(line) for line in position.boards[0].lines] == [0, 0, 2, 0, 3]


@pytest.mark.parametrize(
    ("lying", "cell", "points"),
    [
        pytest.param([], (2, 2, RED), 1, id="e6-lone-red"),
        pytest.param([(1, 0), (1, 1)], (1, 2, YELLOW), 3, id="e7-three-across"),
        pytest.param([(0, 3), (1, 3)], (2, 3, BLUE), 3, id="e8-three-down"),
        pytest.param(
            [(2, 0), (2, 1), (2, 2), (0, 3), (1, 3)],
            (2, 3, YELLOW),
            4 + 3,
            id="e9-four-across-three-down",
        ),
    ],
)
def test_e6_e7_e8_e9_points(
    lying: list[tuple[int, int]], cell: tuple[int, int, int], points: int
) -> None:
    """What one tile scores beside others."""
    wall = empty_board()
    for row, column in lying:
        wall.place(row, column, 3)
    assert wall.place(*cell) == points


def test_e10_four_tiles_and_the_marker_cost_eight() -> None:
    """Five spaces of the floor line."""
    own = board(score=20, floor="MKKK")
    position = table(factories="W,-,-,-,-", boards=[own, board()], marker="0")
    assert play(position, "0WF").scores[0] == 20 - 8


def test_e11_a_score_never_falls_below_zero() -> None:
    """Three gained, eight to pay, from zero."""
    own = board(lines="R/-/-/-/-", wall="BY.../...../...../...../.....", floor="KKKK")
    position = play(table(factories="W,-,-,-,-", boards=[own, board()]), "0WF")
    assert position.scores[0] == 0
