"""Illegal moves, and shares that cheat; answers around the flag are in test_flag."""

import random

import pytest

from referee.draws import HASH_BYTES
from referee.rules import RULESETS
from referee.transcript import reader
from referee.transcript.wire.game import encode_move
from referee.v1 import game_pb2
from referee.v1 import play_pb2 as pb
from referee.v1.reason_pb2 import RejectReason
from tests.service.hostile.calls import answer, join
from tests.service.hostile.court import Court, chain_of, index, table
from tests.service.requests import SECOND_NS, assert_proved, kinds
from tests.well_formed import well_formed_moves

POSITIONS = [(key, steps) for key in RULESETS for steps in (4, 30)]


@pytest.mark.parametrize(("key", "steps"), POSITIONS)
async def test_illegal_moves_of_some_positions(bar: Court, key: str, steps: int) -> None:
    """Whatever is not listed is refused with a reason, without an effect on the table."""
    rng = random.Random(f"{key} {steps}")
    made = await bar.match(ruleset=key, strikes=1_000)
    async with bar.calls() as calls, table(calls, made) as game:
        for _ in range(steps):
            seat, asked = await game.turn()
            action = index(rng.randrange(len(asked.legal_moves)))
            await game.talks[seat].say(answer(asked.turn, asked.attempt, action))
        seat, asked = await game.turn()
        talk = game.talks[seat]
        legal = {move.SerializeToString() for move in asked.legal_moves}
        match = bar.running.house.hosts[bytes.fromhex(game.match_id)].match
        moves = [encode_move(move) for move in well_formed_moves(match.fold.position)]
        illegal = [move for move in moves if move.SerializeToString() not in legal]
        for attempt, move in enumerate(rng.sample(illegal, 40), 1):
            action = game_pb2.Action(move=move).SerializeToString()
            await talk.say(answer(asked.turn, attempt, action))
            rejected = (await talk.hear("rejected")).rejected
            assert rejected.reason != RejectReason.REJECT_REASON_UNSPECIFIED
            again = (await talk.hear("your_turn")).your_turn
            assert (again.attempt, again.position) == (attempt + 1, asked.position)


async def test_the_third_strike_loses(bar: Court) -> None:
    """Three refused answers and the seat is out; the other one wins and hears of it."""
    async with bar.calls() as calls, table(calls, await bar.match()) as game:
        seat, asked = await game.turn()
        for attempt in (1, 2, 3):
            await game.talks[seat].say(answer(asked.turn, attempt, index(9_999)))
        over = (await game.talks[1 - seat].hear("match_over")).match_over.game_over
        assert over.seats[1 - seat].rank == 1
        await game.talks[1 - seat].hear("match_closed")


async def test_a_withheld_reveal_loses_on_time(bar: Court) -> None:
    """Whoever committed and reveals nothing loses by its own clock."""
    made = await bar.match(clock_ns=SECOND_NS // 4)
    async with bar.calls() as calls:
        rude, other = calls.talk(), calls.talk()
        for talk, token in zip((rude, other), made.tokens, strict=True):
            await talk.hello(join(token.token))
            taken = (await talk.hear("seat_taken")).seat_taken
            commit = pb.CommitShare(handle=1)
            if talk is rude:
                commit.x0 = chain_of(taken)[0]
            await talk.say(pb.AgentMessage(commit=commit))
        over = (await other.hear("match_over")).match_over.game_over
        assert over.seats[1].rank == 1
        await other.hear("match_closed")
    assert "seat_out" in await recorded(bar, made.match.match_id)


async def recorded(bar: Court, match_id: str) -> list[str | None]:
    """Return what stands in a record that verifies."""
    async with bar.calls(bar.organiser) as calls:
        transcript = reader.read((await calls.ask("GetTranscript", match_id=match_id)).data)
    assert_proved(transcript)
    return kinds(transcript)


@pytest.mark.parametrize("what", ["wrong", "copied", "short", "early"])
async def test_shares_that_cheat(bar: Court, what: str) -> None:
    """A share that does not open its commitment loses; one that was not asked for is nothing."""
    made = await bar.match()
    async with bar.calls() as calls:
        honest, rude = calls.talk(), calls.talk()
        chains = []
        for talk, token in zip((honest, rude), made.tokens, strict=True):
            await talk.hello(join(token.token))
            chains.append(chain_of((await talk.hear("seat_taken")).seat_taken))
        # Copied: the commitment of the other seat, seen before one's own was made.
        own = chains[0] if what == "copied" else chains[1]
        for talk, chain in ((honest, chains[0]), (rude, own)):
            await talk.say(pb.AgentMessage(commit=pb.CommitShare(handle=1, x0=chain[0])))
        await rude.hear("reveal_request")
        share = {"wrong": bytes(HASH_BYTES), "copied": own[1], "short": b"x", "early": own[2]}[what]
        number = 2 if what == "early" else 1
        reveal = pb.RevealShare(handle=1, round=number, x=share)
        await rude.say(pb.AgentMessage(reveal=reveal))
        if what in ("short", "early"):
            assert (await rude.hear("refused")).refused.reason in (
                pb.REFUSE_REASON_MALFORMED,
                pb.REFUSE_REASON_REVEAL,
            )
            return
        over = (await honest.hear("match_over")).match_over.game_over
        assert over.seats[0].rank == 1
        await honest.hear("match_closed")
    assert "seat_out" in await recorded(bar, made.match.match_id)
