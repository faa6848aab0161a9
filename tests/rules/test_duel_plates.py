"""Duel: plates of the display and of the stack (3.4.2, 3.4.3, D1-D4, D28)."""

import pytest

from referee.rules import CHANCE, Illegal, InvalidDeal, WrongMoment
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

COVERED = ("(B)", "(Y)", "(R)", "(K)")


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
