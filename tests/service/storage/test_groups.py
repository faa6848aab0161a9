"""Groups, checkpoints and failures, operation by operation (P-D6)."""

import errno
import random
from collections.abc import Callable

import pytest

from referee.service.storage.groups import Groups, Pace, Result
from referee.service.storage.recovery import Kind
from referee.service.storage.store import Store
from referee.service.storage.transcripts import Durability, MatchFile
from referee.v1 import record_pb2 as pb
from tests.service.storage.fake_disk import FakeDisk, PowerCut
from tests.service.storage.workload import ROOT, Faults, chain, voided

A, B = b"a" * 16, b"b" * 16
PACE = Pace(flush_bytes=2000)
BODIES = [b"\x0a\x05\x0a\x03" + bytes([number]) * 3 for number in range(12)]


class Bench:
    """A store on a disk in memory, groups without a thread, and a clock that is set."""

    def __init__(self, segment_bytes: int = 100_000) -> None:
        self.now = 0.0
        self.disk = FakeDisk()
        self.store = Store(ROOT, self.disk, segment_bytes=segment_bytes)
        self.delivered: list[int] = []
        self.groups = Groups(self.store, self._deliver, lambda: self.now, PACE)

    def _deliver(self, results: list[Result]) -> None:
        self.delivered.append(len(results))
        for done, error in results:
            done(error)

    def commit(self, *commits: tuple[MatchFile, bytes]) -> list[OSError | None]:
        """Commit a group and return its answers."""
        answers: list[OSError | None] = []
        self.groups.commit([(file, data, answers.append) for file, data in commits])
        return answers

    def tend(self, times: int = 20) -> None:
        """Let everything be done that is due."""
        for _ in range(times):
            self.groups.tend()

    def fail(self, hit: Callable[[str], bool], fault: int = errno.EIO) -> None:
        """Let all operations fail that are hit."""
        self.disk.fault = lambda _number, name: fault if hit(name) else None

    def restart(self, disk: FakeDisk) -> tuple[Store, dict[bytes, Kind]]:
        """Start anew on what a crash left."""
        store = Store(ROOT, disk)
        return store, {found.match_id: found.kind for found in store.recover()}


def test_a_group_is_one_write_and_one_sync() -> None:
    """Frames of many matches cost one write and one sync, and are delivered in one call."""
    bench = Bench()
    files = [bench.store.create(bytes([number]) * 16) for number in range(50)]
    bench.commit((files[0], b"first"))
    bench.disk.seen.clear()
    assert bench.commit(*[(file, b"frame") for file in files]) == [None] * 50
    assert bench.disk.seen == ["pwrite", "sync"]
    assert bench.delivered == [1, 50]
    assert bench.store.read(files[0].match_id) == b"firstframe"


def test_batch_is_synced_within_its_time() -> None:
    """A `batch` frame is answered after its write, and synced a second later at the latest."""
    bench = Bench()
    file = bench.store.create(A, Durability.BATCH)
    bench.commit((file, b"frame"))
    bench.now = 0.25
    assert bench.commit((file, b"another")) == [None]
    assert bench.disk.seen[-2:] == ["pwrite", "pwrite"]
    assert bench.groups.wait_s() == 0.75
    bench.tend()
    assert bench.disk.seen[-1] == "pwrite"
    bench.now = 1.0
    bench.groups.tend()
    assert bench.disk.seen[-1] == "sync"
    assert bench.groups.wait_s() == 4.0


def test_a_full_segment_is_synced_before_the_next_begins() -> None:
    """Frames that wait for their sync are not forgotten with the segment they stand in."""
    bench = Bench(segment_bytes=300)
    file = bench.store.create(A, Durability.BATCH)
    bench.commit((file, bytes(200)))
    bench.disk.seen.clear()
    assert bench.commit((file, bytes(200))) == [None]
    assert bench.disk.seen == [
        "sync",
        "create",
        "allocate",
        "pwrite",
        "sync",
        "sync_folder",
        "pwrite",
    ]


def test_a_checkpoint_goes_transcript_by_transcript() -> None:
    """An old segment is retired in steps of one transcript; groups come in between."""
    bench = Bench()
    files = [bench.store.create(bytes([number]) * 16) for number in range(3)]
    bench.commit(*[(file, b"frame") for file in files])
    bench.now = 5.0
    assert bench.groups.wait_s() == 0.0
    bench.groups.tend()
    flushed = []
    for _ in range(3):
        bench.groups.tend()
        flushed.append(len([file for file in files if file.durable]))
        assert bench.commit((files[0], b"more")) == [None]
    assert flushed == [1, 2, 3]
    assert sorted(bench.disk.names(ROOT / "journal")) == ["1.log", "2.log"]
    bench.groups.tend()
    assert bench.disk.names(ROOT / "journal") == ["2.log"]
    assert bench.store.read(files[0].match_id) == b"framemoremoremore"
    assert bench.groups.wait_s() == 5.0


def test_nothing_is_due_while_nothing_happens() -> None:
    """Without frames the thread sleeps for ever."""
    bench = Bench()
    assert bench.groups.wait_s() is None
    bench.commit((bench.store.create(A), b"frame"))
    bench.now = 5.0
    bench.tend()
    assert bench.groups.wait_s() is None
    assert bench.disk.names(ROOT / "journal") == []


def test_many_bytes_of_a_match_are_flushed_before_a_checkpoint() -> None:
    """What waits in memory for one match has a limit."""
    bench = Bench()
    file = bench.store.create(A)
    bench.commit((file, bytes(1500)))
    bench.tend()
    assert file.durable == 0
    bench.commit((file, bytes(1500)))
    bench.tend()
    assert file.durable == 3000


def test_a_match_whose_disk_fails_stops_alone() -> None:
    """If the journal fails, only a match that cannot be written itself gets the error."""
    bench = Bench()
    a, b = bench.store.create(A), bench.store.create(B)
    bench.commit((a, b"A0"), (b, b"B0"))
    syncs = iter([True, True, False])
    bench.fail(lambda name: name == "sync" and next(syncs, False))
    first, second = bench.commit((a, b"A1"), (b, b"B1"))
    assert isinstance(first, OSError)
    assert second is None
    assert bench.store.read(A) == b"A0"
    assert bench.store.read(B) == b"B0B1"
    refused, taken = bench.commit((a, b"A2"), (b, b"B2"))
    assert (refused, taken) == (first, None)
    assert bench.groups.figures.rescues == 1
    assert bench.groups.figures.failed_matches == 1
    with pytest.raises(OSError, match="made to fail"):
        bench.store.finish(a)


def test_a_full_disk_acknowledges_nothing_and_a_match_can_be_reopened() -> None:
    """While nothing can be written all matches get errors; with room they go on."""
    bench = Bench()
    a, b = bench.store.create(A), bench.store.create(B, Durability.BATCH)
    frames = chain(A, BODIES)
    bench.commit((a, frames[0]), (b, b"B0"))
    bench.fail(lambda name: name in ("pwrite", "create", "allocate"), errno.ENOSPC)
    answers = bench.commit((a, frames[1]), (b, b"B1"))
    assert [isinstance(answer, OSError) for answer in answers] == [True, True]
    with pytest.raises(OSError, match="made to fail"):
        bench.store.reopen(A)
    bench.fail(lambda _name: False)
    again = bench.store.reopen(A)
    assert bench.store.read(A) == frames[0]
    void = voided(A, frames[0])
    assert bench.commit((again, void[0])) == [None]
    assert bench.commit((again, void[1])) == [None]
    bench.store.finish(again)
    assert bench.store.read(A) == frames[0] + b"".join(void)
    assert bench.store.read(B) == b"B0"


def test_a_frame_that_was_refused_is_never_redone() -> None:
    """A frame that got an error is cut off everywhere before its match goes another way."""
    bench = Bench()
    # Long, so that something of it would stand behind the signature.
    long = pb.Frame(records=[pb.Record(setup=bytes(1000))]).SerializeToString()
    frames = chain(A, [BODIES[0], long])
    file = bench.store.create(A)
    bench.commit((file, frames[0]))
    # It stands in journal and transcript whole, but no sync works, and no cut.
    bench.fail(lambda name: name in ("sync", "truncate"))
    assert bench.commit((file, frames[1]))[0] is not None
    bench.fail(lambda name: name == "truncate")
    with pytest.raises(OSError, match="made to fail"):
        bench.store.reopen(A)
    bench.fail(lambda _name: False)
    file = bench.store.reopen(A)
    void = voided(A, frames[0])
    assert [bench.commit((file, frame)) for frame in void] == [[None], [None]]
    store, kinds = bench.restart(bench.disk.after_kill())
    assert kinds == {A: Kind.FINISHED}
    assert store.read(A) == frames[0] + b"".join(void)


def test_the_journal_is_synced_before_a_transcript_is_written() -> None:
    """Several unsynced frames that are torn in a transcript are made whole by the journal."""
    frames = chain(A, BODIES)
    for at in range(3):
        for luck in range(20):
            bench = Bench()
            file = bench.store.create(A, Durability.BATCH)
            for frame in frames:
                assert bench.commit((file, frame)) == [None]
            bench.disk.fault = Faults({bench.disk.count + at: "cut"})
            with pytest.raises(PowerCut):
                bench.store.flush(file)
            _, kinds = bench.restart(bench.disk.after_power_cut(random.Random(luck)))
            assert Kind.CORRUPT not in kinds.values()


def test_a_cut_while_a_failed_journal_is_made_good_tears_no_frames() -> None:
    """Frames that only a failed journal had reach their transcript together, or not at all."""
    frames = chain(A, BODIES)
    for at in range(1, 7):
        for luck in range(20):
            bench = Bench()
            file = bench.store.create(A, Durability.BATCH)
            for frame in frames:
                assert bench.commit((file, frame)) == [None]
            count = bench.disk.count
            bench.disk.fault = Faults({count: errno.EIO, count + at: "cut"})
            bench.now = 1.0
            with pytest.raises(PowerCut):
                bench.tend()
            _, kinds = bench.restart(bench.disk.after_power_cut(random.Random(luck)))
            assert Kind.CORRUPT not in kinds.values()


def test_bytes_that_only_the_cache_has_are_written_again() -> None:
    """What a failed sync left in the cache is durable before a match goes on from it."""
    bench = Bench()
    file = bench.store.create(A)
    frame = chain(A, BODIES)[0]
    syncs = iter([False, True, True])
    bench.fail(lambda name: name == "sync" and next(syncs, False))
    assert bench.commit((file, frame))[0] is not None
    killed = bench.disk.after_kill()
    _, kinds = bench.restart(killed)
    assert kinds == {A: Kind.OPEN}
    store, kinds = bench.restart(killed.after_power_cut(random.Random(1)))
    assert kinds == {A: Kind.OPEN}
    assert store.read(A) == frame


def test_a_transcript_that_cannot_be_flushed_waits_in_the_journal() -> None:
    """A failed flush stops nobody: the segment stays, others go on, and it is tried again."""
    bench = Bench()
    a, b = bench.store.create(A), bench.store.create(B)
    bench.commit((a, b"A0"), (b, b"B0"))
    bench.now = 5.0
    bench.groups.tend()
    bench.fail(lambda name: name == "create")
    bench.tend()
    assert bench.groups.figures.failed_flushes == 1
    assert bench.groups.wait_s() == 1.0
    bench.fail(lambda _name: False)
    bench.tend()
    assert (a.durable, b.durable) == (0, 0)
    bench.now = 6.0
    bench.tend()
    assert (a.durable, b.durable) == (2, 2)
    assert bench.disk.names(ROOT / "journal") == []


def test_a_file_system_without_reserving_works() -> None:
    """Where bytes cannot be reserved, segments grow as they are written."""
    bench = Bench()
    bench.disk.can_allocate = False
    file = bench.store.create(A)
    frame = chain(A, BODIES)[0]
    assert bench.commit((file, frame)) == [None]
    assert bench.groups.figures.rescues == 0
    assert bench.disk.names(ROOT / "journal") == ["1.log"]
    store, _ = bench.restart(bench.disk.after_power_cut(random.Random(0)))
    assert store.read(A) == frame


def test_idle_matches_hold_no_descriptor() -> None:
    """A thousand open matches need the lock and one segment."""
    bench = Bench()
    files = [bench.store.create(number.to_bytes(16, "big")) for number in range(1000)]
    bench.commit(*[(file, b"frame") for file in files])
    bench.groups.close()
    assert bench.disk.descriptors == 1
    assert len(bench.store.open_ids()) == 1000


def test_a_clean_end_flushes_everything() -> None:
    """After a stop the journal is empty, also of matches without durability."""
    bench = Bench()
    a, b = bench.store.create(A, Durability.BATCH), bench.store.create(B, Durability.OFF)
    frames = {A: chain(A, BODIES), B: chain(B, BODIES)}
    bench.commit((a, frames[A][0]))
    b.add(frames[B][0])
    bench.groups.close()
    bench.store.close()
    assert bench.disk.names(ROOT / "journal") == []
    store, kinds = bench.restart(bench.disk.after_power_cut(random.Random(0)))
    assert kinds == {A: Kind.OPEN, B: Kind.OPEN}
    assert (store.read(A), store.read(B)) == (frames[A][0], frames[B][0])


def test_a_segment_is_deleted_also_at_the_second_try() -> None:
    """A folder that could not be synced when a segment went leaves nothing to be stuck on."""
    bench = Bench()
    bench.commit((bench.store.create(A), b"frame"))
    bench.now = 5.0
    bench.tend(2)
    bench.fail(lambda name: name == "sync_folder")
    bench.tend()
    assert bench.groups.figures.failed_flushes == 1
    bench.fail(lambda _name: False)
    bench.now = 6.0
    bench.tend()
    assert bench.groups.wait_s() is None
    assert bench.disk.descriptors == 1


def test_a_segment_stays_until_the_name_of_a_transcript_is_durable() -> None:
    """A match that could not be moved when it ended is safe in its journal, or in its folder."""
    frames = chain(A, BODIES)
    bench = Bench()
    file = bench.store.create(A)
    bench.commit((file, frames[0]))
    bench.fail(lambda name: name == "rename")
    with pytest.raises(OSError, match="made to fail"):
        bench.store.finish(file)
    bench.now = 5.0
    bench.tend()
    assert bench.disk.names(ROOT / "journal") == []
    store, _ = bench.restart(bench.disk.after_power_cut(random.Random(2)))
    assert store.read(A) == frames[0]
