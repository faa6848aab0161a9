"""Compares the product's verdict on a game with the oracle's."""

from __future__ import annotations

import contextlib
import copy
import random
from typing import Any

from referee.transcript.elsewhere import check_game
from tests.oracle.checker import first_wrong, is_format_error
from tests.oracle.damage import damage
from tests.oracle.games import random_game, unfinished_prefix

DAMAGED_TWICE = 0.4


def difference(game: dict[str, Any]) -> str | None:
    """Return a sentence if the two disagree about a game, None if they agree."""
    finding = check_game(game)
    place = None if finding is None else finding.place or "game"
    wrong = first_wrong(game)
    expected = None if wrong is None else wrong[0]
    is_format = finding is not None and finding.is_format
    if place == expected and is_format == (is_format_error(game) is not None):
        return None
    return f"{game.get('id')}: the oracle says {wrong}, the engine {finding}"


def without_legal(game: dict[str, Any]) -> dict[str, Any]:
    """Return a copy without claims of legal moves, so that damage shows up only later."""
    bare = copy.deepcopy(game)
    for claims in bare["rounds"]:
        for move in claims.get("moves", []):
            move.pop("legal_count", None)
            move.pop("legal", None)
    return bare


def right_games(key: str, players: int, policy: str, rng: random.Random) -> list[dict[str, Any]]:
    """Return one random game in three forms: with all legal lists, bare, and cut short."""
    whole = random_game(key, players, rng, policy, legal=True)
    return [whole, without_legal(whole), unfinished_prefix(whole, rng)]


def damaged_games(
    games: list[dict[str, Any]], number: int, rng: random.Random
) -> list[tuple[str, dict[str, Any]]]:
    """Return so many damaged copies of these games, each with the name of its damage."""
    damaged = []
    for _ in range(number):
        # Mostly the bare form: with legal lists nearly everything shows at the next move.
        game, name = damage(rng.choice([games[0], games[1], games[1], games[2]]), rng)
        if rng.random() < DAMAGED_TWICE:
            # Two damages show in which order the checks are made. The second one may find
            # nothing where the first one broke the frame of the record.
            with contextlib.suppress(AttributeError, LookupError, TypeError, ValueError):
                game, second = damage(game, rng)
                name += f", {second}"
        damaged.append((name, game))
    return damaged
