"""Pauses of the referee, and what somebody may do for nothing."""

import pytest

from referee.service.rates import Allowance
from referee.service.timing import KEPT_NS, MAX_KEPT, Pauses

SECOND_NS = 1_000_000_000


@pytest.mark.parametrize(
    ("start", "end", "credited"),
    [
        (0, 10, 0),
        (0, 100, 0),
        (0, 150, 50),
        (120, 150, 30),
        (150, 400, 150),
        (0, 500, 200),
        (300, 500, 0),
    ],
    ids=[
        "before",
        "up to it",
        "into it",
        "within",
        "out of one and into one",
        "over both",
        "after",
    ],
)
def test_what_overlaps_is_credited(start: int, end: int, credited: int) -> None:
    """Of pauses from 100 to 200 and from 200 to 300, what lies in the time asked for."""
    pauses = Pauses()
    pauses.add(100, 200)
    pauses.add(200, 300)
    assert pauses.credit(start, end) == credited


def test_pauses_that_overlap_count_once() -> None:
    """A pause that is told twice, the second time longer, is one pause."""
    pauses = Pauses()
    pauses.add(100, 200)
    pauses.add(100, 250)
    pauses.add(120, 180)
    assert pauses.credit(0, 1000) == 150
    assert (pauses.total_ns, pauses.longest_ns) == (150, 150)


def test_old_pauses_are_forgotten() -> None:
    """A referee that runs for months does not remember each of its pauses."""
    pauses = Pauses()
    for number in range(100):
        pauses.add(number * KEPT_NS, number * KEPT_NS + 10)
    assert len(pauses._ends) <= 2


def test_many_pauses_take_little_room_and_keep_their_sum() -> None:
    """A referee under load pauses all the time: nothing is lost, and memory is bounded."""
    pauses = Pauses()
    for number in range(10 * MAX_KEPT):
        pauses.add(100 * number, 100 * number + 10)
    assert len(pauses._ends) <= MAX_KEPT
    assert pauses._starts == sorted(pauses._starts)
    assert all(end <= start for end, start in zip(pauses._ends, pauses._starts[1:], strict=False))
    assert pauses.credit(0, 1000 * MAX_KEPT) == pauses.total_ns == 100 * MAX_KEPT
    # What is recent is still exact.
    last = 100 * (10 * MAX_KEPT - 1)
    assert pauses.credit(last + 5, last + 50) == 5


def test_an_allowance_fills_again() -> None:
    """So many at once, then as many as time brings."""
    allowance = Allowance(3, 2, 0)
    assert [allowance.take(0) for _ in range(4)] == [True, True, True, False]
    assert not allowance.take(SECOND_NS // 4)
    assert allowance.take(SECOND_NS // 2)
    assert [allowance.take(100 * SECOND_NS) for _ in range(4)] == [True, True, True, False]
