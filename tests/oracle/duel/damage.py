"""Damages records of Duel: each call changes one thing, which is mostly but not always wrong then.

A damage is a function that changes the record it is given, or answers False where the record has
nothing of the kind to damage. The checker, not this module, says what is wrong with the result.
"""

from __future__ import annotations

import copy
import random
from collections.abc import Callable
from typing import Any

from tests.oracle.damage_decisions import Record, delete_one, exchange, spoil_list
from tests.oracle.engine import RULESETS

from . import damage_deal, damage_moves, damage_tiling  # noqa: F401  they enter their damages
from .components import GOALS, other_side
from .damage_tools import (
    DECISIONS,
    KINDS,
    kind,
    nudge,
    odd_value,
    one_entry,
    one_round,
    remove,
    replace_one,
    retype,
    set_odd,
)

RESULTS = ("goal_points", "final_scores", "winners")
FIELDS = {
    "opening": ("player", "plate", "slot", "rotation", "legal_count"),
    "moves": (
        "player", "do", "plate", "slot", "rotation", "returned", "drawn", "factory", "color",
        "line", "stack", "legal_count",
    ),
    "tiling": ("player", "line", "column", "chips", "legal_count"),
}  # fmt: skip
DEAL = ("redraws", "large", "small", "chips")


def damage(game: Record, rng: random.Random) -> tuple[Record, str]:
    """Return a damaged copy of the record and the name of the damage."""
    for name in rng.sample(sorted(KINDS), len(KINDS)):
        damaged = copy.deepcopy(game)
        if KINDS[name](damaged, rng):
            return damaged, name
    raise ValueError("The record has nothing that could be damaged.")


def _enter_plain_damages() -> None:
    """Enter the damages that set or remove one field of the game, a round or a decision."""
    game_fields = ("format", "ruleset", "players", "goals", "plates", "opening", "rounds")
    round_fields = ("starter", *DEAL, "moves", "tiling", "scores_after")
    for name in (*game_fields, "unfinished", *RESULTS):
        _enter("game", name, lambda game, rng, field: game)
    for name in round_fields:
        _enter("round", name, lambda game, rng, field: one_round(game, rng))
    for place in DECISIONS:
        for name in FIELDS[place]:

            def choose(game: Record, rng: random.Random, field: str, place: str = place) -> Record:
                # Now and then a field where it does not belong.
                fields = () if rng.random() < 0.1 else (field,)
                return one_entry(game, rng, place, *fields)

            _enter(place, name, choose)
            if name in ("player", "plate", "slot", "rotation", "factory", "line", "legal_count"):
                _enter_retype(place, name, choose)


Choose = Callable[[Record, random.Random, str], Record]


def _enter(place: str, name: str, choose: Choose) -> None:
    KINDS[f"{place}: odd {name}"] = lambda game, rng: set_odd(choose(game, rng, name), name, rng)
    KINDS[f"{place}: {name} removed"] = lambda game, rng: remove(choose(game, rng, name), name)


def _enter_retype(place: str, name: str, choose: Choose) -> None:
    KINDS[f"{place}: {name} of another type"] = lambda game, rng: retype(
        choose(game, rng, name), name, rng
    )


_enter_plain_damages()


# The game.


@kind("game: another ruleset")
def _(game: Record, rng: random.Random) -> bool:
    game["ruleset"] = rng.choice([*RULESETS, "Duel", "duell", "azul-duel"])
    return True


@kind("game: another number of players")
def _(game: Record, rng: random.Random) -> bool:
    game["players"] = rng.choice((1, 3, 4, 2.0))
    return True


@kind("game: unfinished toggled")
def _(game: Record, rng: random.Random) -> bool:
    game["unfinished"] = not game.get("unfinished", False)
    return True


@kind("game: all results removed and unfinished set")
def _(game: Record, rng: random.Random) -> bool:
    for name in RESULTS:
        game.pop(name, None)
    game["unfinished"] = True
    return True


@kind("game: stops before its last scores")
def _(game: Record, rng: random.Random) -> bool:
    if not game["rounds"]:
        return False
    for name in RESULTS:
        game.pop(name, None)
    game["rounds"][-1].pop("scores_after", None)
    game["unfinished"] = True
    return True


@kind("game: result given though unfinished")
def _(game: Record, rng: random.Random) -> bool:
    if not game.get("unfinished"):
        return False
    game[rng.choice([*RESULTS, "complete_rows"])] = rng.choice([None, [], [0, 0], {}])
    return True


@kind("game: unknown fields added")
def _(game: Record, rng: random.Random) -> bool:
    targets = [game, one_round(game, rng), *(one_entry(game, rng, name) for name in DECISIONS)]
    for target in targets:
        if target:
            target[rng.choice(("note", "special", "factories", "extra", "legal", "row"))] = (
                odd_value(rng)
            )
    return True


@kind("goals: a token turned over")
def _(game: Record, rng: random.Random) -> bool:
    if not game["goals"]:
        return False
    index = rng.randrange(len(game["goals"]))
    game["goals"][index] = other_side(game["goals"][index])
    return True


@kind("goals: another goal")
def _(game: Record, rng: random.Random) -> bool:
    return replace_one(game["goals"], rng, GOALS)


@kind("goals: one added")
def _(game: Record, rng: random.Random) -> bool:
    game["goals"].append(rng.choice(GOALS))
    return True


@kind("goals: one left out")
def _(game: Record, rng: random.Random) -> bool:
    return delete_one(game["goals"], rng)


@kind("goals: two exchanged")
def _(game: Record, rng: random.Random) -> bool:
    return exchange(game["goals"], rng)


@kind("goals: list spoiled")
def _(game: Record, rng: random.Random) -> bool:
    return spoil_list(game["goals"], rng)


@kind("plates: two exchanged")
def _(game: Record, rng: random.Random) -> bool:
    return exchange(game["plates"], rng)


@kind("plates: neighbors exchanged")
def _(game: Record, rng: random.Random) -> bool:
    plates = game["plates"]
    if len(plates) < 2:
        return False
    index = rng.randrange(len(plates) - 1)
    plates[index], plates[index + 1] = plates[index + 1], plates[index]
    return True


@kind("plates: another id")
def _(game: Record, rng: random.Random) -> bool:
    return replace_one(game["plates"], rng, (*range(-1, 19), 3.0, True))


@kind("plates: one left out")
def _(game: Record, rng: random.Random) -> bool:
    return delete_one(game["plates"], rng)


@kind("plates: list spoiled")
def _(game: Record, rng: random.Random) -> bool:
    return spoil_list(game["plates"], rng)


@kind("rounds: one removed")
def _(game: Record, rng: random.Random) -> bool:
    return delete_one(game["rounds"], rng)


@kind("rounds: last one removed")
def _(game: Record, rng: random.Random) -> bool:
    return bool(game["rounds"]) and game["rounds"].pop() is not None


@kind("rounds: all removed")
def _(game: Record, rng: random.Random) -> bool:
    game["rounds"] = []
    return True


@kind("rounds: one repeated at the end")
def _(game: Record, rng: random.Random) -> bool:
    if not game["rounds"]:
        return False
    game["rounds"].append(copy.deepcopy(rng.choice(game["rounds"])))
    return True


@kind("rounds: two exchanged")
def _(game: Record, rng: random.Random) -> bool:
    return exchange(game["rounds"], rng)


@kind("rounds: odd round")
def _(game: Record, rng: random.Random) -> bool:
    game["rounds"].insert(rng.randint(0, len(game["rounds"])), odd_value(rng))
    return True


@kind("round: another starter")
def _(game: Record, rng: random.Random) -> bool:
    record = one_round(game, rng)
    if not record:
        return False
    record["starter"] = rng.choice((1 - record["starter"], -1, 2))
    return True


@kind("round: lists after the moves removed")
def _(game: Record, rng: random.Random) -> bool:
    record = one_round(game, rng)
    if not record:
        return False
    for name in ("tiling", "scores_after"):
        record.pop(name, None)
    return True


# Scores and results.


@kind("scores_after: wrong score")
def _(game: Record, rng: random.Random) -> bool:
    return nudge(one_round(game, rng).get("scores_after"), rng)


@kind("scores_after: list spoiled")
def _(game: Record, rng: random.Random) -> bool:
    return spoil_list(one_round(game, rng).get("scores_after"), rng)


@kind("final_scores: wrong score")
def _(game: Record, rng: random.Random) -> bool:
    return nudge(game.get("final_scores"), rng)


@kind("final_scores: list spoiled")
def _(game: Record, rng: random.Random) -> bool:
    return spoil_list(game.get("final_scores"), rng)


def _goal_points(game: Record, rng: random.Random) -> list[Any]:
    """Choose the points for one goal; an empty list stands in for none."""
    points = game.get("goal_points", {})
    return points[rng.choice(sorted(points))] if points else []


@kind("goal_points: wrong points")
def _(game: Record, rng: random.Random) -> bool:
    return nudge(_goal_points(game, rng), rng)


@kind("goal_points: players exchanged")
def _(game: Record, rng: random.Random) -> bool:
    return exchange(_goal_points(game, rng), rng)


@kind("goal_points: list spoiled")
def _(game: Record, rng: random.Random) -> bool:
    return spoil_list(_goal_points(game, rng), rng)


@kind("goal_points: odd entry")
def _(game: Record, rng: random.Random) -> bool:
    points = game.get("goal_points", {})
    return bool(points) and set_odd(points, rng.choice(sorted(points)), rng)


@kind("goal_points: entry removed")
def _(game: Record, rng: random.Random) -> bool:
    points = game.get("goal_points", {})
    return bool(points) and remove(points, rng.choice(sorted(points)))


@kind("goal_points: a goal out of play added")
def _(game: Record, rng: random.Random) -> bool:
    if not game.get("goal_points"):
        return False
    game["goal_points"][rng.choice([g for g in GOALS if g not in game["goals"]])] = [0, 0]
    return True


@kind("goal_points: two goals exchanged")
def _(game: Record, rng: random.Random) -> bool:
    points = game.get("goal_points")
    if not points:
        return False
    one, other = rng.sample(sorted(points), 2)
    points[one], points[other] = points[other], points[one]
    return True


@kind("winners: others")
def _(game: Record, rng: random.Random) -> bool:
    if "winners" not in game:
        return False
    game["winners"] = rng.choice(([0], [1], [], [0, 1], [1, 0], [2], [True], [1.0]))
    return True
