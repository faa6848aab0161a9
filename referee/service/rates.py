"""How much somebody may do: so much at once, so much a second in the long run."""

from collections import OrderedDict


class Allowance:
    """A bucket of tokens that fills by itself; time is passed in."""

    __slots__ = ("_at_ns", "_burst", "_left", "_per_second")

    def __init__(self, burst: int, per_second: int, now_ns: int) -> None:
        self._burst = burst
        self._per_second = per_second
        self._left = float(burst)
        self._at_ns = now_ns

    def take(self, now_ns: int) -> bool:
        """Take one, and return whether there was one."""
        gained = (now_ns - self._at_ns) * self._per_second / 1e9
        self._left = min(self._burst, self._left + gained)
        self._at_ns = now_ns
        if self._left < 1:
            return False
        self._left -= 1
        return True


class Allowances:
    """An allowance for each of many, of whom only those seen last are remembered."""

    def __init__(self, burst: int, per_second: int, most: int) -> None:
        self._burst = burst
        self._per_second = per_second
        self._most = most
        self._known: OrderedDict[str, Allowance] = OrderedDict()

    def take(self, who: str, now_ns: int) -> bool:
        """Take one of somebody's, and return whether there was one."""
        allowance = self._known.pop(who, None)
        if allowance is None:
            allowance = Allowance(self._burst, self._per_second, now_ns)
        self._known[who] = allowance
        if len(self._known) > self._most:
            # Whoever was quiet the longest has a full allowance by now, or nearly so.
            self._known.popitem(last=False)
        return allowance.take(now_ns)
