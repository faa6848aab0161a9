"""Agents that ask to be paired get matches as they come, and never one against themselves."""

import asyncio
from contextlib import AsyncExitStack
from pathlib import Path

import pytest
import structlog

from azul_agent import Agent, Result, Turn
from azul_agent.errors import QueueRefused
from referee.service import house, limits, pairing, server
from referee.service.app import Running, start
from referee.service.auth import Role
from referee.service.settings import Settings
from referee.transcript.verify import Verdict, verify_file
from referee.v1 import match_pb2
from referee.v1 import play_pb2 as pb
from referee.v1.play_pb2 import REFUSE_REASON_QUEUE
from tests.service.faulty import ENOSPC, FaultyDisk, Held, no_fault
from tests.service.here import address, create, serving, until
from tests.service.hostile.calls import Calls, Talk, join
from tests.service.requests import finished, kinds, request

QUEUE = pb.AgentMessage(queue=pb.Queue(ruleset="azul", seats=2))
UNQUEUE = pb.AgentMessage(unqueue=pb.Unqueue())
OPEN, ABORTED = match_pb2.MATCH_STATE_OPEN, match_pb2.MATCH_STATE_ABORTED


def first(turn: Turn) -> int:
    """Play the first legal move."""
    return 0


def agent(running: Running, name: str, folder: Path, *, bearer: bool = True) -> Agent:
    """Return a registered agent, or a stranger."""
    token = running.house.credentials.issue(Role.AGENT, name) if bearer else None
    secret = folder / f"{name}.secret"
    return Agent(address(running), first, name=name, token=token, inline=True, secret_file=secret)


async def paired(agents: list[Agent], ruleset: str, seats: int, games: int) -> list[list[Result]]:
    """Let all of them play so many games that the queue gives them."""
    async with AsyncExitStack() as stack, asyncio.timeout(60):
        for one in agents:
            await stack.enter_async_context(one)
        queues = [one.queue(ruleset, seats, games=games) for one in agents]
        return list(await asyncio.gather(*queues))


@pytest.mark.parametrize(("ruleset", "seats"), [("azul", 2), ("chocolatier", 3)])
async def test_agents_are_paired_again_and_again(tmp_path: Path, ruleset: str, seats: int) -> None:
    """Two matches in a row, signed and verified, each with every agent in one seat."""
    async with serving(tmp_path) as running:
        agents = [agent(running, f"bot{number}", tmp_path) for number in range(seats)]
        played = await paired(agents, ruleset, seats, 2)
        files = [running.store.layout.finished_path(one.match_id) for one in played[0]]
    assert len({result.match_id for result in played[0]}) == 2
    for results in played:
        assert [result.match_id for result in results] == [one.match_id for one in played[0]]
    for file in files:
        report = verify_file(file)
        assert report.verdict is Verdict.OK
        assert report.fold is not None
        assert sorted(report.fold.setup.agents) == [f"bot{number}" for number in range(seats)]


async def test_nobody_is_paired_without_a_bearer(tmp_path: Path) -> None:
    """Whoever wants to be paired says who it is, also on this machine."""
    async with serving(tmp_path) as running, agent(running, "x", tmp_path, bearer=False) as one:
        with pytest.raises(QueueRefused):
            async with asyncio.timeout(20):
                await one.queue("azul", 2, games=1)


async def test_an_organiser_is_not_paired(tmp_path: Path) -> None:
    """It is told so, and whose bearer it takes, instead of waiting in silence."""
    async with serving(tmp_path) as running:
        token = running.house.credentials.issue(Role.ORGANISER, "me")
        secret = tmp_path / "me.secret"
        one = Agent(address(running), first, name="me", token=token, secret_file=secret)
        async with one, asyncio.timeout(20):
            with pytest.raises(QueueRefused, match="an agent's bearer") as caught:
                await one.queue("azul", 2, games=1)
    assert caught.value.reason == REFUSE_REASON_QUEUE


async def test_an_agent_never_plays_itself(tmp_path: Path) -> None:
    """Two streams of one agent wait; when another agent comes, one of them plays."""
    async with serving(tmp_path) as running, AsyncExitStack() as stack:
        token = running.house.credentials.issue(Role.AGENT, "twin")
        twins = [
            Agent(
                address(running),
                first,
                name=f"twin {number}",
                token=token,
                inline=True,
                secret_file=tmp_path / "twin.secret",
            )
            for number in range(2)
        ]
        other = agent(running, "other", tmp_path)
        for one in (*twins, other):
            await stack.enter_async_context(one)
        waiting = [asyncio.create_task(one.queue("azul", 2, games=1)) for one in twins]
        async with asyncio.timeout(30):
            await other.queue("azul", 2, games=1)
            done, left = await asyncio.wait(waiting, return_when=asyncio.FIRST_COMPLETED)
        assert len(done) == len(left) == 1
        for task in left:
            task.cancel()
        await asyncio.wait(left)


def registered(running: Running, name: str) -> Calls:
    """Open a channel of a registered agent."""
    return Calls(address(running), running.house.credentials.issue(Role.AGENT, name))


async def queued(calls: Calls) -> Talk:
    """Open a stream and enter the queue."""
    talk = calls.talk()
    await talk.hello(QUEUE)
    await talk.sync()
    return talk


async def seats_of_pair(one: Talk, other: Talk) -> set[int]:
    """Wait until two agents are paired with each other, and return their seats."""
    heard = [(await talk.hear("paired")).paired for talk in (one, other)]
    assert heard[0].match_id == heard[1].match_id
    return {paired.seat for paired in heard}


async def test_who_leaves_while_a_match_is_made_is_not_paired(tmp_path: Path) -> None:
    """That match counts for nobody, and whoever stayed is paired with the next one at once."""
    disk = FaultyDisk()
    async with (
        serving(tmp_path, disk=disk) as running,
        registered(running, "a") as one,
        registered(running, "b") as two,
        registered(running, "c") as three,
    ):
        a, b = await queued(one), two.talk()
        held = Held("sync")
        disk.fault = held
        await b.hello(QUEUE)
        await until(lambda: held.reached)
        await a.say(UNQUEUE)
        await a.sync()
        held.let_go()
        c = await queued(three)
        assert await seats_of_pair(b, c) == {0, 1}
        await a.sync()
        assert not any(said.WhichOneof("kind") == "paired" for said in a.heard)
        await until(lambda: len(running.house.hosts) == 1)
        (host,) = running.house.hosts.values()
        agents = [seat.agent for seat in host.match.fold.setup.message.seats]
        listed = (await one.ask("ListMatches")).matches
    assert sorted(agents) == ["b", "c"]
    assert sorted(match.state for match in listed) == [OPEN, ABORTED]


async def test_who_comes_back_while_a_match_is_made_is_paired_once(tmp_path: Path) -> None:
    """To leave and to queue anew is another wish: the match that was being made is nobody's."""
    disk = FaultyDisk()
    async with (
        serving(tmp_path, disk=disk) as running,
        registered(running, "a") as one,
        registered(running, "b") as two,
    ):
        a, b = await queued(one), two.talk()
        held = Held("sync")
        disk.fault = held
        await b.hello(QUEUE)
        await until(lambda: held.reached)
        await a.say(UNQUEUE, QUEUE)
        await a.sync()
        held.let_go()
        assert await seats_of_pair(a, b) == {0, 1}
        await until(lambda: len(running.house.hosts) == 1)
        await a.sync()
        assert not any(said.WhichOneof("kind") == "paired" for said in a.heard)


async def test_a_stream_that_ends_while_a_match_is_made_is_not_paired(tmp_path: Path) -> None:
    """Nobody forfeits a match that it could not hear of."""
    disk = FaultyDisk()
    async with (
        serving(tmp_path, disk=disk) as running,
        registered(running, "a") as one,
        registered(running, "b") as two,
    ):
        a, b = await queued(one), two.talk()
        held = Held("sync")
        disk.fault = held
        await b.hello(QUEUE)
        await until(lambda: held.reached)
        a.call.cancel()
        await until(lambda: len(running.house.streams) == 1)
        held.let_go()
        again = await queued(one)
        assert await seats_of_pair(again, b) == {0, 1}


async def test_the_queue_goes_on_after_the_disk_failed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nobody has to come or go for it: pairing is tried again, later each time."""
    monkeypatch.setattr(pairing, "FIRST_RETRY_NS", 20_000_000)
    disk = FaultyDisk()
    async with (
        serving(tmp_path, disk=disk) as running,
        registered(running, "a") as one,
        registered(running, "b") as two,
    ):
        disk.fault = lambda _operation, _path: ENOSPC
        a, b = await queued(one), await queued(two)
        await until(lambda: len(disk.failed) >= 3)
        disk.fault = no_fault
        assert await seats_of_pair(a, b) == {0, 1}


async def test_a_pairing_that_failed_in_its_midst_is_nobodys_loss(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The disk kept the match but not its seed: made good later, it counts for nothing."""
    monkeypatch.setattr(pairing, "FIRST_RETRY_NS", 20_000_000)
    monkeypatch.setattr(house, "RETRY_S", 0.02)
    disk = FaultyDisk()
    async with (
        serving(tmp_path, disk=disk) as running,
        registered(running, "a") as one,
        registered(running, "b") as two,
    ):
        disk.fault = lambda operation, _path: ENOSPC if operation == "write_private" else None
        a, b = await queued(one), await queued(two)
        await until(lambda: disk.failed)
        disk.fault = no_fault
        paired = (await a.hear("paired")).paired
        await b.hear("paired")
        await until(lambda: list(running.house.hosts) == [paired.match_id])
        listed = (await one.ask("ListMatches")).matches
        states = {match.match_id: match.state for match in listed}
    assert states.pop(paired.match_id.hex()) == OPEN
    assert set(states.values()) == {ABORTED}


async def test_the_queue_goes_on_when_any_match_makes_room(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Also one that nobody in the queue plays in."""
    async with (
        serving(tmp_path) as running,
        registered(running, "a") as one,
        registered(running, "b") as two,
        Calls(address(running), running.house.credentials.issue(Role.ORGANISER, "o")) as calls,
    ):
        made = await create(running, request())
        monkeypatch.setattr(limits, "MAX_OPEN_MATCHES", 1)
        a, b = await queued(one), await queued(two)
        assert len(running.house.hosts) == 1
        await calls.ask("AbortMatch", match_id=made.match.match_id)
        assert await seats_of_pair(a, b) == {0, 1}


@pytest.mark.parametrize("late", [False, True], ids=["set-up", "commitment"])
@pytest.mark.parametrize("fault", [None, ENOSPC], ids=["written", "failed"])
async def test_a_referee_that_stops_while_it_pairs_has_no_error(
    tmp_path: Path, fault: int | None, *, late: bool
) -> None:
    """What the disk says after the pairing was called off is not news to anybody."""
    disk = FaultyDisk()
    seed, frame = Held("write_private"), Held("sync")
    with structlog.testing.capture_logs() as logs:
        running = await start(Settings(data=tmp_path, port=0), disk=disk)
        async with registered(running, "a") as one, registered(running, "b") as two:
            await queued(one)
            disk.fault = seed if late else frame
            await two.talk().hello(QUEUE)
            if late:
                await until(lambda: seed.reached)
                disk.fault = frame
                seed.let_go()
            await until(lambda: frame.reached)
            stopping = asyncio.create_task(running.stop())
            await until(lambda: not running.house._tasks)
            frame.let_go(fault)
            await stopping
    assert [line for line in logs if line["event"] == "match failed after a write"] == []


async def test_queued_streams_make_room(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whoever waits to be paired keeps nobody out, but stays longer than who only stands around."""
    monkeypatch.setattr(limits, "MAX_STREAMS", 4)
    async with (
        serving(tmp_path) as running,
        registered(running, "a") as one,
        Calls(address(running)) as two,
    ):
        made = await create(running, request())
        crowd = [await queued(one) for _ in range(3)]
        idle = two.talk()
        await idle.hello()
        seated = two.talk()
        await seated.hello(join(made.tokens[0].token))
        await seated.hear("seat_taken")
        assert await idle.ended() == "LIMIT"
        late = two.talk()
        await late.hello(join(made.tokens[1].token))
        await late.hear("seat_taken")
        assert await crowd[0].ended() == "LIMIT"
        assert len(running.house.streams) == 4
        await crowd[1].sync()


async def test_one_agent_waits_on_so_many_streams(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One more is refused, other agents are not, and whoever leaves makes room."""
    monkeypatch.setattr(limits, "MAX_QUEUED_PER_AGENT", 2)
    async with (
        serving(tmp_path) as running,
        registered(running, "a") as one,
        registered(running, "b") as two,
    ):
        crowd = [await queued(one) for _ in range(2)]
        more = one.talk()
        await more.hello(QUEUE)
        refused = (await more.hear("refused")).refused
        assert refused.refused == pb.AGENT_MESSAGE_KIND_QUEUE
        assert refused.reason == pb.REFUSE_REASON_LIMIT
        await crowd[0].say(UNQUEUE)
        await crowd[0].sync()
        await more.say(QUEUE)
        await more.sync()
        b = await queued(two)
        assert await seats_of_pair(crowd[1], b) == {0, 1}


async def test_the_queue_is_entered_only_so_often(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whoever comes and goes all the time has matches made and called off; not without end."""
    monkeypatch.setattr(limits, "QUEUE_BURST", 3)
    monkeypatch.setattr(limits, "QUEUE_PER_SECOND", 0)
    async with serving(tmp_path) as running, registered(running, "a") as one:
        talk = one.talk()
        await talk.hello(*[QUEUE, UNQUEUE] * 3, QUEUE)
        assert (await talk.hear("refused")).refused.reason == pb.REFUSE_REASON_LIMIT


async def test_a_revoked_agent_is_not_paired(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Neither one that is queued nor one that wants to be: rights are those of the moment."""
    monkeypatch.setattr(server, "WATCH_S", 3_600)
    async with (
        serving(tmp_path) as running,
        registered(running, "a") as one,
        registered(running, "b") as two,
        registered(running, "c") as three,
        registered(running, "d") as four,
    ):
        credentials = running.house.credentials
        number = {one.name: one.number for one in credentials.tokens()}
        a = await queued(one)
        b = two.talk()
        await b.hello()
        credentials.revoke(number["a"])
        credentials.revoke(number["b"])
        await b.say(QUEUE)
        refused = (await b.hear("refused")).refused
        assert refused.reason == pb.REFUSE_REASON_QUEUE
        c, d = await queued(three), await queued(four)
        assert await seats_of_pair(c, d) == {0, 1}
        assert (await a.hear("refused")).refused.reason == pb.REFUSE_REASON_QUEUE


async def test_who_is_revoked_while_a_match_is_made_is_not_paired(tmp_path: Path) -> None:
    """The match is called off, as for an agent that leaves."""
    disk = FaultyDisk()
    async with (
        serving(tmp_path, disk=disk) as running,
        registered(running, "a") as one,
        registered(running, "b") as two,
    ):
        a, b = await queued(one), two.talk()
        held = Held("sync")
        disk.fault = held
        await b.hello(QUEUE)
        await until(lambda: held.reached)
        running.house.credentials.revoke(1)
        held.let_go()
        assert (await a.hear("refused", "paired")).HasField("refused")
        await until(lambda: not running.house.hosts)


async def test_a_referee_that_stops_while_it_pairs_calls_the_match_off(tmp_path: Path) -> None:
    """Or its agents would forfeit it after the next start, of which they know nothing."""
    disk = FaultyDisk()
    frame = Held("sync")
    running = await start(Settings(data=tmp_path, port=0), disk=disk)
    async with registered(running, "a") as one, registered(running, "b") as two:
        await queued(one)
        disk.fault = frame
        await two.talk().hello(QUEUE)
        await until(lambda: frame.reached)
        stopping = asyncio.create_task(running.stop())
        await until(lambda: running.house.draining)
        frame.let_go()
        await stopping
    async with serving(tmp_path) as again:
        await until(lambda: not again.house.hosts)
        organiser = again.house.credentials.issue(Role.ORGANISER, "o")
        async with Calls(address(again), organiser) as calls:
            (match,) = (await calls.ask("ListMatches")).matches
    assert match.state == ABORTED


async def test_a_pairing_that_a_restart_interrupts_is_nobodys_loss(tmp_path: Path) -> None:
    """Whoever had not joined may never have heard of it; the other one is told that it is off."""
    async with (
        serving(tmp_path) as running,
        registered(running, "a") as one,
        registered(running, "b") as two,
    ):
        a, b = await queued(one), await queued(two)
        told = (await a.hear("paired")).paired
        await b.hear("paired")
        await a.say(join(told.seat_token))
        await a.hear("seat_taken")
    async with serving(tmp_path) as again, Calls(address(again)) as calls:
        await until(lambda: not again.house.hosts)
        back = calls.talk()
        await back.hello(join(told.seat_token))
        assert (await back.hear("match_over")).match_over.HasField("aborted")
        (match,) = (await calls.ask("ListMatches")).matches
    assert match.state == ABORTED
    assert "seat_out" not in kinds(finished(tmp_path, bytes.fromhex(match.match_id)))


async def test_the_event_of_the_queue_is_its_own(tmp_path: Path) -> None:
    """An organiser's matches are treated otherwise, so they cannot pass for the queue's."""
    async with serving(tmp_path) as running:
        organiser = running.house.credentials.issue(Role.ORGANISER, "o")
        async with Calls(address(running), organiser) as calls:
            wanted = request()
            wanted.event_id = pairing.EVENT
            refused = await calls.refusal("CreateMatch", wanted.SerializeToString())
    assert refused == "INVALID_ARGUMENT"
