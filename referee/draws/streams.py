"""Streams of numbers from a round key, in the shape `referee.rules.chance` asks for."""

from typing import Final

from referee.draws.checks import need_bytes, need_number
from referee.draws.keys import (
    HASH_BYTES,
    MAX_ROUND,
    MAX_SEATS,
    ROUND_KEY,
    fixed_match_key,
    shares,
    tag,
)
from referee.draws.mac import Mac, mac
from referee.native.hints import i64, mypyc_attr
from referee.rules.chance import Purpose

MAX_UNIFORM: Final = 256
# _LIMIT[n]: bytes from here on are skipped, so that every value below n is equally likely.
_LIMIT: Final[list[i64]] = [
    0,
    *[MAX_UNIFORM - MAX_UNIFORM % n for n in range(1, MAX_UNIFORM + 1)],
]
# `keys` is not compiled; compiled code looks its names up whenever it needs them, but not these.
_HASH_BYTES: Final[int] = HASH_BYTES
_MAX_ROUND: Final[int] = MAX_ROUND
_PREFIXES: Final = [tag("stream") + bytes([purpose]) for purpose in range(256)]
_PURPOSES: Final = max(Purpose) + 1
# In a game with a fixed seed no seat has a share, in any round.
_NO_SHARES: Final = [shares([None] * seats) for seats in range(1, MAX_SEATS + 1)]


@mypyc_attr(allow_interpreted_subclasses=True)
class ByteStream:
    """stream(r, purpose): MAC(round_key, T("stream") + u8 purpose + u32 block), joined.

    It keeps its place, so a refill of the bag or a second draw simply goes on.
    """

    __slots__ = ("_at", "_block", "_block_index", "_key", "_prefix")

    _at: i64

    def __init__(self, round_key: object, purpose: object) -> None:
        self._key = need_bytes("round_key", round_key, _HASH_BYTES)
        self._prefix = _PREFIXES[need_number("purpose", purpose, 0, 255)]
        self._block = b""
        self._block_index = 0
        self._at = 0

    def _next_block(self) -> bytes:
        message = self._prefix + self._block_index.to_bytes(4, "big")
        self._block = mac(self._key, message)
        self._block_index += 1
        return self._block

    def uniform(self, n: object) -> int:
        """Return a number uniform over 0 .. n-1; n = 1 consumes a byte like any other."""
        return self.descend(n, 1)[0]

    def descend(self, n: object, k: object) -> list[int]:
        """Return uniform(n), uniform(n-1), ..., k numbers: a draw without putting back."""
        if type(n) is int and type(k) is int and 0 <= k <= n <= MAX_UNIFORM:
            return self._descend(n, k)
        # Looked at more closely only when something is wrong: this is called for every draw.
        top = need_number("n", n, 0, MAX_UNIFORM)
        return self._descend(top, need_number("k", k, 0, top))

    def _descend(self, n: i64, k: i64) -> list[int]:
        numbers = [0] * k
        block = self._block
        at = self._at
        index: i64
        for index in range(k):
            size = n - index
            limit: i64 = _LIMIT[size]
            while True:
                if at == len(block):
                    block = self._next_block()
                    at = 0
                byte: i64 = block[at]
                at += 1
                if byte < limit:
                    numbers[index] = byte % size
                    break
        self._at = at
        return numbers


@mypyc_attr(allow_interpreted_subclasses=True)
class RoundStreams:
    """The streams of one round, each made when first asked for."""

    __slots__ = ("_key", "_streams")

    def __init__(self, round_key: object) -> None:
        self._key = need_bytes("round_key", round_key, _HASH_BYTES)
        self._streams: list[ByteStream | None] = [None] * _PURPOSES

    def stream(self, purpose: object) -> ByteStream:
        """Return the stream of that purpose, always the same one within the round."""
        number = need_number("purpose", purpose, 1, _PURPOSES - 1)
        stream = self._streams[number]
        if stream is None:
            stream = self._streams[number] = ByteStream(self._key, number)
        return stream


@mypyc_attr(allow_interpreted_subclasses=True)
class FixedStreams:
    """The streams of a whole game with a fixed seed, for simulation and practice."""

    def __init__(self, seed: object, seats: object) -> None:
        self._shares = _NO_SHARES[need_number("seats", seats, 1, MAX_SEATS) - 1]
        match_key = fixed_match_key(need_bytes("seed", seed, _HASH_BYTES))
        # `keys.round_key` for every round of this match.
        self._round_key = Mac(match_key, ROUND_KEY)
        self._round = 0
        self._streams: RoundStreams | None = None

    def round(self, r: object) -> RoundStreams:
        """Return the streams of round r: the same ones until another round is asked for."""
        number = need_number("round", r, 1, _MAX_ROUND)
        if self._streams is None or number != self._round:
            key = self._round_key.of(number.to_bytes(4, "big") + self._shares)
            self._streams = RoundStreams(key)
            self._round = number
        return self._streams
