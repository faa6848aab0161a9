"""Matches on a disk that fails: what was promised, and whether a restart keeps it.

A `Workload` plays recorded games into a store on a `FakeDisk`, over several lives of the
referee. It notes what was acknowledged when; after each crash `check` compares that with what
is recovered. A match that gets an error is voided through a fresh file, as the referee does.
"""

import random
from dataclasses import dataclass, field
from pathlib import Path

from referee.service.storage.groups import Groups, Pace, Result
from referee.service.storage.journal import Commit
from referee.service.storage.recovery import Kind
from referee.service.storage.store import Store
from referee.service.storage.transcripts import Durability, MatchFile
from referee.transcript import format as azt
from referee.transcript import reader
from referee.v1 import record_pb2 as pb
from tests.golden.write import TRANSCRIPTS
from tests.service.storage.fake_disk import FakeDisk, PowerCut

ROOT = Path("/data")
PACE = Pace(flush_bytes=1500)
# Small, so that a few frames fill a segment.
SEGMENT_BYTES = 3000
_SOURCES = ("azul-2.azt", "duel-2.azt", "frozen.azt", "entropy.azt", "restarts.azt")
DURABILITIES = (
    Durability.SYNC,
    Durability.BATCH,
    Durability.OFF,
    Durability.SYNC,
    Durability.BATCH,
)


def _bodies(name: str) -> list[bytes]:
    data = (TRANSCRIPTS / name).read_bytes()
    bodies = reader.read(data).bodies
    # The end, its signature, and some frames before them.
    return [*bodies[:16], *bodies[-2:]]


_BODIES = [_bodies(name) for name in _SOURCES]


def chain(match_id: bytes, bodies: list[bytes]) -> list[bytes]:
    """Return the frames of a match, the header in front of the first."""
    parts: list[bytes] = []
    link = azt.genesis(match_id)
    for index, body in enumerate(bodies):
        data, link = azt.frame(match_id, index, link, body)
        parts.append(data if index else azt.header(match_id) + data)
    return parts


def voided(match_id: bytes, prefix: bytes) -> list[bytes]:
    """Return two frames that end a match after the bytes it has: void, and signed."""
    bodies = reader.read(prefix).bodies if prefix else []
    end = pb.Frame(
        records=[
            pb.Record(voided=pb.MatchVoid(detail="disk")),
            pb.Record(seed_reveal=pb.SeedReveal(seed=bytes(32))),
        ]
    )
    signature = pb.Frame(records=[pb.Record(signature=pb.Signature(signature=bytes(64)))])
    more = [end.SerializeToString(), signature.SerializeToString()]
    return chain(match_id, [*bodies, *more])[len(bodies) :]


@dataclass
class Promise:
    """What one match handed over, and what it was promised.

    acked     all acknowledged bytes
    flying    a frame that was handed over and not answered yet
    history   (when, how many bytes) of each acknowledgement in this life
    safe      how many bytes no loss of power may take
    """

    match_id: bytes
    durability: Durability
    frames: list[bytes]
    acked: bytes = b""
    flying: bytes = b""
    history: list[tuple[float, int]] = field(default_factory=list)
    safe: int = 0
    file: MatchFile | None = None
    failed: bool = False
    finished: bool = False
    errors: int = 0


class Workload:
    """Some matches of every durability, played frame by frame in a random order."""

    def __init__(self, seed: int, matches: int = 5) -> None:
        self.rng = random.Random(seed)
        self.now = 0.0
        self.promises = [
            self._promise(bytes([16 * number + 1]) * 16, number) for number in range(matches)
        ]
        self.store: Store | None = None
        self.groups: Groups | None = None

    @staticmethod
    def _promise(match_id: bytes, number: int) -> Promise:
        bodies = _BODIES[number % len(_BODIES)]
        return Promise(match_id, DURABILITIES[number % 5], chain(match_id, bodies))

    # Playing -----------------------------------------------------------------------------

    def start(self, disk: FakeDisk) -> None:
        """Begin a life of the referee: open the folder, recover, reopen what goes on."""
        self.store = Store(ROOT, disk, segment_bytes=SEGMENT_BYTES)
        found = {recovered.match_id: recovered.kind for recovered in self.store.recover()}
        if Kind.UNREADABLE in found.values():
            # The disk failed while a file was put in order: nothing is known of it yet.
            raise OSError("a file could not be recovered")
        self.check(disk, found)
        self.groups = Groups(self.store, _call, lambda: self.now, PACE)
        for promise in self.promises:
            promise.file = None
            promise.flying = b""
            promise.failed = False
            promise.history.clear()
            if not promise.finished and promise.acked:
                promise.file = self.store.reopen(promise.match_id, promise.durability)

    def check(self, disk: FakeDisk, found: dict[bytes, Kind]) -> None:
        """Compare what stands in the folder with what was promised."""
        assert self.store is not None
        assert self.store.redone.gaps == []
        for promise in self.promises:
            self._check_one(promise, found.get(promise.match_id))
        stray = {*self.store.open_ids(), *self.store.finished_ids()}
        assert stray <= {promise.match_id for promise in self.promises}
        assert disk.descriptors == 1, "only the lock is open"

    def _check_one(self, promise: Promise, kind: Kind | None) -> None:
        assert self.store is not None
        assert kind is not Kind.CORRUPT, promise.durability
        known = self.store.layout
        data = b""
        for path in (known.open_path(promise.match_id), known.finished_path(promise.match_id)):
            if self.store.disk.size(path) is not None:
                assert not data, "a match lies in two places"
                data = self.store.disk.read(path)
        promised = promise.acked + promise.flying
        assert promised.startswith(data), "bytes were invented"
        assert len(data) >= promise.safe, f"{promise.durability}: acknowledged bytes are gone"
        if promise.finished:
            assert data == promise.acked
        signed = bool(data) and reader.read(data).signed
        finished = self.store.disk.size(known.finished_path(promise.match_id)) is not None
        assert signed == finished, "signed matches, and no others, are finished ones"
        promise.acked = data
        promise.safe = len(data)
        promise.finished = finished

    def play(self, steps: int = 10_000) -> None:
        """Let the matches go on until all are finished, or for some steps."""
        assert self.groups is not None
        for _ in range(steps):
            waiting = [promise for promise in self.promises if not promise.finished]
            if not waiting:
                return
            some = self.rng.sample(waiting, self.rng.randint(1, len(waiting)))
            commits = [commit for promise in some for commit in self._next(promise)]
            if commits:
                self.groups.commit(commits)
            for promise in some:
                self._after(promise)
            self.now += self.rng.choice([0.0, 0.0, 0.4, 1.0, 5.0])
            self.groups.tend()
            self._settle()

    def _next(self, promise: Promise) -> list[Commit]:
        """Hand the next frame over; one without durability goes straight to memory."""
        assert self.store is not None
        if promise.failed or len(promise.acked) >= sum(map(len, promise.frames)):
            return []
        if promise.file is None:
            promise.file = self.store.create(promise.match_id, promise.durability)
        promise.flying = self._frame_at(promise)
        if promise.durability is not Durability.OFF:
            return [(promise.file, promise.flying, Answer(self, promise))]
        promise.file.end += len(promise.flying)
        promise.file.add(promise.flying)
        Answer(self, promise)(None)
        return []

    @staticmethod
    def _frame_at(promise: Promise) -> bytes:
        at = 0
        for frame in promise.frames:
            if at == len(promise.acked):
                return frame
            at += len(frame)
        raise AssertionError("a match stands between two frames")

    def _after(self, promise: Promise) -> None:
        """Void a match that failed, finish one that is signed."""
        assert self.groups is not None
        if promise.failed:
            self._void(promise)
        elif promise.file is not None and promise.acked == b"".join(promise.frames):
            self.groups.finish([(promise.file, Finish(promise))])

    def _void(self, promise: Promise) -> None:
        assert self.store is not None
        try:
            promise.file = self.store.reopen(promise.match_id, promise.durability)
        except OSError:
            return
        assert self.store.read(promise.match_id) == promise.acked
        promise.flying = b""
        promise.failed = False
        promise.frames = [promise.acked, *voided(promise.match_id, promise.acked)]
        if not promise.acked:
            del promise.frames[0]

    def _settle(self) -> None:
        """Take note of what no loss of power may take from now on."""
        for promise in self.promises:
            if promise.file is None or promise.file.error is not None:
                # Of a match that was stopped, what `batch` had not synced is only in memory.
                continue
            for when, size in promise.history:
                if promise.durability is Durability.SYNC or self.now - when >= PACE.batch_s:
                    promise.safe = max(promise.safe, size)

    # Lives ---------------------------------------------------------------------------------

    def live(self, disk: FakeDisk) -> bool:
        """Play one life on a disk, and return whether it came to its end."""
        try:
            self.start(disk)
        except (PowerCut, OSError):
            # A referee that cannot read its folder does not start.
            return False
        try:
            self.play()
        except PowerCut:
            return False
        assert self.groups is not None
        assert self.store is not None
        try:
            self.groups.close()
        except PowerCut:
            return False
        self.store.close()
        return True


@dataclass
class Answer:
    """Takes the answer to a commit."""

    workload: Workload
    promise: Promise

    def __call__(self, error: OSError | None) -> None:
        """Take note of it."""
        promise = self.promise
        if error is not None:
            promise.failed = True
            promise.errors += 1
            return
        promise.acked += promise.flying
        promise.flying = b""
        if promise.durability is Durability.SYNC:
            promise.safe = len(promise.acked)
        elif promise.durability is Durability.BATCH:
            promise.history.append((self.workload.now, len(promise.acked)))


@dataclass
class Finish:
    """Takes the answer to a finish."""

    promise: Promise

    def __call__(self, error: Exception | None) -> None:
        """Take note of it."""
        if error is None:
            self.promise.finished = True
            self.promise.safe = len(self.promise.acked)


def _call(results: list[Result]) -> None:
    for done, error in results:
        done(error)


def cut_power(seed: int, lives: int = 4, fault: int | str | None = None) -> int:
    """Play one workload through several cuts, also during recovery, and return how many.

    With ``fault`` some operations of each life fail before the cut: with an error number, or
    with "short" writes.
    """
    workload = Workload(seed)
    rng = random.Random(seed)
    disk = FakeDisk()
    disk.can_allocate = rng.random() < 0.8
    cuts = 0
    for _ in range(lives):
        cut_at = rng.randrange(rng.choice([25, 150, 400]))
        first = rng.randrange(cut_at + 1)
        failing = range(first, first + rng.choice([1, 1, 2, 6, 40])) if fault else range(0)
        disk.fault = Faults({**dict.fromkeys(failing, fault), cut_at: "cut"})
        if workload.live(disk):
            break
        cuts += 1
        # Now and then the process dies first, and the power goes in its next life.
        disk = disk.after_kill() if rng.random() < 0.1 else disk.after_power_cut(rng)
    disk.fault = Faults({})
    disk = disk.after_kill()
    assert workload.live(disk)
    assert all(promise.finished for promise in workload.promises)
    return cuts


@dataclass
class Faults:
    """Which operation goes wrong, by its number, and how."""

    faults: dict[int, int | str | None]

    def __call__(self, number: int, _name: str) -> int | str | None:
        """Return what becomes of an operation."""
        return self.faults.get(number)
