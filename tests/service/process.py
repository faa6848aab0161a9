"""A referee in a process of its own, to be killed, stopped and started again.

A process imports everything and then waits to be told what to serve, so that the next one can
be made ready while the last one still runs. It ends when whoever started it is gone. It can be
told to die, as by `kill -9`, at an exact point of its work.
"""

import asyncio
import contextlib
import dataclasses
import json
import os
import signal
import sys
import threading
from collections.abc import Callable
from pathlib import Path
from types import TracebackType
from typing import Any, Self

import grpc

from referee.service.app import CREDENTIALS_FILE, run
from referee.service.auth import Role
from referee.service.credentials import Credentials
from referee.service.settings import SECOND_NS, Settings
from referee.v1 import match_pb2

READY_S = 60
ROOT = Path(__file__).parents[2]
CREATE = "/referee.v1.MatchService/CreateMatch"


class Died(Exception):
    """A process that ended before it was ready, with what it said last."""


class Referee:
    """A data directory, and the process that serves it, if one does.

    up     set while a process serves
    port   where it listens now; another one after every start
    """

    def __init__(self, data: Path, **settings: Any) -> None:
        self.data = data
        self.settings = {"port": 0, "reconnect_ns": 20 * SECOND_NS, **settings}
        self.port = 0
        self.up = asyncio.Event()
        self._process: asyncio.subprocess.Process | None = None
        self._next: asyncio.subprocess.Process | None = None
        data.mkdir(exist_ok=True)
        with Credentials(data / CREDENTIALS_FILE) as credentials:
            self.organiser = credentials.issue(Role.ORGANISER, "tests")

    @property
    def address(self) -> str:
        """Where the process listens."""
        return f"127.0.0.1:{self.port}"

    @property
    def pid(self) -> int:
        """Return the process that serves."""
        assert self._process is not None
        return self._process.pid

    @property
    def log(self) -> str:
        """Everything that the processes have said so far."""
        return (self.data / "log").read_text()

    async def prepare(self) -> None:
        """Make a process ready for the next start."""
        if self._next is None:
            with (self.data / "log").open("ab") as log:
                self._next = await asyncio.create_subprocess_exec(
                    *(sys.executable, "-m", "tests.service.process"),
                    cwd=ROOT,
                    stdin=asyncio.subprocess.PIPE,
                    stdout=asyncio.subprocess.PIPE,
                    stderr=log,
                    start_new_session=True,
                )

    async def start(self, *, die: str = "") -> None:
        """Serve, and return when agents can come; raise `Died` if that does not happen."""
        await self.prepare()
        process, self._next = self._next, None
        assert process is not None
        assert process.stdin is not None
        assert process.stdout is not None
        self._process = process
        order = {"data": str(self.data), "die": die, **self.settings}
        process.stdin.write(json.dumps(order).encode() + b"\n")
        async with asyncio.timeout(READY_S):
            line = await process.stdout.readline()
        if not line:
            await process.wait()
            raise Died(self.log[-2_000:])
        self.port = int(line)
        self.up.set()

    def signal(self, number: signal.Signals) -> None:
        """Send a signal to the process that serves."""
        if number in (signal.SIGKILL, signal.SIGTERM):
            self.up.clear()
        with contextlib.suppress(ProcessLookupError):
            os.killpg(self.pid, number)

    async def ended(self) -> int:
        """Return what the process ended with, once it has."""
        assert self._process is not None
        async with asyncio.timeout(READY_S):
            code = await self._process.wait()
        self.up.clear()
        return code

    async def kill(self) -> None:
        """Kill the process, as `kill -9` does."""
        self.signal(signal.SIGKILL)
        await self.ended()

    async def stop(self) -> None:
        """Let the process end in order."""
        self.signal(signal.SIGTERM)
        assert await self.ended() == 0

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        for process in (self._process, self._next):
            if process is not None:
                with contextlib.suppress(ProcessLookupError):
                    os.killpg(process.pid, signal.SIGKILL)
                await process.wait()

    async def create(
        self, request: match_pb2.CreateMatchRequest
    ) -> match_pb2.CreateMatchResponse | None:
        """Make a match; None if the process died meanwhile."""
        try:
            return await create(self.address, self.organiser, request)
        except grpc.aio.AioRpcError as error:
            # A call that nobody had looked at yet when the process was stopped is CANCELLED by gRPC.
            if error.code() not in (grpc.StatusCode.UNAVAILABLE, grpc.StatusCode.CANCELLED):
                raise
            return None


async def create(
    address: str, organiser: str, request: match_pb2.CreateMatchRequest
) -> match_pb2.CreateMatchResponse:
    """Make a match."""
    async with grpc.aio.insecure_channel(address) as channel:
        call = channel.unary_unary(
            CREATE,
            request_serializer=match_pb2.CreateMatchRequest.SerializeToString,
            response_deserializer=match_pb2.CreateMatchResponse.FromString,
        )
        response: match_pb2.CreateMatchResponse = await call(
            request, timeout=READY_S, metadata=(("authorization", f"Bearer {organiser}"),)
        )
        return response


# In the process of the referee ------------------------------------------------------------------


def _die(*_: object) -> None:
    os.kill(os.getpid(), signal.SIGKILL)


def _die_at(point: str) -> None:
    """See to it that the process dies at a point; `move*9` is the ninth time it gets there.

    A point is a kind of record, which is durable then and not told, or one of `FUNCTIONS`.
    """
    name, _, times = point.partition("*")
    left = [int(times or 1)]

    def passed() -> None:
        left[0] -= 1
        if left[0] == 0:
            _die()

    if name in FUNCTIONS:
        owner, function, after = FUNCTIONS[name]()
        _wrap(owner, function, passed, after=after)
        return
    from referee.service.events import Events

    add = Events.add

    def watched(self: Events, frame: int, link: bytes, records: Any, encoded: Any) -> None:
        kinds = {record.WhichOneof("kind") for record in records}
        if name in kinds and not (name == "reveal" and "deal" in kinds):
            passed()
        add(self, frame, link, records, encoded)

    Events.add = watched  # type: ignore[method-assign]


def _wrap(owner: Any, name: str, passed: Callable[[], None], *, after: bool) -> None:
    function = getattr(owner, name)

    if asyncio.iscoroutinefunction(function):

        async def waiting(*args: Any, **named: Any) -> Any:
            if not after:
                passed()
            result = await function(*args, **named)
            passed()
            return result

        setattr(owner, name, waiting)
        return

    def wrapped(*args: Any, **named: Any) -> Any:
        if not after:
            passed()
        result = function(*args, **named)
        passed()
        return result

    setattr(owner, name, wrapped)


def _secrets() -> Any:
    from referee.service.storage.secrets import Secrets

    return Secrets


def _calls() -> Any:
    from referee.service.calls import MatchCalls

    return MatchCalls


def _store() -> Any:
    from referee.service.storage.store import Store

    return Store


FUNCTIONS: dict[str, Callable[[], tuple[Any, str, bool]]] = {
    "before the secret": lambda: (_secrets(), "put", False),
    "after the secret": lambda: (_secrets(), "put", True),
    "before the answer": lambda: (_calls(), "_create", True),
    "before the secret goes": lambda: (_secrets(), "delete", False),
    "before the move": lambda: (_store(), "finish", False),
    "after the move": lambda: (_store(), "finish", True),
}


def _end_with_parent() -> None:
    sys.stdin.read()
    _die()


def main() -> None:
    """Wait for one line that says what to serve, and serve it."""
    from referee.service import logs

    line = sys.stdin.readline()
    if not line:
        return
    threading.Thread(target=_end_with_parent, daemon=True).start()
    order = json.loads(line)
    logs.configure(json=True, level="info")
    if order.pop("die"):
        _die_at(json.loads(line)["die"])
    known = {field.name for field in dataclasses.fields(Settings)}
    assert order.keys() <= known
    settings = Settings(**{**order, "data": Path(order["data"])})
    asyncio.run(run(settings, lambda running: print(running.server.port, flush=True)))


if __name__ == "__main__":
    main()
