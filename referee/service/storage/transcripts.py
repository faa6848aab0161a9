"""One match's bytes: those that stand durably in its transcript, and those that follow.

A `MatchFile` holds no descriptor, so a thousand idle matches cost nothing. Bytes that the
journal keeps stay in memory until the transcript itself was synced: a sync that failed may
have thrown them out of the system's cache, and then they must be written again.
"""

import threading
from enum import Enum

from referee.service.storage.disk import Disk, write_all, write_durable
from referee.service.storage.layout import Layout


class Durability(Enum):
    """When a frame is acknowledged."""

    SYNC = "sync"
    BATCH = "batch"
    OFF = "off"


class MatchFile:
    """The transcript of an open match.

    durable   how many bytes stand in the file, synced
    end       where the next frame goes, once all that was handed over is written
    error     why this match accepts nothing any more, if it does not
    """

    __slots__ = (
        "_lock",
        "_pending",
        "_pending_bytes",
        "_torn",
        "durability",
        "durable",
        "end",
        "error",
        "match_id",
        "named",
    )

    def __init__(self, match_id: bytes, durability: Durability, size: int = 0) -> None:
        self.match_id = match_id
        self.durability = durability
        self.durable = size
        self.end = size
        self.error: OSError | None = None
        # Whether the folder durably knows the file.
        self.named = size > 0
        self._pending: list[bytes] = []
        self._pending_bytes = 0
        # Whether a failed write may have left bytes behind the durable ones.
        self._torn = False
        # The event loop reads, and adds without a disk; the thread of the disk writes.
        self._lock = threading.Lock()

    @property
    def size(self) -> int:
        """How many bytes are acknowledged."""
        with self._lock:
            return self.durable + self._pending_bytes

    @property
    def flushed(self) -> bool:
        """Whether the file durably has everything that was acknowledged, and nothing else."""
        return not self._pending and not self._torn and (self.named or not self.durable)

    def add(self, data: bytes) -> int:
        """Take note of acknowledged bytes, which follow all others; return how many wait."""
        with self._lock:
            self._pending.append(data)
            self._pending_bytes += len(data)
            return self._pending_bytes

    def snapshot(self) -> tuple[int, bytes]:
        """Return how many bytes to read from the file, and what follows them."""
        with self._lock:
            return self.durable, b"".join(self._pending)

    def flush(
        self,
        disk: Disk,
        layout: Layout,
        more: bytes = b"",
        *,
        name: bool = True,
        journaled: bool = True,
    ) -> None:
        """Make the file hold everything, durably, and ``more`` behind it.

        After an error nothing has changed, and it can be tried again. Without ``name`` the
        folder need not be synced: whoever moves the file next does it. What is not
        ``journaled`` might be torn between two frames, so the file is replaced as a whole.
        """
        with self._lock:
            parts = len(self._pending)
            data = b"".join(self._pending) + more
        replace = self.durability is Durability.OFF or not journaled
        torn = self._torn
        write = torn or bool(data)
        name = name and (not self.named or (replace and write)) and self.durable + len(data) > 0
        self._torn = write or name
        if write and replace:
            self._replace(disk, layout, data)
        elif write:
            self._append(disk, layout, data, cut=torn)
        if name:
            disk.sync_folder(layout.open)
            self.named = True
        self._torn = False
        with self._lock:
            self.durable += len(data)
            self._pending_bytes -= len(data) - len(more)
            del self._pending[:parts]

    def _append(self, disk: Disk, layout: Layout, data: bytes, *, cut: bool) -> None:
        descriptor = disk.open(layout.open_path(self.match_id), create=True)
        try:
            write_all(disk, descriptor, data, self.durable)
            if cut:
                disk.truncate(descriptor, self.durable + len(data))
            disk.sync(descriptor)
        finally:
            disk.close(descriptor)

    def _replace(self, disk: Disk, layout: Layout, data: bytes) -> None:
        path, new = layout.open_path(self.match_id), layout.new_path(self.match_id)
        before = disk.read(path, self.durable) if self.durable else b""
        write_durable(disk, new, before + data)
        disk.rename(new, path)
