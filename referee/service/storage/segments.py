"""The segments of the journal while the referee runs: one is written, older ones are retired.

A segment is retired when every transcript with bytes in it was flushed, and then deleted; the
oldest goes first. That is done in steps of one transcript, by the same thread that commits
and between two groups: a group waits for one sync more at the most, and nothing about a match
needs a lock against a second writer.

The journal is synced before a transcript is written from it, so that a transcript which a
crash tore is always made whole by redoing. If the journal fails, transcripts are written and
synced themselves; a match for which that fails, too, has its error, and accepts no more.
"""

from contextlib import suppress

from referee.service.storage.disk import Disk
from referee.service.storage.journal import ENTRY_OVERHEAD, SEGMENT_BYTES, Commit, Segment
from referee.service.storage.layout import Layout
from referee.service.storage.transcripts import Durability, MatchFile


class Segments:
    """The journal of one data directory, after its old entries were redone."""

    def __init__(self, disk: Disk, layout: Layout, size: int = SEGMENT_BYTES) -> None:
        self.current: Segment | None = None
        self._old: list[Segment] = []
        self._disk = disk
        self._layout = layout
        self._size = size
        self._number = 0

    @property
    def old(self) -> int:
        """How many segments wait to be retired."""
        return len(self._old)

    def room(self, commits: list[Commit]) -> Segment:
        """Return a segment that a group fits into, or an empty one."""
        current = self.current
        if current is not None and not current.empty:
            needed = sum([len(data) for _, data, _ in commits]) + ENTRY_OVERHEAD * len(commits)
            if current.end + needed > self._size:
                self.sync_behind()
                self.roll()
        if self.current is None:
            # A number is never used twice, also not after a failure.
            self._number += 1
            self.current = Segment(self._disk, self._layout, self._number, self._size)
        return self.current

    def roll(self) -> None:
        """Let the current segment be retired; the next group begins another."""
        if self.current is not None:
            self._old.append(self.current)
            self.current = None

    def sync_behind(self) -> None:
        """Sync what was acknowledged without a sync, in the journal or else in transcripts."""
        current = self.current
        if current is not None and current.behind:
            try:
                current.sync()
            except OSError:
                self.rescue({}, current.end)

    def rescue(self, frames: dict[MatchFile, list[bytes]], end: int) -> None:
        """Write matches to their own transcripts, because the journal has failed.

        The segment is given up, without what a failed group left from ``end`` on: that must
        not be redone once its match has gone another way.
        """
        segment = self.current
        if segment is not None:
            # Frames that were acknowledged without a sync are no safer than those of the group.
            frames = {**{file: [] for file in segment.behind}, **frames}
        for file, parts in frames.items():
            try:
                # One frame more can be torn like any last frame; several cannot.
                journaled = file.durability is Durability.SYNC and len(parts) <= 1
                more = b"".join(parts)
                file.flush(self._disk, self._layout, more, journaled=journaled)
                file.end = file.durable
            except OSError as error:
                file.error = error
        self.roll()
        if segment is not None:
            segment.behind.clear()
            segment.behind_since = None
            with suppress(OSError):
                segment.cut(end)

    def flush(self, file: MatchFile, *, name: bool = True) -> None:
        """Make a transcript hold everything that was acknowledged, durably."""
        if self.current is not None and file in self.current.behind:
            self.sync_behind()
        file.flush(self._disk, self._layout, name=name)

    def heal(self) -> None:
        """Cut what could not be cut before; raise while that is still so."""
        for segment in self._old:
            if segment.tainted:
                segment.cut(segment.end)

    def step(self) -> bool:
        """Retire a bit more and return whether there may be more to do; raise if that failed.

        A transcript that fails goes behind the others; the segment stays until it is flushed.
        """
        if not self._old:
            return False
        oldest = self._old[0]
        while oldest.dirty:
            file = next(iter(oldest.dirty))
            del oldest.dirty[file]
            if file.flushed:
                continue
            try:
                self.flush(file)
            except OSError:
                oldest.dirty[file] = None
                raise
            return True
        oldest.delete()
        del self._old[0]
        return bool(self._old)

    def close(self) -> None:
        """Close all files; what could not be retired is redone at the next start."""
        self.roll()
        for segment in self._old:
            segment.close()
