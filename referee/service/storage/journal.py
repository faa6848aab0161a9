"""The redo journal: which bytes stand where in which transcript (docs/service.md, "The journal").

A segment is a file `journal/N.log`: a header, then entries. Every entry carries a CRC-32 that
continues the CRC of all before it, from the header on, and the header has the segment's
number and a random salt. So an entry counts only in its place: what a crash left of a later
write, or a former file left in the same blocks, never looks like one. Reading stops at the
first entry that is not whole. This module judges bytes; what to do with them is for `redo`.
"""

import os
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from struct import Struct
from typing import Any, Final
from zlib import crc32

from referee.service.storage.disk import Disk, write_all
from referee.service.storage.layout import Layout
from referee.service.storage.transcripts import MatchFile

MAGIC: Final = b"AZRJ\r\n\x1a\n"
VERSION: Final = 1
_HEADER: Final = Struct(">8sIQ16s")
HEADER_BYTES: Final[int] = _HEADER.size
# Of an entry: u32 CRC, then what it is made over: u32 length, match id, u64 offset, the data.
CRC: Final = Struct(">I")
PLACE: Final = Struct(">I16sQ")
ENTRY_OVERHEAD: Final[int] = CRC.size + PLACE.size
SEGMENT_BYTES: Final = 16 << 20


# What a match hands over: where it goes, the bytes of a frame, whom to tell.
Commit = tuple[MatchFile, bytes, Callable[[Any], None]]


@dataclass(frozen=True)
class Entry:
    """These bytes stand at this offset of that transcript."""

    match_id: bytes
    offset: int
    data: bytes


class Segment:
    """The segment that is being written; one thread at a time.

    end     where the next group goes: all before it was written whole
    dirty   the transcripts that may lack bytes of this segment
    behind  those of them with bytes that were written and not synced yet
    began, behind_since   when it got its first entry, and its first one that is not synced
    """

    def __init__(self, disk: Disk, layout: Layout, number: int, size: int) -> None:
        self.number = number
        self.path = layout.segment_path(number)
        self.size = size
        self.dirty: dict[MatchFile, None] = {}
        self.behind: dict[MatchFile, None] = {}
        self.began: float | None = None
        self.behind_since: float | None = None
        # Whether bytes of a failed group may stand behind the end.
        self.tainted = False
        self._disk = disk
        header = _HEADER.pack(MAGIC, VERSION, number, os.urandom(16))
        self._descriptor = disk.open(self.path, create=True)
        try:
            self._begin(header)
            disk.sync_folder(layout.journal)
        except OSError:
            disk.close(self._descriptor)
            # Nothing was acknowledged from it; at a start it counts as empty.
            with suppress(OSError):
                disk.unlink(self.path)
            raise
        self.end = len(header)
        self._crc = crc32(header)
        self._next_crc = self._crc

    def _begin(self, header: bytes) -> None:
        try:
            # Writing into reserved bytes spares each sync a change of the file's size.
            self._disk.allocate(self._descriptor, self.size)
        except OSError:
            # A file system that cannot, or has no room for so much: it may have for a group.
            self._disk.truncate(self._descriptor, 0)
        write_all(self._disk, self._descriptor, header, 0)
        self._disk.sync(self._descriptor)

    @property
    def empty(self) -> bool:
        """Whether nothing was written to it."""
        return self.end == HEADER_BYTES

    def encode(self, commits: list[Commit]) -> bytes:
        """Return the bytes of a group, and move the end of every transcript in it."""
        crc = self._crc
        parts: list[bytes] = []
        add, pack, pack_crc = parts.append, PLACE.pack, CRC.pack
        for file, data, _done in commits:
            length = len(data)
            place = pack(length, file.match_id, file.end)
            file.end += length
            crc = crc32(data, crc32(place, crc))
            add(pack_crc(crc))
            add(place)
            add(data)
        self._next_crc = crc
        return b"".join(parts)

    def write(self, group: bytes) -> None:
        """Write what `encode` returned last; after an error the segment is of no more use."""
        write_all(self._disk, self._descriptor, group, self.end)
        self.end += len(group)
        self._crc = self._next_crc

    def sync(self) -> None:
        """Make everything written durable."""
        self._disk.sync(self._descriptor)
        self.behind.clear()
        self.behind_since = None

    def cut(self, end: int) -> None:
        """Remove whatever stands from ``end`` on, durably; nothing is written after it."""
        self.end = end
        self.tainted = True
        self._disk.truncate(self._descriptor, end)
        self._disk.sync(self._descriptor)
        self.tainted = False

    def delete(self) -> None:
        """Remove the file; its transcripts have everything. It can be tried again."""
        with suppress(FileNotFoundError):
            self._disk.unlink(self.path)
        self._disk.sync_folder(self.path.parent)
        self.close()

    def close(self) -> None:
        """Close the file and leave it where it is; closing twice is closing once."""
        if self._descriptor >= 0:
            self._disk.close(self._descriptor)
            self._descriptor = -1


class SegmentReader:
    """The entries of a segment's bytes; after going through, what was found behind them."""

    def __init__(self, path: Path, number: int, data: bytes) -> None:
        self.path = path
        self.number = number
        # Where the good entries end.
        self.end = 0
        self._data = data

    def entries(self) -> Iterator[Entry]:
        """Go through the entries up to the first that is not whole."""
        data = self._data
        if len(data) < HEADER_BYTES:
            return
        magic, version, number, _salt = _HEADER.unpack_from(data)
        if (magic, version, number) != (MAGIC, VERSION, self.number):
            return
        crc = crc32(data[:HEADER_BYTES])
        at = self.end = HEADER_BYTES
        while at + ENTRY_OVERHEAD <= len(data):
            (check,) = CRC.unpack_from(data, at)
            length, match_id, offset = PLACE.unpack_from(data, at + CRC.size)
            start = at + ENTRY_OVERHEAD
            at = start + length
            if length == 0 or at > len(data):
                return
            crc = crc32(data[start - PLACE.size : at], crc)
            if crc != check:
                return
            self.end = at
            yield Entry(match_id, offset, data[start:at])

    def rest(self) -> bytes:
        """Return what follows the good entries, without the zeros of reserved bytes."""
        return self._data[self.end :].rstrip(b"\0")
