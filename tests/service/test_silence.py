"""Streams that fall silent: asked whether they are there, and let go when they are not."""

from collections.abc import AsyncIterator
from pathlib import Path
from typing import NamedTuple

import pytest
import pytest_asyncio

from referee.service import limits
from referee.service.app import Running
from referee.v1 import match_pb2
from referee.v1 import play_pb2 as pb
from tests.service.cable import cable
from tests.service.here import address, create, until
from tests.service.hostile import wire
from tests.service.hostile.attacks import HELLO
from tests.service.hostile.calls import Calls, Talk, answer, join
from tests.service.hostile.court import Table, index, table
from tests.service.requests import assert_proved, finished, records, request
from tests.service.virtual import SECOND_NS, VirtualClock, standing_still

# The watch looks once a second.
LOOK_NS = SECOND_NS
THOUGHT_NS = 7 * SECOND_NS


class Scene(NamedTuple):
    """A referee whose time stands still, and a channel to it."""

    running: Running
    data: Path
    clock: VirtualClock
    calls: Calls

    async def table(self) -> match_pb2.CreateMatchResponse:
        """Make a match with so much time that no flag falls."""
        asked = request()
        asked.clock.bank_ns = 3_600 * SECOND_NS
        return await create(self.running, asked)


@pytest_asyncio.fixture(loop_scope="session", name="scene")
async def the_scene(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[Scene]:
    """Serve by a clock that stands still."""
    async with (
        standing_still(tmp_path, monkeypatch) as (running, clock),
        Calls(address(running)) as calls,
    ):
        yield Scene(running, tmp_path, clock, calls)


async def pong(talk: Talk) -> int:
    """Answer a ping, and wait until that was read."""
    number = (await talk.hear("ping")).ping.number
    await talk.say(pb.AgentMessage(pong=pb.Pong(number=number)))
    await talk.sync()
    return number


async def test_whoever_says_no_hello_is_let_go(scene: Scene) -> None:
    """Messages of other kinds do not count; whoever says it at the last moment stays."""
    rude, late = scene.calls.talk(), scene.calls.talk()
    for wait_ns in (0, limits.HELLO_NS // 2, limits.HELLO_NS // 2):
        await scene.clock.forward(wait_ns)
        for talk in (rude, late):
            await talk.say(pb.AgentMessage())
            assert (await talk.hear("refused")).refused.reason == pb.REFUSE_REASON_HELLO
    await late.hello()
    await scene.clock.forward(LOOK_NS)
    assert await rude.ended() == "SILENT"
    assert await late.bye() == "OK"


@pytest.mark.parametrize(
    ("greets", "most_ns"),
    [(False, limits.HELLO_NS), (True, limits.SILENCE_NS)],
    ids=["a hello", "another message"],
)
async def test_one_byte_a_second_is_as_good_as_none(
    scene: Scene, greets: bool, most_ns: int
) -> None:
    """The deadline for a whole message ends it, however steadily its bytes come."""
    frame = pb.PlayRequest(messages=[pb.AgentMessage(pong=pb.Pong(number=1))] * 99)
    data = wire.message(frame.SerializeToString())
    streams = scene.running.house.streams
    async with wire.wire(address(scene.running)) as raw:
        await raw.call(1, wire.PLAY)
        if greets:
            await raw.data(1, wire.message(HELLO))
        await until(lambda: any(one.hello is not None or not greets for one in streams))
        (stream,) = streams
        for second in range(most_ns // SECOND_NS):
            assert not stream.ended
            await raw.data(1, data[second : second + 1])
            await scene.clock.forward(SECOND_NS)
        assert not stream.ended
        await scene.clock.forward(LOOK_NS)
        assert stream.ended
        # RST_STREAM or trailers: the stream is over for its client, too.
        assert await raw.status(1) not in (0, None)


async def test_the_silent_are_let_go_and_those_who_answer_are_not(scene: Scene) -> None:
    """Two pings without an answer and some time more; the seat is free again after that."""
    made = await scene.table()
    async with table(scene.calls, made) as game:
        silent, loyal = game.talks
        for talk in game.talks:
            await talk.sync()
        numbers = []
        for _ in range(2):
            await scene.clock.forward(limits.PING_NS)
            assert loyal.next("ping") is None
            await scene.clock.forward(LOOK_NS)
            numbers.append(await pong(loyal))
        await scene.clock.forward(limits.SILENCE_NS - 2 * (limits.PING_NS + LOOK_NS))
        assert not silent.over
        pings = [(await silent.hear("ping")).ping.number for _ in range(2)]
        assert len({*pings, *numbers}) == 4
        await scene.clock.forward(LOOK_NS)
        assert await silent.ended() == "SILENT"
        for _ in range(4):
            await scene.clock.forward(limits.PING_NS + LOOK_NS)
            await pong(loyal)
        assert await loyal.bye() == "OK"
        back = scene.calls.talk()
        await back.hello(join(game.token(0)))
        assert (await back.hear("seat_taken")).seat_taken.seat == 0
        await back.bye()


async def pass_time(scene: Scene, time_ns: int, *loyal: Talk) -> None:
    """Let time pass for some who answer every ping; all of them were heard just now."""
    step_ns = limits.PING_NS + LOOK_NS
    for _ in range(time_ns // step_ns):
        await scene.clock.forward(step_ns)
        for talk in loyal:
            await pong(talk)
    await scene.clock.forward(time_ns % step_ns)


async def turn_of(game: Table, wanted: int) -> pb.YourTurn:
    """Play on until it is the turn of a seat, and return its question."""
    while True:
        seat, asked = await game.turn()
        if seat == wanted:
            return asked
        await game.talks[seat].say(answer(asked.turn, asked.attempt, index(0)))


@pytest.mark.parametrize("own", [True, False], ids=["own turn", "turn of the other"])
@pytest.mark.parametrize("early", [True, False], ids=["back soon", "back when let go"])
async def test_a_pulled_cable(scene: Scene, own: bool, early: bool) -> None:
    """Nobody hears of it, one's clock runs on one's own turn alone, and the token leads back."""
    made = await scene.table()
    house = scene.running.house
    away_ns = THOUGHT_NS if early else limits.SILENCE_NS + LOOK_NS
    async with (
        cable(address(scene.running)) as laid,
        Calls(laid.address) as far,
        Calls(address(scene.running)) as near,
        table(far, made, near) as game,
    ):
        asked = await turn_of(game, 0 if own else 1)
        silent, loyal = game.talks
        assert len(house.streams) == 2
        laid.pull()
        await pass_time(scene, away_ns, loyal)
        await until(lambda: len(house.streams) == 1 + early)
        back = game.talks[0] = scene.calls.talk()
        await back.hello(join(game.token(0), list_moves=True))
        await back.hear("seat_taken")
        assert len(house.streams) == 2 + early
        if own:
            again = (await back.hear("your_turn")).your_turn
            assert (again.turn, again.attempt) == (asked.turn, asked.attempt)
            asked = again
        await game.talks[not own].say(answer(asked.turn, asked.attempt, index(0)))
        following = await turn_of(game, int(own))
        assert following.turn == asked.turn + 1
        await game.talks[own].say(answer(following.turn, following.attempt, index(0)))
        await turn_of(game, int(not own))
        # The stream that hangs is let go, and nobody else is.
        for talk in (back, loyal):
            await talk.sync()
        await pass_time(scene, limits.SILENCE_NS + LOOK_NS, back, loyal)
        await until(lambda: len(house.streams) == 2)
        assert not silent.over
        heard = {message.WhichOneof("kind") for message in silent.heard}
        assert heard.isdisjoint({"ping", "detached"})
        await game.talks[not own].say(pb.AgentMessage(give_up=pb.GiveUp(handle=1)))
        await loyal.hear("match_closed")
    await until(lambda: not house.hosts)
    transcript = finished(scene.data, bytes.fromhex(game.match_id))
    assert_proved(transcript)
    moves = [one.move for one in records(transcript) if one.HasField("move")]
    charged = {move.turn: (move.seat, move.timing.charged_ns) for move in moves}
    assert charged.pop(asked.turn) == (int(not own), away_ns)
    assert all(charged_ns == 0 for _, charged_ns in charged.values())
    kinds = [one.WhichOneof("kind") for one in records(transcript)]
    assert kinds.count("disconnect") == (not early)
