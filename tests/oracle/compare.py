"""Compares the product's verdict on a game with that of an oracle."""

from __future__ import annotations

import contextlib
import copy
import random
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from referee.transcript.elsewhere import check_game
from tests.oracle import checker, damage, games
from tests.oracle.duel import checker as duel_checker
from tests.oracle.duel import damage as duel_damage
from tests.oracle.duel import games as duel_games

Game = dict[str, Any]

DAMAGED_TWICE = 0.4


@dataclass(frozen=True)
class Oracle:
    """A second implementation of some rulesets: its checker, its games, its damages."""

    policies: tuple[str, ...]
    first_wrong: Callable[[Game], tuple[str, str] | None]
    is_format_error: Callable[[Game], str | None]
    seen: Callable[[Game], Counter[str]]
    right_games: Callable[[str, int, str, random.Random], list[Game]]
    damage: Callable[[Game, random.Random], tuple[Game, str]]

    def difference(self, game: Game) -> str | None:
        """Return a sentence if the two disagree about a game, None if they agree."""
        finding = check_game(game)
        place = None if finding is None else finding.place or "game"
        wrong = self.first_wrong(game)
        expected = None if wrong is None else wrong[0]
        is_format = finding is not None and finding.is_format
        if place == expected and is_format == (self.is_format_error(game) is not None):
            return None
        return f"{game.get('id')}: the oracle says {wrong}, the engine {finding}"

    def damaged_games(
        self, right: list[Game], number: int, rng: random.Random
    ) -> list[tuple[str, Game]]:
        """Return so many damaged copies of these games, each with the name of its damage."""
        damaged = []
        for _ in range(number):
            # Mostly the bare form: with legal lists nearly everything shows at the next move.
            game, name = self.damage(rng.choice([right[0], right[1], right[1], right[2]]), rng)
            if rng.random() < DAMAGED_TWICE:
                # Two damages show in which order the checks are made. The second one may
                # find nothing where the first one broke the frame of the record.
                with contextlib.suppress(AttributeError, LookupError, TypeError, ValueError):
                    game, second = self.damage(game, rng)
                    name += f", {second}"
            damaged.append((name, game))
        return damaged


def _azul_games(key: str, players: int, policy: str, rng: random.Random) -> list[Game]:
    """Return one random game in three forms: with all legal lists, bare, and cut short."""
    whole = games.random_game(key, players, rng, policy, legal=True)
    bare = copy.deepcopy(whole)
    for claims in bare["rounds"]:
        for move in claims.get("moves", []):
            move.pop("legal_count", None)
            move.pop("legal", None)
    return [whole, bare, games.unfinished_prefix(whole, rng)]


def _duel_games(key: str, players: int, policy: str, rng: random.Random) -> list[Game]:
    """Return one random game in three forms: with all counts, bare, and cut short."""
    assert (key, players) == ("duel", 2)
    whole = duel_games.random_game(rng, policy)
    bare = duel_games.without_claims(whole)
    return [whole, bare, duel_games.unfinished_prefix(rng.choice([whole, bare]), rng)]


AZUL = Oracle(
    tuple(games.POLICIES),
    checker.first_wrong,
    checker.is_format_error,
    checker.seen,
    _azul_games,
    damage.damage,
)
DUEL = Oracle(
    tuple(duel_games.POLICIES),
    duel_checker.first_wrong,
    duel_checker.is_format_error,
    duel_checker.seen,
    _duel_games,
    duel_damage.damage,
)


def oracle_of(key: str) -> Oracle:
    """Return the oracle that knows a ruleset."""
    return DUEL if key == "duel" else AZUL
