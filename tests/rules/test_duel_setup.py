"""Duel: components and set-up (3.2, 3.3, D23-D25)."""

from collections import Counter

import pytest

from referee.draws import RoundStreams
from referee.rules import CHANCE, Illegal, InvalidDeal, InvalidSetup, Options, tally
from referee.rules.duel import chips as chipset
from referee.rules.duel.chips import ALL_CHIPS
from referee.rules.duel.components import FACE_NAMES, PLATES, SPECIAL_PLATES, hidden, is_special
from referee.rules.duel.dome import rotated
from referee.rules.duel.plates import plate_of
from referee.rules.duel.position import DuelPosition
from referee.rules.duel.ruleset import DUEL, read_goals
from tests.duel_tables import (
    FIRST_DEAL,
    dealt,
    initial,
    listed,
    play,
    refusal,
)
from tests.games import seed_bytes


def refused(position: DuelPosition, text: str) -> InvalidDeal:
    """Return why a deal is refused; the position must stay as it was."""
    before = str(position)
    with pytest.raises(InvalidDeal) as caught:
        play(position, text)
    assert str(position) == before
    return caught.value


# Components ----------------------------------------------------------------------------------


def test_3_2_1_thirteen_tiles_of_each_color() -> None:
    """All 65 start in the bag."""
    position = initial()
    assert tally.counts(position.bag) == (13, 13, 13, 13, 13)
    assert (position.tower, position.tiles_left) == (0, 0)


def test_3_2_2_eighteen_plates_of_two_types() -> None:
    """Each type has nine of the ten sets of three colors, each once."""
    assert len(PLATES) == 18
    for sign, special in (("S", True), ("W", False)):
        kind = [plate for plate in range(18) if is_special(plate) == special]
        sets = {frozenset(PLATES[plate]) - {sign} for plate in kind}
        assert len(kind) == len(sets) == 9
        assert all(len(colors) == 3 for colors in sets)
        assert all(PLATES[plate].count(sign) == 1 for plate in kind)
    colors = Counter("".join(PLATES))
    assert [colors[c] for c in "BYRKTSW"] == [11, 10, 11, 11, 11, 9, 9]
    assert SPECIAL_PLATES.bit_count() == 9


def test_3_2_2_quarter_turns_are_clockwise() -> None:
    """Four of them bring a plate back, and none mirrors it."""
    assert [rotated(0, turn) for turn in range(4)] == ["YKTS", "TYSK", "STKY", "KSYT"]
    for plate in range(18):
        assert len({rotated(plate, turn) for turn in range(4)}) == 4
        assert rotated(plate, 4) == PLATES[plate]


def test_3_2_2_backs_show_the_type() -> None:
    """And nothing else."""
    assert {hidden(plate) for plate in range(18) if is_special(plate)} == {18}
    assert {hidden(plate) for plate in range(18) if not is_special(plate)} == {19}
    assert (hidden(18), hidden(19)) == (18, 19)


def test_3_2_3_two_chips_of_each_of_ten_faces() -> None:
    """Every color is on six chips."""
    assert chipset.size(ALL_CHIPS) == 20
    shown = [name for face in chipset.faces(ALL_CHIPS) for name in FACE_NAMES[face].split("+")]
    assert Counter(shown) == dict.fromkeys(("blue", "yellow", "red", "black", "turquoise"), 6)
    assert FACE_NAMES[5:] == (
        "yellow+turquoise",
        "blue+red",
        "red+turquoise",
        "blue+black",
        "yellow+black",
    )


@pytest.mark.parametrize("goals", [("rows", "five_colors", "columns"), ("corners",) * 3])
def test_3_2_4_two_sides_of_a_token_are_never_in_play_together(goals: tuple[str, ...]) -> None:
    """Nor is one goal twice."""
    with pytest.raises(InvalidSetup, match="token"):
        DUEL.initial(2, Options(goals=goals))
    with pytest.raises(InvalidSetup, match="goals"):
        DUEL.check_options(Options(goals=goals), 2)


def test_d25_sides_of_neighboring_tokens_are_no_pair() -> None:
    """Five colors and columns are on two tokens; nothing is left to chance then."""
    assert read_goals(("columns", "five_colors", "wilds")) == ((1, 2, 6), 0)


def test_3_2_5_six_lines_nine_slots_and_no_tile() -> None:
    """As every board starts."""
    for board in initial().boards:
        assert board.line_counts == [0] * 6
        assert board.plates == [-1] * 9
        assert (board.filled, board.broken_count, board.chips, board.tokens) == (0, 0, 0, 0)


def test_3_2_6_every_score_starts_at_5() -> None:
    """Five points to draw plates with."""
    assert initial().scores == (5, 5)


@pytest.mark.parametrize("seats", [1, 3, 4, True, "2"])
def test_3_2_1_two_play(seats: int) -> None:
    """Nobody else."""
    with pytest.raises(InvalidSetup, match="duel is for 2 players"):
        DUEL.initial(seats)


def test_options_of_another_game_are_refused() -> None:
    """Duel has no round cap: it always lasts five rounds."""
    with pytest.raises(InvalidSetup, match="duel has no option round_cap"):
        DUEL.initial(2, Options(round_cap=5))


# Set-up -----------------------------------------------------------------------------------------


def test_3_3_1_three_plates_lie_open_and_fifteen_are_stacked() -> None:
    """One of them on top, the others in no order at all."""
    position = dealt()
    assert position.display == (0, 1, 2)
    assert plate_of(position.stack.top) == 3
    assert position.stack.size() == 15
    assert position.stack.without_place() == 14


@pytest.mark.parametrize(
    ("text", "part"),
    [
        (FIRST_DEAL.replace("display=0,1,2", "display=0,1"), "display"),
        (FIRST_DEAL.replace("display=0,1,2", "display=0,1,1"), "display"),
        (FIRST_DEAL.replace("top=3", "top=2"), "top"),
        (FIRST_DEAL.replace(" top=3", ""), "top"),
        (FIRST_DEAL.replace("BBYRK", "BBYR"), "large"),
        (FIRST_DEAL.replace("BBYRK", "BBYRKT"), "large"),
        (FIRST_DEAL.replace("BBYRK", "BBBBB"), "large"),
        (FIRST_DEAL.replace("KTTT", "TTT"), "small"),
        (FIRST_DEAL.replace(",KTTT", ""), "small"),
        (FIRST_DEAL.replace("BBBB", "BBBBB"), "small"),
        (f"{FIRST_DEAL},B", "chips"),
        (FIRST_DEAL.replace("B,YT,BR,RT", "B,B,B,RT"), "chips"),
        (f"redraws=BB {FIRST_DEAL}", ""),
        (f"starter=1 {FIRST_DEAL}", "starter"),
        (f"goals=rows,columns,corners {FIRST_DEAL}", "goals"),
        ("top=3", "deal"),
    ],
)
def test_3_3_deals_that_cannot_be_are_refused_where_they_are_wrong(text: str, part: str) -> None:
    """Each names the part, and leaves the table as it was."""
    if part:
        assert refused(initial(), text).part == part
    else:
        with pytest.raises(Exception, match="does not fit a deal"):
            play(initial(), text)


def test_3_3_2_the_large_factory_is_filled_first() -> None:
    """Seven tiles: five for the large one, two for small factory 0."""
    position = dealt()
    assert tally.size(position.sun[4]) == 5
    assert [tally.size(tiles) for tiles in position.sun[:4]] == [4, 4, 4, 4]
    assert position.tiles_left == 21
    assert tally.size(position.bag) == 65 - 21


def test_3_3_3_chips_lie_face_down_and_the_tile_on_the_large_factory() -> None:
    """Views show that there is a chip, not which."""
    position = dealt()
    assert (position.revealed, position.first, position.chips_left) == (0, -1, 4)
    for who in (None, 0, 1):
        assert "chips=?,?,?,? " in str(position.view(who))
    assert "chips=(B),(YT),(BR),(RT) " in str(position)
    assert position.view(0).supply == ALL_CHIPS


def test_3_3_4_the_opening_starts_with_the_seat_that_does_not_start() -> None:
    """Any open plate, slot and rotation; the display is filled up after each."""
    position = dealt(first=1)
    assert position.actor == 0
    assert len(listed(position)) == 3 * 9 * 4
    assert listed(position)[:2] == ["plate0@0r0", "plate0@0r1"]
    play(position, "plate1@4r2")
    assert position.actor == CHANCE
    play(position, "display=3 top=9")
    assert position.actor == 1
    assert position.display == (0, 2, 3)
    assert len(listed(position)) == 108
    play(position, "plate3@0r0", "display=9 top=4")
    assert position.display == (0, 2, 9)
    assert (position.actor, position.scores) == (1, (5, 5))
    assert [board.tokens for board in position.boards] == [2, 2]
    assert [board.chips_taken for board in position.boards] == [0, 0]
    assert position.stack.size() == 13
    # From here on the display waits for the end of the round.
    play(position, "plate9@1r0")
    assert position.actor == 0
    assert list(position.display) == [0, 2]


def test_3_3_4_what_fills_the_display_is_what_was_on_top() -> None:
    """Another plate, a missing one, or a new top that lies open are refused."""
    position = play(dealt(), "plate1@4r2")
    assert refused(position, "display=4 top=9").part == "display"
    assert refused(position, "top=9").part == "display"
    assert refused(position, "display=3").part == "top"
    assert refused(position, "display=3 top=0").part == "top"
    assert refused(position, "display=3 top=9 chips=0:B").part == "chips"
    assert refused(position, FIRST_DEAL).part == "deal"


def test_3_3_5_the_first_player_is_named_or_left_to_chance() -> None:
    """A deal that does not name one is refused where nobody was named."""
    assert refused(initial(first=None), FIRST_DEAL).part == "starter"
    position = initial(first=None)
    play(position, f"starter=1 {FIRST_DEAL}")
    assert position.starter == 1
    starters = {
        initial(first=None).draw(RoundStreams(seed_bytes(seed))).view(None).__reduce__()[1][0][6]
        for seed in range(20)
    }
    assert starters == {0, 1}


def test_d23_the_opening_plate_comes_from_the_display() -> None:
    """There is nothing to draw, and a plate of the stack is not offered."""
    position = dealt()
    assert refusal(position, "draw").reason is Illegal.WRONG_KIND
    assert refusal(position, "plate3@0r0").reason is Illegal.PLATE_ABSENT
    assert refusal(position, "0B3:YRK").rule == "3.3.4"


def test_d24_special_tiles_never_run_out() -> None:
    """One for each special plate, and a plate takes one at most."""
    assert sum(plate.count("S") for plate in PLATES) == 9


@pytest.mark.parametrize("count", [3, 4])
def test_d25_goals_are_named_or_drawn(count: int) -> None:
    """Named in any order, kept in that of the tokens; or so many by chance."""
    named = initial(("wilds", "rows", "corners"))
    assert "goals=rows,corners,wilds " in str(named)
    assert "goals=rows,columns,diagonals " in str(initial())
    position = initial(count)
    assert f"goals=random{count} " in str(position)
    drawn = position.draw(RoundStreams(seed_bytes(count)))
    assert DUEL.parse_deal(str(drawn)) == drawn
    position.deal(drawn)
    assert len({goal // 2 for goal in position.goals}) == count
    assert list(position.goals) == sorted(position.goals)


def test_d25_deals_bring_goals_exactly_where_chance_chooses_them() -> None:
    """As many as asked for, in order, of different tokens."""
    assert refused(initial(3), FIRST_DEAL).part == "goals"
    for goals in ("rows,columns", "rows,five_colors,columns", "columns,rows,wilds"):
        assert refused(initial(3), f"goals={goals} {FIRST_DEAL}").part == "goals"
    position = play(initial(3), f"goals=five_colors,perimeter,wilds {FIRST_DEAL}")
    assert position.goals == (1, 3, 6)


@pytest.mark.parametrize(
    "goals", [2, 5, True, (), ("rows",), ["rows"], "rows", ("rows", "x", "y"), ([],) * 3,
     3.0, ("columns", "perimeter", "wilds"), ("rows", "columns", "diagonals", "corners")]
)  # fmt: skip
def test_d25_other_goals_are_refused(goals: tuple[str, ...]) -> None:
    """With our error, whatever they are."""
    with pytest.raises(InvalidSetup, match="goals"):
        DUEL.initial(2, Options(goals=goals))


def test_3_3_1_the_display_lies_in_the_order_of_ids() -> None:
    """Whatever the order in which its plates came."""
    position = dealt(FIRST_DEAL.replace("0,1,2 top=3", "7,9,5 top=3"))
    assert position.display == (5, 7, 9)
    assert play(position, "plate5@0r0", "display=3 top=4").display == (3, 7, 9)


def test_d25_a_deal_may_repeat_the_goals_in_play() -> None:
    """Goals that were named are no surprise."""
    position = play(initial(), f"goals=rows,columns,diagonals {FIRST_DEAL}")
    assert position.goals == (0, 2, 4)
