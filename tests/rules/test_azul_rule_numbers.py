"""Refused moves and deals of Azul name the clause they break, which people look up."""

from typing import Any

import pytest

from referee.rules import InvalidDeal
from referee.rules.azul.deal import RoundDeal
from referee.rules.azul.notation import parse_counts
from referee.rules.azul.position import AzulPosition
from referee.rules.duel.ruleset import DUEL
from tests.tables import EMPTY_BOARD, board, deal, refusal, ruleset, table

GOLD = "gold=plus_one,keep,-,-,-"
FACTORIES = "factories=BBBB,YYYY,RRRR,KKKK,WWWW"
# 67 tiles leave 4 over when they are divided by 63.
HEAP = "B" * 20 + "Y" * 20 + "R" * 20 + "K" * 7


def dealt(discs: str) -> AzulPosition:
    """Return a table of Chocolatier between its first two rounds, with these discs."""
    position = ruleset("chocolatier").initial(2)
    position.deal(deal(f"{FACTORIES} extra=B starter=0 {discs}"))
    position.sources = [0] * len(position.sources)
    position.on_offer, position.actor = 0, -1
    return position


@pytest.mark.parametrize(
    ("position", "text", "part", "rule"),
    [
        (ruleset("azul").initial(2), FACTORIES, "starter", "1.2.5"),
        (ruleset("azul").initial(2), f"{FACTORIES},B starter=0", "factories", "1.2"),
        (ruleset("azul").initial(2), f"{FACTORIES[:-1]} starter=0", "factories", "A15"),
        (ruleset("azul").initial(2), "factories=R,R,R,R,R starter=0", "factories", "A15"),
        (ruleset("azul").initial(2), f"factories=BBBBY{',BBBB' * 4} starter=0", "factories", "A15"),
        (ruleset("azul").initial(2), f"factories=BYYYY{',YYYY' * 4} starter=0", "factories", "A15"),
        (
            ruleset("azul").initial(2),
            f"factories={HEAP}{',WWWW' * 4} starter=0",
            "factories",
            "A15",
        ),
        (ruleset("azul").initial(2), f"{FACTORIES} extra=B starter=0", "extra", "2.3.1"),
        (ruleset("chocolatier").initial(2), f"{FACTORIES} starter=0", "gold", "2.2"),
        (ruleset("chocolatier").initial(2), f"{FACTORIES} starter=0 gold=keep,-", "gold", "2.2"),
        (
            ruleset("chocolatier").initial(2),
            f"{FACTORIES} starter=0 gold=keep,-,-,-,-",
            "gold",
            "2.2",
        ),
        (ruleset("chocolatier").initial(2), f"{FACTORIES} starter=0 {GOLD}", "extra", "2.3.1"),
        (dealt(GOLD), f"{FACTORIES} extra=B starter=1", "starter", "1.5.1"),
        (dealt(GOLD), f"{FACTORIES} extra=B gold=keep,plus_one,-,-,-", "gold", "C1"),
    ],
)
def test_deals(position: AzulPosition, text: str, part: str, rule: str) -> None:
    """The part that is wrong, and the clause."""
    before = str(position)
    with pytest.raises(InvalidDeal) as caught:
        position.deal(deal(text))
    assert (caught.value.part, caught.value.rule) == (part, rule)
    assert str(position) == before


@pytest.mark.parametrize(
    ("parts", "part"),
    [
        ({"factories": [4]}, "factories"),
        ({"factories": (-1,)}, "factories"),
        ({"factories": (4,), "extra": 5}, "extra"),
        ({"factories": (4,), "starter": 4}, "starter"),
        ({"factories": (4,), "gold": (11,)}, "gold"),
    ],
)
def test_what_is_no_deal_at_all(parts: dict[str, Any], part: str) -> None:
    """Refused when it is made."""
    with pytest.raises(InvalidDeal) as caught:
        RoundDeal(**parts)
    assert (caught.value.part, caught.value.rule) == (part, "1.5")


def test_a_deal_of_another_game() -> None:
    """It names the clause about deals, as what is no deal at all does."""
    with pytest.raises(InvalidDeal) as caught:
        ruleset("azul").initial(2).deal(DUEL.parse_deal("nothing"))
    assert (caught.value.part, caught.value.rule) == ("deal", "1.5")


def test_c1_the_same_discs_may_be_named_again() -> None:
    """A record that repeats them in every round says nothing wrong."""
    position = dealt(GOLD)
    position.deal(deal(f"{FACTORIES} extra=B {GOLD}"))
    assert position.round == 2


def test_a13_the_lid_stays_where_it_is_until_a_tile_is_needed() -> None:
    """The tile of the plus-one factory is the last one of the bag."""
    lid = "16B16Y16R16K15W"
    position = table("chocolatier", factories="plus_one:-,keep:-,-,-,-", turn="deal", lid=lid)
    position.deal(deal(f"{FACTORIES} extra=W"))
    assert (position.bag, position.lid) == (0, parse_counts(lid))


FULL_ROW = "BYRKW/...../...../...../....."
HOLDS_RED = board(lines="-/R/-/-/-", wall="B..../...../...../...../.....")
SPREAD = "spread:BRW,BK,keep:-,-,-"
TILES_BLUE = board(lines="-/BB/-/-/-", wall="...../..R../...../...B./.....")


@pytest.mark.parametrize(
    ("position", "move", "rule"),
    [
        (table(boards=[board(wall=FULL_ROW), EMPTY_BOARD], turn="over"), "0B0", "1.6"),
        (ruleset("azul").initial(2), "0B0", "1.5"),
        (table(factories="BBBB,-,-,-,-"), "8B0", "1.2"),
        (table(factories="BBBB,-,-,-,-"), "0@0", "1.3.1"),
        (table("azul-gray", boards=[board(lines="B/-/-/-/-"), EMPTY_BOARD]), "0B0", "V8"),
        (table(factories="BBBB,-,-,-,-", boards=[HOLDS_RED, EMPTY_BOARD]), "0B1", "1.3.3b"),
        (table(factories="BBBB,-,-,-,-", boards=[HOLDS_RED, EMPTY_BOARD]), "0B0", "1.3.3c"),
        (table("chocolatier", factories=SPREAD), "1K1<B>", "2.3.4"),
        (table("chocolatier", factories=SPREAD), "0R1", "2.3.4"),
        (table("chocolatier", factories=SPREAD), "0R1<B>", "2.3.4, C8"),
        (table("azul-gray", boards=[TILES_BLUE, EMPTY_BOARD]), "0@0", "V2"),
        (table("azul-gray", boards=[TILES_BLUE, EMPTY_BOARD]), "1@2", "1.7.1"),
        (table("azul-gray", boards=[TILES_BLUE, EMPTY_BOARD]), "1@3", "1.7.1"),
    ],
)
def test_moves(position: AzulPosition, move: str, rule: str) -> None:
    """The clause that forbids them."""
    assert refusal(position, move).rule == rule
