"""Attacks on connections cost nobody a match, and the referee no memory (P-S2, P-S3)."""

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path
from typing import NamedTuple

import pytest
import pytest_asyncio

from tests.service.hostile.attacks import ATTACKS
from tests.service.hostile.calls import Calls, Talk, answer, join
from tests.service.hostile.court import index, table
from tests.service.hostile.healthy import Healthy
from tests.service.process import Referee, create
from tests.service.requests import request

SIZE = 100
MORE_MIB = 60


class Scene(NamedTuple):
    """A referee in a process of its own, with honest matches and a seat for the attacker."""

    referee: Referee
    healthy: Healthy
    token: str

    def memory(self) -> int:
        """Return the memory that the referee has in use, in MiB."""
        for line in Path(f"/proc/{self.referee.pid}/status").read_text().splitlines():
            if line.startswith("VmRSS:"):
                return int(line.split()[1]) >> 10
        raise AssertionError


@pytest_asyncio.fixture(scope="module", loop_scope="session", name="scene")
async def the_scene(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Scene]:
    """Start a referee, honest matches, and a match that stands still."""
    async with Referee(tmp_path_factory.mktemp("data")) as referee:
        await referee.start()
        async with Healthy(referee.address, referee.organiser) as healthy:
            made = await create(referee.address, referee.organiser, request(clock=None))
            async with Calls(referee.address) as calls, table(calls, made) as game:
                await game.play(9)
                seat, _ = await game.turn()
                yield Scene(referee, healthy, game.token(seat))


@pytest.mark.parametrize("name", ATTACKS)
async def test_attacks_cost_nobody_a_match(scene: Scene, name: str) -> None:
    """Honest matches go on to their ends; memory grows by no more than the attack may hold."""
    before = scene.memory()
    async with asyncio.timeout(60):
        await ATTACKS[name](scene.referee.address, scene.token, SIZE)
    scene.healthy.look()
    async with Calls(scene.referee.address, scene.referee.organiser) as calls:
        await calls.ask("ListMatches")
    assert scene.memory() - before < MORE_MIB


@pytest.mark.parametrize("own", [True, False], ids=["own turn", "turn of the other"])
async def test_cable_pulled_in_a_match(scene: Scene, own: bool) -> None:
    """Whoever vanishes comes back to the same question, and the match goes on."""
    address = scene.referee.address
    made = await create(address, scene.referee.organiser, request())
    async with Calls(address) as one, Calls(address) as two, table(one, made, two) as game:
        seat, asked = await game.turn()
        gone = seat if own else 1 - seat
        await (one, two)[gone].channel.close()
        async with Calls(address) as again:
            talk: Talk = again.talk()
            await talk.hello(join(game.token(gone), list_moves=True))
            await talk.hear("seat_taken")
            game.talks[gone] = talk
            if own:
                asked = (await talk.hear("your_turn")).your_turn
            await game.talks[seat].say(answer(asked.turn, asked.attempt, index(0)))
            other, following = await game.turn()
            assert (other, following.turn) == (1 - seat, asked.turn + 1)
