"""A referee in the process of the tests, to look inside and to put parts of it to the test."""

import asyncio
import random
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

from referee.service.app import Running, start
from referee.service.auth import Role
from referee.service.settings import Settings
from referee.service.storage.disk import Disk
from referee.service.timing import Clock
from referee.v1 import match_pb2
from tests.service import process
from tests.service.raw_agent import RawAgent, Seat, always


@asynccontextmanager
async def serving(
    data: Path, *, clock: Clock | None = None, disk: Disk | None = None, **settings: Any
) -> AsyncIterator[Running]:
    """Serve a data directory on a free port."""
    running = await start(Settings(data=data, **{"port": 0, **settings}), clock, disk)
    try:
        yield running
    finally:
        await running.stop()


async def until(condition: Callable[[], object]) -> None:
    """Wait for something inside the referee that tells nobody when it happens."""
    async with asyncio.timeout(30):
        while not condition():  # noqa: ASYNC110  there is no event for it
            await asyncio.sleep(0.001)


def address(running: Running) -> str:
    """Return where a referee listens."""
    return f"127.0.0.1:{running.server.port}"


async def create(
    running: Running, request: match_pb2.CreateMatchRequest
) -> match_pb2.CreateMatchResponse:
    """Make a match, as an organiser."""
    organiser = running.house.credentials.issue(Role.ORGANISER, "tests")
    return await process.create(address(running), organiser, request)


def seats_of(made: match_pb2.CreateMatchResponse, seed: int = 1) -> list[Seat]:
    """Return seats for the tokens of a match, with moves that follow from a seed."""
    return [
        Seat(token.token, random.Random(f"{seed} {number}"))
        for number, token in enumerate(made.tokens)
    ]


async def play(running: Running, seats: list[Seat], *, one_stream: bool = True) -> None:
    """Play a match to its end, on one stream or on one for each seat."""
    tables = [seats] if one_stream else [[seat] for seat in seats]
    async with asyncio.timeout(60), asyncio.TaskGroup() as group:
        for table in tables:
            group.create_task(RawAgent(table, always(address(running))).play())
