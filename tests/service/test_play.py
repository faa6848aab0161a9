"""Whole matches over the wire: every ruleset and size, and streams that never hang."""

import asyncio
from pathlib import Path
from typing import Any

import pytest

from referee.service import streams
from referee.v1 import play_pb2 as pb
from referee.v1.record_pb2 import Record
from tests.service.here import address, create, play, seats_of, serving
from tests.service.hostile.calls import Calls, Talk, answer, join, no_share
from tests.service.hostile.court import Table, index
from tests.service.raw_agent import RawAgent, always
from tests.service.requests import TABLES, assert_kept, assert_proved, finished, kinds, request

QUICK = 20


@pytest.mark.parametrize(("ruleset", "seats"), TABLES)
async def test_a_whole_match_of_every_kind(tmp_path: Path, ruleset: str, seats: int) -> None:
    """It is played on one stream, and again on a stream for every seat; both are proved."""
    tables = {}
    async with serving(tmp_path) as running:
        for one_stream in (True, False):
            made = await create(running, request(ruleset, seats))
            table = tables[made.match.match_id] = seats_of(made, seats)
            await play(running, table, one_stream=one_stream)
    for match_id, table in tables.items():
        transcript = finished(tmp_path, bytes.fromhex(match_id))
        assert_proved(transcript)
        assert_kept(transcript, table)
        assert kinds(transcript)[-3:] == ["game_over", "seed_reveal", "signature"]
        assert {len(seat.events) for seat in table} == {len(kinds(transcript))}


class OneWriter:
    """A call of gRPC that does not bear a write while another one goes on."""

    def __init__(self, context: Any, calls: list["OneWriter"]) -> None:
        self._context = context
        self._writing = False
        self.writes = 0
        self.overlaps = 0
        calls.append(self)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._context, name)

    async def write(self, data: bytes) -> None:
        """Write, and take note of whoever writes meanwhile."""
        self.overlaps += self._writing
        self._writing = True
        self.writes += 1
        # Whoever else would write now has the chance to.
        await asyncio.sleep(0)
        try:
            await self._context.write(data)
        finally:
            self._writing = False


async def test_a_stream_has_one_writer_and_never_hangs(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """At one match at a time, with pings in between, where two writers would hang."""
    calls: list[OneWriter] = []
    before = streams.AgentStream.__init__

    def init(self: Any, house: Any, caller: Any, context: Any) -> None:
        before(self, house, caller, OneWriter(context, calls))

    monkeypatch.setattr(streams.AgentStream, "__init__", init)
    async with serving(tmp_path) as running:

        def ping(_seat: Any, message: Any) -> None:
            for stream in running.house.streams:
                stream.ping(1, running.house.clock.now_ns())

        for number in range(QUICK):
            made = await create(running, request(round_cap=3))
            seats = seats_of(made, number)
            agent = RawAgent(seats, always(address(running)), ping)
            async with asyncio.timeout(20):
                await agent.play()
            assert agent.losses == 0
    assert len(calls) == QUICK
    assert sum(call.writes for call in calls) > 20 * QUICK
    assert sum(call.overlaps for call in calls) == 0


async def test_whoever_skips_moves_hears_of_its_own_alone(tmp_path: Path) -> None:
    """Moves, refusals and deals of others are left out, and nothing else is."""
    async with serving(tmp_path) as running, Calls(address(running)) as calls:
        made = await create(running, request())
        talks = [calls.talk() for _ in made.tokens]
        for seat in (1, 0):
            seated = join(made.tokens[seat].token, skip_moves=not seat, resume_from=0)
            await talks[seat].hello(seated)
            await talks[seat].hear("seat_taken")
        for talk in talks:
            await talk.say(no_share())
        game = Table(made, talks)
        for _ in range(24):
            seat, asked = await game.turn()
            bad = asked.turn in (4, 5) and asked.attempt == 1
            action = index(9_999 if bad else 0)
            await talks[seat].say(answer(asked.turn, asked.attempt, action))
        seat, _ = await game.turn()
        await talks[seat].say(pb.AgentMessage(give_up=pb.GiveUp(handle=1)))
        for talk in talks:
            await talk.hear("match_closed")
        told = [[said.event.event for said in heard(talk)] for talk in talks]
    assert [event.index for event in told[1]] == list(range(len(told[1])))
    skipped = [event for event in told[1] if is_skipped(event.record)]
    assert {event.record.WhichOneof("kind") for event in skipped} == {"move", "deal", "rejected"}
    assert told[0] == [event for event in told[1] if event not in skipped]


def heard(talk: Talk) -> list[pb.RefereeMessage]:
    """Return all events that were told to a stream."""
    frames = [pb.PlayResponse.FromString(data).messages for data in talk.kept]
    return [said for messages in frames for said in messages if said.HasField("event")]


def is_skipped(record: Record) -> bool:
    """Return whether seat 0 does not want to hear of a record."""
    if record.HasField("move"):
        return record.move.seat != 0
    return record.HasField("deal") or (record.HasField("rejected") and record.rejected.seat != 0)
