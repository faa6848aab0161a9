"""Duel: the end of the game and its goals (3.7, D15, D16, D22)."""

import pytest

from referee.rules import OVER, Outcome, Termination
from referee.rules.duel.board import DuelBoard
from referee.rules.duel.components import GOAL_NAMES, PLATES
from referee.rules.duel.goals import bonus
from referee.rules.duel.position import DuelPosition
from tests.duel_tables import NINE, play, seat, table
from tests.games import walk

# The cells of the plates 0 to 8 in slots 0 to 8, not turned.
CELLS = tuple(
    "".join(PLATES[3 * (row // 2) + slot][2 * (row % 2) : 2 * (row % 2) + 2] for slot in range(3))
    for row in range(6)
)


def filled(*cells: tuple[int, int], wild: str = "B") -> DuelBoard:
    """Return a dome with tiles on these cells, each of the color that is printed there."""
    tiles = {(row, column): CELLS[row][column].replace("W", wild) for row, column in cells}
    return seat(plates=NINE, tiles=tiles)


ROW = [(0, column) for column in range(6)]
COLUMN = [(row, 5) for row in range(6)]
FALLING = [(at, at) for at in range(6)]
RISING = [(at, 5 - at) for at in range(6)]
ALL = [(row, column) for row in range(6) for column in range(6)]
BORDER = [(row, column) for row, column in ALL if {row, column} & {0, 5}]
WILD = [(row, column) for row, column in ALL if CELLS[row][column] == "W"]
SPECIAL = [(row, column) for row, column in ALL if CELLS[row][column] == "S"]


def plate(slot: int) -> list[tuple[int, int]]:
    """Return the cells of a slot."""
    row, column = 2 * (slot // 3), 2 * (slot % 3)
    return [(row, column), (row, column + 1), (row + 1, column), (row + 1, column + 1)]


@pytest.mark.parametrize(
    ("goal", "cells", "times", "points"),
    [
        ("rows", [], 0, 0),
        ("rows", ROW, 1, 3),
        ("rows", ROW[:5], 0, 0),
        ("rows", ALL, 6, 18),
        ("columns", COLUMN, 1, 7),
        ("columns", COLUMN[1:], 0, 0),
        ("columns", ALL, 6, 42),
        ("diagonals", FALLING, 1, 10),
        ("diagonals", RISING, 1, 10),
        ("diagonals", FALLING[:5] + RISING[:5], 0, 0),
        ("diagonals", ALL, 2, 20),
        ("perimeter", [], 0, 0),
        ("perimeter", [(0, 0), (1, 1), (3, 5)], 2, 2),
        ("perimeter", ALL, 20, 20),
        ("corners", plate(0), 1, 3),
        ("corners", plate(2), 1, 3),
        ("corners", plate(6), 1, 8),
        ("corners", plate(8), 1, 8),
        ("corners", plate(0)[:3] + plate(1) + plate(4), 0, 0),
        ("corners", ALL, 4, 22),
        ("wilds", [], 0, 0),
        ("wilds", WILD[:-1], 0, 0),
        ("wilds", WILD, len(WILD), 2 * len(WILD)),
        ("empty_specials", [], len(SPECIAL), -3 * len(SPECIAL)),
        ("empty_specials", SPECIAL[1:], 1, -3),
        ("empty_specials", SPECIAL, 0, 0),
    ],
)
def test_3_7_2_goals(goal: str, cells: list[tuple[int, int]], times: int, points: int) -> None:
    """How often each is met, and what for; special tiles count like all others."""
    found = bonus(filled(*cells), GOAL_NAMES.index(goal))
    assert (found.name, found.times, found.points) == (goal, times, points)


def test_3_7_2_a_dome_without_wild_cells_has_nothing_to_fill() -> None:
    """No plate, no wild cell, no points; and no special cell to leave empty."""
    for goal in ("wilds", "empty_specials"):
        assert bonus(seat(), GOAL_NAMES.index(goal)).points == 0


def test_3_7_2_the_border_has_twenty_cells() -> None:
    """Every one counts once."""
    for cell in BORDER:
        assert bonus(filled(cell), GOAL_NAMES.index("perimeter")).points == 1
    assert len(BORDER) == 20


# Row 0 of the dome is Y K W B T R, row 1 T S T K B W.
@pytest.mark.parametrize(
    ("cells", "wild", "times"),
    [
        (ROW, "B", 1),
        ([cell for cell in ROW if cell != (0, 2)], "B", 1),
        ([cell for cell in ROW if cell != (0, 0)], "Y", 1),
        ([cell for cell in ROW if cell != (0, 0)], "B", 0),
        ([(1, 0), (1, 1), (1, 3), (1, 4), (1, 5)], "Y", 0),
        (ROW + [(1, column) for column in range(6)], "Y", 1),
    ],
)
def test_d15_all_five_colors_in_a_row(cells: list[tuple[int, int]], wild: str, times: int) -> None:
    """A gap does not spoil it, and a special tile is no sixth color."""
    found = bonus(filled(*cells, wild=wild), GOAL_NAMES.index("five_colors"))
    assert (found.times, found.points) == (times, 4 * times)


def finish(first: DuelBoard, second: DuelBoard, goals: str, taker: int = 0) -> Outcome:
    """Return the outcome of a last round that ends with one take from the large factory."""
    position = table(boards=[first, second], large="-/T", turn=taker, number=5, goals=goals)
    play(position, "MT5")
    while position.actor >= 0:
        position.play(position.legal_moves()[0])
    assert position.actor == OVER
    outcome = position.outcome()
    assert outcome is not None
    return outcome


def test_3_7_1_five_rounds_and_full_domes() -> None:
    """No slot is free and no plate is left when the game ends after round 5."""
    for position, _ in walk("duel", 2, 7):
        assert (position.outcome() is not None) == (position.actor == OVER)
    assert isinstance(position, DuelPosition)
    assert position.round == 5
    assert [board.plates.count(-1) for board in position.boards] == [0, 0]
    assert (position.display, position.stack.size()) == ((), 0)
    outcome = position.outcome()
    assert outcome is not None
    assert outcome.termination is Termination.LAST_ROUND


def test_3_7_3_the_higher_score_wins() -> None:
    """After goals: seat 1 has fewer points before them."""
    rich = filled(*ROW)
    rich.score = 10
    poor = seat(score=14)
    outcome = finish(rich, poor, "rows,columns,diagonals", taker=1)
    # Seat 1 pays 2 for the first-player tile.
    assert outcome.scores == (13, 12)
    assert (outcome.winners, outcome.ranks) == ((0,), (1, 2))
    assert [b.points for b in outcome.bonuses[0]] == [3, 0, 0]
    outcome = finish(poor, rich, "rows,columns,diagonals", taker=0)
    assert (outcome.scores, outcome.winners, outcome.ranks) == ((12, 13), (1,), (2, 1))


@pytest.mark.parametrize("taker", [0, 1])
def test_d22_on_equal_scores_the_first_player_tile_wins(taker: int) -> None:
    """Whoever took it in round 5; there is no draw."""
    scores = [12, 12]
    scores[taker] += 2
    outcome = finish(seat(score=scores[0]), seat(score=scores[1]), "rows,columns,corners", taker)
    assert outcome.scores == (12, 12)
    assert outcome.winners == (taker,)
    assert sorted(outcome.ranks) == [1, 2]


def test_d16_goals_are_added_up_before_the_score_stops_at_0() -> None:
    """Empty special cells cost more than the score, and other goals make up for it."""
    poor = filled(*BORDER)
    poor.score = 3
    outcome = finish(poor, seat(score=2), "rows,perimeter,empty_specials", taker=1)
    lost = sum(b.points for b in outcome.bonuses[0])
    assert outcome.scores[0] == max(0, 3 + lost)
    bare = finish(filled(), seat(), "rows,columns,empty_specials", taker=1)
    assert bare.scores[0] == 0
    assert sum(b.points for b in bare.bonuses[0]) < -5
