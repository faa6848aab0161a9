"""How a SQLite file of the data directory is opened: the same care for each of them.

A file has a number that says what it is (`application_id`) and one that says how its tables
look (`user_version`). A file that is something else, or of a newer version, is never touched.
Several processes may have it open at once.
"""

import os
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final, NamedTuple

from referee.rules.errors import RefereeError

PRIVATE_MODE: Final = 0o600
FOLDER_MODE: Final = 0o700
# How long to wait for another process that writes; such writes take milliseconds.
_BUSY_S: Final = 5.0


class DatabaseError(RefereeError):
    """A database that cannot be used: damaged, of another kind, or on a disk that fails."""


class NewerDatabase(DatabaseError):
    """A database that a newer version of the referee has written."""


class Schema(NamedTuple):
    """What a file holds.

    synchronous  FULL if a commit must survive a loss of power, NORMAL for a cache
    statements   what makes its tables, each a statement
    """

    application_id: int
    user_version: int
    synchronous: str
    statements: tuple[str, ...]


def connect(path: Path, schema: Schema) -> sqlite3.Connection:
    """Open a database, making it and its folder if there is none; readable by its owner only."""
    with readable(path):
        _make_private(path)
        connection = sqlite3.connect(path, timeout=_BUSY_S, isolation_level=None)
        try:
            _prepare(connection, path, schema)
        except BaseException:
            connection.close()
            raise
    return connection


def _make_private(path: Path) -> None:
    """Make the file before SQLite does: the journals beside it get the mode that it has."""
    path.parent.mkdir(mode=FOLDER_MODE, parents=True, exist_ok=True)
    try:
        os.close(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, PRIVATE_MODE))
    except FileExistsError:
        if path.stat().st_mode & 0o077:
            raise DatabaseError(f"others can read or write {path}: chmod 600 it") from None


def _prepare(connection: sqlite3.Connection, path: Path, schema: Schema) -> None:
    if _number(connection, "schema_version"):
        _check(connection, path, schema)
    connection.execute("PRAGMA journal_mode = WAL")
    connection.execute(f"PRAGMA synchronous = {schema.synchronous}")
    with transaction(connection):
        # Another process may have made the tables in the meantime.
        if not _number(connection, "schema_version"):
            for statement in schema.statements:
                connection.execute(statement)
            connection.execute(f"PRAGMA application_id = {schema.application_id}")
            connection.execute(f"PRAGMA user_version = {schema.user_version}")
    _check(connection, path, schema)


def _check(connection: sqlite3.Connection, path: Path, schema: Schema) -> None:
    if _number(connection, "application_id") != schema.application_id:
        raise DatabaseError(f"{path} is a database of something else")
    version = _number(connection, "user_version")
    if version > schema.user_version:
        raise NewerDatabase(
            f"{path} has version {version}, and this referee knows {schema.user_version}: update it"
        )
    if version != schema.user_version:
        raise DatabaseError(f"{path} has version {version}, which no referee has written")


def _number(connection: sqlite3.Connection, pragma: str) -> int:
    number: int = connection.execute(f"PRAGMA {pragma}").fetchone()[0]
    return number


@contextmanager
def transaction(connection: sqlite3.Connection) -> Iterator[None]:
    """Do everything within, or nothing of it; no other process writes meanwhile."""
    connection.execute("BEGIN IMMEDIATE")
    try:
        yield
        connection.execute("COMMIT")
    except BaseException:
        # Some errors, of a full disk for one, have rolled back already.
        if connection.in_transaction:
            connection.execute("ROLLBACK")
        raise


@contextmanager
def readable(path: Path) -> Iterator[None]:
    """Let whatever goes wrong with the file become a `DatabaseError` that names it."""
    try:
        yield
    except sqlite3.Error as error:
        raise DatabaseError(f"{path} cannot be used: {error}") from error
    except OSError as error:
        raise DatabaseError(f"{path} cannot be used: {error.strerror or error}") from error
