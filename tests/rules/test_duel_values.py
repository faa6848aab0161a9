"""Duel: moves and deals as values and as texts, and what is none."""

import copy
import pickle
from typing import Any

import pytest

from referee.rules import (
    InvalidDeal,
    MalformedMove,
    NotationError,
    UnknownSeat,
)
from referee.rules.duel import chips as chipset
from referee.rules.duel.deal import MAX_REDRAWS, RoundDeal, Uncovered
from referee.rules.duel.moves import (
    MAX_DRAWN,
    KeepPlate,
    PlacePlate,
    PlaceTile,
    ReturnPlate,
    SpendChips,
    TakeChip,
    TakeMoon,
    TakeSun,
)
from referee.rules.duel.reading import parse_color, parse_deal, parse_move
from referee.rules.duel.ruleset import DUEL
from tests.duel_tables import FIRST_DEAL, dealt, initial, play
from tests.games import walk


@pytest.mark.parametrize(
    ("kind", "highest"),
    [
        (PlacePlate, (17, 8, 3)),
        (KeepPlate, (MAX_DRAWN - 1, 8, 3)),
        (ReturnPlate, (MAX_DRAWN - 1,)),
        (TakeSun, (4, 4, 6, ())),
        (TakeMoon, (4, 6)),
        (TakeChip, (3,)),
        (SpendChips, (5, chipset.ALL_CHIPS)),
        (PlaceTile, (5, 5)),
    ],
)
def test_moves_know_their_bounds(kind: Any, highest: tuple[Any, ...]) -> None:
    """The highest numbers make a move; one more, a negative one or no whole number do not."""
    made = kind(*highest)
    assert (made == 3) is False
    for at, value in enumerate(highest):
        wrongs: tuple[Any, ...] = ((5,), (-1,), [], (0,) * 5)
        if value != ():
            wrongs = (value + 1, -1, float(value))
        for wrong in wrongs:
            with pytest.raises(MalformedMove):
                kind(*highest[:at], wrong, *highest[at + 1 :])


@pytest.mark.parametrize(
    "parts",
    [
        {"display": (-1,)},
        {"display": (1.0,)},
        {"display": [1]},
        {"starter": -1},
        {"goals": (-1,)},
        {"redraws": (-1,)},
        {"redraws": (5,)},
        {"chips": (-1, 0, 0, 0)},
        {"small": (-1, 0, 0, 0)},
        {"large": 1 << 5},
    ],
)
def test_deals_know_their_bounds(parts: dict[str, Any]) -> None:
    """A number below the first, or of another type, is no part of a deal."""
    fields: dict[str, Any] = {"large": 0, "small": (0,) * 4, "chips": (0,) * 4, **parts}
    with pytest.raises(InvalidDeal) as caught:
        RoundDeal(**fields)
    assert (caught.value.part, caught.value.rule) == (next(iter(parts)), "3.3")


@pytest.mark.parametrize(
    "parts",
    [
        {"faces": (-1,), "looker": 0},
        {"chips": []},
        {"chips": (3,)},
        {"chips": ((0, 0, 0),)},
        {"chips": ((-1, 0),)},
        {"chips": ((0, -1),)},
    ],
)
def test_what_comes_to_light_knows_its_bounds(parts: dict[str, Any]) -> None:
    """As the deal of a round does."""
    with pytest.raises(InvalidDeal) as caught:
        Uncovered(**parts)
    assert (caught.value.part, caught.value.rule) == (next(iter(parts)), "3.3")


def test_redraws_end_somewhere() -> None:
    """A record may name many, not any number."""
    assert len(RoundDeal(0, (0,) * 4, (0,) * 4, redraws=(0,) * MAX_REDRAWS).redraws) == MAX_REDRAWS
    with pytest.raises(InvalidDeal, match=r"\(D17\)"):
        RoundDeal(0, (0,) * 4, (0,) * 4, redraws=(0,) * (MAX_REDRAWS + 1))


def test_deals_in_words() -> None:
    """What is absent is not written; a deal is nothing but a deal."""
    assert str(Uncovered()) == "nothing"
    assert str(Uncovered(chips=((0, 0), (3, 5)))) == "chips=0:B,3:YT"
    assert (Uncovered() == 3) is False
    assert (RoundDeal(0, (0,) * 4, (0,) * 4) == 3) is False
    for text in ("top=3 top=4", "top=", "top", FIRST_DEAL.replace("large", "redraws= large")):
        with pytest.raises(NotationError, match="does not fit a deal"):
            parse_deal(text)
    with pytest.raises(NotationError, match="small factories are 0 to 3"):
        parse_deal("chips=4:B")
    for text in ("", "BY", "b"):
        with pytest.raises(NotationError):
            parse_color(text)


# Moves and deals ----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "text",
    [
        "", "0B", "4B3", "0B6", "0W1", "0B1:", "0B1:KKKKK", "L", "MB", "MB6", "M0B", "chip4", "chip",
        "plate18@0r0", "plate1@9r0", "plate1@0r4", "plate01@0r0", "keep18@0r0", "return18", "Draw",
        "stop ", "6@0", "0@6", "0+", "0+B,", "0+YB", "0+Y,B", "0+B,B,B", "6+-", "0+W", "pass",
    ],
)  # fmt: skip
def test_texts_that_are_no_moves(text: str) -> None:
    """Refused with a sentence that shows what moves look like."""
    with pytest.raises(NotationError):
        DUEL.parse_move(text)


@pytest.mark.parametrize(
    "text",
    [
        "", "large=", "large=B", "large=B small=-,-,-,-", "large=B small=- chips=?", "small=-",
        "nothing else", "top=x", "top=18", "display=s", "kept=s", "chips=0:?", "chips=4:B",
        "chips=0", "faces=3,x", "looker=2 faces=3", "top=3 display=4", "top=3 top=4",
        FIRST_DEAL.replace("display=0,1,2", "display="), "x" * 2001, f"redraws=W {FIRST_DEAL}",
        FIRST_DEAL.replace("large", "redraws=W large"),
    ],
)  # fmt: skip
def test_texts_that_are_no_deals(text: str) -> None:
    """Refused by the grammar, or by what a deal is made of."""
    with pytest.raises((NotationError, InvalidDeal)):
        play(initial(), text if "=" in text else f"{text}=")


@pytest.mark.parametrize(("length", "words"), [(2_000, "does not fit"), (2_001, "at most")])
def test_a_deal_has_a_greatest_length(length: int, words: str) -> None:
    """What is longer is not read at all."""
    with pytest.raises(NotationError, match=words):
        parse_deal("x" * length)


@pytest.mark.parametrize("thing", [None, 7, b"draw", ["draw"]])
def test_what_is_no_text(thing: str) -> None:
    """Refused with our error."""
    for parse in (DUEL.parse_move, DUEL.parse_deal, DUEL.parse_position):
        with pytest.raises(NotationError, match="notation is text"):
            parse(thing)


@pytest.mark.parametrize(
    "make",
    [
        lambda: PlacePlate(18, 0, 0),
        lambda: PlacePlate(0, 9, 0),
        lambda: PlacePlate(0, 0, 4),
        lambda: KeepPlate(-1, 0, 0),
        lambda: ReturnPlate(True),
        lambda: TakeSun(5, 0, 0),
        lambda: TakeSun(0, 5, 0),
        lambda: TakeSun(0, 0, 7),
        lambda: TakeSun(0, 0, 0, [1]),
        lambda: TakeSun(0, 0, 0, (1,) * 4),
        lambda: TakeSun(0, 0, 0, (7,)),
        lambda: TakeMoon(0, "1"),
        lambda: TakeChip(4),
        lambda: SpendChips(0, 3),
        lambda: SpendChips(0, -1),
        lambda: SpendChips(0, 1 << 40),
        lambda: SpendChips(0, 1 << 80),
        lambda: TakeSun(1 << 80, 0, 0),
        lambda: PlaceTile(0, 6),
    ],
)
def test_what_is_no_move_at_all(make: Any) -> None:
    """Refused when it is made."""
    with pytest.raises(MalformedMove):
        make()


@pytest.mark.parametrize(
    "make",
    [
        lambda: RoundDeal(1 << 40, (0,) * 4, (0,) * 4),
        lambda: RoundDeal(32, (0,) * 4, (0,) * 4),
        lambda: RoundDeal(1 << 80, (0,) * 4, (0,) * 4),
        lambda: RoundDeal(0, (1 << 80,) * 4, (0,) * 4),
        lambda: RoundDeal(0, [0] * 4, (0,) * 4),
        lambda: RoundDeal(0, (0,) * 4, (11,) * 4),
        lambda: RoundDeal(0, (0,) * 4, (0,) * 4, display=(18,)),
        lambda: RoundDeal(0, (0,) * 4, (0,) * 4, top=20),
        lambda: RoundDeal(0, (0,) * 4, (0,) * 4, starter=2),
        lambda: RoundDeal(0, (0,) * 4, (0,) * 4, goals=(8,)),
        lambda: RoundDeal(0, (0,) * 4, (0,) * 4, redraws=(0,) * (MAX_REDRAWS + 1)),
        lambda: RoundDeal(0, (0,) * 3, (0,) * 4),
        lambda: RoundDeal(0, (0,) * 4, (0,) * 5),
        lambda: RoundDeal(0, (0,) * 4, (0,) * 4, goals=()),
        lambda: Uncovered(display=18),
        lambda: Uncovered(display=-1.0),
        lambda: Uncovered(kept=-1.0),
        lambda: Uncovered(looker=0),
        lambda: Uncovered(faces=(1, 2)),
        lambda: Uncovered(looker=0, faces=[1]),
        lambda: Uncovered(top=20),
        lambda: Uncovered(looker=2),
        lambda: Uncovered(faces=(20,)),
        lambda: Uncovered(kept=18),
        lambda: Uncovered(chips=[(0, 0)]),
        lambda: Uncovered(chips=((0,),)),
        lambda: Uncovered(chips=((4, 0),)),
        lambda: Uncovered(chips=((0, 10),)),
    ],
)
def test_what_is_no_deal_at_all(make: Any) -> None:
    """Refused when it is made."""
    with pytest.raises(InvalidDeal):
        make()


VALUES = [
    *(
        parse_move(text)
        for text in ["0B3:RK", "LT5", "MKX", "chip2", "plate7@4r1", "draw", "stop", "keep0@4r1"]
    ),
    *(parse_move(text) for text in ["return1", "3+B,BR", "3+-", "2@4"]),
    *(
        parse_deal(text)
        for text in (FIRST_DEAL, "top=3", "looker=0 faces=3,s", "chips=0:B", "kept=1")
    ),
]


@pytest.mark.parametrize("seat", [-1, 2, True, 0.0, "0"])
def test_there_is_no_view_of_a_deal_for_a_seat_that_is_not_there(seat: int) -> None:
    """A wrong seat is an error, not a look at what it may not see."""
    for text in (FIRST_DEAL, "looker=0 faces=3,4"):
        with pytest.raises(UnknownSeat):
            parse_deal(text).view(seat)


@pytest.mark.parametrize("value", VALUES, ids=str)
def test_values_are_values(value: Any) -> None:
    """Equal to their copies, usable as keys, never changed."""
    for again in (copy.deepcopy(value), pickle.loads(pickle.dumps(value))):
        assert again == value
        assert hash(again) == hash(value)
    assert str(value) in repr(value)
    assert value != "something else"
    assert [other for other in VALUES if other == value] == [value]
    with pytest.raises(AttributeError):
        value.text = "other"


@pytest.mark.parametrize("seed", range(2))
def test_moves_are_made_once(seed: int) -> None:
    """Listing the moves of a table again builds none of them anew."""
    for position, _ in walk("duel", 2, seed):
        for first, second in zip(position.legal_moves(), position.legal_moves(), strict=True):
            assert first is second


def test_a_view_takes_what_comes_to_light_only_if_it_can_be() -> None:
    """A chip of which both are seen already cannot lie below the tiles."""
    view = play(dealt(), "plate0@0r0", "display=3 top=4", "plate1@0r0", "display=4 top=5").view(0)
    play(view, "2B3")
    view.supply -= view.supply & 7
    with pytest.raises(InvalidDeal, match=r"no B chip is left.*3\.2\.3"):
        play(view, "chips=2:B")
    play(view, "chips=2:BR")


def test_a_view_and_its_table_uncover_the_same_chip() -> None:
    """What lay face down is one of those still to come until then."""
    position = play(
        dealt(), "plate0@0r0", "display=3 top=4", "plate1@0r0", "display=4 top=5", "2B3"
    )
    view = play(position.view(0), "chips=2:BR")
    assert str(view) == str(play(position, "chips=2:BR").view(0))
