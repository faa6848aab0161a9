"""Damages to the deals of Duel: tiles, redraws and chips."""

from __future__ import annotations

import random

from tests.oracle.damage_decisions import Record, delete_one, exchange, repeat_one, spoil_list

from .components import COLORS, FACES
from .damage_tools import add, kind, one_round, replace_one


def _tiles(game: Record, rng: random.Random) -> list[list[str]]:
    """Give the factories of a round that hold tiles, the large one first."""
    record = one_round(game, rng)
    return [tiles for tiles in (record.get("large"), *record.get("small", [])) if tiles]


@kind("deal: tiles of two factories exchanged")
def _(game: Record, rng: random.Random) -> bool:
    full = _tiles(game, rng)
    if len(full) < 2:
        return False
    one, other = rng.sample(full, 2)
    one[0], other[0] = other[0], one[0]
    return True


@kind("deal: tile of another color")
def _(game: Record, rng: random.Random) -> bool:
    full = _tiles(game, rng)
    return bool(full) and replace_one(rng.choice(full), rng, COLORS)


@kind("deal: tile removed")
def _(game: Record, rng: random.Random) -> bool:
    full = _tiles(game, rng)
    return bool(full) and delete_one(rng.choice(full), rng)


@kind("deal: tile added")
def _(game: Record, rng: random.Random) -> bool:
    full = _tiles(game, rng)
    return bool(full) and add(rng.choice(full), rng.choice(COLORS))


@kind("deal: tile moved to another factory")
def _(game: Record, rng: random.Random) -> bool:
    full = _tiles(game, rng)
    return bool(full) and add(rng.choice(full), rng.choice(full).pop())


@kind("deal: one factory of one color")
def _(game: Record, rng: random.Random) -> bool:
    full = _tiles(game, rng)
    if not full:
        return False
    tiles = full[0] if rng.random() < 0.5 else rng.choice(full)
    tiles[:] = [rng.choice(COLORS)] * len(tiles)
    return True


@kind("deal: order within a factory")
def _(game: Record, rng: random.Random) -> bool:
    full = _tiles(game, rng)
    return bool(full) and exchange(rng.choice(full), rng)


@kind("deal: odd tile")
def _(game: Record, rng: random.Random) -> bool:
    full = _tiles(game, rng)
    return bool(full) and spoil_list(rng.choice(full), rng)


@kind("small: two factories exchanged")
def _(game: Record, rng: random.Random) -> bool:
    return exchange(one_round(game, rng).get("small", []), rng)


@kind("small: list spoiled")
def _(game: Record, rng: random.Random) -> bool:
    return spoil_list(one_round(game, rng).get("small"), rng)


@kind("redraws: one added")
def _(game: Record, rng: random.Random) -> bool:
    record = one_round(game, rng)
    if not record:
        return False
    redraws = record.setdefault("redraws", [])
    redraws.insert(rng.randint(0, len(redraws)), rng.choice((*COLORS, "white", 0, None)))
    return True


@kind("redraws: given empty")
def _(game: Record, rng: random.Random) -> bool:
    record = one_round(game, rng)
    return bool(record) and record.setdefault("redraws", []) == []


@kind("redraws: changed")
def _(game: Record, rng: random.Random) -> bool:
    lists = [record["redraws"] for record in game["rounds"] if record.get("redraws")]
    if not lists:
        return False
    if rng.random() < 0.5:
        return replace_one(rng.choice(lists), rng, COLORS)
    return spoil_list(rng.choice(lists), rng)


@kind("chips: another face")
def _(game: Record, rng: random.Random) -> bool:
    return replace_one(one_round(game, rng).get("chips"), rng, (*FACES, "red+blue", "white"))


@kind("chips: the face of another round")
def _(game: Record, rng: random.Random) -> bool:
    return replace_one(
        one_round(game, rng).get("chips"), rng, tuple(one_round(game, rng).get("chips", [""]))
    )


@kind("chips: two exchanged")
def _(game: Record, rng: random.Random) -> bool:
    return exchange(one_round(game, rng).get("chips", []), rng)


@kind("chips: one doubled")
def _(game: Record, rng: random.Random) -> bool:
    return repeat_one(one_round(game, rng).get("chips", []), rng)


@kind("chips: list spoiled")
def _(game: Record, rng: random.Random) -> bool:
    return spoil_list(one_round(game, rng).get("chips"), rng)
