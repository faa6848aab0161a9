"""One stream to the referee: one task reads it, and exactly one writes to it.

Whoever has something to say puts it into the outbox. The writer sends everything that has
gathered there as one frame, so frames hold the more messages the busier the agent is.
"""

import asyncio
import contextlib
from collections import deque
from collections.abc import AsyncIterator, Sequence
from typing import TYPE_CHECKING

from grpc import aio

from referee.v1.play_pb2 import AgentMessage, PlayRequest, PlayResponse
from referee.v1.play_pb2_grpc import AgentServiceStub

if TYPE_CHECKING:
    Call = aio.StreamStreamCall[PlayRequest, PlayResponse]

# What a referee accepts that has not told its own limit yet.
FIRST_FRAME_BYTES = 16 << 10
# Tag and length of a message inside a frame.
OVERHEAD_BYTES = 6
# For a referee that does not say how long it may be silent.
SILENCE_S = 60.0

Metadata = Sequence[tuple[str, str]]


class Outbox:
    """Gathers messages until the one writer takes them."""

    def __init__(self) -> None:
        self.max_frame_bytes = FIRST_FRAME_BYTES
        self._waiting: deque[AgentMessage] = deque()
        self._changed = asyncio.Event()
        self._closed = False

    def put(self, message: AgentMessage) -> None:
        """Add a message; it is dropped if the outbox is closed."""
        if not self._closed:
            self._waiting.append(message)
            self._changed.set()

    def close(self) -> None:
        """Let the writer finish with what has gathered."""
        self._closed = True
        self._changed.set()

    async def frame(self) -> PlayRequest | None:
        """Return everything that fits into one frame; None when nothing will come any more."""
        while not self._waiting:
            if self._closed:
                return None
            self._changed.clear()
            await self._changed.wait()
        messages: list[AgentMessage] = []
        size = 0
        while self._waiting:
            size += self._waiting[0].ByteSize() + OVERHEAD_BYTES
            if messages and size > self.max_frame_bytes:
                break
            messages.append(self._waiting.popleft())
        return PlayRequest(messages=messages)


class Stream:
    """Carries messages in both directions until it is lost or closed.

    `frames` yields what arrives and ends, or raises what gRPC raises, when the stream does. A
    referee that says nothing at all for twice `silence_s`, not even Ping, counts as lost.
    """

    def __init__(self, channel: aio.Channel, metadata: Metadata) -> None:
        self.outbox = Outbox()
        self.silence_s = SILENCE_S
        self._call: Call = AgentServiceStub(channel).Play(metadata=aio.Metadata(*metadata))
        self._writer = asyncio.create_task(self._write())

    async def _write(self) -> None:
        # A call that ends under the writer ends under the reader, too, which tells why.
        with contextlib.suppress(aio.AioRpcError, asyncio.InvalidStateError):
            while (frame := await self.outbox.frame()) is not None:
                await self._call.write(frame)
            await self._call.done_writing()

    async def frames(self) -> AsyncIterator[PlayResponse]:
        """Yield the frames of the referee."""
        arriving = aiter(self._call)
        while True:
            async with asyncio.timeout(2 * self.silence_s):
                frame = await anext(arriving, None)
            if frame is None:
                return
            yield frame

    async def end(self) -> None:
        """End the stream, whatever state it is in."""
        self._call.cancel()
        self._writer.cancel()
        await asyncio.gather(self._writer, return_exceptions=True)
