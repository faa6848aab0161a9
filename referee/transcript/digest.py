"""The digest of a position, which a record shows after every round (docs/transcript.md)."""

from hashlib import sha256

from referee.draws import tag
from referee.rules import Position

_TAG = tag("position")


def digest(public: Position) -> bytes:
    """Return the digest of a position as a spectator sees it."""
    return sha256(_TAG + public.layout()).digest()
