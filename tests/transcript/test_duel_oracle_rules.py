"""The deal and phase 1 of the Duel oracle against worked examples and the rulings."""

from collections import Counter

import pytest

from tests.oracle.duel.board import Player
from tests.oracle.duel.components import COLORS, FACES, PLATES, SPECIAL, WILD, plate_cells, shows
from tests.oracle.duel.offer import Offer
from tests.oracle.engine import RuleError
from tests.transcript.duel_tables import a_round, colors, supply

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
