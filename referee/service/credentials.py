"""The tokens of organisers and agents, and the agents that are registered: `credentials.db`.

A token is shown once, when it is issued; only its hash is stored. Several processes may use
the file at once: the command line issues a token, and the running server knows it with the
next call. Nothing here can be rebuilt from transcripts, so the file is to be backed up.
"""

import os
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final, NamedTuple, Self

from referee.rules.errors import RefereeError
from referee.service import database, tokens
from referee.service.auth import Principal, Role
from referee.service.database import readable, transaction
from referee.service.names import check_handle

FILE: Final = "credentials.db"
SCHEMA: Final = database.Schema(
    application_id=0x417A4372,
    user_version=1,
    synchronous="FULL",
    statements=(
        """CREATE TABLE agents (
            handle TEXT PRIMARY KEY,
            created_utc_s INTEGER NOT NULL
        ) STRICT, WITHOUT ROWID""",
        """CREATE TABLE tokens (
            id INTEGER PRIMARY KEY AUTOINCREMENT,
            hash BLOB NOT NULL UNIQUE CHECK (length(hash) = 32),
            role TEXT NOT NULL CHECK (role IN ('organiser', 'agent')),
            name TEXT NOT NULL,
            created_utc_s INTEGER NOT NULL,
            revoked_utc_s INTEGER
        ) STRICT""",
    ),
)
_PREFIXES: Final = {
    Role.ORGANISER: tokens.ORGANISER_PREFIX,
    Role.AGENT: tokens.AGENT_PREFIX,
}
# A number of SQLite has 63 bits and a sign.
_MAX_ID: Final = 2**63 - 1


class CredentialsError(RefereeError):
    """A token that cannot be issued or revoked."""


class TokenInfo(NamedTuple):
    """What is known of a token; ``revoked_utc_s`` is None while it is good."""

    number: int
    role: Role
    name: str
    created_utc_s: int
    revoked_utc_s: int | None


class AgentInfo(NamedTuple):
    """An agent that is registered."""

    handle: str
    created_utc_s: int


def _info(number: int, role: str, name: str, created: int, revoked: int | None) -> TokenInfo:
    return TokenInfo(number, Role(role), name, created, revoked)


def _utc_s() -> int:
    return int(time.time())


class Credentials:
    """The open file; each thread needs one of its own."""

    def __init__(
        self,
        path: Path,
        *,
        utc_s: Callable[[], int] = _utc_s,
        random_bytes: Callable[[int], bytes] = os.urandom,
    ) -> None:
        self.path = path
        self._utc_s = utc_s
        self._random_bytes = random_bytes
        self._connection = database.connect(path, SCHEMA)
        # Everything that lookups need, and the state of the file that it was read from.
        self._version: int | None = None
        self._readings = 0
        self._principals: dict[bytes, Principal] = {}
        self._handles: frozenset[str] = frozenset()

    def close(self) -> None:
        """Leave the file."""
        self._connection.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    # Changing --------------------------------------------------------------------------------

    def issue(self, role: Role, name: str) -> str:
        """Issue a token, and register the agent it is for; the text cannot be had again."""
        if role not in _PREFIXES:
            raise CredentialsError(f"there are no tokens for {role.value}")
        check_handle(name, role.value)
        text = tokens.bearer_text(_PREFIXES[role], self._random_bytes(tokens.SECRET_BYTES))
        hashed = tokens.bearer_hash(text)
        now = self._utc_s()
        with self._changing():
            if role is Role.AGENT:
                self._register(name, now)
            self._connection.execute(
                "INSERT INTO tokens (hash, role, name, created_utc_s) VALUES (?, ?, ?, ?)",
                (hashed, role.value, name, now),
            )
        return text

    def register(self, handle: str) -> None:
        """Register an agent without a token; once more is no mistake."""
        check_handle(handle)
        with self._changing():
            self._register(handle, self._utc_s())

    def revoke(self, number: int) -> TokenInfo:
        """Revoke a token by its number; once more changes nothing."""
        with self._changing():
            if 0 < number <= _MAX_ID:
                self._connection.execute(
                    "UPDATE tokens SET revoked_utc_s = ? WHERE id = ? AND revoked_utc_s IS NULL",
                    (self._utc_s(), number),
                )
        for info in self.tokens():
            if info.number == number:
                return info
        raise CredentialsError(f"there is no token {number}")

    def _register(self, handle: str, now: int) -> None:
        self._connection.execute("INSERT OR IGNORE INTO agents VALUES (?, ?)", (handle, now))

    @contextmanager
    def _changing(self) -> Iterator[None]:
        # What a connection writes itself does not change its data_version.
        self._version = None
        with readable(self.path), transaction(self._connection):
            yield

    # Looking up ------------------------------------------------------------------------------

    def tokens(self) -> list[TokenInfo]:
        """Return all tokens ever issued, in order."""
        with readable(self.path):
            rows = self._connection.execute(
                "SELECT id, role, name, created_utc_s, revoked_utc_s FROM tokens ORDER BY id"
            ).fetchall()
        return [_info(*row) for row in rows]

    def describe(self, token: object) -> TokenInfo | None:
        """Return what is known of a token, also of a revoked one; None if it was never issued."""
        with readable(self.path):
            rows = self._connection.execute(
                "SELECT id, role, name, created_utc_s, revoked_utc_s FROM tokens WHERE hash = ?",
                (tokens.bearer_hash(token),),
            ).fetchall()
        return _info(*rows[0]) if rows else None

    def agents(self) -> list[AgentInfo]:
        """Return all registered agents by their handles."""
        with readable(self.path):
            rows = self._connection.execute("SELECT * FROM agents ORDER BY handle").fetchall()
        return [AgentInfo(*row) for row in rows]

    def lookup(self, token: object) -> Principal | None:
        """Return who a token belongs to; None for a wrong or revoked one, whatever it is."""
        # Time tells nothing here: what is compared is a hash, and nobody can choose its bytes.
        hashed = tokens.bearer_hash(token)
        if hashed is None:
            return None
        self._refresh()
        return self._principals.get(hashed)

    def readings(self) -> int:
        """Look whether the file was changed; the number is another one whenever it was."""
        self._refresh()
        return self._readings

    def holder(self, hashed: bytes) -> Principal | None:
        """Return who has a token, by its hash, as of the last look at the file."""
        return self._principals.get(hashed)

    def is_agent(self, handle: str) -> bool:
        """Return whether an agent of that handle is registered."""
        self._refresh()
        return handle in self._handles

    def _refresh(self) -> None:
        """Read everything again if anybody has changed the file; asking takes microseconds."""
        with readable(self.path):
            # Asked before reading: a change in between is then seen the next time.
            version = self._connection.execute("PRAGMA data_version").fetchone()[0]
            if version == self._version:
                return
            rows = self._connection.execute(
                "SELECT hash, role, name FROM tokens WHERE revoked_utc_s IS NULL"
            ).fetchall()
            handles = self._connection.execute("SELECT handle FROM agents").fetchall()
        self._principals = {hashed: Principal(Role(role), name) for hashed, role, name in rows}
        self._handles = frozenset(handle for (handle,) in handles)
        self._version = version
        self._readings += 1
