"""How much somebody may do for nothing: so much at once, so much a second in the long run."""


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
