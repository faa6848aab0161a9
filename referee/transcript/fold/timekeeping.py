"""Whether the recorded times are those that the clock rule makes of them.

A record shows what the referee measured and cannot prove it; this checks that every
charge, bank and flag follows from the times that stand there.
"""

from referee.transcript.clock import ClockRule, SeatClock
from referee.transcript.finding import WrongRecord
from referee.transcript.limits import MAX_TIME_NS
from referee.v1.record_pb2 import SeatOut, Timing


class Timekeeper:
    """The clocks of all seats, as the records tell them."""

    def __init__(self, rule: ClockRule | None, seats: int) -> None:
        self.clocks = [SeatClock(rule) for _ in range(seats)]
        # Once something was wrong, nothing after it can be judged.
        self.wrong = False
        self._limit = None if rule is None else rule.move_limit_ns
        # Within the running epoch: when the last move, the last reveal and the last refusal
        # of this turn were received, and when the reveals of this round were asked for.
        self._moved = 0
        self._revealed = 0
        self._refused = 0
        self._asked: int | None = None

    def restart(self) -> None:
        """Begin another epoch: times of the last one mean nothing here."""
        self._moved = self._revealed = self._refused = 0
        self._asked = None

    def move(self, seat: int, timing: Timing, received: int) -> None:
        """Take an accepted move."""
        if self.wrong:
            return
        sent = timing.sent_ns
        self._answer(seat, timing, sent, received, is_move=True)
        if sent < self._moved or sent < self._revealed:
            self._check_sent(sent, max(self._moved, self._revealed))
        if self._refused:
            if received < self._refused:
                raise WrongRecord(f"received_ns from {self._refused} on", str(received))
            self._refused = 0
        self._moved = received

    def reveal(self, seat: int, timing: Timing) -> None:
        """Take a share of the round to be dealt."""
        if self.wrong:
            return
        sent, received = timing.sent_ns, timing.received_ns
        self._answer(seat, timing, sent, received, is_move=False)
        if self._asked is not None and sent != self._asked:
            raise WrongRecord(f"sent_ns {self._asked}, as the others", str(sent))
        self._check_sent(sent, self._moved)
        self._asked = sent
        self._revealed = max(self._revealed, received)

    def deal(self) -> None:
        """Note that a round is dealt: the next reveals have a question of their own."""
        if self._asked is not None:
            self._moved = max(self._moved, self._revealed)
            self._asked = None

    def refuse(self, received: int) -> None:
        """Take a refused answer: the clock runs on."""
        if self.wrong:
            return
        if received > MAX_TIME_NS:
            raise WrongRecord(f"times up to {MAX_TIME_NS} ns", str(received))
        self._refused = max(self._refused, received)

    def flag(self, seat: int, out: SeatOut) -> None:
        """Check that time ran out when the record says it did."""
        if self.wrong:
            return
        allowance = self.clocks[seat].allowance_ns()
        if allowance is None:
            raise WrongRecord("a clock that can run out", "none")
        for name in ("sent_ns", "credited_ns", "flag_ns"):
            if not out.HasField(name):
                raise WrongRecord(f"{name} of a flag", "none")
        self._check_sent(out.sent_ns, self._moved)
        flag = out.sent_ns + out.credited_ns + allowance
        if out.flag_ns != flag:
            raise WrongRecord(f"flag_ns {flag}", str(out.flag_ns))

    def _check_sent(self, sent: int, earliest: int) -> None:
        if sent < earliest:
            raise WrongRecord(f"sent_ns from {earliest} on", str(sent))

    def _answer(
        self, seat: int, timing: Timing, sent: int, received: int, *, is_move: bool
    ) -> None:
        elapsed = received - sent - timing.credited_ns
        if elapsed < 0 or received > MAX_TIME_NS:
            found = f"{sent}, {received}, {timing.credited_ns}"
            raise WrongRecord("sent_ns + credited_ns up to received_ns", found)
        clock = self.clocks[seat]
        before = clock.bank_ns
        charged = clock.answer(elapsed, is_move=is_move)
        if timing.charged_ns != charged:
            raise WrongRecord(f"charged_ns {charged}", str(timing.charged_ns))
        limit = self._limit
        if limit is not None and charged > limit:
            raise WrongRecord(f"an answer within {limit} ns", f"one after {charged}")
        if before is not None and charged > before:
            raise WrongRecord(f"an answer within the bank of {before} ns", f"one after {charged}")
        bank = clock.bank_ns
        if bank is None:
            if timing.HasField("bank_after_ns"):
                raise WrongRecord("no bank", f"bank_after_ns {timing.bank_after_ns}")
        elif timing.bank_after_ns != bank or (not bank and not timing.HasField("bank_after_ns")):
            raise WrongRecord(f"bank_after_ns {bank}", str(timing.bank_after_ns))
