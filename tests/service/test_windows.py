"""When time decides: flags after pauses, the window after a restart, matches while it drains."""

import asyncio
from pathlib import Path

from referee.service.app import start
from referee.service.settings import Settings
from referee.service.timing import BEAT_NS
from referee.transcript.result import TIME
from referee.v1 import play_pb2 as pb
from referee.v1 import setup_pb2
from tests.service.here import address, create, play, seats_of, serving, until
from tests.service.hostile.calls import Calls, Talk, answer, join
from tests.service.hostile.court import index, table
from tests.service.raw_agent import RawAgent, Seat, always
from tests.service.requests import (
    SECOND_NS,
    assert_proved,
    finished,
    kinds,
    records,
    request,
)
from tests.service.virtual import VirtualClock

WITHIN_S = 30


async def test_a_flag_after_a_pause_falls_once_and_on_time(tmp_path: Path) -> None:
    """The pause is credited to the nanosecond, and the timer does not ring in circles meanwhile."""
    clock = VirtualClock()
    limit = 300_000_000
    async with serving(tmp_path, clock=clock) as running:
        made = await create(running, request(clock=setup_pb2.ClockRule(move_limit_ns=limit)))
        async with Calls(address(running)) as calls, table(calls, made) as sitting:
            seat, _ = await sitting.turn()
            host = running.house.hosts[bytes.fromhex(sitting.match_id)]
            sent = host.match.sent_ns
            assert sent is not None
            await clock.forward(limit // 3)
            clock.jump(2 * SECOND_NS)
            before = clock.rung
            # What is left of the limit, but for the beat that was due when the machine stopped.
            await clock.forward(limit - limit // 3 - BEAT_NS)
            assert not host.match.over
            assert clock.rung - before <= limit // BEAT_NS + 20
            await clock.forward(2 * BEAT_NS)
            async with asyncio.timeout(WITHIN_S):
                await sitting.talks[seat].hear("match_over")
            await until(lambda: not running.house.hosts)
    [out] = [
        record.seat_out
        for record in records(finished(tmp_path, bytes.fromhex(sitting.match_id)))
        if record.HasField("seat_out")
    ]
    assert (out.seat, out.reason) == (seat, TIME)
    # The beat that was due when the machine stopped is a part of the pause, if it was.
    assert 0 <= 2 * SECOND_NS - out.credited_ns <= BEAT_NS
    assert out.flag_ns == out.sent_ns + limit + out.credited_ns


async def test_a_slow_disk_gathers_no_looks_at_the_clock(tmp_path: Path) -> None:
    """While a frame waits for the disk beyond the flag, the clocks are to be looked at once."""
    clock = VirtualClock()
    async with serving(tmp_path, clock=clock) as running:
        made = await create(running, request(clock=setup_pb2.ClockRule(move_limit_ns=SECOND_NS)))
        async with Calls(address(running)) as calls, table(calls, made) as sitting:
            seat, _ = await sitting.turn()
            host = running.house.hosts[bytes.fromhex(sitting.match_id)]
            held = []
            commit = running.house.committer.commit
            running.house.committer.commit = lambda *frame: held.append(frame)  # type: ignore[method-assign]
            sitting.talks[1 - seat].call.cancel()
            await until(lambda: held)
            await clock.forward(10 * SECOND_NS)
            assert len(host._inbox._letters) == 1
            running.house.committer.commit = commit  # type: ignore[method-assign]
            commit(*held[0])
            async with asyncio.timeout(WITHIN_S):
                await sitting.talks[seat].hear("match_over")


# After a restart ------------------------------------------------------------------------------


async def back(calls: Calls, token: str) -> Talk:
    """Come back to a seat."""
    talk = calls.talk()
    await talk.hello(join(token, list_moves=True))
    await talk.hear("seat_taken")
    return talk


async def test_the_reconnect_window_is_for_every_seat(tmp_path: Path) -> None:
    """One seat is back and plays: the clock of the other one stands until it is back, too."""
    limit = setup_pb2.ClockRule(move_limit_ns=SECOND_NS)
    async with serving(tmp_path) as running:
        made = await create(running, request(clock=limit))
        async with Calls(address(running)) as calls, table(calls, made) as sitting:
            await sitting.play(2)
            seat, _ = await sitting.turn()
    clock = VirtualClock()
    async with serving(tmp_path, clock=clock, reconnect_ns=60 * SECOND_NS) as running:
        host = running.house.hosts[bytes.fromhex(made.match.match_id)]
        async with Calls(address(running)) as calls:
            one = await back(calls, made.tokens[seat].token)
            asked = (await one.hear("your_turn")).your_turn
            await one.say(answer(asked.turn, asked.attempt, index(0)))
            await until(lambda: host.match.fold.turn > asked.turn and not host.busy)
            await clock.forward(50 * SECOND_NS)
            assert host.match.sent_ns is None
            other = await back(calls, made.tokens[1 - seat].token)
            asked = (await other.hear("your_turn")).your_turn
            assert asked.time_left_ns == SECOND_NS
            # It was back: when it goes again, its clock runs like that of everybody.
            await clock.forward(SECOND_NS + BEAT_NS)
            over = (await one.hear("match_over")).match_over
            assert over.game_over.reason == TIME


async def test_the_reconnect_window_ends(tmp_path: Path) -> None:
    """A seat that never comes back loses, its clock beginning with the end of the window."""
    limit = setup_pb2.ClockRule(move_limit_ns=SECOND_NS)
    async with serving(tmp_path) as running:
        made = await create(running, request(clock=limit))
        async with Calls(address(running)) as calls, table(calls, made) as sitting:
            seat, _ = await sitting.turn()
    clock = VirtualClock()
    async with serving(tmp_path, clock=clock, reconnect_ns=60 * SECOND_NS) as running:
        host = running.house.hosts[bytes.fromhex(made.match.match_id)]
        async with Calls(address(running)) as calls:
            one = await back(calls, made.tokens[1 - seat].token)
            await clock.forward(59 * SECOND_NS)
            assert host.match.sent_ns is None
            await clock.forward(SECOND_NS + BEAT_NS)
            assert host.match.sent_ns is not None
            await clock.forward(SECOND_NS + BEAT_NS)
            over = (await one.hear("match_over")).match_over
            assert [result.rank for result in over.game_over.seats][1 - seat] == 1


# While it drains ------------------------------------------------------------------------------


async def test_agents_come_back_while_a_referee_drains(tmp_path: Path) -> None:
    """A connection that breaks in the last minutes is no loss; the match ends, then the referee."""
    running = await start(Settings(data=tmp_path, port=0, grace_ns=60 * SECOND_NS))
    made = await create(running, request(round_cap=2))
    seats = seats_of(made)
    reached = asyncio.Event()

    def hear(_seat: Seat | None, message: pb.RefereeMessage) -> None:
        if message.WhichOneof("kind") == "your_turn" and message.your_turn.turn == 6:
            reached.set()

    async with asyncio.timeout(WITHIN_S):
        connect = always(address(running))
        first = [asyncio.create_task(RawAgent([seat], connect, hear).play()) for seat in seats]
        await reached.wait()
        for playing in first:
            playing.cancel()
        await asyncio.wait(first)
        stopping = asyncio.create_task(running.stop())
        await until(lambda: running.house.draining)
        await asyncio.gather(*(RawAgent([seat], connect).play() for seat in seats))
        await stopping
    transcript = finished(tmp_path, bytes.fromhex(made.match.match_id))
    assert_proved(transcript)
    assert "reconnect" in kinds(transcript)
    assert "seat_out" not in kinds(transcript)


async def test_a_match_that_has_not_begun_is_kept_for_the_next_start(tmp_path: Path) -> None:
    """Nobody can join it while the referee drains, so nobody forfeits it, and it delays nothing."""
    clock = VirtualClock()
    settings = Settings(
        data=tmp_path, port=0, grace_ns=3_600 * SECOND_NS, start_window_ns=60 * SECOND_NS
    )
    running = await start(settings, clock)
    made = await create(running, request(round_cap=1))
    playing = await create(running, request(clock=None))
    async with (
        asyncio.timeout(WITHIN_S),
        Calls(address(running)) as calls,
        table(calls, playing) as sitting,
    ):
        await sitting.turn()
        stopping = asyncio.create_task(running.stop())
        await until(lambda: running.house.draining)
        talk = calls.talk()
        await talk.hello(join(made.tokens[0].token))
        refused = (await talk.hear("refused")).refused
        assert refused.reason == pb.REFUSE_REASON_DRAINING
        await clock.forward(70 * SECOND_NS)
        # The match in play ends, and with it the wait.
        host = running.house.hosts[bytes.fromhex(sitting.match_id)]
        seat = host.match.fold.position.actor
        await sitting.talks[seat].say(pb.AgentMessage(give_up=pb.GiveUp(handle=1)))
        await sitting.talks[seat].hear("match_closed")
        await stopping
    async with serving(tmp_path) as again:
        await play(again, seats_of(made))
    assert "seat_out" not in kinds(finished(tmp_path, bytes.fromhex(made.match.match_id)))
