"""Matches between honest agents that go on beside an attack, and must not notice it."""

import asyncio
import contextlib
import itertools
import random
from types import TracebackType
from typing import Self

import grpc

from referee.transcript import reader
from referee.transcript.reader import Transcript
from referee.v1 import match_pb2
from tests.service.hostile.calls import Calls
from tests.service.process import Referee, create
from tests.service.raw_agent import RawAgent, Seat
from tests.service.requests import BATCH, assert_kept, assert_proved, kinds, records, request

HARM = {"seat_out", "voided", "aborted", "rejected", "disconnect", "restart"}
# An answer takes some milliseconds, on a machine that is busy with much else some hundred.
MOST_CHARGED_NS = 2_000_000_000


class Healthy:
    """Tables at which one match follows another until the attack is over.

    played      the matches so far that ended, each proved and without a scratch
    charged_ns  the most that any answer was charged
    harm        what must not happen at a table
    """

    harm = HARM

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
        made = await self._create(asked)
        seats = [
            Seat(token.token, random.Random(f"{name} {number}"))
            for number, token in enumerate(made.tokens)
        ]
        agents = [
            RawAgent([seat], self._connect, lambda _seat, _said: began.set()) for seat in seats
        ]
        async with asyncio.TaskGroup() as group:
            for agent in agents:
                group.create_task(agent.play())
        self._look_at(agents)
        await self._check(made, seats)

    # What depends on whether the referee stays ----------------------------------------------

    async def _connect(self) -> str:
        return self._address

    async def _create(self, asked: match_pb2.CreateMatchRequest) -> match_pb2.CreateMatchResponse:
        return await create(self._address, self._organiser, asked)

    async def _record(self, match_id: str) -> bytes:
        async with Calls(self._address, self._organiser) as calls:
            found = await calls.ask("GetTranscript", match_id=match_id)
        assert found.signed
        data: bytes = found.data
        return data

    def _look_at(self, agents: list[RawAgent]) -> None:
        assert [agent.losses for agent in agents] == [0] * len(agents)
        assert not any(seat.refused for agent in agents for seat in agent.seats.values())

    # The end of a match ---------------------------------------------------------------------

    async def _check(self, made: match_pb2.CreateMatchResponse, seats: list[Seat]) -> None:
        transcript = reader.read(await self._record(made.match.match_id))
        happened = kinds(transcript)
        assert "game_over" in happened
        assert not self.harm.intersection(happened), happened
        charged_ns = most_charged_ns(transcript)
        self.charged_ns = max(charged_ns, self.charged_ns)
        assert charged_ns < MOST_CHARGED_NS, f"{charged_ns / 1e9:.1f} s for one answer"
        assert_kept(transcript, seats)
        await asyncio.to_thread(assert_proved, transcript)


class Enduring(Healthy):
    """Honest matches of a referee that is stopped now and then: they go on when it is back."""

    harm = HARM - {"disconnect", "restart"}

    def __init__(self, referee: Referee, tables: int = 2) -> None:
        super().__init__("", referee.organiser, tables)
        self._referee = referee
        self._names = itertools.count()

    async def _connect(self) -> str:
        await self._referee.up.wait()
        return self._referee.address

    async def _create(self, asked: match_pb2.CreateMatchRequest) -> match_pb2.CreateMatchResponse:
        # Whoever does not know whether a match was made asks again in the same words.
        asked.request_id = f"enduring-{id(self)}-{next(self._names)}"
        while True:
            await self._referee.up.wait()
            if (made := await self._referee.create(asked)) is not None:
                return made

    async def _record(self, match_id: str) -> bytes:
        # It is moved to its place after its agents have heard of the end, at the next start
        # if need be.
        while True:
            self._address = await self._connect()
            with contextlib.suppress(grpc.aio.AioRpcError, AssertionError):
                return await super()._record(match_id)

    def _look_at(self, agents: list[RawAgent]) -> None:
        """Pass over losses; what is refused to those who come back are repeats."""


def most_charged_ns(transcript: Transcript) -> int:
    """Return the most that an answer in a record was charged."""
    charged = [0]
    for record in records(transcript):
        if record.HasField("move"):
            charged.append(record.move.timing.charged_ns)
        elif record.HasField("reveal"):
            charged.append(record.reveal.timing.charged_ns)
    return max(charged)
