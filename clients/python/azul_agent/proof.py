"""What an agent checks when a match is closed, and what it keeps as evidence.

An agent that was told one commitment and sees it opened with another seed, or that was told
of a frame which the signature does not cover, has caught its referee. `referee verify` checks
the whole record; this is what only an eye-witness can add to it.
"""

import json
import os
import tempfile
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from azul_agent.shares import server_commit
from referee.v1.play_pb2 import MatchClosed

FORMAT = "azul-agent-evidence/1"
_TYPE = b"application/vnd.azul-referee.final.v1"


def signature_holds(match_id: bytes, closed: MatchClosed) -> bool | None:
    """Return whether the key signed the final link; None if no library can tell."""
    try:
        from nacl.exceptions import CryptoError  # noqa: PLC0415
        from nacl.signing import VerifyKey  # noqa: PLC0415
    except ImportError:
        # Nothing else of the kit needs PyNaCl, so an agent may do without it.
        return None
    body = match_id + closed.frames.to_bytes(8, "big") + closed.final_link
    signed = b"DSSEv1 %d %b %d %b" % (len(_TYPE), _TYPE, len(body), body)
    try:
        VerifyKey(closed.public_key).verify(signed, closed.signature)
    except (CryptoError, ValueError):
        return False
    return True


@dataclass(slots=True)
class Witness:
    """Holds what an agent was told of one match, in the order in which it was told."""

    match_id: bytes
    seat: int
    setup: bytes
    server_commit: bytes
    public_key: bytes
    x0: bytes | None
    links: dict[int, bytes] = field(default_factory=dict)
    problems: list[str] = field(default_factory=list)
    closed: MatchClosed | None = None

    def note(self, problem: str) -> None:
        """Note something that an honest referee does not do, once."""
        if problem not in self.problems:
            self.problems.append(problem)

    def note_link(self, frame: int, link: bytes) -> None:
        """Note the link of a frame; it never changes."""
        if self.links.setdefault(frame, link) != link:
            self.note(f"frame {frame} was told with two different links")

    def close(self, closed: MatchClosed) -> None:
        """Check what the referee says at the end against what it said before."""
        self.closed = closed
        if not closed.seed:
            self.note("the seed was lost: the draws cannot be proved")
        elif server_commit(self.match_id, self.setup, closed.seed) != self.server_commit:
            self.note("the seed does not open the commitment that was given")
        last = self.links.get(closed.frames - 1)
        if last is not None and last != closed.final_link:
            self.note("the link that was signed is not the one that was told")
        if closed.public_key != self.public_key:
            self.note("the key that signed is not the one of the set-up")
        if signature_holds(self.match_id, closed) is False:
            self.note("the signature does not hold")

    def as_json(self) -> dict[str, Any]:
        """Return everything as plain values, bytes in hex."""
        closed = self.closed
        return {
            "format": FORMAT,
            "match_id": self.match_id.hex(),
            "seat": self.seat,
            "setup": self.setup.hex(),
            "server_commit": self.server_commit.hex(),
            "x_0": None if self.x0 is None else self.x0.hex(),
            "links": {str(frame): link.hex() for frame, link in sorted(self.links.items())},
            "closed": None
            if closed is None
            else {
                "seed": closed.seed.hex(),
                "frames": closed.frames,
                "final_link": closed.final_link.hex(),
                "public_key": closed.public_key.hex(),
                "signature": closed.signature.hex(),
            },
            "problems": self.problems,
        }

    def save(self, folder: Path) -> Path:
        """Write everything into a file of the folder, named after the match and the seat."""
        folder.mkdir(parents=True, exist_ok=True)
        file = folder / f"{self.match_id.hex()}-{self.seat}.json"
        handle, draft = tempfile.mkstemp(dir=folder, prefix=".evidence-")
        with os.fdopen(handle, "w", encoding="utf-8") as stream:
            json.dump(self.as_json(), stream, indent=1)
            stream.write("\n")
        Path(draft).replace(file)
        return file
