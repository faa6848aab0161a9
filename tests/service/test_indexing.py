"""The index that a running referee keeps is the one that its transcripts give."""

import asyncio
from pathlib import Path

from referee.service.index import Index, rebuild
from referee.v1 import match_pb2, setup_pb2
from tests.service.here import address, create, play, seats_of, serving
from tests.service.raw_agent import RawAgent, always


def wanted(event: str) -> match_pb2.CreateMatchRequest:
    """Return a request for a match of two."""
    seats = [setup_pb2.Seat(agent="a"), setup_pb2.Seat(agent="b")]
    return match_pb2.CreateMatchRequest(ruleset="azul", seats=seats, event_id=event)


async def test_what_is_kept_is_what_is_rebuilt(tmp_path: Path) -> None:
    """A match that waits, one in play and one that is over: the same rows, byte for byte."""
    async with serving(tmp_path) as running, asyncio.timeout(60):
        over = await create(running, wanted("over"))
        await play(running, seats_of(over))
        await create(running, wanted("waits"))
        going = await create(running, wanted("goes on"))
        asked = asyncio.Event()
        agent = RawAgent(seats_of(going), always(address(running)), lambda *_: asked.set())
        playing = asyncio.create_task(agent.play())
        host = running.house.hosts[bytes.fromhex(going.match.match_id)]
        await asked.wait()
        while host.match.question() is None:
            await host.events.wait()
        playing.cancel()
        await asyncio.wait((playing,))
    with Index(tmp_path / "index.db") as index:
        kept = index.canonical_dump()
        states = {row.info.setup.event_id: row.info.state for row in index.page().rows}
    assert rebuild(tmp_path).matches == 3
    with Index(tmp_path / "index.db") as index:
        assert index.canonical_dump() == kept
    assert states == {
        "over": match_pb2.MATCH_STATE_FINISHED,
        "waits": match_pb2.MATCH_STATE_OPEN,
        "goes on": match_pb2.MATCH_STATE_PLAYING,
    }
