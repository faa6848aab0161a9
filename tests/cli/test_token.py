"""`referee token` and `referee reindex` as a person runs them."""

import fcntl
import json
import os
import sqlite3
import subprocess
import sys
from pathlib import Path

import pytest

from referee.cli.home import data_folder
from referee.service.auth import Principal, Role
from referee.service.credentials import Credentials
from referee.service.index import Index
from tests.golden.write import TRANSCRIPTS
from tests.transcript.forge import match_id_of

GOOD = [(TRANSCRIPTS / f"{name}.azt").read_bytes() for name in ("azul-short", "void", "duel-short")]


def run(*arguments: str, data: Path) -> subprocess.CompletedProcess[str]:
    """Run `referee` with these arguments on a data directory."""
    command = [sys.executable, "-m", "referee", *arguments]
    environment = {**os.environ, "REFEREE_DATA": str(data)}
    return subprocess.run(
        command, capture_output=True, timeout=60, check=False, env=environment, text=True
    )


# token --------------------------------------------------------------------------------------


def test_issue_prints_the_token_alone(tmp_path: Path) -> None:
    """So that a shell can put it into a variable; words go to standard error."""
    for number, (role, name) in enumerate([("organiser", "ann"), ("agent", "bob_2")], 1):
        done = run("token", "issue", role, name, data=tmp_path / "new" / "data")
        assert done.returncode == 0
        (token,) = done.stdout.splitlines()
        assert done.stderr.startswith(f"token {number}, of {role} {name}: it is shown only now")
        assert token not in done.stderr
        with Credentials(tmp_path / "new" / "data" / "credentials.db") as book:
            assert book.lookup(token) == Principal(Role(role), name)


def test_the_whole_life_of_a_token(tmp_path: Path) -> None:
    """Issued, listed, revoked, as JSON."""
    issued = json.loads(run("token", "issue", "agent", "bob", "--json", data=tmp_path).stdout)
    token = issued.pop("token")
    assert (issued["id"], issued["role"], issued["name"]) == (1, "agent", "bob")
    assert issued["revoked_utc_s"] is None
    listed = run("token", "list", "--json", data=tmp_path)
    assert [json.loads(line) for line in listed.stdout.splitlines()] == [issued]
    revoked = json.loads(run("token", "revoke", "1", "--json", data=tmp_path).stdout)
    assert revoked["revoked_utc_s"] >= revoked["created_utc_s"]
    assert token not in listed.stdout
    with Credentials(tmp_path / "credentials.db") as book:
        assert book.lookup(token) is None


def test_tokens_in_words(tmp_path: Path) -> None:
    """A table, and a sentence."""
    with Credentials(tmp_path / "credentials.db", utc_s=lambda: 1_767_225_600) as book:
        book.issue(Role.ORGANISER, "ann")
        book.issue(Role.AGENT, "bob")
        book.revoke(1)
    lines = run("token", "list", data=tmp_path).stdout.splitlines()
    assert [line.split() for line in lines] == [
        ["id", "role", "name", "created", "revoked"],
        ["1", "organiser", "ann", "2026-01-01T00:00:00Z", "2026-01-01T00:00:00Z"],
        ["2", "agent", "bob", "2026-01-01T00:00:00Z"],
    ]
    done = run("token", "revoke", "2", data=tmp_path)
    assert done.stdout == "token 2, of agent bob, is revoked\n"


def test_data_names_another_directory(tmp_path: Path) -> None:
    """The option is stronger than the environment."""
    run("token", "issue", "agent", "bob", "--data", str(tmp_path / "b"), data=tmp_path / "a")
    assert [path.name for path in tmp_path.iterdir()] == ["b"]


def test_the_usual_data_directory(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """The option, the environment, the home of the referee, that of the user."""
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.delenv("REFEREE_DATA", raising=False)
    monkeypatch.delenv("REFEREE_HOME", raising=False)
    assert data_folder() == tmp_path / ".azul-referee" / "data"
    monkeypatch.setenv("REFEREE_HOME", "/home")
    assert data_folder() == Path("/home/data")
    monkeypatch.setenv("REFEREE_DATA", "/data")
    assert data_folder() == Path("/data")
    assert data_folder("/named") == Path("/named")


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ("issue", "Missing argument"),
        ("issue agent", "Missing argument"),
        ("issue king ann", "'king' is not one of 'organiser', 'agent'"),
        ("issue agent a/b", "NAME: 1 to 32 letters, digits, _ and -"),
        ("issue organiser \x1b[2J", "NAME: 1 to 32 letters"),
        (f"issue agent {'x' * 33}", "NAME: 1 to 32 letters"),
        ("list", "no token was ever issued here"),
        ("list x", "unexpected extra argument"),
        ("revoke", "Missing argument"),
        ("revoke 1", "no token was ever issued here"),
        ("revoke x", "'x' is not a valid integer"),
        ("revoke 0", "0 is not in the range"),
        ("make", "No such command 'make'"),
        ("list --data /dev/null", "no token was ever issued here"),
        ("issue agent bob --data /dev/null", "/dev/null"),
    ],
)
def test_mistakes_get_a_sentence(tmp_path: Path, arguments: str, words: str) -> None:
    """Exit code 2, no traceback, and nothing is made."""
    done = run("token", *arguments.split(" "), data=tmp_path / "data")
    assert (done.returncode, done.stdout) == (2, "")
    assert words in done.stderr
    assert "Traceback" not in done.stderr
    assert "\x1b" not in done.stderr
    for path in tmp_path.rglob("*"):
        assert path.name != "credentials.db-wal"


@pytest.mark.parametrize("number", ["2", str(2**63), "9" * 60])
def test_a_token_that_is_not_there(tmp_path: Path, number: str) -> None:
    """That is said, too."""
    run("token", "issue", "agent", "bob", data=tmp_path)
    done = run("token", "revoke", number, data=tmp_path)
    assert (done.returncode, done.stderr) == (2, f"referee: there is no token {number}\n")


@pytest.mark.parametrize("arguments", ["list", "revoke 1", "issue agent bob"])
def test_a_file_of_another_kind(tmp_path: Path, arguments: str) -> None:
    """Newer ones and garbage are refused, and stay as they are."""
    file = tmp_path / "credentials.db"
    Credentials(file).close()
    with sqlite3.connect(file) as connection:
        connection.execute("PRAGMA user_version = 9")
    connection.close()
    newer = file.read_bytes()
    for content, words in ((newer, "version 9"), (b"garbage" * 200, "not a database")):
        file.write_bytes(content)
        done = run("token", *arguments.split(), data=tmp_path)
        assert (done.returncode, done.stdout) == (2, "")
        assert words in done.stderr
        assert "Traceback" not in done.stderr
        assert file.read_bytes() == content


# reindex ------------------------------------------------------------------------------------


def filled(data: Path) -> Path:
    """Put some finished matches into a data directory."""
    for content in GOOD:
        name = match_id_of(content).hex()
        path = data / "finished" / name[:2] / f"{name}.azt"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)
    return data


def test_reindex_counts(tmp_path: Path) -> None:
    """And makes the index."""
    done = run("reindex", data=filled(tmp_path))
    assert (done.returncode, done.stdout, done.stderr) == (0, "3 matches indexed\n", "")
    with Index(tmp_path / "index.db") as index:
        assert len(index.ids()) == 3


def test_reindex_dumps(tmp_path: Path) -> None:
    """The canonical text on standard output, alone."""
    done = run("reindex", "--dump", data=filled(tmp_path))
    assert (done.returncode, done.stderr) == (0, "3 matches indexed\n")
    with Index(tmp_path / "index.db") as index:
        assert done.stdout == index.canonical_dump()


def test_reindex_names_what_cannot_be_read(tmp_path: Path) -> None:
    """Exit code 1; a name of a file hurts no terminal."""
    folder = filled(tmp_path) / "open"
    folder.mkdir()
    (folder / "\x1b[2J.azt").write_bytes(b"")
    (folder / f"{'0' * 32}.azt").write_bytes(b"garbage")
    done = run("reindex", data=tmp_path)
    assert done.returncode == 1
    assert done.stdout == "3 matches indexed; 2 files could not be read\n"
    assert done.stderr.splitlines() == [
        f"{folder}/\\u001b[2J.azt: its name is not the id of a match",
        f"{folder}/{'0' * 32}.azt: it does not begin like a transcript",
    ]


def test_reindex_leaves_a_running_referee_alone(tmp_path: Path) -> None:
    """Whoever holds the lock is alone."""
    with (filled(tmp_path) / "lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        done = run("reindex", data=tmp_path)
        assert (done.returncode, done.stdout) == (2, "")
        assert done.stderr == f"referee: a running referee holds {tmp_path}: stop it first\n"
        assert not (tmp_path / "index.db").exists()
    assert run("reindex", data=tmp_path).returncode == 0


def test_reindex_makes_no_data_directory(tmp_path: Path) -> None:
    """A wrong name is more likely than one without matches."""
    for data in (tmp_path / "none", Path("/dev/null")):
        done = run("reindex", data=data)
        assert (done.returncode, done.stdout) == (2, "")
        assert done.stderr == f"referee: there is no data directory {data}\n"
    assert list(tmp_path.iterdir()) == []


def test_reindex_replaces_whatever_is_there(tmp_path: Path) -> None:
    """A damaged index is no reason to stop."""
    (filled(tmp_path) / "index.db").write_bytes(b"garbage" * 1000)
    assert run("reindex", data=tmp_path).stdout == "3 matches indexed\n"
