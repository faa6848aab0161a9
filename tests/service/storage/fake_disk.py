"""A disk in memory that does to unsynced bytes what a real one may do.

Every operation that changes something is counted. At a chosen one the power goes
(`PowerCut`), or the operation fails. After a cut, what was synced is there; of the rest each
piece of 64 bytes of each write is there or not by itself, and so is each change of a name, for
which a rename is one change. A sync that fails leaves the bytes in the cache, marked clean and
lost, as Linux does: only who writes them again has them.
"""

import errno
import random
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

PIECE = 64


class PowerCut(BaseException):
    """The machine stops here; no handler of errors sees it."""


@dataclass
class Inode:
    """One file: as the cache has it, as the disk has it, and the writes in between."""

    cache: bytearray = field(default_factory=bytearray)
    stored: bytearray = field(default_factory=bytearray)
    # (offset, data), or (size, None) for a change of the size.
    unsynced: list[tuple[int, bytes | None]] = field(default_factory=list)
    private: bool = False


# A change of names: a name that goes, a name that comes, of which file.
Change = tuple[Path | None, Path | None, Inode]


def put(content: bytearray, offset: int, data: bytes) -> None:
    """Write into a file, which grows with zeros."""
    if len(content) < offset + len(data):
        content.extend(bytes(offset + len(data) - len(content)))
    content[offset : offset + len(data)] = data


def resize(content: bytearray, size: int) -> None:
    """Cut a file, or fill it with zeros."""
    del content[size:]
    content.extend(bytes(size - len(content)))


class FakeDisk:
    """The disk; ``fault`` is asked before each operation, with its number and name."""

    def __init__(self) -> None:
        self.names_cached: dict[Path, Inode] = {}
        self.names_stored: dict[Path, Inode] = {}
        self.changes: list[Change] = []
        self.folders: dict[Path, int] = {Path("/"): 0o755}
        self.count = 0
        # Returns None, "cut", "short" or an error number.
        self.fault: Callable[[int, str], str | int | None] = lambda _number, _name: None
        self.seen: list[str] = []
        self.can_allocate = True
        self._descriptors: dict[int, Inode] = {}
        self._next = 3
        self._locks: dict[int, Path] = {}

    # Faults ------------------------------------------------------------------------------

    def _operation(self, name: str) -> str | int | None:
        """Count an operation; raise if it is to fail before it does anything."""
        number = self.count
        self.count += 1
        self.seen.append(name)
        fault = self.fault(number, name)
        if isinstance(fault, int):
            if name == "sync":
                return fault
            raise OSError(fault, f"{name} was made to fail")
        return fault

    @property
    def descriptors(self) -> int:
        """How many descriptors are open."""
        return len(self._descriptors)

    def after_kill(self) -> "FakeDisk":
        """Return what the next process finds: the cache has survived."""
        disk = self._bare()
        disk.changes = list(self.changes)
        disk.names_cached = dict(self.names_cached)
        disk.names_stored = dict(self.names_stored)
        return disk

    def after_power_cut(self, rng: random.Random) -> "FakeDisk":
        """Return what the next start finds, with luck that ``rng`` decides."""
        disk = self._bare()
        chance = rng.choice([0.0, 0.1, 0.5, 0.9, 1.0])
        names = dict(self.names_stored)
        for change in self.changes:
            if rng.random() < chance:
                _change(names, change)
        for path, inode in names.items():
            content = _lose(inode, rng, chance)
            disk.names_stored[path] = Inode(
                bytearray(content), bytearray(content), [], inode.private
            )
        disk.names_cached = dict(disk.names_stored)
        return disk

    def _bare(self) -> "FakeDisk":
        disk = FakeDisk()
        disk.folders = dict(self.folders)
        disk.can_allocate = self.can_allocate
        return disk

    def files(self) -> dict[str, bytes]:
        """Return all files as the next reader sees them."""
        return {str(path): bytes(inode.cache) for path, inode in sorted(self.names_cached.items())}

    # The interface -------------------------------------------------------------------------

    def open(self, path: Path, *, create: bool = False) -> int:
        """Open a file."""
        inode = self.names_cached.get(path)
        if inode is None:
            if not create:
                raise FileNotFoundError(errno.ENOENT, str(path))
            assert path.parent in self.folders, path
            fault = self._operation("create")
            inode = Inode()
            self._name((None, path, inode))
            self._cut_if(fault)
        self._next += 1
        self._descriptors[self._next] = inode
        return self._next

    def close(self, descriptor: int) -> None:
        """Close a descriptor."""
        del self._descriptors[descriptor]
        self._locks.pop(descriptor, None)

    def pwrite(self, descriptor: int, data: bytes, offset: int) -> int:
        """Write, or a part of it."""
        fault = self._operation("pwrite")
        if fault == "short":
            data = data[: len(data) // 2]
        self._write(self._descriptors[descriptor], offset, data)
        self._cut_if(fault)
        return len(data)

    def allocate(self, descriptor: int, size: int) -> None:
        """Reserve bytes; to a reader they are zeros."""
        fault = self._operation("allocate")
        if not self.can_allocate:
            raise OSError(errno.EOPNOTSUPP, "not here")
        self._resize(self._descriptors[descriptor], size)
        self._cut_if(fault)

    def truncate(self, descriptor: int, size: int) -> None:
        """Change the size of a file."""
        fault = self._operation("truncate")
        self._resize(self._descriptors[descriptor], size)
        self._cut_if(fault)

    def sync(self, descriptor: int) -> None:
        """Make a file durable; one that fails has lost the writes, and says so only once."""
        inode = self._descriptors[descriptor]
        fault = self._operation("sync")
        self._cut_if(fault)
        if isinstance(fault, int):
            inode.unsynced.clear()
            raise OSError(fault, "sync was made to fail")
        for offset, data in inode.unsynced:
            if data is None:
                resize(inode.stored, offset)
            else:
                put(inode.stored, offset, data)
        inode.unsynced.clear()

    def sync_folder(self, path: Path) -> None:
        """Make the names in a folder durable."""
        self._cut_if(self._operation("sync_folder"))
        rest: list[Change] = []
        for change in self.changes:
            if any(name is not None and name.parent == path for name in change[:2]):
                _change(self.names_stored, change)
            else:
                rest.append(change)
        self.changes = rest

    def read(self, path: Path, most: int = -1) -> bytes:
        """Read a file."""
        if path not in self.names_cached:
            raise FileNotFoundError(errno.ENOENT, str(path))
        content = bytes(self.names_cached[path].cache)
        return content if most < 0 else content[:most]

    def size(self, path: Path) -> int | None:
        """Return the size of a file."""
        inode = self.names_cached.get(path)
        return None if inode is None else len(inode.cache)

    def names(self, path: Path) -> list[str]:
        """List a folder."""
        every = [*self.names_cached, *self.folders]
        return [found.name for found in every if found.parent == path and found != path]

    def rename(self, old: Path, new: Path) -> None:
        """Move a file, as one change."""
        fault = self._operation("rename")
        if old not in self.names_cached:
            raise FileNotFoundError(errno.ENOENT, str(old))
        self._name((old, new, self.names_cached[old]))
        self._cut_if(fault)

    def unlink(self, path: Path) -> None:
        """Remove a name."""
        fault = self._operation("unlink")
        if path not in self.names_cached:
            raise FileNotFoundError(errno.ENOENT, str(path))
        self._name((path, None, self.names_cached[path]))
        self._cut_if(fault)

    def make_folder(self, path: Path, mode: int = 0o755) -> bool:
        """Make a folder; folders are never lost here."""
        if path in self.folders:
            return False
        self._cut_if(self._operation("make_folder"))
        for folder in [path, *path.parents]:
            self.folders.setdefault(folder, mode)
        return True

    def remove_folder(self, path: Path) -> None:
        """Remove a folder."""
        del self.folders[path]

    def write_private(self, path: Path, data: bytes) -> None:
        """Make a private file, in the steps in which it is done."""
        temporary = path.with_name(f".{path.name}.tmp")
        descriptor = self.open(temporary, create=True)
        inode = self._descriptors[descriptor]
        inode.private = True
        try:
            if self.pwrite(descriptor, data, 0) != len(data):
                raise OSError(errno.ENOSPC, "a short write")
            self.sync(descriptor)
            fault = self._operation("link")
            if path in self.names_cached:
                raise FileExistsError(errno.EEXIST, str(path))
            self._name((None, path, inode))
            self._cut_if(fault)
        finally:
            self.close(descriptor)
            self._name((temporary, None, inode))
        self.sync_folder(path.parent)

    def is_private(self, path: Path) -> bool:
        """Return whether a file is private."""
        return self.names_cached[path].private

    def lock(self, path: Path) -> int:
        """Lock a file, once."""
        if path in self._locks.values():
            raise BlockingIOError(errno.EWOULDBLOCK, "locked")
        descriptor = self.open(path, create=True)
        self._locks[descriptor] = path
        return descriptor

    # Inside ------------------------------------------------------------------------------

    def _cut_if(self, fault: str | int | None) -> None:
        if fault == "cut":
            raise PowerCut

    def _write(self, inode: Inode, offset: int, data: bytes) -> None:
        put(inode.cache, offset, data)
        inode.unsynced.append((offset, data))

    def _resize(self, inode: Inode, size: int) -> None:
        resize(inode.cache, size)
        inode.unsynced.append((size, None))

    def _name(self, change: Change) -> None:
        _change(self.names_cached, change)
        self.changes.append(change)


def _change(names: dict[Path, Inode], change: Change) -> None:
    gone, come, inode = change
    if gone is not None:
        names.pop(gone, None)
    if come is not None:
        names[come] = inode


def _lose(inode: Inode, rng: random.Random, chance: float) -> bytearray:
    """Return what the disk has of a file: of every unsynced write some pieces."""
    content = bytearray(inode.stored)
    for offset, data in inode.unsynced:
        if data is None:
            if rng.random() < chance:
                resize(content, offset)
            continue
        for at in range(0, len(data), PIECE):
            if rng.random() < chance:
                put(content, offset + at, data[at : at + PIECE])
    return content
