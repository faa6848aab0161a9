"""A cable between an agent and a referee that a test can pull, and nobody is told."""

import asyncio
import contextlib
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

PIECE = 1 << 16


class Cable:
    """A port that forwards to another one, both ways, until it is pulled.

    From then on both ends are still connected, and hear nothing of each other.
    """

    def __init__(self, address: str) -> None:
        host, _, port = address.rpartition(":")
        self._to = host, int(port)
        self._whole = asyncio.Event()
        self._whole.set()
        self._tasks: list[asyncio.Task[None]] = []
        self._writers: list[asyncio.StreamWriter] = []
        self.address = ""

    def pull(self) -> None:
        """Let nothing through from now on, in either direction."""
        self._whole.clear()

    async def connect(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Connect whoever comes with the other end."""
        far_reader, far_writer = await asyncio.open_connection(*self._to)
        self._writers += (writer, far_writer)
        for one, other in ((reader, far_writer), (far_reader, writer)):
            self._tasks.append(asyncio.create_task(self._forward(one, other)))

    async def _forward(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with contextlib.suppress(ConnectionError):
            while data := await reader.read(PIECE):
                await self._whole.wait()
                writer.write(data)
                await writer.drain()
        # The end of a connection travels on a cable like everything else.
        await self._whole.wait()
        writer.close()

    async def close(self) -> None:
        """Take all connections away."""
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        for writer in self._writers:
            writer.transport.abort()
            with contextlib.suppress(ConnectionError):
                await writer.wait_closed()


@asynccontextmanager
async def cable(address: str) -> AsyncIterator[Cable]:
    """Lay a cable to a referee."""
    laid = Cable(address)
    server = await asyncio.start_server(laid.connect, "127.0.0.1", 0)
    laid.address = f"127.0.0.1:{server.sockets[0].getsockname()[1]}"
    try:
        yield laid
    finally:
        server.close()
        await laid.close()
