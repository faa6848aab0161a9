"""Answers in a wrong order, too often or too late move nothing, and nothing moves twice."""

import asyncio
import contextlib
from typing import Any

import pytest
import structlog

from referee.service import limits
from referee.transcript import reader
from referee.v1 import play_pb2 as pb
from tests.service.hostile.calls import Talk, answer, join, no_share
from tests.service.hostile.court import Court, Table, chain_of, index, table
from tests.service.requests import BATCH, assert_proved, kinds


async def moves_of(bar: Court, match_id: str) -> list[tuple[int, int]]:
    """Return seat and turn of every move on record; verify the record if it is whole."""
    async with bar.calls(bar.organiser) as calls:
        found = await calls.ask("GetTranscript", match_id=match_id)
    transcript = reader.read(found.data)
    if found.signed:
        assert_proved(transcript)
    records = [record for frame in transcript.frames for record in frame]
    return [(one.move.seat, one.move.turn) for one in records if one.HasField("move")]


async def one_move(game: Table) -> tuple[int, pb.YourTurn, pb.RefereeMessage]:
    """Play a move and return who did, what was asked, and the acknowledgement."""
    seat, asked = await game.turn()
    talk = game.talks[seat]
    await talk.say(answer(asked.turn, asked.attempt, index(0)))
    while True:
        event = await talk.hear("event")
        if event.event.event.record.HasField("move"):
            return seat, asked, event


async def test_an_old_move_replayed(bar: Court) -> None:
    """A move of two turns ago gets its first answer again and is played once."""
    async with bar.calls() as calls, table(calls, await bar.match()) as game:
        seat, asked, told = await one_move(game)
        await game.play(2)
        talk = game.talks[seat]
        await game.talks[1 - seat].sync()
        await talk.say(answer(asked.turn, asked.attempt, index(0)))
        while (await talk.hear("event")).event.event != told.event.event:
            pass
        assert [turn for _, turn in await moves_of(bar, game.match_id)] == [1, 2, 3]


async def test_the_same_move_100_times(bar: Court) -> None:
    """In one frame, on the right turn: one move, a hundred times the same answer."""
    async with bar.calls() as calls, table(calls, await bar.match()) as game:
        seat, asked = await game.turn()
        talk = game.talks[seat]
        await talk.say(*[answer(asked.turn, asked.attempt, index(0))] * 100)
        told = 0
        while told < 100 - 35:
            said = await talk.hear("event", "refused")
            told += said.HasField("event")
        assert len(await moves_of(bar, game.match_id)) == 1


async def test_the_same_rejected_answer_without_end(bar: Court) -> None:
    """It costs one strike, is answered each time, and has a rate like all that has no effect."""
    async with bar.calls() as calls, table(calls, await bar.match()) as game:
        seat, asked = await game.turn()
        talk = game.talks[seat]
        await talk.say(*[answer(asked.turn, asked.attempt, b"\xff")] * 60)
        await talk.hear("rejected")
        await talk.say(*[answer(asked.turn, asked.attempt, b"\xff")] * 1_000)
        assert await talk.ended() == "RATE"
        again = calls.talk()
        await again.hello(join(game.token(seat)))
        left = (await again.hear("your_turn")).your_turn
        assert (left.attempt, left.strikes_left) == (2, 1)


@pytest.mark.parametrize("what", ["pong", "commit", "unqueue"])
async def test_messages_that_come_to_nothing_have_a_rate(bar: Court, what: str) -> None:
    """Whatever has no effect is counted, also where nothing is said to it."""
    made = await bar.match()
    token = made.tokens[0].token
    messages = {
        "pong": [pb.AgentMessage(pong=pb.Pong(number=1))] * 1_000,
        "commit": [no_share()] * 1_000,
        "unqueue": [pb.AgentMessage(unqueue=pb.Unqueue())] * 1_000,
    }
    async with bar.calls() as calls:
        talk = calls.talk()
        await talk.hello(join(token), no_share())
        await talk.hear("seat_taken")
        await commit_known(talk)
        await talk.say(*messages[what])
        assert await talk.ended() == "RATE"


async def commit_known(talk: Talk) -> None:
    """Wait until the commitment of the own seat is durable."""
    while not (await talk.hear("event")).event.event.record.HasField("agent_commit"):
        pass


async def test_taking_a_seat_from_oneself_has_a_rate(
    bar: Court, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each join tells everything anew, so joins without need are messages without effect."""
    # Each is recorded, so a slow disk could be slower than the allowance grows.
    monkeypatch.setattr(limits, "IDLE_PER_SECOND", 0)
    token = (await bar.match(durability=BATCH)).tokens[0].token
    async with bar.calls() as calls:
        talk = calls.talk()
        await talk.hello()
        # Handles that were never used, and few at a time: nothing else is wrong with them.
        for first in range(1, 700, 50):
            handles = range(first, first + 50)
            await talk.say(*(join(token, handle, resume_from=0) for handle in handles))
            if not await seated(talk, handles[-1]):
                break
        assert await talk.ended() == "RATE"


async def seated(talk: Talk, handle: int) -> bool:
    """Wait until a seat is taken by a handle; return False if the stream ends before."""
    while not talk.over:
        with contextlib.suppress(AssertionError):
            if (await talk.hear("seat_taken")).seat_taken.handle == handle:
                return True
    return False


async def test_empty_frames_have_a_rate(bar: Court) -> None:
    """Frames without a message are messages without effect."""
    with structlog.testing.capture_logs() as logs:
        async with bar.calls() as calls:
            talk = calls.talk()
            await talk.hello()
            for _ in range(2_000):
                await talk.send(b"")
                if talk.over:
                    break
            await talk.ended()
    # A client that is still writing may not hear why, so the referee is asked.
    assert [line["reason"] for line in logs if line["event"] == "stream closed"] == ["RATE"]


async def test_the_same_turn_with_another_move(bar: Court) -> None:
    """The first answer counts; another one to the same question is refused without a strike."""
    async with bar.calls() as calls, table(calls, await bar.match()) as game:
        seat, asked, _ = await one_move(game)
        talk = game.talks[seat]
        await talk.say(answer(asked.turn, asked.attempt, index(1)))
        refused = (await talk.hear("refused")).refused
        assert refused.reason == pb.REFUSE_REASON_ALREADY_ANSWERED
        assert len(await moves_of(bar, game.match_id)) == 1


async def test_1000_moves_in_one_burst(bar: Court) -> None:
    """Of all turns at once only the one that was asked is played; then the stream is closed."""
    async with bar.calls() as calls, table(calls, await bar.match()) as game:
        seat, asked = await game.turn()
        talk = game.talks[seat]
        await talk.say(*(answer(asked.turn + ahead, 1, index(0)) for ahead in range(1_000)))
        assert await talk.ended() == "PROTOCOL"
        assert await moves_of(bar, game.match_id) == [(seat, asked.turn)]
        back = calls.talk()
        await back.hello(join(game.token(seat)))
        await back.hear("seat_taken")
        other, _ = await game.turn()
        assert other == 1 - seat


async def test_moves_off_turn(bar: Court) -> None:
    """Fifty are refused without a strike, the next one costs the stream and nothing else."""
    async with bar.calls() as calls, table(calls, await bar.match()) as game:
        seat, asked = await game.turn()
        talk = game.talks[1 - seat]
        for _ in range(50):
            await talk.say(answer(asked.turn, 1, index(0)))
            refused = (await talk.hear("refused")).refused
            assert refused.reason == pb.REFUSE_REASON_NOT_YOUR_TURN
        await talk.say(answer(asked.turn, 1, index(0)))
        assert await talk.ended() == "PROTOCOL"
        assert await moves_of(bar, game.match_id) == []


async def test_moves_before_the_start(bar: Court) -> None:
    """Nothing can be played, revealed or given up before everybody is there."""
    made = await bar.match()
    async with bar.calls() as calls:
        talk = calls.talk()
        await talk.hello(join(made.tokens[0].token))
        await talk.hear("seat_taken")
        for message in (
            answer(1, 1, index(0)),
            pb.AgentMessage(reveal=pb.RevealShare(handle=1, round=1, x=bytes(32))),
            pb.AgentMessage(give_up=pb.GiveUp(handle=1)),
        ):
            await talk.say(message)
            refused = (await talk.hear("refused")).refused
            assert refused.reason == pb.REFUSE_REASON_NOT_STARTED
        await talk.bye()


async def test_moves_after_the_end(bar: Court) -> None:
    """The end stands: a move in the frame that gives up, and one later, change nothing."""
    async with bar.calls() as calls, table(calls, await bar.match()) as game:
        seat, asked = await game.turn()
        talk = game.talks[seat]
        give_up = pb.AgentMessage(give_up=pb.GiveUp(handle=1))
        await talk.say(give_up, answer(asked.turn, asked.attempt, index(0)))
        over = (await talk.hear("match_over")).match_over
        assert over.game_over.seats[1 - seat].rank == 1
        await talk.hear("match_closed")
        await talk.say(answer(asked.turn, asked.attempt, index(0)))
        assert (await talk.hear("refused")).refused.reason == pb.REFUSE_REASON_UNKNOWN_HANDLE
        assert await moves_of(bar, game.match_id) == []


async def test_cancelling_between_write_and_acknowledgement(bar: Court) -> None:
    """The move counts once if it was read, whoever is there to hear of it."""
    async with bar.calls() as calls, table(calls, await bar.match()) as game:
        for _ in range(6):
            seat, asked = await game.turn()
            await game.talks[seat].say(answer(asked.turn, asked.attempt, index(0)))
            game.talks[seat].call.cancel()
            game.talks[seat] = calls.talk()
            await game.talks[seat].hello(join(game.token(seat), list_moves=True))
            await game.talks[seat].hear("seat_taken")
            await game.talks[seat].say(answer(asked.turn, asked.attempt, index(0)))
        await game.turn()
        assert [turn for _, turn in await moves_of(bar, game.match_id)] == [1, 2, 3, 4, 5, 6]


async def test_a_seat_cannot_keep_the_other_from_being_heard(
    bar: Court, monkeypatch: pytest.MonkeyPatch
) -> None:
    """While the disk works for a match, each seat has its own queue: one fills only its own."""
    committer = bar.running.house.committer
    commit, held = committer.commit, list[Any]()
    async with bar.calls() as calls, table(calls, await bar.match()) as game:
        seat, asked = await game.turn()
        file = bar.running.house.hosts[bytes.fromhex(game.match_id)].file
        came = asyncio.Event()

        def hold(of: Any, *rest: Any) -> None:
            if of is file and not held:
                held.append((of, *rest))
                came.set()
            else:
                commit(of, *rest)

        monkeypatch.setattr(committer, "commit", hold)
        rude = calls.talk()
        await rude.hello(join(game.token(1 - seat)), *[answer(1, 1, index(0))] * 200)
        async with asyncio.timeout(10):
            await came.wait()
        talk = game.talks[seat]
        await talk.say(answer(asked.turn, asked.attempt, index(0)))
        await talk.sync()
        commit(*held[0])
        while not (await talk.hear("event")).event.event.record.HasField("move"):
            pass


class Doubler:
    """An agent that says everything twice and throws its first stream away after each answer."""

    def __init__(self, bar: Court, token: str) -> None:
        self._bar = bar
        self._token = token
        self.answered = 0

    async def play(self) -> None:
        """Play to the end, each stream for one answer."""
        async with self._bar.calls() as calls:
            while not await self._once(calls.talk()):
                pass

    async def _once(self, talk: Talk) -> bool:
        twice = (join(self._token, list_moves=True),) * 2
        await talk.hello(*twice)
        taken = (await talk.hear("seat_taken")).seat_taken
        chain = chain_of(taken)
        if taken.commit_wanted:
            commit = pb.AgentMessage(commit=pb.CommitShare(handle=1, x0=chain[0]))
            await talk.say(commit, commit)
        said = await talk.hear("your_turn", "reveal_request", "match_closed")
        if said.HasField("match_closed"):
            await talk.bye()
            return True
        if said.HasField("reveal_request"):
            number = said.reveal_request.round
            share = pb.RevealShare(handle=1, round=number, x=chain[number])
            message = pb.AgentMessage(reveal=share)
        else:
            message = answer(said.your_turn.turn, said.your_turn.attempt, index(0))
        await talk.say(message, message)
        # Half-closed, so that all was read; what is answered is thrown away.
        self.answered += 1
        await talk.bye()
        return False


async def test_every_request_doubled_and_every_answer_dropped_once(bar: Court) -> None:
    """A whole match in which nothing is heard the first time: every move stands once."""
    made = await bar.match(round_cap=2)
    agents = [Doubler(bar, token.token) for token in made.tokens]
    async with asyncio.timeout(60), asyncio.TaskGroup() as group:
        for agent in agents:
            group.create_task(agent.play())
    moves = await moves_of(bar, made.match.match_id)
    assert [turn for _, turn in moves] == list(range(1, len(moves) + 1))
    assert sum(agent.answered for agent in agents) == len(moves) + 4
    async with bar.calls() as calls:
        data = (await calls.ask("GetTranscript", match_id=made.match.match_id)).data
    assert "rejected" not in kinds(reader.read(data))
