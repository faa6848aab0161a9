"""Kills a playing referee a thousand times (`make soak-kill`): nothing acknowledged may be lost.

KILLS= says how often. Each seed has a data directory of its own and is killed 50 times while
matches of all rulesets, sizes and durabilities are played; whatever any agent was told is then
looked for in transcripts that must verify at every level.
"""

import asyncio
import os
import tempfile
import time
from pathlib import Path

from tests.service.killing import Killing

KILLS = int(os.environ.get("KILLS", "1000"))
A_SEED = 50


async def soak() -> None:
    """Kill, check, and print what was done so far."""
    kills = matches = events = restarts = 0
    began = time.monotonic()
    seed = 1_000
    while kills < KILLS:
        with tempfile.TemporaryDirectory() as folder:
            tally = await Killing(Path(folder), min(A_SEED, KILLS - kills), seed).run()
        seed += 1
        kills += tally.kills
        matches += tally.matches
        events += tally.events
        restarts += tally.restarts
        seconds = time.monotonic() - began
        print(
            f"{kills:,} kills, {matches:,} matches, taken up {restarts:,} times,"
            f" {events:,} acknowledged events: 0 lost ({seconds:.0f} s)",
            flush=True,
        )


if __name__ == "__main__":
    asyncio.run(soak())
