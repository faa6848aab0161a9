"""Time that passes only when a test says so, for a referee in the process of the tests.

Messages still travel by real streams; while they do, no time passes. So what an agent is
charged, and when something falls, is exact to the nanosecond, however slow the machine is.
"""

import asyncio
import heapq
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from referee.service import server
from referee.service.app import Running
from referee.service.timing import Clock
from tests.service.here import serving

SECOND_NS = 1_000_000_000
START_UTC_S = 1_700_000_000
# More timers than that in one go are no clock, but a circle.
MOST = 100_000


class VirtualClock(Clock):
    """A clock that stands still until it is moved.

    rung  how many timers have rung
    """

    def __init__(self) -> None:
        self.rung = 0
        self._now = SECOND_NS
        self._timers: list[tuple[int, int]] = []
        # What a timer that was called off would have called is let go of.
        self._calls: dict[int, Callable[[], None]] = {}
        self._number = 0

    def now_ns(self) -> int:
        """Return the time to which it was moved."""
        return self._now

    def utc_s(self) -> int:
        """Return a time of day that goes with it."""
        return START_UTC_S + self._now // SECOND_NS

    def call_later(self, delay_ns: int, call: Callable[[], None]) -> Callable[[], None]:
        """Call something when the clock is moved so far."""
        self._number += 1
        number = self._number
        heapq.heappush(self._timers, (self._now + max(0, delay_ns), number))
        self._calls[number] = call

        def call_off() -> None:
            self._calls.pop(number, None)

        return call_off

    async def sleep(self, seconds: float) -> None:
        """Return when the clock was moved so far."""
        over = asyncio.Event()
        self.call_later(int(seconds * SECOND_NS), over.set)
        await over.wait()

    async def forward(self, by_ns: int) -> None:
        """Let time pass: whatever is due on the way rings at its very instant."""
        end = self._now + by_ns
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
            # Whoever was waken by that comes next.
            await asyncio.sleep(0)
        self._now = end

    def jump(self, by_ns: int) -> None:
        """Let time pass without a timer: what is read now comes before what rings late."""
        self._now += by_ns


@asynccontextmanager
async def standing_still(
    data: Path, monkeypatch: pytest.MonkeyPatch, **settings: Any
) -> AsyncIterator[tuple[Running, VirtualClock]]:
    """Serve by a clock that a test moves; it wakes the watch over streams, too."""
    clock = VirtualClock()
    moved = SimpleNamespace(**{**vars(asyncio), "sleep": clock.sleep})
    monkeypatch.setattr(server, "asyncio", moved)
    async with serving(data, clock=clock, **settings) as running:
        yield running, clock
