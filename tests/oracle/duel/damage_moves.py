"""Damages to all decisions of Duel, and more to the turns of phase 1."""

from __future__ import annotations

import copy
import random
from typing import Any

from tests.oracle.damage_decisions import (
    Damage,
    Record,
    delete_one,
    exchange,
    odd_entry,
    repeat_one,
    set_field,
    spoil_list,
)

from .components import COLORS
from .damage_tools import DECISIONS, KINDS, add, entry_list, kind, one_entry, one_move, replace_one

LINES = ("broken", -1, 0, 1, 2, 3, 4, 5, 6)
DOS = ("plate", "draw", "stop", "keep", "sun", "moon", "chip", "pass", "floor")


# What can happen to any list of decisions.


def _cut(values: list[Any], rng: random.Random) -> bool:
    if not values:
        return False
    del values[rng.randrange(len(values)) :]
    return True


def _append(values: list[Any], rng: random.Random) -> bool:
    if not values:
        return False
    values.append(copy.deepcopy(rng.choice(values)))
    return True


def _exchange_neighbors(values: list[Any], rng: random.Random) -> bool:
    if len(values) < 2:
        return False
    index = rng.randrange(len(values) - 1)
    values[index], values[index + 1] = values[index + 1], values[index]
    return True


def _enter_list_damages() -> None:
    ways = {
        "one removed": delete_one,
        "last one removed": lambda values, rng: bool(values) and values.pop() is not None,
        "all from some point on removed": _cut,
        "one repeated": repeat_one,
        "two exchanged": exchange,
        "neighbors exchanged": _exchange_neighbors,
        "one appended": _append,
        "odd entry": odd_entry,
    }
    for place in DECISIONS:
        for name, way in ways.items():

            def spoil(game: Record, rng: random.Random, p: str = place, w: Any = way) -> bool:
                return bool(w(entry_list(game, rng, p), rng))

            KINDS[f"{place}: {name}"] = spoil


_enter_list_damages()


def _enter_field_damages() -> None:
    """Enter the damages that put another plausible value into one field of a decision."""
    plausible: dict[str, dict[str, tuple[Any, ...]]] = {
        "opening": {
            "player": (-1, 0, 1, 2),
            "plate": tuple(range(-1, 19)),
            "slot": tuple(range(-1, 10)),
            "rotation": tuple(range(-1, 5)),
        },
        "moves": {
            "player": (-1, 0, 1, 2),
            "do": DOS,
            "plate": tuple(range(-1, 19)),
            "slot": tuple(range(-1, 10)),
            "rotation": tuple(range(-1, 5)),
            "factory": ("large", -1, 0, 1, 2, 3, 4),
            "color": (*COLORS, "white"),
            "line": LINES,
        },
        "tiling": {
            "player": (-1, 0, 1, 2),
            "line": LINES,
            "column": ("leave", "broken", *range(-1, 7)),
        },
    }
    for place, fields in plausible.items():
        for name, values in fields.items():
            KINDS[f"{place}: another {name}"] = _another(place, name, values)
        KINDS[f"{place}: wrong legal_count"] = _wrong_count(place)


def _another(place: str, name: str, values: tuple[Any, ...]) -> Damage:
    def change(game: Record, rng: random.Random) -> bool:
        entry = one_entry(game, rng, place, name)
        others = [value for value in values if value != entry.get(name)]
        return set_field(entry, name, rng.choice(others))

    return change


def _wrong_count(place: str) -> Damage:
    def change(game: Record, rng: random.Random) -> bool:
        entry = one_entry(game, rng, place, "legal_count")
        if not entry:
            return False
        entry["legal_count"] += rng.choice((-4, -1, 1, 2, 10))
        return True

    return change


_enter_field_damages()


# Turns of phase 1.


@kind("turn: a pass written")
def _(game: Record, rng: random.Random) -> bool:
    moves = entry_list(game, rng, "moves")
    if not moves:
        return False
    entry = {"player": rng.randrange(2), "do": "pass"}
    moves.insert(rng.randint(0, len(moves)), entry)
    return True


@kind("turn: a pass at the end of phase 1")
def _(game: Record, rng: random.Random) -> bool:
    moves = entry_list(game, rng, "moves")
    if not moves:
        return False
    moves.append({"player": 1 - moves[-1]["player"], "do": "pass"})
    return True


@kind("turn: a pass left out")
def _(game: Record, rng: random.Random) -> bool:
    moves, index = one_move(game, rng, "pass")
    return index >= 0 and moves.pop(index) is not None


@kind("turn: a pass written again after the next move")
def _(game: Record, rng: random.Random) -> bool:
    moves, index = one_move(game, rng, "pass")
    if index < 0:
        return False
    moves.insert(min(index + 2, len(moves)), copy.deepcopy(moves[index]))
    return True


@kind("turn: a pass one turn late")
def _(game: Record, rng: random.Random) -> bool:
    moves, index = one_move(game, rng, "pass")
    if index < 0:
        return False
    moves.insert(index + 1, moves.pop(index))
    return True


@kind("turn: one more draw")
def _(game: Record, rng: random.Random) -> bool:
    moves, index = one_move(game, rng, "draw")
    if index < 0:
        return False
    moves.insert(index, copy.deepcopy(moves[index]))
    return True


@kind("turn: one draw less")
def _(game: Record, rng: random.Random) -> bool:
    moves, index = one_move(game, rng, "draw")
    return index >= 0 and moves.pop(index) is not None


@kind("turn: a stop left out")
def _(game: Record, rng: random.Random) -> bool:
    moves, index = one_move(game, rng, "stop")
    return index >= 0 and moves.pop(index) is not None


@kind("turn: a keep left out")
def _(game: Record, rng: random.Random) -> bool:
    moves, index = one_move(game, rng, "keep")
    return index >= 0 and moves.pop(index) is not None


@kind("turn: a whole stack turn left out")
def _(game: Record, rng: random.Random) -> bool:
    moves, last = one_move(game, rng, "keep")
    if last < 0:
        return False
    first = last - 1
    while first > 0 and moves[first - 1]["do"] == "draw":
        first -= 1
    del moves[first : last + 1]
    return True


@kind("turn: a display plate by way of the stack")
def _(game: Record, rng: random.Random) -> bool:
    moves, index = one_move(game, rng, "plate")
    if index < 0:
        return False
    player = moves[index]["player"]
    moves[index]["do"] = "keep"
    moves[index]["returned"] = []
    moves[index:index] = [{"player": player, "do": do} for do in ("draw", "stop")]
    return True


@kind("turn: keep written as plate")
def _(game: Record, rng: random.Random) -> bool:
    moves, last = one_move(game, rng, "keep")
    if last < 0:
        return False
    moves[last]["do"] = "plate"
    return True


@kind("turn: a move of the other player before it")
def _(game: Record, rng: random.Random) -> bool:
    moves = entry_list(game, rng, "moves")
    if not moves:
        return False
    index = rng.randrange(len(moves))
    copied = copy.deepcopy(moves[index])
    copied["player"] = 1 - copied["player"]
    moves.insert(index, copied)
    return True


# Lists within a move.


def _with_list(game: Record, rng: random.Random, name: str, at_least: int) -> list[Any]:
    """Choose such a list of a move with so many elements; an empty one stands in for none."""
    moves = [move for record in game["rounds"] for move in record.get("moves", [])]
    lists = [move[name] for move in moves if len(move.get(name, [])) >= at_least]
    return rng.choice(lists) if lists else []


@kind("stack: another order")
def _(game: Record, rng: random.Random) -> bool:
    return exchange(_with_list(game, rng, "stack", 2), rng)


@kind("stack: another tile")
def _(game: Record, rng: random.Random) -> bool:
    return replace_one(_with_list(game, rng, "stack", 1), rng, COLORS)


@kind("stack: spoiled")
def _(game: Record, rng: random.Random) -> bool:
    return spoil_list(_with_list(game, rng, "stack", 1), rng)


@kind("stack: given where none is left")
def _(game: Record, rng: random.Random) -> bool:
    moves, index = one_move(game, rng, "sun", "moon")
    if index < 0 or moves[index].get("stack"):
        return False
    moves[index]["stack"] = rng.choice(([], None, [rng.choice(COLORS)]))
    return True


@kind("drawn: another order")
def _(game: Record, rng: random.Random) -> bool:
    return exchange(_with_list(game, rng, "drawn", 2), rng)


@kind("drawn: another plate")
def _(game: Record, rng: random.Random) -> bool:
    return replace_one(_with_list(game, rng, "drawn", 1), rng, tuple(range(18)))


@kind("drawn: spoiled")
def _(game: Record, rng: random.Random) -> bool:
    return spoil_list(_with_list(game, rng, "drawn", 1), rng)


@kind("returned: another order")
def _(game: Record, rng: random.Random) -> bool:
    return exchange(_with_list(game, rng, "returned", 2), rng)


@kind("returned: another plate")
def _(game: Record, rng: random.Random) -> bool:
    return replace_one(_with_list(game, rng, "returned", 1), rng, tuple(range(18)))


@kind("returned: spoiled")
def _(game: Record, rng: random.Random) -> bool:
    return spoil_list(_with_list(game, rng, "returned", 1), rng)


@kind("returned: the kept plate among them")
def _(game: Record, rng: random.Random) -> bool:
    moves, index = one_move(game, rng, "keep")
    return index >= 0 and add(moves[index]["returned"], moves[index]["plate"])


@kind("returned: a returned plate kept")
def _(game: Record, rng: random.Random) -> bool:
    moves, index = one_move(game, rng, "keep")
    if index < 0 or not moves[index]["returned"]:
        return False
    keep = moves[index]
    other = rng.randrange(len(keep["returned"]))
    keep["plate"], keep["returned"][other] = keep["returned"][other], keep["plate"]
    return True
