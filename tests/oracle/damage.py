"""Damages records: each call changes one thing, which is mostly but not always wrong afterwards.

A damage is a function that changes the record it is given, or answers False where the record has
nothing of the kind to damage. The checker, not this module, says what is wrong with the result.
"""

from __future__ import annotations

import copy
import random
from collections.abc import Callable
from typing import Any

from .board import COLORS
from .damage_decisions import KINDS, Record, exchange, kind, odd_value, one_entry, spoil_list
from .engine import RULESETS, SPECIALS

RESULTS = ("final_scores", "complete_rows", "winners")


def damage(game: Record, rng: random.Random) -> tuple[Record, str]:
    """Return a damaged copy of the record and the name of the damage."""
    for name in rng.sample(sorted(KINDS), len(KINDS)):
        damaged = copy.deepcopy(game)
        if KINDS[name](damaged, rng):
            return damaged, name
    raise ValueError("The record has nothing that could be damaged.")


def _round(game: Record, rng: random.Random) -> Record:
    """Choose a round; an empty record stands in where there is none."""
    rounds = game["rounds"]
    return rng.choice(rounds) if rounds else {}


def _set_odd(record: Record, name: str, rng: random.Random) -> bool:
    if not record:
        return False
    record[name] = odd_value(rng)
    return True


def _remove(record: Record, name: str) -> bool:
    if name not in record:
        return False
    del record[name]
    return True


def _nudge(numbers: list[Any], rng: random.Random) -> bool:
    """Change one number of a list a little."""
    if not numbers:
        return False
    numbers[rng.randrange(len(numbers))] += rng.choice((-2, -1, 1, 2, 10))
    return True


def _enter_plain_damages() -> None:
    """Enter the damages that set or remove one field somewhere."""
    places: dict[str, tuple[Callable[[Record, random.Random], Record], list[str]]] = {
        "game": (
            lambda game, rng: game,
            ["format", "ruleset", "players", "special", "rounds", "unfinished", *RESULTS],
        ),
        "round": (_round, ["starter", "factories", "extra", "moves", "tiling", "scores_after"]),
        "move": (
            lambda game, rng: one_entry(game, rng, "moves"),
            ["player", "source", "color", "line", "left", "right", "legal_count", "legal"],
        ),
        "tiling": (
            lambda game, rng: one_entry(game, rng, "tiling"),
            ["player", "row", "column"],
        ),
    }
    for place, (choose, names) in places.items():
        for name in names:

            def set_odd(game: Record, rng: random.Random, c: Any = choose, n: str = name) -> bool:
                return _set_odd(c(game, rng), n, rng)

            def remove(game: Record, rng: random.Random, c: Any = choose, n: str = name) -> bool:
                return _remove(c(game, rng), n)

            KINDS[f"{place}: odd {name}"] = set_odd
            KINDS[f"{place}: {name} removed"] = remove


_enter_plain_damages()


# The game.


@kind("game: another ruleset")
def _(game: Record, rng: random.Random) -> bool:
    game["ruleset"] = rng.choice([name for name in RULESETS if name != game["ruleset"]])
    return True


@kind("game: another number of players")
def _(game: Record, rng: random.Random) -> bool:
    game["players"] = rng.choice([n for n in (1, 2, 3, 4, 5) if n != game["players"]])
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


@kind("game: result given though unfinished")
def _(game: Record, rng: random.Random) -> bool:
    if not game.get("unfinished"):
        return False
    game[rng.choice(RESULTS)] = rng.choice([None, [], [0] * game["players"]])
    return True


@kind("game: wrong number among the results")
def _(game: Record, rng: random.Random) -> bool:
    return _nudge(game.get(rng.choice(RESULTS), []), rng)


@kind("game: result list spoiled")
def _(game: Record, rng: random.Random) -> bool:
    return spoil_list(game.get(rng.choice(RESULTS)), rng)


@kind("game: another winner")
def _(game: Record, rng: random.Random) -> bool:
    if "winners" not in game:
        return False
    game["winners"] = rng.sample(range(game["players"]), rng.randint(0, game["players"]))
    return True


@kind("special: another kind")
def _(game: Record, rng: random.Random) -> bool:
    if not game.get("special"):
        return False
    game["special"][rng.randrange(len(game["special"]))] = rng.choice([None, *SPECIALS])
    return True


@kind("special: two places exchanged")
def _(game: Record, rng: random.Random) -> bool:
    return bool(game.get("special")) and exchange(game["special"], rng)


@kind("special: list spoiled")
def _(game: Record, rng: random.Random) -> bool:
    return spoil_list(game.get("special"), rng)


@kind("rounds: one removed")
def _(game: Record, rng: random.Random) -> bool:
    if not game["rounds"]:
        return False
    del game["rounds"][rng.randrange(len(game["rounds"]))]
    return True


@kind("rounds: last one removed")
def _(game: Record, rng: random.Random) -> bool:
    return bool(game["rounds"]) and game["rounds"].pop() is not None


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


# A round.


@kind("round: another starter")
def _(game: Record, rng: random.Random) -> bool:
    record = _round(game, rng)
    if not record:
        return False
    record["starter"] = rng.randrange(-1, game["players"] + 1)
    return True


@kind("round: another extra tile")
def _(game: Record, rng: random.Random) -> bool:
    record = _round(game, rng)
    if not record:
        return False
    record["extra"] = rng.choice([None, *COLORS])
    return True


@kind("factories: tiles of two exchanged")
def _(game: Record, rng: random.Random) -> bool:
    full = [tiles for tiles in _round(game, rng).get("factories", []) if tiles]
    if len(full) < 2:
        return False
    one, other = rng.sample(full, 2)
    one[0], other[0] = other[0], one[0]
    return True


@kind("factories: two exchanged")
def _(game: Record, rng: random.Random) -> bool:
    return exchange(_round(game, rng).get("factories", []), rng)


@kind("factories: order within one")
def _(game: Record, rng: random.Random) -> bool:
    factories = _round(game, rng).get("factories", [])
    return bool(factories) and exchange(rng.choice(factories), rng)


@kind("factories: tile of another color")
def _(game: Record, rng: random.Random) -> bool:
    full = [tiles for tiles in _round(game, rng).get("factories", []) if tiles]
    if not full:
        return False
    tiles = rng.choice(full)
    tiles[rng.randrange(len(tiles))] = rng.choice(COLORS)
    return True


@kind("factories: tile removed")
def _(game: Record, rng: random.Random) -> bool:
    full = [tiles for tiles in _round(game, rng).get("factories", []) if tiles]
    return bool(full) and rng.choice(full).pop() is not None


@kind("factories: tile added")
def _(game: Record, rng: random.Random) -> bool:
    factories = _round(game, rng).get("factories", [])
    if not factories:
        return False
    rng.choice(factories).append(rng.choice(COLORS))
    return True


@kind("factories: tile moved to another")
def _(game: Record, rng: random.Random) -> bool:
    factories = _round(game, rng).get("factories", [])
    full = [tiles for tiles in factories if tiles]
    if not full:
        return False
    rng.choice(factories).append(rng.choice(full).pop())
    return True


@kind("factories: one color everywhere")
def _(game: Record, rng: random.Random) -> bool:
    factories = _round(game, rng).get("factories", [])
    color = rng.choice(COLORS)
    for tiles in factories:
        tiles[:] = [color] * len(tiles)
    return bool(factories)


@kind("factories: odd tile")
def _(game: Record, rng: random.Random) -> bool:
    full = [tiles for tiles in _round(game, rng).get("factories", []) if tiles]
    return bool(full) and spoil_list(rng.choice(full), rng)


@kind("factories: list spoiled")
def _(game: Record, rng: random.Random) -> bool:
    return spoil_list(_round(game, rng).get("factories"), rng)


@kind("scores_after: wrong score")
def _(game: Record, rng: random.Random) -> bool:
    return _nudge(_round(game, rng).get("scores_after", []), rng)


@kind("scores_after: list spoiled")
def _(game: Record, rng: random.Random) -> bool:
    return spoil_list(_round(game, rng).get("scores_after"), rng)
