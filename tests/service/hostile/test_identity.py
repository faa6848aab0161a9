"""Whoever is not the agent of a seat gets nothing of it, whatever it shows."""

import base64

import pytest

from referee.service.auth import Role
from referee.v1 import match_pb2
from referee.v1 import play_pb2 as pb
from tests.service.hostile.calls import Calls, answer, join, no_share
from tests.service.hostile.court import Court, index, table

TOKEN = pb.REFUSE_REASON_TOKEN


async def refusals(calls: Calls, *tokens: str) -> list[int]:
    """Return why each of some tokens opens no seat."""
    talk = calls.talk()
    await talk.hello(*(join(token, handle) for handle, token in enumerate(tokens, 1)))
    found = [(await talk.hear("refused", "seat_taken")).refused.reason for _ in tokens]
    assert await talk.bye() == "OK"
    return [int(reason) for reason in found]


def forged(token: str) -> list[str]:
    """Return tokens that share as much as possible with a good one."""
    data = bytearray(base64.urlsafe_b64decode(token[4:] + "=" * (-len(token[4:]) % 4)))
    others = [token[:-1], token + "A", token[:4] + token[5:], "azo_" + token[4:], token.upper()]
    for at in (16, 17, len(data) - 1):
        flipped = bytearray(data)
        flipped[at] ^= 1
        others.append("azs_" + base64.urlsafe_b64encode(flipped).rstrip(b"=").decode())
    return others


async def test_no_empty_and_huge_seat_tokens(bar: Court) -> None:
    """A join without a token, or with one of 60 KB, is refused and costs the stream nothing."""
    async with bar.calls() as calls:
        assert await refusals(calls, "", "azs_", "x" * 60_000) == [TOKEN] * 3


async def test_wrong_tokens_that_share_a_prefix(bar: Court) -> None:
    """A token that differs in its last byte, its seat or its case opens nothing."""
    made = await bar.match()
    wrong = forged(made.tokens[0].token)
    async with bar.calls() as calls:
        assert await refusals(calls, *wrong) == [TOKEN] * len(wrong)


@pytest.mark.parametrize("token", ["", "Bearer", "x" * 4_000, "azo_" + "A" * 43, "aza_" + "A" * 43])
async def test_no_empty_huge_and_wrong_bearers(bar: Court, token: str) -> None:
    """A bearer that nobody has is nobody's, also on this machine, for calls and for streams."""
    async with bar.calls() as calls:
        shown = (("authorization", f"Bearer {token}"),)
        assert await calls.refusal("ListMatches", b"", shown) == "UNAUTHENTICATED"
        assert await calls.talk(shown).ended() == "UNAUTHENTICATED"


async def test_a_seat_token_is_no_bearer(bar: Court) -> None:
    """The token of a seat opens no call."""
    made = await bar.match()
    async with bar.calls(made.tokens[0].token) as calls:
        assert await calls.refusal("ListMatches", b"") == "UNAUTHENTICATED"


async def test_the_right_token_naming_the_other_seat(bar: Court) -> None:
    """The token alone decides: who has that of seat 1 gets seat 1, and acts for no other."""
    async with bar.calls() as calls, table(calls, await bar.match()) as game:
        seat, asked = await game.turn()
        other = game.talks[1 - seat]
        for handle in (1, 2, 0, 0xFFFFFFFF):
            await other.say(answer(asked.turn, asked.attempt, index(0), handle))
        await other.sync()
        again = game.talks[seat]
        await again.say(answer(asked.turn, asked.attempt, index(0)))
        event = (await again.hear("event")).event.event
        while not event.record.HasField("move"):
            event = (await again.hear("event")).event.event
        assert event.record.move.seat == seat


async def test_a_token_of_another_match(bar: Court) -> None:
    """A token opens its own match and no other, on whichever stream it is shown."""
    one, two = await bar.match(), await bar.match()
    async with bar.calls() as calls:
        talk = calls.talk()
        await talk.hello(join(one.tokens[0].token, 1), join(two.tokens[1].token, 2))
        first = (await talk.hear("seat_taken")).seat_taken
        second = (await talk.hear("seat_taken")).seat_taken
        assert (first.match_id.hex(), first.seat) == (one.match.match_id, 0)
        assert (second.match_id.hex(), second.seat) == (two.match.match_id, 1)
        await talk.bye()


async def test_a_token_of_a_finished_match(bar: Court) -> None:
    """It tells how the match ended and lets nobody move."""
    made = await bar.match()
    async with bar.calls(bar.organiser) as calls:
        await calls.ask("AbortMatch", match_id=made.match.match_id)
        talk = calls.talk()
        await talk.hello(join(made.tokens[0].token))
        assert (await talk.hear("match_over")).match_over.HasField("aborted")
        assert (await talk.hear("match_closed")).match_closed.signature
        await talk.say(answer(1, 1, index(0)), no_share())
        for _ in range(2):
            refused = (await talk.hear("refused")).refused
            assert refused.reason == pb.REFUSE_REASON_UNKNOWN_HANDLE
        assert await talk.bye() == "OK"


async def test_a_spectator_that_moves(bar: Court) -> None:
    """A stream without a seat can name any handle, turn and move: nothing happens."""
    async with bar.calls() as calls, table(calls, await bar.match()) as game:
        _, asked = await game.turn()
        spectator = calls.talk()
        await spectator.hello()
        for handle in (0, 1, 2):
            await spectator.say(answer(asked.turn, asked.attempt, index(0), handle))
            refused = (await spectator.hear("refused")).refused
            assert refused.reason == pb.REFUSE_REASON_UNKNOWN_HANDLE
        found = await calls.ask("GetMatch", match_id=game.match_id)
        assert found.match.turn == asked.turn
        await spectator.bye()


async def test_two_live_streams_for_one_seat(bar: Court) -> None:
    """The newest has the seat; the old one is told, keeps its other seats, and cannot move."""
    spare = await bar.match()
    async with bar.calls() as calls, table(calls, await bar.match()) as game:
        seat, asked = await game.turn()
        old = game.talks[seat]
        await old.say(join(spare.tokens[0].token, 7))
        await old.hear("seat_taken")
        new = calls.talk()
        await new.hello(join(game.token(seat), 5, list_moves=True))
        assert (await old.hear("detached")).detached.handle == 1
        again = (await new.hear("your_turn")).your_turn
        assert (again.handle, again.turn, again.attempt) == (5, asked.turn, asked.attempt)
        await old.say(answer(asked.turn, asked.attempt, index(1)))
        assert (await old.hear("refused")).refused.reason == pb.REFUSE_REASON_UNKNOWN_HANDLE
        await new.say(answer(asked.turn, asked.attempt, index(0), 5))
        assert (await new.hear("event")).event.event.record.move.action == index(0)
        await old.say(no_share(7))
        await old.sync()
        await new.bye()


async def test_asking_mid_game_for_what_is_nobody_elses(bar: Court) -> None:
    """No call gives agents the transcript, the seed or the other's debug text before the end."""
    agent = bar.running.house.credentials
    agent.register("nosy")
    token = agent.issue(Role.AGENT, "nosy")
    async with bar.calls(token) as calls, table(calls, await bar.match()) as game:
        seat, asked = await game.turn()
        secret = "my-plan-is-to-take-the-blue-ones"
        talk = game.talks[seat]
        await talk.say(answer(asked.turn, asked.attempt, index(0), debug=secret))
        await game.turn()
        seed = bar.running.house.hosts[bytes.fromhex(game.match_id)].match.seed
        assert seed is not None
        data = match_pb2.GetMatchRequest(match_id=game.match_id).SerializeToString()
        for name in ("GetTranscript", "VerifyTranscript"):
            assert await calls.refusal(name, data) == "NOT_SIGNED"
        seen = [
            (await calls.send(name, data)).SerializeToString()
            for name in ("GetMatch", "WatchMatch")
        ]
        seen += [frame for talk in game.talks for frame in talk.kept]
        for text in (seed, seed.hex().encode(), secret.encode()):
            assert not any(text in data for data in seen)
