"""Both builds play identical games: every choice, every deal and every position.

Collected only while the compiled build is tested (`make test-compiled`): a plain run has
nothing to compare itself with.
"""

import json
import os
import subprocess
import sys

import pytest

from referee.native.choice import PURE
from tests.games import EVERY_TABLE

GAMES = 25
# The fingerprint of a simulation differs if any move, deal or position of it does.
PROGRAM = f"""
import json
import referee
from referee.match.playout import simulate
from referee.rules import RULESETS, Options

prints = {{
    f"{{rules.key}}-{{seats}}": simulate(rules, seats, Options(), {GAMES}, "same").fingerprint
    for rules in RULESETS.values()
    for seats in range(rules.min_seats, rules.max_seats + 1)
}}
print(json.dumps([referee.build_kind(), prints]))
"""


@pytest.fixture(scope="module")
def fingerprints() -> dict[str, dict[str, str]]:
    """Return the fingerprint of every table as each build plays it."""
    played = {}
    for pure, wanted in (("1", "plain"), ("", "compiled")):
        done = subprocess.run(
            [sys.executable, "-c", PROGRAM],
            env={**os.environ, PURE: pure},
            capture_output=True,
            text=True,
            check=True,
        )
        kind, played[wanted] = json.loads(done.stdout)
        assert kind == wanted
    return played


@pytest.mark.parametrize(("key", "seats"), EVERY_TABLE)
def test_both_builds_play_identical_games(
    key: str, seats: int, fingerprints: dict[str, dict[str, str]]
) -> None:
    """For every ruleset and seat count."""
    name = f"{key}-{seats}"
    assert fingerprints["plain"][name] == fingerprints["compiled"][name]
