"""HTTP/2 by hand: frames that no library would send."""

import asyncio
import contextlib
import re
import struct
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from typing import NamedTuple

PREFACE = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"
DATA, HEADERS, RST_STREAM, SETTINGS, PING, GOAWAY, WINDOW_UPDATE, CONTINUATION = (
    0,
    1,
    3,
    4,
    6,
    7,
    8,
    9,
)
END_STREAM, END_HEADERS, ACK = 1, 4, 1
PLAY = "/referee.v1.AgentService/Play"
LIST = "/referee.v1.MatchService/ListMatches"
DEADLINE_S = 30
_STATUS = re.compile(rb"grpc-status[\x01\x02](\d{1,2})")


class Frame(NamedTuple):
    """A frame as it came."""

    kind: int
    flags: int
    stream: int
    payload: bytes


def message(data: bytes, *, compressed: int = 0, declared: int | None = None) -> bytes:
    """Return a message of gRPC: a flag, a length, the bytes."""
    return struct.pack(">BI", compressed, len(data) if declared is None else declared) + data


def _text(text: bytes) -> bytes:
    size, out = len(text), bytearray()
    if size < 127:
        out.append(size)
    else:
        out.append(127)
        size -= 127
        while size >= 128:
            out.append(size & 127 | 128)
            size >>= 7
        out.append(size)
    return bytes(out) + text


def block(path: str, extra: Sequence[tuple[bytes, bytes]] = ()) -> bytes:
    """Return the headers of a call, each in full and never to be indexed."""
    fields = [
        (b":method", b"POST"),
        (b":scheme", b"http"),
        (b":path", path.encode()),
        (b":authority", b"localhost"),
        (b"te", b"trailers"),
        (b"content-type", b"application/grpc"),
        *extra,
    ]
    return b"".join(b"\x10" + _text(name) + _text(value) for name, value in fields)


def frame(kind: int, flags: int, stream: int, payload: bytes = b"") -> bytes:
    """Return a frame as bytes."""
    head = struct.pack(">I", len(payload))[1:] + bytes([kind, flags])
    return head + struct.pack(">I", stream) + payload


class Wire:
    """One connection; nothing is read from it but what is asked for."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.reader = reader
        self.writer = writer

    async def frame(self, kind: int, flags: int, stream: int, payload: bytes = b"") -> None:
        """Send a frame, if the other side still takes any."""
        if self.writer.is_closing():
            return
        with contextlib.suppress(ConnectionError):
            self.writer.write(frame(kind, flags, stream, payload))
            await self.writer.drain()

    async def begin(self, settings: bytes = b"") -> None:
        """Begin to speak HTTP/2."""
        self.writer.write(PREFACE)
        await self.frame(SETTINGS, 0, 0, settings)

    async def call(self, stream: int, path: str, *extra: tuple[bytes, bytes]) -> None:
        """Open a call."""
        await self.frame(HEADERS, END_HEADERS, stream, block(path, extra))

    async def data(self, stream: int, data: bytes, *, last: bool = False) -> None:
        """Send some bytes of a call."""
        await self.frame(DATA, END_STREAM if last else 0, stream, data)

    async def read(self) -> Frame | None:
        """Read a frame; None if the other side has gone."""
        try:
            head = await self.reader.readexactly(9)
            size = int.from_bytes(head[:3], "big")
            payload = await self.reader.readexactly(size)
        except (ConnectionError, asyncio.IncompleteReadError):
            return None
        return Frame(head[3], head[4], int.from_bytes(head[5:], "big"), payload)

    async def status(self, stream: int) -> int | None:
        """Return the gRPC status that ends a call; -1 if it was reset, None with the connection."""
        async with asyncio.timeout(DEADLINE_S):
            while (found := await self.read()) is not None:
                if found.kind == GOAWAY:
                    return None
                if found.stream == stream and found.kind == RST_STREAM:
                    return -1
                if found.stream == stream and found.kind == HEADERS and found.flags & END_STREAM:
                    match = _STATUS.search(found.payload)
                    return int(match.group(1)) if match else -1
        return None

    async def gone(self) -> bool:
        """Return whether the other side ends the connection before the deadline."""
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(DEADLINE_S):
                while (found := await self.read()) is not None:
                    if found.kind == GOAWAY:
                        return True
                return True
        return False


@asynccontextmanager
async def wire(address: str, settings: bytes = b"", *, begin: bool = True) -> AsyncIterator[Wire]:
    """Open a connection, and begin to speak HTTP/2 on it."""
    host, _, port = address.rpartition(":")
    reader, writer = await asyncio.open_connection(host, int(port))
    made = Wire(reader, writer)
    try:
        if begin:
            await made.begin(settings)
        yield made
    finally:
        writer.transport.abort()
        with contextlib.suppress(ConnectionError):
            await writer.wait_closed()
