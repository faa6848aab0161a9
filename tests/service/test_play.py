"""Whole matches over the wire: every ruleset and size, and streams that never hang."""

import asyncio
from pathlib import Path
from typing import Any

import pytest

from referee.service import streams
from tests.service.here import address, create, play, seats_of, serving
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
