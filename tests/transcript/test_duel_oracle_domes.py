"""Phase 2 and the goals of the Duel oracle against worked examples and the rulings."""

from collections import Counter

import pytest

from tests.oracle.duel.board import Player
from tests.oracle.duel.components import SPECIAL, WILD
from tests.transcript.duel_tables import a_round, colors, dome, full_dome

# Phase 2.


def test_a_tile_scores_and_then_the_special_tile() -> None:
    """X9, X10: 2 + 2 for the runs and 2 for row 2, and then a run of 3 over the special tile."""
    player = dome(7, 1, 2, 16)
    player.score = 0
    player.tiles[0][1], player.tiles[1][0] = "blue", "black"
    assert player.place(0, 0, "yellow")
    assert player.score == 6
    assert player.tiles[1][1] == SPECIAL
    assert not player.place(2, 1, "blue")
    assert player.score == 6 + 3


def test_a_full_line_goes_where_it_fits() -> None:
    """X6, X7: one point each without neighbors, the other tiles to the tower."""
    table = a_round(4)
    player = table.players[0] = dome(0, 1, 2, 3, 4, 5)
    player.score = 0
    player.lines = [[], colors("KK"), [], colors("BBBB"), [], []]
    assert table.pending_tiling() == (0, 1)
    assert table.tiling_options() == [[3, []], [5, []]]
    table.tile([3, []])
    assert table.pending_tiling() == (0, 3)
    assert table.tiling_options() == [[1, []], [4, []]]
    table.tile([4, []])
    assert player.score == 2
    assert table.supply.tower == Counter(colors("KBBB"))


@pytest.mark.parametrize("tiles", ["KK", "K"])
def test_a_line_without_a_cell_breaks_or_stays(tiles: str) -> None:
    """X5, D14: it breaks, full or not, once all three plates lie there."""
    for plates, breaks in (((7, 4, 8), True), ((7, 4), False)):
        table = a_round(4)
        player = table.players[0] = dome(*plates)
        player.tiles[1] = ["black"] * 6
        player.chips = ["black"] * 2
        player.lines[1] = colors(tiles)
        assert table.pending_tiling() is None
        assert player.broken == (colors(tiles) if breaks else [])
        assert player.lines[1] == ([] if breaks else colors(tiles))


@pytest.mark.parametrize(
    ("line", "tiles", "chips", "sets"),
    [
        (2, "TT", ["yellow+turquoise", "red+turquoise"], 1),
        (2, "TT", ["turquoise", "red"], 0),
        (3, "BBB", ["turquoise", "red", "yellow+turquoise"], 1),
        (3, "BBB", ["blue", "blue", "blue", "red"], 1 + 2),
        (3, "BB", ["blue", "blue", "blue+red", "red", "red"], 1),
        (3, "BB", ["blue", "blue", "blue+red", "blue+black"], 1),
        (3, "BB", ["blue", "red", "red", "red", "black"], 0),
        (3, "BB", ["blue", "red", "red", "red", "black", "yellow"], 1),
        (1, "B", [], 0),
    ],
)
def test_chips_complete_lines(line: int, tiles: str, chips: list[str], sets: int) -> None:
    """X8: two that match or any three for each missing tile; equal faces are one choice."""
    player = Player()
    player.lines[line] = colors(tiles)
    player.chips = chips
    assert len(player.chip_sets(line)) == sets


def test_chips_are_spent_for_good() -> None:
    """D11: the upper line has the first choice, and leaving it is one; only tiles go away."""
    for first in (["leave", []], [1, ["blue", "blue"]]):
        table = a_round(4)
        player = table.players[0] = dome(1, 2, 3, 9)
        player.lines = [[], [], colors("BB"), colors("BBB"), [], []]
        player.chips = ["blue", "red", "blue"]
        player.slots[3] = ["red", "blue", WILD, "blue"]
        assert table.pending_tiling() == (0, 2)
        # Two blue chips or all three, on the one cell, or neither.
        assert len(table.tiling_options()) == 1 + 1 + 1
        table.tile(first)
        if first[0] == "leave":
            assert table.pending_tiling() == (0, 3)
            table.tile([0, ["blue", "blue", "red"]])
            assert player.chips == []
            assert table.supply.tower == Counter(colors("BB"))
        else:
            assert table.pending_tiling() is None
            assert player.lines[3] == colors("BBB")
            assert player.chips == ["red"]
            assert table.supply.tower == Counter(colors("B"))


@pytest.mark.parametrize(
    ("broken", "first", "score"),
    [("KK", False, 7), ("KKK", True, 2), ("KKKK", False, 0), ("", True, 8)],
)
def test_penalties_are_taken_off(broken: str, first: bool, score: int) -> None:
    """X11: 1, 2, 3, 4 for broken tiles, 2 for the first-player tile, never below 0."""
    table = a_round(4)
    player = table.players[1]
    player.score, player.broken, player.has_first_tile = 10, colors(broken), first
    table.finish_round()
    assert player.score == score
    assert table.supply.tower == Counter(colors(broken))
    assert table.starter == int(first)
    assert table.over


# The end.


@pytest.mark.parametrize(
    ("goal", "points"),
    [
        ("rows", 3 * 6),
        ("five_colors", 4 * 3),
        ("columns", 7 * 6),
        ("perimeter", 20),
        ("diagonals", 10 * 2),
        ("corners", 3 * 2 + 8 * 2),
        ("wilds", 2 * 4),
        ("empty_specials", 0),
    ],
)
def test_goals_of_a_full_dome(goal: str, points: int) -> None:
    """Special tiles are tiles, but no color (D15)."""
    assert full_dome().goal_points(goal) == points


@pytest.mark.parametrize(
    ("goal", "points"),
    [
        ("rows", 0),
        ("five_colors", 0),
        ("columns", 0),
        ("perimeter", 0),
        ("diagonals", 0),
        ("corners", 0),
        ("wilds", 0),
        ("empty_specials", -3 * 5),
    ],
)
def test_goals_of_an_empty_dome(goal: str, points: int) -> None:
    """Wild cells count only when all are filled, special ones only where plates lie."""
    assert dome(*range(9)).goal_points(goal) == points
    assert Player().goal_points(goal) == 0


@pytest.mark.parametrize(
    ("row", "column", "lost"),
    [
        (0, 0, {"rows": 3, "columns": 7, "perimeter": 1, "diagonals": 10, "corners": 3}),
        (5, 0, {"rows": 3, "columns": 7, "perimeter": 1, "diagonals": 10, "corners": 8}),
        (2, 3, {"rows": 3, "columns": 7, "diagonals": 10}),
        (1, 3, {"rows": 3, "columns": 7}),
        (1, 5, {"rows": 3, "columns": 7, "perimeter": 1, "corners": 3, "wilds": 8}),
        (3, 1, {"rows": 3, "columns": 7, "wilds": 8}),
    ],
)
def test_one_gap_costs_its_goals(row: int, column: int, lost: dict[str, int]) -> None:
    """A gap breaks its row, column, diagonal, corner plate, border or wild cells, no others."""
    whole, gap = full_dome(), full_dome()
    gap.tiles[row][column] = None
    for goal in ("rows", "columns", "perimeter", "diagonals", "corners", "wilds"):
        assert whole.goal_points(goal) - gap.goal_points(goal) == lost.get(goal, 0)


def test_ties_go_to_the_holder_of_the_first_player_tile() -> None:
    """D16, D18, D22: the sum stops at 0, and without a holder the starter is the one."""
    for holder in (0, 1, None):
        table = a_round(4)
        table.goals = ["empty_specials"]
        for player in table.players:
            player.score = 9
            for slot in range(3):
                player.lay_plate((0, 4, 6)[slot], slot, 0)
        table.players[0].score += 2 if holder == 0 else 0
        table.players[1].score = 3
        if holder is not None:
            table.players[holder].has_first_tile = True
        table.finish_round()
        assert table.goal_points() == {"empty_specials": [-9, -9]}
        assert table.final_scores() == [0, 0]
        assert table.winners() == [holder or 0]
