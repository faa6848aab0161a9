"""Part 2 and rulings C1 to C17: the special factories of Master Chocolatier."""

import pytest

from referee.draws import FixedStreams
from referee.rules import CHANCE, Illegal, InvalidDeal, Options, tally
from referee.rules.azul.components import CENTER, DISC_NAMES, MAGNET_COLOR, MARKER, SHIELD
from referee.rules.azul.deal import RoundDeal
from referee.rules.azul.position import AzulPosition
from tests.games import seed_bytes
from tests.tables import board, deal, listed, play, refusal, ruleset, table, walk


def first_round(text: str, *, key: str = "chocolatier") -> AzulPosition:
    """Return a two-player table after that first deal."""
    position = ruleset(key).initial(2, Options(first_player=0))
    position.deal(deal(text))
    return position


def factories(position: AzulPosition) -> str:
    """Return the factories in notation."""
    return str(position).split("factories=")[1].split()[0]


# 2.1, 2.2 -----------------------------------------------------------------------------------


def test_2_1_nine_discs() -> None:
    """Five magnets of different colors and one each of the other kinds."""
    assert sorted(MAGNET_COLOR.values()) == [0, 1, 2, 3, 4]
    magnets = {f"magnet_{color}" for color in ("blue", "yellow", "red", "black", "white")}
    assert set(DISC_NAMES[1:]) == magnets | {"shield", "spread", "keep", "plus_one"}
    # The numbers decide what a draw lays where, so they are pinned.
    assert DISC_NAMES[1:6] == tuple(
        f"magnet_{color}" for color in ("black", "white", "blue", "yellow", "red")
    )
    assert DISC_NAMES[6:] == ("shield", "spread", "keep", "plus_one")


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_2_2_as_many_gold_discs_as_players(seats: int) -> None:
    """All different, and over many games every disc turns up on every place."""
    seen = set()
    for seed in range(150):
        position = ruleset("chocolatier").initial(seats)
        gold = position.draw(FixedStreams(seed_bytes(seed), seats).round(1)).gold
        assert gold is not None
        turned = [disc for disc in gold if disc]
        assert len(turned) == len(set(turned)) == seats
        seen |= {(place, disc) for place, disc in enumerate(gold) if disc}
    assert {disc for _, disc in seen} == set(range(1, 10))
    assert {place for place, _ in seen} == set(range(2 * seats + 1))


@pytest.mark.parametrize(
    "gold",
    [
        "keep,-,-,-,-",
        "keep,spread,shield,-,-",
        "keep,keep,spread,-,-",
        "keep,keep,-,-,-",
        "keep,spread,-,-",
        "keep,spread,-,-,-,-",
    ],
)
def test_2_2_other_numbers_of_gold_discs_are_refused(gold: str) -> None:
    """Too few, too many, twice the same, another circle."""
    with pytest.raises(InvalidDeal) as caught:
        first_round(f"factories=BBYY,RRKK,WWBB,YYRR,KKWW starter=0 gold={gold}")
    assert caught.value.part == "gold"


def test_2_2_gold_discs_are_required_and_must_exist() -> None:
    """A first deal without them, or with a disc number that no disc has, is refused."""
    with pytest.raises(InvalidDeal, match="missing"):
        first_round("factories=BBYY,RRKK,WWBB,YYRR,KKWW starter=0")
    tiles = deal("factories=BBYY,RRKK,WWBB,YYRR,KKWW").factories
    for disc in (10, -1, True, 1.0, "keep", None):
        with pytest.raises(InvalidDeal, match="gold: there is no"):
            RoundDeal(tiles, gold=(disc, 0, 0, 1, 0))


def test_2_2_azul_has_no_gold_discs() -> None:
    """A deal that brings some is refused."""
    with pytest.raises(InvalidDeal) as caught:
        first_round(
            "factories=BBYY,RRKK,WWBB,YYRR,KKWW starter=0 gold=keep,spread,-,-,-", key="azul"
        )
    assert caught.value.rule == "C1"


# 2.3 ----------------------------------------------------------------------------------------


def test_2_3_1_plus_one_gets_a_fifth_tile() -> None:
    """It comes out of the bag."""
    position = first_round(
        "factories=BBYY,RRKK,WWBB,YYRR,KKWW extra=W starter=0 gold=plus_one,keep,-,-,-"
    )
    assert factories(position) == "plus_one:BBYYW,keep:RRKK,BBWW,YYRR,KKWW"
    assert (position.on_offer, tally.size(position.bag)) == (21, 79)


@pytest.mark.parametrize(
    ("extra", "gold"), [("", "plus_one,keep,-,-,-"), (" extra=B", "shield,keep,-,-,-")]
)
def test_2_3_1_the_extra_tile_belongs_to_plus_one(extra: str, gold: str) -> None:
    """It must come with the disc, and only with it."""
    with pytest.raises(InvalidDeal) as caught:
        first_round(f"factories=BBYY,RRKK,WWBB,YYRR,KKWW{extra} starter=0 gold={gold}")
    assert caught.value.part == "extra"


def test_2_3_2_a_magnet_takes_one_tile_from_each_side() -> None:
    """Only of its color, only one, only from its two neighbors."""
    position = first_round(
        "factories=BBYY,RRKK,BBWW,YBRR,BKWW starter=0 gold=-,magnet_blue,-,keep,-"
    )
    assert factories(position) == "BYY,magnet_blue:BBRRKK,BWW,keep:BYRR,BKWW"


def test_2_3_3_keep_keeps_what_is_left() -> None:
    """Nothing goes to the center."""
    position = table("chocolatier", factories="keep:BBYK,-,spread:-,-,-")
    play(position, "0B1")
    assert factories(position) == "keep:YK,-,spread:-,-,-"
    assert position.sources[CENTER] == 0


def test_2_3_4_spread_sends_each_color_to_a_neighbor() -> None:
    """Blue and black go left to factory 4, white right to factory 1."""
    position = table("chocolatier", factories="spread:BBRKW,RRRR,keep:-,-,-")
    play(position, "0R0<BK>W")
    assert factories(position) == "spread:-,RRRRW,keep:-,-,BBK"
    assert position.sources[CENTER] == 0


def test_2_3_4_every_division_is_a_move_in_order() -> None:
    """The first color is the most significant bit, left before right."""
    position = table("chocolatier", factories="spread:BRW,-,keep:-,-,-")
    assert [move for move in listed(position) if move.startswith("0R1")] == [
        "0R1<BW>",
        "0R1<B>W",
        "0R1<W>B",
        "0R1<>BW",
    ]


def test_2_3_4_a_take_that_leaves_nothing_has_no_division() -> None:
    """It is listed and played like any other."""
    position = table("chocolatier", factories="spread:BB,R,keep:-,-,-")
    assert [move for move in listed(position) if move.startswith("0B")] == [
        "0B0", "0B1", "0B2", "0B3", "0B4", "0BF",
    ]  # fmt: skip
    assert factories(play(position, "0B1")) == "spread:-,R,keep:-,-,-"


@pytest.mark.parametrize(
    ("move", "reason"),
    [
        ("0R1", Illegal.SPLIT_MISSING),
        ("0R1<B>", Illegal.SPLIT_WRONG),
        ("0R1<BW>B", Illegal.SPLIT_WRONG),
        ("0R1<BK>W", Illegal.SPLIT_WRONG),
        ("0R1<BRW>", Illegal.SPLIT_WRONG),
        ("0R1<BW>BW", Illegal.SPLIT_WRONG),
        ("1K1<B>", Illegal.SPLIT_NOT_ALLOWED),
        ("1K1<B>B", Illegal.SPLIT_NOT_ALLOWED),
        ("2Y1<K>", Illegal.SPLIT_NOT_ALLOWED),
        ("CY1<B>", Illegal.SPLIT_NOT_ALLOWED),
    ],
)
def test_2_3_4_divisions_that_are_refused(move: str, reason: Illegal) -> None:
    """Each remaining color once, on one side, and only on a spread factory."""
    position = table("chocolatier", factories="spread:BRW,BK,keep:YK,-,-", center="Y")
    assert refusal(position, move).reason is reason


def test_2_3_5_the_shield_takes_one_falling_tile() -> None:
    """The rest of the factory goes to the center, the disc to the taker."""
    position = table("chocolatier", factories="shield:BBBK,RRRR,keep:-,-,-")
    play(position, "0B0")
    own = position.boards[0]
    assert (position.shield_owner, position.shield_tile, own.floor) == (0, 0, (0,))
    assert factories(position) == "shield:out,RRRR,keep:-,-,-"
    assert tally.counts(position.sources[CENTER]) == (0, 0, 0, 1, 0)


# 2.4 ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("key", ["chocolatier", "chocolatier-gray"])
@pytest.mark.parametrize("seats", [2, 3, 4])
def test_2_4_1_every_take_removes_tiles_from_the_offer(key: str, seats: int) -> None:
    """So every phase ends, and with nothing left anywhere."""
    offered = 0
    for position, _ in walk(key, seats, 11):
        held = sum(tally.size(tiles) for tiles in position.sources)
        assert held == position.on_offer
        if offered:
            assert held < offered
        offered = held


def test_2_4_2_an_empty_factory_fills_again() -> None:
    """The neighbor of a spread factory may hold more than four."""
    position = table("chocolatier", factories="spread:BBYK,RRRR,-,keep:-,-")
    play(position, "0K0<Y>B")
    assert factories(position) == "spread:-,BBRRRR,-,keep:-,Y"


# Rulings ------------------------------------------------------------------------------------


def test_c1_gold_discs_stay_for_the_whole_game() -> None:
    """From the first deal to the end, and a later deal cannot change them."""
    gold = set()
    for position, _ in walk("chocolatier", 3, 4):
        if position.round:
            gold.add(position.gold)
    assert len(gold) == 1
    position = play(table("chocolatier", factories="keep:W,shield:-,-,-,-"), "0WF")
    with pytest.raises(InvalidDeal) as caught:
        position.deal(deal("factories=BBBB,YYYY,RRRR,KKKK,WWWW gold=shield,keep,-,-,-"))
    assert caught.value.rule == "C1"


@pytest.mark.parametrize(
    ("gold", "expected"),
    [
        # plus_one first: the magnet beside it can take the extra tile.
        ("plus_one,magnet_white,-,-,-", "plus_one:BBYY,magnet_white:RRKKW,BBYY,YYRR,KKKK"),
        # magnet first: the extra tile comes too late for it.
        ("magnet_white,plus_one,-,-,-", "magnet_white:BBYY,plus_one:RRKKW,BBYY,YYRR,KKKK"),
    ],
)
def test_c2_gold_discs_act_in_the_order_of_the_circle(gold: str, expected: str) -> None:
    """After all factories are dealt."""
    text = "factories=BBYY,RRKK,BBYY,YYRR,KKKK extra=W starter=0 gold="
    position = first_round(text + gold)
    assert factories(position) == expected


def short_of_tiles(bag: str, lid: str) -> AzulPosition:
    """Return a table between rounds with a plus-one factory and that bag and lid."""
    position = play(table("chocolatier", factories="plus_one:W,keep:-,-,-,-"), "0WF")
    position.bag = deal(f"factories={bag}").factories[0]
    position.lid = deal(f"factories={lid}").factories[0]
    return position


def test_c3_plus_one_takes_from_the_lid_when_the_bag_is_empty() -> None:
    """Twenty in the bag, the extra tile from the lid."""
    position = short_of_tiles("BBBBYYYYRRRRKKKKWWWW", "BR")
    position.deal(deal("factories=BBBB,YYYY,RRRR,KKKK,WWWW extra=R"))
    assert (tally.counts(position.bag), position.lid) == ((1, 0, 0, 0, 0), 0)


def test_c3_plus_one_gets_nothing_when_nothing_is_left() -> None:
    """Twenty tiles in all: a claimed extra tile is refused, none is right."""
    position = short_of_tiles("BBBBYYYYRRRRKKKK", "WWWW")
    with pytest.raises(InvalidDeal) as caught:
        position.deal(deal("factories=BBBB,YYYY,RRRR,KKKK,WWWW extra=R"))
    assert (caught.value.part, caught.value.rule) == ("extra", "C3")
    assert position.draw(FixedStreams(seed_bytes(1), 2).round(3)).extra is None
    position.deal(deal("factories=BBBB,YYYY,RRRR,KKKK,WWWW"))
    assert position.on_offer == 20


def test_c3_an_extra_tile_that_is_not_there_is_refused() -> None:
    """The bag is not empty, so the lid is not touched."""
    position = short_of_tiles("BBBBYYYYRRRRKKKKWWWWB", "R")
    with pytest.raises(InvalidDeal) as caught:
        position.deal(deal("factories=BBBB,YYYY,RRRR,KKKK,WWWW extra=R"))
    assert (caught.value.part, caught.value.rule) == ("extra", "A13")


def test_c4_gold_neighbors_count_and_missing_colors_do_not() -> None:
    """The magnet takes from keep on its left and finds nothing on its right."""
    position = first_round(
        "factories=BBYY,RRKK,YYWW,YYRR,KKWW starter=0 gold=keep,magnet_blue,-,-,-"
    )
    assert factories(position) == "keep:BYY,magnet_blue:BRRKK,YYWW,YYRR,KKWW"


def test_c5_the_first_and_the_last_factory_are_neighbors() -> None:
    """The magnet on place 0 takes from place 4, the spread on place 4 sends to place 0."""
    position = first_round(
        "factories=RRKK,BBYY,WWYY,YYRR,BKWW starter=0 gold=magnet_blue,-,-,-,spread"
    )
    assert factories(position) == "magnet_blue:BBRRKK,BYY,YYWW,YYRR,spread:KWW"
    play(position, "4K0<>W")
    assert factories(position) == "magnet_blue:BBRRKKWW,BYY,YYWW,YYRR,spread:-"


@pytest.mark.parametrize(
    ("lying", "move", "expected"),
    [
        ("spread:BW,shield:out,RRRR,-,-", "0B0<>W", "spread:-,shield:out,RRRRW,-,-"),
        ("spread:BW,RRRR,-,-,shield:out", "0B0<W>", "spread:-,RRRR,-,W,shield:out"),
        ("shield:out,spread:BW,-,-,RRRR", "1B0<W>", "shield:out,spread:-,-,-,RRRRW"),
        ("RRRR,-,-,spread:BW,shield:out", "3B0<>W", "RRRRW,-,-,spread:-,shield:out"),
    ],
)
def test_c6_an_absent_shield_is_passed_over(lying: str, move: str, expected: str) -> None:
    """The next factory in that direction is the neighbor, around the circle too."""
    boards = [board(), board(shield=":shield")]
    position = table("chocolatier", factories=lying, boards=boards)
    assert factories(play(position, move)) == expected


def test_c7_spread_onto_empty_and_gold_factories() -> None:
    """A shield that receives tiles shields whoever takes there later."""
    position = table("chocolatier", factories="-,spread:BYW,shield:-,-,-")
    play(position, "1B0<Y>W")
    assert factories(position) == "Y,spread:-,shield:W,-,-"
    play(position, "2WF")
    assert (position.shield_owner, position.shield_tile) == (1, 4)
    assert position.boards[1].floor == ()


def test_c8_all_colors_may_go_to_one_side() -> None:
    """Left and right."""
    lying = "spread:BYW,RRRR,keep:-,-,-"
    assert factories(play(table("chocolatier", factories=lying), "0B0<YW>")).endswith("YW")
    right = play(table("chocolatier", factories=lying), "0B0<>YW")
    assert factories(right) == "spread:-,YRRRRW,keep:-,-,-"


def test_c9_the_division_does_not_touch_the_taken_tiles() -> None:
    """They lie on the taker's line as after any take."""
    position = play(table("chocolatier", factories="spread:BBYW,R,keep:-,-,-"), "0B1<Y>W")
    assert tally.counts(position.boards[0].lines[1]) == (2, 0, 0, 0, 0)


def test_c10_the_surplus_of_the_same_take_is_shielded() -> None:
    """Two blue tiles into line 0: the second lies on the shield."""
    position = play(table("chocolatier", factories="shield:BBYY,R,keep:-,-,-"), "0B0")
    assert (position.shield_tile, position.boards[0].floor) == (0, ())


def test_c11_the_marker_never_lies_on_the_shield() -> None:
    """It takes its floor space, and the next tile the shield."""
    boards = [board(shield=":shield"), board()]
    position = table(
        "chocolatier", factories="shield:out,R,keep:-,-,-", center="YYYK", boards=boards
    )
    play(position, "CY1")
    assert position.boards[0].floor == (MARKER,)
    assert position.shield_tile == 1


def test_c12_the_shield_is_mandatory_and_holds_one_tile() -> None:
    """Of three tiles that fall, one lies on it and two on the floor line."""
    position = play(table("chocolatier", factories="shield:BBBY,R,keep:K,-,-"), "0BF")
    assert (position.shield_tile, position.boards[0].floor) == (0, (0, 0))
    # With the shield occupied, all that falls next lies on the floor line.
    play(position, "1R0", "CYF")
    assert position.boards[0].floor == (0, 0, MARKER, 1)


def test_c12_also_on_a_full_floor_line() -> None:
    """The tile lies on the shield although falling would have cost nothing."""
    boards = [board(floor="KKKKKKK", shield=":shield"), board()]
    position = table("chocolatier", factories="shield:out,YR,keep:-,-,-", boards=boards)
    play(position, "1YF")
    assert (position.shield_tile, tally.size(position.lid)) == (1, 0)


def test_c13_chosen_floor_and_evicted_lines_use_the_shield() -> None:
    """An evicted line of three costs two spaces; a chosen floor is tested with C12."""
    closed = "R..../....R/.BYK./...../....."
    boards = [board(score=9, lines="-/-/RRR/-/-", wall=closed, shield=":shield"), board()]
    position = table(
        "chocolatier-gray",
        factories="shield:out,-,keep:-,-,W",
        boards=boards,
        turn="1",
        starter="1",
    )
    # Seat 1 started and tiles first: its white tile, into any column.
    play(position, "4W0", "0@0")
    assert position.scores[0] == 9 - 2
    assert tally.counts(position.lid) == (0, 0, 3, 0, 0)


def test_c14_the_shield_comes_back_and_its_tile_goes_to_the_lid() -> None:
    """Nobody owns it when the next round is dealt; unused protection is lost."""
    position = table("chocolatier", factories="shield:BBW,-,keep:-,-,-")
    play(position, "0B0")
    assert position.shield_owner == 0
    play(position, "CW0")
    assert position.actor == CHANCE
    assert (position.shield_owner, position.shield_tile) == (-1, -1)
    assert tally.counts(position.lid) == (1, 0, 0, 0, 0)
    unused = play(table("chocolatier", factories="shield:B,-,keep:-,-,-"), "0B0")
    assert (unused.shield_owner, unused.lid) == (-1, 0)
    assert "shield:-" in factories(unused)


def test_c15_a_take_that_leaves_nothing_takes_the_shield() -> None:
    """Four of a kind."""
    position = play(table("chocolatier", factories="shield:BBBB,R,keep:-,-,-"), "0B4")
    assert position.shield_owner == 0
    assert position.gold[0] == SHIELD
    assert position.absent_factory() == 0


def test_c16_anyone_may_take_from_keep_again() -> None:
    """Seat 1 takes what seat 0 left."""
    position = play(table("chocolatier", factories="keep:BBYK,-,spread:-,-,-"), "0B1", "0Y0")
    assert factories(position) == "keep:K,-,spread:-,-,-"


def test_c17_gold_discs_and_the_brown_side_go_together() -> None:
    """The ruleset exists and its games come to an end."""
    for position, _ in walk("chocolatier-gray", 2, 8):
        last = position
    assert last.outcome() is not None
    assert any(last.gold)
