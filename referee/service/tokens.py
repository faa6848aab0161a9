"""The text of tokens: how they are made, read and kept out of logs.

    azo_...  an organiser's: 32 random bytes
    aza_...  an agent's: 32 random bytes
    azs_...  a seat's: match_id + u8 seat + MAC(token key, T("seat-token") + match_id + u8 seat)

Bytes are written in base64url without padding, and only the one spelling that this module
writes is read: two texts are never the same token. Nothing here keeps, logs or looks up a
token, and nothing raises for whatever a stranger sends.
"""

import base64
import binascii
import hmac
import re
from hashlib import sha256
from typing import Final

from referee.draws import MATCH_ID_BYTES, tag
from referee.draws.checks import need_bytes, need_number

ORGANISER_PREFIX: Final = "azo_"
AGENT_PREFIX: Final = "aza_"
SEAT_PREFIX: Final = "azs_"
SECRET_BYTES: Final = 32
TOKEN_KEY_BYTES: Final = 32
MAX_SEAT: Final = 255

_MAC_BYTES: Final = 32
_SEAT_TAG: Final = tag("seat-token")
_SEAT_BYTES: Final = MATCH_ID_BYTES + 1 + _MAC_BYTES
# Pieces of a token count as well, and so does one that somebody has encoded once more.
_LOOKS_LIKE_ONE: Final = re.compile(r"(az[oas]_)[A-Za-z0-9_+/=%-]{8,}")


def bearer_text(prefix: str, secret: bytes) -> str:
    """Return the token of an organiser or an agent, made from 32 random bytes."""
    return prefix + _encode(need_bytes("the secret of a token", secret, SECRET_BYTES))


def bearer_hash(text: object) -> bytes | None:
    """Return what is stored of an organiser's or agent's token; None if the text is none."""
    for prefix in (ORGANISER_PREFIX, AGENT_PREFIX):
        if isinstance(text, str) and _decode(prefix, text, SECRET_BYTES) is not None:
            return sha256(text.encode("ascii")).digest()
    return None


def make_seat_token(key: bytes, match_id: bytes, seat: int) -> str:
    """Return the token with which whoever has it plays for a seat."""
    need_bytes("match_id", match_id, MATCH_ID_BYTES)
    named = match_id + bytes([need_number("seat", seat, 0, MAX_SEAT)])
    return SEAT_PREFIX + _encode(named + _seat_mac(key, named))


def open_seat_token(key: bytes, text: object) -> tuple[bytes, int] | None:
    """Return the match and the seat that a token stands for; None if it was not made here."""
    data = _decode(SEAT_PREFIX, text, _SEAT_BYTES)
    if data is None:
        return None
    named, claimed = data[:-_MAC_BYTES], data[-_MAC_BYTES:]
    if not hmac.compare_digest(claimed, _seat_mac(key, named)):
        return None
    return named[:-1], named[-1]


def redact(text: str) -> str:
    """Return a text for a log, without anything in it that looks like a token."""
    return _LOOKS_LIKE_ONE.sub(r"\1***", text)


def _seat_mac(key: bytes, named: bytes) -> bytes:
    return hmac.digest(need_bytes("the token key", key, TOKEN_KEY_BYTES), _SEAT_TAG + named, sha256)


def _encode(data: bytes) -> str:
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode("ascii")


def _decode(prefix: str, text: object, size: int) -> bytes | None:
    """Return the bytes of a token of that kind and size; None for any other text."""
    digits = -(-size * 4 // 3)
    # The length comes first, so that nothing is done with a text of any other size.
    if not isinstance(text, str) or len(text) != len(prefix) + digits:
        return None
    if not text.isascii():
        return None
    try:
        data = base64.urlsafe_b64decode(text[len(prefix) :] + "=" * (-digits % 4))
    except binascii.Error:
        return None
    # The decoder passes over foreign characters and over unused bits at the end; and the
    # prefix may be that of another kind.
    return data if prefix + _encode(data) == text else None
