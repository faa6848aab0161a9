"""`referee verify`, `referee key` and `simulate --record`, as a person runs them."""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from referee.rules import RULESETS
from tests.golden.write import TRANSCRIPTS
from tests.transcript.forge import Frames, forged, records_of
from tests.transcript.scene import KEY, OTHER_KEY

OK = TRANSCRIPTS / "azul-2-shares.azt"


def run(
    *arguments: object, home: Path | None = None, **environment: str
) -> subprocess.CompletedProcess[str]:
    """Run `referee` with these arguments."""
    variables = {**os.environ, **environment}
    if home is not None:
        variables["REFEREE_HOME"] = str(home)
    command = [sys.executable, "-m", "referee", *map(str, arguments)]
    return subprocess.run(
        command, capture_output=True, text=True, timeout=120, check=False, env=variables
    )


def test_one_file_is_told_level_by_level() -> None:
    """Every level has a line, and the result follows from the events."""
    done = run("verify", OK)
    assert (done.returncode, done.stderr) == (0, "")
    lines = done.stdout.splitlines()
    assert lines[0].endswith(": OK")
    levels = ["frames", "chain", "signature", "rules", "result", "draws", "clocks"]
    assert [line.split()[0] for line in lines[1:8]] == levels
    assert all(line.split()[1].startswith("ok") for line in lines[1:8])
    assert "key not pinned" in lines[3]
    assert "F2, if seat 0 or seat 1 is honest" in lines[6]
    assert "agent-0 (seat 0)" in lines[8]


def test_a_pinned_key(tmp_path: Path) -> None:
    """The right key holds, in hex or from a file; another one fails; a wrong one is usage."""
    file = tmp_path / "key"
    file.write_text(KEY.public.hex() + "\n")
    for key in (KEY.public.hex(), file):
        done = run("verify", "--key", key, OK)
        assert done.returncode == 0
        assert "the pinned key" in done.stdout
    assert run("verify", "--key", OTHER_KEY.public.hex(), OK).returncode == 13
    assert run("verify", "--key", "abc", OK).returncode == 2


def _score(frames: Frames) -> None:
    records_of(frames, "round_scored")[0].round_scored.scores[0] += 1


def _result(frames: Frames) -> None:
    records_of(frames, "game_over")[0].game_over.seats[0].score += 1


def _seed(frames: Frames) -> None:
    records_of(frames, "seed_reveal")[0].seed_reveal.seed = bytes(32)


def _clock(frames: Frames) -> None:
    records_of(frames, "move")[5].move.timing.charged_ns += 1


def damaged(folder: Path) -> dict[str, int]:
    """Write a file for every way to fail, and return the exit code of each."""
    data = OK.read_bytes()
    flipped = bytearray(data)
    flipped[-150] ^= 1
    length = bytearray(data)
    length[28] ^= 1
    files = {
        "unreadable": (b"hello, world, this is no transcript", 3),
        "corrupt": (bytes(length), 10),
        "torn": (data[:-200], 11),
        "chain": (bytes(flipped), 12),
        "signature": (forged(data, _result, key=None), 13),
        "rules": (forged(data, _score), 14),
        "result": (forged(data, _result), 15),
        "draws": (forged(data, _seed), 16),
        "clocks": (forged(data, _clock), 17),
        "incomplete": ((TRANSCRIPTS / "open.azt").read_bytes(), 18),
    }
    for name, (content, _) in files.items():
        (folder / f"{name}.azt").write_bytes(content)
    return {name: code for name, (_, code) in files.items()}


def test_every_level_has_its_exit_code(tmp_path: Path) -> None:
    """One file a run, and the code says which level failed first."""
    for name, code in damaged(tmp_path).items():
        done = run("verify", tmp_path / f"{name}.azt")
        assert done.returncode == code, name
        assert done.stderr == ""
        assert "Traceback" not in done.stdout
        assert "UNREADABLE" in done.stdout or name == "unreadable" or "frames" in done.stdout


def test_a_folder(tmp_path: Path) -> None:
    """All transcripts below it, bad ones with a line each; the worst decides."""
    codes = damaged(tmp_path)
    inner = tmp_path / "inner"
    inner.mkdir()
    shutil.copy(OK, inner)
    (inner / "notes.txt").write_text("not looked at")
    done = run("verify", tmp_path)
    assert done.returncode == 3
    *lines, last = done.stdout.splitlines()
    assert len(lines) == len(codes)
    assert last.startswith("11 transcripts: 1 UNREADABLE, 1 CORRUPT, 1 TORN")
    assert last.endswith("1 INCOMPLETE, 1 OK")


def test_json(tmp_path: Path) -> None:
    """One object a file, with verdict, place, levels and result."""
    codes = damaged(tmp_path)
    done = run("verify", "--json", tmp_path)
    found = {Path(row["path"]).stem: row for row in map(json.loads, done.stdout.splitlines())}
    assert {name: row["exit_code"] for name, row in found.items()} == codes
    assert found["rules"]["levels"]["rules"] == "failed"
    assert found["rules"]["frame"] is not None
    assert found["rules"]["expected"].startswith("scores")
    assert found["result"]["result"]["reason"] == "round_cap"
    assert found["unreadable"]["problem"]
    assert found["clocks"]["fairness"]["level"] == "F2"


def test_many_files_use_all_processes(tmp_path: Path) -> None:
    """More files than one process likes: the answers come in order, and none is lost."""
    for number in range(70):
        name = "open" if number == 41 else "azul-short"
        shutil.copy(TRANSCRIPTS / f"{name}.azt", tmp_path / f"{number:03}.azt")
    done = run("verify", "--json", "--jobs", 2, tmp_path)
    rows = [json.loads(line) for line in done.stdout.splitlines()]
    assert [Path(row["path"]).name for row in rows] == [f"{n:03}.azt" for n in range(70)]
    assert [n for n, row in enumerate(rows) if row["verdict"] != "OK"] == [41]
    assert done.returncode == 18


def test_nothing_to_verify(tmp_path: Path) -> None:
    """An empty folder, or a file that is not there, is no success."""
    assert run("verify", tmp_path).returncode == 3
    done = run("verify", tmp_path / "none.azt")
    assert done.returncode == 3
    assert "No such file" in done.stdout


HOSTILE = [
    "\x1b]0;owned\x07\x1b[31mred",
    "\x9b31mc1",
    "\u202egnp.exe",
    "line\nrefereee: fake log line",
    "\u2066isolate",
    "nul\x00",
]


@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_names_reach_no_terminal_raw(tmp_path: Path, name: str) -> None:
    """P-S4: what an agent calls itself, or a file is called, cannot command a terminal."""

    def edit(frames: Frames) -> None:
        records_of(frames, "joined")[0].joined.name = name
        records_of(frames, "joined")[0].joined.kit = name
        _score(frames)

    file = tmp_path / "hostile.azt"
    file.write_bytes(forged(OK.read_bytes(), edit))
    for arguments in (["verify", file], ["verify", "--json", file]):
        text = run(*arguments).stdout
        assert all(char.isprintable() or char == "\n" for char in text)
        assert name not in text


# Keys and recorded games ---------------------------------------------------------------------


def test_a_key_is_made_only_when_that_is_meant(tmp_path: Path) -> None:
    """A key nobody signs with must not be published; the second call only prints it."""
    home = tmp_path / "home"
    none = run("key", home=home)
    assert (none.returncode, none.stdout) == (2, "")
    assert f"there is no signing key in {home / 'data'}" in none.stderr
    assert "referee serve" in none.stderr
    assert "--make" in none.stderr
    assert not home.exists()
    first = run("key", "--make", home=home)
    assert first.returncode == 0
    assert "made a new signing key" in first.stderr
    assert len(bytes.fromhex(first.stdout.strip())) == 32
    assert (home / "data" / "signing-key.pem").stat().st_mode & 0o777 == 0o600
    for again in (run("key", home=home), run("key", "--make", home=home)):
        assert (again.stdout, again.stderr) == (first.stdout, "")
    pem = run("key", "--pem", home=home)
    assert pem.stdout.startswith("-----BEGIN PUBLIC KEY-----")


def test_a_key_is_found_where_serve_and_simulate_have_it(tmp_path: Path) -> None:
    """By --data and REFEREE_DATA as everywhere else; --home is another word for it."""
    data = tmp_path / "data"
    done = run("simulate", "azul", "--games", 1, "--record", tmp_path / "games", "--home", data)
    assert done.returncode == 0
    found = {
        run("key", "--data", data).stdout,
        run("key", "--home", data).stdout,
        run("key", REFEREE_DATA=str(data)).stdout,
    }
    assert len(found) == 1
    key = found.pop().strip()
    assert run("verify", "--key", key, tmp_path / "games").returncode == 0


def test_a_key_that_cannot_be_used_is_one_sentence(tmp_path: Path) -> None:
    """No traceback, and nothing is overwritten."""
    (tmp_path / "signing-key.pem").write_text("not a key")
    done = run("key", "--data", tmp_path)
    assert done.returncode == 2
    assert done.stderr.startswith("referee: ")
    assert done.stderr.count("\n") == 1


@pytest.mark.parametrize("shares", [False, True], ids=["fixed", "shares"])
@pytest.mark.parametrize("key", RULESETS)
def test_simulated_games_are_recorded(tmp_path: Path, key: str, *, shares: bool) -> None:
    """Every game has a transcript that verifies with the key of this home."""
    home, folder = tmp_path / "home", tmp_path / "games"
    options = ["--shares"] if shares else []
    done = run("simulate", key, "--games", 3, "--record", folder, *options, home=home)
    assert done.returncode == 0
    assert len(list(folder.glob("*.azt"))) == 3
    public = run("key", home=home).stdout.strip()
    checked = run("verify", "--json", "--key", public, folder)
    assert checked.returncode == 0
    levels = {json.loads(line)["fairness"]["level"] for line in checked.stdout.splitlines()}
    assert levels == {"F2" if shares else "fixed"}


def test_recording_changes_no_game(tmp_path: Path) -> None:
    """With a fixed seed the recorded games are those that are played without a record."""
    arguments = ["simulate", "azul", "--games", "4", "--seed", "s", "--json"]
    plain = json.loads(run(*arguments).stdout)
    recorded = json.loads(run(*arguments, "--record", tmp_path, home=tmp_path).stdout)
    assert plain["fingerprint"] == recorded["fingerprint"]


def test_shares_need_a_record() -> None:
    """Otherwise nobody could see them."""
    assert run("simulate", "azul", "--shares").returncode == 2
