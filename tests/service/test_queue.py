"""Agents that ask to be paired get matches as they come, and never one against themselves."""

import asyncio
from contextlib import AsyncExitStack
from pathlib import Path

import pytest

from azul_agent import Agent, Result, Turn
from azul_agent.errors import QueueRefused
from referee.service.app import Running
from referee.service.auth import Role
from referee.transcript.verify import Verdict, verify_file
from referee.v1.play_pb2 import REFUSE_REASON_QUEUE
from tests.service.here import address, serving


def first(turn: Turn) -> int:
    """Play the first legal move."""
    return 0


def agent(running: Running, name: str, folder: Path, *, bearer: bool = True) -> Agent:
    """Return a registered agent, or a stranger."""
    token = running.house.credentials.issue(Role.AGENT, name) if bearer else None
    secret = folder / f"{name}.secret"
    return Agent(address(running), first, name=name, token=token, inline=True, secret_file=secret)


async def paired(agents: list[Agent], ruleset: str, seats: int, games: int) -> list[list[Result]]:
    """Let all of them play so many games that the queue gives them."""
    async with AsyncExitStack() as stack, asyncio.timeout(60):
        for one in agents:
            await stack.enter_async_context(one)
        queues = [one.queue(ruleset, seats, games=games) for one in agents]
        return list(await asyncio.gather(*queues))


@pytest.mark.parametrize(("ruleset", "seats"), [("azul", 2), ("chocolatier", 3)])
async def test_agents_are_paired_again_and_again(tmp_path: Path, ruleset: str, seats: int) -> None:
    """Two matches in a row, signed and verified, each with every agent in one seat."""
    async with serving(tmp_path) as running:
        agents = [agent(running, f"bot{number}", tmp_path) for number in range(seats)]
        played = await paired(agents, ruleset, seats, 2)
        files = [running.store.layout.finished_path(one.match_id) for one in played[0]]
    assert len({result.match_id for result in played[0]}) == 2
    for results in played:
        assert [result.match_id for result in results] == [one.match_id for one in played[0]]
    for file in files:
        report = verify_file(file)
        assert report.verdict is Verdict.OK
        assert report.fold is not None
        assert sorted(report.fold.setup.agents) == [f"bot{number}" for number in range(seats)]


async def test_nobody_is_paired_without_a_bearer(tmp_path: Path) -> None:
    """Whoever wants to be paired says who it is, also on this machine."""
    async with serving(tmp_path) as running, agent(running, "x", tmp_path, bearer=False) as one:
        with pytest.raises(QueueRefused):
            async with asyncio.timeout(20):
                await one.queue("azul", 2, games=1)


async def test_an_organiser_is_not_paired(tmp_path: Path) -> None:
    """It is told so, and whose bearer it takes, instead of waiting in silence."""
    async with serving(tmp_path) as running:
        token = running.house.credentials.issue(Role.ORGANISER, "me")
        secret = tmp_path / "me.secret"
        one = Agent(address(running), first, name="me", token=token, secret_file=secret)
        async with one, asyncio.timeout(20):
            with pytest.raises(QueueRefused, match="an agent's bearer") as caught:
                await one.queue("azul", 2, games=1)
    assert caught.value.reason == REFUSE_REASON_QUEUE


async def test_an_agent_never_plays_itself(tmp_path: Path) -> None:
    """Two streams of one agent wait; when another agent comes, one of them plays."""
    async with serving(tmp_path) as running, AsyncExitStack() as stack:
        token = running.house.credentials.issue(Role.AGENT, "twin")
        twins = [
            Agent(
                address(running),
                first,
                name=f"twin {number}",
                token=token,
                inline=True,
                secret_file=tmp_path / "twin.secret",
            )
            for number in range(2)
        ]
        other = agent(running, "other", tmp_path)
        for one in (*twins, other):
            await stack.enter_async_context(one)
        waiting = [asyncio.create_task(one.queue("azul", 2, games=1)) for one in twins]
        async with asyncio.timeout(30):
            await other.queue("azul", 2, games=1)
            done, left = await asyncio.wait(waiting, return_when=asyncio.FIRST_COMPLETED)
        assert len(done) == len(left) == 1
        for task in left:
            task.cancel()
        await asyncio.wait(left)
