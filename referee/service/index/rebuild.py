"""Makes the index anew from the transcripts, and mends it after a crash.

Only whoever holds the lock of the data directory may do either. What the journal still holds
for a transcript is not looked at here: the referee redoes it when it starts, and mends the
index after that.
"""

import os
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Final, NamedTuple

from referee.service.database import DatabaseError, readable
from referee.service.index.row import CannotIndex, Row, row_of
from referee.service.index.table import FILE, Index
from referee.transcript import reader
from referee.transcript.errors import NotATranscript

ENDING: Final = ".azt"
OPEN: Final = "open"
FINISHED: Final = "finished"
_NAME: Final = re.compile(r"[0-9a-f]{32}\.azt")
_NEW: Final = ".new"
# What SQLite keeps beside a database.
_JOURNALS: Final = ("-wal", "-shm", "-journal")


class Problem(NamedTuple):
    """A file that could not be indexed, and why."""

    path: Path
    problem: str


class Rebuilt(NamedTuple):
    """What a new index holds, and what it lacks."""

    matches: int
    problems: list[Problem]


class Mended(NamedTuple):
    """How many rows were written and dropped, and what could not be read."""

    written: int
    dropped: int
    problems: list[Problem]


def rebuild(data: Path) -> Rebuilt:
    """Make the index of a data directory anew, beside the old one until it is whole."""
    path = data / FILE
    new = data / (FILE + _NEW)
    problems: list[Problem] = []
    with readable(path):
        _remove(new)
        with Index(new) as index:
            matches = index.put_all(_rows(data, problems))
        _replace(new, path)
    return Rebuilt(matches, problems)


def open_or_rebuild(data: Path) -> tuple[Index, Rebuilt | None]:
    """Open the index; one that is missing or cannot be used is made anew, which is returned."""
    path = data / FILE
    if path.exists():
        try:
            index = Index(path)
        except DatabaseError:
            pass
        else:
            if _is_sound(index):
                return index, None
            index.close()
    rebuilt = rebuild(data)
    return Index(path), rebuilt


def reconcile(index: Index, data: Path) -> Mended:
    """Give the index the rows that a crash has cost it, and drop those of matches that are gone.

    The transcripts of signed matches that it knows already are not read again.
    """
    problems: list[Problem] = []
    known = index.ids(signed_only=True)
    gone = index.ids()
    wanted = []
    for path in _transcripts(data, problems):
        match_id = bytes.fromhex(path.stem)
        gone.discard(match_id)
        if match_id not in known:
            known.add(match_id)
            wanted.append(path)
    written = index.put_all(_load_all(wanted, problems))
    for match_id in gone:
        index.drop(match_id)
    return Mended(written, len(gone), problems)


def _is_sound(index: Index) -> bool:
    try:
        return index.is_sound()
    except DatabaseError:
        return False


def _rows(data: Path, problems: list[Problem]) -> Iterator[Row]:
    """Yield the row of every match on disk; a match that is finished is not open any more."""
    seen: set[str] = set()
    for path in _transcripts(data, problems):
        if path.name not in seen:
            seen.add(path.name)
            yield from _load_all([path], problems)


def _load_all(paths: list[Path], problems: list[Problem]) -> Iterator[Row]:
    for path in paths:
        try:
            yield _load(path)
        except OSError as error:
            problems.append(Problem(path, error.strerror or str(error)))
        except (NotATranscript, CannotIndex) as error:
            problems.append(Problem(path, str(error)))


def _load(path: Path) -> Row:
    row = row_of(reader.load(path))
    if row.info.match_id != path.stem:
        raise CannotIndex(f"it is the transcript of match {row.info.match_id}")
    return row


def _transcripts(data: Path, problems: list[Problem]) -> Iterator[Path]:
    """Yield the transcripts of a data directory, finished ones first, in order."""
    for folder in _names(data / FINISHED, problems):
        for path in _in_folder(data / FINISHED / folder, problems):
            if path.name.startswith(folder):
                yield path
            else:
                problems.append(Problem(path, f"it does not belong into the folder {folder}"))
    yield from _in_folder(data / OPEN, problems)


def _in_folder(folder: Path, problems: list[Problem]) -> Iterator[Path]:
    for name in _names(folder, problems):
        path = folder / name
        if not name.endswith(ENDING):
            # Somebody is just writing it, or it is none of ours.
            continue
        if not _NAME.fullmatch(name):
            problems.append(Problem(path, "its name is not the id of a match"))
        elif not path.is_file():
            # Opening something else, a pipe for one, might never return.
            problems.append(Problem(path, "it is no file"))
        else:
            yield path


def _names(folder: Path, problems: list[Problem]) -> list[str]:
    try:
        return sorted(os.listdir(folder))  # noqa: PTH208  names are all we want
    except FileNotFoundError:
        return []
    except OSError as error:
        problems.append(Problem(folder, error.strerror or str(error)))
        return []


def _remove(path: Path) -> None:
    """Remove a database; first the file itself, without which its journals mean nothing."""
    for name in (path.name, *(path.name + ending for ending in _JOURNALS)):
        path.with_name(name).unlink(missing_ok=True)


def _replace(new: Path, path: Path) -> None:
    """Put a closed database in place of another one, and make that durable."""
    # A journal of the old file would be taken for one of the new file.
    _remove(path)
    new.replace(path)
    folder = os.open(path.parent, os.O_RDONLY)
    try:
        os.fsync(folder)
    finally:
        os.close(folder)
