"""Matches that are over are read once for all who ask, and never while others wait for it."""

import asyncio
import threading
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import NamedTuple

import pytest

from referee.service import calls as calls_module
from referee.service import finished, limits
from referee.service.app import Running
from referee.service.auth import Role
from referee.service.host import Host
from referee.service.house import House
from referee.transcript.reader import Transcript
from referee.v1 import match_pb2
from referee.v1 import play_pb2 as pb
from tests.service.here import address, create, play, seats_of, serving, until
from tests.service.hostile.calls import Calls, bearer, join
from tests.service.requests import request


class Loads:
    """Counts how often a finished match is made of its transcript, and can hold that up.

    threads  where each was made
    free     whether they are made at once
    """

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self._load = finished.closed_host
        self.threads: list[int] = []
        self.free = threading.Event()
        self.free.set()
        monkeypatch.setattr(finished, "closed_host", self)

    def __call__(self, house: House, transcript: Transcript) -> Host | None:
        """Load, when that is let."""
        self.threads.append(threading.get_ident())
        self.free.wait(30)
        return self._load(house, transcript)


class Scene(NamedTuple):
    """A referee with matches that are over."""

    running: Running
    made: list[match_pb2.CreateMatchResponse]
    calls: Calls
    loads: Loads


@asynccontextmanager
async def over(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, matches: int = 1
) -> AsyncIterator[Scene]:
    """Let some matches be played."""
    async with serving(tmp_path) as running, Calls(address(running)) as calls:
        made = [await create(running, request(round_cap=1)) for _ in range(matches)]
        for one in made:
            await play(running, seats_of(one))
        await until(lambda: not running.house.hosts)
        loads = Loads(monkeypatch)
        try:
            yield Scene(running, made, calls, loads)
        finally:
            loads.free.set()


async def test_a_finished_match_is_read_once_beside_everything_else(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """For all who join, look or watch; and the event loop has nothing to do with it."""
    async with over(tmp_path, monkeypatch) as (_, (made,), calls, loads):
        talks = [calls.talk() for _ in range(4)]
        for talk in talks:
            await talk.hello(*(join(made.tokens[0].token, 1 + number) for number in range(5)))
        for talk in talks:
            for _ in range(5):
                taken = (await talk.hear("seat_taken")).seat_taken
                ended = (await talk.hear("match_over")).match_over
                closed = (await talk.hear("match_closed")).match_closed
                assert taken.handle == ended.handle == closed.handle
                assert ended.HasField("game_over")
        match_id = made.match.match_id
        for _ in range(5):
            assert (await calls.ask("GetMatch", match_id=match_id)).match.signed
            assert (await calls.ask("WatchMatch", match_id=match_id)).events
        assert len(loads.threads) == 1
        assert threading.get_ident() not in loads.threads


async def test_only_some_finished_matches_are_kept(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Those that were asked for last; others are read anew."""
    monkeypatch.setattr(limits, "MAX_FINISHED_KEPT", 2)
    async with over(tmp_path, monkeypatch, 3) as (_, made, calls, loads):
        a, b, c = (one.match.match_id for one in made)
        for match_id, read in ((a, 1), (b, 2), (a, 2), (c, 3), (a, 3), (b, 4)):
            await calls.ask("GetMatch", match_id=match_id)
            assert len(loads.threads) == read


async def test_a_stream_plays_on_while_a_finished_match_is_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its other messages are taken meanwhile, and the handle is in use."""
    async with over(tmp_path, monkeypatch) as (running, (made,), calls, loads):
        going_on = await create(running, request())
        loads.free.clear()
        talk = calls.talk()
        await talk.hello(join(made.tokens[0].token, 1), join(made.tokens[0].token, 1))
        refused = (await talk.hear("refused")).refused
        assert (refused.handle, refused.reason) == (1, pb.REFUSE_REASON_HANDLE_IN_USE)
        await talk.say(join(going_on.tokens[0].token, 2))
        assert (await talk.hear("seat_taken")).seat_taken.handle == 2
        loads.free.set()
        assert (await talk.hear("seat_taken")).seat_taken.handle == 1
        assert (await talk.hear("match_closed")).match_closed.handle == 1
        # Free again, as after any match.
        await talk.say(join(made.tokens[1].token, 1))
        assert (await talk.hear("match_closed")).match_closed.handle == 1


async def test_a_stream_that_ends_while_a_finished_match_is_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Costs those nothing who wait for the same match."""
    async with over(tmp_path, monkeypatch) as (running, (made,), calls, loads):
        loads.free.clear()
        gone, other = calls.talk(), calls.talk()
        await gone.hello(join(made.tokens[0].token))
        await until(lambda: loads.threads)
        await other.hello(join(made.tokens[0].token))
        asking = asyncio.create_task(calls.ask("GetMatch", match_id=made.match.match_id))
        await other.sync()
        gone.call.cancel()
        await until(lambda: len(running.house.streams) == 1)
        loads.free.set()
        assert (await other.hear("match_closed")).match_closed.signature
        assert (await asking).match.signed
        assert len(loads.threads) == 1


async def test_a_finished_match_whose_file_is_broken_opens_no_seat(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """And the stream goes on; when the file is mended, the match is there again."""
    async with over(tmp_path, monkeypatch) as (running, (made,), calls, _):
        path = running.store.layout.finished_path(bytes.fromhex(made.match.match_id))
        data = path.read_bytes()
        path.write_bytes(data[:40])
        talk = calls.talk()
        await talk.hello(join(made.tokens[0].token))
        assert (await talk.hear("refused")).refused.reason == pb.REFUSE_REASON_TOKEN
        path.write_bytes(data)
        await talk.say(join(made.tokens[0].token))
        await talk.hear("match_closed")


async def test_the_transcript_of_an_open_match_is_parsed_beside_everything_else(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What an organiser asks for costs no agent its time."""
    threads = []
    parse = calls_module._public_part

    def spy(data: bytes, events: int) -> bytes:
        threads.append(threading.get_ident())
        return parse(data, events)

    monkeypatch.setattr(calls_module, "_public_part", spy)
    async with serving(tmp_path) as running:
        made = await create(running, request())
        organiser = running.house.credentials.issue(Role.ORGANISER, "o")
        async with Calls(address(running), organiser) as calls:
            assert (await calls.ask("GetTranscript", match_id=made.match.match_id)).data
    assert threads
    assert threading.get_ident() not in threads


async def test_streams_have_a_rate(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Of one caller, from when they say hello; organisers have none."""
    monkeypatch.setattr(limits, "STREAMS_BURST", 3)
    monkeypatch.setattr(limits, "STREAMS_PER_SECOND", 0)
    async with serving(tmp_path) as running:
        issue = running.house.credentials.issue
        agent, organiser = issue(Role.AGENT, "a"), issue(Role.ORGANISER, "o")
        async with Calls(address(running)) as calls:
            for shown in ((), bearer(agent)):
                for _ in range(3):
                    await calls.talk(shown).hello()
                late = calls.talk(shown)
                await late.say(pb.AgentMessage(hello=pb.Hello(name="late", protocol=1)))
                assert await late.ended() == "RATE"
            for _ in range(5):
                await calls.talk(bearer(organiser)).hello()
