"""Messages put together from parts that are serialized already.

A record is serialized once: those bytes go into the frame of its transcript and into the
event that tells it to everybody. Protobuf allows that, because a message inside another one
is its bytes behind a tag and a length; these few functions write those.
"""

from typing import Final

# Lengths and fields are short numbers; those of two bytes are some 12 bits, the length of a table.
_SHORT: Final = 1 << 12
_VARINTS: Final = [
    bytes([number]) if number < 128 else bytes([number & 127 | 128, number >> 7])
    for number in range(_SHORT)
]


def varint(number: int) -> bytes:
    """Return a number as protobuf writes it, low bits first."""
    if number < _SHORT:
        return _VARINTS[number]
    parts = bytearray()
    while number >= 128:
        parts.append(number & 127 | 128)
        number >>= 7
    parts.append(number)
    return bytes(parts)


def number_field(field: int, number: int) -> bytes:
    """Return a field that is a number, whatever it is; fields up to 15."""
    return _VARINTS[field << 3] + varint(number)


def bytes_field(field: int, data: bytes) -> bytes:
    """Return a field that is a message, bytes or text; fields up to 15."""
    return _VARINTS[field << 3 | 2] + varint(len(data)) + data
