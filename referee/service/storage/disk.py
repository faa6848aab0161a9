"""Every operation on files that storage makes, behind one small interface.

The real disk adds nothing to what the system does; a disk in memory takes its place in tests,
which loses what was not synced. A write may be short, as the system allows; `write_all` is
what callers use. Nothing here retries, and nothing here syncs unless it is told to.
"""

import errno
import fcntl
import os
from pathlib import Path
from typing import Protocol

from referee.transcript import private_file

FILE_MODE = 0o644
FOLDER_MODE = 0o755


class Disk(Protocol):
    """What storage asks of a file system; every method raises `OSError`."""

    def open(self, path: Path, *, create: bool = False) -> int:
        """Return a descriptor for reading and writing; with ``create``, of a new file too."""

    def close(self, descriptor: int) -> None:
        """Close a descriptor."""

    def pwrite(self, descriptor: int, data: bytes, offset: int) -> int:
        """Write at an offset and return how many bytes were written."""

    def allocate(self, descriptor: int, size: int) -> None:
        """Reserve the first ``size`` bytes of an empty file, which read as zeros."""

    def truncate(self, descriptor: int, size: int) -> None:
        """Cut a file to a size."""

    def sync(self, descriptor: int) -> None:
        """Make the bytes of a file and its size durable."""

    def sync_folder(self, path: Path) -> None:
        """Make the names in a folder durable."""

    def read(self, path: Path, most: int = -1) -> bytes:
        """Return the bytes of a file, at most ``most`` of them."""

    def size(self, path: Path) -> int | None:
        """Return the size of a file, None if there is none."""

    def names(self, path: Path) -> list[str]:
        """Return the names in a folder, in no order."""

    def rename(self, old: Path, new: Path) -> None:
        """Move a file, at once and over whatever stands there."""

    def unlink(self, path: Path) -> None:
        """Remove a file."""

    def make_folder(self, path: Path, mode: int = FOLDER_MODE) -> bool:
        """Make a folder, parents too, and return whether it was missing."""

    def remove_folder(self, path: Path) -> None:
        """Remove an empty folder."""

    def write_private(self, path: Path, data: bytes) -> None:
        """Make a file that only its owner can read, durable; `FileExistsError` if it is there."""

    def is_private(self, path: Path) -> bool:
        """Return whether nobody but the owner may do anything with a file."""

    def lock(self, path: Path) -> int:
        """Return a descriptor that holds a lock, until closed; `BlockingIOError` if held."""


class RealDisk:
    """The file system of this machine."""

    def open(self, path: Path, *, create: bool = False) -> int:
        """Return a descriptor for reading and writing."""
        flags = os.O_RDWR | os.O_CLOEXEC | (os.O_CREAT if create else 0)
        return os.open(path, flags, FILE_MODE)

    def close(self, descriptor: int) -> None:
        """Close a descriptor."""
        os.close(descriptor)

    def pwrite(self, descriptor: int, data: bytes, offset: int) -> int:
        """Write at an offset."""
        return os.pwrite(descriptor, data, offset)

    def allocate(self, descriptor: int, size: int) -> None:
        """Reserve bytes; not every system can."""
        if not hasattr(os, "posix_fallocate"):
            raise OSError(errno.EOPNOTSUPP, "this system reserves no bytes")
        os.posix_fallocate(descriptor, 0, size)

    def truncate(self, descriptor: int, size: int) -> None:
        """Cut a file."""
        os.ftruncate(descriptor, size)

    def sync(self, descriptor: int) -> None:
        """Make a file durable; its times may stay behind."""
        # A system without it (macOS) has a flush of its own that reaches the disk.
        if hasattr(os, "fdatasync"):
            os.fdatasync(descriptor)
        elif hasattr(fcntl, "F_FULLFSYNC"):
            fcntl.fcntl(descriptor, fcntl.F_FULLFSYNC)
        else:
            os.fsync(descriptor)

    def sync_folder(self, path: Path) -> None:
        """Make names durable."""
        private_file.sync_folder(path)

    def read(self, path: Path, most: int = -1) -> bytes:
        """Return the bytes of a file."""
        with path.open("rb") as file:
            return file.read(most)

    def size(self, path: Path) -> int | None:
        """Return the size of a file, if there is one."""
        try:
            return path.stat().st_size
        except FileNotFoundError:
            return None

    def names(self, path: Path) -> list[str]:
        """Return the names in a folder."""
        return os.listdir(path)  # noqa: PTH208  names are all we want

    def rename(self, old: Path, new: Path) -> None:
        """Move a file."""
        old.replace(new)

    def unlink(self, path: Path) -> None:
        """Remove a file."""
        path.unlink()

    def make_folder(self, path: Path, mode: int = FOLDER_MODE) -> bool:
        """Make a folder if it is missing."""
        if path.is_dir():
            return False
        path.mkdir(mode=mode, parents=True, exist_ok=True)
        return True

    def remove_folder(self, path: Path) -> None:
        """Remove an empty folder."""
        path.rmdir()

    def write_private(self, path: Path, data: bytes) -> None:
        """Make a private file."""
        private_file.write_new(path, data)

    def is_private(self, path: Path) -> bool:
        """Return whether others have no rights to a file."""
        return not path.stat().st_mode & 0o077

    def lock(self, path: Path) -> int:
        """Take a lock that ends with the process."""
        descriptor = self.open(path, create=True)
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BaseException:
            os.close(descriptor)
            raise
        return descriptor


def write_all(disk: Disk, descriptor: int, data: bytes, offset: int) -> None:
    """Write all bytes, or raise: a disk that takes only a part of them is full or broken."""
    written = disk.pwrite(descriptor, data, offset)
    if written != len(data):
        raise OSError(errno.ENOSPC, f"only {written} of {len(data)} bytes could be written")


def write_durable(disk: Disk, path: Path, data: bytes) -> None:
    """Write a whole file and make it durable, its name included."""
    descriptor = disk.open(path, create=True)
    try:
        write_all(disk, descriptor, data, 0)
        disk.truncate(descriptor, len(data))
        disk.sync(descriptor)
    finally:
        disk.close(descriptor)
    disk.sync_folder(path.parent)
