"""`referee demo`, which `make demo` runs: a whole match, and nothing left running."""

import os
import re
import signal
import subprocess
from pathlib import Path

import pytest

from tests.cli.serving import finish, line_with, run, start


def processes_of(folder: Path) -> list[str]:
    """Return the command lines of all processes that name a folder."""
    found = []
    for process in Path("/proc").glob("[0-9]*/cmdline"):
        try:
            line = process.read_bytes().decode(errors="replace")
        except OSError:
            continue
        if str(folder) in line and process.parent.name != str(os.getpid()):
            found.append(line)
    return found


async def test_a_match_is_played_watched_and_verified(tmp_path: Path) -> None:
    """With the commands that an organiser types."""
    folder = tmp_path / "demo"
    done = await run("demo", "duel", "--folder", str(folder))
    assert (done.code, done.err) == (0, "")
    for text in (
        "$ referee serve --data ",
        "$ export REFEREE_SERVER=127.0.0.1:",
        "$ export REFEREE_TOKEN=$(referee token issue organiser demo --data ",
        "$ referee match create duel",
        "$ python -m azul_agent --bot greedy",
        "the referee signs the record",
        "match.azt: OK",
        "draws      ok, F2",
        "The game is over",
    ):
        assert text in done.out
    # What to type next can be copied as a whole: remarks are remarks to the shell, too.
    farewell = done.out.split("What next:\n")[1].splitlines()[:3]
    assert all(re.fullmatch(r"  \S.*\S +# \S.*", line) for line in farewell)
    assert len({line.index("# ") for line in farewell}) == 1
    # No whole token is printed.
    assert not any(len(word) > 60 for word in done.out.split() if word.startswith("az"))
    again = await run("demo", "--folder", str(folder))
    assert again.code == 2
    assert "is not empty" in again.err
    assert processes_of(folder) == []


async def test_what_goes_wrong_is_said(tmp_path: Path) -> None:
    """And nothing stays behind."""
    folder = tmp_path / "demo"
    for arguments, says in (
        (("duel", "--players", "3"), "duel is for 2 players, not 3"),
        (("chess",), "chess"),
    ):
        done = await run("demo", *arguments, "--folder", str(folder))
        assert (done.code, done.out) == (2, "")
        assert says in done.err
        # Before anything is started or made.
        assert not folder.exists()
    blocked = tmp_path / "file"
    blocked.write_text("")
    done = await run("demo", "--folder", str(blocked))
    assert done.code == 2
    assert "cannot be used" in done.err
    assert processes_of(folder) == []


def test_make_says_first_what_takes_so_long(tmp_path: Path) -> None:
    """Installing and compiling are silent for minutes."""
    command = ["make", "-n", "demo", f"VENV={tmp_path / 'venv'}"]
    root = Path(__file__).parents[2]
    done = subprocess.run(command, cwd=root, capture_output=True, text=True, check=True, timeout=60)
    lines = done.stdout.splitlines()
    (installing,) = [at for at, line in enumerate(lines) if "pip install" in line]
    assert "takes some minutes" in lines[installing - 1]


@pytest.mark.usefixtures("_heeding_interrupts")
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
async def test_stopping_it_stops_everything(tmp_path: Path, number: int) -> None:
    """At any moment."""
    folder = tmp_path / "demo"
    demo = await start("demo", "--folder", str(folder))
    await line_with(demo, "The referee listens")
    demo.send_signal(number)
    done = await finish(demo)
    assert done.code == (130 if number == signal.SIGINT else 143)
    assert processes_of(folder) == []
