"""The table of damages to records of Duel, and tools to find something worth damaging."""

from __future__ import annotations

import copy
import random
from collections.abc import Callable
from typing import Any

from tests.oracle import damage_decisions as generic
from tests.oracle.damage_decisions import Damage, Record

KINDS: dict[str, Damage] = {}
# More values that are seldom right, in the words of Duel.
ODD_VALUES: tuple[Any, ...] = (
    3, 6, 17, 18, "turquoise", "white", "large", "broken", "leave", "blue+red", "red+blue", "sun",
    "pass", "rows", [3], ["turquoise", "red"], ["blue+red", "blue"], [None], {"rows": [0, 0]},
)  # fmt: skip
DECISIONS = ("opening", "moves", "tiling")


def kind(name: str) -> Callable[[Damage], Damage]:
    """Enter the decorated damage under its name."""

    def enter(function: Damage) -> Damage:
        KINDS[name] = function
        return function

    return enter


def odd_value(rng: random.Random) -> Any:
    """Choose a value that is seldom right."""
    if rng.random() < 0.6:
        return generic.odd_value(rng)
    return copy.deepcopy(rng.choice(ODD_VALUES))


def one_round(game: Record, rng: random.Random) -> Record:
    """Choose a round; an empty record stands in where there is none."""
    rounds = game["rounds"]
    return rng.choice(rounds) if rounds else {}


def entry_list(game: Record, rng: random.Random, name: str, at_least: int = 1) -> list[Any]:
    """Choose a whole list of decisions; an empty list stands in for none."""
    if name == "opening":
        opening: list[Any] = game["opening"]
        return opening if len(opening) >= at_least else []
    return generic.entry_list(game, rng, name, at_least)


def one_entry(game: Record, rng: random.Random, name: str, *fields: str) -> Record:
    """Choose a decision that has these fields; an empty record stands in for none."""
    entries = game["opening"] if name == "opening" else []
    entries = entries or [e for record in game["rounds"] for e in record.get(name, [])]
    fitting = [entry for entry in entries if all(field in entry for field in fields)]
    return rng.choice(fitting) if fitting else {}


def one_move(game: Record, rng: random.Random, *dos: str) -> tuple[list[Any], int]:
    """Choose a move of these kinds as its list and its place there; -1 stands for none."""
    found = [
        (record["moves"], index)
        for record in game["rounds"]
        for index, move in enumerate(record.get("moves", []))
        if move["do"] in dos
    ]
    return rng.choice(found) if found else ([], -1)


def set_odd(record: Record, name: str, rng: random.Random) -> bool:
    """Set a field to an odd value, if there is a record."""
    return generic.set_field(record, name, odd_value(rng))


def remove(record: Record, name: str) -> bool:
    """Remove a field."""
    if name not in record:
        return False
    del record[name]
    return True


def nudge(numbers: Any, rng: random.Random) -> bool:
    """Change one number of a list a little."""
    if not numbers:
        return False
    numbers[rng.randrange(len(numbers))] += rng.choice((-2, -1, 1, 2, 10))
    return True


def retype(record: Record, name: str, rng: random.Random) -> bool:
    """Write an integer as another type that Python holds for equal, or as text."""
    value = record.get(name)
    if type(value) is not int:
        return False
    ways: list[Any] = [float(value), str(value)]
    if value in (0, 1):
        ways += [bool(value)] * 2
    record[name] = rng.choice(ways)
    return True


def replace_one(values: Any, rng: random.Random, others: tuple[Any, ...]) -> bool:
    """Put one of the others in the place of an element."""
    if not values:
        return False
    values[rng.randrange(len(values))] = rng.choice(others)
    return True


def add(values: list[Any], value: Any) -> bool:
    """Put a value at the end of a list."""
    values.append(value)
    return True
