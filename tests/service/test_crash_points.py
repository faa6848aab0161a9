"""A referee that dies at an exact point of its work, and what the next start makes of it."""

import asyncio
import random
import re
from pathlib import Path

import pytest

from referee.service.app import KEY_FILE
from referee.service.resuming import LOST_SECRET, ForeignKey
from referee.service.storage.layout import Layout
from referee.transcript.finding import Level
from referee.transcript.verify import Status, verify
from referee.v1.match_pb2 import CreateMatchResponse
from tests.service.here import play, seats_of, serving
from tests.service.process import Referee
from tests.service.raw_agent import RawAgent, Seat
from tests.service.requests import (
    assert_kept,
    assert_proved,
    finished,
    kinds,
    request,
)

WITHIN_S = 60


async def create(referee: Referee, name: str = "once") -> CreateMatchResponse | None:
    """Ask for a short match."""
    return await referee.create(request(request_id=name, round_cap=2))


def files(data: Path) -> tuple[int, int, int]:
    """Count the transcripts of open and finished matches, and the seeds that are kept."""
    layout = Layout(data)
    return (
        len(list(layout.open.iterdir())),
        len(list(layout.finished.glob("*/*"))),
        len(list(layout.secrets.iterdir())),
    )


async def play_on(referee: Referee, seats: list[Seat]) -> None:
    """Play until all is told, also if the referee has to be started once more on the way."""

    async def connect() -> str:
        await referee.up.wait()
        return referee.address

    async def start_again() -> None:
        await referee.ended()
        await referee.start()

    async with asyncio.timeout(WITHIN_S), asyncio.TaskGroup() as group:
        again = group.create_task(start_again())
        playing = asyncio.gather(*(RawAgent([seat], connect).play() for seat in seats))
        await playing
        again.cancel()


@pytest.mark.parametrize(
    "point", ["before the secret", "after the secret", "server_commit", "before the answer"]
)
async def test_a_request_that_was_cut_short_makes_one_match(tmp_path: Path, point: str) -> None:
    """The same request again returns the match that it began, with tokens that open its seats."""
    async with Referee(tmp_path) as referee:
        await referee.start(die=point)
        await referee.prepare()
        assert await create(referee) is None
        await referee.ended()
        await referee.start()
        made, again = await create(referee), await create(referee)
        assert made is not None
        assert again is not None
        assert made.match.match_id == again.match.match_id
        assert list(made.tokens) == list(again.tokens)
        seats = seats_of(made)
        await play_on(referee, seats)
        await referee.kill()
    assert files(tmp_path)[:2] in ((0, 1), (1, 0))
    async with serving(tmp_path):
        pass
    assert files(tmp_path) == (0, 1, 0)
    transcript = finished(tmp_path, bytes.fromhex(made.match.match_id))
    assert_proved(transcript)
    assert_kept(transcript, seats)


PLAY_POINTS = [
    "joined", "agent_commit", "started", "reveal", "deal", "move", "move*9", "round_scored",
    "game_over", "signature", "before the secret goes", "before the move", "after the move",
]  # fmt: skip


@pytest.mark.parametrize("point", PLAY_POINTS)
async def test_a_match_goes_on_from_every_point(tmp_path: Path, point: str) -> None:
    """Whatever was durable when the process died stands, and the match ends as it should."""
    async with Referee(tmp_path) as referee:
        await referee.start(die=point)
        await referee.prepare()
        made = await create(referee)
        assert made is not None
        seats = seats_of(made)
        await play_on(referee, seats)
        await referee.kill()
    async with serving(tmp_path):
        pass
    assert files(tmp_path) == (0, 1, 0)
    transcript = finished(tmp_path, bytes.fromhex(made.match.match_id))
    assert_proved(transcript)
    assert_kept(transcript, seats)
    ended = point in ("game_over", "signature") or "the secret" in point or "the move" in point
    assert kinds(transcript).count("restart") == (0 if ended else 1)
    assert kinds(transcript).count("game_over") == kinds(transcript).count("signature") == 1


async def interrupted(data: Path, names: tuple[str, ...] = ("once",)) -> list[list[Seat]]:
    """Leave matches behind that were being played when the process died."""
    async with Referee(data) as referee:
        await referee.start(die="round_scored")
        tables = []
        for name in names:
            made = await create(referee, name)
            assert made is not None
            tables.append(seats_of(made))

        async def connect() -> str:
            if not referee.up.is_set():
                await asyncio.Future()
            return referee.address

        agent = RawAgent([seat for table in tables for seat in table], connect)
        playing = asyncio.create_task(agent.play())
        await referee.ended()
        playing.cancel()
        return tables


def match_id(seats: list[Seat]) -> bytes:
    """Return the match that seats belong to."""
    assert seats[0].taken is not None
    return seats[0].taken.match_id


@pytest.mark.parametrize("damage", ["missing", "another", "short"])
async def test_a_match_without_its_seed_is_void(tmp_path: Path, damage: str) -> None:
    """It ends as the referee's fault, says that the secret is lost, and is never called proved."""
    (seats,) = await interrupted(tmp_path)
    secret = Layout(tmp_path).secrets / match_id(seats).hex()
    assert len(secret.read_bytes()) == 32
    if damage == "missing":
        secret.unlink()
    else:
        secret.write_bytes(random.Random(1).randbytes(32 if damage == "another" else 7))
    async with serving(tmp_path) as running:
        await play(running, seats)
    transcript = finished(tmp_path, match_id(seats))
    assert_kept(transcript, seats)
    assert kinds(transcript)[-3:] == ["voided", "secret_lost", "signature"]
    assert {seat.over.voided.detail for seat in seats if seat.over is not None} == {LOST_SECRET}
    assert all(seat.closed is not None and not seat.closed.seed for seat in seats)
    report = verify(transcript)
    assert report.levels[Level.SIGNATURE] is report.levels[Level.RULES] is Status.OK
    assert report.levels[Level.DRAWS] is not Status.OK
    assert files(tmp_path) == (0, 1, 0)


async def test_a_seed_that_no_open_match_needs_is_deleted(tmp_path: Path) -> None:
    """What a crash left behind after the seed was shown does not stay."""
    async with serving(tmp_path):
        pass
    left = Layout(tmp_path).secrets / ("ab" * 16)
    left.write_bytes(bytes(32))
    async with serving(tmp_path):
        pass
    assert not left.exists()


async def test_a_torn_tail_is_cut_kept_and_counted(tmp_path: Path) -> None:
    """The match goes on before it, and the bytes are there for people to look at."""
    (seats,) = await interrupted(tmp_path)
    async with serving(tmp_path):
        pass
    path = Layout(tmp_path).open_path(match_id(seats))
    torn = b"\0\0\0\x40torn"
    path.write_bytes(path.read_bytes() + torn)
    async with serving(tmp_path) as running:
        value = running.house.metrics.registry.get_sample_value
        assert value("referee_files_recovered_total", {"kind": "open"}) == 1
        await play(running, seats)
    kept = list(Layout(tmp_path).aside.iterdir())
    assert [file.read_bytes() for file in kept] == [torn]
    transcript = finished(tmp_path, match_id(seats))
    assert_proved(transcript)
    assert_kept(transcript, seats)


async def test_a_corrupt_file_is_left_alone_with_its_seed(tmp_path: Path) -> None:
    """Other matches go on; once its file is mended, so does this one."""
    bad, good = await interrupted(tmp_path, ("bad", "good"))
    async with serving(tmp_path):
        pass
    path = Layout(tmp_path).open_path(match_id(bad))
    whole = path.read_bytes()
    broken = whole[:200] + bytes([whole[200] ^ 1]) + whole[201:]
    path.write_bytes(broken)
    async with serving(tmp_path) as running:
        value = running.house.metrics.registry.get_sample_value
        assert value("referee_files_recovered_total", {"kind": "corrupt"}) == 1
        await play(running, good)
    assert path.read_bytes() == broken
    assert_proved(finished(tmp_path, match_id(good)))
    path.write_bytes(whole)
    async with serving(tmp_path) as running:
        await play(running, bad)
    transcript = finished(tmp_path, match_id(bad))
    assert_proved(transcript)
    assert_kept(transcript, bad)


async def test_open_matches_of_another_key_keep_the_referee_from_starting(tmp_path: Path) -> None:
    """It says so in one sentence, changes nothing, and starts once the key is back."""
    (seats,) = await interrupted(tmp_path)
    key = tmp_path / KEY_FILE
    key.rename(tmp_path / "elsewhere")
    with pytest.raises(ForeignKey) as refused:
        async with serving(tmp_path):
            pass
    named = match_id(seats).hex()
    assert re.fullmatch(rf"[^\n.]*{named}[^\n.]*", str(refused.value))
    (tmp_path / "elsewhere").replace(key)
    async with serving(tmp_path) as running:
        await play(running, seats)
    assert_proved(finished(tmp_path, match_id(seats)))
