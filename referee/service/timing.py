"""Real time, and how much of it the referee itself was not there.

`Clock` is all that the service knows of time, so tests can put their own in its place.
`Pauses` remembers when the event loop did not run: a beat that comes late says so. What an
agent's answer waited for that long is credited to the agent, and stands in the record.
"""

import asyncio
import time
from bisect import bisect_left
from collections.abc import Callable

# A beat that is less late than this is the system's own jitter.
JITTER_NS = 1_000_000
BEAT_NS = 5_000_000
# Credits are asked for back to the question that is open the longest.
KEPT_NS = 24 * 3_600 * 1_000_000_000
MAX_KEPT = 20_000


class Clock:
    """The clocks of the machine; only differences of `now_ns` mean anything."""

    def now_ns(self) -> int:
        """Return a time that only goes forward."""
        return time.monotonic_ns()

    def utc_s(self) -> int:
        """Return the time of day, for display only."""
        return int(time.time())

    def call_later(self, delay_ns: int, call: Callable[[], None]) -> Callable[[], None]:
        """Call something after a while; return what calls it off."""
        return asyncio.get_running_loop().call_later(max(0, delay_ns) / 1e9, call).cancel


class Pauses:
    """The times during which the referee did not run."""

    def __init__(self) -> None:
        self._starts: list[int] = []
        self._ends: list[int] = []
        self.total_ns = 0
        self.longest_ns = 0

    def add(self, start: int, end: int) -> None:
        """Note a pause, or more of the last one; they come in order."""
        if self._ends and start <= self._ends[-1]:
            # It was looked at while it went on, perhaps many times.
            before, self._ends[-1] = self._ends[-1], max(end, self._ends[-1])
            self.total_ns += self._ends[-1] - before
        elif end > start:
            self._starts.append(start)
            self._ends.append(end)
            self.total_ns += end - start
        else:
            return
        self.longest_ns = max(self.longest_ns, self._ends[-1] - self._starts[-1])
        if self._ends[0] < end - KEPT_NS:
            gone = bisect_left(self._ends, end - KEPT_NS)
            del self._starts[:gone], self._ends[:gone]
        if len(self._ends) > MAX_KEPT:
            self._thin_out()

    def _thin_out(self) -> None:
        """Join the pauses of the older half in pairs: their sum stays, their place is rougher.

        A referee under load pauses hundreds of times a second, and a question may be open for
        long; the longer it is, the less it matters where exactly in it a pause was.
        """
        starts, ends = self._starts, self._ends
        old = MAX_KEPT // 4 * 2
        firsts = zip(starts[:old:2], ends[:old:2], starts[1:old:2], strict=True)
        starts[:old] = [later - (end - start) for start, end, later in firsts]
        ends[:old] = ends[1:old:2]

    def credit(self, start: int, end: int) -> int:
        """Return how much of that time was paused."""
        ends = self._ends
        if not ends or ends[-1] <= start:
            return 0
        credited = 0
        for index in range(bisect_left(ends, start), len(ends)):
            overlap = min(end, ends[index]) - max(start, self._starts[index])
            credited += max(0, overlap)
        return credited


class Heart:
    """Beats on the event loop and notes how late each beat is."""

    def __init__(self, clock: Clock, pauses: Pauses, late: Callable[[int], None]) -> None:
        self._clock = clock
        self._pauses = pauses
        self._late = late
        self._due = 0
        self._cancel: Callable[[], None] | None = None

    def start(self) -> None:
        """Begin to beat."""
        self._due = self._clock.now_ns() + BEAT_NS
        self._cancel = self._clock.call_later(BEAT_NS, self._beat)

    def stop(self) -> None:
        """Stop beating."""
        if self._cancel is not None:
            self._cancel()
            self._cancel = None

    def look(self) -> None:
        """Note a pause that is going on, before something is decided by the time."""
        now = self._clock.now_ns()
        if now - self._due > JITTER_NS:
            self._pauses.add(self._due, now)

    def _beat(self) -> None:
        now = self._clock.now_ns()
        late = now - self._due
        self._late(late)
        if late > JITTER_NS:
            self._pauses.add(self._due, now)
        self._due = now + BEAT_NS
        self._cancel = self._clock.call_later(BEAT_NS, self._beat)
