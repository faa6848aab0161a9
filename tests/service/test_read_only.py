"""A data directory that can only be read: nothing is served from it, and nothing is lost."""

import errno
from pathlib import Path

import grpc
import pytest

from referee.service import house as house_module
from referee.service.app import Running, start
from referee.service.auth import Role
from referee.service.settings import Settings
from referee.v1 import play_pb2 as pb
from tests.service.faulty import FaultyDisk, no_fault, read_only
from tests.service.here import address, create, play, seats_of, serving, until
from tests.service.hostile.calls import Calls, answer, reason_of
from tests.service.hostile.court import index, table
from tests.service.requests import assert_proved, finished, kinds, request


def files(folder: Path) -> dict[Path, bytes]:
    """Return all files of a folder."""
    return {path: path.read_bytes() for path in folder.rglob("*") if path.is_file()}


@pytest.mark.parametrize("known", [False, True], ids=["a new folder", "a folder with a match"])
async def test_no_referee_starts_in_it(tmp_path: Path, known: bool) -> None:
    """It says so and leaves all as it was; where it can write again, the match goes on."""
    if known:
        async with serving(tmp_path) as running:
            made = await create(running, request(round_cap=1))
    before = files(tmp_path)
    disk = FaultyDisk()
    disk.fault = read_only
    with pytest.raises(OSError, match="made to fail") as caught:
        await start(Settings(data=tmp_path, port=0), disk=disk)
    assert caught.value.errno == errno.EROFS
    assert files(tmp_path) == before
    if known:
        async with serving(tmp_path) as running:
            await play(running, seats_of(made))
        assert "game_over" in kinds(finished(tmp_path, bytes.fromhex(made.match.match_id)))


async def test_a_folder_that_becomes_read_only(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nothing is acknowledged any more, what is finished can be read, and then all is voided."""
    monkeypatch.setattr(house_module, "RETRY_S", 0.02)
    disk = FaultyDisk()
    async with serving(tmp_path, disk=disk) as running, organiser(running) as calls:
        old = await create(running, request(round_cap=1))
        await play(running, seats_of(old))
        made = await create(running, request())
        host = running.house.hosts[bytes.fromhex(made.match.match_id)]
        async with table(calls, made) as game:
            await game.play(4)
            seat, asked = await game.turn()
            disk.fault = read_only
            await game.talks[seat].say(answer(asked.turn, asked.attempt, index(0)))
            await until(lambda: host.stopped)
            with pytest.raises(grpc.aio.AioRpcError) as caught:
                await calls.send("CreateMatch", request().SerializeToString())
            assert reason_of(caught.value) == "STORAGE"
            found = await calls.ask("GetTranscript", match_id=old.match.match_id)
            assert found.signed
            for talk in game.talks:
                await talk.sync()
                told = [said for data in talk.kept for said in messages(data)]
                assert sum(said.event.event.record.HasField("move") for said in told) == 4
                assert not any(said.HasField("match_over") for said in told)
            disk.fault = no_fault
            for talk in game.talks:
                assert (await talk.hear("match_over")).match_over.HasField("voided")
                await talk.hear("match_closed")
        await until(lambda: not running.house.hosts)
        again = await create(running, request(round_cap=1))
        await play(running, seats_of(again))
        await until(lambda: not running.house.hosts)
    for one in (old, made, again):
        assert_proved(finished(tmp_path, bytes.fromhex(one.match.match_id)))
    moves = kinds(finished(tmp_path, bytes.fromhex(made.match.match_id))).count("move")
    assert moves == 4


def messages(data: bytes) -> list[pb.RefereeMessage]:
    """Return what a frame says."""
    return list(pb.PlayResponse.FromString(data).messages)


def organiser(running: Running) -> Calls:
    """Open a channel as an organiser."""
    return Calls(address(running), running.house.credentials.issue(Role.ORGANISER, "reader"))
