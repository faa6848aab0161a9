"""A referee as an operator runs it, in a process of its own, and the commands beside it.

Every wait has a deadline and ends with an event: a line, the end of a process.
"""

import asyncio
import contextlib
import os
import signal
import sys
from collections.abc import AsyncIterator, Sequence
from pathlib import Path
from typing import NamedTuple

from azul_agent import Agent, Result, Tls
from azul_agent.bots import BOTS

WAIT_S = 90.0


def environment(**more: str) -> dict[str, str]:
    """Return the environment without what the person who tests has set for a referee."""
    kept = {
        name: value
        for name, value in os.environ.items()
        if not name.startswith("REFEREE_") or name == "REFEREE_PURE"
    }
    return kept | more


class Done(NamedTuple):
    """A command that has ended."""

    code: int
    out: str
    err: str


async def start(*arguments: str, **more: str) -> asyncio.subprocess.Process:
    """Start a command of the referee."""
    pipe = asyncio.subprocess.PIPE
    return await asyncio.create_subprocess_exec(
        sys.executable,
        *("-W", "error", "-m", "referee", *arguments),
        stdin=asyncio.subprocess.DEVNULL,
        stdout=pipe,
        stderr=pipe,
        env=environment(**more),
    )


async def finish(process: asyncio.subprocess.Process) -> Done:
    """Wait until a command has ended; one that does not is killed."""
    try:
        out, err = await asyncio.wait_for(process.communicate(), WAIT_S)
    finally:
        with contextlib.suppress(ProcessLookupError):
            process.kill()
    assert process.returncode is not None
    assert b"Traceback" not in err, err.decode()
    return Done(process.returncode, out.decode(), err.decode())


async def run(*arguments: str, **more: str) -> Done:
    """Run a command of the referee to its end."""
    return await finish(await start(*arguments, **more))


async def line_with(process: asyncio.subprocess.Process, text: str) -> str:
    """Read what a process prints up to a line with that text."""
    assert process.stdout is not None
    async with asyncio.timeout(WAIT_S):
        async for line in process.stdout:
            if text in line.decode():
                return line.decode()
    raise AssertionError(f"it ended without {text!r}")


class Referee:
    """A referee that runs."""

    def __init__(self, process: asyncio.subprocess.Process, data: Path, address: str) -> None:
        self.process = process
        self.data = data
        self.address = address
        self.token = ""

    @property
    def port(self) -> str:
        """Where it listens."""
        return self.address.rpartition(":")[2]

    async def run(self, *arguments: str) -> Done:
        """Run a command as the organiser of this referee."""
        return await run(*arguments, REFEREE_SERVER=self.address, REFEREE_TOKEN=self.token)

    async def out(self, *arguments: str) -> str:
        """Run a command that must succeed, and return what it prints."""
        done = await self.run(*arguments)
        assert (done.code, done.err) == (0, "")
        return done.out

    async def create(self, *arguments: str) -> tuple[str, list[str]]:
        """Make a match and return its id and the tokens of its seats."""
        first, *seats = (await self.out("match", "create", *arguments)).splitlines()
        return first.split()[-1], [seat.split()[-1] for seat in seats]

    async def stop(self) -> Done:
        """Let it stop as a service manager does."""
        self.process.send_signal(signal.SIGTERM)
        return await finish(self.process)


@contextlib.asynccontextmanager
async def serving(data: Path, *options: str, port: str = "0") -> AsyncIterator[Referee]:
    """Run a referee for as long as it is needed, and issue an organiser's token."""
    ready = data.with_name(f"{data.name}.ready")
    process = await start(
        *("serve", "--data", str(data), "--port", port, "--ready-file", str(ready)),
        *("--log-level", "error", *options),
    )
    try:
        address = (await line_with(process, "listening on ")).split()[-1]
        assert ready.read_text() == f"{address}\n"
        referee = Referee(process, data, address)
        issued = await run("token", "issue", "organiser", "tests", "--data", str(data))
        referee.token = issued.out.strip()
        yield referee
        if process.returncode is None:
            done = await referee.stop()
            assert (done.code, done.err) == (0, "")
            assert not ready.exists()
    finally:
        with contextlib.suppress(ProcessLookupError):
            process.kill()
        await process.wait()


async def play(
    referee: Referee, tokens: Sequence[str], folder: Path, tls: Tls | None = None
) -> list[Result]:
    """Let a bot play every seat, to the end of the match."""
    async with Agent(
        referee.address,
        BOTS["random"],
        name="tester",
        inline=True,
        secret_file=folder / "secret",
        tls=tls,
    ) as agent:
        async with asyncio.timeout(WAIT_S):
            return list(await asyncio.gather(*map(agent.play, tokens)))
