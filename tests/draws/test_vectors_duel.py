"""The published draws of Azul Duel: nothing is lost, rare cases are there, the engine agrees."""

from typing import Any

import pytest

from referee.draws import RoundStreams
from referee.rules import CHANCE, Options, tally
from referee.rules.duel.chips import faces, of_faces
from referee.rules.duel.components import GOAL_NAMES, NOBODY
from referee.rules.duel.deal import RoundDeal
from referee.rules.duel.dome import FREE_SLOTS
from referee.rules.duel.moves import DrawPlate, KeepPlate, PlacePlate, ReturnPlate, StopDrawing
from referee.rules.duel.phases import DRAWING
from referee.rules.duel.plates import plate_of
from referee.rules.duel.position import DuelPosition
from referee.rules.duel.ruleset import DUEL
from tests.draws.test_vectors import VECTORS

ROUNDS: list[dict[str, Any]] = VECTORS["duel_rounds"]


def names(entry: dict[str, Any]) -> str:
    """Return what the tests call an entry."""
    return str(entry["case"])


def is_alike(entry: dict[str, Any]) -> bool:
    """Tell whether the large factory got five of one color."""
    return len(entry["large"]) == 5 and len(set(entry["large"])) == 1


def draws_returned(entry: dict[str, Any]) -> bool:
    """Tell whether a player drew a plate that had been returned before the round."""
    drawn = {step["plate"] for step in entry["steps"] if step["step"] == "draw"}
    return bool(drawn & set(entry["plates"]["returned"]))


def test_every_case_has_a_name_of_its_own() -> None:
    """So that a failure names one entry."""
    assert len({names(entry) for entry in ROUNDS}) == len(ROUNDS)


@pytest.mark.parametrize("entry", ROUNDS, ids=names)
def test_no_tile_and_no_chip_is_lost(entry: dict[str, Any]) -> None:
    """What lay in bag, tower and pile before lies there or on the factories afterwards."""
    dealt = [*entry["large"], *(tile for tiles in entry["small"] for tile in tiles)]
    for color in range(5):
        before = entry["bag"][color] + entry["tower"][color]
        after = entry["bag_after"][color] + entry["tower_after"][color]
        assert before == dealt.count(color) + after <= 13
    assert len(dealt) == min(21, sum(entry["bag"]) + sum(entry["tower"]))
    assert len(entry["chips"]) == 24 - 4 * entry["round"]
    assert sorted(entry["chips_after"] + entry["laid"]) == entry["chips"]


@pytest.mark.parametrize("entry", ROUNDS, ids=names)
def test_no_plate_is_lost(entry: dict[str, Any]) -> None:
    """Each round starts with the plates that the rounds before left over."""

    def all_of(plates: dict[str, Any]) -> list[int]:
        top = [] if plates["top"] is None else [plates["top"]]
        return sorted([*plates["unseen"], *top, *plates["display"], *plates["returned"]])

    before = all_of(entry["plates"])
    assert (
        len(set(before)) == len(before) == (20 if entry["round"] > 1 else 22) - 4 * entry["round"]
    )
    assert all_of(entry["plates_after"]) == before
    gone = {s["plate"] for s in entry["steps"] if s["step"] in {"opening", "take", "keep"}}
    assert all_of(entry["plates_end"]) == [plate for plate in before if plate not in gone]


def test_redraws_cover_the_rare_cases() -> None:
    """One, more than one, another color; the tower poured for it, before it, not at all."""
    redrawn = [e for e in ROUNDS if e["redraws"]]
    only = [e for e in redrawn if sum(n > 0 for n in e["bag"]) == 1]
    assert any(e["round"] == 1 for e in redrawn)
    assert any(len(set(e["redraws"])) > 1 for e in redrawn)
    assert any(len(e["redraws"]) > 2 for e in redrawn)
    assert any(sum(e["bag"]) > 5 for e in only)
    assert any(sum(e["bag"]) == 5 and len(e["redraws"]) > 1 for e in only)
    assert any(sum(e["bag"]) < 5 for e in only)
    assert any(any(e["tower_after"]) for e in redrawn)
    assert not any(is_alike(e) for e in redrawn)


def test_tiles_cover_the_rare_cases() -> None:
    """Five alike that stay, pours at every place, short deals and none at all."""
    alike = [e for e in ROUNDS if is_alike(e)]
    assert {any(e["tower"]) for e in alike} == {True, False}
    assert {sum(e["bag"]) < 5 for e in alike} == {True, False}
    pours = {sum(e["bag"]) for e in ROUNDS if any(e["tower"])}
    assert 0 in pours
    assert 5 in pours
    assert any(0 < tiles < 5 for tiles in pours)
    assert any(5 < tiles < 21 and (tiles - 5) % 4 for tiles in pours)
    assert any(e["large"] == [] for e in ROUNDS)
    assert any(1 < len(e["large"]) < 5 and len(set(e["large"])) == 1 for e in ROUNDS)
    assert any(len(e["large"]) == 5 and 0 < len(e["small"][2]) < 4 for e in ROUNDS)


def test_plates_cover_the_rare_cases() -> None:
    """Returned plates at the top, in every way they can get there, and an empty stack."""
    steps = [step for e in ROUNDS for step in e["steps"]]
    assert {s["step"] for s in steps} == {"opening", "take", "draw", "keep", "return"}
    assert any(e["plates"]["unseen"] and draws_returned(e) for e in ROUNDS)
    assert any(set(e["shown"]) & set(e["plates"]["returned"]) for e in ROUNDS)
    assert any(s["step"] == "return" and s["plate"] == s["top"] for s in steps)
    assert any(s["step"] == "draw" and s["top"] is None for s in steps)
    assert any(e["plates"]["top"] is None and e["round"] > 1 for e in ROUNDS)


def test_the_set_up_covers_its_choices() -> None:
    """Both seats, random and named; three and four goals or none drawn; all eight goals."""
    first = [e for e in ROUNDS if e["round"] == 1]
    assert {(e["first_player"] is None, e["starter"]) for e in first} == {
        (drawn, seat) for drawn in (True, False) for seat in (0, 1)
    }
    assert {e["goal_count"] for e in first} == {None, 3, 4}
    assert all(e["starter"] is None and e["goals"] is None for e in ROUNDS if e["round"] > 1)
    assert {len(e["goals"]) for e in VECTORS["duel_goals"]} == {3, 4}
    assert len({goal for e in VECTORS["duel_goals"] for goal in e["goals"]}) == 8


# The engine draws them -----------------------------------------------------------------------


def prepared(entry: dict[str, Any]) -> DuelPosition:
    """Return a table with bag, tower, plates and chips as an entry starts with them."""
    position = DUEL.initial(
        2, Options(first_player=entry["first_player"], goals=entry["goal_count"])
    )
    position.round = entry["round"] - 1
    position.bag, position.tower = tally.of_counts(entry["bag"]), tally.of_counts(entry["tower"])
    position.supply = of_faces(entry["chips"])
    if entry["round"] > 1:
        position.starter = 0
    plates = entry["plates"]
    position.display = tuple(sorted(plates["display"]))
    stack = position.stack
    stack.unseen = sum(1 << plate for plate in plates["unseen"])
    stack.top = NOBODY if plates["top"] is None else plates["top"]
    stack.returned = list(plates["returned"])
    return position


def plates_of(position: DuelPosition) -> dict[str, Any]:
    """Return the plates that are on nobody's dome, as an entry writes them."""
    stack = position.stack
    return {
        "unseen": stack.ids(),
        "top": None if stack.top == NOBODY else plate_of(stack.top),
        "display": sorted(position.display),
        "returned": [plate_of(entry) for entry in stack.returned],
    }


def sorted_display(plates: dict[str, Any]) -> dict[str, Any]:
    """Return plates with the display by id, as the engine keeps it."""
    return {**plates, "display": sorted(plates["display"])}


@pytest.mark.parametrize("entry", ROUNDS, ids=names)
def test_the_engine_draws_the_published_rounds(entry: dict[str, Any]) -> None:
    """Set-up, plates, tiles and chips, then every plate that comes up in the round."""
    position = prepared(entry)
    streams = RoundStreams(bytes.fromhex(entry["round_key"]))
    deal = position.draw(streams)
    assert isinstance(deal, RoundDeal)
    assert deal.starter == entry["starter"]
    drawn_goals = None if deal.goals is None else [GOAL_NAMES[goal] for goal in deal.goals]
    assert drawn_goals == entry["goals"]
    assert list(deal.redraws) == entry["redraws"]
    assert deal.large == tally.of_colors(entry["large"])
    assert list(deal.small) == [tally.of_colors(tiles) for tiles in entry["small"]]
    assert list(deal.display) == entry["shown"]
    assert list(deal.chips) == entry["laid"]
    position.deal(deal)
    assert list(tally.counts(position.bag)) == entry["bag_after"]
    assert list(tally.counts(position.tower)) == entry["tower_after"]
    assert faces(position.supply) == entry["chips_after"]
    assert plates_of(position) == sorted_display(entry["plates_after"])
    for board in position.boards:
        # Points and tokens enough for whatever an entry does, whoever is to move.
        board.score, board.tokens = 50, 20
    for step in entry["steps"]:
        take_step(position, streams, step)
        assert plates_of(position)["top"] == step["top"]
    assert plates_of(position) == sorted_display(entry["plates_end"])


def take_step(position: DuelPosition, streams: RoundStreams, step: dict[str, Any]) -> None:
    """Let the mover do what a step says, and draw whatever comes to light."""
    slot = FREE_SLOTS[position.boards[position.mover].taken_slots][0]
    held = [NOBODY if drawn < 0 else plate_of(drawn) for drawn in position.stack.drawn]
    kind, plate = step["step"], step["plate"]
    if kind in ("opening", "take"):
        position.play(PlacePlate(plate, slot, 0))
    elif kind == "draw":
        position.play(DrawPlate())
    elif kind == "keep":
        if position.phase == DRAWING:
            position.play(StopDrawing())
            uncover(position, streams)
        position.play(KeepPlate(held.index(plate), slot, 0))
    elif held:
        position.play(ReturnPlate(held.index(plate)))
    else:
        # The last plate went back by itself.
        assert kind == "return"
    uncover(position, streams)


def uncover(position: DuelPosition, streams: RoundStreams) -> None:
    """Draw and deal what is due in the middle of a round."""
    while position.actor == CHANCE:
        position.deal(position.draw(streams))


@pytest.mark.parametrize("entry", VECTORS["duel_goals"], ids=lambda e: "-".join(e["goals"]))
def test_the_engine_draws_the_published_goals(entry: dict[str, Any]) -> None:
    """Tokens, then sides."""
    position = DUEL.initial(2, Options(goals=entry["goal_count"]))
    deal = position.draw(RoundStreams(bytes.fromhex(entry["round_key"])))
    assert isinstance(deal, RoundDeal)
    assert deal.goals is not None
    assert [GOAL_NAMES[goal] for goal in deal.goals] == entry["goals"]
