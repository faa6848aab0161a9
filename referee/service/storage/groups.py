"""Makes frames durable in groups: what the committer's thread does, without the thread.

A group is one write to the journal and at most one sync. If that fails, every match of the
group is written to its own transcript and synced there; only a match for which that fails,
too, gets the error, and accepts nothing any more. Nothing is acknowledged that is not durable
to the degree its match asked for. This module waits for nothing and reads no clock of its own.
"""

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Any, Final

from referee.service.storage.journal import Commit, Segment
from referee.service.storage.store import Store
from referee.service.storage.transcripts import Durability, MatchFile

# Whom to tell, and what went wrong, if anything.
Result = tuple[Callable[[Any], None], Exception | None]
Deliver = Callable[[list[Result]], None]
# Other work for the thread of the disk.
Work = tuple[Callable[[], object], Callable[[Any], None]]


@dataclass(frozen=True)
class Pace:
    """When what is done, in seconds and bytes.

    batch_s     after which time frames of `batch` matches are synced at the latest
    segment_s   how old a segment gets before its transcripts are flushed
    retry_s     how long nothing is retired after that has failed
    flush_bytes how many bytes of a match wait in memory before they are flushed
    """

    batch_s: float = 1.0
    segment_s: float = 5.0
    retry_s: float = 1.0
    flush_bytes: int = 256 << 10


@dataclass
class Figures:
    """What happened so far, for metrics; only the committer's thread writes."""

    groups: int = 0
    frames: int = 0
    syncs: int = 0
    # Groups that went to transcripts because the journal failed, and matches that failed.
    rescues: int = 0
    failed_matches: int = 0
    # Transcripts that could not be flushed yet; their bytes stay in the journal.
    failed_flushes: int = 0


# Called with the frames of a group and the seconds that its write and sync took.
Measure = Callable[[int, float], None]
DEFAULT_PACE: Final = Pace()


class Groups:
    """The commits of one store, group by group."""

    def __init__(
        self,
        store: Store,
        deliver: Deliver,
        clock: Callable[[], float],
        pace: Pace = DEFAULT_PACE,
        measure: Measure | None = None,
    ) -> None:
        self.figures = Figures()
        self._store = store
        self._deliver = deliver
        self._clock = clock
        self._pace = pace
        self._measure = measure
        self._large: dict[MatchFile, None] = {}
        # When the current segment got its first entry, and its first one that is not synced.
        self._began: float | None = None
        self._behind: float | None = None
        self._retry_at: float | None = None

    def commit(self, commits: list[Commit]) -> None:
        """Make a group durable and deliver its results, in one call."""
        results: list[Result] = []
        refused = [commit for commit in commits if commit[0].error is not None]
        if refused:
            results = [(done, file.error) for file, _, done in refused]
            commits = [commit for commit in commits if commit[0].error is None]
        if commits:
            results += self._group(commits)
        self._deliver(results)

    def _group(self, commits: list[Commit]) -> list[Result]:
        started = self._clock()
        segments = self._store.segments
        end = segments.current.end if segments.current is not None else 0
        try:
            segment = segments.room(commits)
            end = segment.end
            group = segment.encode(commits)
            segment.write(group)
            self._sync_group(segment, commits, started)
        except OSError:
            return self._rescue(commits, end)
        finally:
            ended = self._clock()
            figures = self.figures
            figures.groups += 1
            figures.frames += len(commits)
            if self._measure is not None:
                self._measure(len(commits), ended - started)
        large = self._pace.flush_bytes
        dirty = segment.dirty
        results: list[Result] = []
        for file, data, done in commits:
            if file.add(data) > large:
                self._large[file] = None
            dirty[file] = None
            results.append((done, None))
        return results

    def _sync_group(self, segment: Segment, commits: list[Commit], now: float) -> None:
        if self._began is None or segment.fresh:
            self._began, self._behind, segment.fresh = now, None, False
        sync = Durability.SYNC
        if any(file.durability is sync for file, _, _ in commits):
            self._sync(segment)
            return
        for file, _, _ in commits:
            segment.behind[file] = None
        if self._behind is None:
            self._behind = now

    def _sync(self, segment: Segment) -> None:
        self.figures.syncs += 1
        segment.sync()
        self._behind = None

    def _rescue(self, commits: list[Commit], end: int) -> list[Result]:
        """Write matches to their own transcripts, because the journal has failed."""
        self.figures.rescues += 1
        current = self._store.segments.current
        # Frames that were acknowledged without a sync are no safer than those of the group.
        frames: dict[MatchFile, list[bytes]] = {}
        if current is not None:
            frames = {file: [] for file in current.behind}
        for file, data, _ in commits:
            frames.setdefault(file, []).append(data)
        for file, parts in frames.items():
            try:
                file.flush(self._store.disk, self._store.layout, b"".join(parts))
                file.end = file.durable
            except OSError as error:
                file.error = error
                self.figures.failed_matches += 1
        self._store.segments.abandon(end)
        self._began = self._behind = None
        return [(done, file.error) for file, _, done in commits]

    def finish(self, files: list[tuple[MatchFile, Callable[[Any], None]]]) -> None:
        """Move matches whose signatures are durable, and deliver what came of it."""
        finish = self._store.finish
        self.work([(partial(finish, file), done) for file, done in files])

    def work(self, works: list[Work]) -> None:
        """Do other work on the disk, and deliver what came of it."""
        results: list[Result] = []
        for work, done in works:
            try:
                work()
            except Exception as error:  # noqa: BLE001  whoever asked for it is told
                results.append((done, error))
            else:
                results.append((done, None))
        if results:
            self._deliver(results)

    def tend(self) -> None:
        """Do one small step of what is due besides: a sync, or a bit of a checkpoint."""
        now = self._clock()
        segments = self._store.segments
        current = segments.current
        if current is not None and self._is_due(self._behind, self._pace.batch_s, now):
            try:
                self._sync(current)
            except OSError:
                self._rescue([], current.end)
        elif self._is_due(self._began, self._pace.segment_s, now):
            if current is not None and current.behind:
                # It is synced first, in the step after this one.
                self._behind = now - self._pace.batch_s
            else:
                segments.roll()
                self._began = None
        elif self._retry_at is None or now >= self._retry_at:
            self._retire(now)

    def _retire(self, now: float) -> None:
        self._retry_at = None
        try:
            if self._large:
                file = next(iter(self._large))
                del self._large[file]
                self._store.flush(file)
            else:
                self._store.segments.step()
        except OSError:
            # Its bytes are in the journal, which stays until this works.
            self.figures.failed_flushes += 1
            self._retry_at = now + self._pace.retry_s

    @staticmethod
    def _is_due(since: float | None, after: float, now: float) -> bool:
        return since is not None and now - since >= after

    def wait_s(self) -> float | None:
        """Return how long nothing has to be done unless something comes; None is for ever."""
        now = self._clock()
        pace = self._pace
        moments = []
        if self._behind is not None:
            moments.append(self._behind + pace.batch_s)
        if self._began is not None:
            moments.append(self._began + pace.segment_s)
        if self._large or self._store.segments.old:
            moments.append(now if self._retry_at is None else self._retry_at)
        return max(0.0, min(moments) - now) if moments else None

    def close(self) -> None:
        """Flush every transcript that the journal has bytes of, as far as the disk allows."""
        segments = self._store.segments
        current = segments.current
        if current is not None and current.behind:
            try:
                self._sync(current)
            except OSError:
                self._rescue([], current.end)
        segments.roll()
        self._began = None
        try:
            while segments.step():
                pass
            for file in self._store.files():
                self._store.flush(file)
        except OSError:
            # The journal has what is missing, and the next start redoes it.
            self.figures.failed_flushes += 1
