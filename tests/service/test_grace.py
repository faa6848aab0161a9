"""A referee that is told to stop gives matches in play as much time as its operator wants."""

import asyncio
import signal
from pathlib import Path
from typing import Any

import pytest
from grpc_health.v1 import health_pb2

from referee.v1 import play_pb2 as pb
from tests.service.here import seats_of
from tests.service.hostile.calls import DEADLINE_S, Calls, join
from tests.service.hostile.court import table
from tests.service.process import Referee
from tests.service.raw_agent import RawAgent, always
from tests.service.requests import SECOND_NS, assert_proved, finished, kinds, request

STATUS = health_pb2.HealthCheckResponse.ServingStatus


async def draining(calls: Calls) -> None:
    """Wait until the referee says that it is about to stop."""
    watch: Any = calls.channel.unary_stream("/grpc.health.v1.Health/Watch")
    call = watch(health_pb2.HealthCheckRequest().SerializeToString())
    async with asyncio.timeout(DEADLINE_S):
        while isinstance(data := await call.read(), bytes):
            if health_pb2.HealthCheckResponse.FromString(data).status == STATUS.NOT_SERVING:
                break
    call.cancel()


async def test_a_match_in_play_ends_before_the_referee_does(tmp_path: Path) -> None:
    """With as much grace as it needs, it is the end of the match that the referee waits for."""
    async with Referee(tmp_path, grace_ns=3_600 * SECOND_NS) as referee:
        await referee.start()
        made = await referee.create(request())
        late = await referee.create(request())
        assert made is not None
        assert late is not None
        async with Calls(referee.address, referee.organiser) as calls, table(calls, made) as game:
            await game.play(3)
            referee.signal(signal.SIGTERM)
            await draining(calls)
            stranger = calls.talk(())
            await stranger.hello(join(late.tokens[0].token))
            refused = (await stranger.hear("refused")).refused
            assert refused.reason == pb.REFUSE_REASON_DRAINING
            await calls.ask("AbortMatch", match_id=late.match.match_id)
            await game.play(5)
            seat, _ = await game.turn()
            await game.talks[seat].say(pb.AgentMessage(give_up=pb.GiveUp(handle=1)))
            for talk in game.talks:
                await talk.hear("match_closed")
        assert await referee.ended() == 0
    transcript = finished(tmp_path, bytes.fromhex(game.match_id))
    assert_proved(transcript)
    assert "game_over" in kinds(transcript)
    assert "restart" not in kinds(transcript)


@pytest.mark.parametrize("grace_ns", [0, SECOND_NS // 5], ids=["none", "too little"])
async def test_a_match_that_does_not_end_in_time_goes_on_at_the_next_start(
    tmp_path: Path, grace_ns: int
) -> None:
    """The referee ends in order all the same."""
    async with Referee(tmp_path, grace_ns=grace_ns) as referee:
        await referee.start()
        made = await referee.create(request(round_cap=1))
        assert made is not None
        async with Calls(referee.address) as calls, table(calls, made) as game:
            await game.play(3)
            await game.turn()
            referee.signal(signal.SIGTERM)
            await referee.prepare()
            assert [await talk.ended() for talk in game.talks] == ["DRAINING"] * 2
            assert await referee.ended() == 0
        await referee.start()
        async with asyncio.timeout(DEADLINE_S):
            await RawAgent(seats_of(made), always(referee.address)).play()
        await referee.stop()
    transcript = finished(tmp_path, bytes.fromhex(game.match_id))
    assert_proved(transcript)
    assert kinds(transcript).count("restart") == 1
    assert "game_over" in kinds(transcript)
