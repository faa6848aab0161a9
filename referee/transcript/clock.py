"""The clock of a seat: what an answer costs, and when time runs out (docs/transcript.md).

Time is passed in as whole nanoseconds; nothing here reads a clock. The same arithmetic
decides a live match and checks its record.
"""

from dataclasses import dataclass


@dataclass(frozen=True)
class ClockRule:
    """The time that every seat has; None does not limit."""

    move_limit_ns: int | None = None
    bank_ns: int | None = None
    increment_ns: int = 0
    startup_ns: int = 0

    @property
    def limits(self) -> bool:
        """Whether time can run out at all."""
        return self.move_limit_ns is not None or self.bank_ns is not None


class SeatClock:
    """The time that one seat has left.

    bank_ns     None without a bank
    startup_ns  what is left of the start-up allowance, 0 after the first move
    """

    __slots__ = ("_increment_ns", "bank_ns", "rule", "startup_ns")

    def __init__(self, rule: ClockRule | None) -> None:
        self.rule = rule
        self.bank_ns = None if rule is None else rule.bank_ns
        self.startup_ns = 0 if rule is None else rule.startup_ns
        self._increment_ns = 0 if rule is None else rule.increment_ns

    def allowance_ns(self) -> int | None:
        """Return how long the seat may take for an answer now, None if as long as it likes."""
        rule = self.rule
        if rule is None or not rule.limits:
            return None
        limits = [limit for limit in (rule.move_limit_ns, self.bank_ns) if limit is not None]
        return self.startup_ns + min(limits)

    def charge_for(self, elapsed_ns: int) -> int:
        """Return what an answer after so long is charged: the start-up allowance goes first."""
        startup = self.startup_ns
        return elapsed_ns - startup if elapsed_ns > startup else 0

    def cost(self, elapsed_ns: int, *, is_move: bool) -> tuple[int, int | None]:
        """Return what an answer after so long would be charged, and the bank after it."""
        charged = self.charge_for(elapsed_ns)
        if self.bank_ns is None:
            return charged, None
        return charged, self.bank_ns - charged + (self._increment_ns if is_move else 0)

    def answer(self, elapsed_ns: int, *, is_move: bool) -> int:
        """Take the time of an answer off and return what it is charged.

        A move earns the increment. Whether there was so much time is for others to say.
        """
        charged = elapsed_ns
        if self.startup_ns:
            charged = self.charge_for(elapsed_ns)
            self.startup_ns = 0 if is_move else self.startup_ns - (elapsed_ns - charged)
        bank = self.bank_ns
        if bank is not None:
            self.bank_ns = bank - charged + (self._increment_ns if is_move else 0)
        return charged
