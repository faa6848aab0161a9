"""Duel: components, set-up, the deal of a round (3.2, 3.3, 3.6, D17-D21, D23-D25)."""

from collections import Counter

import pytest

from referee.draws import RoundStreams
from referee.rules import CHANCE, Illegal, InvalidDeal, InvalidSetup, Options, Purpose, tally
from referee.rules.duel import chips as chipset
from referee.rules.duel.chips import ALL_CHIPS
from referee.rules.duel.components import FACE_NAMES, PLATES, SPECIAL_PLATES, hidden, is_special
from referee.rules.duel.dealing import Supply
from referee.rules.duel.dome import rotated
from referee.rules.duel.phases import NOTHING
from referee.rules.duel.plates import plate_of
from referee.rules.duel.position import DuelPosition
from referee.rules.duel.reading import parse_counts
from referee.rules.duel.ruleset import DUEL, read_goals
from tests.duel_tables import (
    FIRST_DEAL,
    dealt,
    initial,
    listed,
    play,
    refusal,
    round_deal,
    seat,
    table,
    uncovered,
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


# Rulings on the deal --------------------------------------------------------------------------


class Scripted:
    """A stream that gives the numbers it was told, for draws that are rare."""

    def __init__(self, *numbers: int) -> None:
        self.numbers = list(numbers)

    def uniform(self, n: int) -> int:
        """Return the next number."""
        return self.descend(n, 1)[0]

    def descend(self, n: int, k: int) -> list[int]:
        """Return the next numbers, then zeros; each is brought below its limit."""
        return [(self.numbers.pop(0) if self.numbers else 0) % (n - at) for at in range(k)]


class ScriptedRound:
    """The streams of a round of which only the tiles are scripted."""

    def __init__(self, *numbers: int) -> None:
        self.tiles = Scripted(*numbers)

    def stream(self, purpose: Purpose) -> Scripted:
        """Return the scripted numbers for tiles, zeros for all else."""
        return self.tiles if purpose == Purpose.TILES else Scripted()


def between(bag: str, tower: str, number: int = 4) -> DuelPosition:
    """Return a table before its last round, all other tiles set aside on nobody's board."""
    position = table(large="B/-", boards=[seat(), seat()], number=number)
    position.supply = chipset.of_faces([0, 1, 2, 3])
    play(position, "LBX")
    position.bag, position.tower = parse_counts(bag), parse_counts(tower)
    return position


def test_d17_five_alike_are_drawn_again() -> None:
    """All zeros draw five blue tiles; they go back, and the stream goes on where it was."""
    position = between("7B9Y9R", "-")
    deal = position.draw(ScriptedRound(0, 0, 0, 0, 0, 0, 0, 0, 0, 20))
    assert str(deal).startswith("redraws=B large=BBBBR ")
    position.deal(deal)
    assert tally.size(position.bag) == 25 - 21


def test_d17_the_tower_is_poured_in_when_the_bag_has_one_color() -> None:
    """Eight blue tiles in the bag, others in the tower: five blue go back, and all is mixed."""
    position = between("8B", "9Y9R")
    deal = position.draw(ScriptedRound(0, 0, 0, 0, 0, 25, 0, 0, 0, 0))
    assert str(deal).startswith("redraws=B large=BBBBR ")
    position.deal(deal)
    assert (tally.size(position.bag), position.tower) == (26 - 21, 0)


def test_d17_five_stay_when_no_other_color_is_left() -> None:
    """Bag and tower are blue: the five stay, nothing is drawn for them again."""
    position = between("6B", "3B")
    deal = position.draw(ScriptedRound())
    assert str(deal).startswith("large=BBBBB small=BBBB,-,-,- ")
    position.deal(deal)
    assert (position.bag, position.tower) == (0, 0)


def test_d17_fewer_than_five_alike_stay() -> None:
    """Three tiles are all there are."""
    position = between("2B", "1B")
    deal = position.draw(ScriptedRound())
    assert str(deal).startswith("large=BBB small=-,-,-,- ")
    position.deal(deal)


def test_d17_a_claimed_redraw_must_have_been_possible() -> None:
    """Five of that color in the bag, and another color to draw."""
    position = between("4B9Y9R", "1B")
    assert refused(
        position, "redraws=B large=BBYYR small=YYYY,YYYR,RRRR,RRRR chips=B,Y,R,K"
    ).part == ("redraws")
    position = between("9B", "-")
    assert (
        refused(position, "redraws=B large=BBBBB small=BBBB,-,-,- chips=B,Y,R,K").part == "redraws"
    )
    position = between("7B9Y9R", "-")
    play(position, "redraws=BBYR large=BBYYR small=YYYY,YYYR,RRRR,RRRB chips=B,Y,R,K")
    assert tally.counts(position.bag) == (4, 0, 0, 0, 0)


def test_d17_a_redraw_may_have_poured_the_tower() -> None:
    """Two blue tiles in the bag and three of the tower: after that nothing is in the tower."""
    position = between("2B", "8B9Y9R")
    play(position, "redraws=B large=BYYYY small=YYYY,YRRR,RRRR,RRBB chips=B,Y,R,K")
    assert (tally.counts(position.bag), position.tower) == ((7, 0, 0, 0, 0), 0)


def test_d17_five_alike_may_stay_only_if_there_is_no_other_color() -> None:
    """A large factory of one color beside another color is no deal."""
    position = between("9B9Y9R", "-")
    text = "large=BBBBB small=YYYY,YYYY,YRRR,RRRR chips=B,Y,R,K"
    assert refused(position, text).rule == "D17"
    position = between("9B", "4Y")
    assert refused(position, "large=BBBBB small=BBBB,YYYY,-,- chips=B,Y,R,K").rule == "D17"


def test_d17_taking_a_large_factory_of_one_color_takes_the_tile() -> None:
    """Nothing will ever lie on its moon side."""
    position = play(
        table(large="BBB/-", small=("R/-", "-/-", "-/-", "-/-"), chips=["(B)", *"---"]), "LB5"
    )
    assert position.first == 0


def test_d18_without_tiles_on_the_large_factory_nobody_pays_and_the_same_seat_starts() -> None:
    """Nothing to deal, four chips to take, and then the round is over."""
    position = between("-", "-")
    position.starter, position.first = 1, -1
    position.boards[0].score = position.boards[1].score
    play(position, "large=- small=-,-,-,- chips=B,Y,R,K")
    assert position.actor == 1
    before = position.scores
    play(position, "chip0", "chip1", "chip2", "chip3")
    outcome = position.outcome()
    assert outcome is not None
    assert (position.scores, position.first) == (before, -1)
    # Equal scores: the seat that started wins.
    assert outcome.scores[0] == outcome.scores[1]
    assert outcome.winners == (1,)


def test_d19_redraws_go_on_as_long_as_needed() -> None:
    """Three times five blue tiles."""
    deal = between("7B9Y9R", "-").draw(ScriptedRound(*[0] * 15, 24))
    assert str(deal).startswith("redraws=BBB large=")


def test_d20_short_supply_fills_the_large_factory_then_the_small_ones() -> None:
    """Eleven tiles, from the bag and then from the tower."""
    position = between("3B", "4Y4R")
    deal = position.draw(ScriptedRound())
    assert str(deal) == "large=BBBYY small=YYRR,RR,-,- chips=B,Y,R,K"
    position.deal(deal)
    assert (position.bag, position.tower) == (0, 0)
    position = between("3B", "4Y4R")
    assert refused(position, "large=BBYYR small=BYYR,RR,-,- chips=B,Y,R,K").part == "large"
    assert refused(position, "large=BBBYK small=YYYR,RRR,-,- chips=B,Y,R,K").part == "large"
    assert refused(position, "large=BBBYY small=YYR,RRR,-,- chips=B,Y,R,K").part == "small"


def test_d20_the_tower_is_poured_only_when_a_tile_is_needed() -> None:
    """Exactly enough tiles in the bag: the tower stays."""
    position = between("7B7Y7R", "5K")
    position.deal(position.draw(RoundStreams(seed_bytes(1))))
    assert (position.bag, tally.counts(position.tower)) == (0, (0, 0, 0, 5, 0))
    assert Supply(parse_counts("7B7Y7R"), 0).left() == 21


def test_d21_a_short_small_factory_is_played_like_any_other() -> None:
    """Its chip is turned over when it is empty."""
    position = between("7B", "1Y")
    play(position, "redraws=B large=BBBBY small=BBB,-,-,- chips=B,Y,R,K", "0B3", "chips=0:B")
    assert "chips=B,Y,R,K" in str(position)


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


# The next round ---------------------------------------------------------------------------------


def test_3_6_1_tokens_come_back_and_the_display_is_filled_up() -> None:
    """Two plates are missing: the top comes, and the next one becomes the top."""
    position = table(large="B/-", display=(4,), top="5", unseen=range(10, 18), number=2)
    position.supply = chipset.of_faces(range(8))
    play(position, "LBX")
    position.bag, position.tower = parse_counts("7B7Y7R"), 0
    text = "display=5,10 top=11 large=BBYYR small=BBYY,BBYY,BYRR,RRRR chips=B,Y,R,K"
    play(position, text)
    assert position.display == (4, 5, 10)
    assert plate_of(position.stack.top) == 11
    assert [board.tokens for board in position.boards] == [2, 2]
    assert (position.round, position.actor) == (3, 0)


def test_3_6_1_the_last_round_has_no_tokens() -> None:
    """And no plate is left."""
    position = between("7B7Y7R", "-")
    position.deal(position.draw(RoundStreams(seed_bytes(3))))
    assert [board.tokens for board in position.boards] == [0, 0]
    assert position.round == 5


def test_3_6_1_returned_plates_follow_when_nothing_else_is_left() -> None:
    """The queue of returned plates gives tops and display without a draw."""
    position = table(large="B/-", top="5", returned=(7, 8, 9), number=3)
    position.supply = chipset.of_faces(range(8))
    play(position, "LBX")
    position.bag, position.tower = parse_counts("7B7Y7R"), 0
    deal = position.draw(RoundStreams(seed_bytes(3)))
    assert str(deal).startswith("display=5,7,8 large=")
    assert refused(position, str(deal).replace("large=", "top=12 large=")).part == "top"
    position.deal(deal)
    assert (plate_of(position.stack.top), position.stack.returned) == (9, [])


def test_3_6_2_every_round_brings_four_new_chips() -> None:
    """A chip that was dealt before does not come again."""
    position = between("7B7Y7R", "-")
    assert refused(position, "large=BBYYR small=BBYY,BBYY,BYRR,RRRR chips=B,Y,R,YT").part == "chips"
    play(position, "large=BBYYR small=BBYY,BBYY,BYRR,RRRR chips=B,Y,R,K")
    assert (position.supply, position.chips_left) == (0, 4)


def test_3_6_3_chips_of_empty_factories_are_turned_over() -> None:
    """Seen by all, in the deal and on the table."""
    position = between("7B", "1Y")
    text = "redraws=B large=BBBBY small=BBB,-,-,- chips=B,Y,R,K"
    assert str(round_deal(text).view(0)).endswith("chips=?,Y,R,K")
    assert refused(position, text.replace("Y,R,K", "Y,?,K")).part == "chips"
    play(position, text)
    assert position.revealed == 0b1110
    assert "chips=?,Y,R,K" in str(position.view(1))


def test_3_6_4_the_holder_of_the_tile_starts() -> None:
    """And the tile is back on the large factory."""
    position = between("7B7Y7R", "-")
    assert position.first == 0
    position.first = 1
    text = "large=BBYYR small=BBYY,BBYY,BYRR,RRRR chips=B,Y,R,K"
    assert refused(position, f"starter=0 {text}").part == "starter"
    play(position, f"starter=1 {text}")
    assert (position.starter, position.actor, position.first) == (1, 1, -1)


def returned() -> DuelPosition:
    """Return a table between rounds whose stack needs no draw any more."""
    position = table(large="B/-", top="5", returned=(7, 8, 9), number=3)
    return play(position, "LBX")


LAST = "large=BBYYR small=BBYY,BBYY,BYRR,RRRR chips=B,Y,R,K"


@pytest.mark.parametrize(
    ("position", "text", "part", "rule"),
    [
        (initial(first=None), FIRST_DEAL, "starter", "3.3.5"),
        (between("7B7Y7R", "-"), f"starter=1 {LAST}", "starter", "3.6.4"),
        (initial(3), FIRST_DEAL, "goals", "D25"),
        (initial(3), f"goals=rows,columns {FIRST_DEAL}", "goals", "D25"),
        (initial(), f"goals=rows,columns,wilds {FIRST_DEAL}", "goals", "D25"),
        (initial(), FIRST_DEAL.replace("0,1,2", "0,1"), "display", "3.6.1"),
        (play(dealt(), "plate1@4r2"), "display=4 top=9", "display", "3.3.1"),
        (play(dealt(), "plate1@4r2"), "display=3", "top", "3.3.1"),
        (play(dealt(), "plate1@4r2"), "display=3 top=0", "top", "3.3.1"),
        (play(dealt(), "plate1@4r2"), "top=9", "display", "3.4"),
        (play(dealt(), "plate1@4r2"), FIRST_DEAL, "deal", "3.4"),
        (returned(), f"display=5,7,8 top=12 {LAST}", "top", "3.3.1"),
        (initial(), "display=3 top=4", "deal", "3.3"),
        (between("9B", "-"), "redraws=B large=BBBBB small=BBBB,-,-,- chips=B,Y,R,K", "redraws", "D17"),
        (between("7B7Y7R", "-"), LAST.replace("BBYYR", "BBYY"), "large", "3.3.2"),
        (between("7B7Y7R", "-"), LAST.replace("BBYYR", "BBYYK"), "large", "D20"),
        (between("7B7Y7R", "-"), LAST.replace(",RRRR", ""), "small", "3.3.2"),
        (between("7B7Y7R", "-"), LAST.replace("RRRR", "RRR"), "small", "D20"),
        (between("7B7Y7R", "-"), LAST.replace("R,K", "R"), "chips", "3.3.3"),
        (between("7B7Y7R", "-"), LAST.replace("R,K", "R,YT"), "chips", "3.2.3"),
        (between("2B", "1B"), "large=BBB small=-,-,-,- chips=B,Y,R,?", "chips", "3.6.3"),
    ],
)  # fmt: skip
def test_a_refused_deal_names_its_clause(
    position: DuelPosition, text: str, part: str, rule: str
) -> None:
    """Whoever keeps a record can look up what is wrong with it."""
    error = refused(position.copy(), text)
    assert (error.part, error.rule) == (part, rule)


def test_3_3_the_round_whose_streams_are_drawn_from() -> None:
    """The next one for a deal of a round, this one for all that comes to light within it."""
    position = initial()
    assert position.chance_round == 1
    play(position, FIRST_DEAL)
    assert (position.chance_round, position.due) == (1, NOTHING)
    assert play(position, "plate1@4r2").chance_round == 1
    assert between("7B7Y7R", "-").chance_round == 5


def test_3_3_1_the_display_lies_in_the_order_of_ids() -> None:
    """Whatever the order in which its plates came."""
    position = dealt(FIRST_DEAL.replace("0,1,2 top=3", "7,9,5 top=3"))
    assert position.display == (5, 7, 9)
    assert play(position, "plate5@0r0", "display=3 top=4").display == (3, 7, 9)


def test_d25_a_deal_may_repeat_the_goals_in_play() -> None:
    """Goals that were named are no surprise."""
    position = play(initial(), f"goals=rows,columns,diagonals {FIRST_DEAL}")
    assert position.goals == (0, 2, 4)


def test_deals_show_nothing_that_lies_face_down() -> None:
    """The top of the stack by its back, chips below tiles not at all."""
    deal = round_deal(FIRST_DEAL)
    for who in (None, 0, 1):
        assert str(deal.view(who)) == FIRST_DEAL.replace("top=3", "top=w").replace(
            "B,YT,BR,RT", "?,?,?,?"
        )
    seen = uncovered("display=3 top=4").view(0)
    assert str(seen) == "display=3 top=s"
