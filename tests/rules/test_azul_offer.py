"""Clauses 1.2 and 1.3: set-up and factory offer."""

from itertools import pairwise

import pytest

from referee.draws import FixedStreams
from referee.rules import CHANCE, Illegal, InvalidDeal, InvalidSetup, Options, tally
from referee.rules.azul.components import (
    BLUE,
    CENTER,
    COLOR_NAMES,
    FLOOR_PENALTY,
    MARKER,
    WALL_COLUMNS,
)
from referee.rules.azul.moves import Take, shared_take
from tests.games import seed_bytes
from tests.tables import board, deal, listed, play, reach, refusal, ruleset, table

# 1.2 ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(("seats", "factories"), [(2, 5), (3, 7), (4, 9)])
def test_1_2_1_factories_by_players(seats: int, factories: int) -> None:
    """Twice the players and one."""
    assert ruleset("azul").initial(seats).factories == factories


@pytest.mark.parametrize("seats", [-1, 0, 1, 5, True, 2.0, "2", None])
def test_1_2_1_other_numbers_of_players_are_refused(seats: int) -> None:
    """Only 2, 3 or 4 play."""
    with pytest.raises(InvalidSetup, match="2 to 4 players"):
        ruleset("azul").initial(seats)


def test_1_2_2_the_bag_starts_with_twenty_of_each_color() -> None:
    """All 100 tiles are in the bag."""
    assert tally.counts(ruleset("azul").initial(2).bag) == (20, 20, 20, 20, 20)


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_1_2_3_every_factory_gets_four_tiles(seats: int) -> None:
    """The deal takes them out of the bag."""
    position = reach("azul", seats, 1, 1)
    assert [tally.size(position.sources[i]) for i in range(position.factories)] == [
        4
    ] * position.factories
    assert tally.size(position.bag) == 100 - 4 * position.factories


def test_1_2_4_scores_and_boards_start_empty() -> None:
    """Nobody has anything."""
    position = ruleset("azul").initial(3)
    assert position.scores == (0, 0, 0)
    assert str(position).endswith(" ".join(f"seat{s}={board()}" for s in range(3)))


def test_1_2_5_the_first_player_is_chance_or_named() -> None:
    """Without a name both seats come up; with one, always that seat."""
    free = {
        ruleset("azul").initial(2).draw(FixedStreams(seed_bytes(n), 2).round(1)).starter
        for n in range(20)
    }
    assert free == {0, 1}
    named = ruleset("azul").initial(2, Options(first_player=1))
    dealt = named.draw(FixedStreams(seed_bytes(1), 2).round(1))
    named.deal(dealt)
    assert (dealt.starter, named.actor) == (1, 1)


@pytest.mark.parametrize("first", [-1, 2, True, "0", 1.0])
def test_1_2_5_a_first_player_who_is_not_there_is_refused(first: int) -> None:
    """The seat must exist."""
    with pytest.raises(InvalidSetup, match="first player"):
        ruleset("azul").initial(2, Options(first_player=first))


def test_1_2_6_the_colored_wall() -> None:
    """Each row shows the colors in order, moved by one column for each row."""
    rows = []
    for columns in WALL_COLUMNS:
        by_column = sorted(range(5), key=columns.__getitem__)
        rows.append([COLOR_NAMES[color] for color in by_column])
    assert rows == [
        ["blue", "yellow", "red", "black", "white"],
        ["white", "blue", "yellow", "red", "black"],
        ["black", "white", "blue", "yellow", "red"],
        ["red", "black", "white", "blue", "yellow"],
        ["yellow", "red", "black", "white", "blue"],
    ]


def test_1_2_7_the_cost_of_the_floor_line() -> None:
    """One, one, two, two, two, three, three."""
    single = [after - before for before, after in pairwise(FLOOR_PENALTY)]
    assert single == [1, 1, 2, 2, 2, 3, 3]


# 1.3 ----------------------------------------------------------------------------------------


def test_1_3_1_turns_ascend_from_the_starter() -> None:
    """The seat after the last is the first."""
    boards = [board()] * 3
    position = table(
        factories="BBYY,RRKK,WWBB,YYRR,-,-,-", boards=boards, starter="2", turn="2", center="-"
    )
    actors = [position.actor]
    for move in ("0BF", "1RF", "2WF"):
        play(position, move)
        actors.append(position.actor)
    assert actors == [2, 0, 1, 2]


def test_1_3_1_a_place_is_no_move_of_the_offer() -> None:
    """Tiles are still on offer."""
    position = table(factories="BBYY,-,-,-,-")
    assert refusal(position, "0@0").reason is Illegal.WRONG_KIND


@pytest.mark.parametrize(
    ("move", "reason"),
    [
        ("0K0", Illegal.COLOR_ABSENT),
        ("1B0", Illegal.COLOR_ABSENT),
        ("CB0", Illegal.COLOR_ABSENT),
        ("5B0", Illegal.NO_SUCH_FACTORY),
        ("8B0", Illegal.NO_SUCH_FACTORY),
    ],
)
def test_1_3_2_the_source_must_hold_the_color(move: str, reason: Illegal) -> None:
    """A factory, the center, a factory that only larger tables have."""
    position = table(factories="BBYY,RRRR,-,-,-", center="K")
    error = refusal(position, move)
    assert error.reason is reason
    assert error.rule in str(error)


def test_1_3_3_targets() -> None:
    """Not full, empty or of the color, not on the wall; the floor always."""
    own = board(lines="B/B/-/KK/-", wall="...../...../..B../...../.....")
    position = table(factories="BBBY,-,-,-,-", boards=[own, board()])
    assert listed(position) == ["0B1", "0B4", "0BF", "0Y2", "0Y4", "0YF"]


@pytest.mark.parametrize(
    ("move", "reason", "words"),
    [
        ("0B0", Illegal.LINE_FULL, "pattern line 0 is full"),
        ("0B3", Illegal.LINE_HOLDS_OTHER_COLOR, "pattern line 3 holds black, blue cannot join it"),
        ("0B2", Illegal.WALL_ROW_HAS_COLOR, "row 2 of the wall already holds blue"),
    ],
)
def test_1_3_3_refusals_name_what_stands_in_the_way(move: str, reason: Illegal, words: str) -> None:
    """A person can see from the sentence what is wrong."""
    own = board(lines="B/B/-/KK/-", wall="...../...../..B../...../.....")
    error = refusal(table(factories="BBBY,-,-,-,-", boards=[own, board()]), move)
    assert error.reason is reason
    assert words in str(error)


def test_1_3_4_all_tiles_of_the_color_are_taken() -> None:
    """Three blue tiles, three taken."""
    position = play(table(factories="BBBY,RRRR,-,-,-"), "0B4")
    assert tally.counts(position.boards[0].lines[4])[BLUE] == 3


def test_1_3_5_the_rest_of_a_factory_goes_to_the_center() -> None:
    """The rest of the center stays."""
    position = play(table(factories="BBYK,RRRR,-,-,-", center="W"), "0B1")
    assert tally.counts(position.sources[CENTER]) == (0, 1, 0, 1, 1)
    assert position.sources[0] == 0
    play(position, "CK0")
    assert tally.counts(position.sources[CENTER]) == (0, 1, 0, 0, 1)


def test_1_3_6_the_first_take_from_the_center_takes_the_marker() -> None:
    """Only the first one does."""
    position = table(factories="RRRR,-,-,-,-", center="KKYW")
    play(position, "CK1")
    assert (position.marker, position.boards[0].floor) == (0, (MARKER,))
    play(position, "CY0")
    assert (position.marker, position.boards[1].floor) == (0, ())


def test_1_3_7_surplus_falls_and_then_goes_to_the_lid() -> None:
    """Five spaces taken, four surplus tiles: two fall, two go to the lid."""
    own = board(floor="KKKKK")
    position = play(table(center="YYYYYW", boards=[own, board(floor="M")], marker="1"), "CY0")
    assert position.boards[0].floor == (3, 3, 3, 3, 3, 1, 1)
    assert tally.counts(position.lid) == (0, 2, 0, 0, 0)


def test_1_3_8_the_phase_ends_with_the_last_tile() -> None:
    """Then walls are tiled and a deal is due."""
    position = play(table(factories="BBBB,-,-,-,-"), "0B3")
    assert position.actor == CHANCE
    assert position.scores == (1, 0)


# Rulings ------------------------------------------------------------------------------------


def test_a1_the_marker_on_a_full_floor_line_costs_nothing() -> None:
    """It displaces nothing, and its taker still starts the next round."""
    own = board(score=20, floor="KKKKKKK")
    position = table(center="YW", boards=[own, board()], turn="0", starter="1")
    play(position, "CY0")
    assert (position.marker, len(position.boards[0].floor)) == (0, 7)
    play(position, "CW0")
    assert position.scores == (20 + 1 - 14, 1)
    assert position.next_starter() == 0


def test_a2_the_marker_lies_before_the_surplus() -> None:
    """It takes the leftmost free space of that moment."""
    position = play(table(center="YYYYW", boards=[board(floor="K"), board()]), "CY1")
    assert position.boards[0].floor == (3, MARKER, 1, 1)


def test_a2_with_one_space_left_the_marker_takes_it() -> None:
    """The surplus then goes to the lid, all of it."""
    position = play(table(center="YYW", boards=[board(floor="KKKKKK"), board()]), "CY0")
    assert position.boards[0].floor == (3, 3, 3, 3, 3, 3, MARKER)
    assert tally.counts(position.lid) == (0, 1, 0, 0, 0)


def test_a3_the_marker_costs_like_a_tile_and_never_goes_to_the_lid() -> None:
    """Marker and one tile cost 2; the lid gets the tile alone."""
    position = play(table(center="YY", boards=[board(score=9), board()]), "CY0")
    assert position.scores[0] == 9 + 1 - 2
    assert tally.counts(position.lid) == (0, 1, 0, 0, 0)


def test_a4_tiles_beyond_seven_cost_nothing() -> None:
    """Twenty points less fourteen, however many more fall."""
    own = board(score=20, floor="KKKKKKK")
    position = play(table(center="YYYY", boards=[own, board(floor="M")], marker="1"), "CYF")
    assert position.scores[0] == 20 - 14
    assert tally.counts(position.lid) == (0, 4, 0, 7, 0)


def test_a5_a_round_without_the_marker_keeps_its_starter() -> None:
    """Every factory of one color: nothing ever reaches the center, nobody pays."""
    position = table(factories="BBBB,YYYY,RRRR,KKKK,WWWW", starter="1", turn="1", number=1)
    play(position, "0B3", "1Y3", "2R4", "3K4", "4W2")
    assert position.actor == CHANCE
    assert (position.marker, position.next_starter()) == (-1, 1)
    # A lone tile each, and one white surplus tile at seat 1: its 1 point is paid away.
    assert position.scores == (1, 1 + 1 - 1)
    position.deal(position.draw(FixedStreams(seed_bytes(1), 2).round(2)))
    assert (position.actor, position.starter) == (1, 1)


def test_a6_the_whole_take_may_always_fall() -> None:
    """Every color of every source lists the floor as its last target."""
    moves = listed(table(factories="BYRK,-,-,-,-", center="WW"))
    assert [move for move in moves if move.endswith("F")] == ["0BF", "0YF", "0RF", "0KF", "CWF"]


def test_a6_a_take_fills_its_line_before_anything_falls() -> None:
    """No move drops a part while the line has room."""
    position = play(table(factories="BBBY,RRRR,-,-,-"), "0B2")
    assert tally.counts(position.boards[0].lines[2])[BLUE] == 3
    assert position.boards[0].floor == ()


def test_a7_a_full_line_is_no_floor_move() -> None:
    """It is refused, and nothing falls."""
    position = table(factories="BBBY,-,-,-,-", boards=[board(lines="B/-/-/-/-"), board()])
    assert refusal(position, "0B0").rule == "1.3.3a, A7"


def test_a19_an_illegal_move_changes_nothing_and_says_why() -> None:
    """Reason, sentence and rule come with it; what it costs is the match's business."""
    error = refusal(table(factories="BBBY,-,-,-,-"), "0K0")
    assert (error.reason, error.rule) == (Illegal.COLOR_ABSENT, "1.3.2")
    assert str(error) == "factory 0 holds no black tile (1.3.2)"


@pytest.mark.parametrize("move", ["0B0", "CB0", "0@0"])
def test_1_3_no_move_before_the_deal_or_after_the_end(move: str) -> None:
    """Both moments have a reason of their own."""
    assert refusal(ruleset("azul-gray").initial(2), move).reason is Illegal.AWAITING_DEAL
    ended = reach("azul", 2, 3, 1000)
    assert refusal(ended, move).reason is Illegal.GAME_OVER


def test_1_3_the_starter_of_a_deal_is_checked() -> None:
    """A first deal must name one who sits there."""
    for starter in (" starter=3", " starter=2", ""):
        with pytest.raises(InvalidDeal) as caught:
            ruleset("azul").initial(2).deal(deal("factories=BBYY,RRKK,WWBB,YYRR,KKWW" + starter))
        assert (caught.value.part, caught.value.expected) == ("starter", "a seat from 0 to 1")


def test_shared_takes_are_those_of_the_list() -> None:
    """Whoever asks for a take by its numbers gets the value that the list has."""
    moves = reach("azul", 4, 2, 30).legal_moves()
    takes = [move for move in moves if isinstance(move, Take)]
    assert takes
    assert all(shared_take(take.source, take.color, take.line) is take for take in takes)
