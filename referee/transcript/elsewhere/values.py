"""What counts as a number in JSON: true is none, and neither is 1.0."""

from typing import Any, TypeGuard

from referee.transcript.elsewhere.finding import Wrong


def is_int(value: object) -> TypeGuard[int]:
    """Return whether the value was written as an integer."""
    return isinstance(value, int) and not isinstance(value, bool)


def is_index(value: object, size: int) -> TypeGuard[int]:
    """Return whether the value is an integer from 0 up to, not including, the size."""
    return is_int(value) and 0 <= value < size


def check_numbers(
    place: str, claimed: list[Any], expected: list[int], reason: str, rule: str
) -> None:
    """Raise `Wrong` unless the claim is exactly these numbers."""
    # 1.0 and true are equal to 1 in Python, but no integers of the format.
    if claimed != expected or not all(is_int(value) for value in claimed):
        raise Wrong(place, reason, claimed, expected, rule)
