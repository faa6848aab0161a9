"""HMAC-SHA-256 with the 32-byte keys of the draws.

The standard library's `hmac.digest` gives the same bytes and takes 1.6 times as long,
because it sets up a cipher context for each call; a simulated round makes three MACs.
"""

from hashlib import sha256
from typing import Final

KEY_BYTES: Final = 32
_BLOCK_BYTES: Final = 64
_PADDING: Final = bytes(_BLOCK_BYTES - KEY_BYTES)
_INNER: Final = bytes([byte ^ 0x36 for byte in range(256)])
_OUTER: Final = bytes([byte ^ 0x5C for byte in range(256)])


def mac(key: bytes, message: bytes) -> bytes:
    """Return HMAC-SHA-256 (RFC 2104) of the message under a key of 32 bytes."""
    padded = key + _PADDING
    inner = sha256(padded.translate(_INNER) + message).digest()
    return sha256(padded.translate(_OUTER) + inner).digest()
