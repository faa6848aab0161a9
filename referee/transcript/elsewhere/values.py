"""What counts as a number in JSON: true is none, and neither is 1.0."""

from typing import TypeGuard


def is_int(value: object) -> TypeGuard[int]:
    """Return whether the value was written as an integer."""
    return isinstance(value, int) and not isinstance(value, bool)


def is_index(value: object, size: int) -> TypeGuard[int]:
    """Return whether the value is an integer from 0 up to, not including, the size."""
    return is_int(value) and 0 <= value < size
