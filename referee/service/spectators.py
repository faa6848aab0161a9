"""Who watches: places for spectators, what they are told, and what ends a watch early.

Nobody may take all places, nor keep one without reading: a watch holds on to the events of its
match, and to a call.
"""

import asyncio
from collections import Counter
from collections.abc import AsyncGenerator, AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager

from referee.service import limits
from referee.service.auth import Caller
from referee.service.errors import ServiceError
from referee.service.events import Events
from referee.service.timing import Clock
from referee.transcript.pieces import bytes_field
from referee.v1.error_pb2 import ErrorReason


class Watch:
    """One spectator of one match, for as long as its call lasts."""

    def __init__(self, caller: Caller, scope: asyncio.Timeout) -> None:
        self.caller = caller
        self.error: ServiceError | None = None
        self._scope = scope

    def end(self, error: ServiceError) -> None:
        """End the call with an error, whatever it waits for."""
        if self.error is None:
            self.error = error
            self._scope.reschedule(asyncio.get_running_loop().time())


class Spectators:
    """All who watch a match."""

    def __init__(self) -> None:
        self._watches: set[Watch] = set()
        self._of: Counter[str] = Counter()

    def __len__(self) -> int:
        return len(self._watches)

    @asynccontextmanager
    async def watching(self, caller: Caller) -> AsyncIterator[None]:
        """Give a caller a place, or raise `ServiceError`; also when the watch is ended early."""
        self._check(caller)
        scope = asyncio.timeout(None)
        watch = Watch(caller, scope)
        self._watches.add(watch)
        self._of[caller.key] += 1
        try:
            async with scope:
                yield
        except TimeoutError:
            if watch.error is None:
                raise
            raise watch.error from None
        finally:
            self._watches.discard(watch)
            self._of[caller.key] -= 1
            if not self._of[caller.key]:
                del self._of[caller.key]

    def _check(self, caller: Caller) -> None:
        most = limits.MAX_WATCHERS
        if not caller.is_organiser:
            most -= limits.WATCHERS_KEPT_FREE
            if self._of[caller.key] >= limits.MAX_WATCHERS_PER_CALLER:
                words = f"one caller has {limits.MAX_WATCHERS_PER_CALLER} spectators at the most"
                raise ServiceError(ErrorReason.ERROR_REASON_LIMIT, words)
        if len(self._watches) >= most:
            raise ServiceError(ErrorReason.ERROR_REASON_LIMIT, "too many watch already")

    def drop(self, still: Callable[[Caller], bool]) -> None:
        """End the watches of callers that may not watch any more."""
        for watch in self._watches:
            if not still(watch.caller):
                words = "nobody has this bearer any more: it was revoked"
                watch.end(ServiceError(ErrorReason.ERROR_REASON_UNAUTHENTICATED, words))


async def told(
    events: Events, clock: Clock, first: int, delay_ns: int
) -> AsyncGenerator[bytes, None]:
    """Tell events as they become public, each after the delay, until none will follow."""
    at = min(first, len(events.public))
    while True:
        ready = at
        most = min(len(events.public), at + limits.MAX_WATCH_EVENTS)
        latest = clock.now_ns() - delay_ns
        while ready < most and events.times_ns[ready] <= latest:
            ready += 1
        if ready > at:
            yield b"".join([bytes_field(1, event) for event in events.public[at:ready]])
            at = ready
        elif at < len(events.public):
            await events.wait(events.times_ns[at] - latest)
        elif events.over:
            return
        else:
            await events.wait()


async def read_in_time(writing: Awaitable[None]) -> None:
    """Wait until a spectator has read what is written, or raise `ServiceError`."""
    try:
        async with asyncio.timeout(limits.WATCH_READ_NS / 1e9):
            await writing
    except TimeoutError:
        words = "what was sent is not read"
        raise ServiceError(ErrorReason.ERROR_REASON_SLOW_READER, words) from None
