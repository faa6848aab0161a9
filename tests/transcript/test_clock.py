"""The clock of a seat, by tables: what an answer costs, and how long the next may take."""

import pytest

from referee.transcript.clock import ClockRule, SeatClock


@pytest.mark.parametrize(
    ("rule", "allowance"),
    [
        (None, None),
        (ClockRule(), None),
        (ClockRule(increment_ns=5, startup_ns=9), None),
        (ClockRule(move_limit_ns=10), 10),
        (ClockRule(bank_ns=70), 70),
        (ClockRule(move_limit_ns=10, bank_ns=70), 10),
        (ClockRule(move_limit_ns=90, bank_ns=70), 70),
        (ClockRule(move_limit_ns=10, bank_ns=70, startup_ns=5), 15),
        (ClockRule(move_limit_ns=0), 0),
    ],
)
def test_the_first_answer(rule: ClockRule | None, allowance: int | None) -> None:
    """The smaller of limit and bank counts, and before the first move the start-up too."""
    assert SeatClock(rule).allowance_ns() == allowance


def test_a_bank_with_increment() -> None:
    """Each move is charged and earns the increment; a reveal earns nothing."""
    clock = SeatClock(ClockRule(bank_ns=100, increment_ns=3))
    clock.answer(10, is_move=True)
    assert clock.bank_ns == 93
    clock.answer(20, is_move=False)
    assert clock.bank_ns == 73
    clock.answer(73, is_move=True)
    assert clock.bank_ns == 3


def test_the_start_up_allowance_goes_first_and_ends_with_the_first_move() -> None:
    """Reveals before the first move use it too, and what is left then is gone."""
    clock = SeatClock(ClockRule(bank_ns=100, startup_ns=30))
    assert clock.charge_for(12) == 0
    clock.answer(12, is_move=False)
    assert (clock.bank_ns, clock.startup_ns) == (100, 18)
    assert clock.charge_for(20) == 2
    clock.answer(20, is_move=False)
    assert (clock.bank_ns, clock.startup_ns) == (98, 0)
    other = SeatClock(ClockRule(bank_ns=100, startup_ns=30))
    other.answer(4, is_move=True)
    assert (other.bank_ns, other.startup_ns) == (100, 0)
    assert other.charge_for(4) == 4


def test_without_a_bank_nothing_is_kept() -> None:
    """A limit per answer has no memory, and no clock charges nothing."""
    clock = SeatClock(ClockRule(move_limit_ns=10))
    clock.answer(9, is_move=True)
    assert (clock.bank_ns, clock.allowance_ns()) == (None, 10)
    none = SeatClock(None)
    none.answer(10**12, is_move=True)
    assert (none.bank_ns, none.charge_for(7)) == (None, 7)
