"""What the machine does to a referee, beside 20 honest tables (`make soak-hostile`).

Where the referee can go on, no honest match may notice anything. Where it has to end, all of
them must go on at the next start, to their ends.
"""

import asyncio
import contextlib
import resource
import signal
import socket
from collections.abc import Awaitable, Callable
from pathlib import Path

from referee.service.auth import Role
from referee.service.settings import SECOND_NS
from referee.service.storage.layout import Layout
from referee.transcript import reader
from referee.v1 import play_pb2 as pb
from tests.service.faulty import EIO, ENOSPC, Fault, FaultyDisk, no_fault, read_only
from tests.service.here import address, create, seats_of, serving, until
from tests.service.hostile.calls import Calls
from tests.service.hostile.court import table as seated
from tests.service.hostile.healthy import (
    MOST_CHARGED_NS,
    Enduring,
    Healthy,
    most_charged_ns,
)
from tests.service.process import Died, Referee
from tests.service.raw_agent import RawAgent, always
from tests.service.requests import assert_proved, finished, kinds, records, request

TABLES = 20
OPEN = 100
DESCRIPTORS = 400
STOPPED_S = 30.0
MORE = 2 * TABLES
WAIT_S = 120


async def more(healthy: Healthy) -> None:
    """Wait until some more honest matches have ended."""
    before = healthy.played
    async with asyncio.timeout(WAIT_S):
        while healthy.played < before + MORE:
            healthy.look()
            await asyncio.sleep(0.01)


# Nobody notices ---------------------------------------------------------------------------------


def failing(operation: str, error: int, victim: Path) -> Fault:
    """Let the journal fail, and the file of one match, which the others are rescued from."""

    def ask(asked: str, path: Path) -> int | None:
        if path.parent.name == "journal" and asked == "pwrite":
            return EIO
        return error if asked == operation and path == victim else None

    return ask


async def failing_disk(data: Path, operation: str, error: int) -> int:
    """Let the disk fail one match, which is void when it is back; return what ended beside it."""
    disk = FaultyDisk()
    async with serving(data, disk=disk) as running:
        organiser = running.house.credentials.issue(Role.ORGANISER, "soak")
        async with Healthy(address(running), organiser, TABLES) as healthy:
            made = await create(running, request())
            match_id = bytes.fromhex(made.match.match_id)
            host = running.house.hosts[match_id]
            disk.fault = failing(operation, error, Layout(data).open_path(match_id))
            playing = asyncio.create_task(RawAgent(seats_of(made), always(address(running))).play())
            await until(lambda: host.stopped)
            await more(healthy)
            disk.fault = no_fault
            async with asyncio.timeout(WAIT_S):
                await playing
    transcript = finished(data, match_id)
    assert_proved(transcript)
    assert "voided" in kinds(transcript)
    return healthy.played


async def disk_full(data: Path) -> int:
    """Take the space for one match away."""
    return await failing_disk(data, "pwrite", ENOSPC)


async def no_sync(data: Path) -> int:
    """Let fsync fail for one match."""
    return await failing_disk(data, "sync", EIO)


async def second_referee(data: Path) -> int:
    """Start another referee on the same port, and one on the same folder."""
    async with Referee(data) as referee:
        await referee.start()
        async with Healthy(referee.address, referee.organiser, TABLES) as healthy:
            for folder, port in ((data.with_name(f"{data.name}.second"), referee.port), (data, 0)):
                async with Referee(folder, port=port) as second:
                    try:
                        await second.start()
                    except Died:
                        continue
                    raise AssertionError(f"two referees on {folder}:{port}")
            await more(healthy)
        await referee.stop()
    return healthy.played


async def few_descriptors(data: Path) -> int:
    """Hold more connections than are taken: whoever was there plays on, and files are written."""
    async with Referee(data) as referee, contextlib.AsyncExitStack() as stack:
        await referee.prepare()
        assert referee._next is not None
        limit = (DESCRIPTORS, DESCRIPTORS)
        resource.prlimit(referee._next.pid, resource.RLIMIT_NOFILE, limit)
        await referee.start()
        calls = await stack.enter_async_context(Calls(referee.address, referee.organiser))
        games = []
        for _ in range(TABLES):
            made = await calls.send("CreateMatch", request().SerializeToString())
            games.append(await stack.enter_async_context(seated(calls, made)))
        for _ in range(2 * DESCRIPTORS):
            one = stack.enter_context(socket.socket())
            one.setblocking(False)
            one.connect_ex(("127.0.0.1", referee.port))
        for game in games:
            await game.play(8)
            seat, _ = await game.turn()
            await game.talks[seat].say(pb.AgentMessage(give_up=pb.GiveUp(handle=1)))
            await game.talks[1 - seat].hear("match_closed")
            found = await calls.ask("GetTranscript", match_id=game.match_id)
            assert_proved(reader.read(found.data))
        assert "Too many open files" not in referee.log
    return len(games)


async def paused(data: Path) -> int:
    """Stop the process for 30 s in the middle of all matches: it is charged to nobody."""
    async with Referee(data) as referee:
        await referee.start()
        tables = []
        for number in range(TABLES):
            made = await referee.create(request(round_cap=2))
            assert made is not None
            tables.append(seats_of(made, number))
        middle = asyncio.Event()

        def hear(_seat: object, message: pb.RefereeMessage) -> None:
            if message.your_turn.turn == 6 and not middle.is_set():
                # Some answers are written when nobody is there to read them.
                referee.signal(signal.SIGSTOP)
                middle.set()

        agents = [RawAgent(table, always(referee.address), hear) for table in tables]
        async with asyncio.timeout(WAIT_S), asyncio.TaskGroup() as group:
            for agent in agents:
                group.create_task(agent.play())
            await middle.wait()
            # The one wait that has to be real: nothing tells that a process is away.
            await asyncio.sleep(STOPPED_S)
            referee.signal(signal.SIGCONT)
        await referee.stop()
    credited = []
    for table in tables:
        assert table[0].taken is not None
        transcript = finished(data, table[0].taken.match_id)
        assert_proved(transcript)
        assert "seat_out" not in kinds(transcript)
        assert most_charged_ns(transcript) < MOST_CHARGED_NS
        moves = [one.move for one in records(transcript) if one.HasField("move")]
        credited += [move.timing.credited_ns for move in moves]
    assert max(credited) > (STOPPED_S - 1) * SECOND_NS
    return TABLES


# All go on at the next start --------------------------------------------------------------------


async def stopped(data: Path) -> int:
    """Stop the referee, with 100 more matches open, and start it again."""
    async with Referee(data, reconnect_ns=60 * SECOND_NS) as referee:
        await referee.start()
        made = await asyncio.gather(*(referee.create(request(round_cap=1)) for _ in range(OPEN)))
        async with Enduring(referee, TABLES) as healthy:
            async with Calls(referee.address) as calls:
                for one in made[:10]:
                    assert one is not None
                    async with seated(calls, one) as game:
                        await game.play(2)
            await referee.prepare()
            await referee.stop()
            await referee.start()
            await more(healthy)
            seats = [seat for one in made if one is not None for seat in seats_of(one)]
            async with asyncio.timeout(WAIT_S):
                await RawAgent(seats, always(referee.address)).play()
            await more(healthy)
        await referee.stop()
    for one in made:
        assert one is not None
        assert "game_over" in kinds(finished(data, bytes.fromhex(one.match.match_id)))
    return healthy.played


async def read_only_folder(data: Path) -> int:
    """Let the folder be read-only for a while: every match is void, and new ones are honest."""
    disk = FaultyDisk()
    async with serving(data, disk=disk) as running:
        organiser = running.house.credentials.issue(Role.ORGANISER, "soak")
        tables = [await create(running, request()) for _ in range(TABLES)]
        playing = set()
        broken = asyncio.Event()

        def hear(seat: object, message: pb.RefereeMessage) -> None:
            if message.WhichOneof("kind") == "your_turn":
                playing.add(id(seat))
            if len(playing) >= TABLES and not broken.is_set():
                broken.set()
                disk.fault = read_only

        agents = [RawAgent(seats_of(one), always(address(running)), hear) for one in tables]
        tasks = [asyncio.create_task(agent.play()) for agent in agents]
        hosts = list(running.house.hosts.values())
        await until(lambda: all(host.stopped for host in hosts))
        disk.fault = no_fault
        async with asyncio.timeout(WAIT_S):
            await asyncio.gather(*tasks)
        async with Healthy(address(running), organiser, TABLES) as healthy:
            await more(healthy)
    for one in tables:
        transcript = finished(data, bytes.fromhex(one.match.match_id))
        assert_proved(transcript)
        assert "voided" in kinds(transcript)
    return healthy.played


CASES: dict[str, Callable[[Path], Awaitable[int]]] = {
    "disk full": disk_full,
    "EIO on fsync": no_sync,
    "a second referee": second_referee,
    "descriptor limit": few_descriptors,
    "SIGSTOP for 30 s": paused,
    "SIGTERM with 100 open": stopped,
    "read-only directory": read_only_folder,
}
