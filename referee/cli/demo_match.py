"""The match of `referee demo`: over gRPC, from an empty folder to a verified record.

Everything runs as its own process, by the same commands that an organiser types; each is
printed before it runs. Nothing is left running, whatever happens.
"""

import asyncio
import contextlib
import json
import os
import shlex
import sys
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import click

from referee.cli import invoked

BOTS = ("greedy", "random")
# How long each part may take; a machine that is busy is slow.
START_S = 60.0
COMMAND_S = 120.0
MATCH_S = 600.0
STOP_S = 30.0
LOG_LINES = 20


class DemoFailed(click.ClickException):
    """Something that should have worked did not."""


class Demo:
    """One demonstration; everything of it lies in one folder."""

    def __init__(self, place: Path) -> None:
        self._place = place
        # What an operator has set for other referees must not reach this one.
        self._environment = {
            name: value
            for name, value in os.environ.items()
            if not name.startswith("REFEREE_") or name in ("REFEREE_PURE", "REFEREE_DEBUG")
        }

    async def play(self, ruleset: str, players: int, seed: str | None) -> None:
        """Play, verify and show one match, or raise `DemoFailed`."""
        async with self._referee() as server:
            self._environment["REFEREE_SERVER"] = server
            click.echo(f"$ export REFEREE_SERVER={server}")
            issue = ("token", "issue", "organiser", "demo", "--data", str(self._place / "data"))
            click.echo(f"$ export REFEREE_TOKEN=$(referee {shlex.join(issue)})")
            token = await self._run(*issue, silent=True)
            self._environment["REFEREE_TOKEN"] = token.strip()
            seats = [BOTS[seat % len(BOTS)] for seat in range(players)]
            match_id, tokens = await self._create(ruleset, seats, seed)
            await self._watch(match_id, seats, tokens)
            record = str(self._place / "match.azt")
            await self._run("transcript", match_id, "-o", record)
        await self._run("verify", record, show=True)
        last = await self._last(record)
        await self._run("replay", record, "--at", str(last), show=True)
        self._farewell(record)

    # The parts ---------------------------------------------------------------------------------

    @contextlib.asynccontextmanager
    async def _referee(self) -> AsyncIterator[str]:
        """Run a referee on a free port, yield its address, and stop it in order."""
        arguments = ["serve", "--data", str(self._place / "data"), "--port", "0"]
        _say_command("referee", *arguments)
        process = await self._start("-m", "referee", *arguments, log="referee.log", pipe=True)
        try:
            yield await self._address(process)
            process.terminate()
            code = await self._wait(process, STOP_S, "the referee does not stop")
            if code != 0:
                raise self._failed(f"the referee stopped with exit code {code}", "referee.log")
        finally:
            await _end([process])

    async def _address(self, process: asyncio.subprocess.Process) -> str:
        """Return where a referee listens, as the first line that it prints tells."""
        assert process.stdout is not None
        try:
            line = await asyncio.wait_for(process.stdout.readline(), START_S)
        except TimeoutError as error:
            raise self._failed("the referee does not start", "referee.log") from error
        if not line.startswith(b"listening on "):
            raise self._failed("the referee did not start", "referee.log")
        address = line.decode().split()[-1]
        click.echo(f"The referee listens on {address}.\n")
        return address

    async def _create(
        self, ruleset: str, seats: list[str], seed: str | None
    ) -> tuple[str, list[str]]:
        arguments = ["match", "create", ruleset, "--json"]
        for number, bot in enumerate(seats):
            arguments += ["--seat", f"{bot}-{number}"]
        if seed:
            arguments += ["--seed", seed]
        made: dict[str, Any] = json.loads(await self._run(*arguments))
        return made["match_id"], [seat["token"] for seat in made["seats"]]

    async def _watch(self, match_id: str, seats: list[str], tokens: list[str]) -> None:
        """Let the bots play, and show the match as it goes."""
        processes = []
        try:
            for number, (bot, token) in enumerate(zip(seats, tokens, strict=True)):
                _say_command("python -m azul_agent", "--bot", bot, "--seat", f"{token[:12]}...")
                secret = ("--secret-file", str(self._place / f"secret-{number}"))
                arguments = ("-m", "azul_agent", "--bot", bot, "--seat", token, *secret)
                processes.append(await self._start(*arguments, log=f"bot-{number}.log"))
            _say_command("referee", "watch", match_id)
            sys.stdout.flush()
            watching = await self._start("-m", "referee", "watch", match_id, "--rounds")
            processes.append(watching)
            code = await self._wait(watching, MATCH_S, "the match does not end")
            if code != 0:
                raise self._failed(f"watching ended with exit code {code}", "referee.log")
            for number, process in enumerate(processes[:-1]):
                code = await self._wait(process, STOP_S, f"bot {number} does not end")
                if code != 0:
                    raise self._failed(
                        f"bot {number} ended with exit code {code}", f"bot-{number}.log"
                    )
        finally:
            await _end(processes)

    async def _last(self, record: str) -> int:
        """Return the event with which the game ended."""
        told = await self._run("replay", record, "--json", silent=True)
        *events, verdict = [json.loads(line) for line in told.splitlines()]
        ends = [event["event"] for event in events if event["kind"] == "game_over"]
        if not ends:
            raise self._failed("the match came to no result", "referee.log")
        out = [number for number, seat in enumerate(verdict["result"]["seats"]) if seat["out"]]
        if out:
            # Bots that do their work stay to the end.
            raise self._failed(f"seat {out[0]} went out", f"bot-{out[0]}.log")
        return int(ends[0])

    def _farewell(self, record: str) -> None:
        click.echo()
        click.echo(f"Everything of it lies in {self._place}. What next:")
        referee = invoked.referee()
        commands = (
            (f"{referee} replay {shlex.quote(record)}", "step through it again"),
            (f"{referee} serve", "a referee of your own; it says how to make and watch a match"),
            (f"{referee} rulesets", "what can be played: make demo RULESET=chocolatier PLAYERS=3"),
        )
        width = max(len(text) for text, _ in commands)
        for text, remark in commands:
            click.echo(f"  {text:<{width}}  # {remark}")
        click.echo('A bot of your own is a dozen lines: README.md, "A first bot in ten minutes".')

    # Processes ---------------------------------------------------------------------------------

    async def _start(
        self, *arguments: str, log: str | None = None, pipe: bool = False
    ) -> asyncio.subprocess.Process:
        """Start Python; without a log file it prints where we print."""
        with contextlib.ExitStack() as stack:
            file = None if log is None else stack.enter_context((self._place / log).open("ab"))
            return await asyncio.create_subprocess_exec(
                sys.executable,
                *arguments,
                stdin=asyncio.subprocess.DEVNULL,
                stdout=asyncio.subprocess.PIPE if pipe else file,
                stderr=file,
                env=self._environment,
            )

    async def _run(self, *arguments: str, show: bool = False, silent: bool = False) -> str:
        """Run a command of the referee, and return what it prints."""
        if not silent:
            _say_command("referee", *arguments)
        process = await asyncio.create_subprocess_exec(
            sys.executable,
            *("-m", "referee", *arguments),
            stdin=asyncio.subprocess.DEVNULL,
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.PIPE,
            env=self._environment,
        )
        try:
            out, problems = await asyncio.wait_for(process.communicate(), COMMAND_S)
        except TimeoutError as error:
            raise DemoFailed(f"`referee {arguments[0]}` does not end") from error
        finally:
            await _end([process])
        if show:
            click.echo(out.decode(errors="replace"), nl=False)
        if process.returncode != 0:
            raise DemoFailed(f"`referee {arguments[0]}` failed: {problems.decode().strip()}")
        return out.decode()

    async def _wait(self, process: asyncio.subprocess.Process, limit_s: float, problem: str) -> int:
        try:
            return await asyncio.wait_for(process.wait(), limit_s)
        except TimeoutError as error:
            raise self._failed(problem, "referee.log") from error

    def _failed(self, problem: str, log: str) -> DemoFailed:
        """Return the error, after showing the end of the log that may tell more."""
        with contextlib.suppress(OSError):
            lines = (self._place / log).read_text(errors="replace").splitlines()
            for line in lines[-LOG_LINES:]:
                click.echo(f"  {log}: {line}", err=True)
        return DemoFailed(f"{problem}; {self._place / log} tells more")


def _say_command(*words: str) -> None:
    """Show a command as a person would type it."""
    click.echo(f"$ {words[0]} {shlex.join(words[1:])}")


async def _end(processes: list[asyncio.subprocess.Process]) -> None:
    """End processes that still run: kindly at first."""
    for process in processes:
        with contextlib.suppress(ProcessLookupError):
            if process.returncode is None:
                process.terminate()
    for process in processes:
        try:
            await asyncio.wait_for(process.wait(), STOP_S)
        except (TimeoutError, asyncio.CancelledError):
            with contextlib.suppress(ProcessLookupError):
                process.kill()
            await process.wait()
