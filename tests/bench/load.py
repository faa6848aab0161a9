"""The agents of the benchmarks: as many matches as wanted, from one process that only answers.

It is as lean as a client in Python can be, so that it does not hide what a server costs: bytes
go in and out, each frame received is answered with one frame, each stream has one task that
reads and writes, and every answer is the first legal move, which needs no list of moves and no
rules. The echo is measured with the very same code: it sends a frame of the referee's back.
"""

import asyncio
import json
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, TypeAlias

from grpc import aio

from referee.v1 import game_pb2, match_pb2, play_pb2, setup_pb2
from tests.bench.meter import Meter, Window
from tests.bench.servers import ECHO, run_loop

PLAY = "/referee.v1.AgentService/Play"
CREATE = "/referee.v1.MatchService/CreateMatch"
LIMIT_NS = 120_000_000_000
STARTUP_NS = LIMIT_NS
Tokens: TypeAlias = tuple[str, str]
DURABILITIES = {
    "sync": setup_pb2.DURABILITY_SYNC,
    "batch": setup_pb2.DURABILITY_BATCH,
    "off": setup_pb2.DURABILITY_OFF,
}
FIRST_MOVE = game_pb2.Action(index=0).SerializeToString()
CREATED_AT_ONCE = 32
# A frame of an agent has a limit in bytes; so many tokens fit well.
JOINS_PER_FRAME = 128
# A stream has a limit of matches, counted by handles.
TABLES_PER_STREAM = 500
PATIENCE_S = 120


@dataclass
class Job:
    """What one measurement is about.

    matches   how many are played at once; `pool` is how many in all
    streams   `one` for all matches, one for each `match`, or one for each `seat`
    until     the turn that is not answered any more; 0 for none
    frame     for the echo, what it answers with, in hexadecimal digits
    messages  for the echo, how many are to be answered
    profile   whether the loop of the server is profiled while it is measured
    """

    kind: str
    port: int
    pid: int
    token: str = ""
    matches: int = 1
    pool: int = 1
    streams: str = "one"
    durability: str = "sync"
    until: int = 0
    frame: str = ""
    messages: int = 0
    profile: bool = False


@lru_cache(maxsize=1 << 17)
def answer(handle: int, turn: int, attempt: int) -> bytes:
    """Return an answer as an entry of a frame; handles and turns come again and again."""
    said = play_pb2.Answer(handle=handle, turn=turn, attempt=attempt, action=FIRST_MOVE)
    return play_pb2.PlayRequest(messages=[play_pb2.AgentMessage(answer=said)]).SerializeToString()


class Pool:
    """The matches that are made and not played yet, and which of them each table has had."""

    def __init__(self, tokens: list[Tokens], meter: Meter) -> None:
        self._tokens: Iterator[Tokens] = iter(tokens)
        self._tables: dict[int, list[Tokens]] = {}
        self._meter = meter

    def take(self, table: int, number: int, seat: int) -> str | None:
        """Return the token of a seat for the so-manieth match at a table."""
        had = self._tables.setdefault(table, [])
        if number == len(had):
            tokens = next(self._tokens, None)
            if tokens is None:
                self._meter.whole.close(self._meter.moves)
                return None
            had.append(tokens)
        return had[number][seat]


class Stream:
    """One stream and the seats on it: (table, seat) by handle."""

    def __init__(self, job: Job, meter: Meter, pool: Pool, call: Any) -> None:
        self.seats: dict[int, tuple[int, int]] = {}
        self._numbers: dict[int, int] = {}
        self._open = 0
        self._until = job.until or 1 << 30
        self._enough = job.messages or 1 << 60
        self._frame = bytes.fromhex(job.frame)
        self._alone = job.matches == 1
        self._meter = meter
        self._pool = pool
        self._call = call
        self.held = asyncio.Event()
        self._waiting: set[int] = set()

    async def join_all(self) -> None:
        """Say hello, and take every seat."""
        hello = play_pb2.Hello(name="bench", protocol=1)
        await self._write(play_pb2.AgentMessage(hello=hello))
        messages: list[play_pb2.AgentMessage] = []
        for handle in self.seats:
            self._open += 1
            messages += self._join(handle)
        for at in range(0, len(messages), JOINS_PER_FRAME):
            await self._write(*messages[at : at + JOINS_PER_FRAME])

    async def _write(self, *messages: play_pb2.AgentMessage) -> None:
        await self._call.write(play_pb2.PlayRequest(messages=messages).SerializeToString())

    def _join(self, handle: int) -> list[play_pb2.AgentMessage]:
        """Return what takes the seat of a handle in its next match; nothing if there is none."""
        table, seat = self.seats[handle]
        number = self._numbers.get(handle, 0)
        self._numbers[handle] = number + 1
        token = self._pool.take(table, number, seat)
        if token is None:
            self._open -= 1
            return []
        join = play_pb2.Join(handle=handle, seat_token=token, skip_moves=True)
        commit = play_pb2.CommitShare(handle=handle)
        return [play_pb2.AgentMessage(join=join), play_pb2.AgentMessage(commit=commit)]

    async def play(self) -> None:
        """Answer whatever is asked until all matches are over, or enough was said."""
        read, write, meter = self._call.read, self._call.write, self._meter
        while isinstance(data := await read(), bytes):
            answers, other = self._answers(data, time.perf_counter())
            if answers:
                meter.count(len(answers), data)
                if meter.moves >= self._enough:
                    meter.play.close(meter.moves)
                    meter.whole.close(meter.moves)
                    return
            if answers or other:
                meter.sent_at = time.perf_counter()
                await write(b"".join(answers + other))
            elif not self._open:
                await self._call.done_writing()
                return

    def _answers(self, data: bytes, now: float) -> tuple[list[bytes], list[bytes]]:
        """Return the answers to a frame, and whatever else is to be said to it."""
        answers: list[bytes] = []
        other: list[bytes] = []
        until, add = self._until, answers.append
        for message in play_pb2.PlayResponse.FromString(data).messages:
            kind = message.WhichOneof("kind")
            if kind == "your_turn":
                asked = message.your_turn
                turn = asked.turn
                if turn == 1:
                    self._meter.start()
                elif self._alone:
                    self._meter.trips.append(now - self._meter.sent_at)
                if turn < until:
                    add(answer(asked.handle, turn, asked.attempt))
                else:
                    self._hold(asked.handle)
            elif kind != "event":
                other += self._other(kind, message)
        return answers, other

    def _other(self, kind: str | None, message: play_pb2.RefereeMessage) -> list[bytes]:
        if kind == "match_over":
            self._meter.play.close(self._meter.moves)
        elif kind == "match_closed":
            messages = self._join(message.match_closed.handle)
            if messages:
                return [play_pb2.PlayRequest(messages=messages).SerializeToString()]
        elif kind not in ("welcome", "seat_taken", "ping"):
            raise RuntimeError(f"nobody expects this: {message}")
        return []

    def _hold(self, handle: int) -> None:
        """Leave a turn open; one seat of each table is asked."""
        self._waiting.add(self.seats[handle][0])
        if 2 * len(self._waiting) == len(self.seats):
            self.held.set()


class EchoStream(Stream):
    """A stream to the echo, which is told a frame and answers with it, for ever."""

    async def join_all(self) -> None:
        """Say what shall be answered, and then the first answer to it."""
        await self._call.write(self._frame)
        self._meter.start()
        self._meter.sent_at = time.perf_counter()
        await self._call.write(answer(1, 2, 1))


# Jobs ------------------------------------------------------------------------------------------


async def create(channel: aio.Channel, job: Job, startup_ns: int = STARTUP_NS) -> list[Tokens]:
    """Make the matches of a job, and return the tokens of their seats."""
    call: Any = channel.unary_unary(
        CREATE,
        request_serializer=match_pb2.CreateMatchRequest.SerializeToString,
        response_deserializer=match_pb2.CreateMatchResponse.FromString,
    )
    request = match_pb2.CreateMatchRequest(
        ruleset="azul",
        seats=[setup_pb2.Seat(agent="one"), setup_pb2.Seat(agent="two")],
        # Generous: no clock shall fall, however busy the machine is.
        clock=setup_pb2.ClockRule(
            move_limit_ns=LIMIT_NS, bank_ns=30 * LIMIT_NS, startup_ns=startup_ns
        ),
        durability=DURABILITIES[job.durability],
    )
    metadata = (("authorization", f"Bearer {job.token}"),)
    gate = asyncio.Semaphore(CREATED_AT_ONCE)

    async def make() -> Tokens:
        async with gate:
            made = await call(request, metadata=metadata)
        first, second = made.tokens
        return first.token, second.token

    return await asyncio.gather(*(make() for _ in range(job.pool)))


class Load:
    """A job that is being done."""

    def __init__(self, job: Job) -> None:
        self.job = job
        self.meter = Meter(Window(job.pid), Window(job.pid, profile=job.profile), job.matches)
        self._channel = aio.insecure_channel(
            f"127.0.0.1:{job.port}", options=(("grpc.use_local_subchannel_pool", 1),)
        )
        self._streams: list[Stream] = []
        self._tasks: list[asyncio.Task[None]] = []

    async def begin(self) -> None:
        """Make the matches, open the streams and start to play."""
        job = self.job
        tokens = await create(self._channel, job) if job.kind == "play" else []
        pool = Pool(tokens, self.meter)
        method = PLAY if job.kind == "play" else ECHO
        kind = Stream if job.kind == "play" else EchoStream
        connect: Any = self._channel.stream_stream(method)
        for seats in self._seats():
            stream = kind(job, self.meter, pool, connect())
            stream.seats = dict(enumerate(seats, 1))
            self._streams.append(stream)
        # A second seat has a stream of its own also at the echo, which then has nothing to say.
        busy = self._streams[: job.matches] if job.kind == "echo" else self._streams
        self._tasks = [asyncio.create_task(stream.play()) for stream in busy]
        for stream in busy:
            await stream.join_all()

    def _seats(self) -> list[list[tuple[int, int]]]:
        """Return which seats of which tables each stream has."""
        tables = range(self.job.matches)
        if self.job.streams == "seat":
            return [[(table, seat)] for seat in (0, 1) for table in tables]
        size = self.job.matches if self.job.streams == "one" else 1
        size = min(size, TABLES_PER_STREAM)
        return [
            [(table, seat) for table in tables[at : at + size] for seat in (0, 1)]
            for at in range(0, self.job.matches, size)
        ]

    async def end(self) -> dict[str, Any]:
        """Wait until all is played, and return what was measured."""
        for task in asyncio.as_completed(self._tasks, timeout=PATIENCE_S):
            await task
            if self.job.kind == "echo":
                break
        await self.close()
        return self.meter.told()

    async def hold(self) -> None:
        """Wait until every match has come to the turn that nobody answers."""
        async with asyncio.timeout(PATIENCE_S):
            for stream in self._streams:
                await stream.held.wait()

    async def close(self) -> None:
        """Hang up."""
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        await self._channel.close()


async def main() -> None:
    """Do every job that a line on standard input describes; `hold` jobs last until the next."""
    assert "referee.rules" not in sys.modules
    loop = asyncio.get_running_loop()
    held: Load | None = None
    while (line := (await loop.run_in_executor(None, sys.stdin.readline)).strip()) not in (
        "",
        "stop",
    ):
        if held is not None:
            await held.close()
            held = None
        load = Load(Job(**json.loads(line)))
        await load.begin()
        if load.job.until:
            held = load
            await load.hold()
            told = {}
        else:
            told = await load.end()
        print(json.dumps(told), flush=True)


if __name__ == "__main__":
    run_loop(main())
