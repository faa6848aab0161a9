"""Damages to single decisions, moves and tiling entries, and the tools all damages share."""

from __future__ import annotations

import copy
import random
from collections.abc import Callable
from typing import Any

from .board import COLORS

Record = dict[str, Any]
Damage = Callable[[Record, random.Random], bool]

KINDS: dict[str, Damage] = {}
# Values of every JSON type, among them those that Python takes for integers or equals to them.
ODD_VALUES: tuple[Any, ...] = (
    None, True, False, -1, 0, 1, 2, 4, 5, 7, 9, 99, 2**70, 0.0, 1.0, 2.5, "", "0", "1", "blue",
    "green", "Blue", "floor", "center", [], [0], ["blue"], [[]], {}, {"player": 0},
)  # fmt: skip


def kind(name: str) -> Callable[[Damage], Damage]:
    """Enter the decorated damage under its name."""

    def enter(function: Damage) -> Damage:
        KINDS[name] = function
        return function

    return enter


def odd_value(rng: random.Random) -> Any:
    """Choose a value that is seldom right."""
    return copy.deepcopy(rng.choice(ODD_VALUES))


def one_entry(game: Record, rng: random.Random, name: str) -> Record:
    """Choose a move or a tiling entry of any round; an empty record stands in for none."""
    entries = [entry for record in game["rounds"] for entry in record.get(name, [])]
    return rng.choice(entries) if entries else {}


def entry_list(game: Record, rng: random.Random, name: str, at_least: int) -> list[Any]:
    """Choose a whole list of moves or tiling entries; an empty list stands in for none."""
    lists = [record[name] for record in game["rounds"] if len(record.get(name, [])) >= at_least]
    return rng.choice(lists) if lists else []


def set_field(record: Record, name: str, value: Any) -> bool:
    """Set a field of an entry, if there is one."""
    if not record:
        return False
    record[name] = value
    return True


def delete_one(values: list[Any], rng: random.Random) -> bool:
    """Delete one element."""
    if not values:
        return False
    del values[rng.randrange(len(values))]
    return True


def repeat_one(values: list[Any], rng: random.Random) -> bool:
    """Put a copy of one element beside it."""
    if not values:
        return False
    index = rng.randrange(len(values))
    values.insert(index, copy.deepcopy(values[index]))
    return True


def odd_entry(values: list[Any], rng: random.Random) -> bool:
    """Replace one element by an odd value."""
    if not values:
        return False
    values[rng.randrange(len(values))] = odd_value(rng)
    return True


def spoil_list(values: Any, rng: random.Random) -> bool:
    """Change the length, the order or a type in a list of claims."""
    if not values:
        return False
    index = rng.randrange(len(values))
    if (way := rng.randrange(5)) == 0:
        del values[index]
    elif way == 1:
        values.insert(index, odd_value(rng))
    elif way == 2:
        values[index] = odd_value(rng)
    elif way == 3:
        values.append(copy.deepcopy(values[index]))
    else:
        values.reverse()
    return True


def exchange(values: list[Any], rng: random.Random) -> bool:
    """Exchange two elements."""
    if len(values) < 2:
        return False
    one, other = rng.sample(range(len(values)), 2)
    values[one], values[other] = values[other], values[one]
    return True


# Moves.


@kind("move: removed")
def _(game: Record, rng: random.Random) -> bool:
    return delete_one(entry_list(game, rng, "moves", 1), rng)


@kind("move: last one removed")
def _(game: Record, rng: random.Random) -> bool:
    moves = entry_list(game, rng, "moves", 1)
    return bool(moves) and moves.pop() is not None


@kind("move: all from some point on removed")
def _(game: Record, rng: random.Random) -> bool:
    moves = entry_list(game, rng, "moves", 1)
    if not moves:
        return False
    del moves[rng.randrange(len(moves)) :]
    return True


@kind("move: repeated")
def _(game: Record, rng: random.Random) -> bool:
    return repeat_one(entry_list(game, rng, "moves", 1), rng)


@kind("move: two exchanged")
def _(game: Record, rng: random.Random) -> bool:
    return exchange(entry_list(game, rng, "moves", 2), rng)


@kind("move: one appended")
def _(game: Record, rng: random.Random) -> bool:
    moves = entry_list(game, rng, "moves", 1)
    if not moves:
        return False
    moves.append(copy.deepcopy(rng.choice(moves)))
    return True


@kind("move: odd entry")
def _(game: Record, rng: random.Random) -> bool:
    return odd_entry(entry_list(game, rng, "moves", 1), rng)


@kind("move: another player")
def _(game: Record, rng: random.Random) -> bool:
    player = rng.randrange(-1, game["players"] + 1)
    return set_field(one_entry(game, rng, "moves"), "player", player)


@kind("move: another source")
def _(game: Record, rng: random.Random) -> bool:
    sources = ["center", *range(-1, 2 * game["players"] + 2)]
    return set_field(one_entry(game, rng, "moves"), "source", rng.choice(sources))


@kind("move: another color")
def _(game: Record, rng: random.Random) -> bool:
    return set_field(one_entry(game, rng, "moves"), "color", rng.choice(COLORS))


@kind("move: another line")
def _(game: Record, rng: random.Random) -> bool:
    return set_field(one_entry(game, rng, "moves"), "line", rng.choice(["floor", *range(-1, 6)]))


@kind("move: wrong legal_count")
def _(game: Record, rng: random.Random) -> bool:
    move = one_entry(game, rng, "moves")
    if "legal_count" not in move:
        return False
    move["legal_count"] += rng.choice((-1, 1, 2, 10))
    return True


@kind("move: legal_count as a float")
def _(game: Record, rng: random.Random) -> bool:
    move = one_entry(game, rng, "moves")
    return "legal_count" in move and set_field(move, "legal_count", float(move["legal_count"]))


@kind("move: legal list spoiled")
def _(game: Record, rng: random.Random) -> bool:
    return spoil_list(one_entry(game, rng, "moves").get("legal"), rng)


@kind("move: two of the legal list exchanged")
def _(game: Record, rng: random.Random) -> bool:
    return exchange(one_entry(game, rng, "moves").get("legal", []), rng)


@kind("move: an entry of the legal list spoiled")
def _(game: Record, rng: random.Random) -> bool:
    legal = one_entry(game, rng, "moves").get("legal", [])
    return bool(legal) and spoil_list(rng.choice(legal), rng)


# The division of a spread take.


def _divided(game: Record, rng: random.Random) -> Record:
    """Choose a move that sends tiles left or right; an empty record stands in for none."""
    moves = [move for record in game["rounds"] for move in record.get("moves", [])]
    divided = [move for move in moves if move.get("left") or move.get("right")]
    return rng.choice(divided) if divided else {}


@kind("division: sides exchanged")
def _(game: Record, rng: random.Random) -> bool:
    move = _divided(game, rng)
    if not move:
        return False
    move["left"], move["right"] = move.get("right", []), move.get("left", [])
    return True


@kind("division: color moved to the other side")
def _(game: Record, rng: random.Random) -> bool:
    return _resettle(_divided(game, rng), rng, keep=False)


@kind("division: color on both sides")
def _(game: Record, rng: random.Random) -> bool:
    return _resettle(_divided(game, rng), rng, keep=True)


@kind("division: color twice on a side")
def _(game: Record, rng: random.Random) -> bool:
    side = _full_side(_divided(game, rng), rng)
    return bool(side) and repeat_one(side, rng)


@kind("division: color left out")
def _(game: Record, rng: random.Random) -> bool:
    return delete_one(_full_side(_divided(game, rng), rng), rng)


@kind("division: side spoiled")
def _(game: Record, rng: random.Random) -> bool:
    return spoil_list(_full_side(_divided(game, rng), rng), rng)


@kind("division: order within the sides")
def _(game: Record, rng: random.Random) -> bool:
    return exchange(_full_side(_divided(game, rng), rng), rng)


@kind("division: given where there is none")
def _(game: Record, rng: random.Random) -> bool:
    side = rng.choice(("left", "right"))
    return set_field(one_entry(game, rng, "moves"), side, [rng.choice(COLORS)])


def _full_side(move: Record, rng: random.Random) -> list[Any]:
    sides = [move[name] for name in ("left", "right") if move.get(name)]
    return rng.choice(sides) if sides else []


def _resettle(move: Record, rng: random.Random, keep: bool) -> bool:
    if not move:
        return False
    name = rng.choice([name for name in ("left", "right") if move.get(name)])
    color = rng.choice(move[name])
    if not keep:
        move[name].remove(color)
    move.setdefault("right" if name == "left" else "left", []).append(color)
    return True


# Tiling.


@kind("tiling: another player")
def _(game: Record, rng: random.Random) -> bool:
    player = rng.randrange(-1, game["players"] + 1)
    return set_field(one_entry(game, rng, "tiling"), "player", player)


@kind("tiling: another row")
def _(game: Record, rng: random.Random) -> bool:
    return set_field(one_entry(game, rng, "tiling"), "row", rng.randrange(-1, 6))


@kind("tiling: another column")
def _(game: Record, rng: random.Random) -> bool:
    return set_field(one_entry(game, rng, "tiling"), "column", rng.randrange(-1, 6))


@kind("tiling: floor for a column")
def _(game: Record, rng: random.Random) -> bool:
    return set_field(one_entry(game, rng, "tiling"), "column", "floor")


@kind("tiling: column for the floor")
def _(game: Record, rng: random.Random) -> bool:
    entries = [entry for record in game["rounds"] for entry in record.get("tiling", [])]
    evicted = [entry for entry in entries if entry["column"] == "floor"]
    return bool(evicted) and set_field(rng.choice(evicted), "column", rng.randrange(5))


@kind("tiling: removed")
def _(game: Record, rng: random.Random) -> bool:
    return delete_one(entry_list(game, rng, "tiling", 1), rng)


@kind("tiling: repeated")
def _(game: Record, rng: random.Random) -> bool:
    return repeat_one(entry_list(game, rng, "tiling", 1), rng)


@kind("tiling: two exchanged")
def _(game: Record, rng: random.Random) -> bool:
    return exchange(entry_list(game, rng, "tiling", 2), rng)


@kind("tiling: one appended")
def _(game: Record, rng: random.Random) -> bool:
    lists = [record["tiling"] for record in game["rounds"] if "tiling" in record]
    if not lists:
        return False
    player, row, column = rng.randrange(game["players"]), rng.randrange(5), rng.randrange(5)
    rng.choice(lists).append({"player": player, "row": row, "column": column})
    return True


@kind("tiling: odd entry")
def _(game: Record, rng: random.Random) -> bool:
    return odd_entry(entry_list(game, rng, "tiling", 1), rng)
