"""A referee that is stopped, paused or full goes on, and nobody is charged for it."""

import asyncio
import os
import random
import signal
from pathlib import Path

from referee.service.timing import Clock
from referee.transcript.result import TIME
from referee.v1 import play_pb2 as pb
from referee.v1 import setup_pb2
from tests.service.here import address, create, play, seats_of, serving
from tests.service.process import Referee
from tests.service.raw_agent import RawAgent, Seat, always
from tests.service.requests import (
    SECOND_NS,
    assert_kept,
    assert_proved,
    finished,
    records,
    request,
)

OPEN = 100
IDLE = 1_000
STOPPED_S = 1.5


async def test_a_referee_that_is_told_to_stop_leaves_nothing_undone(tmp_path: Path) -> None:
    """With 100 matches in play it ends in order, and the next one takes all of them up."""
    async with Referee(tmp_path) as referee:
        await referee.start()
        tables = []
        for number in range(OPEN):
            made = await referee.create(request(request_id=f"{number}", round_cap=1))
            assert made is not None
            tables.append(seats_of(made, number))
        playing, told = asyncio.Event(), 0

        def hear(_seat: Seat | None, _message: pb.RefereeMessage) -> None:
            nonlocal told
            told += 1
            if told > 10 * OPEN:
                playing.set()

        async def connect() -> str:
            await referee.up.wait()
            return referee.address

        seats = [seat for table in tables for seat in table]
        async with asyncio.timeout(60), asyncio.TaskGroup() as group:
            for half in (seats[::2], seats[1::2]):
                group.create_task(RawAgent(half, connect, hear).play())
            await playing.wait()
            await referee.prepare()
            await referee.stop()
            assert "exception" not in referee.log
            await referee.start()
            assert referee.log.count('"match resumed"') > OPEN // 2
        await referee.stop()
    resumed = 0
    for table in tables:
        taken = table[0].taken
        assert taken is not None
        transcript = finished(tmp_path, taken.match_id)
        assert_proved(transcript)
        assert_kept(transcript, table)
        resumed += sum(record.HasField("restart") for record in records(transcript))
    assert resumed > OPEN // 2


async def test_a_paused_machine_is_charged_to_nobody(tmp_path: Path) -> None:
    """An answer that waited for a stopped process is credited for it, and no clock falls."""
    clock = setup_pb2.ClockRule(move_limit_ns=SECOND_NS, bank_ns=20 * SECOND_NS)
    async with Referee(tmp_path) as referee:
        await referee.start()
        tables = []
        for number in range(4):
            made = await referee.create(request(clock=clock, round_cap=2))
            assert made is not None
            tables.append(seats_of(made, number))
        stopped = asyncio.Event()

        def hear(_seat: Seat | None, message: pb.RefereeMessage) -> None:
            if message.WhichOneof("kind") == "your_turn" and message.your_turn.turn == 6:
                # The answer is written when nobody is there to read it.
                if not stopped.is_set():
                    referee.signal(signal.SIGSTOP)
                stopped.set()

        async with asyncio.timeout(60), asyncio.TaskGroup() as group:
            for table in tables:
                group.create_task(RawAgent(table, always(referee.address), hear).play())
            await stopped.wait()
            # The one wait that has to be real: the process has to be away for longer than a move.
            await asyncio.sleep(STOPPED_S)
            referee.signal(signal.SIGCONT)
        await referee.stop()
    credited = []
    for table in tables:
        assert table[0].taken is not None
        transcript = finished(tmp_path, table[0].taken.match_id)
        assert_proved(transcript)
        for record in records(transcript):
            assert not record.HasField("seat_out") or record.seat_out.reason != TIME
            if record.HasField("move"):
                timing = record.move.timing
                assert timing.charged_ns < SECOND_NS
                credited.append(timing.credited_ns)
    assert max(credited) > (STOPPED_S - 0.1) * SECOND_NS


class JumpingClock(Clock):
    """A clock whose time of day goes wild by hours, forward and back."""

    def __init__(self) -> None:
        self._rng = random.Random(7)

    def utc_s(self) -> int:
        """Return some time of day."""
        return 1_700_000_000 + self._rng.choice((-1, 0, 1)) * 3_600 * self._rng.randrange(100)


async def test_steps_of_the_time_of_day_change_nothing(tmp_path: Path) -> None:
    """It is shown, but no clock and no order follows it."""
    async with serving(tmp_path, clock=JumpingClock()) as running:
        tables = []
        for number in range(6):
            made = await create(running, request(round_cap=2))
            tables.append(seats_of(made, number))
        await play(running, [seat for table in tables for seat in table])
    sequences, days = [], set()
    for table in tables:
        assert table[0].taken is not None
        transcript = finished(tmp_path, table[0].taken.match_id)
        assert_proved(transcript)
        setup = setup_pb2.Setup.FromString(transcript.frames[0][0].setup)
        sequences.append(setup.sequence)
        days.add(setup.created_utc_s)
        for record in records(transcript):
            assert not record.HasField("seat_out")
            if record.HasField("move"):
                assert record.move.timing.charged_ns < SECOND_NS
    assert sequences == sorted(sequences)
    assert len(days) > 1


def _status(pid: int, name: str) -> int:
    lines = Path(f"/proc/{pid}/status").read_text().splitlines()
    return next(int(line.split()[1]) for line in lines if line.startswith(name))


async def test_a_thousand_idle_matches_cost_little(tmp_path: Path) -> None:
    """One process holds them with few descriptors, and a bounded piece of memory each."""
    async with Referee(tmp_path, start_window_ns=600 * SECOND_NS) as referee:
        await referee.start()
        before = _status(referee.pid, "VmRSS")
        tokens: list[str] = []
        for start in range(0, IDLE, 50):
            wanted = [request(request_id=f"{start + n}") for n in range(50)]
            made = await asyncio.gather(*(referee.create(one) for one in wanted))
            tokens += [one.tokens[0].token for one in made if one is not None]
        assert len(tokens) == IDLE
        seats = [Seat(token, random.Random(1)) for token in tokens]
        joined = asyncio.Event()
        left = set(map(id, seats))

        def hear(seat: Seat | None, message: pb.RefereeMessage) -> None:
            if message.WhichOneof("kind") == "seat_taken":
                left.discard(id(seat))
            if not left:
                joined.set()

        agents = [RawAgent(seats[n::4], always(referee.address), hear) for n in range(4)]
        tasks = [asyncio.create_task(agent.play()) for agent in agents]
        async with asyncio.timeout(60):
            await joined.wait()
        grown = _status(referee.pid, "VmRSS") - before
        descriptors = len(os.listdir(f"/proc/{referee.pid}/fd"))  # noqa: PTH208
        print(f"{IDLE} idle matches: {grown} kB more, {descriptors} descriptors")
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        assert descriptors < 100
        assert grown < 60 * IDLE


class SuspendedClock(Clock):
    """A clock of a machine that sleeps now and then: nothing runs, and two seconds are gone."""

    def __init__(self) -> None:
        self.slept_ns = 0

    def now_ns(self) -> int:
        """Return the time with all that was slept."""
        return super().now_ns() + self.slept_ns


async def test_an_answer_that_is_read_before_the_next_beat_is_credited_too(tmp_path: Path) -> None:
    """A pause counts from the first thing that is read after it, whatever else runs first."""
    limit = setup_pb2.ClockRule(move_limit_ns=SECOND_NS)
    clock = SuspendedClock()

    def sleep(_seat: Seat | None, message: pb.RefereeMessage) -> None:
        if message.WhichOneof("kind") == "your_turn":
            clock.slept_ns += 2 * SECOND_NS

    async with serving(tmp_path, clock=clock) as running:
        made = await create(running, request(clock=limit, round_cap=2))
        seats = seats_of(made)
        async with asyncio.timeout(30):
            await RawAgent(seats, always(address(running)), sleep).play()
    for record in records(finished(tmp_path, bytes.fromhex(made.match.match_id))):
        assert not record.HasField("seat_out")
        if record.HasField("move"):
            assert record.move.timing.credited_ns > 1.9 * SECOND_NS
