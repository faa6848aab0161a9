"""Exactly one task writes to a stream: two can hang it without an error."""

import asyncio
from collections.abc import AsyncIterator
from typing import Any

import pytest

from azul_agent import Turn
from referee.v1 import play_pb2, play_pb2_grpc
from tests.clients_python.conftest import Ended, MakeAgent
from tests.clients_python.fake import Fake, Table


class Guarded:
    """A call that notices who writes to it, and when."""

    def __init__(self, call: Any) -> None:
        self.call = call
        self.writers: set[asyncio.Task[Any] | None] = set()
        self.writing = 0
        self.most = 0
        self.frames = 0

    async def write(self, frame: Any) -> None:
        """Write slowly, so that a second writer would be met here."""
        self.frames += 1
        await self._alone(self.call.write(frame))

    async def done_writing(self) -> None:
        """End writing, which is writing, too."""
        await self._alone(self.call.done_writing())

    async def _alone(self, work: Any) -> None:
        self.writers.add(asyncio.current_task())
        self.writing += 1
        self.most = max(self.most, self.writing)
        for _ in range(5):
            await asyncio.sleep(0)
        await work
        self.writing -= 1

    def __aiter__(self) -> AsyncIterator[Any]:
        return aiter(self.call)

    def cancel(self) -> bool:
        """Cancel the call."""
        return bool(self.call.cancel())


@pytest.mark.parametrize("way", ["thread", "inline", "coroutine"])
async def test_one_task_writes(
    fake: Fake, make_agent: MakeAgent, start: Ended, monkeypatch: pytest.MonkeyPatch, way: str
) -> None:
    """Eight matches, their turns, commitments, shares and pings, all at the same moment."""
    calls: list[Guarded] = []

    def guarded(channel: Any) -> Any:
        real = play_pb2_grpc.AgentServiceStub(channel)

        class Stub:
            def Play(self, **options: Any) -> Any:  # noqa: N802
                calls.append(Guarded(real.Play(**options)))
                return calls[-1]

        return Stub()

    monkeypatch.setattr("azul_agent.stream.AgentServiceStub", guarded)

    async def coroutine(turn: Turn) -> int:
        await asyncio.sleep(0)
        return turn.attempt

    bot = coroutine if way == "coroutine" else lambda turn: turn.attempt
    agent = make_agent(bot, inline=way == "inline")
    tables = {f"seat {n}": Table(match_id=bytes([n]) * 16) for n in range(8)}
    playing = [start(agent.play(token)) for token in tables]
    talk = await fake.accept()
    joins = {}
    for token, table in tables.items():
        joins[token] = await table.seat_agent(talk)
    for turn in range(1, 11):
        for token, table in tables.items():
            talk.say(**table.turn(joins[token], turn=turn))
            request = play_pb2.RevealRequest(handle=joins[token].handle, round=1)
            talk.say(reveal_request=request)
            talk.say(ping=play_pb2.Ping(number=turn))
        said = [await talk.hear() for _ in range(3 * len(tables))]
        assert sum(message.HasField("answer") for message in said) == len(tables)
    for token, table in tables.items():
        table.finish(talk, joins[token])
    await asyncio.gather(*playing)
    await agent.close()
    (call,) = calls
    assert (call.most, len(call.writers)) == (1, 1)
    # What gathers while a frame is on its way shares the next one.
    assert call.frames < sum(len(frame.messages) for frame in talk.frames)
