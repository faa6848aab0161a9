"""Redoing the journal at a start: transcripts get the bytes that they lack.

Each entry says which bytes stand where, so redoing twice changes nothing. Everything is synced
before a segment is deleted. Whatever does not fit is reported and kept in `aside/`: an entry
behind the end of its transcript, and bytes behind the last whole entry of a segment.
"""

from dataclasses import dataclass, field
from pathlib import Path

from referee.service.storage.aside import free_path, keep
from referee.service.storage.disk import Disk, write_all
from referee.service.storage.journal import Entry, SegmentReader
from referee.service.storage.layout import Layout, segment_of


@dataclass(frozen=True)
class Gap:
    """An entry that would leave a hole: the transcript has only ``size`` bytes."""

    match_id: bytes
    segment: int
    offset: int
    size: int


@dataclass(frozen=True)
class Rest:
    """Bytes behind the last whole entry of a segment, and where they are kept."""

    segment: int
    offset: int
    bytes: int
    kept: Path


@dataclass
class Redone:
    """What redoing came to.

    changed  the matches whose transcripts lacked something
    """

    segments: int = 0
    entries: int = 0
    changed: list[bytes] = field(default_factory=list)
    gaps: list[Gap] = field(default_factory=list)
    rests: list[Rest] = field(default_factory=list)


def redo(disk: Disk, layout: Layout) -> Redone:
    """Redo all segments in order, and remove them."""
    report = Redone()
    numbers = sorted(filter(None, map(segment_of, disk.names(layout.journal))))
    report.segments = len(numbers)
    edits: dict[bytes, list[tuple[int, Entry]]] = {}
    for number in numbers:
        path = layout.segment_path(number)
        reader = SegmentReader(path, number, disk.read(path))
        for entry in reader.entries():
            report.entries += 1
            edits.setdefault(entry.match_id, []).append((number, entry))
        rest = reader.rest()
        if rest:
            kept = keep(disk, layout, f"journal-{number}-at-{reader.end}", rest)
            report.rests.append(Rest(number, reader.end, len(rest), kept))
    folders = {layout.open} if edits else set()
    for match_id, entries in edits.items():
        folders.add(_redo_match(disk, layout, match_id, entries, report))
    for folder in sorted(folders):
        disk.sync_folder(folder)
    _remove(disk, layout, numbers, {gap.segment for gap in report.gaps})
    return report


def _redo_match(
    disk: Disk, layout: Layout, match_id: bytes, entries: list[tuple[int, Entry]], report: Redone
) -> Path:
    """Make one transcript hold its entries, and return the folder that it lies in."""
    path = layout.finished_path(match_id)
    if disk.size(path) is None:
        path = layout.open_path(match_id)
    before = disk.read(path) if disk.size(path) is not None else b""
    content = bytearray(before)
    for number, entry in entries:
        if entry.offset > len(content):
            report.gaps.append(Gap(match_id, number, entry.offset, len(content)))
            continue
        content[entry.offset : entry.offset + len(entry.data)] = entry.data
    if not content:
        return path.parent
    if content != before:
        report.changed.append(match_id)
    # Also bytes that seem to be there are written: after a sync that failed, in the process
    # before this one, the system's cache may show what the disk never got.
    start = min(len(content), *[entry.offset for _, entry in entries])
    descriptor = disk.open(path, create=True)
    try:
        write_all(disk, descriptor, bytes(content[start:]), start)
        disk.sync(descriptor)
    finally:
        disk.close(descriptor)
    return path.parent


def _remove(disk: Disk, layout: Layout, numbers: list[int], keep: set[int]) -> None:
    """Remove segments that were redone; those with an entry that did not fit are set aside."""
    for number in numbers:
        path = layout.segment_path(number)
        if number in keep:
            disk.rename(path, free_path(disk, layout, f"journal-{number}.log", disk.read(path)))
        else:
            disk.unlink(path)
    if keep:
        disk.sync_folder(layout.aside)
    if numbers:
        disk.sync_folder(layout.journal)
