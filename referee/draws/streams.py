"""Streams of numbers from a round key, in the shape `referee.rules.chance` asks for."""

from referee.draws.keys import (
    HASH_BYTES,
    MAX_SEATS,
    fixed_match_key,
    need_bytes,
    need_number,
    round_key_of_shares,
    shares,
    tag,
)
from referee.draws.mac import mac
from referee.rules.chance import Chance, Purpose, Stream

MAX_UNIFORM = 256
# _LIMIT[n]: bytes from here on are skipped, so that every value below n is equally likely.
_LIMIT = (0, *(MAX_UNIFORM - MAX_UNIFORM % n for n in range(1, MAX_UNIFORM + 1)))
_STREAM = tag("stream")
_PURPOSES = max(Purpose) + 1


class ByteStream(Stream):
    """stream(r, purpose): MAC(round_key, T("stream") + u8 purpose + u32 block), joined.

    It keeps its place, so a refill of the bag or a second draw simply goes on.
    """

    __slots__ = ("_at", "_block", "_block_index", "_key", "_prefix")

    def __init__(self, round_key: bytes, purpose: int) -> None:
        need_bytes("round_key", round_key, HASH_BYTES)
        need_number("purpose", purpose, 0, 255)
        self._key = round_key
        self._prefix = _STREAM + purpose.to_bytes(1, "big")
        self._block = b""
        self._block_index = 0
        self._at = 0

    def _next_block(self) -> bytes:
        message = self._prefix + self._block_index.to_bytes(4, "big")
        self._block = mac(self._key, message)
        self._block_index += 1
        return self._block

    def uniform(self, n: int) -> int:
        """Return a number uniform over 0 .. n-1; n = 1 consumes a byte like any other."""
        return self.descend(n, 1)[0]

    def descend(self, n: int, k: int) -> list[int]:
        """Return uniform(n), uniform(n-1), ..., k numbers: a draw without putting back."""
        if type(n) is not int or type(k) is not int or not 0 <= k <= n <= MAX_UNIFORM:
            # Looked at more closely only when something is wrong: this is called for every draw.
            need_number("n", n, 0, MAX_UNIFORM)
            need_number("k", k, 0, n)
        numbers: list[int] = []
        block = self._block
        at = self._at
        for size in range(n, n - k, -1):
            limit = _LIMIT[size]
            while True:
                if at == len(block):
                    block = self._next_block()
                    at = 0
                byte = block[at]
                at += 1
                if byte < limit:
                    numbers.append(byte % size)
                    break
        self._at = at
        return numbers


class RoundStreams(Chance):
    """The streams of one round, each made when first asked for."""

    __slots__ = ("_key", "_streams")

    def __init__(self, round_key: bytes) -> None:
        self._key = round_key
        self._streams: list[ByteStream | None] = [None] * _PURPOSES

    def stream(self, purpose: Purpose) -> ByteStream:
        """Return the stream of that purpose, always the same one within the round."""
        if type(purpose) is not Purpose:
            need_number("purpose", purpose, 1, _PURPOSES - 1)
        stream = self._streams[purpose]
        if stream is None:
            stream = self._streams[purpose] = ByteStream(self._key, int(purpose))
        return stream


class FixedStreams:
    """The streams of a whole game with a fixed seed, for simulation and practice."""

    def __init__(self, seed: bytes, seats: int) -> None:
        need_number("seats", seats, 1, MAX_SEATS)
        self._match_key = fixed_match_key(seed)
        # No seat has a share, in any round.
        self._shares = shares([None] * seats)
        self._round = 0
        self._streams: RoundStreams | None = None

    def round(self, r: int) -> RoundStreams:
        """Return the streams of round r: the same ones until another round is asked for."""
        if self._streams is None or r != self._round:
            self._streams = RoundStreams(round_key_of_shares(self._match_key, r, self._shares))
            self._round = r
        return self._streams
