"""Attacks on the transport, each so long as it is told; the tests and the soak run them.

An attack takes an address, the token of a seat that goes on for ever, and a size. It returns
when it is over, and says nothing: what counts is what it did to others.
"""

import asyncio
import contextlib
import socket
import struct
from collections.abc import Awaitable, Callable
from typing import Any

import grpc

from referee.v1 import play_pb2 as pb
from tests.service.hostile import wire
from tests.service.hostile.calls import Calls, join

Attack = Callable[[str, str, int], Awaitable[None]]
HELLO = pb.PlayRequest(
    messages=[pb.AgentMessage(hello=pb.Hello(name="Mallory", protocol=1))]
).SerializeToString()
LINGER = struct.pack("ii", 1, 0)


async def rapid_reset(address: str, _token: str, size: int) -> None:
    """Open calls and reset each at once."""
    async with wire.wire(address) as raw:
        for number in range(size * 20):
            stream = 2 * number + 1
            await raw.call(stream, wire.PLAY)
            await raw.frame(wire.RST_STREAM, 0, stream, struct.pack(">I", 8))
            if raw.reader.at_eof():
                return


async def ping_flood(address: str, _token: str, size: int) -> None:
    """Send pings without end."""
    async with wire.wire(address) as raw:
        for number in range(size * 50):
            await raw.frame(wire.PING, 0, 0, struct.pack(">Q", number))
        assert await raw.gone()


async def settings_flood(address: str, _token: str, size: int) -> None:
    """Send settings without end, and never read what is answered."""
    async with wire.wire(address) as raw:
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(10):
                for number in range(size * 50):
                    await raw.frame(wire.SETTINGS, 0, 0, struct.pack(">HI", 4, 65_535 + number))


async def idle_connections(address: str, _token: str, size: int) -> None:
    """Connect again and again, and say nothing."""
    host, _, port = address.rpartition(":")
    made = []
    try:
        for _ in range(size):
            made.append(await asyncio.open_connection(host, int(port)))  # noqa: PERF401  each at once in the list
        async with Calls(address) as calls:
            await calls.ask("ListMatches")
    finally:
        for _, writer in made:
            writer.transport.abort()


async def half_a_greeting(address: str, _token: str, size: int) -> None:
    """Begin to speak HTTP/2, or TLS, and stop in the middle of a word."""
    host, _, port = address.rpartition(":")
    made = []
    try:
        for number in range(size):
            reader, writer = await asyncio.open_connection(host, int(port))
            writer.write(
                wire.PREFACE[: 1 + number % 23] if number % 2 else b"\x16\x03\x01\x02\x00\x01"
            )
            made.append((reader, writer))
        async with Calls(address) as calls:
            await calls.ask("ListMatches")
    finally:
        for _, writer in made:
            writer.transport.abort()


async def many_streams(address: str, _token: str, size: int) -> None:
    """Open 200 streams on each connection, and some more."""
    for _ in range(max(1, size // 200)):
        async with wire.wire(address) as raw:
            for number in range(210):
                await raw.call(2 * number + 1, wire.PLAY)
                await raw.data(2 * number + 1, wire.message(HELLO))
            refused = await raw.status(2 * 209 + 1)
            assert refused in (-1, None)


async def never_reading(address: str, token: str, size: int, frames: int = 12) -> None:
    """Ask for the whole match again and again, and read nothing of it."""
    joins = [join(token, handle, resume_from=0) for handle in range(1, 41)]
    frame = pb.PlayRequest(messages=joins).SerializeToString()
    for _ in range(max(1, size // 100)):
        # No window at all: not one byte may be sent.
        async with wire.wire(address, struct.pack(">HI", 4, 0)) as raw:
            await raw.call(1, wire.PLAY)
            await raw.data(1, wire.message(HELLO))
            for _ in range(frames):
                await raw.data(1, wire.message(frame))
            # The connection stays, and so does what it was sent, while the referee notices.
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(3):
                    while await raw.read() is not None:
                        pass


async def one_byte_at_a_time(address: str, _token: str, size: int) -> None:
    """Send a message so slowly that it never ends; test_silence waits until that is noticed."""
    data = wire.message(HELLO)
    async with wire.wire(address) as raw:
        await raw.call(1, wire.PLAY)
        for at in range(min(size, len(data) - 1)):
            await raw.data(1, data[at : at + 1])
            await asyncio.sleep(0.05)


async def pulled_cables(address: str, token: str, size: int) -> None:
    """Hold the seat and vanish, with a reset or without; test_silence has cables that hang."""
    frame = pb.PlayRequest(messages=[join(token)]).SerializeToString()
    for number in range(max(2, size // 10)):
        async with wire.wire(address) as raw:
            await raw.call(1, wire.PLAY)
            await raw.data(1, wire.message(HELLO))
            await raw.data(1, wire.message(frame))
            for _ in range(3):
                await raw.read()
            if number % 2:
                made: socket.socket = raw.writer.get_extra_info("socket")
                made.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, LINGER)


async def reconnecting(address: str, token: str, size: int) -> None:
    """Take the same seat up again on one connection after the other."""
    for _ in range(size):
        async with Calls(address) as calls:
            talk = calls.talk()
            await talk.hello(join(token))
            await talk.hear("seat_taken")
            talk.call.cancel()


async def short_deadlines(address: str, _token: str, size: int) -> None:
    """Ask with a deadline of a millisecond, and again, and again."""
    async with Calls(address) as calls:
        ask: Any = calls.channel.unary_unary("/referee.v1.MatchService/ListMatches")
        for _ in range(size):
            waiting = [ask(b"", timeout=0.001) for _ in range(10)]
            for call in waiting:
                with contextlib.suppress(grpc.aio.AioRpcError):
                    await call


ATTACKS: dict[str, Attack] = {
    "rapid reset": rapid_reset,
    "ping flood": ping_flood,
    "settings flood": settings_flood,
    "idle connections": idle_connections,
    "half-done handshakes": half_a_greeting,
    "200 streams on a connection": many_streams,
    "never reading": never_reading,
    "one byte at a time": one_byte_at_a_time,
    "cable pulled": pulled_cables,
    "reconnecting": reconnecting,
    "1 ms deadlines": short_deadlines,
}
