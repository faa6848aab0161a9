"""Whoever watches sees every event, in order and in time, and nothing before its time."""

import asyncio
import struct
import weakref
from pathlib import Path
from typing import Any

import grpc
import pytest

from referee.service import auth, finished, limits, server
from referee.service.app import Running
from referee.service.auth import Role
from referee.service.host import Host
from referee.service.house import House
from referee.transcript.reader import Transcript
from referee.v1 import event_pb2, match_pb2, match_pb2_grpc, setup_pb2
from tests.service.here import address, create, play, seats_of, serving, until
from tests.service.hostile import wire
from tests.service.hostile.calls import MATCHES, Calls, bearer, join, reason_of
from tests.service.hostile.court import table

SECOND_NS = 1_000_000_000


def wanted(**more: object) -> match_pb2.CreateMatchRequest:
    """Return a request for a match of two."""
    seats = [setup_pb2.Seat(agent="a"), setup_pb2.Seat(agent="b")]
    return match_pb2.CreateMatchRequest(ruleset="azul", seats=seats, **more)  # type: ignore[arg-type]


async def watch(
    running: Running, match_id: str, *, start: int = 0, bearer: str = ""
) -> list[event_pb2.Event]:
    """Watch a match to its end."""
    metadata = (("authorization", f"Bearer {bearer}"),) if bearer else ()
    async with grpc.aio.insecure_channel(address(running)) as channel:
        call = match_pb2_grpc.MatchServiceStub(channel).WatchMatch(
            match_pb2.WatchMatchRequest(match_id=match_id, from_event=start), metadata=metadata
        )
        return [event async for response in call for event in response.events]


@pytest.mark.parametrize("when", ["before", "after"])
async def test_a_match_is_told_whole(tmp_path: Path, when: str) -> None:
    """Before the start or after the end, a spectator gets what the transcript has."""
    async with serving(tmp_path) as running, asyncio.timeout(60):
        made = await create(running, wanted())
        watching = asyncio.create_task(watch(running, made.match.match_id))
        seats = seats_of(made)
        await play(running, seats)
        told = await (watching if when == "before" else watch(running, made.match.match_id))
        assert [event.index for event in told] == list(range(len(told)))
        assert told[-1].record.HasField("signature")
        assert {event.index: event for event in told} == {
            **dict(enumerate(told)),
            **seats[0].events,
        }
        late = await watch(running, made.match.match_id, start=5)
        assert late == told[5:]


async def test_a_delay_holds_events_back_but_not_from_the_organiser(tmp_path: Path) -> None:
    """With an hour of delay the match ends unseen; the organiser has seen all of it."""
    async with serving(tmp_path) as running, asyncio.timeout(60):
        made = await create(running, wanted(spectator_delay_ns=3_600 * SECOND_NS))
        organiser = running.house.credentials.issue(Role.ORGANISER, "o")
        seeing = asyncio.create_task(watch(running, made.match.match_id, bearer=organiser))
        waiting = asyncio.create_task(watch(running, made.match.match_id))
        await play(running, seats_of(made))
        told = await seeing
        assert told[-1].record.HasField("signature")
        assert not waiting.done()
        waiting.cancel()
        await asyncio.wait((waiting,))


async def test_shares_are_told_with_their_deal_and_never_before(tmp_path: Path) -> None:
    """Nobody hears of a reveal while the other seat could still use it."""
    async with serving(tmp_path) as running, asyncio.timeout(60):
        made = await create(running, wanted())
        host = running.house.hosts[bytes.fromhex(made.match.match_id)]
        seen: list[int] = []
        release = host.events.release

        def spy(held_from: int | None, now_ns: int) -> list[object]:
            released = release(held_from, now_ns)
            kinds = [record.WhichOneof("kind") for record, _ in released]
            if "reveal" in kinds:
                assert "deal" in kinds
                seen.append(len(kinds))
            return list(released)

        host.events.release = spy  # type: ignore[method-assign, assignment]
        await play(running, seats_of(made), one_stream=False)
        assert seen


async def test_a_delay_holds_back_how_a_match_goes(tmp_path: Path) -> None:
    """Who may not see an event yet learns nothing of it from GetMatch and ListMatches either."""
    async with serving(tmp_path) as running, asyncio.timeout(60):
        made = await create(running, wanted(spectator_delay_ns=3_600 * SECOND_NS))
        organiser = running.house.credentials.issue(Role.ORGANISER, "o")
        async with Calls(address(running)) as calls, table(calls, made) as sitting:
            await sitting.play(30)
            await sitting.turn()
            seen = [
                (await calls.ask("GetMatch", match_id=sitting.match_id)).match,
                *(await calls.ask("ListMatches")).matches,
            ]
            assert [(info.round, info.turn, info.events) for info in seen] == [(0, 0, 0)] * 2
            assert not any(seat.score for info in seen for seat in info.seats)
            async with Calls(address(running), organiser) as own:
                info = (await own.ask("GetMatch", match_id=sitting.match_id)).match
            assert info.round > 1
            assert info.turn == 31


def request_of(made: match_pb2.CreateMatchResponse) -> bytes:
    """Return what asks to watch a match."""
    return match_pb2.WatchMatchRequest(match_id=made.match.match_id).SerializeToString()


async def test_a_match_that_is_signed_is_told_at_once(tmp_path: Path) -> None:
    """Its transcript is given out already, so nothing is held back any more."""
    async with serving(tmp_path) as running, asyncio.timeout(60):
        made = await create(running, wanted(spectator_delay_ns=3_600 * SECOND_NS))
        await play(running, seats_of(made))
        await until(lambda: not running.house.hosts)
        told = await watch(running, made.match.match_id)
        assert told[-1].record.HasField("signature")


async def test_one_caller_cannot_take_all_places(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It has so many of its own; all together leave some to organisers."""
    monkeypatch.setattr(limits, "MAX_WATCHERS", 6)
    monkeypatch.setattr(limits, "MAX_WATCHERS_PER_CALLER", 3)
    monkeypatch.setattr(limits, "WATCHERS_KEPT_FREE", 1)
    async with serving(tmp_path) as running, Calls(address(running)) as calls:
        issue = running.house.credentials.issue
        made = await create(running, wanted())
        data = request_of(made)
        bad, good = bearer(issue(Role.AGENT, "bad")), bearer(issue(Role.AGENT, "good"))
        organiser = bearer(issue(Role.ORGANISER, "o"))
        open_ = calls.channel.unary_stream(MATCHES + "WatchMatch")
        watching = [open_(data, metadata=bad) for _ in range(3)]
        for call in watching:
            await call.read()
        assert await calls.refusal("WatchMatch", data, bad) == "LIMIT"
        watching += [open_(data, metadata=good) for _ in range(2)]
        for call in watching[3:]:
            await call.read()
        # Now all that is left is for organisers.
        assert await calls.refusal("WatchMatch", data, good) == "LIMIT"
        assert await calls.refusal("WatchMatch", data, ()) == "LIMIT"
        assert (await calls.send("WatchMatch", data, organiser)).events
        watching[0].cancel()
        await until(lambda: len(running.house.spectators) == 4)
        assert (await calls.send("WatchMatch", data, bad)).events


async def test_who_does_not_read_does_not_watch(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It loses its place after a while, of a match that goes on and of one that is over."""
    monkeypatch.setattr(limits, "WATCH_READ_NS", SECOND_NS // 10)
    async with serving(tmp_path) as running, asyncio.timeout(60):
        over, going_on = await create(running, wanted()), await create(running, wanted())
        await play(running, seats_of(over))
        for made in (over, going_on):
            # No window at all: not one byte may be sent.
            async with wire.wire(address(running), struct.pack(">HI", 4, 0)) as raw:
                for stream in (1, 3, 5):
                    await raw.call(stream, MATCHES + "WatchMatch")
                    await raw.data(stream, wire.message(request_of(made)), last=True)
                await until(lambda: len(running.house.spectators) == 3)
                await until(lambda: not len(running.house.spectators))
                # It hears why as soon as it reads.
                await raw.frame(wire.WINDOW_UPDATE, 0, 1, struct.pack(">I", 1 << 20))
                assert await raw.status(1) == grpc.StatusCode.RESOURCE_EXHAUSTED.value[0]
        assert await watch(running, over.match.match_id)


async def test_watchers_of_a_finished_match_share_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """However slow they read, none of them has a copy of its own."""
    hosts: list[weakref.ref[Host]] = []
    load = finished.closed_host

    def spy(house: House, transcript: Transcript) -> Host | None:
        host = load(house, transcript)
        assert host is not None
        hosts.append(weakref.ref(host))
        return host

    monkeypatch.setattr(finished, "closed_host", spy)
    async with serving(tmp_path) as running, asyncio.timeout(60):
        made = await create(running, wanted())
        await play(running, seats_of(made))
        await until(lambda: not running.house.hosts)
        async with wire.wire(address(running), struct.pack(">HI", 4, 0)) as raw:
            for stream in range(1, 21, 2):
                await raw.call(stream, MATCHES + "WatchMatch")
                await raw.data(stream, wire.message(request_of(made)), last=True)
            await until(lambda: len(running.house.spectators) == 10)
            assert len(hosts) == 1


async def reason_of_end(call: Any) -> str:
    """Read a watch to its end, and return why it failed."""
    try:
        while await call.read() is not grpc.aio.EOF:
            pass
    except grpc.aio.AioRpcError as error:
        return reason_of(error)
    return ""


async def test_who_was_revoked_does_not_watch_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nor play on, from where a bearer is needed for it; all others do."""
    monkeypatch.setattr(server, "WATCH_S", 0.01)
    async with serving(tmp_path) as running, Calls(address(running)) as calls:
        issue = running.house.credentials.issue
        made = await create(running, wanted())
        revoked, good = bearer(issue(Role.AGENT, "revoked")), bearer(issue(Role.AGENT, "good"))
        number = next(
            one.number for one in running.house.credentials.tokens() if one.name == "revoked"
        )
        open_ = calls.channel.unary_stream(MATCHES + "WatchMatch")
        watching = {
            name: open_(request_of(made), metadata=shown)
            for name, shown in (("revoked", revoked), ("good", good), ("nameless", ()))
        }
        for call in watching.values():
            await call.read()
        here = calls.talk(revoked)
        await here.hello(join(made.tokens[0].token))
        await here.hear("seat_taken")
        monkeypatch.setattr(auth, "is_loopback", lambda _peer: False)
        away, other = calls.talk(revoked), calls.talk(good)
        await away.hello(join(made.tokens[1].token))
        await away.hear("seat_taken")
        await other.hello()
        running.house.credentials.revoke(number)
        assert await away.ended() == "UNAUTHENTICATED"
        assert await reason_of_end(watching.pop("revoked")) == "UNAUTHENTICATED"
        await other.sync()
        await here.sync()
        assert not any(call.done() for call in watching.values())
        assert len(running.house.spectators) == 2
