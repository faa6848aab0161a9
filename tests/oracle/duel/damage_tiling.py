"""Damages to the tiling of Duel, above all to the chips spent there."""

from __future__ import annotations

import random

from tests.oracle.damage_decisions import (
    Record,
    delete_one,
    exchange,
    repeat_one,
    set_field,
    spoil_list,
)

from .components import FACES
from .damage_tools import add, entry_list, kind, one_entry, replace_one


def _spending(game: Record, rng: random.Random) -> Record:
    """Choose a tiling entry that spends chips; an empty record stands in for none."""
    entries = [entry for record in game["rounds"] for entry in record.get("tiling", [])]
    spending = [entry for entry in entries if entry.get("chips")]
    return rng.choice(spending) if spending else {}


@kind("chips spent: one less")
def _(game: Record, rng: random.Random) -> bool:
    return delete_one(_spending(game, rng).get("chips", []), rng)


@kind("chips spent: one twice")
def _(game: Record, rng: random.Random) -> bool:
    return repeat_one(_spending(game, rng).get("chips", []), rng)


@kind("chips spent: one more")
def _(game: Record, rng: random.Random) -> bool:
    entry = _spending(game, rng)
    return bool(entry) and add(entry["chips"], rng.choice(FACES))


@kind("chips spent: another face")
def _(game: Record, rng: random.Random) -> bool:
    return replace_one(_spending(game, rng).get("chips"), rng, FACES)


@kind("chips spent: another order")
def _(game: Record, rng: random.Random) -> bool:
    return exchange(_spending(game, rng).get("chips", []), rng)


@kind("chips spent: spoiled")
def _(game: Record, rng: random.Random) -> bool:
    return spoil_list(_spending(game, rng).get("chips"), rng)


@kind("chips spent: on a line that is left")
def _(game: Record, rng: random.Random) -> bool:
    return set_field(_spending(game, rng), "column", "leave")


@kind("chips spent: left, and none spent")
def _(game: Record, rng: random.Random) -> bool:
    entry = _spending(game, rng)
    if not entry:
        return False
    del entry["chips"]
    entry["column"] = "leave"
    return True


@kind("chips spent: given where none are needed")
def _(game: Record, rng: random.Random) -> bool:
    entry = one_entry(game, rng, "tiling")
    if not entry or entry.get("chips"):
        return False
    entry["chips"] = rng.choice(([], None, [rng.choice(FACES)], rng.sample(FACES, 3)))
    return True


@kind("tiling: a line left that has no choice")
def _(game: Record, rng: random.Random) -> bool:
    return set_field(one_entry(game, rng, "tiling"), "column", "leave")


@kind("tiling: an entry for another line inserted")
def _(game: Record, rng: random.Random) -> bool:
    tiling = entry_list(game, rng, "tiling")
    if not tiling:
        return False
    entry = {"player": rng.randrange(2), "line": rng.randrange(6), "column": rng.randrange(6)}
    tiling.insert(rng.randint(0, len(tiling)), entry)
    return True
