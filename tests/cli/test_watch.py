"""`referee watch`: a match told while it is played, and afterwards."""

import json
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
import pytest_asyncio

from tests.cli.serving import Referee, finish, line_with, play, run, serving, start


@pytest_asyncio.fixture(scope="module", loop_scope="session")
async def referee(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Referee]:
    """Return a referee that all tests of this module share."""
    async with serving(tmp_path_factory.mktemp("watch") / "data") as running:
        yield running


async def test_a_running_and_a_finished_match(referee: Referee, tmp_path: Path) -> None:
    """Both are told with the words, boards and JSON of `replay`."""
    match_id, tokens = await referee.create("azul", "--seat", "a", "--seat", "b")
    server = {"REFEREE_SERVER": referee.address}
    running = await start("watch", match_id, **server)
    # It is live: this is told before anybody has come.
    await line_with(running, "the referee commits to its seed")
    await play(referee, tokens, tmp_path)
    live = await finish(running)
    assert (live.code, live.err) == (0, "")
    finished = await run("watch", match_id, **server)
    assert (finished.code, finished.err) == (0, "")
    assert finished.out.endswith(live.out)
    file = str(tmp_path / "match.azt")
    await run("transcript", match_id, "-o", file, **server)
    assert finished.out == (await run("replay", file)).out
    told = await run("watch", match_id, "--json", **server)
    assert (told.code, told.err) == (0, "")
    assert told.out == (await run("replay", file, "--json")).out
    # From an event on, and with the boards after every move.
    later = await run("watch", match_id, "--json", "--from", "9", **server)
    assert later.out.splitlines() == told.out.splitlines()[9:]
    boards = await run("watch", match_id, "--boards", **server)
    moves = sum(json.loads(line)["kind"] in ("move", "deal") for line in told.out.splitlines())
    assert boards.out.count("factories  0 ") == moves


async def test_a_match_that_is_aborted(referee: Referee) -> None:
    """Ends the watching, too."""
    match_id, _ = await referee.create("duel", "--seat", "a", "--seat", "b")
    running = await start("watch", match_id, REFEREE_SERVER=referee.address)
    await line_with(running, "the referee commits to its seed")
    await referee.out("match", "abort", match_id, "--detail", "rain")
    done = await finish(running)
    assert done.code == 0
    assert "rain" in done.out
    assert done.out.endswith("The record is complete, signed, and everything in it holds.\n")


@pytest.mark.parametrize(
    ("match_id", "code", "words"),
    [("00", 2, "32 hexadecimal digits"), ("0" * 32, 5, "MATCH_NOT_FOUND")],
)
async def test_a_match_that_is_not_there(
    referee: Referee, match_id: str, code: int, words: str
) -> None:
    """Is an error at once."""
    done = await referee.run("watch", match_id)
    assert done.code == code
    assert words in done.err


async def test_a_referee_that_never_was_there() -> None:
    """Is not waited for."""
    done = await run("watch", "0" * 32, "--server", "127.0.0.1:1")
    assert done.code == 3
    assert "no referee can be reached" in done.err


async def test_a_referee_that_does_not_come_back(tmp_path: Path) -> None:
    """Is waited for as long as was asked."""
    async with serving(tmp_path / "data") as passing:
        match_id, _ = await passing.create("azul", "--seat", "a", "--seat", "b")
        running = await start(
            "watch", match_id, "--patience", "100ms", REFEREE_SERVER=passing.address
        )
        await line_with(running, "the referee commits to its seed")
    done = await finish(running)
    assert done.code == 3
    assert "no referee can be reached" in done.err
