"""`referee check` against the oracles, second checkers that share no code with it."""

import random

import pytest

from tests.games import EVERY_TABLE
from tests.oracle.compare import oracle_of

CASES = [(*table, policy) for table in EVERY_TABLE for policy in oracle_of(table[0]).policies]


@pytest.mark.parametrize(("key", "players", "policy"), CASES)
def test_games_of_the_oracle_hold_and_damaged_ones_fail_alike(
    key: str, players: int, policy: str
) -> None:
    """Whole legal lists or counts, every score, prefixes, and twenty damages each."""
    oracle = oracle_of(key)
    rng = random.Random(f"{key} {players} {policy}")
    games = oracle.right_games(key, players, policy, rng)
    for game in games:
        assert oracle.difference(game) is None
    for name, game in oracle.damaged_games(games, 20, rng):
        apart = oracle.difference(game)
        assert apart is None, name
