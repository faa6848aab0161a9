"""Makes frames durable in groups: what the committer's thread does, without the thread.

A group is one write to the journal and at most one sync. If that fails, every match of the
group is written to its own transcript and synced there; only a match for which that fails,
too, gets the error, and accepts nothing any more. Nothing is acknowledged that is not durable
to the degree its match asked for. This module waits for nothing and reads no clock of its own.
"""

from collections.abc import Callable
from contextlib import suppress
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
        self._retry_at: float | None = None

    def commit(self, commits: list[Commit]) -> None:
        """Make a group durable and deliver its results, in one call."""
        results: list[Result] = []
        started = self._clock()
        segment: Segment | None = None
        with suppress(OSError):
            segment = self._store.segments.room(commits)
        refused = [commit for commit in commits if commit[0].error is not None]
        if refused:
            results = [(done, file.error) for file, _, done in refused]
            commits = [commit for commit in commits if commit[0].error is None]
        if commits:
            results += self._group(segment, commits, started)
            self.figures.groups += 1
            self.figures.frames += len(commits)
            if self._measure is not None:
                self._measure(len(commits), self._clock() - started)
        self._deliver(results)

    def _group(self, segment: Segment | None, commits: list[Commit], now: float) -> list[Result]:
        if segment is None:
            return self._rescue(commits, 0)
        end = segment.end
        try:
            segment.write(segment.encode(commits))
            self._sync_group(segment, commits, now)
        except OSError:
            return self._rescue(commits, end)
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
        if segment.began is None:
            segment.began = now
        sync = Durability.SYNC
        if any(file.durability is sync for file, _, _ in commits):
            self.figures.syncs += 1
            segment.sync()
            return
        for file, _, _ in commits:
            segment.behind[file] = None
        if segment.behind_since is None:
            segment.behind_since = now

    def _rescue(self, commits: list[Commit], end: int) -> list[Result]:
        """Write each match of a group to its own transcript."""
        frames: dict[MatchFile, list[bytes]] = {}
        for file, data, _ in commits:
            frames.setdefault(file, []).append(data)
        self._store.segments.rescue(frames, end)
        self.figures.rescues += 1
        self.figures.failed_matches += len([file for file in frames if file.error is not None])
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
        if current is not None and self._is_due(current.behind_since, self._pace.batch_s, now):
            self.figures.syncs += 1
            segments.sync_behind()
        elif current is not None and self._is_due(current.began, self._pace.segment_s, now):
            segments.sync_behind()
            segments.roll()
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
        current = self._store.segments.current
        moments = []
        if current is not None and current.behind_since is not None:
            moments.append(current.behind_since + pace.batch_s)
        if current is not None and current.began is not None:
            moments.append(current.began + pace.segment_s)
        if self._large or self._store.segments.old:
            moments.append(now if self._retry_at is None else self._retry_at)
        return max(0.0, min(moments) - now) if moments else None

    def close(self) -> None:
        """Flush every transcript that lacks something, as far as the disk allows."""
        segments = self._store.segments
        segments.sync_behind()
        segments.roll()
        try:
            while segments.step():
                pass
            for file in self._store.files():
                self._store.flush(file)
        except OSError:
            # The journal has what is missing, and the next start redoes it.
            self.figures.failed_flushes += 1
