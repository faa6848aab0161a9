"""Plays from the command line: ``python -m azul_agent --server HOST:PORT --seat TOKEN``."""

import argparse
import asyncio
import importlib
import logging
import os
import sys
from collections.abc import Sequence
from pathlib import Path

from azul_agent.agent import Agent
from azul_agent.bots import BOTS
from azul_agent.connect import Pacing, Tls
from azul_agent.errors import AgentError
from azul_agent.result import Result
from azul_agent.turns import Bot
from azul_agent.unreachable import is_address

EXIT_FAILED = 1
EXIT_USAGE = 2
EXIT_INTERRUPTED = 130


def find_bot(name: str) -> Bot:
    """Return a bot by its name here, or by `module:function` from the current folder."""
    if name in BOTS:
        return BOTS[name]
    module, colon, function = name.partition(":")
    if not colon:
        raise ValueError(f"there is no bot {name!r}; there are {', '.join(BOTS)}, module:function")
    sys.path.insert(0, str(Path.cwd()))
    try:
        bot: Bot = getattr(importlib.import_module(module), function)
    except (ImportError, AttributeError) as error:
        raise ValueError(f"the bot {name!r} cannot be loaded: {error}") from error
    return bot


def parser() -> argparse.ArgumentParser:
    """Return what the command line understands."""
    words = "Plays seats, or asks to be paired, until the matches are over."
    parse = argparse.ArgumentParser(prog="python -m azul_agent", description=words)
    add = parse.add_argument
    add("--server", default=os.environ.get("REFEREE_SERVER"), help="host:port [REFEREE_SERVER]")
    add("--seat", action="append", default=[], metavar="TOKEN", help="play this seat; repeatable")
    add("--queue", metavar="RULESET", help="ask to be paired instead")
    add("--seats", type=int, default=2, help="with --queue: seats of a match")
    add("--at-once", type=int, default=1, help="with --queue: matches at the same time")
    more = "stop after so many; with --at-once, matches paired meanwhile are played as well"
    add("--games", type=int, help=f"with --queue: {more}")
    add("--bot", default="random", help=f"{', '.join(BOTS)} or module:function")
    add("--name", help="the name that is shown; otherwise that of the bot")
    bearer = "the bearer of an agent, for the queue and from other machines [REFEREE_TOKEN]"
    add("--token", default=os.environ.get("REFEREE_TOKEN"), help=bearer)
    add("--tls", action="store_true", help="encrypt, and trust what the system trusts")
    add("--ca", type=Path, help="encrypt, and trust these root certificates only")
    add("--cert", type=Path, help="the certificate of this agent")
    add("--key", type=Path, help="the key of that certificate")
    add("--inline", action="store_true", help="call the bot without a thread; for quick ones")
    add("--no-shares", action="store_true", help="take no part in the draws")
    add("--secret-file", type=Path, help="where the secret lies that the shares are made of")
    add("--evidence", type=Path, help="a folder to keep what was seen of each match")
    add("--attempts", type=int, help="give up after so many failures to reach the referee")
    add("--verbose", action="store_true", help="say more, to standard error")
    return parse


def make_agent(options: argparse.Namespace) -> Agent:
    """Return the agent that the command line describes."""
    tls = None
    if options.tls or options.ca or options.cert:
        files = (options.ca, options.cert, options.key)
        tls = Tls(*(file.read_bytes() if file else None for file in files))
    secret = {"secret_file": options.secret_file} if options.secret_file else {}
    return Agent(
        options.server,
        find_bot(options.bot),
        name=options.name or options.bot.replace(":", "-")[:32],
        token=options.token,
        tls=tls,
        shares=not options.no_shares,
        inline=options.inline,
        evidence=options.evidence,
        pacing=Pacing(attempts=options.attempts),
        **secret,
    )


async def play(agent: Agent, options: argparse.Namespace) -> bool:
    """Play everything that was asked for; return whether all of it went well."""
    well = True

    def tell(result: Result) -> None:
        nonlocal well
        print(result, flush=True)  # noqa: T201
        well = well and not result.problems and result.error is None

    async def take(seat_token: str) -> None:
        nonlocal well
        try:
            tell(await agent.play(seat_token))
        except AgentError as error:
            print(f"not played: {error}", file=sys.stderr)  # noqa: T201
            well = False

    async with agent:
        if options.queue:
            wish = (options.queue, options.seats, options.at_once)
            await agent.queue(*wish, games=options.games, told=tell)
        else:
            await asyncio.gather(*map(take, options.seat))
    return well


def main(arguments: Sequence[str] | None = None) -> int:
    """Read the command line and play."""
    parse = parser()
    options = parse.parse_args(arguments)
    if not options.server:
        parse.error("which referee? give --server or set REFEREE_SERVER")
    if not is_address(options.server):
        parse.error(f"--server is HOST:PORT, not {options.server!r}")
    if bool(options.seat) == bool(options.queue):
        parse.error("give --seat or --queue")
    logging.basicConfig(format="azul_agent: %(message)s")
    # The agent's own words alone: what gRPC and asyncio tell of themselves helps nobody here.
    logging.getLogger("azul_agent").setLevel(logging.DEBUG if options.verbose else logging.INFO)
    try:
        agent = make_agent(options)
    except (AgentError, OSError, ValueError) as error:
        parse.error(str(error))
    try:
        return 0 if asyncio.run(play(agent, options)) else EXIT_FAILED
    except AgentError as error:
        print(error, file=sys.stderr)  # noqa: T201
        return EXIT_FAILED
    except KeyboardInterrupt:
        words = "interrupted: no match is given up, and the same command takes its seat up again"
        print(words, file=sys.stderr)  # noqa: T201
        return EXIT_INTERRUPTED


if __name__ == "__main__":
    sys.exit(main())
