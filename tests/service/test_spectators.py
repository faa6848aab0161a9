"""Whoever watches sees every event, in order and in time, and nothing before its time."""

import asyncio
from pathlib import Path

import grpc
import pytest

from referee.service.app import Running
from referee.service.auth import Role
from referee.v1 import event_pb2, match_pb2, match_pb2_grpc, setup_pb2
from tests.service.here import address, create, play, seats_of, serving
from tests.service.hostile.calls import Calls
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
            assert any(seat.score for seat in info.seats)
