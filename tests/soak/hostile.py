"""Attacks the transport, then the machine, beside 20 honest matches (`make soak-hostile`).

SIZE= says how large each attack is: connections, reconnects, and for floods some dozens of frames
each. Every honest match must end with a result and verify at every level; the memory of the
referee after each attack is printed, and must not grow with their number.
"""

import asyncio
import os
import tempfile
import time
from pathlib import Path

from tests.service.hostile.attacks import ATTACKS
from tests.service.hostile.calls import Calls
from tests.service.hostile.court import table
from tests.service.hostile.healthy import Healthy
from tests.service.process import Referee, create
from tests.service.requests import request
from tests.soak.environment import CASES

SIZE = int(os.environ.get("SIZE", "2000"))
TABLES = 20
ROUNDS = 3
GROWTH_MIB = 100


def memory(pid: int) -> int:
    """Return the memory that a process has in use, in MiB."""
    for line in Path(f"/proc/{pid}/status").read_text().splitlines():
        if line.startswith("VmRSS:"):
            return int(line.split()[1]) >> 10
    raise AssertionError


async def soak(data: Path) -> None:
    """Run every attack some times, and print what it cost."""
    async with Referee(data) as referee:
        await referee.start()
        after: dict[str, list[int]] = {name: [] for name in ATTACKS}
        async with Healthy(referee.address, referee.organiser, TABLES) as healthy:
            made = await create(referee.address, referee.organiser, request(clock=None))
            async with Calls(referee.address) as calls, table(calls, made) as game:
                await game.play(9)
                seat, _ = await game.turn()
                for _ in range(ROUNDS):
                    for name, attack in ATTACKS.items():
                        began, played = time.monotonic(), healthy.played
                        await attack(referee.address, game.token(seat), SIZE)
                        healthy.look()
                        after[name].append(memory(referee.pid))
                        print(
                            f"{name:28} {time.monotonic() - began:6.1f} s"
                            f" {healthy.played - played:6} honest matches ended beside it"
                            f" {after[name][-1]:6} MiB",
                            flush=True,
                        )
        print(f"{healthy.played:,} honest matches: none lost on time, all proved")
    for name, found in after.items():
        assert found[-1] - found[0] < GROWTH_MIB, f"{name}: {found} MiB"


async def surroundings(folder: Path) -> None:
    """Run every case of the environment, each with a referee of its own."""
    for number, (name, case) in enumerate(CASES.items()):
        data = folder / f"case-{number}"
        data.mkdir()
        began = time.monotonic()
        played = await case(data)
        print(f"{name:28} {time.monotonic() - began:6.1f} s {played:6} honest matches", flush=True)


def main() -> None:
    """Run the soak in a directory of its own."""
    with tempfile.TemporaryDirectory() as folder:
        asyncio.run(soak(Path(folder) / "data"))
        asyncio.run(surroundings(Path(folder)))


if __name__ == "__main__":
    main()
