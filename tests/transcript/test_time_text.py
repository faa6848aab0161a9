"""Durations and clocks as text."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from referee.transcript.clock import ClockRule
from referee.transcript.limits import MAX_TIME_NS
from referee.transcript.time_text import (
    BadTime,
    format_clock,
    format_duration,
    parse_clock,
    parse_duration,
)

SECOND = 1_000_000_000


@pytest.mark.parametrize(
    ("text", "nanoseconds", "shortest"),
    [
        ("0", 0, "0"),
        ("0s", 0, "0"),
        ("1ns", 1, "1ns"),
        ("1500ns", 1_500, "1.5us"),
        ("250ms", SECOND // 4, "250ms"),
        ("1.5s", SECOND * 3 // 2, "1.5s"),
        ("90s", 90 * SECOND, "1m30s"),
        ("1m30s", 90 * SECOND, "1m30s"),
        ("5m", 300 * SECOND, "5m"),
        ("1h", 3_600 * SECOND, "1h"),
        ("1h0.5s", 3_600 * SECOND + SECOND // 2, "1h0.5s"),
        ("1h30m", 5_400 * SECOND, "1h30m"),
        ("1m1ms", 60 * SECOND + 1_000_000, "1m0.001s"),
    ],
)
def test_durations(text: str, nanoseconds: int, shortest: str) -> None:
    """Are read in any units and written in the shortest form."""
    assert parse_duration(text) == nanoseconds
    assert format_duration(nanoseconds) == shortest


@pytest.mark.parametrize(
    "text",
    [
        *("", "5", "s", "-1s", "1 s", "1s1m", "1s1s", "1x", "1.s", ".5s", "0.1ns", "1e3s", "12d"),
        *("1s,", "278h", "9" * 30 + "s", "1m-1s", "٣s"),
    ],
)
def test_texts_that_are_no_durations(text: str) -> None:
    """Are refused."""
    with pytest.raises(BadTime):
        parse_duration(text)


@given(st.integers(0, MAX_TIME_NS))
def test_a_duration_that_is_written_is_read_again(nanoseconds: int) -> None:
    """To the nanosecond."""
    assert parse_duration(format_duration(nanoseconds)) == nanoseconds


@pytest.mark.parametrize(
    ("text", "rule"),
    [
        (
            "bank=5m,increment=1s,limit=30s,startup=30s",
            ClockRule(30 * SECOND, 300 * SECOND, SECOND, 30 * SECOND),
        ),
        ("limit=1s", ClockRule(move_limit_ns=SECOND)),
        ("bank=10ms", ClockRule(bank_ns=10_000_000)),
        ("bank=0,limit=0", ClockRule(0, 0)),
    ],
)
def test_clocks(text: str, rule: ClockRule) -> None:
    """Are read and written in one order."""
    assert parse_clock(text) == rule
    assert format_clock(rule) == text
    assert parse_clock(", ".join(reversed(text.split(",")))) == rule


def test_no_clock() -> None:
    """Is a word of its own."""
    assert format_clock(None) == format_clock(ClockRule(startup_ns=1)) == "none"


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("", "a clock is like"),
        ("5m", "a clock is like"),
        ("bnak=5m", "a clock is like"),
        ("bank=5m,", "a clock is like"),
        ("bank=5m,bank=5m", "bank stands twice"),
        ("bank=5", "a duration is like"),
        ("increment=1s,startup=1s", "has neither"),
        ("limit=1s,increment=1s", "an increment is added to a bank"),
    ],
)
def test_texts_that_are_no_clocks(text: str, problem: str) -> None:
    """Are refused with the reason."""
    with pytest.raises(BadTime, match=problem):
        parse_clock(text)
