"""A disk that fails costs the match concerned, and nobody else anything."""

import asyncio
import threading
from pathlib import Path

import grpc
import pytest

from referee.service import house as house_module
from referee.service.app import Running
from referee.service.auth import Caller, Principal, Role
from referee.service.errors import ServiceError
from referee.service.storage.disk import RealDisk
from referee.service.storage.layout import Layout
from referee.v1 import play_pb2 as pb
from referee.v1 import setup_pb2
from referee.v1.error_pb2 import ErrorReason
from referee.v1.match_pb2 import (
    AbortMatchRequest,
    CreateMatchRequest,
    CreateMatchResponse,
    GetMatchRequest,
)
from tests.service.faulty import EIO, ENOSPC, Fault, FaultyDisk, no_fault
from tests.service.here import address, create, play, seats_of, serving, until
from tests.service.raw_agent import RawAgent, Seat, always
from tests.service.requests import assert_kept, assert_proved, finished, kinds, request

FAULTS = [
    pytest.param("pwrite", ENOSPC, id="no space"),
    pytest.param("pwrite", "short", id="a short write"),
    pytest.param("pwrite", EIO, id="a failed write"),
    pytest.param("sync", EIO, id="a failed sync"),
    pytest.param("open", EIO, id="a failed open"),
]


@pytest.fixture(autouse=True)
def _retry_soon(monkeypatch: pytest.MonkeyPatch) -> None:
    """Try again in a moment whether a match can be voided."""
    monkeypatch.setattr(house_module, "RETRY_S", 0.02)


def fails(operation: str, fault: int | str, files: set[Path]) -> Fault:
    """Let the journal fail, and these files, which matches are rescued to."""

    def ask(asked: str, path: Path) -> int | str | None:
        if path.parent.name == "journal" and asked == "pwrite":
            return EIO
        return fault if asked == operation and path in files else None

    return ask


@pytest.mark.parametrize(("operation", "fault"), FAULTS)
async def test_only_the_match_that_cannot_be_written_is_void(
    tmp_path: Path, operation: str, fault: int | str
) -> None:
    """It is voided as soon as the disk is back, and none of it was told that is not kept."""
    disk = FaultyDisk()
    async with serving(tmp_path, disk=disk) as running:
        tables = []
        for _ in range(4):
            made = await create(running, request(round_cap=2))
            tables.append((bytes.fromhex(made.match.match_id), seats_of(made)))
        bad_id, bad = tables[0]
        path = Layout(tmp_path).open_path(bad_id)
        told_since: list[str | None] = []

        def hear(seat: Seat | None, message: pb.RefereeMessage) -> None:
            kind = message.WhichOneof("kind")
            if disk.fault is not no_fault and seat in bad and disk.failed:
                told_since.append(kind)
            if seat is bad[0] and kind == "your_turn" and message.your_turn.turn > 4:
                disk.fault = fails(operation, fault, {path})

        everybody = [seat for _, seats in tables[1:] for seat in seats]
        async with asyncio.timeout(60), asyncio.TaskGroup() as group:
            agents = [RawAgent(bad, always(address(running)), hear)]
            agents.append(RawAgent(everybody, always(address(running))))
            tasks = [group.create_task(agent.play()) for agent in agents]
            # Whoever writes to a file of his own plays on, although the journal fails.
            await tasks[1]
            assert not tasks[0].done()
            disk.fault = no_fault
    assert disk.failed
    assert {"event", "match_over"}.isdisjoint(told_since)
    transcript = finished(tmp_path, bad_id)
    assert kinds(transcript)[-3:] == ["voided", "seed_reveal", "signature"]
    assert all(seat.over is not None and seat.over.HasField("voided") for seat in bad)
    for match_id, seats in tables:
        transcript = finished(tmp_path, match_id)
        assert_proved(transcript)
        assert_kept(transcript, seats)
        assert ("voided" in kinds(transcript)) is (match_id == bad_id)


async def test_an_agent_that_comes_while_the_disk_fails_hears_of_the_end(tmp_path: Path) -> None:
    """A stream that was lost and came back before the match was voided is told, too."""
    disk = FaultyDisk()
    async with serving(tmp_path, disk=disk) as running:
        made = await create(running, request(round_cap=2))
        match_id = bytes.fromhex(made.match.match_id)
        seats = seats_of(made)
        failed = asyncio.Event()

        def hear(seat: Seat | None, message: pb.RefereeMessage) -> None:
            if message.WhichOneof("kind") == "your_turn" and message.your_turn.turn > 4:
                disk.fault = fails("pwrite", EIO, {Layout(tmp_path).open_path(match_id)})
                failed.set()

        playing = asyncio.create_task(RawAgent(seats, always(address(running)), hear).play())
        await failed.wait()
        host = running.house.hosts[match_id]
        await until(lambda: host.stopped)
        playing.cancel()
        await asyncio.wait((playing,))
        async with asyncio.timeout(20), asyncio.TaskGroup() as group:
            again = [RawAgent([seat], always(address(running))) for seat in seats]
            for agent in again:
                group.create_task(agent.play())
            await until(lambda: len(host._joining) == len(seats))
            disk.fault = no_fault
    assert all(seat.over is not None and seat.over.HasField("voided") for seat in seats)
    assert_kept(finished(tmp_path, match_id), seats)


async def test_calls_are_answered_while_a_match_fails(tmp_path: Path) -> None:
    """Whoever asks for the match or stops it in that moment is not left waiting."""
    disk = FaultyDisk()
    async with serving(tmp_path, disk=disk) as running:
        made = await create(running, request(round_cap=2))
        match_id = made.match.match_id
        calls, caller = running.server._calls, Caller(Principal(Role.ORGANISER), loopback=True)
        host = running.house.hosts[bytes.fromhex(match_id)]
        path = Layout(tmp_path).open_path(bytes.fromhex(match_id))
        disk.fault = fails("pwrite", EIO, {path})
        abort = AbortMatchRequest(match_id=match_id)
        async with asyncio.timeout(20):
            aborting = asyncio.create_task(calls.abort_match(abort, caller))
            await until(lambda: host.busy or host.stopped)
            looking = asyncio.create_task(
                calls.get_match(GetMatchRequest(match_id=match_id), caller)
            )
            with pytest.raises(ServiceError):
                await aborting
            await looking
            with pytest.raises(ServiceError):
                await calls.abort_match(abort, caller)
        disk.fault = no_fault
        await until(lambda: not running.house.hosts)
    assert kinds(finished(tmp_path, bytes.fromhex(match_id)))[-3] == "voided"


async def create_at_last(running: Running, wanted: CreateMatchRequest) -> CreateMatchResponse:
    """Ask for a match until the referee has written it."""
    while True:
        try:
            return await create(running, wanted)
        except grpc.aio.AioRpcError as error:
            if "written" not in str(error.details()):
                raise
            await asyncio.sleep(0.01)


CREATIONS = [
    pytest.param("journal", "pwrite", id="frame 0"),
    pytest.param("secrets", "write_private", id="the secret"),
]


@pytest.mark.parametrize(("folder", "operation"), CREATIONS)
async def test_a_match_that_cannot_be_made_can_be_asked_for_again(
    tmp_path: Path, folder: str, operation: str
) -> None:
    """The caller is told of the disk; the same request makes one match once it is back."""
    disk = FaultyDisk()
    wanted = request(request_id="once", round_cap=2)
    async with serving(tmp_path, disk=disk) as running:

        def ask(asked: str, path: Path) -> int | None:
            there = path.parent.name in (folder, "open" if folder == "journal" else "")
            return ENOSPC if asked == operation and there else None

        disk.fault = ask
        with pytest.raises(grpc.aio.AioRpcError) as refused:
            await create(running, wanted)
        assert "could not be written" in str(refused.value.details())
        disk.fault = no_fault
        made = await create_at_last(running, wanted)
    async with serving(tmp_path) as running:
        again = await create(running, wanted)
        assert again.match.match_id == made.match.match_id
        assert len(running.house.hosts) == 1
        await play(running, seats_of(again))
    assert_proved(finished(tmp_path, bytes.fromhex(made.match.match_id)))


async def test_only_its_own_request_knows_of_a_match_that_is_not_made_yet(tmp_path: Path) -> None:
    """To others there is no such match; whoever asks for it again, or twice, hears of the disk."""
    disk = FaultyDisk()
    wanted = request(request_id="once", round_cap=2)
    async with serving(tmp_path, disk=disk) as running:
        calls, caller = running.server._calls, Caller(Principal(Role.ORGANISER), loopback=True)
        disk.fault = lambda asked, _path: ENOSPC if asked == "write_private" else None
        asked = [calls.create_match(wanted, caller) for _ in range(2)]
        for refused in await asyncio.gather(*asked, return_exceptions=True):
            assert isinstance(refused, ServiceError)
            assert refused.reason == ErrorReason.ERROR_REASON_STORAGE
        [match_id] = running.house.hosts
        with pytest.raises(ServiceError) as refusal:
            await calls.create_match(wanted, caller)
        assert refusal.value.reason == ErrorReason.ERROR_REASON_STORAGE
        for call in (
            calls.abort_match(AbortMatchRequest(match_id=match_id.hex()), caller),
            calls.get_match(GetMatchRequest(match_id=match_id.hex()), caller),
        ):
            with pytest.raises(ServiceError) as refusal:
                await call
            assert refusal.value.reason == ErrorReason.ERROR_REASON_MATCH_NOT_FOUND
        disk.fault = no_fault
        made = await create_at_last(running, wanted)
        assert made.match.match_id == match_id.hex()


async def test_a_match_whose_commitment_fails_is_made_when_the_disk_is_back(
    tmp_path: Path,
) -> None:
    """Nothing was promised yet, so the same request finds a match that can be played."""
    disk = FaultyDisk()
    wanted = request(request_id="once", round_cap=2)
    async with serving(tmp_path, disk=disk) as running:

        def after_the_secret(asked: str, path: Path) -> int | None:
            if asked == "write_private":
                disk.fault = lambda asked, path: ENOSPC if asked == "pwrite" else None
            return None

        disk.fault = after_the_secret
        with pytest.raises(grpc.aio.AioRpcError):
            await create(running, wanted)
        asked, making = threading.Event(), threading.Event()

        def not_before_it_was_asked_for(operation: str, _path: Path) -> None:
            if operation == "write_private":
                making.set()
                asked.wait(10)

        disk.fault = not_before_it_was_asked_for
        await until(making.is_set)
        with pytest.raises(grpc.aio.AioRpcError):
            await create(running, wanted)
        asked.set()
        async with asyncio.timeout(20):
            made = await create_at_last(running, wanted)
            seats = seats_of(made)
            await play(running, seats)
    transcript = finished(tmp_path, bytes.fromhex(made.match.match_id))
    assert_proved(transcript)
    assert_kept(transcript, seats)
    assert "game_over" in kinds(transcript)


async def test_a_seed_that_cannot_be_read_keeps_no_other_match_waiting(tmp_path: Path) -> None:
    """The match is left alone until the disk gives its seed; the others are taken up."""
    async with serving(tmp_path) as running:
        bad, good = [await create(running, request(round_cap=2)) for _ in range(2)]
    disk = FaultyDisk()
    disk.fault = lambda asked, path: (
        EIO if asked == "read" and path.name == bad.match.match_id else None
    )
    async with serving(tmp_path, disk=disk) as running:
        assert [id_.hex() for id_ in running.house.hosts] == [good.match.match_id]
    for made in (bad, good):
        async with serving(tmp_path) as running:
            await play(running, seats_of(made))
        assert_proved(finished(tmp_path, bytes.fromhex(made.match.match_id)))


class Watched(RealDisk):
    """A real disk that remembers what was written, synced and deleted, in order."""

    def __init__(self) -> None:
        self.done: list[tuple[str, Path, bytes]] = []
        self._paths: dict[int, Path] = {}

    def open(self, path: Path, *, create: bool = False) -> int:
        """Open a file, and remember which it is."""
        descriptor = super().open(path, create=create)
        self._paths[descriptor] = path
        return descriptor

    def pwrite(self, descriptor: int, data: bytes, offset: int) -> int:
        """Write, and remember it."""
        self.done.append(("write", self._paths[descriptor], bytes(data)))
        return super().pwrite(descriptor, data, offset)

    def sync(self, descriptor: int) -> None:
        """Sync, and remember it."""
        super().sync(descriptor)
        self.done.append(("sync", self._paths[descriptor], b""))

    def unlink(self, path: Path) -> None:
        """Delete, and remember it."""
        self.done.append(("unlink", path, b""))
        super().unlink(path)


@pytest.mark.parametrize(
    "durability",
    [setup_pb2.DURABILITY_SYNC, setup_pb2.DURABILITY_BATCH, setup_pb2.DURABILITY_OFF],
    ids=["sync", "batch", "off"],
)
async def test_a_seed_is_deleted_when_its_reveal_is_durable(
    tmp_path: Path, durability: setup_pb2.Durability.ValueType
) -> None:
    """Whatever a match asks for, a loss of power never takes its seed with it."""
    disk = Watched()
    async with serving(tmp_path, disk=disk) as running:
        made = await create(running, request(durability=durability, round_cap=1))
        seed = running.house.secrets.get(bytes.fromhex(made.match.match_id))
        assert seed is not None
        await play(running, seats_of(made))
        await until(lambda: not running.house.hosts)
    [gone] = [
        at
        for at, (what, path, _) in enumerate(disk.done)
        if what == "unlink" and path.parent.name == "secrets"
    ]
    before = disk.done[:gone]
    shown = [(at, path) for at, (what, path, data) in enumerate(before) if seed in data]
    assert any(("sync", path, b"") in before[at:] for at, path in shown)
