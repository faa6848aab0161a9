"""Duel: dealing a round (3.6, D17-D21)."""

import pytest

from referee.draws import RoundStreams
from referee.rules import InvalidDeal, Purpose, tally
from referee.rules.duel import chips as chipset
from referee.rules.duel.dealing import Supply
from referee.rules.duel.phases import NOTHING
from referee.rules.duel.plates import plate_of
from referee.rules.duel.position import DuelPosition
from referee.rules.duel.reading import parse_counts
from tests.duel_tables import (
    FIRST_DEAL,
    dealt,
    initial,
    play,
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


def test_deals_show_nothing_that_lies_face_down() -> None:
    """The top of the stack by its back, chips below tiles not at all."""
    deal = round_deal(FIRST_DEAL)
    for who in (None, 0, 1):
        assert str(deal.view(who)) == FIRST_DEAL.replace("top=3", "top=w").replace(
            "B,YT,BR,RT", "?,?,?,?"
        )
    seen = uncovered("display=3 top=4").view(0)
    assert str(seen) == "display=3 top=s"
