"""A fake referee for every test, and agents that wait for nothing."""

import asyncio
from collections.abc import AsyncIterator, Callable, Coroutine
from pathlib import Path
from typing import Any

import pytest

from azul_agent import Agent, Pacing
from tests.clients_python.fake import DEADLINE_S, Fake

MakeAgent = Callable[..., Agent]
Ended = Callable[[Coroutine[Any, Any, Any]], "asyncio.Task[Any]"]


@pytest.fixture
async def fake() -> AsyncIterator[Fake]:
    """Return a referee that listens."""
    referee = Fake()
    await referee.start()
    yield referee
    await referee.stop()


@pytest.fixture
async def make_agent(fake: Fake, tmp_path: Path) -> AsyncIterator[MakeAgent]:
    """Return a maker of agents of that referee, which are closed at the end of the test."""
    agents: list[Agent] = []

    async def at_once(_: float) -> None:
        await asyncio.sleep(0)

    def make(bot: Any = lambda turn: 0, **options: Any) -> Agent:
        defaults = {
            "target": fake.target,
            "name": "tester",
            "secret_file": tmp_path / "secret",
            "pacing": Pacing(sleep=at_once, random=lambda: 0.5),
        }
        agents.append(Agent(**{**defaults, **options, "bot": bot}))
        return agents[-1]

    yield make
    for agent in agents:
        async with asyncio.timeout(DEADLINE_S):
            await agent.close()


@pytest.fixture
async def start() -> AsyncIterator[Ended]:
    """Return a starter of things that go on beside the test and end with it."""
    tasks: list[asyncio.Task[Any]] = []

    def begin(work: Coroutine[Any, Any, Any]) -> asyncio.Task[Any]:
        tasks.append(asyncio.create_task(_with_deadline(work)))
        return tasks[-1]

    yield begin
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)


async def _with_deadline(work: Coroutine[Any, Any, Any]) -> Any:
    async with asyncio.timeout(2 * DEADLINE_S):
        return await work
