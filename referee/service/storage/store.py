"""The data directory: one referee at a time, its transcripts, and its journal.

Whatever changes a file is called by one thread at a time, that of the committer once it
runs; `read` and the lists may be called by any. The store acknowledges nothing by itself.
"""

import os
from collections.abc import Iterator
from pathlib import Path
from types import TracebackType
from typing import Self

from referee.service.storage.disk import Disk, RealDisk
from referee.service.storage.errors import FolderInUse, MatchExists, NoSuchMatch
from referee.service.storage.journal import SEGMENT_BYTES
from referee.service.storage.layout import PRIVATE_FOLDER_MODE, Layout, is_shelf, match_of
from referee.service.storage.recovery import Recovered, move_to_finished, recover
from referee.service.storage.redo import redo
from referee.service.storage.segments import Segments
from referee.service.storage.transcripts import Durability, MatchFile


class Store:
    """A data directory that this process holds; making one redoes what the last one left.

    redone  what redoing the journal came to, for the log
    """

    def __init__(
        self,
        root: str | os.PathLike[str],
        disk: Disk | None = None,
        *,
        segment_bytes: int = SEGMENT_BYTES,
    ) -> None:
        self.disk: Disk = RealDisk() if disk is None else disk
        self.layout = Layout(Path(root))
        self._files: dict[bytes, MatchFile] = {}
        # Below it lie the words of agents and the records of matches that go on.
        if self.disk.make_folder(self.layout.root, PRIVATE_FOLDER_MODE):
            self.disk.sync_folder(self.layout.root.parent)
        try:
            self._lock = self.disk.lock(self.layout.lock)
        except BlockingIOError as error:
            raise FolderInUse(self.layout.root) from error
        try:
            self.layout.make(self.disk)
            self.redone = redo(self.disk, self.layout)
        except BaseException:
            self.disk.close(self._lock)
            raise
        self.segments = Segments(self.disk, self.layout, segment_bytes)

    def recover(self) -> list[Recovered]:
        """Put all files of open matches in order; before any of them is reopened."""
        return recover(self.disk, self.layout)

    def create(self, match_id: bytes, durability: Durability = Durability.SYNC) -> MatchFile:
        """Begin a match; the first bytes committed are the header and frame 0.

        Nothing is written yet: the file comes into being with its first bytes.
        """
        layout, size = self.layout, self.disk.size
        taken = match_id in self._files or size(layout.open_path(match_id)) is not None
        if taken or size(layout.finished_path(match_id)) is not None:
            raise MatchExists(match_id)
        file = self._files[match_id] = MatchFile(match_id, durability)
        return file

    def reopen(self, match_id: bytes, durability: Durability = Durability.SYNC) -> MatchFile:
        """Go on with a match that was recovered, or whose last `MatchFile` has failed.

        A match that failed is first brought to what was acknowledged of it: `read` has just
        that. Raises `OSError` while the disk does not allow it.
        """
        file = self._files.get(match_id)
        if file is None:
            size = self.disk.size(self.layout.open_path(match_id))
            if size is None:
                raise NoSuchMatch(match_id)
            file = MatchFile(match_id, durability, size)
        elif file.error is None:
            return file
        else:
            self.segments.heal()
            self.segments.flush(file)
            file = MatchFile(match_id, durability, file.durable)
        self._files[match_id] = file
        return file

    def flush(self, file: MatchFile) -> None:
        """Make the transcript itself hold everything that was acknowledged."""
        self.segments.flush(file)

    def finish(self, file: MatchFile) -> None:
        """Move a match whose signature is acknowledged to the finished ones.

        Durable when it returns; can be repeated, and is completed by `recover` after a crash.
        """
        self.segments.flush(file, name=False)
        if file.error is not None:
            raise file.error
        move_to_finished(self.disk, self.layout, file.match_id)
        file.named = True
        self._files.pop(file.match_id, None)

    def files(self) -> list[MatchFile]:
        """Return the files of all matches that were begun or reopened and not finished."""
        return list(self._files.values())

    def discard(self, file: MatchFile) -> None:
        """Forget a match of which nothing was ever acknowledged."""
        if file.size == 0 and self._files.get(file.match_id) is file:
            del self._files[file.match_id]

    def read(self, match_id: bytes) -> bytes:
        """Return all acknowledged bytes of a match, wherever they are."""
        file = self._files.get(match_id)
        layout = self.layout
        paths = [layout.open_path(match_id), layout.finished_path(match_id)]
        if file is None:
            # A match may be finished between two looks, but it never goes back.
            for path in paths:
                try:
                    return self.disk.read(path)
                except FileNotFoundError:
                    continue
            raise NoSuchMatch(match_id)
        durable, pending = file.snapshot()
        if not durable:
            return pending
        try:
            return self.disk.read(paths[0], durable) + pending
        except FileNotFoundError:
            return self.disk.read(paths[1], durable) + pending

    def open_ids(self) -> list[bytes]:
        """Return the ids of all matches that are not finished."""
        listed = filter(None, map(match_of, self.disk.names(self.layout.open)))
        return sorted({*listed, *list(self._files)})

    def finished_ids(self) -> Iterator[bytes]:
        """Go through the ids of all finished matches, in order; no file is opened."""
        folders = filter(is_shelf, self.disk.names(self.layout.finished))
        for folder in sorted(folders):
            names = self.disk.names(self.layout.finished / folder)
            yield from sorted(filter(None, map(match_of, names)))

    def close(self) -> None:
        """Let go of the folder; whatever is not flushed is redone at the next start."""
        self.segments.close()
        self.disk.close(self._lock)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()
