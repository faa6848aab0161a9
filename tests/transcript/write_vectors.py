"""Writes docs/vectors/transcripts.json: a worked value of every hash of docs/transcript.md.

Heads, links and signatures are spelled out here from the page, not made by the code that
a referee runs; a test compares the two. Layouts of positions are those of the rules, given
beside the notation of the position, so that another engine can reproduce them.
"""

import hashlib
import json
import struct
import zlib
from pathlib import Path
from typing import Any

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from referee.rules import Position
from tests.games import reach
from tests.transcript.scene import bytes_of

FILE = Path(__file__).parents[2] / "docs" / "vectors" / "transcripts.json"
PREFIX = b"azul-referee/1/"
# Positions of each layout, as ruleset, seats, seed and steps of a random game.
SAMPLES = [
    ("azul", 2, 1, 12),
    ("azul", 4, 3, 80),
    ("azul-gray", 3, 1, 60),
    ("chocolatier", 2, 5, 20),
    ("chocolatier-gray", 4, 1, 33),
    ("duel", 2, 1, 20),
    ("duel", 2, 3, 90),
]


def frames() -> list[dict[str, Any]]:
    """Return the frames of a small chain: heads and links over bodies of no meaning."""
    match_id = bytes_of("vector", size=16)
    link = hashlib.sha256(PREFIX + b"genesis\0" + match_id).digest()
    rows: list[dict[str, Any]] = [{"match_id": match_id.hex(), "genesis": link.hex()}]
    for index, body in enumerate((b"\x0a\x00", b"body", bytes(200))):
        length = struct.pack(">I", len(body))
        place = struct.pack(">Q", index)
        head = length + struct.pack(">I", zlib.crc32(match_id + place + length))
        hashed = PREFIX + b"frame\0" + match_id + place + link + length + body
        link = hashlib.sha256(hashed).digest()
        rows.append({"index": index, "body": body.hex(), "head": head.hex(), "link": link.hex()})
    return rows


def signature() -> dict[str, str]:
    """Return a signature over the last link of that chain."""
    first, *_, last = frames()
    private = bytes_of("the private key of the vectors")
    key = Ed25519PrivateKey.from_private_bytes(private)
    kind = b"application/vnd.azul-referee.final.v1"
    index = last["index"] + 1
    body = bytes.fromhex(first["match_id"]) + struct.pack(">Q", index) + bytes.fromhex(last["link"])
    signed = b"DSSEv1 " + b" ".join([str(len(kind)).encode(), kind, str(len(body)).encode(), body])
    return {
        "private_key": private.hex(),
        "public_key": key.public_key().public_bytes_raw().hex(),
        "index": index,
        "pae": signed.hex(),
        "signature": key.sign(signed).hex(),
    }


def position(key: str, seats: int, seed: int, steps: int) -> dict[str, str]:
    """Return a position as a spectator sees it, its layout and its digest."""
    public: Position = reach(key, seats, seed, steps).view(None)
    layout = public.layout()
    return {
        "position": str(public),
        "layout": layout.hex(),
        "digest": hashlib.sha256(PREFIX + b"position\0" + layout).hexdigest(),
    }


def vectors() -> dict[str, Any]:
    """Return everything that the file holds."""
    return {
        "frames": frames(),
        "signature": signature(),
        "positions": [position(*sample) for sample in SAMPLES],
    }


def main() -> None:
    """Write the file."""
    FILE.write_text(json.dumps(vectors(), indent=1) + "\n")
    print(f"wrote {FILE.name}")


if __name__ == "__main__":
    main()
