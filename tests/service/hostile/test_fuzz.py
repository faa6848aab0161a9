"""Random bytes and damaged messages for every parser: no crash, no growth (P-S2)."""

import asyncio
import random

import pytest

from referee.v1 import match_pb2
from referee.v1 import play_pb2 as pb
from tests.service.hostile.calls import RESPONSES, answer, join, no_share
from tests.service.hostile.court import Court, index, table
from tests.service.requests import request

UNEXPECTED = {"", "INTERNAL", "STORAGE"}
A_BATCH = 40


def damaged(rng: random.Random, data: bytes) -> bytes:
    """Return bytes that are nearly a message, or none at all."""
    if not data or rng.random() < 0.2:
        return rng.randbytes(rng.randrange(200))
    copy = bytearray(data)
    for _ in range(rng.randrange(1, 5)):
        at = rng.randrange(len(copy))
        how = rng.randrange(4)
        if how == 0:
            copy[at] ^= 1 << rng.randrange(8)
        elif how == 1:
            copy[at:at] = rng.randbytes(rng.randrange(1, 6))
        elif how == 2:
            del copy[at : at + rng.randrange(1, 6)]
        else:
            copy[at] = rng.choice((0, 0x7F, 0x80, 0xFF))
        if not copy:
            break
    return bytes(copy)


@pytest.mark.parametrize("name", RESPONSES)
async def test_requests(bar: Court, name: str) -> None:
    """Whatever a request is, the referee answers it or says what is wrong with it."""
    rng = random.Random(name)
    made = await bar.match()
    fields = {"match_id": made.match.match_id, "request_id": "r", "page_token": "0:0"}
    kind = getattr(match_pb2, f"{name}Request")
    good = kind(**{key: fields[key] for key in fields if key in kind.DESCRIPTOR.fields_by_name})
    if name == "CreateMatch":
        good = request(request_id="r")
    data = good.SerializeToString()
    async with bar.calls(bar.organiser) as calls:

        async def one(sent: bytes) -> str:
            try:
                return await calls.refusal(name, sent)
            except AssertionError:
                return "allowed"

        for _ in range(5):
            sent = [damaged(rng, data) for _ in range(A_BATCH)]
            heard = await asyncio.gather(*(one(bytes_) for bytes_ in sent))
            assert not UNEXPECTED.intersection(heard), heard


@pytest.mark.parametrize("seed", range(4))
async def test_frames(bar: Court, seed: int) -> None:
    """A frame that is nearly right is taken, refused, or ends its stream; the match goes on."""
    rng = random.Random(seed)
    async with bar.calls() as calls, table(calls, await bar.match(strikes=1_000)) as game:
        seat, asked = await game.turn()
        for _ in range(60):
            messages = [
                pb.AgentMessage(hello=pb.Hello(name="Mallory", protocol=1)),
                join(game.token(seat), list_moves=True, resume_from=rng.randrange(9)),
                no_share(),
                answer(asked.turn, rng.randrange(1, 9), index(rng.randrange(200)), debug="x"),
                pb.AgentMessage(reveal=pb.RevealShare(handle=1, round=1, x=rng.randbytes(32))),
                pb.AgentMessage(queue=pb.Queue(ruleset="azul", seats=2)),
                pb.AgentMessage(pong=pb.Pong(number=3)),
            ]
            talk = calls.talk()
            for _ in range(3):
                frame = pb.PlayRequest(messages=rng.sample(messages, 5)).SerializeToString()
                await talk.send(damaged(rng, frame) if rng.random() < 0.7 else frame)
            ended = await talk.bye()
            assert ended in ("OK", "PROTOCOL", "RATE", ""), ended
        async with bar.calls(bar.organiser) as organiser:
            found = await organiser.ask("GetMatch", match_id=game.match_id)
        assert found.match.state in (
            match_pb2.MATCH_STATE_PLAYING,
            match_pb2.MATCH_STATE_FINISHED,
        )
