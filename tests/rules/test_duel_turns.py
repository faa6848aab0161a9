"""Duel: the four actions of a turn (3.4, D1-D8, D27, D28, D30)."""

import pytest

from referee.rules import CHANCE, Illegal, InvalidDeal, WrongMoment, tally
from referee.rules.duel import chips as chipset
from referee.rules.duel.components import HIDDEN_SPECIAL, HIDDEN_WILD
from referee.rules.duel.deal import Uncovered
from referee.rules.duel.plates import known_by, plate_of
from referee.rules.duel.position import DuelPosition
from tests.duel_tables import (
    NINE,
    NO_CHANCE,
    listed,
    play,
    refusal,
    seat,
    settle,
    table,
    uncovered,
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


def test_3_4_3_a_refused_plate_move_names_its_clause() -> None:
    """Without a token, without a point, not drawn, already returned, out of turn."""
    assert refusal(drawing(tokens=0, large="B/-"), "draw").rule == "3.4.2"
    assert refusal(drawing(points=0), "draw").rule == "D1"
    position = play(drawing(), "draw")
    assert refusal(position, "stop").rule == "3.4.1"
    play(position, "top=4", "draw", "top=5", "draw", "top=6", "stop", "looker=0 faces=3,4,5")
    assert refusal(position, "keep3@1r0").rule == "D28"
    play(position, "keep1@2r1", "kept=4")
    assert refusal(position, "return1").rule == "D28"


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


# Plates -----------------------------------------------------------------------------------------


def test_3_4_2_a_plate_of_the_display_takes_a_token() -> None:
    """Any free slot, and it stays there."""
    position = table(boards=[seat(tokens=1, plates={4: "0r0"}), seat(tokens=1)], display=(4, 5))
    assert refusal(position, "plate4@4r0").reason is Illegal.SLOT_TAKEN
    assert refusal(position, "plate6@0r0").reason is Illegal.PLATE_ABSENT
    play(position, "plate4@0r3")
    assert position.boards[0].tokens == 0
    assert position.boards[0].plates[0] == 4 * 4 + 3
    assert position.display == (5,)
    assert position.boards[0].score == 5


def test_3_4_2_without_a_token_there_is_no_plate() -> None:
    """Neither from the display nor from the stack."""
    position = table(large="B/-", boards=[seat(), seat(tokens=1)], display=(4,), top="5")
    assert refusal(position, "plate4@0r0").reason is Illegal.NO_TOKEN
    assert refusal(position, "draw").reason is Illegal.NO_TOKEN
    assert listed(position) == [f"LB{line}" for line in "012345X"]


def drawing(points: int = 5, tokens: int = 1, **parts: object) -> DuelPosition:
    """Return a table at which seat 0 can draw plates."""
    stack: dict[str, object] = {"top": "3", "unseen": (4, 5, 6), "display": (0,)}
    return table(
        boards=[seat(score=points, tokens=tokens, plates=NINE[7:8]), seat(tokens=1)],
        **{**stack, **parts},  # type: ignore[arg-type]
    )


def test_3_4_3_drawing_costs_a_point_a_plate() -> None:
    """Draw twice, stop, look, keep the second, and the other one goes under the stack."""
    position = play(drawing(), "draw")
    assert (position.actor, position.boards[0].tokens) == (CHANCE, 0)
    play(position, "top=4")
    assert (position.actor, position.scores[0]) == (0, 4)
    assert listed(position) == ["draw", "stop"]
    play(position, "draw", "top=5", "stop")
    assert (position.actor, position.scores[0]) == (CHANCE, 3)
    play(position, "looker=0 faces=3,4")
    assert len(listed(position)) == 2 * 8 * 4
    assert listed(position)[0] == "keep0@1r0"
    play(position, "keep1@2r1")
    assert position.actor == CHANCE
    play(position, "kept=4")
    assert position.boards[0].plates[2] == 4 * 4 + 1
    assert (position.actor, position.stack.drawn) == (1, [])
    assert [plate_of(entry) for entry in position.stack.returned] == [3]


def test_3_4_3_what_comes_to_light_must_fit() -> None:
    """A top that lies open, faces that were not drawn, another kept plate."""
    position = play(drawing(), "draw")
    for text in ("top=0", "top=3", "display=4 top=5", "looker=0 faces=3"):
        with pytest.raises(InvalidDeal):
            play(position, text)
    with pytest.raises(InvalidDeal):
        position.deal(uncovered("nothing"))
    play(position, "top=4", "stop")
    for text in ("looker=1 faces=3", "looker=0 faces=4", "looker=0 faces=3,4", "kept=3"):
        with pytest.raises(InvalidDeal):
            play(position, text)
    play(position, "looker=0 faces=3", "keep0@1r0")
    for text in ("kept=4", "kept=0", "top=5"):
        with pytest.raises(InvalidDeal):
            play(position, text)
    play(position, "kept=3")


DRAWN = ("draw", "top=4", "stop")
KEPT = (*DRAWN, "looker=0 faces=3", "keep0@1r0")


@pytest.mark.parametrize(
    ("steps", "deal", "part", "rule"),
    [
        (("draw",), uncovered("display=4 top=5"), "display", "3.4"),
        (("draw",), uncovered("top=5 chips=0:B"), "chips", "3.4"),
        (("draw",), uncovered("nothing"), "top", "3.3.1"),
        (DRAWN, uncovered("nothing"), "faces", "3.4"),
        (DRAWN, uncovered("looker=1 faces=3"), "faces", "D3"),
        (DRAWN, uncovered("looker=0 faces=4"), "faces", "D28"),
        (DRAWN, uncovered("looker=0 faces=3,4"), "faces", "D28"),
        (KEPT, uncovered("kept=4"), "kept", "D28"),
        (KEPT, uncovered("nothing"), "kept", "3.4"),
        (KEPT, Uncovered(kept=3, top=5), "top", "3.4"),
        (KEPT, Uncovered(kept=3, looker=0, faces=(3,)), "faces", "3.4"),
    ],
)
def test_3_4_3_a_refused_plate_names_its_clause(
    steps: tuple[str, ...], deal: Uncovered, part: str, rule: str
) -> None:
    """What belongs to another moment, what is missing, and what cannot be."""
    position = play(drawing(), *steps)
    before = str(position)
    with pytest.raises(InvalidDeal) as caught:
        position.deal(deal)
    assert (caught.value.part, caught.value.rule) == (part, rule)
    assert str(position) == before


def test_d28_a_view_is_shown_different_plates() -> None:
    """Two backs may be alike, two faces may not."""
    position = play(drawing(), "draw", "top=5", "draw", "top=4", "stop")
    view = position.view(0)
    with pytest.raises(InvalidDeal, match="D28"):
        play(view, "looker=0 faces=3,3")
    play(view, "looker=0 faces=3,5")
    other = position.view(1)
    play(other, "looker=0 faces=w,w")
    play(position, "looker=0 faces=3,5")
    assert (str(view), str(other)) == (str(position.view(0)), str(position.view(1)))


def test_3_4_3_keeping_needs_a_free_slot_and_a_plate_that_was_drawn() -> None:
    """Numbered in the order drawn."""
    position = play(drawing(), "draw", "top=4", "stop", "looker=0 faces=3")
    assert refusal(position, "keep1@1r0").reason is Illegal.NOT_DRAWN
    assert refusal(position, "keep0@0r0").reason is Illegal.SLOT_TAKEN
    assert refusal(position, "stop").reason is Illegal.WRONG_KIND


def test_d1_a_draw_needs_a_point() -> None:
    """With none, and open plates to take, drawing is no choice."""
    position = drawing(points=0)
    assert refusal(position, "draw").reason is Illegal.NO_POINT
    assert "draw" not in listed(position)


def test_d1_one_free_draw_with_an_empty_display() -> None:
    """Only the first draw of a turn is free, and the score stays at 0."""
    position = play(drawing(points=0, display=()), "draw", "top=4")
    # No second draw is possible, so the drawing has stopped by itself.
    assert position.actor == CHANCE
    play(position, "looker=0 faces=3", "keep0@1r0", "kept=3")
    assert (position.scores[0], position.actor) == (0, 1)


def test_d1_the_last_point_buys_the_last_draw() -> None:
    """After it, stopping is no choice any more."""
    position = play(drawing(points=1, display=()), "draw", "top=4")
    assert (position.actor, position.scores[0]) == (CHANCE, 0)
    assert settle(position).actor == 0
    assert listed(position, "keep0")


def test_d1_with_points_an_empty_display_changes_nothing() -> None:
    """The draw is paid for."""
    assert play(drawing(points=2, display=()), "draw").scores[0] == 1


def test_d2_who_has_drawn_keeps_a_drawn_plate() -> None:
    """An open plate is no choice any more, nor is another action."""
    position = play(drawing(large="B/T"), "draw", "top=4")
    assert refusal(position, "plate0@1r0").rule == "D28"
    for text in ("LB0", "MT0", "keep0@1r0", "return0"):
        assert refusal(position, text).reason is Illegal.WRONG_KIND
    play(position, "stop", "looker=0 faces=3")
    for text in ("plate0@1r0", "MT0", "return0"):
        assert refusal(position, text).reason is Illegal.WRONG_KIND


def test_d3_faces_are_for_the_drawer_and_only_after_stopping() -> None:
    """Backs are for everybody."""
    position = play(drawing(), "draw", "top=4")
    for who in (None, 0, 1):
        assert " top=s " in str(position.view(who))
        assert " drawn=w " in str(position.view(who))
    play(position, "stop")
    looked = position.draw(NO_CHANCE)
    assert str(looked) == "looker=0 faces=3"
    assert str(looked.view(0)) == "looker=0 faces=3"
    assert str(looked.view(1)) == str(looked.view(None)) == "looker=0 faces=w"
    position.deal(looked)
    assert " drawn=3:0 " in str(position.view(0))
    for who in (None, 1):
        assert " drawn=w:0 " in str(position.view(who))


def test_d3_returned_plates_stay_known_to_who_saw_them() -> None:
    """Their order and types are open, their faces are not; the memory outlasts further draws."""
    position = play(drawing(unseen=(4,), display=()), "draw", "top=4", "draw")
    # Nothing is unseen now and nothing was returned, so the stack is empty.
    settle(position)
    play(position, "keep0@1r0")
    settle(position)
    assert str(position.view(0)).count("4:0") == 1
    assert " top=s:0 " in str(position.view(1))
    # Seat 1 draws that plate: seat 0 knows which it is, before and after seat 1 looks.
    position.boards[1].score = 1
    play(position, "draw")
    assert " drawn=4:0 " in str(position.view(0))
    assert " drawn=s:0 " in str(position.view(1))
    settle(position)
    assert " drawn=4:01 " in str(position.view(1))
    assert " drawn=4:01 " in str(position.view(0))
    assert " drawn=s:01 " in str(position.view(None))
    assert known_by(position.stack.drawn[0]) == 3


def test_d3_a_view_counts_the_plates_behind_backs() -> None:
    """Plates 3 and 5 are wild, 4 and 6 special; the top is a wild one, and nobody knows which."""
    stack = drawing().view(1).stack
    assert (stack.ids(), stack.without_place(), stack.size()) == ([3, 4, 5, 6], 3, 4)
    could_follow = [plate for plate in range(HIDDEN_WILD + 1) if stack.may_become_top(plate)]
    assert could_follow == [3, 4, 5, 6, HIDDEN_SPECIAL, HIDDEN_WILD]
    could_be = [plate for plate in range(HIDDEN_WILD + 1) if stack.can_be(plate, HIDDEN_WILD)]
    assert could_be == [3, 5, HIDDEN_WILD]
    could_be = [plate for plate in range(HIDDEN_WILD + 1) if stack.can_be(plate, HIDDEN_SPECIAL)]
    assert could_be == [4, 6, HIDDEN_SPECIAL]
    assert [plate for plate in range(HIDDEN_WILD + 1) if stack.can_be(plate, 5)] == [5, HIDDEN_WILD]
    # The only wild plate left is the top itself.
    stack = drawing(unseen=(4,)).view(1).stack
    could_follow = [plate for plate in range(HIDDEN_WILD + 1) if stack.may_become_top(plate)]
    assert could_follow == [4, HIDDEN_SPECIAL]
    # What a seat has seen is behind no back for it.
    looked = play(drawing(), *DRAWN, "looker=0 faces=3")
    assert looked.view(0).stack.ids() == [4, 5, 6]
    assert looked.view(1).stack.ids() == [3, 4, 5, 6]


def test_d3_a_view_does_not_know_what_to_draw() -> None:
    """It says so, instead of making something up."""
    position = play(drawing(), "draw")
    with pytest.raises(WrongMoment):
        position.view(0).draw(NO_CHANCE)
    play(position, "top=4", "stop")
    with pytest.raises(WrongMoment):
        position.view(0).draw(NO_CHANCE)
    play(position, "looker=0 faces=3", "keep0@1r0")
    with pytest.raises(WrongMoment):
        position.view(1).draw(NO_CHANCE)
    # The drawer has seen the plate, so its view can show it.
    assert str(position.view(0).draw(NO_CHANCE)) == "kept=3"
    special = play(drawing(top="4", unseen=(3, 5)), "draw", "top=3", "stop")
    with pytest.raises(WrongMoment):
        special.view(0).draw(NO_CHANCE)
    chips = play(table(small=("B/-", "-/-", "-/-", "-/-"), chips=COVERED), "0B0")
    with pytest.raises(WrongMoment):
        chips.view(0).draw(NO_CHANCE)


def test_d4_the_whole_stack_may_be_drawn() -> None:
    """As far as points reach; with an empty stack the drawing stops by itself."""
    position = play(drawing(unseen=(4,)), "draw", "top=4", "draw")
    assert position.scores[0] == 3
    assert len(position.stack.drawn) == 2
    assert settle(position).actor == 0
    assert listed(position, "keep")
    empty = table(boards=[seat(tokens=1), seat()], display=(1,))
    assert refusal(empty, "draw").reason is Illegal.STACK_EMPTY


def test_d28_plates_are_returned_one_by_one_and_the_last_by_itself() -> None:
    """The first returned lies nearest the top."""
    position = play(drawing(), "draw", "top=4", "draw", "top=5", "draw", "top=6", "stop")
    assert str(position.draw(NO_CHANCE)) == "looker=0 faces=3,4,5"
    settle(position)
    play(position, "keep1@3r0")
    settle(position)
    assert listed(position) == ["return0", "return2"]
    assert refusal(position, "return1").reason is Illegal.NOT_DRAWN
    assert refusal(position, "return3").reason is Illegal.NOT_DRAWN
    assert refusal(position, "draw").rule == "D28"
    play(position, "return2")
    assert [plate_of(entry) for entry in position.stack.returned] == [5, 3]
    assert position.actor == 1


def test_d28_returned_plates_lie_below_all_others() -> None:
    """They come up when everything above is gone, the first returned first."""
    position = table(
        boards=[seat(score=9, tokens=1), seat(score=9, tokens=1)],
        top="3",
        unseen=(4,),
        returned=(8, 7),
    )
    play(position, "draw", "top=4", "draw")
    assert plate_of(position.stack.top) == 8
    play(position, "draw")
    assert plate_of(position.stack.top) == 7
    play(position, "draw")
    # The stack is empty: stopped by itself.
    assert str(position.draw(NO_CHANCE)) == "looker=0 faces=3,4,8,7"


def test_d28_views_follow_when_the_whole_stack_was_drawn() -> None:
    """Two plates go back to an empty stack: the first becomes the top, for everybody."""
    position = drawing(unseen=(4, 9, 12), display=())
    views = {who: position.view(who) for who in (None, 0, 1)}
    for step in ("draw", "top=4", "draw", "top=9", "draw", "top=12", "draw"):
        follow(position, views, step)
    follow(position, views, str(position.draw(NO_CHANCE)))
    follow(position, views, "keep1@3r0")
    follow(position, views, str(position.draw(NO_CHANCE)))
    follow(position, views, "return2")
    assert plate_of(position.stack.top) == 9
    follow(position, views, "return0")
    assert [plate_of(entry) for entry in position.stack.returned] == [3, 12]


def follow(position: DuelPosition, views: dict[int | None, DuelPosition], step: str) -> None:
    """Do a step on a table and on views of it, and compare them."""
    play(position, step)
    for who, view in views.items():
        if "=" in step:
            view.deal(uncovered(step).view(who))
        else:
            play(view, step)
        assert str(view) == str(position.view(who)), step


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
    with pytest.raises(InvalidDeal):
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
