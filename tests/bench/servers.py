"""The servers that are measured, each in a process of its own: the referee, and a bare echo.

Both are told what to do by lines on standard input and answer in lines on standard output,
from a thread beside the event loop that costs nothing while it waits. The echo is the least
that any service on the same streams must do: read bytes, write bytes.
"""

import argparse
import asyncio
import json
import signal
import subprocess
import sys
import threading
import time
from collections import Counter
from collections.abc import Callable, Coroutine
from pathlib import Path
from types import CodeType, FrameType
from typing import Any

ECHO = "/bench.Echo/Echo"
PROFILE, PROFILED = signal.SIGUSR1, signal.SIGUSR2
SAMPLE_S = 0.001


def run_loop(work: Coroutine[Any, Any, None]) -> None:
    """Run a coroutine on the loop that the referee is made for, where there is one."""
    try:
        import uvloop
    except ImportError:
        asyncio.run(work)
    else:
        uvloop.run(work)


# In the process of the server ------------------------------------------------------------------


class Told:
    """Lines on standard input: `figures`, `profiled`, `stop`; and signals that profile the loop."""

    def __init__(self, figures: Callable[[], dict[str, int]]) -> None:
        self._loop = asyncio.get_running_loop()
        self._figures = figures
        self._sampler = Sampler()
        self.stopped = asyncio.Event()
        # Signals, so that whoever plays can say when; anything else would be measured, too.
        self._watch()
        threading.Thread(target=self._listen, daemon=True).start()

    def _watch(self) -> None:
        self._loop.add_signal_handler(PROFILE, self._sampler.start)
        self._loop.add_signal_handler(PROFILED, self._sampler.stop)

    def _listen(self) -> None:
        for line in sys.stdin:
            if line.strip() == "stop":
                break
            self._loop.call_soon_threadsafe(self._do, line.strip())
        self._loop.call_soon_threadsafe(self.stopped.set)

    def _do(self, told: str) -> None:
        answer: Any = self._figures()
        if told == "profiled":
            answer, self._sampler = self._sampler.told(), Sampler()
            self._watch()
        print(json.dumps(answer), flush=True)


class Sampler:
    """A profile of the event loop by samples, which costs next to nothing.

    A profiler that sees every call makes small functions look several times as dear as they
    are. A sample counts for the processor time that the loop has used since the last one, so
    neither waiting nor other work on the machine counts. Built-in functions count as callers.
    """

    def __init__(self) -> None:
        self._own: Counter[CodeType] = Counter()
        self._all: Counter[CodeType] = Counter()
        self._lines: dict[CodeType, Counter[int]] = {}
        self._last = 0.0

    def start(self) -> None:
        """Begin; the timer is one of real time, since that of processor time is too coarse."""
        signal.signal(signal.SIGALRM, self._sample)
        self._last = time.thread_time()
        signal.setitimer(signal.ITIMER_REAL, SAMPLE_S, SAMPLE_S)

    def stop(self) -> None:
        """End."""
        signal.setitimer(signal.ITIMER_REAL, 0)

    def _sample(self, _number: int, frame: FrameType | None) -> None:
        now = time.thread_time()
        used, self._last = now - self._last, now
        if frame is None:
            return
        code = frame.f_code
        self._own[code] += used  # type: ignore[assignment]
        self._lines.setdefault(code, Counter())[frame.f_lineno] += used  # type: ignore[assignment]
        seen = set()
        while frame is not None:
            seen.add(frame.f_code)
            frame = frame.f_back
        for code in seen:
            self._all[code] += used  # type: ignore[assignment]
        # What sampling itself has used is nobody's.
        self._last = time.thread_time()

    def told(self) -> list[tuple[str, float, float]]:
        """Return the functions, each with its own and all its seconds, the hottest first."""
        rows = []
        for code, own in self._own.most_common():
            line = self._lines[code].most_common(1)[0][0]
            where = "/".join(Path(code.co_filename).parts[-2:])
            rows.append((f"{where}:{line} {code.co_qualname}", float(own), float(self._all[code])))
        return rows


async def serve_echo() -> None:
    """Answer every message of a stream with the first one."""
    import grpc
    from grpc import aio

    async def echo(_requests: Any, context: Any) -> None:
        answer = await context.read()
        while isinstance(await context.read(), bytes):
            await context.write(answer)

    handler: grpc.RpcMethodHandler[Any, Any] = grpc.stream_stream_rpc_method_handler(echo)
    server = aio.server(options=(("grpc.so_reuseport", 0),))
    _, service, method = ECHO.split("/")
    server.add_generic_rpc_handlers(
        (grpc.method_handlers_generic_handler(service, {method: handler}),)
    )
    port = server.add_insecure_port("127.0.0.1:0")
    await server.start()
    told = Told(dict)
    print(json.dumps({"port": port}), flush=True)
    await told.stopped.wait()
    await server.stop(0)


async def serve_referee(data: Path) -> None:
    """Serve matches as `referee serve` does, to an organiser whose token is told."""
    from referee.service import app
    from referee.service.auth import Role
    from referee.service.credentials import Credentials
    from referee.service.logs import configure
    from referee.service.settings import Settings

    configure(json=True, level="warning")
    second = 1_000_000_000
    # Matches are made before they are played, so agents have all the time they need to come.
    running = await app.start(Settings(data, port=0, start_window_ns=3_600 * second))
    app.tune()
    with Credentials(data / app.CREDENTIALS_FILE) as credentials:
        token = credentials.issue(Role.ORGANISER, "bench")

    def figures() -> dict[str, int]:
        done = running.house.committer.figures
        return {"groups": done.groups, "frames": done.frames, "syncs": done.syncs}

    told = Told(figures)
    print(json.dumps({"port": running.server.port, "token": token}), flush=True)
    await told.stopped.wait()
    await running.stop()


# In the process that measures ------------------------------------------------------------------


class Process:
    """A process that does what lines tell it, and answers each with one line of JSON."""

    def __init__(self, *command: str) -> None:
        self._process = subprocess.Popen(
            [sys.executable, "-m", *command],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        self.pid = self._process.pid

    def read(self) -> Any:
        """Return the next answer."""
        assert self._process.stdout is not None
        line = self._process.stdout.readline()
        if not line:
            raise RuntimeError(f"{self._process.args!r} has ended: {self._process.wait()}")
        return json.loads(line)

    def say(self, line: str) -> None:
        """Say a line, whose answer can be read later."""
        assert self._process.stdin is not None
        print(line, file=self._process.stdin, flush=True)

    def ask(self, line: str) -> Any:
        """Say a line and return the answer."""
        self.say(line)
        return self.read()

    def rss_kib(self) -> int:
        """Return how much memory it holds."""
        for line in Path(f"/proc/{self.pid}/status").read_text().splitlines():
            if line.startswith("VmRSS:"):
                return int(line.split()[1])
        return 0

    def stop(self) -> None:
        """Let it end, and wait until it has."""
        try:
            self._process.communicate("stop\n", timeout=20)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.communicate()


class ServerProcess(Process):
    """A server that is up."""

    def __init__(self, kind: str, data: Path | None = None) -> None:
        extra = () if data is None else ("--data", str(data))
        super().__init__("tests.bench.servers", kind, *extra)
        told = self.read()
        self.port: int = told["port"]
        self.token: str = told.get("token", "")


def cpu_s(pid: int) -> float:
    """Return the processor time that a process has used so far, all its threads together."""
    # How Linux numbers the clock of another process.
    return time.clock_gettime(~pid << 3 | 2)


def loop_s(pid: int) -> float:
    """Return the processor time that the first thread of a process, its event loop, has used."""
    return int(Path(f"/proc/{pid}/schedstat").read_text().split()[0]) / 1e9


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("kind", choices=("echo", "referee"))
    parser.add_argument("--data", type=Path, default=None)
    arguments = parser.parse_args()
    run_loop(serve_echo() if arguments.kind == "echo" else serve_referee(arguments.data))
