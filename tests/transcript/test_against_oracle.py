"""`referee check` against the oracle, a second checker that shares no code with it."""

import random

import pytest

from tests.oracle.compare import damaged_games, difference, right_games
from tests.oracle.games import POLICIES
from tests.tables import AZUL_TABLES


@pytest.mark.parametrize("policy", POLICIES)
@pytest.mark.parametrize(("key", "players"), AZUL_TABLES)
def test_games_of_the_oracle_hold_and_damaged_ones_fail_alike(
    key: str, players: int, policy: str
) -> None:
    """Whole legal lists, every score, prefixes, and twenty damages each."""
    rng = random.Random(f"{key} {players} {policy}")
    games = right_games(key, players, policy, rng)
    for game in games:
        assert difference(game) is None
    for name, game in damaged_games(games, 20, rng):
        apart = difference(game)
        assert apart is None, name
