"""The lock of a data directory: one process at a time changes what lies there."""

import fcntl
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from referee.rules.errors import RefereeError

FILE: Final = "lock"
_MODE: Final = 0o644


class CannotLock(RefereeError):
    """A data directory that is not there, or that another process holds."""


@contextmanager
def held(data: Path) -> Iterator[None]:
    """Hold the lock of a data directory, or raise `CannotLock` at once; it ends with us."""
    if not data.is_dir():
        raise CannotLock(f"there is no data directory {data}")
    try:
        descriptor = os.open(data / FILE, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, _MODE)
    except OSError as error:
        raise CannotLock(f"{data / FILE} cannot be used: {error.strerror}") from error
    try:
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError as error:
            raise CannotLock(f"a running referee holds {data}: stop it first") from error
        yield
    finally:
        os.close(descriptor)
