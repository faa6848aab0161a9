"""Duel: turns with tiles and chips, and the end of the phase (3.4, D5-D8, D27, D30)."""

import pytest

from referee.rules import CHANCE, Illegal, InvalidDeal, tally
from referee.rules.duel import chips as chipset
from referee.rules.duel.position import DuelPosition
from tests.duel_tables import (
    NINE,
    listed,
    play,
    refusal,
    seat,
    table,
)

ONE = ("(B)", "-", "-", "-")
TWO = ("(B)", "(Y)", "-", "-")
COVERED = ("(B)", "(Y)", "(R)", "(K)")


def broken(position: DuelPosition, who: int = 0) -> tuple[int, ...]:
    """Return the broken tiles of a seat by color."""
    return tally.counts(position.boards[who].broken)


# Turns ------------------------------------------------------------------------------------------


def test_3_4_1_seats_take_turns_with_one_action_each() -> None:
    """Sun, plate, chip, moon: each ends the turn."""
    position = table(
        small=("BYRK/-", "-/-", "-/TK", "-/-"),
        chips=("(B)", "Y", "(R)", "-"),
        boards=[seat(tokens=2), seat(tokens=2)],
        display=(4, 5),
    )
    for step, actor in (("0B3:YRK", 1), ("plate4@0r0", 0), ("chip1", 1), ("MK5", 0)):
        play(position, step)
        assert position.actor == actor


def test_3_4_1_the_published_order_of_actions() -> None:
    """Plates, a draw, sun takes by factory, moon takes by color, chips."""
    position = table(
        small=("BY/-", "-/-", "-/TK", "-/-"),
        large="RR/-",
        chips=("(B)", "Y", "(R)", "K"),
        boards=[seat(tokens=1, plates=NINE[:7], lines="B/B/Y/K/R/-"), seat()],
        display=(16, 17),
        top="12",
    )
    assert listed(position) == [
        *(
            f"plate{plate}@{slot}r{turn}"
            for plate in (16, 17)
            for slot in (7, 8)
            for turn in range(4)
        ),
        "draw",
        *("0B1:Y", "0B5:Y", "0BX:Y", "0Y2:B", "0Y5:B", "0YX:B"),
        *("LR4", "LR5", "LRX"),
        *("MK3", "MK5", "MKX"),
        *("chip1", "chip3"),
    ]
    for move in position.legal_moves():
        position.check(move)


def test_3_4_1_every_open_line_and_breaking_are_listed() -> None:
    """For tiles of a sun side as for those of the moon sides."""
    position = table(large="YY/-", small=("-/T", "-/-", "-/-", "-/-"), chips=ONE)
    assert listed(position) == [take + line for take in ("LY", "MT") for line in "012345X"]


@pytest.mark.parametrize(
    ("text", "reason", "rule"),
    [
        ("0T3:BY", Illegal.COLOR_ABSENT, "3.4.4"),
        ("0B3", Illegal.STACK_WRONG, "D5"),
        ("LR5:B", Illegal.STACK_NOT_ALLOWED, "3.4.4"),
        ("MR5", Illegal.COLOR_ABSENT, "3.4.5"),
        ("0B0:Y", Illegal.LINE_FULL, "3.4.7"),
        ("0B2:Y", Illegal.LINE_HOLDS_OTHER_COLOR, "3.4.7"),
        ("chip1", Illegal.NO_CHIP, "3.4.6"),
        ("chip2", Illegal.CHIP_COVERED, "3.4.6"),
        ("chip3", Illegal.CHIP_LIMIT, "D7"),
        ("plate15@7r0", Illegal.PLATE_ABSENT, "3.4.2"),
        ("plate16@0r0", Illegal.SLOT_TAKEN, "3.4.2"),
        ("draw", Illegal.STACK_EMPTY, "D4"),
        ("stop", Illegal.WRONG_KIND, "3.4.1"),
    ],
)
def test_3_4_1_a_refused_action_names_its_clause(text: str, reason: Illegal, rule: str) -> None:
    """A bot that errs can look it up."""
    position = table(
        small=("BY/-", "-/-", "-/TK", "-/-"),
        large="RB/-",
        chips=("(B)", "-", "(R)", "K"),
        boards=[seat(tokens=1, taken=2, plates=NINE[:7], lines="B/-/Y/-/-/-"), seat()],
        display=(16, 17),
    )
    error = refusal(position, text)
    assert (error.reason, error.rule) == (reason, rule)
    # What is listed is accepted, also where a rest stays on the large factory.
    for move in position.legal_moves():
        position.check(move)


def test_3_4_1_piles_that_look_alike_are_one_move() -> None:
    """Two of a color and one other: three piles, in the order of the colors from the bottom."""
    position = table(small=("BRRT/-", "-/-", "-/-", "-/-"), chips=COVERED)
    assert listed(position, "0BX") == ["0BX:RRT", "0BX:RTR", "0BX:TRR"]
    assert listed(position, "0RX") == ["0RX:BT", "0RX:TB"]


def test_3_4_1_nobody_moves_while_something_is_to_come_to_light() -> None:
    """A chip was uncovered: takes that would be legal afterwards wait for it."""
    position = table(small=("B/-", "Y/-", "-/-", "-/-"), large="R/T", chips=TWO)
    play(position, "0B0")
    assert (position.actor, listed(position)) == (CHANCE, [])
    for text in ("1Y1", "LR1", "MT1", "chip0"):
        assert refusal(position, text).reason is Illegal.AWAITING_DEAL


# Sun and moon -----------------------------------------------------------------------------------


def test_3_4_4_the_rest_of_a_small_factory_is_piled() -> None:
    """From the bottom, as the taker says; only the top tile lies open."""
    position = play(table(small=("BBKY/-", *["-/-"] * 3), chips=ONE), "0B1:KY")
    assert position.stacks[0] == (3, 1)
    assert position.sun[0] == 0
    assert position.boards[0].line_counts[1] == 2
    assert listed(position, "MY")
    assert not listed(position, "MK")


def test_3_4_4_the_rest_of_the_large_factory_lies_side_by_side() -> None:
    """All of it is open, and the first-player tile stays."""
    position = play(table(large="BBKYR/-"), "LB1")
    assert tally.counts(position.moon) == (0, 1, 1, 1, 0)
    assert position.first == -1
    assert [move[1] for move in listed(position)[::7]] == ["Y", "R", "K"]


def test_3_4_4_four_alike_turn_the_chip_over() -> None:
    """Before the next turn, and for all to see."""
    position = play(table(small=("BBBB/-", "Y/-", "-/-", "-/-"), chips=TWO), "0B3")
    assert position.actor == CHANCE
    play(position, "chips=0:B")
    assert (position.revealed, position.actor) == (1, 1)
    assert "chip0" in listed(position)


def test_3_4_4_refusals_of_sun_takes() -> None:
    """Each with its own reason."""
    position = table(small=("BBKY/-", "-/RT", "-/-", "-/-"), large="BK/-", chips=COVERED)
    for text, reason in (
        ("0R0:BBK", Illegal.COLOR_ABSENT),
        ("1R0:T", Illegal.COLOR_ABSENT),
        ("0B0", Illegal.STACK_WRONG),
        ("0B0:K", Illegal.STACK_WRONG),
        ("0B0:KYY", Illegal.STACK_WRONG),
        ("0B0:KR", Illegal.STACK_WRONG),
        ("LB0:K", Illegal.STACK_NOT_ALLOWED),
        ("1@1", Illegal.WRONG_KIND),
        ("0+-", Illegal.WRONG_KIND),
        ("keep0@0r0", Illegal.WRONG_KIND),
        ("return0", Illegal.WRONG_KIND),
        ("stop", Illegal.WRONG_KIND),
    ):
        assert refusal(position, text).reason is reason, text


def test_3_4_5_moon_takes_reach_all_factories_at_once() -> None:
    """The top tile of each pile, all of the large one; only the top, even if the next matches."""
    position = table(small=("-/KB", "-/BB", "-/RK", "-/-"), large="-/BBR", chips=COVERED)
    play(position, "MB5")
    assert position.boards[0].line_counts[5] == 4
    assert position.stacks == [(3,), (0,), (2, 3), ()]
    assert tally.counts(position.moon) == (0, 0, 1, 0, 0)
    assert position.first == 0


def test_3_4_5_the_first_player_tile_goes_with_the_first_take_from_the_large_moon() -> None:
    """Not with a take from small piles only, and only once."""
    position = table(small=("-/KB", "-/-", "-/-", "-/-"), large="-/RY", chips=ONE)
    play(position, "MB0")
    assert position.first == -1
    play(position, "MR0")
    assert position.first == 1
    play(position, "MY5")
    assert position.first == 1


def test_3_4_5_an_empty_pile_turns_its_chip_over() -> None:
    """Two at once, in the order of the factories."""
    position = table(small=("-/B", "-/-", "-/KB", "-/B"), chips=("(B)", "-", "(R)", "(K)"))
    play(position, "MB5")
    with pytest.raises(InvalidDeal, match=r"\(3\.4\.5\)"):
        play(position, "chips=0:B")
    with pytest.raises(InvalidDeal, match=r"3\.3\.3"):
        play(position, "chips=0:B,3:R")
    play(position, "chips=0:B,3:K")
    assert position.revealed == 0b1001


def test_3_4_5_a_color_that_does_not_lie_open_cannot_be_taken() -> None:
    """Neither below another tile nor on a sun side."""
    position = table(small=("-/BK", "R/-", "-/-", "-/-"), chips=COVERED)
    assert refusal(position, "MB0").reason is Illegal.COLOR_ABSENT
    assert refusal(position, "MR0").reason is Illegal.COLOR_ABSENT


def test_3_4_5_moon_takes_need_an_open_line_and_a_turn() -> None:
    """As sun takes do."""
    boards = [seat(lines="K/-/-/-/-/-"), seat()]
    position = table(small=("-/BK", "-/-", "-/-", "-/-"), chips=ONE, boards=boards)
    assert refusal(position, "MK0").reason is Illegal.LINE_FULL
    play(position, "MKX", "MB0")
    assert position.actor == CHANCE
    assert refusal(position, "MB1").reason is Illegal.AWAITING_DEAL


def test_d5_the_pile_has_exactly_the_tiles_that_are_left() -> None:
    """Every order of them, and nothing else."""
    position = table(small=("BKYR/-", *["-/-"] * 3), chips=COVERED)
    assert len(listed(position, "0BX")) == 6
    assert refusal(position, "0BX:KYB").rule == "D5"


def test_d6_the_order_of_a_pile_is_open() -> None:
    """In every view."""
    position = play(table(small=("BKYR/-", *["-/-"] * 3), chips=COVERED), "0B0:RYK")
    for who in (None, 0, 1):
        assert "small=-/RYK," in str(position.view(who))


# Chips ------------------------------------------------------------------------------------------


def test_3_4_6_a_chip_that_lies_open_may_be_taken() -> None:
    """It goes into the storage of the seat."""
    position = play(
        table(chips=("BR", "(Y)", "-", "-"), small=("-/-", "-/B", "-/-", "-/-")), "chip0"
    )
    assert chipset.faces(position.boards[0].chips) == [6]
    assert position.boards[0].chips_taken == 1
    assert (position.chips[0], position.chips_left) == (-1, 1)


def test_3_4_6_covered_and_missing_chips_cannot_be_taken() -> None:
    """Each with its reason."""
    position = table(chips=("(B)", "-", "Y", "-"), small=("-/B", "-/-", "-/-", "-/-"))
    assert refusal(position, "chip0").reason is Illegal.CHIP_COVERED
    assert refusal(position, "chip1").reason is Illegal.NO_CHIP


def test_d7_a_third_chip_is_refused() -> None:
    """Who has two takes none, and who can do nothing else is passed over."""
    boards = [seat(taken=2), seat(taken=0)]
    position = table(chips=("B", "Y", "-", "-"), boards=boards, large="B/-")
    assert refusal(position, "chip0").reason is Illegal.CHIP_LIMIT
    assert not listed(position, "chip")
    play(position, "LB0", "chip0")
    # Seat 0 has no action left, seat 1 goes on.
    assert position.actor == 1
    assert listed(position) == ["chip1"]


# Laying tiles -----------------------------------------------------------------------------------


def test_3_4_7_a_line_takes_one_color_until_it_is_full() -> None:
    """The dome does not matter: lines may be fed although nothing fits."""
    own = seat(lines="B/Y/-/-/-/-", plates=NINE)
    position = table(large="BBBB/-", boards=[own, seat()])
    assert refusal(position, "LB0").reason is Illegal.LINE_FULL
    assert refusal(position, "LB1").reason is Illegal.LINE_HOLDS_OTHER_COLOR
    assert listed(position) == ["LB2", "LB3", "LB4", "LB5", "LBX"]


def test_3_4_7_the_surplus_breaks() -> None:
    """Four tiles for a line of two that has one: three break."""
    position = table(large="BBBBY/-", boards=[seat(lines="-/B/-/-/-/-"), seat()])
    play(position, "LB1")
    assert position.boards[0].line_counts[1] == 2
    assert broken(position) == (3, 0, 0, 0, 0)


def test_3_4_7_all_of_a_take_may_break() -> None:
    """By choice, even if a line could take it."""
    assert broken(play(table(large="BBY/-"), "LBX")) == (2, 0, 0, 0, 0)


def test_d27_beyond_four_tiles_go_to_the_tower() -> None:
    """At no cost; the first-player tile has a place of its own."""
    position = table(large="-/BBBR", boards=[seat(broken="YYK"), seat()])
    play(position, "MBX")
    assert broken(position) == (1, 2, 0, 1, 0)
    assert tally.counts(position.tower) == (2, 0, 0, 0, 0)
    assert (position.first, position.boards[0].broken_count) == (0, 4)


def test_d30_a_part_of_a_take_never_breaks_by_choice() -> None:
    """There is one move a line, and one for all to break."""
    assert listed(table(large="BBB/-")) == [f"LB{line}" for line in "012345X"]


# The end of the phase -----------------------------------------------------------------------------


def test_3_4_8_a_seat_without_an_action_is_passed_over() -> None:
    """The other one has several turns in a row."""
    boards = [seat(taken=2), seat(tokens=2)]
    position = table(boards=boards, display=(1, 2, 3), large="B/-")
    play(position, "LB0")
    for step in ("plate1@0r0", "plate2@1r0"):
        assert position.actor == 1
        play(position, step)
    assert position.actor == CHANCE


def test_d8_there_is_no_passing() -> None:
    """Whoever can act has moves, and none of them is a pass."""
    position = table(boards=[seat(tokens=1), seat()], display=(1,))
    assert all(move.startswith("plate1") for move in listed(position))


def test_3_4_9_the_phase_ends_when_nothing_is_left_to_take() -> None:
    """Tiles, chips and tokens; the last one decides."""
    boards = [seat(tokens=1), seat()]
    position = table(boards=boards, display=(1,), chips=("B", "-", "-", "-"))
    play(position, "plate1@0r0", "chip0")
    assert position.actor == CHANCE
    assert position.round == 2


def test_3_4_9_tokens_must_be_used() -> None:
    """The phase does not end before, and the seat has no other action."""
    position = table(boards=[seat(), seat(tokens=1)], display=(1,), large="B/-")
    play(position, "LB0")
    assert position.actor == 1
    assert {move.split("@")[0] for move in listed(position)} == {"plate1"}
