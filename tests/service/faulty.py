"""The disk of this machine, with errors where a test wants them."""

import errno
import threading
from collections.abc import Callable
from pathlib import Path

from referee.service.storage.disk import FOLDER_MODE, RealDisk

# Called with the operation and the file; returns an error number, "short", or None.
Fault = Callable[[str, Path], int | str | None]


def no_fault(_operation: str, _path: Path) -> None:
    """Let everything work."""


class FaultyDisk(RealDisk):
    """A real disk that asks ``fault`` before it does anything that could change a file."""

    def __init__(self) -> None:
        self.fault: Fault = no_fault
        self.failed: list[tuple[str, Path]] = []
        self._paths: dict[int, Path] = {}

    def _ask(self, operation: str, path: Path) -> int | str | None:
        fault = self.fault(operation, path)
        if fault is not None:
            self.failed.append((operation, path))
        if isinstance(fault, int):
            raise OSError(fault, f"{operation} was made to fail")
        return fault

    def open(self, path: Path, *, create: bool = False) -> int:
        """Open a file and remember which it is."""
        self._ask("open", path)
        descriptor = super().open(path, create=create)
        self._paths[descriptor] = path
        return descriptor

    def pwrite(self, descriptor: int, data: bytes, offset: int) -> int:
        """Write, or only the first half."""
        if self._ask("pwrite", self._paths[descriptor]) == "short":
            return super().pwrite(descriptor, data[: len(data) // 2], offset)
        return super().pwrite(descriptor, data, offset)

    def sync(self, descriptor: int) -> None:
        """Sync a file."""
        self._ask("sync", self._paths[descriptor])
        super().sync(descriptor)

    def read(self, path: Path, most: int = -1) -> bytes:
        """Read a file."""
        self._ask("read", path)
        return super().read(path, most)

    def write_private(self, path: Path, data: bytes) -> None:
        """Make a private file."""
        self._ask("write_private", path)
        super().write_private(path, data)

    def rename(self, old: Path, new: Path) -> None:
        """Move a file."""
        self._ask("rename", old)
        super().rename(old, new)

    def unlink(self, path: Path) -> None:
        """Remove a file."""
        self._ask("unlink", path)
        super().unlink(path)

    def make_folder(self, path: Path, mode: int = FOLDER_MODE) -> bool:
        """Make a folder."""
        self._ask("make_folder", path)
        return super().make_folder(path, mode)


ENOSPC, EIO, EROFS = errno.ENOSPC, errno.EIO, errno.EROFS


def read_only(operation: str, _path: Path) -> int | None:
    """Let nothing be changed, as on a disk that was mounted for reading."""
    return None if operation in ("read", "sync") else EROFS


class Held:
    """A fault that holds the disk up at every operation of a kind, until it is let go.

    reached  whether the disk has come there
    """

    def __init__(self, operation: str) -> None:
        self._operation = operation
        self._reached = threading.Event()
        self._free = threading.Event()
        self._then: int | None = None

    def __call__(self, operation: str, _path: Path) -> int | None:
        """Wait here, in the thread of the disk."""
        if operation == self._operation and not self._free.is_set():
            self._reached.set()
            self._free.wait(30)
        return self._then

    @property
    def reached(self) -> bool:
        """Whether the disk waits, or has waited."""
        return self._reached.is_set()

    def let_go(self, fault: int | None = None) -> None:
        """Let the disk work, or fail from now on."""
        self._then = fault
        self._free.set()
