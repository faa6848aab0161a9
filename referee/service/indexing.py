"""The index of the running referee: kept in a thread of its own, always a moment behind.

Nothing waits for it but who asks for it, and nothing is lost with it: it can be made anew
from the transcripts, and at every start it is compared with them.
"""

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import TypeVar

import structlog

from referee.service.index import Index, Row, open_or_rebuild, reconcile

T = TypeVar("T")
log = structlog.get_logger()


class Indexing:
    """The index and the thread that it lives in."""

    def __init__(self) -> None:
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="index")
        self._index: Index

    async def open(self, data: Path) -> int:
        """Open the index, mend it, and return the highest place in the order of matches."""
        return await self._call(lambda: self._open(data))

    def _open(self, data: Path) -> int:
        self._index, rebuilt = open_or_rebuild(data)
        mended = reconcile(self._index, data)
        if rebuilt is not None:
            log.info("index rebuilt", matches=rebuilt.matches)
        for problem in mended.problems:
            log.warning("not indexed", file=problem.path.name, why=problem.problem)
        return self._index.highest_sequence()

    async def _call(self, work: Callable[[], T]) -> T:
        return await asyncio.get_running_loop().run_in_executor(self._thread, work)

    async def ask(self, question: Callable[[Index], T]) -> T:
        """Return what the index answers."""
        return await self._call(lambda: question(self._index))

    def put(self, row: Row) -> None:
        """Let the index know of a match, soon."""
        self._thread.submit(self._put, row)

    def _put(self, row: Row) -> None:
        try:
            self._index.put(row)
        except Exception as error:  # noqa: BLE001  a cache that fails is made anew at the next start
            log.warning("not indexed", match=row.info.match_id, why=str(error))

    def close(self) -> None:
        """Write what waits, and close the file."""
        self._thread.submit(self._index.close)
        self._thread.shutdown()
