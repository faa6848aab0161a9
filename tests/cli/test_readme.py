"""The README leads a stranger from nothing to a playing bot; its commands are run as written."""

import asyncio
import re
import sys
from pathlib import Path

from referee.transcript.signing import load_key
from tests.cli.serving import WAIT_S, environment

README = Path(__file__).parents[2] / "README.md"


async def read_until(process: asyncio.subprocess.Process, text: str) -> str:
    """Read lines of a process up to the one that begins so."""
    assert process.stdout is not None
    async with asyncio.timeout(WAIT_S):
        async for line in process.stdout:
            if line.decode().startswith(text):
                return line.decode()
    raise AssertionError(text)


async def shell(commands: str, folder: Path) -> asyncio.subprocess.Process:
    """Start a shell in a folder, at home there; the port is a free one."""
    return await asyncio.create_subprocess_exec(
        *("bash", "-euo", "pipefail", "-c", commands),
        stdin=asyncio.subprocess.DEVNULL,
        stdout=asyncio.subprocess.PIPE,
        cwd=folder,
        env=environment(HOME=str(folder), REFEREE_PORT="0", REFEREE_LOG_LEVEL="error"),
    )


def lay_out(folder: Path) -> tuple[str, list[str]]:
    """Do what the reader has done so far, and return the commands that follow."""
    section = README.read_text().split("## A first bot in ten minutes")[1].split("\n## ")[0]
    (program,) = re.findall(r"```py\n(.*?)```", section, re.DOTALL)
    serve, *others = re.findall(r"```sh\n(.*?)```", section, re.DOTALL)
    (folder / "my_bot.py").write_text(program)
    binaries = folder / ".venv" / "bin"
    binaries.mkdir(parents=True)
    (binaries / "python").write_text(f'#!/bin/sh\nexec {sys.executable} "$@"\n')
    (binaries / "referee").write_text(f'#!/bin/sh\nexec {sys.executable} -m referee "$@"\n')
    for file in binaries.iterdir():
        file.chmod(0o755)
    return serve, others


async def test_a_first_bot_in_ten_minutes(tmp_path: Path) -> None:
    """Serve, make a match, run both bots, watch it."""
    serve, (create, play, watch) = lay_out(tmp_path)
    (key,) = re.findall(r"^\.venv/bin/referee key.*$", README.read_text(), re.MULTILINE)
    server = await shell(f"exec {serve}", tmp_path)
    try:
        address = (await read_until(server, "listening on")).split()[-1]
        assert "127.0.0.1:50051" in create
        create = create.replace("127.0.0.1:50051", address)
        exports = "\n".join(line for line in create.splitlines() if "REFEREE_SERVER" in line)
        making = await shell(create, tmp_path)
        made, _ = await asyncio.wait_for(making.communicate(), WAIT_S)
        match_id, *tokens = [line.split()[-1] for line in made.decode().splitlines()]
        assert making.returncode == 0
        for number, token in enumerate(tokens):
            assert f"TOKEN_{number}" in play
            play = play.replace(f"TOKEN_{number}", token)
        # A shell that a person types into waits for what runs beside it.
        playing = await shell(f"{exports}\n{play}\nwait", tmp_path)
        played, _ = await asyncio.wait_for(playing.communicate(), WAIT_S)
        assert playing.returncode == 0
        assert played.decode().count(match_id) == 2
        watching = await shell(f"{exports}\n{watch.replace('MATCH', match_id)}", tmp_path)
        told, _ = await asyncio.wait_for(watching.communicate(), WAIT_S)
        assert watching.returncode == 0
        assert '"my_bot-bot"' in told.decode()
        # A bot that raises gives its match up.
        assert not re.search(r"seat \d is out", told.decode())
        assert "everything in it holds" in told.decode()
        # What an organiser publishes is the key with which this referee signs.
        printing = await shell(key, tmp_path)
        printed, _ = await asyncio.wait_for(printing.communicate(), WAIT_S)
        signs = load_key(tmp_path / ".azul-referee" / "data" / "signing-key.pem")
        assert printed.decode() == f"{signs.public.hex()}\n"
    finally:
        server.terminate()
        assert await asyncio.wait_for(server.wait(), WAIT_S) == 0
