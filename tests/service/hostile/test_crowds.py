"""Limits of what one caller may have: calls, spectators, streams, matches by queue."""

import asyncio
import socket
from typing import Any

import pytest
import structlog

from referee.service import limits
from referee.service.auth import Role
from referee.v1 import match_pb2
from referee.v1 import play_pb2 as pb
from tests.service.here import until
from tests.service.hostile import attacks, wire
from tests.service.hostile.calls import Calls, Metadata, bearer, join
from tests.service.hostile.court import Court, table


async def test_calls_have_a_rate_for_everybody_but_organisers(bar: Court) -> None:
    """Calls of one agent above its rate are refused; those of others and organisers are not."""
    credentials = bar.running.house.credentials
    for handle in ("greedy", "modest"):
        credentials.register(handle)
    greedy = bearer(credentials.issue(Role.AGENT, "greedy"))
    modest = bearer(credentials.issue(Role.AGENT, "modest"))
    async with bar.calls() as calls:
        heard = await many(calls, greedy)
        assert set(heard) == {"INVALID_ARGUMENT", "RATE"}
        assert heard.count("INVALID_ARGUMENT") >= limits.CALLS_BURST
        assert await calls.refusal("GetMatch", b"", modest) == "INVALID_ARGUMENT"
        organiser = bearer(bar.organiser)
        assert set(await many(calls, organiser)) == {"INVALID_ARGUMENT"}


async def many(calls: Calls, shown: Metadata) -> list[str]:
    """Make 600 calls, 100 at a time, and return their reasons."""
    heard = []
    for _ in range(6):
        heard += await asyncio.gather(*(calls.refusal("GetMatch", b"", shown) for _ in range(100)))
    return heard


async def test_spectators_have_a_limit(bar: Court, monkeypatch: pytest.MonkeyPatch) -> None:
    """One too many is refused; whoever leaves makes room."""
    monkeypatch.setattr(limits, "MAX_WATCHERS", 3)
    made = await bar.match()
    data = match_pb2.WatchMatchRequest(match_id=made.match.match_id).SerializeToString()
    async with bar.calls(bar.organiser) as calls:
        play: Any = calls.channel.unary_stream("/referee.v1.MatchService/WatchMatch")
        watching = [play(data, metadata=calls.metadata) for _ in range(3)]
        for call in watching:
            await call.read()
        assert await calls.refusal("WatchMatch", data) == "LIMIT"
        watching[0].cancel()
        async with asyncio.timeout(30):
            while len(bar.running.house.spectators) == 3:
                await calls.ask("ListMatches")
        assert await calls.send("WatchMatch", data) is not None
        for call in watching:
            call.cancel()


async def test_streams_without_a_seat_make_room(
    bar: Court, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A crowd that only stands around keeps nobody from playing."""
    made = await bar.match()
    logs = structlog.testing.capture_logs()
    async with bar.calls() as calls, Calls(bar.address) as other:
        seated = other.talk()
        await seated.hello(join(made.tokens[0].token))
        await seated.hear("seat_taken")
        crowd = [calls.talk() for _ in range(60)]
        for talk in crowd:
            await talk.hello()
        monkeypatch.setattr(limits, "MAX_STREAMS", 40)
        with logs as lines:
            late = other.talk()
            await late.hello(join(made.tokens[1].token))
            assert (await late.hear("seat_taken")).seat_taken.seat == 1
            await crowd[0].ended()
        # Its client may not hear why, so the referee is asked.
        closed = [line["reason"] for line in lines if line["event"] == "stream closed"]
        assert "LIMIT" in closed
        monkeypatch.undo()
        for talk in crowd[1:]:
            talk.call.cancel()
        await late.bye()
        assert await seated.bye() == "OK"


async def test_queueing_again_and_again_makes_no_more_matches(bar: Court) -> None:
    """Two agents that enter and leave the queue all the time have 64 matches at the most."""
    credentials = bar.running.house.credentials
    before = len(bar.running.house.hosts)
    queue = pb.AgentMessage(queue=pb.Queue(ruleset="azul", seats=2, at_once=64))
    unqueue = pb.AgentMessage(unqueue=pb.Unqueue())
    talks = []
    async with bar.calls() as calls:
        for handle in ("tweedledum", "tweedledee"):
            credentials.register(handle)
            talk = calls.talk(bearer(credentials.issue(Role.AGENT, handle)))
            await talk.hello()
            talks.append(talk)
        await talks[0].say(queue)
        for _ in range(3):
            for talk in talks:
                await talk.say(*[unqueue, queue] * 10)
                await talk.sync()
        await asyncio.gather(*(talk.bye() for talk in talks))
    assert len(bar.running.house.hosts) - before <= 64 + 2
    # Those that were being made when their agents left are called off by the referee itself.
    await until(lambda: not bar.running.house._tasks)
    async with bar.calls(bar.organiser) as calls:
        for match_id, host in list(bar.running.house.hosts.items()):
            if host.match.fold.setup.message.event_id == "queue" and not host.match.over:
                await calls.ask("AbortMatch", match_id=match_id.hex())


async def test_a_stream_that_is_not_read_is_closed_alone(
    bar: Court, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What nobody reads gathers up to a limit; then the stream is over, and the seat is free."""
    monkeypatch.setattr(limits, "MAX_OUTBOX_BYTES", 48 << 10)
    with structlog.testing.capture_logs() as logs:
        async with bar.calls() as calls, table(calls, await bar.match(clock=None)) as game:
            await game.play(12)
            seat, _ = await game.turn()
            await attacks.never_reading(bar.address, game.token(seat), 1, frames=3)
            back = calls.talk()
            await back.hello(join(game.token(seat)))
            await back.hear("your_turn")
    closed = [line["reason"] for line in logs if line["event"] == "stream closed"]
    assert closed == ["SLOW_READER"]


async def test_streams_that_were_cancelled_are_gone_at_once(bar: Court) -> None:
    """Nobody waits to tell a stream its last words if there is nobody to hear them."""
    loop = asyncio.get_running_loop()
    house = bar.running.house
    async with bar.calls() as calls:
        talks = [calls.talk() for _ in range(50)]
        for talk in talks:
            await talk.hello()
        mine = [
            stream for stream in house.streams if stream.hello and stream.hello.name == "Mallory"
        ]
        assert len(mine) == 50
        began = loop.time()
        for talk in talks:
            talk.call.cancel()
        async with asyncio.timeout(30):
            while any(stream in house.streams for stream in mine):
                await calls.ask("ListMatches")
        assert loop.time() - began < 0.9


async def test_calls_that_wait_behind_a_crowd_are_not_dropped(bar: Court) -> None:
    """Thousands of streams that came first make others wait, and cost nobody a call."""
    crowd = [all_at_once(bar.address) for _ in range(18)]
    try:
        async with bar.calls(bar.organiser) as calls, asyncio.timeout(60):
            await asyncio.gather(*(calls.ask("ListMatches") for _ in range(50)))
    finally:
        for connection in crowd:
            connection.close()


def all_at_once(address: str) -> socket.socket:
    """Open as many streams as a connection may have; all are there when this returns.

    It blocks on purpose: the referee shares our event loop, and must not look at them before.
    """
    host, _, port = address.rpartition(":")
    connection = socket.create_connection((host, int(port)), timeout=wire.DEADLINE_S)
    headers = wire.block(wire.PLAY)
    streams = range(1, 2 * limits.MAX_STREAMS_PER_CONNECTION, 2)
    said = [wire.PREFACE, wire.frame(wire.SETTINGS, 0, 0)]
    said += [wire.frame(wire.HEADERS, wire.END_HEADERS, stream, headers) for stream in streams]
    # It is answered in its turn, so whatever stands before it was read by then.
    said.append(wire.frame(wire.PING, 0, 0, b"all read"))
    connection.sendall(b"".join(said))
    heard = b""
    answer = wire.frame(wire.PING, wire.ACK, 0, b"all read")
    while answer not in heard:
        heard += connection.recv(1 << 16)
    return connection
