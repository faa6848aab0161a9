"""A clock that stands still until a test moves it, so that time is exact and costs nothing."""

import asyncio
import heapq
from collections.abc import Callable
from itertools import count

from referee.service.timing import Clock

START_NS = 1_000_000_000_000
# More than so many timers in one go are not a clock, but a circle.
MOST = 20_000


class HandClock(Clock):
    """The clock of one referee, moved by hand.

    rung  how many timers have rung
    """

    def __init__(self) -> None:
        self.rung = 0
        self._now = START_NS
        self._numbers = count()
        self._timers: list[tuple[int, int]] = []
        # What a timer that was called off would have called is let go of.
        self._calls: dict[int, Callable[[], None]] = {}

    def now_ns(self) -> int:
        """Return the time, which somebody has set."""
        return self._now

    def call_later(self, delay_ns: int, call: Callable[[], None]) -> Callable[[], None]:
        """Let something be called when the time has come."""
        number = next(self._numbers)
        heapq.heappush(self._timers, (self._now + max(0, delay_ns), number))
        self._calls[number] = call

        def call_off() -> None:
            self._calls.pop(number, None)

        return call_off

    def pause(self, time_ns: int) -> None:
        """Let time pass in which the process does not run: nothing rings."""
        self._now += time_ns

    async def run(self, time_ns: int) -> None:
        """Let time pass, with everything that rings in it, in order."""
        end = self._now + time_ns
        most = self.rung + MOST
        while self._timers and self._timers[0][0] <= end:
            at, number = heapq.heappop(self._timers)
            call = self._calls.pop(number, None)
            if call is None:
                continue
            self._now = max(self._now, at)
            self.rung += 1
            assert self.rung < most, "the timers ring in circles"
            call()
            await asyncio.sleep(0)
        self._now = max(self._now, end)
