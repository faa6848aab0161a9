"""Durations and clocks as people write them, and back.

    duration = 0 | number unit [number unit ...]      90s, 1m30s, 1.5s, 250ms
    unit     = h | m | s | ms | us | ns               each at most once, the largest first
    clock    = part [, part ...]                      bank=5m,increment=1s,limit=30s,startup=30s
    part     = bank | increment | limit | startup, then = and a duration

All times are whole nanoseconds; what is finer, or longer than a record can hold, is refused.
What is written here is read here as the same time.
"""

import re
from fractions import Fraction
from typing import Final

from referee.transcript.clock import ClockRule
from referee.transcript.errors import TranscriptError
from referee.transcript.limits import MAX_TIME_NS

UNITS: Final = {
    "h": 3_600_000_000_000,
    "m": 60_000_000_000,
    "s": 1_000_000_000,
    "ms": 1_000_000,
    "us": 1_000,
    "ns": 1,
}
PARTS: Final = ("bank", "increment", "limit", "startup")
_PIECE: Final = re.compile(r"([0-9]{1,18}(?:\.[0-9]{1,9})?)(h|ms|m|s|us|ns)")
_EXAMPLE: Final = "a duration is like 90s, 1m30s, 1.5s or 250ms"


class BadTime(TranscriptError):
    """A text that is no duration or no clock."""


def parse_duration(text: str) -> int:
    """Return the nanoseconds of a duration, or raise `BadTime`."""
    if text == "0":
        return 0
    total = Fraction(0)
    at, largest = 0, MAX_TIME_NS
    while at < len(text) or not at:
        piece = _PIECE.match(text, at)
        if piece is None:
            raise BadTime(f"{_EXAMPLE}, not {_quoted(text)}")
        number, unit = piece.groups()
        if UNITS[unit] >= largest:
            raise BadTime(f"{_EXAMPLE}, the largest unit first and each once, not {_quoted(text)}")
        largest = UNITS[unit]
        total += Fraction(number) * UNITS[unit]
        at = piece.end()
    if total.denominator != 1:
        raise BadTime(f"nothing is finer than a nanosecond, as {_quoted(text)} is")
    if total > MAX_TIME_NS:
        raise BadTime(f"no time is longer than {format_duration(MAX_TIME_NS)}, as {_quoted(text)}")
    return int(total)


def format_duration(nanoseconds: int) -> str:
    """Return the shortest text for a duration: hours, minutes and seconds, or a small unit."""
    if nanoseconds == 0:
        return "0"
    if nanoseconds < UNITS["s"]:
        unit = next(unit for unit, size in UNITS.items() if size <= nanoseconds)
        return _number(nanoseconds, UNITS[unit]) + unit
    hours, rest = divmod(nanoseconds, UNITS["h"])
    minutes, rest = divmod(rest, UNITS["m"])
    seconds = _number(rest, UNITS["s"])
    pieces = ((str(hours), "h"), (str(minutes), "m"), (seconds, "s"))
    return "".join(number + unit for number, unit in pieces if number != "0")


def _number(nanoseconds: int, size: int) -> str:
    whole, rest = divmod(nanoseconds, size)
    digits = len(str(size)) - 1
    return f"{whole}.{rest:0{digits}}".rstrip("0").rstrip(".") if rest else str(whole)


def parse_clock(text: str) -> ClockRule:
    """Return the clock that a text describes, or raise `BadTime`."""
    times: dict[str, int] = {}
    for part in text.split(","):
        name, equals, duration = part.strip().partition("=")
        if not equals or name not in PARTS:
            words = "a clock is like bank=5m,increment=1s,limit=30s,startup=30s"
            raise BadTime(f"{words}, not {_quoted(text)}")
        if name in times:
            raise BadTime(f"{name} stands twice in {_quoted(text)}")
        times[name] = parse_duration(duration)
    rule = ClockRule(
        move_limit_ns=times.get("limit"),
        bank_ns=times.get("bank"),
        increment_ns=times.get("increment", 0),
        startup_ns=times.get("startup", 0),
    )
    if not rule.limits:
        raise BadTime(f"a clock has a bank or a limit or both, {_quoted(text)} has neither")
    if rule.increment_ns and rule.bank_ns is None:
        raise BadTime("an increment is added to a bank, and there is none")
    return rule


def format_clock(rule: ClockRule | None) -> str:
    """Return a clock as text; ``none`` where no clock runs."""
    if rule is None or not rule.limits:
        return "none"
    times = (rule.bank_ns, rule.increment_ns or None, rule.move_limit_ns, rule.startup_ns or None)
    return ",".join(
        f"{name}={format_duration(time)}"
        for name, time in zip(PARTS, times, strict=True)
        if time is not None
    )


def _quoted(text: str) -> str:
    return ascii(text[:60])
