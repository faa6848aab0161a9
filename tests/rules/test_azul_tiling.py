"""Clauses 1.4 to 1.6: tiling the wall, the next round, the end."""

import pytest

from referee.draws import FixedStreams
from referee.rules import (
    CHANCE,
    OVER,
    InvalidDeal,
    InvalidSetup,
    Options,
    Purpose,
    Termination,
    WrongMoment,
    tally,
)
from referee.rules.azul.board import empty_board
from referee.rules.azul.deal import RoundDeal
from referee.rules.azul.position import AzulPosition, new_table
from tests.games import seed_bytes
from tests.tables import board, deal, play, ruleset, table, walk

FOUR_SEATS = ",".join("-" * 9)


def last_take(
    own: str, *, other: str | None = None, key: str = "azul", cap: str = "20"
) -> AzulPosition:
    """Let seat 0 end a round by dropping one tile nobody wants; walls are then tiled."""
    boards = [own, board() if other is None else other]
    return play(table(key, factories="W,-,-,-,-", boards=boards, cap=cap), "0WF")


# 1.4 ----------------------------------------------------------------------------------------


def test_1_4_1_full_lines_move_one_tile_to_the_wall() -> None:
    """The others of the line go to the lid, lines that are not full stay."""
    position = last_take(board(score=5, lines="-/RR/K/BBBB/YY"))
    own = position.boards[0]
    assert str(position).split("seat0=")[1].split()[0].split(":")[1] == "-/-/K/-/YY"
    assert [own.row_has_color(1, 2), own.row_has_color(3, 0)] == [True, True]
    # One red, three blue and the white tile that was dropped.
    assert tally.counts(position.lid) == (3, 0, 1, 0, 1)


CELLS = [
    # wall before, row, column, points
    ("...../...../...../...../.....", 2, 2, 1),
    ("...../...../.X.../...../.....", 2, 2, 2),
    ("...../...../XX.../...../.....", 2, 2, 3),
    ("...../...../XX.XX/...../.....", 2, 2, 5),
    ("...../...../X.X../...../.....", 2, 3, 2),
    ("...../...../X..X./...../.....", 2, 2, 2),
    ("...../..X../...../...../.....", 2, 2, 2),
    ("..X../..X../...../..X../..X..", 2, 2, 5),
    ("..X../...../...../..X../.....", 2, 2, 2),
    ("...../..X../.X.../...../.....", 2, 2, 4),
    ("..X../..X../.X.X./..X../..X..", 2, 2, 8),
    ("..X../..X../XX.XX/..X../..X..", 2, 2, 10),
    ("X..../...../...../...../.....", 0, 1, 2),
    (".XXXX/X..../X..../X..../X....", 0, 0, 10),
    (".X.X./X.X.X/.X.X./X.X.X/.X.X.", 0, 0, 4),
    # Diagonal neighbors are none.
    ("...../.X.X./...../.X.X./.....", 2, 2, 1),
]


@pytest.mark.parametrize(("wall", "row", "column", "points"), CELLS)
def test_1_4_2_points_of_a_tile(wall: str, row: int, column: int, points: int) -> None:
    """Runs across and down, each only if longer than one; a lone tile scores 1."""
    lying = empty_board()
    for r, cells in enumerate(wall.split("/")):
        for c, cell in enumerate(cells):
            if cell == "X":
                lying.place(r, c, 0)
    assert lying.place(row, column, 1) == points


def test_1_4_3_the_floor_is_paid_after_the_gains() -> None:
    """Three gained, eight to pay: nothing is left, and nothing is owed."""
    own = board(score=0, lines="B/-/-/-/-", wall=".YR../...../...../...../.....", floor="KKKK")
    assert last_take(own).scores[0] == 0


def test_1_4_4_floor_tiles_go_to_the_lid_and_the_marker_stays() -> None:
    """The lid gets the tiles, the seat keeps the marker."""
    position = table(factories="W,-,-,-,-", boards=[board(floor="MKR"), board()], marker="0")
    play(position, "0WF")
    assert tally.counts(position.lid) == (0, 0, 1, 1, 1)
    assert (position.marker, position.boards[0].floor) == (0, ())


# 1.5 ----------------------------------------------------------------------------------------


def test_1_5_1_the_holder_of_the_marker_starts() -> None:
    """And the marker is back in the center."""
    position = table(center="WK", boards=[board(), board()], starter="0")
    play(position, "CW0", "CK0")
    position.deal(position.draw(FixedStreams(seed_bytes(1), 2).round(3)))
    assert (position.actor, position.starter, position.marker) == (0, 0, -1)


def test_1_5_1_nobody_else_can_start() -> None:
    """A deal that names another seat is refused."""
    position = last_take(board())
    with pytest.raises(InvalidDeal) as caught:
        position.deal(deal("factories=BBBB,YYYY,RRRR,KKKK,BBBB starter=1"))
    assert (caught.value.part, caught.value.expected) == ("starter", "0")


def between(bag: str, lid: str, *, seats: int = 2) -> AzulPosition:
    """Return a table between rounds with that bag and lid; the other tiles are set aside."""
    position = last_take(board())
    if seats != 2:
        position = new_table(position.variant, seats, 20, -1)
        position.round = 1
        position.starter = 0
    position.bag = ruleset("azul").parse_deal(f"factories={bag}").factories[0]
    position.lid = ruleset("azul").parse_deal(f"factories={lid}").factories[0]
    return position


def dealt(position: AzulPosition, text: str) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Deal and return bag and lid afterwards."""
    position.deal(deal("factories=" + text))
    return tally.counts(position.bag), tally.counts(position.lid)


def test_1_5_2_the_lid_refills_the_bag_in_the_middle_of_a_factory() -> None:
    """Six tiles in the bag: factory 1 gets its last two, then two of the lid."""
    position = between("BBBBYY", "RRRRRRKKKKKKWWWW")
    bag, lid = dealt(position, "BBBB,YYRK,RRRR,KKKK,WWWW")
    assert (bag, lid) == ((0, 0, 1, 1, 0), (0, 0, 0, 0, 0))


@pytest.mark.parametrize(
    "text",
    [
        "BBBB,YRRK,RRRR,KKKK,WWWW",  # a yellow tile stays behind in the bag
        "BBBR,BYYK,RRRR,KKKK,WWWW",  # factory 0 already takes from the lid
        "BBBB,YYYR,RRRR,KKKK,WWWW",  # more yellow than there is
        "BBBB,YYRK,RRRR,WWWW,WKKK",  # five white of four
    ],
)
def test_1_5_2_a_deal_that_bag_and_lid_cannot_give(text: str) -> None:
    """The bag must be empty before the lid is touched."""
    position = between("BBBBYY", "RRRRRRKKKKKKWWWW")
    before = str(position.bag), str(position.lid), position.round
    with pytest.raises(InvalidDeal) as caught:
        position.deal(deal("factories=" + text))
    assert caught.value.part == "factories"
    assert (str(position.bag), str(position.lid), position.round) == before


def test_1_5_3_a_short_deal_leaves_the_last_factories_short() -> None:
    """Seven tiles: one full factory, one of three, three empty."""
    position = between("BBBBY", "KK")
    assert dealt(position, "BBBB,YKK,-,-,-") == ((0,) * 5, (0,) * 5)
    assert position.on_offer == 7


def test_1_5_2_nine_factories_of_one_color_are_more_than_there_are() -> None:
    """36 blue tiles of twenty, or of none: refused, and the bag stays whole."""
    for lid in ("-", "20B"):
        position = play(table(factories="W" + FOUR_SEATS[1:], boards=[board()] * 4, lid=lid), "0WF")
        before = str(position)
        with pytest.raises(InvalidDeal):
            position.deal(deal("factories=" + ",".join(["BBBB"] * 9)))
        assert str(position) == before


@pytest.mark.parametrize(
    "text", ["BBB,BYKK,-,-,-", "BBBB,YK,K,-,-", "BBBB,YK,-,-,-", "BBBB,YKK,-,-"]
)
def test_a15_factories_are_filled_in_order(text: str) -> None:
    """Not evenly, and nothing is held back."""
    with pytest.raises(InvalidDeal):
        between("BBBBY", "KK").deal(deal("factories=" + text))


def test_a15_every_factory_gets_four_while_tiles_last() -> None:
    """Five on one and three on another are twenty, but no deal."""
    with pytest.raises(InvalidDeal):
        last_take(board()).deal(deal("factories=BBBBB,YYY,RRRR,KKKK,RRRR"))


@pytest.mark.parametrize("counts", [[16, 16, 16, 19, 0], [31, 31, 5, 0, 0], [31, 31, 31, 31, 6]])
@pytest.mark.parametrize("times", [1, 2, 3, 5])
def test_a15_more_tiles_than_four_are_never_taken_for_four(counts: list[int], times: int) -> None:
    """67 and 130 leave 4 over by 63, which is how full factories are told at a glance."""
    factories = [tally.of_counts(counts)] * times + [4 * tally.ONE[4]] * (5 - times)
    with pytest.raises(InvalidDeal):
        ruleset("azul").initial(2).deal(RoundDeal(tuple(factories), starter=0))


def test_a13_the_bag_is_not_refilled_before_a_tile_is_needed() -> None:
    """Twenty tiles in the bag, twenty needed: the lid stays as it is."""
    position = between("BBBBYYYYRRRRKKKKWWWW", "BBB")
    assert dealt(position, "BBBB,YYYY,RRRR,KKKK,WWWW") == ((0,) * 5, (3, 0, 0, 0, 0))


def test_a13_drawn_deals_empty_the_bag_first() -> None:
    """Three tiles in the bag: all of them lie on factory 0, the rest comes from the lid."""
    for seed in range(20):
        position = between("BBB", "YYYYRRRRKKKKWWWWYRKW")
        drawn = position.draw(FixedStreams(seed_bytes(seed), 2).round(3))
        assert tally.counts(drawn.factories[0])[0] == 3
        position.deal(drawn)
        assert (tally.size(position.bag), position.lid) == (3, 0)


class KeptNumbers:
    """A chance with one stream that always takes the first tile, from lists that it keeps."""

    def __init__(self) -> None:
        self.given: list[list[int]] = []

    def stream(self, purpose: Purpose) -> "KeptNumbers":
        """Return the same stream for any purpose."""
        return self

    def uniform(self, n: int) -> int:
        """Return 0."""
        return 0

    def descend(self, n: int, k: int) -> list[int]:
        """Return k times 0."""
        self.given.append([0] * k)
        return self.given[-1]


def test_a13_numbers_of_a_stream_stay_as_they_are() -> None:
    """Five tiles come from the bag and fifteen from the lid, the first that lies there each time."""
    chance = KeptNumbers()
    drawn = between("BBBYY", "BBBBYYYYRRRRKKKKWWWW").draw(chance)
    assert str(drawn) == "factories=BBBY,BBBY,BYYY,YRRR,RKKK"
    assert chance.given == [[0] * 5, [0] * 15]


# 1.6 ----------------------------------------------------------------------------------------


def test_1_6_1_a_complete_row_ends_the_game_after_the_round() -> None:
    """Everybody tiles and pays first."""
    own = board(score=10, lines="W/-/-/-/-", wall="BYRK./...../...../...../.....")
    other = board(score=3, lines="-/KK/-/-/-", floor="R")
    position = last_take(own, other=other)
    assert position.actor == OVER
    assert position.scores == (10 + 5 - 1, 3 + 1 - 1)
    outcome = position.outcome()
    assert outcome is not None
    assert outcome.termination is Termination.COMPLETE_ROW


def full_wall(missing: str = "") -> str:
    """Return the colored wall, without the rows and colors named."""
    rows = ["BYRKW", "WBYRK", "KWBYR", "RKWBY", "YRKWB"]
    cells = []
    for index, row in enumerate(rows):
        cells.append(
            "".join("." if letter in missing or str(index) in missing else letter for letter in row)
        )
    return "/".join(cells)


BONUSES = [
    (full_wall("1234"), {"rows": 1, "columns": 0, "colors": 0}),
    (full_wall("4W"), {"rows": 0, "columns": 0, "colors": 0}),
    (full_wall("W"), {"rows": 0, "columns": 0, "colors": 4}),
    (full_wall(), {"rows": 5, "columns": 5, "colors": 5}),
    ("BYRK./W..../K..../R..../Y....", {"rows": 0, "columns": 1, "colors": 0}),
]


@pytest.mark.parametrize(("wall", "times"), BONUSES)
def test_1_6_2_bonuses(wall: str, times: dict[str, int]) -> None:
    """Two a row, seven a column, ten a color."""
    boards = [board(score=1, wall=wall), board(wall=full_wall("1234"))]
    position = table(boards=boards, turn="over", lid="-")
    outcome = position.outcome()
    assert outcome is not None
    assert {bonus.name: bonus.times for bonus in outcome.bonuses[0]} == times
    worth = 2 * times["rows"] + 7 * times["columns"] + 10 * times["colors"]
    assert outcome.scores[0] == 1 + worth


RANKS = [
    # scores without bonuses, complete rows, ranks
    ((9, 8), (1, 1), (1, 2)),
    ((8, 9), (1, 1), (2, 1)),
    ((8, 10), (2, 1), (1, 2)),
    ((8, 8), (1, 1), (1, 1)),
    ((5, 9, 9), (1, 1, 1), (3, 1, 1)),
    ((9, 5, 5), (1, 1, 1), (1, 2, 2)),
    ((7, 9, 7), (2, 1, 2), (1, 3, 1)),
    ((6, 6, 6, 6), (1, 1, 1, 1), (1, 1, 1, 1)),
    ((1, 4, 6, 2), (1, 1, 1, 1), (4, 2, 1, 3)),
    # Seats 1 and 2 tie below the winner, and rows part them there too.
    ((20, 6, 4, 1), (1, 1, 2, 1), (1, 3, 2, 4)),
]


@pytest.mark.parametrize(("scores", "rows", "ranks"), RANKS)
def test_1_6_3_ranks(
    scores: tuple[int, ...], rows: tuple[int, ...], ranks: tuple[int, ...]
) -> None:
    """Score with bonuses, then complete rows, then shared."""
    # One complete row is worth 2, so scores are set apart from it.
    boards = [
        board(score=score, wall=full_wall("234" if two == 2 else "1234"))
        for score, two in zip(scores, rows, strict=True)
    ]
    factories = ",".join("-" for _ in range(2 * len(scores) + 1))
    outcome = table(boards=boards, turn="over", factories=factories).outcome()
    assert outcome is not None
    assert outcome.ranks == ranks


def test_1_6_4_no_tile_left_ends_the_game() -> None:
    """The last white tile goes into a line that stays unfilled: nothing is left to deal."""
    wall = full_wall("W")
    boards = [board(wall=wall, lines="-/W/WW/W/-"), *[board(wall=wall, lines="-/W/WW/WW/-")] * 3]
    position = table(factories="W" + FOUR_SEATS[1:], boards=boards, number=9)
    play(position, "0W3")
    outcome = position.outcome()
    assert outcome is not None
    assert outcome.termination is Termination.NO_TILES


def test_1_6_4_any_tile_of_bag_or_lid_lets_the_game_go_on() -> None:
    """Also when both hold the same."""
    for bag, lid in (("B", "-"), ("-", "B"), ("B", "B")):
        assert between(bag, lid).termination() is None
    assert between("-", "-").termination() is Termination.NO_TILES


@pytest.mark.parametrize("cap", [1, 2, 5])
def test_1_6_5_the_round_cap(cap: int) -> None:
    """That many rounds are played, the last one tiled and scored."""
    for position, _ in walk("azul", 2, 5, Options(round_cap=cap)):
        last = position
    assert last.round == cap
    outcome = last.outcome()
    assert outcome is not None
    assert outcome.termination is Termination.ROUND_CAP


# Rulings ------------------------------------------------------------------------------------


def test_a8_lines_are_tiled_from_the_top_and_scored_at_once() -> None:
    """The tile of line 1 counts the one of line 0 above it: 1 and 2, not 1 and 1."""
    position = last_take(board(score=5, lines="B/WW/-/-/-"))
    # Blue lands in column 0 of row 0, white in column 0 of row 1; one white tile falls.
    assert position.scores[0] == 5 + 1 + 2 - 1


def test_a9_bonuses_come_after_the_floor() -> None:
    """A score that the floor brought to 0 still gets the bonus of the row."""
    own = board(lines="W/-/-/-/-", wall="BYRK./...../...../...../.....", floor="KKKKKK")
    outcome = last_take(own).outcome()
    assert outcome is not None
    assert outcome.scores[0] == 0 + 2


def test_a10_several_walls_may_have_complete_rows() -> None:
    """Both count in the same round."""
    own = board(lines="W/-/-/-/-", wall="BYRK./...../...../...../.....")
    position = last_take(own, other=own)
    assert [one.complete_rows() for one in position.boards] == [1, 1]


def test_a11_full_ties_share_the_victory() -> None:
    """All of them are winners."""
    boards = [board(score=4, wall=full_wall("1234"))] * 2
    outcome = table(boards=boards, turn="over").outcome()
    assert outcome is not None
    assert outcome.winners == (0, 1)


def test_a12_ties_below_first_place_share_a_rank() -> None:
    """Rank 2 twice, and then 4."""
    wall = full_wall("1234")
    boards = [board(score=score, wall=wall) for score in (3, 9, 3, 1)]
    outcome = table(boards=boards, turn="over", factories=FOUR_SEATS).outcome()
    assert outcome is not None
    assert outcome.ranks == (2, 1, 2, 4)


def test_a14_four_walls_can_hold_every_tile() -> None:
    """A table with nothing left to deal is over; the same table with a tile left is not."""
    # Four full columns of each wall less a row: 20 tiles a wall, 80 in all; the other 20
    # tiles lie in lines that are not full.
    wall = full_wall("W")
    boards = [board(wall=wall, lines="-/W/WW/WW/-")] * 4
    position = table(boards=boards, turn="over", factories=FOUR_SEATS)
    assert (position.bag, position.lid) == (0, 0)
    outcome = position.outcome()
    assert outcome is not None
    assert outcome.termination is Termination.NO_TILES
    boards = [*boards[:3], board(wall=wall, lines="-/W/WW/W/-")]
    assert table(boards=boards, turn="deal", factories=FOUR_SEATS).actor == CHANCE


@pytest.mark.parametrize("cap", [0, -1, 65, True, "20", 2.0])
def test_a16_caps_outside_1_to_64_are_refused(cap: int) -> None:
    """The cap is published and bounded."""
    with pytest.raises(InvalidSetup, match="round cap"):
        ruleset("azul").initial(2, Options(round_cap=cap))
    with pytest.raises(InvalidSetup, match="round cap"):
        ruleset("azul").check_options(Options(round_cap=cap), 2)


def test_a16_caps_from_1_to_64_are_taken() -> None:
    """Both edges."""
    for cap in (1, 64):
        assert ruleset("azul").initial(2, Options(round_cap=cap)).round_cap == cap


def test_a16_the_default_cap_is_20() -> None:
    """Only games from elsewhere have none, and no option gives it."""
    assert ruleset("azul").initial(2).round_cap == 20
    position = ruleset("azul").initial(2, Options(round_cap=None))
    assert position.round_cap == 20
    position.round_cap, position.round = None, 500
    assert position.termination() is None


def test_a17_a_view_shows_bag_and_lid_as_counts() -> None:
    """All is open; no order of the bag exists that a view could show."""
    position = last_take(board(floor="K"))
    view = position.view(0)
    assert view == position
    assert view is not position
    assert (view.bag, view.lid) == (position.bag, position.lid)


def test_a18_scores_go_on_past_the_printed_track() -> None:
    """Past 100, and past what a signed byte holds."""
    own = board(score=126, lines="W/-/-/-/-", wall="BYRK./....K/....R/....Y/....B")
    position = last_take(own)
    # A run of five across and a column of five down; a dropped tile costs 1.
    assert position.scores[0] == 126 + 10 - 1


def test_1_5_deals_and_draws_only_when_due() -> None:
    """In the middle of a round, or after the end, there is nothing to deal."""
    position = table(factories="BBBB,-,-,-,-")
    with pytest.raises(WrongMoment, match="seat 0 is to move"):
        position.draw(FixedStreams(seed_bytes(1), 2).round(1))
    ended = table(boards=[board(wall=full_wall("1234")), board()], turn="over")
    with pytest.raises(WrongMoment, match="the game is over"):
        ended.deal(deal("factories=BBBB,YYYY,RRRR,KKKK,WWWW"))
