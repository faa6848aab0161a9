"""What a match leaves to others, and what it tells the operator."""

import gc
import weakref
from pathlib import Path
from typing import Any

from structlog.testing import capture_logs

from referee.service import limits
from referee.v1.play_pb2 import PlayResponse
from tests.service.here import address, create, play, seats_of, serving, until
from tests.service.hostile.calls import Calls, answer, join
from tests.service.hostile.court import index, table
from tests.service.requests import finished, kinds, request
from tests.service.virtual import VirtualClock

SMILE = "\U0001f600"


async def test_a_match_that_is_over_leaves_memory(tmp_path: Path) -> None:
    """Its timer was set for a flag that will never fall, and must not hold it until then."""
    async with serving(tmp_path, clock=VirtualClock()) as running:
        made = await create(running, request(round_cap=1))
        host = weakref.ref(next(iter(running.house.hosts.values())))
        await play(running, seats_of(made))
        await until(lambda: not running.house.hosts)

        def gone() -> bool:
            gc.collect()
            return host() is None

        await until(gone)


async def test_nothing_is_told_after_detached(tmp_path: Path) -> None:
    """The handle is free again: whatever came under it would be taken for another match."""
    async with serving(tmp_path) as running:
        made = await create(running, request())
        async with Calls(address(running)) as calls, table(calls, made) as sitting:
            seat, _ = await sitting.turn()
            again = calls.talk()
            await again.hello(join(sitting.token(1 - seat)))
            await again.hear("seat_taken")
            old = sitting.talks[1 - seat]
            await old.hear("detached")
            # The answer to this comes behind whatever was still said.
            await old.sync()
        said = [
            message for frame in old.kept for message in PlayResponse.FromString(frame).messages
        ]
        told = [message.WhichOneof("kind") for message in said]
        assert told[told.index("detached") + 1 :] == ["refused"]


async def test_what_agents_say_aside_is_cut_in_bytes(tmp_path: Path) -> None:
    """A letter may have four of them."""
    async with serving(tmp_path) as running:
        made = await create(running, request())
        async with Calls(address(running)) as calls, table(calls, made) as sitting:
            seat, asked = await sitting.turn()
            long = answer(asked.turn, asked.attempt, index(0), debug=SMILE * 10_000)
            await sitting.talks[seat].say(long)
            await sitting.turn()
        file = tmp_path / "debug" / made.match.match_id / f"{seat}.log"
        await until(file.exists)
    assert limits.MAX_DEBUG_BYTES - 4 <= file.stat().st_size <= limits.MAX_DEBUG_BYTES + 100
    assert file.read_text().count(SMILE) == limits.MAX_DEBUG_BYTES // 4


async def test_the_log_tells_who_came_and_how_it_ended(tmp_path: Path) -> None:
    """An operator sees what happened without opening a transcript."""
    async with serving(tmp_path) as running:
        with capture_logs() as logged:
            made = await create(running, request(round_cap=1))
            await play(running, seats_of(made))
            resigned = await create(running, request())
            async with Calls(address(running)) as calls, table(calls, resigned) as sitting:
                seat, _ = await sitting.turn()
                await sitting.talks[seat].call.done_writing()
                await sitting.talks[1 - seat].hear("event")
                await until(lambda: any(line["event"] == "connection lost" for line in logged))
            await until(lambda: len([1 for line in logged if line["event"] == "match closed"]))
    match_id = made.match.match_id
    lines: list[Any] = [line for line in logged if line.get("match") == match_id]
    happened = [line["event"] for line in lines]
    # When CreateMatch is done is not in step with what agents do.
    happened.remove("match created")
    assert happened[:3] == ["joined", "joined", "match started"]
    closed = next(line for line in lines if line["event"] == "match closed")
    transcript = finished(tmp_path, bytes.fromhex(match_id))
    assert "game_over" in kinds(transcript)
    over = transcript.frames[-2]
    [result] = [record.game_over for record in over if record.HasField("game_over")]
    assert closed["scores"] == [one.score for one in result.seats]
    assert closed["ranks"] == [one.rank for one in result.seats]
    assert (closed["end"], closed["reason"]) == ("game_over", "round_cap")
