"""The thread that all writing goes through, so that one sync covers every match that waits.

While a sync runs, commits gather; they are the next group. Results of a group are handed over
in one call, which the owner binds to its event loop. The thread never dies of an error: a bug
of ours fails every commit from then on, and acknowledges nothing.
"""

import errno
import threading
import time
from collections import deque
from collections.abc import Callable
from contextlib import suppress
from queue import Empty, SimpleQueue
from typing import Any

from referee.service.storage.groups import DEFAULT_PACE, Deliver, Figures, Groups, Measure, Pace
from referee.service.storage.store import Store
from referee.service.storage.transcripts import Durability, MatchFile

# A commit has a file and data, a finish a file alone, other work neither.
_Item = tuple[MatchFile | None, bytes | None, Callable[[], object] | None, Callable[[Any], None]]


class Committer:
    """Makes frames durable, from a thread of its own; all methods return at once but `close`.

    ``deliver`` is called in that thread, with a list of (done, error); the owner calls each.
    """

    def __init__(
        self,
        store: Store,
        deliver: Deliver,
        *,
        pace: Pace = DEFAULT_PACE,
        measure: Measure | None = None,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._store = store
        self._pace = pace
        self._deliver = deliver
        self._groups = Groups(store, deliver, clock, pace, measure)
        # This queue wakes a waiting thread without a lock of Python's own in between.
        self._queue: SimpleQueue[_Item | None] = SimpleQueue()
        self._thread = threading.Thread(target=self._run, name="committer", daemon=True)
        # What is no frame, in order: it waits while frames do.
        self._later: deque[_Item] = deque()
        self._closed = False
        self._thread.start()

    @property
    def figures(self) -> Figures:
        """What happened so far."""
        return self._groups.figures

    def commit(self, file: MatchFile, data: bytes, done: Callable[[OSError | None], None]) -> None:
        """Let ``done`` be called when the frame is as durable as its match asks for.

        Of a match without durability it is called right here; its bytes wait in memory.
        """
        if file.durability is not Durability.OFF:
            self._put(file, data, None, done)
        elif file.error is not None:
            done(file.error)
        else:
            file.end += len(data)
            if file.add(data) > self._pace.flush_bytes:
                self._put(None, None, lambda: self._store.flush(file), _ignore)
            done(None)

    def finish(self, file: MatchFile, done: Callable[[Exception | None], None]) -> None:
        """Move a match to the finished ones, after all frames that were handed over before."""
        self._put(file, None, None, done)

    def flush(self, file: MatchFile, done: Callable[[Exception | None], None]) -> None:
        """Let the transcript itself hold all frames that were handed over before."""
        self._put(None, None, lambda: self._store.flush(file), done)

    def run(self, work: Callable[[], object], done: Callable[[Exception | None], None]) -> None:
        """Do other work on the disk, after all frames that were handed over before.

        `Store.create` and `Store.reopen`, secrets and debug logs are for here.
        """
        self._put(None, None, work, done)

    def close(self) -> None:
        """Do everything that was handed over, flush all transcripts and end the thread."""
        if not self._closed:
            self._closed = True
            self._queue.put(None)
        self._thread.join()

    def _put(
        self,
        file: MatchFile | None,
        data: bytes | None,
        work: Callable[[], object] | None,
        done: Callable[[Any], None],
    ) -> None:
        if self._closed:
            raise RuntimeError("the committer is closed")
        self._queue.put((file, data, work, done))

    def _run(self) -> None:
        open_ = True
        while open_ or self._later:
            items = self._take()
            if None in items:
                open_ = False
            self._turn([item for item in items if item is not None])
        with suppress(Exception):
            self._groups.close()

    def _take(self) -> list[_Item | None]:
        """Take all there is to do, and wait for something if there is nothing."""
        queue = self._queue
        items: list[_Item | None] = []
        if not self._later:
            try:
                items.append(queue.get(timeout=self._groups.wait_s()))
            except Empty:
                return items
        # Nobody else takes, so all that were counted are there.
        items += [queue.get_nowait() for _ in range(queue.qsize())]
        return items

    def _turn(self, items: list[_Item]) -> None:
        """Make one group durable, then do one other thing: no match waits for more than that."""
        groups = self._groups
        commits: list[_Item] = []
        for item in items:
            is_commit = item[0] is not None and item[1] is not None
            (commits if is_commit else self._later).append(item)
        told = not commits
        try:
            if commits:
                groups.commit([(item[0], item[1], item[3]) for item in commits])  # type: ignore[misc]
                told = True
            if self._later:
                self._other(self._later.popleft())
            groups.tend()
        except Exception as error:  # noqa: BLE001  a bug must not leave matches waiting
            self._fail(commits, error, told=told)

    def _other(self, item: _Item) -> None:
        file, _, work, done = item
        if file is not None:
            self._groups.finish([(file, done)])
        elif work is not None:
            self._groups.work([(work, done)])

    def _fail(self, items: list[_Item], error: Exception, *, told: bool) -> None:
        """Give up on what was not told yet, and on every match of it."""
        problem = OSError(errno.EIO, f"the committer failed: {error!r}")
        for file, _, _, _ in items:
            if file is not None and file.error is None:
                file.error = problem
        if not told:
            # If even this cannot be delivered, the loop that it was for is gone.
            with suppress(Exception):
                self._deliver([(done, problem) for _, _, _, done in items])


def _ignore(_error: Exception | None) -> None:
    """Take no note: bytes that could not be flushed stay in memory, and are tried again."""
