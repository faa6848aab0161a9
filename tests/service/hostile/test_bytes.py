"""Bytes that are no message, or a very strange one, cost their stream at the most (P-S2)."""

import gzip
import struct

import grpc
import pytest

from referee.v1 import game_pb2, match_pb2
from referee.v1 import play_pb2 as pb
from referee.v1.reason_pb2 import RejectReason
from tests.service.hostile import wire
from tests.service.hostile.calls import MATCHES, Calls, answer, join, reason_of
from tests.service.hostile.court import Court, index, table

LIMIT = 64 << 10
OK, CANCELLED, INVALID, EXHAUSTED, UNIMPLEMENTED, INTERNAL = 0, 1, 3, 8, 12, 13
# A varint of eleven bytes, a cut one, groups in groups: protobuf has a limit for each.
BROKEN = {
    "truncated varint": b"\x0a\xff",
    "11-byte varint": b"\x08" + b"\x80" * 10 + b"\x01",
    "wrong wire type": b"\x0a\x02\x0f\x00",
    "field number 0": b"\x02\x00",
    "10,000 nested groups": b"\x7b" * 10_000 + b"\x7c" * 10_000,
    "unclosed group": b"\x7b",
    "length beyond the end": b"\x0a\xff\xff\xff\xff\x07x",
    "invalid UTF-8": pb.PlayRequest(
        messages=[pb.AgentMessage(hello=pb.Hello(name="XX", protocol=1))]
    )
    .SerializeToString()
    .replace(b"XX", b"\xff\xfe"),
}
UNARY = ["CreateMatch", "GetMatch", "ListMatches", "AbortMatch", "GetTranscript", "WatchMatch"]


@pytest.mark.parametrize("which", BROKEN)
async def test_broken_frames_close_their_stream(bar: Court, which: str) -> None:
    """No strike, no end: the stream is closed, and the seat can be taken up again."""
    async with bar.calls() as calls, table(calls, await bar.match()) as game:
        seat, asked = await game.turn()
        talk = game.talks[seat]
        await talk.send(BROKEN[which])
        assert await talk.ended() == "PROTOCOL"
        again = calls.talk()
        await again.hello(join(game.token(seat)))
        question = (await again.hear("your_turn")).your_turn
        assert (question.turn, question.attempt) == (asked.turn, 1)


@pytest.mark.parametrize("name", UNARY)
@pytest.mark.parametrize("which", BROKEN)
async def test_broken_requests_have_a_reason(bar: Court, name: str, which: str) -> None:
    """Bytes that are no request are refused like every other bad argument."""
    broken = BROKEN[which]
    if which == "wrong wire type":
        # What is a known field of one call is an unknown one of another.
        broken += b"\x0f"
    if which == "invalid UTF-8":
        broken = b"\x0a\x02\xff\xfe" if name != "ListMatches" else b"\x12\x02\xff\xfe"
    async with bar.calls(bar.organiser) as calls:
        assert await calls.refusal(name, broken) == "INVALID_ARGUMENT"


@pytest.mark.parametrize("which", [key for key in BROKEN if key != "invalid UTF-8"])
async def test_broken_actions_are_a_strike(bar: Court, which: str) -> None:
    """In a good frame, on one's own turn, an action that cannot be read is a strike."""
    async with bar.calls() as calls, table(calls, await bar.match()) as game:
        seat, asked = await game.turn()
        talk = game.talks[seat]
        await talk.say(answer(asked.turn, asked.attempt, BROKEN[which]))
        rejected = (await talk.hear("rejected")).rejected
        assert rejected.reason in (
            RejectReason.REJECT_REASON_UNPARSABLE,
            RejectReason.REJECT_REASON_MALFORMED,
        )
        assert rejected.strikes_left == 1


def take(**fields: int) -> bytes:
    """Return the action that takes tiles, with some fields as they should not be."""
    good = {"source": 1, "color": 1, "line": 0} | fields
    return game_pb2.Action(
        move=game_pb2.Move(azul_take=game_pb2.Move().azul_take.__class__(**good))  # type: ignore[arg-type]
    ).SerializeToString()


VALUES = [
    *(("color", value) for value in (0, 99, -1, -(2**31))),
    *(("source", value) for value in (9, 2**31 - 1, 2**32 - 1)),
    *(("line", value) for value in (6, 99, 2**31 - 1, 2**32 - 1)),
]


@pytest.mark.parametrize(("field", "value"), VALUES)
async def test_numbers_out_of_range_are_a_strike(bar: Court, field: str, value: int) -> None:
    """Colors, factories and lines that do not exist are no move, and nothing else happens."""
    async with bar.calls() as calls, table(calls, await bar.match()) as game:
        seat, asked = await game.turn()
        talk = game.talks[seat]
        await talk.say(answer(asked.turn, asked.attempt, take(**{field: value})))
        rejected = (await talk.hear("rejected")).rejected
        assert rejected.reason != RejectReason.REJECT_REASON_UNSPECIFIED
        assert (await talk.hear("your_turn")).your_turn.attempt == 2


async def test_16000_repeated_elements(bar: Court) -> None:
    """A frame has 1,024 messages at the most, however small they are; so with seats."""
    async with bar.calls() as calls:
        talk = calls.talk()
        await talk.hello()
        await talk.send(b"\x0a\x00" * 16_000)
        assert await talk.ended() == "PROTOCOL"
    async with bar.calls(bar.organiser) as calls:
        assert await calls.refusal("CreateMatch", b"\x12\x04azul" + b"\x22\x00" * 16_000) == (
            "INVALID_SETUP"
        )


async def test_unknown_fields_in_a_legal_move(bar: Court) -> None:
    """New fields are passed over: the move counts, its bytes are recorded as they came."""
    action = index(0) + b"\xfa\x7f\x03abc"
    async with bar.calls() as calls, table(calls, await bar.match()) as game:
        seat, asked = await game.turn()
        talk = game.talks[seat]
        await talk.say(answer(asked.turn, asked.attempt, action))
        said = await talk.hear("event", "rejected")
        assert said.event.event.record.move.action == action


async def test_a_message_at_the_limit_and_one_byte_more(bar: Court) -> None:
    """64 KiB are read, one byte more is refused by size."""
    async with bar.calls() as calls:
        talk = calls.talk()
        await talk.hello()
        frame = pb.PlayRequest(messages=[pb.AgentMessage()]).SerializeToString()
        padding = LIMIT - len(frame) - 4
        field = b"\x7a" + bytes([padding & 127 | 128, padding >> 7 & 127 | 128, padding >> 14])
        full = frame + field + b"x" * padding
        assert len(full) == LIMIT
        await talk.send(full)
        assert (await talk.hear("refused")).refused.reason == pb.REFUSE_REASON_MALFORMED
        await talk.send(full + b"\x0a")
        assert await talk.ended() == ""
        assert await talk.call.code() is grpc.StatusCode.RESOURCE_EXHAUSTED


@pytest.mark.parametrize("path", [wire.PLAY, wire.LIST])
async def test_4_gib_declared(bar: Court, path: str) -> None:
    """A length that nobody will ever send is refused at once, before its bytes are waited for."""
    async with wire.wire(bar.address) as raw:
        await raw.call(1, path)
        await raw.data(1, wire.message(b"x" * 100, declared=0xFFFFFFFF))
        assert await raw.status(1) in (EXHAUSTED, -1)


async def test_a_gzip_bomb(bar: Court) -> None:
    """Nothing is inflated: only identity is spoken here."""
    bomb = gzip.compress(bytes(32 << 20))
    assert len(bomb) < LIMIT
    async with wire.wire(bar.address) as raw:
        await raw.call(1, wire.LIST, (b"grpc-encoding", b"gzip"))
        whole = wire.message(bomb, compressed=1)
        for at in range(0, len(whole), 16_000):
            await raw.data(1, whole[at : at + 16_000], last=at + 16_000 >= len(whole))
        assert await raw.status(1) in (UNIMPLEMENTED, INTERNAL)
    async with bar.calls(bar.organiser) as calls:
        call: grpc.aio.UnaryUnaryMultiCallable[bytes, bytes] = calls.channel.unary_unary(
            MATCHES + "ListMatches"
        )
        with pytest.raises(grpc.aio.AioRpcError) as caught:
            await call(bytes(1000), compression=grpc.Compression.Gzip, metadata=calls.metadata)
        assert caught.value.code() is grpc.StatusCode.UNIMPLEMENTED


@pytest.mark.parametrize("encoding", [b"br", b"snappy", b"", b"identity;q=2", b"\xff"])
async def test_an_unknown_encoding(bar: Court, encoding: bytes) -> None:
    """An encoding that nobody knows ends the call, not the referee."""
    async with wire.wire(bar.address) as raw:
        await raw.call(1, wire.LIST, (b"grpc-encoding", encoding))
        await raw.data(1, wire.message(b"x", compressed=1), last=True)
        assert await raw.status(1) != OK


@pytest.mark.parametrize("name", ["x-padding", "authorization"])
async def test_64_kib_of_metadata(bar: Court, name: str) -> None:
    """More than 16 KiB of metadata is refused before anybody looks at it."""
    async with bar.calls() as calls:
        with pytest.raises(grpc.aio.AioRpcError) as caught:
            await calls.send("ListMatches", b"", ((name, "x" * 65_000),))
        assert caught.value.code() is grpc.StatusCode.RESOURCE_EXHAUSTED
        assert reason_of(caught.value) == ""


async def test_no_end_of_headers(bar: Court) -> None:
    """Headers that are continued again and again end the connection."""
    async with wire.wire(bar.address) as raw:
        await raw.frame(wire.HEADERS, 0, 1, wire.block(wire.LIST))
        field = b"\x10" + b"\x01x" + b"\x7f\xd1\x0f" + b"y" * 2_000
        for _ in range(200):
            await raw.frame(wire.CONTINUATION, 0, 1, field)
        assert await raw.status(1) != OK


async def test_half_a_message_and_then_the_end(bar: Court) -> None:
    """A call that ends inside its message costs no other call on its connection."""
    async with wire.wire(bar.address) as raw:
        await raw.call(1, wire.LIST)
        await raw.data(1, struct.pack(">BI", 0, 100) + b"x" * 10, last=True)
        await raw.call(3, wire.LIST)
        await raw.data(3, wire.message(b""), last=True)
        assert await raw.status(3) == OK


async def ask_list(calls: Calls) -> match_pb2.ListMatchesResponse:
    """List matches."""
    found: match_pb2.ListMatchesResponse = await calls.ask("ListMatches")
    return found


@pytest.mark.parametrize("number", [99, -1, 2**31 - 1, -(2**31)])
async def test_an_unknown_state_lists_nothing(bar: Court, number: int) -> None:
    """An enum value that nobody knows finds no match."""
    async with bar.calls(bar.organiser) as calls:
        found = await calls.ask("ListMatches", state=number, page_size=2**32 - 1)
        assert not found.matches
        assert (await ask_list(calls)).matches
