"""A stream that is lost, a referee that vanishes, falls silent, is full, or wants nobody."""

import asyncio

import grpc
import pytest

from azul_agent import AgentError, NotWelcome, Pacing, SeatError, Turn, Unreachable
from azul_agent.stream import Outbox
from referee.v1 import play_pb2
from tests.clients_python.conftest import Ended, MakeAgent
from tests.clients_python.fake import DEADLINE_S, Fake, Table


class Pace:
    """Holds an agent between two attempts until the test lets it go on."""

    def __init__(self) -> None:
        self.waits: asyncio.Queue[float] = asyncio.Queue()
        self.go = asyncio.Event()
        self.now = 0.0

    async def sleep(self, seconds: float) -> None:
        """Tell the test, and wait for it."""
        self.waits.put_nowait(seconds)
        await self.go.wait()

    async def waited(self) -> float:
        """Return how long the agent wants to wait."""
        async with asyncio.timeout(DEADLINE_S):
            return await self.waits.get()

    def pacing(self, attempts: int | None = None) -> Pacing:
        """Return what an agent is paced by."""
        return Pacing(
            attempts=attempts, sleep=self.sleep, random=lambda: 1.0, clock=lambda: self.now
        )


async def test_a_referee_that_vanishes_and_returns(
    fake: Fake, make_agent: MakeAgent, start: Ended
) -> None:
    """All matches are joined again on the same port, from the events that are still missing."""
    tables = {"one": Table(match_id=b"1" * 16), "two": Table(match_id=b"2" * 16)}
    pace = Pace()
    agent = make_agent(pacing=pace.pacing())
    playing = {token: start(agent.play(token)) for token in tables}
    talk = await fake.accept()
    joins = {token: await table.seat_agent(talk) for token, table in tables.items()}
    for _ in range(3):
        talk.say(**tables["two"].event(joins["two"], setup=b""))
    await talk.silent()
    await fake.stop()
    assert await pace.waited() == 0.25
    await fake.start()
    pace.go.set()
    talk = await fake.accept()
    joins = {token: await table.seat_agent(talk) for token, table in tables.items()}
    assert (joins["one"].resume_from, joins["two"].resume_from) == (0, 3)
    for token, table in tables.items():
        talk.say(**table.turn(joins[token]))
        assert (await talk.hear_kind("answer")).handle == joins[token].handle
        table.finish(talk, joins[token])
        assert (await playing[token]).problems == ()


async def test_a_referee_that_is_not_there_yet(
    fake: Fake, make_agent: MakeAgent, start: Ended
) -> None:
    """Attempts grow rarer, up to a limit, until there is one; then they start anew."""
    await fake.stop()
    pace = Pace()
    start(make_agent(pacing=pace.pacing()).play("t"))
    pace.go.set()
    waits = [await pace.waited() for _ in range(7)]
    assert waits == [0.25, 0.5, 1.0, 2.0, 4.0, 5.0, 5.0]
    await fake.start()
    talk = await fake.accept()
    while not pace.waits.empty():
        pace.waits.get_nowait()
    pace.now += 5.0
    talk.end()
    assert await pace.waited() == 0.25


def test_waits_are_spread() -> None:
    """Chance shortens a wait by at most half, so that agents do not come back all at once."""
    waits = [Pacing(random=lambda r=r: r).delay_s(3) for r in (0.0, 0.5, 1.0)]  # type: ignore[misc]
    assert waits == [0.5, 0.75, 1.0]
    assert Pacing(random=lambda: 1.0).delay_s(10**6) == 5.0


async def test_attempts_can_be_limited(fake: Fake, make_agent: MakeAgent) -> None:
    """An agent that shall not wait for ever says so."""
    await fake.stop()
    agent = make_agent(pacing=Pacing(first_s=0.0, attempts=3))
    async with asyncio.timeout(DEADLINE_S):
        with pytest.raises(Unreachable, match="nobody listens there"):
            await agent.play("t")


@pytest.mark.parametrize(
    "code",
    [
        grpc.StatusCode.UNAUTHENTICATED,
        grpc.StatusCode.PERMISSION_DENIED,
        grpc.StatusCode.UNIMPLEMENTED,
    ],
)
async def test_an_agent_that_is_not_welcome_stops(
    fake: Fake, make_agent: MakeAgent, start: Ended, code: grpc.StatusCode
) -> None:
    """A wrong bearer stays wrong."""
    playing = start(make_agent().play("t"))
    talk = await fake.accept_silently()
    talk.end(code)
    with pytest.raises(NotWelcome, match=code.name):
        await playing


@pytest.mark.parametrize(
    "code", [None, *(code for code in grpc.StatusCode if code.value[0] not in (0, 7, 12, 16))]
)
async def test_every_other_end_of_a_stream_is_survived(
    fake: Fake, make_agent: MakeAgent, start: Ended, code: grpc.StatusCode | None
) -> None:
    """Whatever the status, the agent comes back and takes its seat again."""
    start(make_agent().play("t"))
    talk = await fake.accept()
    await talk.hear_kind("join")
    talk.end(code)
    talk = await fake.accept()
    assert (await talk.hear_kind("join")).seat_token == "t"


async def test_a_fault_of_the_kit_is_told(
    fake: Fake, make_agent: MakeAgent, start: Ended, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nobody waits for ever for an agent that has a bug of its own."""
    agent = make_agent()
    monkeypatch.setattr(agent, "_on_welcome", lambda _: 1 / 0)
    playing = start(agent.play("t"))
    await fake.accept()
    with pytest.raises(AgentError, match="division by zero"):
        await playing


def test_a_bearer_in_the_clear_is_warned_of(
    make_agent: MakeAgent, caplog: pytest.LogCaptureFixture
) -> None:
    """On the own machine it is nobody's business; further away it is."""
    make_agent(token="bearer")
    make_agent(token="bearer", target="localhost:1")
    make_agent(target="referee.example:1")
    assert "unencrypted" not in caplog.text
    make_agent(token="bearer", target="referee.example:1")
    assert "referee.example:1: the bearer goes there unencrypted" in caplog.text
    assert "bearer-" not in caplog.text


async def test_a_silent_referee_is_left(fake: Fake, make_agent: MakeAgent, start: Ended) -> None:
    """Not even a ping in twice the time that it promised: the stream is as good as lost."""
    start(make_agent().play("t"))
    talk = await fake.accept(silence_ns=10_000_000)
    await talk.hear_kind("join")
    await talk.lost()
    talk = await fake.accept()
    await talk.hear_kind("join")


async def test_a_draining_referee_is_asked_again(
    fake: Fake, make_agent: MakeAgent, start: Ended
) -> None:
    """A seat that is to be had later is asked for later, under another handle."""
    pace = Pace()
    playing = start(make_agent(pacing=pace.pacing()).play("t"))
    talk = await fake.accept()
    first = await talk.hear_kind("join")
    refused = play_pb2.Refused(
        handle=first.handle,
        refused=play_pb2.AGENT_MESSAGE_KIND_JOIN,
        reason=play_pb2.REFUSE_REASON_DRAINING,
    )
    talk.say(refused=refused)
    assert await pace.waited() == 5.0
    await talk.silent()
    pace.go.set()
    table = Table()
    join = await table.seat_agent(talk)
    assert join.handle != first.handle
    table.finish(talk, join)
    await playing


async def test_a_match_that_ended_meanwhile(
    fake: Fake, make_agent: MakeAgent, start: Ended
) -> None:
    """A referee that only says so leaves the result unknown, which is no error."""
    table = Table()
    playing = start(make_agent().play("t"))
    talk = await fake.accept()
    await table.seat_agent(talk)
    await talk.silent()
    talk.end()
    talk = await fake.accept()
    join = await talk.hear_kind("join")
    refused = play_pb2.Refused(
        handle=join.handle,
        refused=play_pb2.AGENT_MESSAGE_KIND_JOIN,
        reason=play_pb2.REFUSE_REASON_MATCH_ENDED,
    )
    talk.say(refused=refused)
    result = await playing
    assert (result.match_id, result.reason, result.closed) == (table.match_id, "UNKNOWN", None)


async def test_a_match_that_confuses_the_agent_costs_no_other(
    fake: Fake, make_agent: MakeAgent, start: Ended
) -> None:
    """A set-up that cannot be read ends that seat alone."""
    agent = make_agent()
    playing = [start(agent.play("odd")), start(agent.play("good"))]
    talk = await fake.accept()
    odd = await talk.hear_kind("join")
    talk.say(**Table().taken(odd, setup=b"\xff\xff"))
    with pytest.raises(SeatError):
        await playing[0]
    table = Table()
    join = await table.seat_agent(talk)
    table.finish(talk, join)
    assert (await playing[1]).problems == ()


async def test_closing_fails_what_goes_on(fake: Fake, make_agent: MakeAgent, start: Ended) -> None:
    """Nobody waits for a match of an agent that has left; the stream is ended in good order."""
    agent = make_agent()
    playing = start(agent.play("t"))
    talk = await fake.accept()
    await talk.hear_kind("join")
    await agent.close()
    await talk.lost()
    with pytest.raises(AgentError, match="closed"):
        await playing
    with pytest.raises(AgentError, match="closed"):
        await agent.play("t")


async def test_a_seat_is_played_once(fake: Fake, make_agent: MakeAgent, start: Ended) -> None:
    """The same token again would detach the agent from itself."""
    agent = make_agent()
    start(agent.play("t"))
    talk = await fake.accept()
    await talk.hear_kind("join")
    with pytest.raises(SeatError, match="already"):
        await agent.play("t")
    await talk.silent()


async def test_frames_keep_to_the_limit() -> None:
    """What gathers goes out in order, in as few frames as the limit allows."""
    outbox = Outbox()
    outbox.max_frame_bytes = 100
    for turn in range(1, 8):
        answer = play_pb2.Answer(turn=turn, action=bytes(30))
        outbox.put(play_pb2.AgentMessage(answer=answer))
    outbox.put(play_pb2.AgentMessage(answer=play_pb2.Answer(turn=8, action=bytes(200))))
    outbox.close()
    outbox.put(play_pb2.AgentMessage(pong=play_pb2.Pong()))
    frames = []
    while (frame := await outbox.frame()) is not None:
        frames.append(frame)
    assert [[m.answer.turn for m in frame.messages] for frame in frames] == [
        [1, 2],
        [3, 4],
        [5, 6],
        [7],
        [8],
    ]
    assert all(frame.ByteSize() <= 100 for frame in frames[:-1])


async def test_the_limit_of_the_referee_counts(
    fake: Fake, make_agent: MakeAgent, start: Ended
) -> None:
    """Ten answers at once are spread over frames that this referee accepts."""

    def bot(turn: Turn) -> int:
        turn.debug("x" * 60)
        return 0

    agent = make_agent(bot, inline=True)
    tables = [Table(match_id=bytes([n]) * 16) for n in range(10)]
    for n in range(10):
        start(agent.play(f"seat {n}"))
    talk = await fake.accept(max_frame_bytes=200)
    joins = [await table.seat_agent(talk) for table in tables]
    talk.frame(
        *(
            play_pb2.RefereeMessage(**table.turn(join))
            for table, join in zip(tables, joins, strict=True)
        )
    )
    for _ in tables:
        await talk.hear_kind("answer")
    assert max(frame.ByteSize() for frame in talk.frames[1:]) <= 200
