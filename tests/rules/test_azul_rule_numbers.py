"""Refused moves and deals of Azul name the clause they break, which people look up."""

import pytest

from referee.rules import InvalidDeal
from referee.rules.azul.position import AzulPosition
from tests.tables import EMPTY_BOARD, board, deal, refusal, ruleset, table

GOLD = "gold=plus_one,keep,-,-,-"
FACTORIES = "factories=BBBB,YYYY,RRRR,KKKK,WWWW"


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


def test_c1_the_same_discs_may_be_named_again() -> None:
    """A record that repeats them in every round says nothing wrong."""
    position = dealt(GOLD)
    position.deal(deal(f"{FACTORIES} extra=B {GOLD}"))
    assert position.round == 2


FULL_ROW = "BYRKW/...../...../...../....."


@pytest.mark.parametrize(
    ("position", "move", "rule"),
    [
        (table(boards=[board(wall=FULL_ROW), EMPTY_BOARD], turn="over"), "0B0", "1.6"),
        (ruleset("azul").initial(2), "0B0", "1.5"),
        (table(factories="BBBB,-,-,-,-"), "8B0", "1.2"),
        (table(factories="BBBB,-,-,-,-"), "0@0", "1.3.1"),
        (table("azul-gray", boards=[board(lines="B/-/-/-/-"), EMPTY_BOARD]), "0B0", "V8"),
    ],
)
def test_moves(position: AzulPosition, move: str, rule: str) -> None:
    """The clause that forbids them."""
    assert refusal(position, move).rule == rule
