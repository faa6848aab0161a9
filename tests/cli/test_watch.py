"""`referee watch`: a match told while it is played, and afterwards."""

import json
from collections.abc import AsyncIterator
from pathlib import Path
from typing import cast

import pytest
import pytest_asyncio

from referee.cli.connection import CallFailed, Calls
from referee.cli.watch import Watching, _close
from referee.match.recording import Identity, RecordedGame
from referee.rules import RULESETS, Options
from referee.transcript import reader
from referee.transcript.events import Course
from referee.transcript.finding import WrongRecord
from referee.transcript.signing import SigningKey
from referee.v1.event_pb2 import Event
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


def test_another_match_than_was_recorded(monkeypatch: pytest.MonkeyPatch) -> None:
    """What was told must be what is in the record, to the byte."""
    data = random_transcript()
    match_id = reader.read(data).match_id
    records = [record for frame in reader.read(data).frames for record in frame]
    monkeypatch.setattr("referee.cli.transcript.fetch", lambda *_: (data, True))
    watching = Watching(match_id.hex(), Course(match_id), 0)
    watching.told = [record.SerializeToString(deterministic=True) for record in records]
    assert _close(cast("Calls", None), watching, as_json=True) == 0
    watching.told[7] = watching.told[8]
    with pytest.raises(CallFailed, match="told another match than it recorded"):
        _close(cast("Calls", None), watching, as_json=True)


def random_transcript() -> bytes:
    """Return the record of a game."""
    seed = bytes(32)
    identity = Identity(seed[:16], SigningKey.from_seed(seed))
    return RecordedGame(RULESETS["azul"], 2, Options(), seed, identity).play()


def test_events_that_do_not_follow_each_other() -> None:
    """Are refused: a gap, a repetition, a frame that is skipped."""
    transcript = reader.read(random_transcript())
    events = [
        Event(frame=number, record=record)
        for number, frame in enumerate(transcript.frames)
        for record in frame
    ]
    for index, event in enumerate(events):
        event.index = index
    whole = Course(transcript.match_id)
    for event in events:
        assert whole.follow(event).index == event.index
    for chosen in (events[1:2], [*events[:3], events[2]], [*events[:3], *events[4:5]]):
        course = Course(transcript.match_id)
        for event in chosen[:-1]:
            course.follow(event)
        with pytest.raises(WrongRecord, match="expected event"):
            course.follow(chosen[-1])
