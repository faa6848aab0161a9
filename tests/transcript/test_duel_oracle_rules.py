"""The engine of the Duel oracle against worked examples and the rulings, on small tables."""

from collections import Counter

import pytest

from tests.oracle.duel.board import Player
from tests.oracle.duel.components import (
    COLORS,
    FACES,
    PLATES,
    SPECIAL,
    WILD,
    plate_cells,
    shows,
)
from tests.oracle.duel.engine import Table
from tests.oracle.duel.offer import Offer
from tests.oracle.duel.supply import Supply
from tests.oracle.engine import RuleError


def colors(letters: str) -> list[str]:
    """Read tiles from one letter each, K for black."""
    names = dict(zip("BYRKT", COLORS, strict=True))
    return [names[letter] for letter in letters]


def dome(*plates: int) -> Player:
    """Return a board with these plates in slots 0, 1, 2 ..., none of them turned."""
    player = Player()
    for slot, plate in enumerate(plates):
        player.lay_plate(plate, slot, 0)
    return player


def full_dome() -> Player:
    """Return a board with the first nine plates and a tile on every cell that takes one."""
    player = dome(*range(9))
    for row in range(6):
        for column in range(6):
            if player.cell(row, column) != SPECIAL:
                player.place(row, column, COLORS[(row + column) % 5])
    return player


def a_round(number: int = 1) -> Table:
    """Return a table in the midst of a game, the round begun by player 0, all factories bare."""
    table = Table(["rows", "columns", "diagonals"], list(range(18)))
    table.round = number - 1
    table.openings = 2
    table.start_round(0)
    return table


def supply(bag: str, tower: str = "") -> Supply:
    """Return a supply of these tiles only."""
    made = Supply(Counter())
    made.bag, made.tower = Counter(colors(bag)), Counter(colors(tower))
    return made


# Components.


def test_the_box_is_complete() -> None:
    """Every type of plate lacks one of the ten sets of three colors, every color is on 6 chips."""
    for kind in "SW":
        sets = {frozenset(plate) - {kind} for plate in PLATES if kind in plate}
        assert len(sets) == 9
    cells = Counter("".join(PLATES))
    assert [cells[letter] for letter in "BKRTYSW"] == [11, 11, 11, 11, 10, 9, 9]
    for color in COLORS:
        assert 2 * sum(shows(face, color) for face in FACES) == 6


def test_a_quarter_turn_is_clockwise() -> None:
    """What was bottom left lies top left then; four turns change nothing."""
    assert plate_cells(0, 1) == ["turquoise", "yellow", SPECIAL, "black"]
    assert plate_cells(0, 3) == ["black", SPECIAL, "yellow", "turquoise"]
    assert plate_cells(5, 2) == ["black", WILD, "yellow", "turquoise"]


# The deal.


@pytest.mark.parametrize(
    ("bag", "tower", "tiles"),
    [
        ("BBBBYY", "", "BBBBY"),
        ("BB", "YYYY", "BBYYY"),
        ("BY", "BBBR", "YBBBB"),
        ("", "BBBY", "BBBY"),
        ("BBBBBB", "", "BBBBB"),
        ("BBB", "BB", "BBBBB"),
        ("BBB", "", "BBB"),
        ("", "", ""),
    ],
)
def test_a_large_factory_that_can_be(bag: str, tower: str, tiles: str) -> None:
    """The bag is emptied first, and alike tiles stay where there is no other color (D17)."""
    assert supply(bag, tower).draw_large(colors(tiles)) == colors(tiles)


@pytest.mark.parametrize(
    ("bag", "tower", "tiles"),
    [
        ("BBBBBY", "", "BBBBB"),
        ("BBBBB", "Y", "BBBBB"),
        ("BB", "YYYY", "BYYYY"),
        ("BBBBYY", "RRRR", "BBBBR"),
        ("BBBBYY", "", "BBBB"),
        ("BBB", "YY", "BBB"),
        ("BBBY", "", "BBBYY"),
    ],
)
def test_a_large_factory_that_cannot_be(bag: str, tower: str, tiles: str) -> None:
    """Alike with another color left, a bag not emptied, too few tiles, tiles not there."""
    with pytest.raises(RuleError):
        supply(bag, tower).draw_large(colors(tiles))


def test_tiles_put_back_pour_the_tower_into_a_bag_of_one_color() -> None:
    """Then any mixture of both can follow."""
    both = supply("BBBBBB", "YYYYYY")
    both.redraw("blue")
    assert not both.tower
    assert both.draw_large(colors("YYYYB"))
    assert both.bag == Counter(colors("BBBBBYY"))


def test_tiles_put_back_leave_the_tower_alone_otherwise() -> None:
    """The bag still holds two colors."""
    both = supply("BBBBBBR", "YYYYYY")
    both.redraw("blue")
    both.redraw("blue")
    assert both.tower == Counter(colors("YYYYYY"))
    with pytest.raises(RuleError):
        both.redraw("yellow")


@pytest.mark.parametrize(
    ("bag", "tower", "color"),
    [("BBBBBB", "", "blue"), ("BBBB", "", "blue"), ("BBBBY", "", "blue"), ("BY", "BBBBB", "blue")],
)
def test_a_redraw_that_cannot_be(bag: str, tower: str, color: str) -> None:
    """One color only stays, and so do fewer than five; else five must be there to be drawn."""
    with pytest.raises(RuleError):
        supply(bag, tower).redraw(color)


def test_a_redraw_across_bag_and_tower() -> None:
    """The bag ran out in the draw, so the tower lies in it afterwards."""
    both = supply("BB", "BBBY")
    both.redraw("blue")
    assert both.bag == Counter(colors("BBBBBY"))


def test_small_factories_get_what_is_left_in_order() -> None:
    """D20: the first ones are filled, and the chip of an empty one lies open at once."""
    table = a_round(4)
    table.supply.bag, table.supply.tower = Counter(colors("BYRKTB")), Counter(colors("YY"))
    with pytest.raises(RuleError):
        table.deal_small([colors("BYRK"), colors("TB"), colors("YY"), []])
    table = a_round(4)
    table.supply.bag, table.supply.tower = Counter(colors("BYRKTB")), Counter(colors("YY"))
    table.deal_small([colors("BYRK"), colors("TBYY"), [], []])
    table.deal_chips(["blue", "blue", "red", "red"])
    assert table.offer.revealed() == [2, 3]


# Phase 1.


def test_a_stack_offers_its_top_and_gives_one_tile() -> None:
    """X1, X3: yellow lies on top twice in one stack, and only one of them comes."""
    offer = Offer(small=[colors("TTKY"), colors("RYYB"), [], []])
    offer.take_sun(0, "turquoise", colors("KY"))
    offer.take_sun(1, "red", colors("BYY"))
    assert offer.moon_colors() == ["yellow"]
    assert offer.take_moon("yellow") == (colors("YY"), False)
    assert offer.moon_colors() == ["yellow", "black"]


def test_the_large_factory_gives_all_tiles_of_a_color_and_the_first_player_tile() -> None:
    """X2, X3: not with the sun take, but with the first take from its moon side."""
    offer = Offer(large=colors("TTRKK"))
    assert offer.take_sun("large", "turquoise", []) == (colors("TT"), False)
    assert offer.take_moon("black") == (colors("KK"), True)
    assert offer.take_moon("red") == (colors("R"), False)


def test_a_large_factory_of_one_color_brings_the_first_player_tile() -> None:
    """D17: nothing will lie on its moon side."""
    assert Offer(large=colors("TTT")).take_sun("large", "turquoise", []) == (colors("TTT"), True)


def test_draws_cost_a_point_each() -> None:
    """X4: two draws, and the plate returned lies at the bottom."""
    table = a_round()
    for move in (["draw"], ["draw"], ["stop"]):
        table.play(move)
    assert table.legal_count() == 2 * 9 * 4
    table.play(["keep", 4, 0, 0, [3]])
    assert table.players[0].score == 3
    assert table.stack[-1] == 3
    assert table.turn == 1


@pytest.mark.parametrize(
    ("score", "display", "draws"),
    [(0, [1], 0), (0, [], 1), (1, [1], 1), (1, [], 1), (2, [], 2)],
)
def test_draws_need_points(score: int, display: list[int], draws: int) -> None:
    """D1: one draw is free with nothing on display and no points, and only as the first one."""
    table = a_round()
    table.players[0].score, table.display = score, display
    for _ in range(draws):
        assert ["draw"] in table.legal_moves()
        table.play(["draw"])
    assert ["draw"] not in table.legal_moves()
    assert table.players[0].score == 0


def test_the_last_plate_of_the_stack_ends_the_draws() -> None:
    """D4: stopping is all that is left, and it is a decision all the same."""
    table = a_round()
    table.stack = [7]
    table.play(["draw"])
    assert table.legal_moves() == [["stop"]]


def test_a_stuck_player_passes_once() -> None:
    """D7, D8: two chips a round each, and a pass only when nothing else can be done."""
    table = a_round(4)
    table.deal_chips(["blue", "blue", "red", "red"])
    table.players[0].chips_taken = 2
    with pytest.raises(RuleError):
        table.play(["chip", 0])
    table.play(["pass"])
    with pytest.raises(RuleError):
        table.play(["pass"])
    table.play(["chip", 3])
    assert table.turn == 1
    table.offer.chips = ["blue", None, None, None]
    table.play(["chip", 0])
    assert table.phase_is_over()


def test_tiles_beyond_a_line_break() -> None:
    """D27, D30: four lie in the broken area, the others go to the tower at once."""
    table = a_round(4)
    table.offer.small[0] = colors("BBBB")
    table.players[0].broken = colors("YY")
    table.play(["sun", 0, "blue", 0, []])
    assert table.players[0].lines[0] == colors("B")
    assert table.players[0].broken == colors("YYBB")
    assert table.supply.tower == Counter(colors("B"))


def test_lines_are_open_whatever_the_dome_holds() -> None:
    """A line takes a color if it is not full and empty or of that color."""
    player = Player()
    player.lines = [colors("B"), colors("Y"), [], colors("BB"), colors("KKKKK"), colors("BBBBB")]
    assert player.open_lines("blue") == [2, 3, 5]


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
