"""The bytes of the journal, and redoing them."""

from pathlib import Path

import pytest

from referee.service.storage.journal import (
    ENTRY_OVERHEAD,
    HEADER_BYTES,
    Commit,
    Entry,
    Segment,
    SegmentReader,
)
from referee.service.storage.layout import Layout
from referee.service.storage.redo import Gap, redo
from referee.service.storage.store import Store
from referee.service.storage.transcripts import Durability, MatchFile
from tests.service.storage.fake_disk import FakeDisk
from tests.service.storage.workload import ROOT

A, B = b"a" * 16, b"b" * 16
LAYOUT = Layout(ROOT)
SIZE = 1000


def new_disk() -> FakeDisk:
    """Return a disk with an empty data directory."""
    disk = FakeDisk()
    Store(ROOT, disk).close()
    return disk


def write(disk: FakeDisk, entries: list[Entry], number: int = 1) -> Segment:
    """Write a segment with one group."""
    segment = Segment(disk, LAYOUT, number, SIZE)
    commits: list[Commit] = []
    for entry in entries:
        file = MatchFile(entry.match_id, Durability.SYNC, entry.offset)
        commits.append((file, entry.data, lambda _error: None))
    segment.write(segment.encode(commits))
    segment.sync()
    segment.close()
    return segment


def read(data: bytes, number: int = 1) -> tuple[list[Entry], SegmentReader]:
    """Read a segment."""
    reader = SegmentReader(Path("1.log"), number, data)
    return list(reader.entries()), reader


ENTRIES = [Entry(A, 0, b"first"), Entry(B, 0, b"other"), Entry(A, 5, b"second")]


def test_entries_are_read_as_written() -> None:
    """A segment holds its entries in order, and nothing behind them."""
    disk = new_disk()
    end = write(disk, ENTRIES).end
    entries, reader = read(disk.read(LAYOUT.segment_path(1)))
    assert entries == ENTRIES
    assert reader.end == end == HEADER_BYTES + 3 * ENTRY_OVERHEAD + 16
    assert reader.rest() == b""


def test_every_flipped_bit_ends_the_entries() -> None:
    """A segment is good up to the entry with the damage, which is never taken for one."""
    disk = new_disk()
    end = write(disk, ENTRIES).end
    data = disk.read(LAYOUT.segment_path(1))
    for bit in range(8 * end):
        damaged = bytearray(data)
        damaged[bit // 8] ^= 1 << bit % 8
        entries, reader = read(bytes(damaged))
        assert entries == ENTRIES[: len(entries)] != ENTRIES
        assert reader.rest()


def test_every_cut_ends_the_entries() -> None:
    """A segment that ends anywhere holds the entries that are whole."""
    disk = new_disk()
    end = write(disk, ENTRIES).end
    data = disk.read(LAYOUT.segment_path(1))
    for size in range(end):
        entries, _ = read(data[:size])
        assert entries == ENTRIES[: len(entries)] != ENTRIES


def test_entries_of_another_file_do_not_count() -> None:
    """Neither a segment under another number nor the rest of a former file is taken for good."""
    disk = new_disk()
    write(disk, ENTRIES)
    write(disk, ENTRIES, 2)
    one, two = (disk.read(LAYOUT.segment_path(number)) for number in (1, 2))
    assert read(one, 2)[0] == []
    stale = two[:HEADER_BYTES] + one[HEADER_BYTES:]
    assert read(stale, 2)[0] == []


def test_redoing_fills_transcripts_where_they_lie() -> None:
    """Entries go to open transcripts, or to a finished one, and only then the segment goes."""
    disk = new_disk()
    finished = LAYOUT.finished_path(B)
    disk.make_folder(finished.parent)
    disk.close(disk.open(finished, create=True))
    write(disk, ENTRIES)
    report = redo(disk, LAYOUT)
    assert (report.segments, report.entries, report.changed) == (1, 3, [A, B])
    assert disk.read(LAYOUT.open_path(A)) == b"firstsecond"
    assert disk.read(finished) == b"other"
    assert disk.names(LAYOUT.journal) == []


def test_redoing_twice_changes_nothing() -> None:
    """A transcript that has its bytes, and more, keeps them."""
    disk = new_disk()
    write(disk, ENTRIES)
    redo(disk, LAYOUT)
    write(disk, [Entry(A, 11, b"third")], 2)
    redo(disk, LAYOUT)
    before = disk.files()
    write(disk, ENTRIES)
    assert redo(disk, LAYOUT).changed == []
    assert disk.files() == before


def test_a_gap_is_reported_and_its_segment_kept() -> None:
    """An entry behind the end of its transcript is not written, and not thrown away."""
    disk = new_disk()
    write(disk, [Entry(A, 3, b"late"), Entry(B, 0, b"fine")])
    data = disk.read(LAYOUT.segment_path(1))
    report = redo(disk, LAYOUT)
    assert report.gaps == [Gap(A, 1, 3, 0)]
    assert disk.size(LAYOUT.open_path(A)) is None
    assert disk.read(LAYOUT.open_path(B)) == b"fine"
    assert disk.read(LAYOUT.aside / "journal-1.log") == data
    assert redo(disk, LAYOUT).segments == 0


def test_what_follows_the_entries_is_kept() -> None:
    """Bytes that are no whole entry are kept for people to look at."""
    disk = new_disk()
    end = write(disk, ENTRIES).end
    descriptor = disk.open(LAYOUT.segment_path(1))
    disk.pwrite(descriptor, b"torn", end)
    disk.close(descriptor)
    (rest,) = redo(disk, LAYOUT).rests
    assert (rest.segment, rest.offset, rest.bytes) == (1, end, 4)
    assert disk.read(rest.kept) == b"torn"


@pytest.mark.parametrize("data", [b"", b"AZRJ", bytes(100)], ids=["empty", "begun", "zeros"])
def test_a_segment_without_its_header_is_empty(data: bytes) -> None:
    """A crash while a segment was made leaves nothing to redo."""
    disk = new_disk()
    descriptor = disk.open(LAYOUT.segment_path(7), create=True)
    disk.pwrite(descriptor, data, 0)
    disk.close(descriptor)
    report = redo(disk, LAYOUT)
    assert (report.segments, report.entries, report.gaps) == (1, 0, [])
    assert disk.names(LAYOUT.journal) == []


def test_what_is_kept_is_never_replaced() -> None:
    """Segments of later starts have the same numbers, and are kept beside the first."""
    disk = new_disk()
    for data in (b"one", b"two"):
        write(disk, [Entry(A, 3, data)])
        redo(disk, LAYOUT)
    names = ["journal-1.log", "journal-1.log-2"]
    assert sorted(disk.names(LAYOUT.aside)) == names
    kept = [read(disk.read(LAYOUT.aside / name))[0] for name in names]
    assert kept == [[Entry(A, 3, b"one")], [Entry(A, 3, b"two")]]
