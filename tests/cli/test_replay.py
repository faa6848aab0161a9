"""`referee replay` where nobody steps through: told, one event, one line a move, JSON."""

import json
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from referee.cli.main import cli
from referee.transcript import reader
from referee.transcript.signing import SigningKey
from referee.transcript.verify import verify
from referee.v1.record_pb2 import MatchVoid, Record, SecretLost
from referee.v1.setup_pb2 import Setup
from tests.games import seed_bytes
from tests.golden.write import REPLAYED, SEED, recorded
from tests.transcript.forge import forged
from tests.transcript.hostile import NAMES, raw
from tests.transcript.scene import Scene
from tests.transcript.test_events import FILES, NAMED, forge_move, hostile_match, spliced
from tests.transcript.test_events import recorded as game_to_its_end

WHOLE = recorded("azul", 2)
FRAMES = len(reader.read(WHOLE).frames)
LAST = sum(len(frame) for frame in reader.read(WHOLE).frames) - 1
KEY = SigningKey.from_seed(seed_bytes(SEED))


def replay(file: Path, *options: str) -> Result:
    """Run the command in this process."""
    done = CliRunner().invoke(cli, ["replay", str(file), *options])
    assert done.exception is None or isinstance(done.exception, SystemExit), done.exception
    return done


@pytest.fixture
def file(tmp_path: Path) -> Path:
    """Return a file with one short game."""
    path = tmp_path / "game.azt"
    path.write_bytes(WHOLE)
    return path


def test_all_options_are_refused_together(file: Path) -> None:
    """Each prints something else."""
    for options in (
        ["--moves", "--json"],
        ["--moves", "--at", "3"],
        ["--plain", "--json"],
        ["--plain", "--moves"],
        ["--at", "-1"],
        ["--at", "x"],
    ):
        assert replay(file, *options).exit_code == 2


@pytest.mark.parametrize(("key", "seats"), REPLAYED)
def test_moves_are_one_line_each(key: str, seats: int, tmp_path: Path) -> None:
    """With event, round, seat, notation, words and clock; nothing else where all holds."""
    data = recorded(key, seats)
    path = tmp_path / "game.azt"
    path.write_bytes(data)
    done = replay(path, "--moves")
    records = [record for frame in reader.read(data).frames for record in frame]
    moves = [number for number, r in enumerate(records) if r.WhichOneof("kind") == "move"]
    lines = done.stdout.splitlines()
    assert [int(line.split()[0]) for line in lines] == moves
    assert all(" round " in line and " seat " in line and line.endswith("]") for line in lines)
    assert done.exit_code == 0


@pytest.mark.parametrize(("key", "seats"), REPLAYED)
def test_at_shows_every_event_of_every_ruleset(key: str, seats: int, tmp_path: Path) -> None:
    """What happened, the table, all boards, and the position in notation."""
    data = recorded(key, seats)
    path = tmp_path / "game.azt"
    path.write_bytes(data)
    last = sum(len(frame) for frame in reader.read(data).frames) - 1
    for at in range(0, last + 1, 7):
        done = replay(path, "--at", str(at))
        assert done.exit_code == 0
        assert done.stdout.startswith(f"event {at} of {last}, round ")
        assert all(f"seat {seat}: " in done.stdout for seat in range(seats))
        assert done.stdout.splitlines()[-1].startswith(f"{key}/1 ")
        assert not raw(done.stdout)
        (line,) = replay(path, "--at", str(at), "--json").stdout.splitlines()
        assert json.loads(line)["event"] == at


def test_an_event_that_there_is_not(file: Path) -> None:
    """A sentence with the events there are."""
    for options in (["--at", "5000"], ["--at", "5000", "--json"]):
        done = replay(file, *options)
        assert done.exit_code == 2
        assert f"there is no event 5000; there are events 0 to {LAST}" in done.output


def test_json_is_one_ascii_object_an_event(file: Path) -> None:
    """The verdict last; every line by itself."""
    lines = replay(file, "--json").stdout.splitlines()
    assert all(line.isascii() for line in lines)
    found = [json.loads(line) for line in lines]
    assert [line.get("event") for line in found] == [*range(len(found) - 1), None]
    assert found[-1]["verdict"] == "OK"


@pytest.mark.parametrize("path", FILES, ids=NAMED)
def test_exit_codes_are_those_of_verify(path: Path) -> None:
    """But for a match that simply goes on, which is no failure."""
    code = verify(reader.load(path)).verdict.value
    for options in ([], ["--moves"], ["--json"], ["--at", "0"]):
        done = replay(path, *options)
        assert done.exit_code == (0 if code == 18 else code)
        assert not raw(done.stdout)
    if code == 18:
        assert "The match is not over: this is its record so far" in replay(path).stdout


DOCS = (Path(__file__).parents[2] / "docs" / "replay.md").read_text()


def named(value: object) -> Iterator[str]:
    """Yield the names of all fields, and the kinds of points."""
    if isinstance(value, list):
        for entry in value:
            yield from named(entry)
    elif isinstance(value, dict):
        for name, inner in value.items():
            yield name
            if name != "result":
                yield from named(inner)
        if "points" in value and not isinstance(value["points"], list):
            yield value["kind"]


def test_every_field_is_documented() -> None:
    """Of all events of all ways a match can go, and of a file with a finding."""
    found: set[str] = set()
    for path in FILES:
        lines = replay(path, "--json").stdout.splitlines()
        found.update(name for line in lines for name in named(json.loads(line)))
    table = set(re.findall(r"`(\w+)`", DOCS.split("## JSON")[1]))
    assert not found - table
    assert {"refusal", "points", "findings", "tile", "floor", "draw", "broken"} <= found


# Broken files ----------------------------------------------------------------------------------


BROKEN = {
    "torn": (WHOLE[:-10], 11, f"frames, frame {FRAMES - 1}: expected"),
    "torn in its header": (WHOLE[:20], 11, "frames, frame 0: expected 28 bytes of header"),
    "corrupt": (WHOLE[:1500] + b"\xff" * 20 + WHOLE[1520:], 12, "chain, frame "),
    "too long": (WHOLE + b"more", 10, f"frames, frame {FRAMES}: expected"),
    "spliced": (spliced(WHOLE), 12, "chain, frame 12: expected link"),
    "forged": (forged(WHOLE, forge_move, KEY), 14, "rules, frame "),
}


@pytest.mark.parametrize("name", BROKEN)
def test_a_broken_file_is_shown_up_to_the_break(name: str, tmp_path: Path) -> None:
    """Then the place and the reason, in every form of output, with the code of verify."""
    data, code, reason = BROKEN[name]
    path = tmp_path / "broken.azt"
    path.write_bytes(data)
    plain = replay(path)
    assert plain.exit_code == code
    assert "The record is broken: " in plain.stdout
    assert reason in plain.stdout
    assert "`referee verify` tells more" in plain.stdout
    moves = replay(path, "--moves")
    assert (moves.exit_code, reason in moves.stdout) == (code, True)
    as_json = replay(path, "--json")
    assert as_json.exit_code == code
    last = json.loads(as_json.stdout.splitlines()[-1])
    assert (last["kind"], last["break"] is None) == ("verdict", False)
    at = replay(path, "--at", str(LAST))
    assert at.exit_code == code
    whole = tmp_path / "whole.azt"
    whole.write_bytes(WHOLE)
    told = replay(whole).stdout.splitlines()
    shown = plain.stdout.split("\nThe record is broken")[0].splitlines()
    assert shown == told[: len(shown)] or name == "torn in its header"
    if name != "torn in its header":
        assert "it is shown up to event " in plain.stdout


def test_files_that_are_none(tmp_path: Path) -> None:
    """One sentence and code 3, whatever it is."""
    other = tmp_path / "other"
    other.write_bytes(b"\x89PNG\r\n\x1a\n" * 9)
    for path in (other, tmp_path, tmp_path / "\x1b[2J\u202e"):
        done = replay(path)
        assert done.exit_code == 3
        assert done.stdout == ""
        assert done.stderr.startswith("referee: ")
        assert not raw(done.stderr)
        assert len(done.stderr.splitlines()) == 1


def test_an_empty_file_says_so(tmp_path: Path) -> None:
    """A referee that was killed at once leaves one."""
    path = tmp_path / "empty.azt"
    path.write_bytes(b"")
    done = replay(path)
    assert done.exit_code == 11
    assert "nothing of it can be shown" in done.stdout
    path.write_bytes(WHOLE[:28])
    done = replay(path)
    assert (done.exit_code, done.stdout.splitlines()[-1]) == (
        0,
        "The record is empty: nothing has happened yet.",
    )


# Names -----------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", NAMES)
def test_no_name_reaches_the_output_raw(name: str, tmp_path: Path) -> None:
    """Whatever is printed, and as many lines as for a harmless name."""
    path = tmp_path / "hostile.azt"
    lines = []
    for text in ("harmless", name):
        path.write_bytes(hostile_match(text))
        done = [replay(path, *options) for options in ([], ["--json"], ["--moves"], ["--at", "2"])]
        assert all(not raw(one.stdout) for one in done)
        lines.append([len(one.stdout.splitlines()) for one in done])
    assert lines[0] == lines[1]


@pytest.mark.parametrize("name", NAMES)
def test_no_refused_word_reaches_the_output_raw(name: str, tmp_path: Path) -> None:
    """A set-up of strangers that cannot be played, and the detail of a void match."""

    def edit(frames: list[list[Record]]) -> None:
        setup = Setup.FromString(frames[0][0].setup)
        setup.ruleset = setup.seats[0].agent = name
        frames[0][0].setup = setup.SerializeToString()

    scene = Scene("azul", 2, name="hostile void")
    scene.add(voided=MatchVoid(detail=name, sequence=2))
    scene.add(secret_lost=SecretLost())
    scene.end_step()
    path = tmp_path / "hostile.azt"
    for data, code, words in (
        (forged(WHOLE, edit), 14, "nothing of it can be shown"),
        (scene.data(), 16, "the match is void, the referee could not go on"),
    ):
        path.write_bytes(data)
        for options in ([], ["--moves"], ["--at", "2"], ["--json"]):
            done = replay(path, *options)
            assert done.exit_code == code
            assert not raw(done.output)
        assert words in replay(path).stdout


@pytest.mark.parametrize("encoding", ["ascii", "latin-1", "cp1252", "utf-8"])
def test_letters_that_an_output_cannot_show(encoding: str, tmp_path: Path) -> None:
    """They are written as escapes, and nothing fails."""
    path = tmp_path / "letters.azt"
    path.write_bytes(hostile_match("Плитка für \u5305\u5b50"))
    environment = {**os.environ, "PYTHONIOENCODING": encoding, "REFEREE_PURE": "1"}
    done = subprocess.run(
        [sys.executable, "-W", "error", "-m", "referee", "replay", str(path)],
        capture_output=True,
        check=False,
        timeout=60,
        env=environment,
    )
    assert (done.returncode, done.stderr) == (0, b"")
    assert b"for 2 seats" in done.stdout


def test_simulated_games_go_round(tmp_path: Path) -> None:
    """What simulate records, replay tells: the same words as --show has."""
    games = ["simulate", "duel", "--games", "1", "--seed", "5", "--show"]
    told = CliRunner().invoke(
        cli, [*games, "--record", str(tmp_path / "games"), "--home", str(tmp_path)]
    )
    (path,) = (tmp_path / "games").iterdir()
    text = replay(path).stdout
    moves = [line for line in told.stdout.splitlines() if line.startswith("seat ") and "  " in line]
    takes = [line for line in moves if " takes " in line and " chip " not in line]
    assert takes
    assert all(line in text for line in takes)


def test_boards_after_the_end_show_final_scores(tmp_path: Path) -> None:
    """--at the end of the game: what the words say, with the bonuses in parentheses."""
    path = tmp_path / "duel.azt"
    path.write_bytes(game_to_its_end("duel", 2, 0))
    lines = [json.loads(line) for line in replay(path, "--json").stdout.splitlines()]
    (over,) = [line for line in lines if line.get("kind") == "game_over"]
    text = replay(path, "--at", str(over["event"])).stdout
    gained = [0, 0]
    for entry in over["points"]:
        gained[entry["seat"]] += entry["points"]
    assert any(gained)
    for seat, score in enumerate(over["scores"]):
        shown = f" ({gained[seat]:+d})" if gained[seat] else ""
        assert f" seat {seat}: {score}{shown}" in text
