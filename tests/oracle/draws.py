"""Draws of Azul and Master Chocolatier as docs/draws.md defines them, with hmac alone."""

from __future__ import annotations

import hashlib
import hmac
from collections.abc import Iterator
from typing import TypeVar

Item = TypeVar("Item")

TILES, FIRST_PLAYER, SPECIAL_FACTORIES = 1, 2, 3


def _mac(key: bytes, name: str, rest: bytes = b"") -> bytes:
    message = b"azul-referee/1/" + name.encode() + b"\0" + rest
    return hmac.new(key, message, hashlib.sha256).digest()


def stream(seed: bytes, players: int, number: int, purpose: int) -> Iterator[int]:
    """Yield the bytes of a stream of round `number` under a fixed seed, without end."""
    no_shares = bytes([players]) + bytes(33 * players)
    round_key = _mac(_mac(seed, "fixed-key"), "round-key", number.to_bytes(4, "big") + no_shares)
    block = 0
    while True:
        yield from _mac(round_key, "stream", bytes([purpose]) + block.to_bytes(4, "big"))
        block += 1


def uniform(source: Iterator[int], n: int) -> int:
    """Take bytes until one is below the largest multiple of n."""
    while True:
        byte = next(source)
        if byte < 256 - 256 % n:
            return byte % n


def pick(source: Iterator[int], items: list[Item], k: int) -> list[Item]:
    """Take k items one after the other; those left keep their order."""
    rest = list(items)
    return [rest.pop(uniform(source, len(rest))) for _ in range(k)]
