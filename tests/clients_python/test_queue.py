"""Being paired: matches come by themselves, until there were enough."""

import asyncio

import pytest

from azul_agent import Agent, AgentError, QueueRefused
from azul_agent.connect import Pacing
from referee.v1 import play_pb2
from tests.clients_python.conftest import Ended, MakeAgent
from tests.clients_python.fake import Fake, Table, Talk


def pair(talk: Talk, token: str) -> None:
    """Offer a seat."""
    talk.say(paired=play_pb2.Paired(seat_token=token, ruleset="azul"))


async def test_so_many_games(fake: Fake, make_agent: MakeAgent, start: Ended) -> None:
    """Each offer is taken; the wish ends with the last one wanted."""
    queueing = start(make_agent().queue("azul", 2, 4, games=2))
    talk = await fake.accept()
    wish = await talk.hear_kind("queue")
    assert (wish.ruleset, wish.seats, wish.at_once) == ("azul", 2, 2)
    one, two, three = (Table(match_id=bytes([n]) * 16) for n in range(3))
    pair(talk, "one")
    first = await one.seat_agent(talk)
    assert first.seat_token == "one"
    pair(talk, "one")
    await talk.silent()
    pair(talk, "two")
    await talk.hear_kind("unqueue")
    second = await two.seat_agent(talk)
    # It crossed the end of the wish; whoever is paired plays.
    pair(talk, "three")
    third = await three.seat_agent(talk)
    for table, join in ((one, first), (two, second), (three, third)):
        talk.say(**table.turn(join))
        assert (await talk.hear_kind("answer")).handle == join.handle
        table.finish(talk, join)
    assert {result.match_id[0] for result in await queueing} == {0, 1, 2}


async def test_the_wish_outlives_a_stream(fake: Fake, make_agent: MakeAgent, start: Ended) -> None:
    """It is said again on the next one, beside the seats that are taken up again."""
    queueing = start(make_agent().queue("azul", games=2))
    talk = await fake.accept()
    await talk.hear_kind("queue")
    pair(talk, "one")
    table = Table()
    await table.seat_agent(talk)
    await talk.silent()
    talk.end()
    talk = await fake.accept()
    join = await table.seat_agent(talk)
    assert join.seat_token == "one"
    await talk.hear_kind("queue")
    table.finish(talk, join)
    pair(talk, "two")
    await talk.hear_kind("unqueue")
    join = await table.seat_agent(talk)
    talk.end()
    talk = await fake.accept()
    join = await table.seat_agent(talk)
    await talk.silent()
    table.finish(talk, join)
    assert len(await queueing) == 2


async def test_a_wish_that_is_refused(fake: Fake, make_agent: MakeAgent, start: Ended) -> None:
    """The reason is told, and the agent can ask for something else."""
    agent = make_agent()
    queueing = start(agent.queue("chess"))
    talk = await fake.accept()
    await talk.hear_kind("queue")
    with pytest.raises(AgentError, match="already"):
        await agent.queue("azul")
    refused = play_pb2.Refused(
        refused=play_pb2.AGENT_MESSAGE_KIND_QUEUE,
        reason=play_pb2.REFUSE_REASON_QUEUE,
        message="no such ruleset",
    )
    talk.say(refused=refused)
    with pytest.raises(QueueRefused, match="no such ruleset") as caught:
        await queueing
    assert caught.value.reason == play_pb2.REFUSE_REASON_QUEUE
    start(agent.queue("azul"))
    assert (await talk.hear_kind("queue")).ruleset == "azul"


async def test_a_refusal_ends_no_match(fake: Fake, make_agent: MakeAgent, start: Ended) -> None:
    """What was paired before the referee changed its mind is played to its end."""
    queueing = start(make_agent().queue("azul"))
    talk = await fake.accept()
    await talk.hear_kind("queue")
    pair(talk, "one")
    table = Table()
    join = await table.seat_agent(talk)
    refused = play_pb2.Refused(
        refused=play_pb2.AGENT_MESSAGE_KIND_QUEUE, reason=play_pb2.REFUSE_REASON_QUEUE
    )
    talk.say(refused=refused)
    talk.say(**table.turn(join))
    await talk.hear_kind("answer")
    table.finish(talk, join)
    with pytest.raises(QueueRefused):
        await queueing


async def test_a_full_queue_is_asked_again(fake: Fake, make_agent: MakeAgent, start: Ended) -> None:
    """A limit is no answer for ever."""
    start(make_agent().queue("azul"))
    talk = await fake.accept()
    await talk.hear_kind("queue")
    refused = play_pb2.Refused(
        refused=play_pb2.AGENT_MESSAGE_KIND_QUEUE, reason=play_pb2.REFUSE_REASON_LIMIT
    )
    talk.say(refused=refused)
    await talk.hear_kind("queue")


async def test_a_wish_that_is_taken_back(fake: Fake, make_agent: MakeAgent, start: Ended) -> None:
    """Cancelling it tells the referee."""
    queueing = start(make_agent().queue("azul"))
    talk = await fake.accept()
    await talk.hear_kind("queue")
    queueing.cancel()
    await talk.hear_kind("unqueue")


async def test_a_referee_that_is_not_there_ends_the_wish(fake: Fake) -> None:
    """Also the queue does not wait for ever if that is not wanted."""
    await fake.stop()
    agent = Agent(
        fake.target,
        lambda _: 0,
        name="tester",
        shares=False,
        pacing=Pacing(first_s=0.0, attempts=2),
    )
    async with asyncio.timeout(10):
        with pytest.raises(AgentError):
            await agent.queue("azul")
    await agent.close()
