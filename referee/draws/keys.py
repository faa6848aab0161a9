"""The keys behind every draw: commitments, agent chains, match and round keys.

Each definition of docs/draws.md is one function here, with the same name. All are pure:
who may know which value when is for the layers above.
"""

# Not compiled: all the time goes into hashing, and wrong types must meet our own errors.

import hashlib
from collections.abc import Sequence

from referee.draws.checks import need_bytes, need_number
from referee.draws.errors import DrawsError
from referee.draws.mac import mac
from referee.rules.errors import shown

HASH_BYTES = 32
MATCH_ID_BYTES = 16
CHAIN_LENGTH = 64
PLAYER_SEED_BYTES = 8
MAX_SEATS = 4
MAX_ROUND = 0xFFFFFFFF

_ABSENT = bytes(1 + HASH_BYTES)


def tag(name: str) -> bytes:
    """Return T(name): it keeps the inputs of different hashes apart."""
    if not isinstance(name, str) or not name.isascii():
        raise DrawsError(f"a tag is ASCII text, not {shown(name)}")
    return b"azul-referee/1/" + name.encode("ascii") + b"\0"


ROUND_KEY = tag("round-key")
_FIXED_KEY = tag("fixed-key")


def _u8(value: int) -> bytes:
    return value.to_bytes(1, "big")


def _u32(value: int) -> bytes:
    return value.to_bytes(4, "big")


def _hash(data: bytes) -> bytes:
    return hashlib.sha256(data).digest()


# Before the match ----------------------------------------------------------------------


def setup_hash(setup: bytes) -> bytes:
    """Return the hash of the exact Setup bytes."""
    if not isinstance(setup, bytes):
        raise DrawsError("setup is bytes")
    return _hash(tag("setup") + setup)


def server_commit(match_id: bytes, setup_hash: bytes, server_seed: bytes) -> bytes:
    """Return what the referee publishes before anyone joins; the seed opens it at the end."""
    need_bytes("match_id", match_id, MATCH_ID_BYTES)
    need_bytes("setup_hash", setup_hash, HASH_BYTES)
    need_bytes("server_seed", server_seed, HASH_BYTES)
    return _hash(tag("server-commit") + match_id + setup_hash + server_seed)


def agent_root(agent_secret: bytes, match_id: bytes, seat: int, server_commit: bytes) -> bytes:
    """Return x_64 as the kits derive it, so that a restarted agent can go on."""
    need_bytes("agent_secret", agent_secret, HASH_BYTES)
    need_bytes("match_id", match_id, MATCH_ID_BYTES)
    need_number("seat", seat, 0, MAX_SEATS - 1)
    need_bytes("server_commit", server_commit, HASH_BYTES)
    return mac(agent_secret, tag("agent-root") + match_id + _u8(seat) + server_commit)


def chain_step(match_id: bytes, seat: int, server_commit: bytes, i: int, x_i: bytes) -> bytes:
    """Return x_(i-1): the value that x_i opens."""
    need_bytes("match_id", match_id, MATCH_ID_BYTES)
    need_number("seat", seat, 0, MAX_SEATS - 1)
    need_bytes("server_commit", server_commit, HASH_BYTES)
    need_number("i", i, 1, CHAIN_LENGTH)
    need_bytes("x_i", x_i, HASH_BYTES)
    return _hash(tag("agent-chain") + match_id + _u8(seat) + server_commit + _u32(i) + x_i)


def agent_chain(match_id: bytes, seat: int, server_commit: bytes, x_64: bytes) -> list[bytes]:
    """Return x_0 .. x_64: an agent commits x_0 and reveals x_r before round r."""
    chain = [x_64]
    for i in range(CHAIN_LENGTH, 0, -1):
        chain.append(chain_step(match_id, seat, server_commit, i, chain[-1]))
    chain.reverse()
    return chain


# Keys ----------------------------------------------------------------------------------


def shares(values: Sequence[bytes | None]) -> bytes:
    """Return the seats' shares as keys take them; a seat without one is 33 zero bytes."""
    if not isinstance(values, (list, tuple)):
        raise DrawsError(f"shares are a value or None per seat, not {shown(values)}")
    need_number("seats", len(values), 1, MAX_SEATS)
    parts = [_u8(len(values))]
    for value in values:
        if value is None:
            parts.append(_ABSENT)
        else:
            need_bytes("x", value, HASH_BYTES)
            parts.append(b"\x01" + value)
    return b"".join(parts)


def match_key(
    server_seed: bytes, match_id: bytes, setup_hash: bytes, x_0: Sequence[bytes | None]
) -> bytes:
    """Return the key of a match; ``x_0`` has a value or None per seat."""
    need_bytes("server_seed", server_seed, HASH_BYTES)
    need_bytes("match_id", match_id, MATCH_ID_BYTES)
    need_bytes("setup_hash", setup_hash, HASH_BYTES)
    return mac(server_seed, tag("match-key") + match_id + setup_hash + shares(x_0))


def fixed_match_key(seed: bytes) -> bytes:
    """Return the key of an unrated match with a fixed seed: equal seeds, equal draws."""
    need_bytes("seed", seed, HASH_BYTES)
    return mac(seed, _FIXED_KEY)


def round_key(match_key: bytes, r: int, x_r: Sequence[bytes | None]) -> bytes:
    """Return the key of round r, from 1; ``x_r`` has a revealed value or None per seat."""
    need_bytes("match_key", match_key, HASH_BYTES)
    need_number("round", r, 1, MAX_ROUND)
    return mac(match_key, ROUND_KEY + _u32(r) + shares(x_r))


def player_seed(server_seed: bytes, match_id: bytes, seat: int) -> bytes:
    """Return the private seed of a seat, for bots that want to be repeatable."""
    need_bytes("server_seed", server_seed, HASH_BYTES)
    need_bytes("match_id", match_id, MATCH_ID_BYTES)
    need_number("seat", seat, 0, MAX_SEATS - 1)
    return mac(server_seed, tag("player-seed") + match_id + _u8(seat))[:PLAYER_SEED_BYTES]


def fixed_player_seed(seed: bytes, seat: int) -> bytes:
    """Return the private seed of a seat in a match with a fixed seed."""
    need_bytes("seed", seed, HASH_BYTES)
    need_number("seat", seat, 0, MAX_SEATS - 1)
    return mac(seed, tag("fixed-player") + _u8(seat))[:PLAYER_SEED_BYTES]
