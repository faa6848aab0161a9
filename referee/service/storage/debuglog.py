"""What agents say beside their answers, kept for their authors: lines of text in a file.

Nothing depends on it, so nothing is synced, and it has an end: a seat that talks without one
fills its own file and no more. Control characters never reach the file.
"""

from pathlib import Path
from typing import Final

from referee.service.storage.disk import Disk, RealDisk, write_all
from referee.service.storage.layout import PRIVATE_FOLDER_MODE
from referee.transcript.text import printable

MAX_BYTES: Final = 1 << 20
FULL: Final = b"-- this log is full; nothing more is kept --\n"


class DebugLog:
    """The debug logs of all matches; for one thread at a time."""

    def __init__(self, folder: Path, disk: Disk | None = None, most: int = MAX_BYTES) -> None:
        self._disk: Disk = RealDisk() if disk is None else disk
        self._folder = folder
        self._most = most
        # The sizes of logs of open matches, so that a line is one write.
        self._sizes: dict[tuple[bytes, int], int] = {}

    def path(self, match_id: bytes, seat: int) -> Path:
        """Return where the log of a seat lies."""
        return self._folder / match_id.hex() / f"{seat}.log"

    def append(self, match_id: bytes, seat: int, text: str) -> None:
        """Add what a seat said, each of its lines as one; drop it where the log is full."""
        key = (match_id, seat)
        path = self.path(match_id, seat)
        size = self._sizes.get(key)
        if size is None:
            self._disk.make_folder(path.parent, PRIVATE_FOLDER_MODE)
            written = self.read(match_id, seat)
            size = self._most if written.endswith(FULL) else len(written)
        if size < self._most:
            # Characters that cannot be encoded are not printable either.
            lines = text.split("\n")
            data = "".join(f"{printable(line, self._most)}\n" for line in lines).encode()
            size = self._write(path, data, size)
        self._sizes[key] = size

    def _write(self, path: Path, data: bytes, size: int) -> int:
        """Write at the end of a log, and return its new size."""
        full = size + len(data) + len(FULL) > self._most
        if full:
            data = FULL
        descriptor = self._disk.open(path, create=True)
        try:
            write_all(self._disk, descriptor, data, size)
        finally:
            self._disk.close(descriptor)
        return self._most if full else size + len(data)

    def read(self, match_id: bytes, seat: int) -> bytes:
        """Return the log of a seat; empty if it said nothing."""
        try:
            return self._disk.read(self.path(match_id, seat))
        except FileNotFoundError:
            return b""

    def close_match(self, match_id: bytes) -> None:
        """Forget the sizes of a match that has ended."""
        for key in [key for key in self._sizes if key[0] == match_id]:
            del self._sizes[key]
