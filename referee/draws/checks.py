"""What a key, a seat or a number must be; anything else is a `DrawsError`."""

from referee.draws.errors import DrawsError
from referee.rules.errors import shown


def need_bytes(name: str, value: object, size: int) -> bytes:
    """Return a value that is bytes of that size, and raise `DrawsError` for any other."""
    if not isinstance(value, bytes) or len(value) != size:
        raise DrawsError(f"{name} is {size} bytes")
    return value


def need_number(name: str, value: object, low: int, high: int) -> int:
    """Return a value that is a number in that range, and raise `DrawsError` for any other."""
    if not isinstance(value, int) or isinstance(value, bool) or not low <= value <= high:
        raise DrawsError(f"{name} is a number from {low} to {high}, not {shown(value)}")
    return value
