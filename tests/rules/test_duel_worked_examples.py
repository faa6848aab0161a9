"""The worked examples of the printed rules of Duel, X1 to X11."""

from referee.rules import CHANCE, tally
from referee.rules.duel import chips as chipset
from referee.rules.duel.plates import plate_of
from referee.rules.duel.reading import parse_chips
from tests.duel_tables import listed, play, seat, settle, table

CHIPS = ("(B)", "-", "-", "-")


def test_x1_only_the_top_of_a_pile_is_available() -> None:
    """Two turquoise taken, black piled below yellow."""
    position = play(table(small=("TTKY/-", "-/-", "-/-", "-/-"), chips=CHIPS), "0T1:KY")
    assert {move[1] for move in listed(position)} == {"Y"}


def test_x2_x3_the_large_factory_and_a_moon_take_from_small_piles_only() -> None:
    """Red 1, black 2 or yellow 2; yellow leaves the first-player tile where it is."""
    position = table(
        small=("TTKY/-", "-/Y", "-/-", "-/-"), large="TTRKK/-", chips=("(B)", "(Y)", "-", "-")
    )
    play(position, "0T1:KY", "LT1")
    assert tally.counts(position.moon) == (0, 0, 1, 2, 0)
    assert position.first == -1
    taken = {}
    for color in "RKY":
        after = settle(play(position.copy(), f"M{color}5"))
        taken[color] = (after.boards[0].line_counts[5], after.first)
    assert taken == {"R": (1, 0), "K": (2, 0), "Y": (2, -1)}


def test_x4_two_plates_drawn_cost_two_points() -> None:
    """One is kept, the other one goes under the stack."""
    position = table(
        boards=[seat(score=5, tokens=1), seat(tokens=1)], display=(1,), top="3", unseen=(4, 5)
    )
    play(position, "draw", "top=4", "draw", "top=5", "stop")
    settle(play(settle(position), "keep0@0r0"))
    assert position.scores[0] == 3
    assert [plate_of(entry) for entry in position.stack.returned] == [4]


def test_x5_x6_x7_a_line_that_breaks_one_on_its_color_and_one_on_a_wild_cell() -> None:
    """Yellow has no cell left, black goes to black for 1, blue to a wild cell for 1."""
    # The upper rows show Y K S B T R / T S T K B S, those of line 3 R W T R K R.
    own = seat(
        score=5,
        lines="Y/KK/-/BBBB/-/-",
        plates=("0r0", "12r1", "8r0", "3r0", "4r0", "10r0"),
        tiles={(0, 0): "Y"},
    )
    position = play(table(boards=[own, seat()], large="T/-", turn=1, first=1), "LTX")
    board = position.boards[0]
    assert board.line_counts == [0] * 6
    assert (board.colors[3], board.colors[0]) == (1 << (6 + 3), 1 << (18 + 1))
    assert position.scores[0] == 5 + 1 + 1 - 1
    # Beside the tile that seat 1 broke: the broken yellow one, one black, three blue.
    assert tally.counts(position.tower) == (3, 1, 0, 1, 1)


def test_x8_chips_finish_lines() -> None:
    """Two with a turquoise half for a line that lacks one tile, or any three."""
    chips = parse_chips("1YT1RT")
    assert chipset.completing_sets(chips, 4, 1) == [chips]
    assert chipset.completing_sets(parse_chips("1B1Y1R"), 4, 1) == [parse_chips("1B1Y1R")]
    assert not chipset.can_complete(parse_chips("1B1Y"), 4, 1)


def test_x9_x10_a_special_tile_and_the_tile_below_it() -> None:
    """Yellow: two across, two down, 2 for the special tile of row 1; then blue: three down."""
    # Slot 0 shows T B / S Y, slot 1 K S / T R, slot 3 B K / S T.
    own = seat(
        score=0,
        lines="-/YY/BBB/-/-/-",
        plates={0: "15r3", 1: "4r0", 3: "12r0"},
        tiles={(0, 0): "T", (0, 1): "B", (1, 2): "T"},
    )
    only_yellow = own.copy()
    only_yellow.empty_line(2)
    for board, points in ((only_yellow, 2 + 2 + 2), (own, 6 + 3)):
        position = play(table(boards=[board, seat()], large="T/-", turn=1, first=1), "LTX")
        assert position.actor == CHANCE
        assert position.boards[0].specials == 1 << 6
        assert position.scores[0] == points


def test_x11_what_broken_tiles_cost() -> None:
    """Two cost 3; three and the first-player tile cost 8."""
    boards = [seat(score=20, broken="BB"), seat(score=20, broken="BBB")]
    position = table(boards=boards, large="-/T", turn=1)
    play(position, "MT5")
    assert position.scores == (17, 12)
