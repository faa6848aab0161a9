"""Matches between honest agents that go on beside an attack, and must not notice it."""

import asyncio
import contextlib
import random
from types import TracebackType
from typing import Self

from referee.transcript import reader
from referee.transcript.reader import Transcript
from referee.v1 import match_pb2
from tests.service.hostile.calls import Calls
from tests.service.process import create
from tests.service.raw_agent import RawAgent, Seat, always
from tests.service.requests import BATCH, assert_kept, assert_proved, kinds, records, request

HARM = {"seat_out", "voided", "aborted", "rejected", "disconnect", "restart"}
# An answer takes some milliseconds, on a machine that is busy with much else some hundred.
MOST_CHARGED_NS = 2_000_000_000


class Healthy:
    """Tables at which one match follows another until the attack is over.

    played      the matches so far that ended, each proved and without a scratch
    charged_ns  the most that any answer was charged
    """

    def __init__(self, address: str, organiser: str, tables: int = 2) -> None:
        self._address = address
        self._organiser = organiser
        self._tables = tables
        self._enough = asyncio.Event()
        self._tasks: list[asyncio.Task[None]] = []
        self.played = 0
        self.charged_ns = 0

    async def __aenter__(self) -> Self:
        async with asyncio.timeout(60):
            began = [asyncio.Event() for _ in range(self._tables)]
            self._tasks = [
                asyncio.create_task(self._sit(number, event)) for number, event in enumerate(began)
            ]
            for event, task in zip(began, self._tasks, strict=True):
                waiting = asyncio.create_task(event.wait())
                await asyncio.wait((waiting, task), return_when=asyncio.FIRST_COMPLETED)
                waiting.cancel()
        self.look()
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._enough.set()
        if error is not None:
            for task in self._tasks:
                task.cancel()
            with contextlib.suppress(BaseException):
                await asyncio.gather(*self._tasks, return_exceptions=True)
            return
        async with asyncio.timeout(120):
            await asyncio.gather(*self._tasks)
        assert self.played >= self._tables

    def look(self) -> None:
        """Raise what went wrong at a table, if anything did."""
        for task in self._tasks:
            if task.done():
                task.result()

    async def _sit(self, table: int, began: asyncio.Event) -> None:
        number = 0
        while not self._enough.is_set():
            number += 1
            await self._match(f"{table} {number}", began)
            self.played += 1

    async def _match(self, name: str, began: asyncio.Event) -> None:
        asked = request(round_cap=2, durability=BATCH)
        made = await create(self._address, self._organiser, asked)
        seats = [
            Seat(token.token, random.Random(f"{name} {number}"))
            for number, token in enumerate(made.tokens)
        ]
        agents = [
            RawAgent([seat], always(self._address), lambda _seat, _said: began.set())
            for seat in seats
        ]
        async with asyncio.TaskGroup() as group:
            for agent in agents:
                group.create_task(agent.play())
        assert [agent.losses for agent in agents] == [0] * len(agents)
        assert not any(seat.refused for seat in seats)
        await self._check(made, seats)

    async def _check(self, made: match_pb2.CreateMatchResponse, seats: list[Seat]) -> None:
        async with Calls(self._address, self._organiser) as calls:
            found = await calls.ask("GetTranscript", match_id=made.match.match_id)
        assert found.signed
        transcript = reader.read(found.data)
        happened = kinds(transcript)
        assert "game_over" in happened
        assert not HARM.intersection(happened), happened
        charged_ns = most_charged_ns(transcript)
        self.charged_ns = max(charged_ns, self.charged_ns)
        assert charged_ns < MOST_CHARGED_NS, f"{charged_ns / 1e9:.1f} s for one answer"
        assert_kept(transcript, seats)
        await asyncio.to_thread(assert_proved, transcript)


def most_charged_ns(transcript: Transcript) -> int:
    """Return the most that an answer in a record was charged."""
    charged = [0]
    for record in records(transcript):
        if record.HasField("move"):
            charged.append(record.move.timing.charged_ns)
        elif record.HasField("reveal"):
            charged.append(record.reveal.timing.charged_ns)
    return max(charged)
