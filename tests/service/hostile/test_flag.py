"""Answers around the flag: the nanosecond at which they are read decides (P-C1)."""

from collections.abc import AsyncIterator
from pathlib import Path
from typing import NamedTuple

import pytest
import pytest_asyncio

from referee.service.app import Running
from referee.transcript.result import TIME
from referee.v1 import play_pb2 as pb
from referee.v1 import record_pb2, setup_pb2
from tests.service.here import address, create, until
from tests.service.hostile.calls import Calls, answer
from tests.service.hostile.court import Table, index, table
from tests.service.requests import assert_proved, finished, records
from tests.service.requests import request as wanted
from tests.service.virtual import SECOND_NS, VirtualClock, standing_still

MS = 1_000_000
ALLOWED_NS = 2 * SECOND_NS
CLOCKS = {
    "limit": setup_pb2.ClockRule(move_limit_ns=ALLOWED_NS),
    "bank": setup_pb2.ClockRule(bank_ns=ALLOWED_NS),
}


class Scene(NamedTuple):
    """A match in play, whose time stands still at a question."""

    running: Running
    data: Path
    clock: VirtualClock
    game: Table
    seat: int
    asked: pb.YourTurn

    async def say(self) -> None:
        """Answer the question."""
        said = answer(self.asked.turn, self.asked.attempt, index(0))
        await self.game.talks[self.seat].say(said)

    async def record(self) -> list[record_pb2.Record]:
        """Return the record of the match that has ended, which must verify."""
        await until(lambda: not self.running.house.hosts)
        transcript = finished(self.data, bytes.fromhex(self.game.match_id))
        assert_proved(transcript)
        return records(transcript)

    async def assert_out(self) -> None:
        """Hold the end against what time alone decides: the seat lost at its flag."""
        over = (await self.game.talks[1 - self.seat].hear("match_over")).match_over.game_over
        assert [over.seats[seat].rank for seat in (self.seat, 1 - self.seat)] == [2, 1]
        outs = [one.seat_out for one in await self.record() if one.HasField("seat_out")]
        assert [(out.seat, out.reason) for out in outs] == [(self.seat, TIME)]
        assert outs[0].flag_ns == outs[0].sent_ns + ALLOWED_NS
        assert outs[0].credited_ns == 0


@pytest_asyncio.fixture(loop_scope="session", name="scene", params=CLOCKS)
async def the_scene(
    request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> AsyncIterator[Scene]:
    """Play some moves in no time at all, up to a question."""
    async with standing_still(tmp_path, monkeypatch) as (running, clock):
        made = await create(running, wanted(clock=CLOCKS[request.param]))
        async with Calls(address(running)) as calls, table(calls, made) as game:
            await game.play(4)
            seat, asked = await game.turn()
            assert asked.time_left_ns == ALLOWED_NS
            yield Scene(running, tmp_path, clock, game, seat, asked)


@pytest.mark.parametrize("early_ns", [30 * MS, MS, 1, 0])
async def test_an_answer_counts_up_to_the_flag(scene: Scene, early_ns: int) -> None:
    """Its last instant included; exactly what it took is charged."""
    await scene.clock.forward(ALLOWED_NS - early_ns)
    await scene.say()
    following, _ = await scene.game.turn()
    assert following == 1 - scene.seat
    await scene.game.talks[following].say(pb.AgentMessage(give_up=pb.GiveUp(handle=1)))
    await scene.game.talks[scene.seat].hear("match_over")
    moves = [one.move for one in await scene.record() if one.HasField("move")]
    assert moves[-1].seat == scene.seat
    assert moves[-1].timing.charged_ns == ALLOWED_NS - early_ns
    assert [move.timing.charged_ns for move in moves[:-1]] == [0] * 4


@pytest.mark.parametrize("late_ns", [1, MS])
async def test_an_answer_behind_the_flag_is_too_late(scene: Scene, late_ns: int) -> None:
    """Even if it is read before the timer rings: the seat is out from the flag on."""
    await scene.clock.forward(ALLOWED_NS)
    scene.clock.jump(late_ns)
    await scene.say()
    await scene.assert_out()


async def test_the_flag_falls_by_itself(scene: Scene) -> None:
    """A nanosecond after the last instant that an answer had; nobody has to say anything."""
    await scene.clock.forward(ALLOWED_NS)
    host = scene.running.house.hosts[bytes.fromhex(scene.game.match_id)]
    assert not host.match.over
    await scene.clock.forward(1)
    await scene.assert_out()


async def test_an_answer_at_30_ms_after_the_flag_finds_no_match(scene: Scene) -> None:
    """The match was over before it was read."""
    await scene.clock.forward(ALLOWED_NS + 30 * MS)
    await scene.say()
    await scene.assert_out()
