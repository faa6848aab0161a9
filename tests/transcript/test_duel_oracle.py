"""The oracle of Duel as a checker: its own games hold, and damage is found where it was done."""

import copy
import random
from collections import Counter
from collections.abc import Callable
from typing import Any

import pytest

from tests.oracle.duel.checker import first_wrong, is_format_error, seen
from tests.oracle.duel.damage import damage
from tests.oracle.duel.damage_tools import KINDS
from tests.oracle.duel.games import POLICIES, random_game, unfinished_prefix, without_claims

Record = dict[str, Any]


def hand_made() -> Record:
    """Return a game that stops in its first round, every count worked out on paper.

    A turn counts 4 rotations x free slots x 3 plates, 1 draw, and for every color and order of
    the rest the open lines and the broken area.
    """
    return {
        "format": "azul-game/1",
        "id": "by hand",
        "ruleset": "duel",
        "players": 2,
        "goals": ["rows", "perimeter", "corners"],
        "plates": list(range(18)),
        "opening": [
            {"player": 1, "plate": 0, "slot": 4, "rotation": 0, "legal_count": 3 * 9 * 4},
            {"player": 0, "plate": 3, "slot": 0, "rotation": 1, "legal_count": 3 * 9 * 4},
        ],
        "rounds": [
            {
                "starter": 0,
                "redraws": ["red"],
                "large": ["blue", "blue", "yellow", "red", "black"],
                "small": [
                    ["blue", "blue", "blue", "blue"],
                    ["blue", "yellow", "red", "black"],
                    ["turquoise", "turquoise", "black", "yellow"],
                    ["red", "red", "yellow", "yellow"],
                ],
                "chips": ["blue", "blue", "blue+red", "yellow"],
                "moves": [
                    # Seven targets each for 1 + 24 + 8 + 2 + 4 takes.
                    {"player": 0, "do": "sun", "factory": 2, "color": "turquoise", "line": 1,
                     "stack": ["black", "yellow"], "legal_count": 97 + 7 * 39},
                    # The eight takes of factory 2 are gone, yellow lies on a moon side.
                    {"player": 1, "do": "sun", "factory": 0, "color": "blue", "line": 5,
                     "legal_count": 97 + 7 * 32},
                    # Line 1 is full, the chip of factory 0 lies open.
                    {"player": 0, "do": "draw", "legal_count": 97 + 6 * 31 + 1},
                    {"player": 0, "do": "draw", "legal_count": 2},
                    {"player": 0, "do": "stop", "drawn": [5, 6], "legal_count": 2},
                    {"player": 0, "do": "keep", "plate": 6, "slot": 8, "rotation": 2,
                     "returned": [5], "legal_count": 2 * 8 * 4},
                    # Line 5 is open to blue only: 7 takes of blue, 24 of other colors.
                    {"player": 1, "do": "sun", "factory": "large", "color": "blue", "line": 5,
                     "stack": [], "legal_count": 97 + 7 * 7 + 6 * 24 + 1},
                    # One slot less; 24 + 2 takes from the sun, 3 colors on the moon sides.
                    {"player": 0, "do": "moon", "color": "yellow", "line": 0,
                     "legal_count": 85 + 6 * 29 + 1},
                    {"player": 1, "do": "chip", "factory": 0},
                ],
            }
        ],
        "unfinished": True,
    }  # fmt: skip


def test_the_hand_made_game_holds() -> None:
    """All its counts are right, and it may stop after any of its decisions."""
    game = hand_made()
    assert first_wrong(game) is None
    last = game["rounds"][0]
    while last["moves"]:
        last["moves"].pop()
        assert first_wrong(game) is None
    del last["moves"]
    while game["opening"]:
        game["opening"].pop()
        assert first_wrong(game) is None
    game["rounds"] = []
    assert first_wrong(game) is None


def _move(number: int, **fields: Any) -> Callable[[Record], None]:
    return lambda game: game["rounds"][0]["moves"][number].update(fields)


def _round(**fields: Any) -> Callable[[Record], None]:
    return lambda game: game["rounds"][0].update(fields)


def _game(**fields: Any) -> Callable[[Record], None]:
    return lambda game: game.update(fields)


def _without(name: str) -> Callable[[Record], None]:
    return lambda game: game.pop(name)


ONE = "rounds[0].moves"
WRONG: list[tuple[Callable[[Record], None], str]] = [
    (_game(players=2.0), "players"),
    (_game(goals=["rows", "perimeter"]), "goals"),
    (_game(goals=["rows", "five_colors", "columns"]), "goals"),
    (_game(goals=["rows", "perimeter", ["corners"]]), "goals"),
    (_game(plates=[*range(17), 16]), "plates"),
    (_game(plates=[0, True, *range(2, 18)]), "plates"),
    (_game(plates=[0, 1, 2, 4, 3, *range(5, 18)]), "opening[1]"),
    (_game(plates=[0, 1, 2, 3, 5, 4, *range(6, 18)]), f"{ONE}[4]"),
    (_round(starter=1), "opening[0]"),
    (_round(starter=False), "rounds[0].starter"),
    (_round(redraws=["red", "white"]), "rounds[0].redraws"),
    (_round(large=["blue"] * 5), "rounds[0].large"),
    (_round(large=["blue"] * 4), "rounds[0].large"),
    (_round(small=[["blue"] * 4] * 3), "rounds[0].small"),
    (_round(small=[["blue"] * 4] * 4), "rounds[0].small"),
    (_round(small=[["blue"] * 4, "blue", [], []]), "rounds[0].small"),
    (_round(chips=["blue", "blue", "blue", "red"]), "rounds[0].chips"),
    (_round(chips=["blue", "red+blue", "red", "black"]), "rounds[0].chips"),
    (lambda game: game["opening"].pop(), "opening[1]"),
    (lambda game: game["opening"].append({}), "opening[2]"),
    (lambda game: game["opening"][1].update(slot=9), "opening[1]"),
    (lambda game: game["opening"][1].update(legal_count=96), "opening[1]"),
    (_move(0, stack=["yellow", "yellow"]), f"{ONE}[0]"),
    (_move(0, stack=["yellow"]), f"{ONE}[0]"),
    (_move(0, line=True), f"{ONE}[0]"),
    (_move(1, player=0), f"{ONE}[1]"),
    (_move(1, stack=["blue"]), f"{ONE}[1]"),
    (_move(2, do="pass"), f"{ONE}[2]"),
    (_move(3, do="stop"), f"{ONE}[4]"),
    (_move(4, drawn=[6, 5]), f"{ONE}[4]"),
    (_move(4, drawn=None), f"{ONE}[4]"),
    (_move(5, returned=[]), f"{ONE}[5]"),
    (_move(5, returned=None), f"{ONE}[5]"),
    (_move(5, returned=[[5]]), f"{ONE}[5]"),
    (_move(5, slot=0), f"{ONE}[5]"),
    (_move(5, plate=7), f"{ONE}[5]"),
    (_move(6, stack=["yellow"]), f"{ONE}[6]"),
    (_move(7, legal_count=261.0), f"{ONE}[7]"),
    (_move(7, color="turquoise"), f"{ONE}[7]"),
    (_move(8, factory=1), f"{ONE}[8]"),
    (_round(tiling=[{}]), f"{ONE}[9]"),
    (_round(scores_after=[0, 0]), f"{ONE}[9]"),
    (_game(goal_points=None), "goal_points"),
    (_game(winners=[0]), "winners"),
    (_game(rounds=[]), "rounds[0]"),
]


@pytest.mark.parametrize(("change", "place"), WRONG, ids=range(len(WRONG)))
def test_a_finding_is_reported_at_its_place(change: Callable[[Record], None], place: str) -> None:
    """One thing is changed, and named though the record is in good format."""
    game = hand_made()
    change(game)
    wrong = first_wrong(game)
    assert wrong is not None
    assert wrong[0] == place
    assert is_format_error(game) is None


FORMAT: list[tuple[Callable[[Record], None], str]] = [
    (_game(format="azul-game/2"), "format"),
    (_game(ruleset="duell"), "ruleset"),
    (_game(ruleset=["duel"]), "ruleset"),
    (_game(ruleset="azul"), "rounds[0].factories"),
    (_game(goals={}), "goals"),
    (_without("plates"), "plates"),
    (_without("opening"), "opening"),
    (_game(rounds=None), "rounds"),
    (_game(rounds=[[]]), "rounds[0]"),
    (_round(redraws="red"), "rounds[0].redraws"),
    (_round(large=None), "rounds[0].large"),
    (_round(small={}), "rounds[0].small"),
    (lambda game: game["rounds"][0].pop("chips"), "rounds[0].chips"),
    (_round(moves=None), "rounds[0].moves"),
    (_round(tiling=0), "rounds[0].tiling"),
    (_round(scores_after={}), "rounds[0].scores_after"),
    (_game(unfinished=False), "rounds[0].tiling"),
]


@pytest.mark.parametrize(("change", "place"), FORMAT, ids=range(len(FORMAT)))
def test_a_broken_container_is_a_problem_of_format(
    change: Callable[[Record], None], place: str
) -> None:
    """It comes before everything else, also before a wrong move."""
    game = hand_made()
    _move(0, line=9)(game)
    change(game)
    assert is_format_error(game) == place
    assert first_wrong(game) == (place, "format")


ACCEPTED: list[Callable[[Record], None]] = [
    _round(tiling=[]),
    _round(large=["red", "blue", "black", "yellow", "blue"]),
    _round(redraws=[]),
    _round(redraws=["red", "red", "black"]),
    _game(goals=["corners", "rows", "perimeter"]),
    _game(note={}, special=0, complete_rows=[0, 0]),
    _move(0, note=[], plate="none", legal=[]),
    _move(1, stack=[]),
    # Then yellow comes from the large factory alone, and black takes its place in the counts.
    _move(0, stack=["yellow", "black"]),
    lambda game: game["rounds"][0]["moves"][4].pop("drawn"),
    lambda game: game["rounds"][0]["moves"][4].pop("legal_count"),
]


@pytest.mark.parametrize("change", ACCEPTED, ids=range(len(ACCEPTED)))
def test_what_has_no_meaning_is_accepted(change: Callable[[Record], None]) -> None:
    """Orders without meaning, optional claims, empty lists and unknown fields."""
    game = hand_made()
    change(game)
    assert first_wrong(game) is None


@pytest.mark.parametrize("policy", POLICIES)
def test_games_of_the_oracle_hold(policy: str) -> None:
    """Whole games, bare ones, and ones that stop anywhere."""
    rng = random.Random(f"duel {policy}")
    for _ in range(3):
        game = random_game(rng, policy)
        assert first_wrong(game) is None
        assert first_wrong(without_claims(game)) is None
        for _ in range(3):
            assert first_wrong(unfinished_prefix(game, rng)) is None


# LAST and NEXT stand for the last index of a list in the undamaged game and the one after it.
ENDS: list[tuple[Callable[[Record], None], str]] = [
    (lambda game: game["rounds"].append(copy.deepcopy(game["rounds"][0])), "rounds[5]"),
    (lambda game: game["rounds"].pop(), "rounds[4]"),
    (lambda game: game["rounds"][2]["scores_after"].reverse(), "rounds[2].scores_after"),
    (lambda game: game["rounds"][2]["moves"].pop(), "rounds[2].moves[LAST]"),
    (lambda game: game["rounds"][2]["moves"].append({}), "rounds[2].moves[NEXT]"),
    (lambda game: game["rounds"][2]["tiling"].pop(), "rounds[2].tiling[LAST]"),
    (lambda game: game["rounds"][2]["tiling"].append({}), "rounds[2].tiling[NEXT]"),
    (_game(unfinished=True), "unfinished"),
    (_game(unfinished=1), "unfinished"),
    (_game(goal_points={}), "goal_points"),
    (lambda game: game["goal_points"].update({game["goals"][0]: [99, 99]}), "goal_points"),
    (lambda game: game["goal_points"].update({"rows": 0, "five_colors": 0}), "goal_points"),
    (_game(final_scores=[0, 0]), "final_scores"),
    (_game(winners=[]), "winners"),
    (_game(winners=[0, 1]), "winners"),
    (_game(winners=[False]), "winners"),
]


@pytest.mark.parametrize(("change", "place"), ENDS, ids=range(len(ENDS)))
def test_ends_are_checked(change: Callable[[Record], None], place: str) -> None:
    """A whole game with something wrong at the end of a list, a round or the game."""
    game = random_game(random.Random("over"), "builder")
    length = len(game["rounds"][2]["moves" if "moves" in place else "tiling"])
    change(game)
    wrong = first_wrong(game)
    assert wrong is not None
    assert wrong[0] == place.replace("LAST", str(length - 1)).replace("NEXT", str(length))


def test_damages_are_judged_without_trouble() -> None:
    """Most are found, none breaks the checker, and a harmless one is no finding."""
    rng = random.Random("damages")
    found = 0
    for policy in POLICIES:
        game = random_game(rng, policy)
        for form in (game, without_claims(game), unfinished_prefix(game, rng)):
            for _ in range(15):
                damaged, name = damage(form, rng)
                assert name in KINDS
                found += first_wrong(damaged) is not None
    assert found > 0.8 * len(POLICIES) * 3 * 15


def test_the_games_meet_rare_cases() -> None:
    """Steered deals and odd policies lead where plain play seldom does."""
    rng = random.Random("rare")
    cases: Counter[str] = Counter()
    for policy in POLICIES:
        for _ in range(3):
            cases += seen(random_game(rng, policy, steered=1.0))
    wanted = {
        "redraw", "small factory of one color", "free draw", "four or more plates drawn",
        "returned plate drawn again", "tower poured within a factory", "pass",
        "more chips than the cheapest set", "full line breaks", "incomplete line breaks",
        "full line waits for a plate", "line left though chips could complete it",
        "special tile", "penalty stops at 0", "broken area overflows",
    }  # fmt: skip
    assert wanted <= set(cases)
