"""The file of tokens and agents: issued once, hashed, seen by everybody at once."""

import hashlib
import itertools
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from referee.service import credentials as module
from referee.service.auth import Principal, Role
from referee.service.credentials import Credentials, CredentialsError
from referee.service.database import DatabaseError, NewerDatabase
from referee.service.names import BadText


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """Return where a file of tokens is to be made."""
    return tmp_path / "data" / module.FILE


@pytest.fixture
def book(path: Path) -> Iterator[Credentials]:
    """Return a file of tokens in which every act takes a second."""
    seconds = itertools.count(1000)
    with Credentials(path, utc_s=lambda: next(seconds)) as opened:
        yield opened


ROLES = [Role.ORGANISER, Role.AGENT]


@pytest.mark.parametrize("role", ROLES, ids=lambda role: role.value)
def test_an_issued_token_is_found(book: Credentials, role: Role) -> None:
    """By whoever has it, with role and name."""
    text = book.issue(role, "ann")
    assert text[:4] == {"organiser": "azo_", "agent": "aza_"}[role.value]
    assert book.lookup(text) == Principal(role, "ann")


def test_no_two_tokens_are_alike(book: Credentials) -> None:
    """Also those of one holder, who may have several."""
    texts = {book.issue(Role.AGENT, "ann") for _ in range(20)}
    assert len(texts) == 20
    assert {book.lookup(text) for text in texts} == {Principal(Role.AGENT, "ann")}
    assert [agent.handle for agent in book.agents()] == ["ann"]


WRONG = [None, "", "azo_", "x" * 10_000_000, 7, b"azo_", "azo_" + "A" * 43, "\udc80"]


@pytest.mark.parametrize("text", WRONG, ids=map(str, itertools.count()))
def test_wrong_tokens_are_nobodys(book: Credentials, text: object) -> None:
    """Whatever they are."""
    book.issue(Role.ORGANISER, "ann")
    assert book.lookup(text) is None


def test_the_prefix_is_part_of_the_token(book: Credentials) -> None:
    """An agent's secret does not make an organiser."""
    text = book.issue(Role.AGENT, "ann")
    assert book.lookup("azo_" + text[4:]) is None


def test_a_revoked_token_is_nobodys(book: Credentials) -> None:
    """At once; the other tokens of the holder stay good, and the agent stays registered."""
    first, second = book.issue(Role.AGENT, "ann"), book.issue(Role.AGENT, "ann")
    assert book.lookup(first) is not None
    assert book.revoke(1).revoked_utc_s == 1002
    assert book.lookup(first) is None
    assert book.lookup(second) == Principal(Role.AGENT, "ann")
    assert book.is_agent("ann")
    assert book.revoke(1).revoked_utc_s == 1002


@pytest.mark.parametrize("number", [0, -1, 2, 2**63, 10**40])
def test_a_token_that_was_never_issued_cannot_be_revoked(book: Credentials, number: int) -> None:
    """And that is said."""
    book.issue(Role.AGENT, "ann")
    with pytest.raises(CredentialsError, match=f"there is no token {number}"):
        book.revoke(number)
    assert book.tokens()[0].revoked_utc_s is None


def test_agents_are_registered_with_their_first_token(book: Credentials) -> None:
    """Or without any; organisers never are."""
    book.issue(Role.AGENT, "ann")
    book.issue(Role.ORGANISER, "bob")
    book.register("cat")
    book.register("cat")
    assert [book.is_agent(name) for name in ("ann", "bob", "cat", "")] == [True, False, True, False]
    assert book.agents() == [("ann", 1000), ("cat", 1002)]


def test_all_tokens_are_listed(book: Credentials) -> None:
    """In the order of their issue, the revoked ones too, and without anything secret."""
    book.issue(Role.ORGANISER, "ann")
    book.issue(Role.AGENT, "bob")
    book.revoke(1)
    assert book.tokens() == [
        (1, Role.ORGANISER, "ann", 1000, 1002),
        (2, Role.AGENT, "bob", 1001, None),
    ]


def test_a_token_can_be_described(book: Credentials) -> None:
    """Also a revoked one, to whoever has it."""
    text = book.issue(Role.AGENT, "ann")
    book.issue(Role.AGENT, "bob")
    book.revoke(1)
    assert book.describe(text) == (1, Role.AGENT, "ann", 1000, 1002)
    for wrong in (None, "", "aza_" + "A" * 43):
        assert book.describe(wrong) is None


@pytest.mark.parametrize("name", ["", "a b", "x" * 33, "\x1b[2J", "../a"])
@pytest.mark.parametrize("role", ROLES, ids=lambda role: role.value)
def test_names_are_handles(book: Credentials, role: Role, name: str) -> None:
    """So that no log is hurt by them."""
    with pytest.raises(BadText):
        book.issue(role, name)
    assert book.tokens() == []


@pytest.mark.parametrize("role", [Role.ANONYMOUS, Role.UNKNOWN], ids=lambda role: role.value)
def test_other_roles_have_no_tokens(book: Credentials, role: Role) -> None:
    """There is nothing that they could prove."""
    with pytest.raises(CredentialsError):
        book.issue(role, "ann")


# The file ----------------------------------------------------------------------------------


def test_only_hashes_reach_the_disk(book: Credentials, path: Path) -> None:
    """P-S5: neither the text nor its secret bytes stand in any file (canary search)."""
    secret = bytes(range(32))
    book._random_bytes = lambda _: secret
    text = book.issue(Role.ORGANISER, "canary")
    files = [file.read_bytes() for file in path.parent.iterdir()]
    assert any(hashlib.sha256(text.encode()).digest() in data for data in files)
    for data in files:
        assert text[4:24].encode() not in data
        assert secret[:16] not in data


def test_nobody_else_can_read_the_files(book: Credentials, path: Path) -> None:
    """Nor the journals beside them."""
    book.issue(Role.AGENT, "ann")
    files = list(path.parent.iterdir())
    assert len(files) == 3
    assert {file.stat().st_mode & 0o777 for file in files} == {0o600}
    assert path.parent.stat().st_mode & 0o777 == 0o700


def test_a_file_that_others_can_read_is_refused(path: Path) -> None:
    """With what to do about it."""
    Credentials(path).close()
    path.chmod(0o640)
    with pytest.raises(DatabaseError, match="chmod 600"):
        Credentials(path)


def test_a_token_survives(path: Path) -> None:
    """The file is all there is."""
    with Credentials(path) as book:
        text = book.issue(Role.AGENT, "ann")
    with Credentials(path) as book:
        assert book.lookup(text) == Principal(Role.AGENT, "ann")


def test_what_another_process_does_is_seen_at_once(book: Credentials, path: Path) -> None:
    """The command line issues and revokes while the server runs."""
    book.issue(Role.ORGANISER, "ann")
    assert book.lookup("azo_" + "A" * 43) is None
    program = (
        "import sys; from pathlib import Path; from referee.service.auth import Role;"
        "from referee.service.credentials import Credentials;"
        "book = Credentials(Path(sys.argv[1])); print(book.issue(Role.AGENT, 'bob'), end='')"
    )
    command = [sys.executable, "-c", program, str(path)]
    text = subprocess.run(command, capture_output=True, check=True, text=True).stdout
    assert book.lookup(text) == Principal(Role.AGENT, "bob")
    assert book.is_agent("bob")
    with Credentials(path) as other:
        other.revoke(2)
    assert book.lookup(text) is None


def test_lookups_read_the_file_only_after_a_change(book: Credentials, path: Path) -> None:
    """Two lookups, one reading; a change by somebody else, one more."""
    text = book.issue(Role.AGENT, "ann")
    statements: list[str] = []
    book._connection.set_trace_callback(statements.append)
    for _ in range(3):
        assert book.lookup(text) is not None
    assert sum("FROM tokens" in statement for statement in statements) == 1
    with Credentials(path) as other:
        other.register("bob")
    book.lookup(text)
    assert sum("FROM tokens" in statement for statement in statements) == 2


def test_several_processes_may_make_the_file_at_once(path: Path) -> None:
    """All of them get their token."""
    program = (
        "import sys; from pathlib import Path; from referee.service.auth import Role;"
        "from referee.service.credentials import Credentials;"
        "print(Credentials(Path(sys.argv[1])).issue(Role.AGENT, 'bob'), end='')"
    )
    command = [sys.executable, "-c", program, str(path)]
    started = [subprocess.Popen(command, stdout=subprocess.PIPE, text=True) for _ in range(6)]
    texts = [process.communicate(timeout=60)[0] for process in started]
    with Credentials(path) as book:
        assert [book.lookup(text) for text in texts] == [Principal(Role.AGENT, "bob")] * 6


def changed(path: Path, *statements: str) -> None:
    """Change a database behind the back of its class."""
    with sqlite3.connect(path) as connection:
        for statement in statements:
            connection.execute(statement)
    connection.close()


def test_a_newer_file_is_refused_and_left_alone(path: Path) -> None:
    """It says which versions, and what to do."""
    Credentials(path).close()
    changed(path, "PRAGMA user_version = 2", "PRAGMA journal_mode = DELETE")
    before = path.read_bytes()
    with pytest.raises(NewerDatabase, match="version 2, and this referee knows 1: update it"):
        Credentials(path)
    assert path.read_bytes() == before


def private(path: Path, data: bytes) -> None:
    """Write a file that only its owner can read."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(data)
    path.chmod(0o600)


def test_files_of_another_kind_are_refused(path: Path) -> None:
    """Another database, and no database at all; both stay as they are."""
    private(path, b"")
    changed(path, "CREATE TABLE notes (text)")
    for data in (path.read_bytes(), b"no database, but long enough to be one" * 100):
        private(path, data)
        with pytest.raises(DatabaseError, match=str(path)):
            Credentials(path)
        assert path.read_bytes() == data


def test_folders_that_cannot_be_used_are_named(tmp_path: Path) -> None:
    """A file where the folder should be, a folder where the file should be."""
    (tmp_path / "file").write_bytes(b"")
    (tmp_path / "folder").mkdir(mode=0o700)
    for path in (tmp_path / "file" / module.FILE, tmp_path / "folder"):
        with pytest.raises(DatabaseError, match=str(path)):
            Credentials(path)
    assert list((tmp_path / "folder").iterdir()) == []
