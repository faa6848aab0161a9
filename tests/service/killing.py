"""Many matches at once on a referee that is killed again and again."""

import asyncio
import random
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from referee.service.storage.layout import Layout
from referee.transcript.result import TIME
from referee.v1 import match_pb2
from referee.v1 import play_pb2 as pb
from tests.service.process import Referee
from tests.service.raw_agent import RawAgent, Seat
from tests.service.requests import assert_kept, assert_proved, finished, records, requests

AT_ONCE = 8
# How many messages agents hear between two kills, and the seconds in which one comes then.
HEARD = (1, 250)
DELAY_S = 0.004


@dataclass
class Tally:
    """What came of it."""

    kills: int = 0
    matches: int = 0
    events: int = 0
    restarts: int = 0


class Killing:
    """One referee that is killed at moments drawn from a seed."""

    def __init__(self, data: Path, kills: int, seed: int) -> None:
        self.tally = Tally()
        self._rng = random.Random(seed)
        self._left = kills
        self._referee = Referee(data)
        self._requests: Iterator[match_pb2.CreateMatchRequest] = requests(self._rng, f"{seed}")
        self._heard = asyncio.Event()
        self._until = 0

    async def run(self) -> Tally:
        """Kill as often as asked for, play everything to its end, and check it all."""
        async with self._referee as referee, asyncio.TaskGroup() as group:
            await referee.start()
            for _ in range(AT_ONCE):
                group.create_task(self._matches())
            while self._left:
                await self._kill()
        return self.tally

    async def _kill(self) -> None:
        """Kill after so many messages and a moment, and start again on the same folder."""
        referee = self._referee
        await referee.prepare()
        self._until = self._rng.randint(*HEARD)
        self._heard.clear()
        await self._heard.wait()
        await asyncio.sleep(self._rng.random() * DELAY_S)
        await referee.kill()
        self.tally.kills += 1
        self._left -= 1
        await referee.start()

    def _hear(self, _seat: Seat | None, _message: pb.RefereeMessage) -> None:
        self._until -= 1
        if self._until <= 0:
            self._heard.set()

    async def _matches(self) -> None:
        """Play one match after the other for as long as there are kills to come."""
        while self._left:
            await self._match(next(self._requests))

    async def _connect(self) -> str:
        await self._referee.up.wait()
        return self._referee.address

    async def _match(self, request: match_pb2.CreateMatchRequest) -> None:
        made = None
        while made is None:
            # The same id again: whether the last one made a match or not, there is one.
            await self._connect()
            made = await self._referee.create(request)
        rng = self._rng
        seats = [Seat(token.token, random.Random(rng.random())) for token in made.tokens]
        seats[-1].shares = rng.random() < 0.8
        together = rng.random() < 0.5
        tables = [seats] if together else [[seat] for seat in seats]
        agents = [RawAgent(table, self._connect, self._hear) for table in tables]
        async with asyncio.TaskGroup() as group:
            for agent in agents:
                group.create_task(agent.play())
        await self._check(bytes.fromhex(made.match.match_id), seats)

    async def _check(self, match_id: bytes, seats: list[Seat]) -> None:
        data = self._referee.data
        while not Layout(data).finished_path(match_id).exists():
            # It is signed, and will be moved; at the latest by the next start.
            await self._connect()
            await asyncio.sleep(0.005)
        transcript = finished(data, match_id)
        assert_proved(transcript)
        assert_kept(transcript, seats)
        all_records = records(transcript)
        outs = [record.seat_out for record in all_records if record.HasField("seat_out")]
        assert not [out for out in outs if out.reason == TIME]
        assert not outs
        assert seats[0].over is not None
        assert seats[0].over.HasField("game_over")
        self.tally.matches += 1
        self.tally.events += sum(len(seat.events) for seat in seats)
        self.tally.restarts += sum(record.HasField("restart") for record in all_records)
