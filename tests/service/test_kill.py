"""A referee that is killed in the middle of play loses nothing that it has acknowledged."""

from pathlib import Path

import pytest

from tests.service.killing import Killing

KILLS = 10


@pytest.mark.parametrize("seed", range(4))
async def test_nothing_acknowledged_is_lost_when_the_process_is_killed(
    tmp_path: Path, seed: int
) -> None:
    """Events, ends and proofs that any agent was told stand in transcripts that verify."""
    tally = await Killing(tmp_path, KILLS, seed).run()
    assert tally.kills == KILLS
    assert tally.restarts >= KILLS
