"""Reads a transcript from bytes: all frames that stand in it, and what follows them.

Reading judges the container alone. It never changes a file, never stops at the first
wrong link (a verifier wants to see what lies behind it), and needs time and memory in
proportion to the bytes it is given. What the records mean is for `fold` and `verify`.
"""

import os
from dataclasses import dataclass
from enum import Enum
from hashlib import sha256
from pathlib import Path
from typing import Final
from zlib import crc32

from google.protobuf.message import DecodeError

from referee.transcript import format as azt
from referee.transcript import tail
from referee.transcript.errors import NotATranscript
from referee.transcript.limits import (
    MAX_BODY_BYTES,
    MAX_FILE_BYTES,
    MAX_FRAME_RECORDS,
    MAX_RECORDS,
)
from referee.v1.record_pb2 import Frame, Record

# The field `records` of a frame, and what a length of one byte can reach.
_RECORDS_TAG: Final = 0x0A
_ONE_BYTE_LENGTH: Final = 128


class Tail(Enum):
    """What follows the last frame that can be read."""

    CLEAN = "clean"
    TORN = "torn"
    CORRUPT = "corrupt"


@dataclass(frozen=True)
class Damage:
    """Why reading stopped, or which link is the first wrong one."""

    frame: int
    expected: str
    found: str


@dataclass
class Transcript:
    """The frames of one file as they stand there.

    bodies, links  of every frame that is whole; nothing says yet that the links are right
    frames         the records of each frame
    good           how many frames from the start are good, their links included
    tail           what follows the good frames
    damage         why reading stopped before the end of the file, if it did
    broken_link    the first wrong link, if any
    """

    match_id: bytes
    bodies: list[bytes]
    links: list[bytes]
    frames: list[list[Record]]
    good: int
    tail: Tail
    damage: Damage | None
    broken_link: Damage | None

    @property
    def signed(self) -> bool:
        """Whether the last frame that can be read is a signature; nothing says it is valid."""
        return bool(self.frames) and is_signature(self.frames[-1])


def is_signature(records: list[Record]) -> bool:
    """Return whether a frame is the last one: a signature alone."""
    return len(records) == 1 and records[0].WhichOneof("kind") == "signature"


def load(path: str | os.PathLike[str]) -> Transcript:
    """Read a file; raise `NotATranscript` if it is none, `OSError` if it cannot be read."""
    with Path(path).open("rb") as file:
        data = file.read(MAX_FILE_BYTES + 1)
    return read(data)


def read(data: bytes) -> Transcript:
    """Read a transcript from the bytes of its file."""
    if len(data) > MAX_FILE_BYTES:
        raise NotATranscript(f"a transcript has at most {MAX_FILE_BYTES >> 20} MiB")
    start = data[: azt.HEADER_BYTES]
    if len(start) < azt.HEADER_BYTES:
        return _without_header(start)
    magic, version, flags, match_id = azt.read_header(start)
    if magic != azt.MAGIC:
        raise NotATranscript("it does not begin like a transcript")
    if version != azt.VERSION or flags != azt.FLAGS:
        raise NotATranscript(f"it has version {version} and flags {flags}, not 1 and 0")
    return _read_frames(data, match_id)


def _without_header(start: bytes) -> Transcript:
    whole = azt.header(bytes(16))[: len(start)]
    if start[:12] != whole[:12]:
        raise NotATranscript("it does not begin like a transcript")
    damage = Damage(0, f"{azt.HEADER_BYTES} bytes of header", f"{len(start)} bytes")
    return Transcript(b"", [], [], [], 0, Tail.TORN, damage, None)


def _read_frames(data: bytes, match_id: bytes) -> Transcript:
    spans, damage = _spans(data, match_id)
    bodies: list[bytes] = []
    links: list[bytes] = []
    frames: list[list[Record]] = []
    broken: Damage | None = None
    previous = azt.genesis(match_id)
    prefix = azt.FRAME_TAG + match_id
    records = 0
    unreadable = False
    for index, (start, end) in enumerate(spans):
        body = data[start:end]
        stored = data[end : end + azt.LINK_BYTES]
        length = data[start - azt.HEAD_BYTES : start - azt.CRC_BYTES]
        own = sha256(prefix + azt.INDEX.pack(index) + previous + length + body).digest()
        if own != stored and broken is None:
            broken = Damage(index, f"link {own.hex()}", f"link {stored.hex()}")
        found = _records(body)
        records += len(found)
        if not found or records > MAX_RECORDS:
            # A body that its link does not vouch for is damage of the chain already.
            if broken is None:
                unreadable = True
                expected = f"1 to {MAX_FRAME_RECORDS} records, {MAX_RECORDS} in all"
                damage = Damage(index, expected, f"{records} in all" if found else "none or more")
            break
        bodies.append(body)
        links.append(stored)
        frames.append(found)
        # The stored link goes on: later frames are judged by what stands before them.
        previous = stored
    good = len(frames) if broken is None else broken.frame
    good_end = spans[good - 1][1] + azt.LINK_BYTES if good else azt.HEADER_BYTES
    found_tail = Tail.CLEAN
    if unreadable:
        # Its link is right, so it was written like this: no tail, but damage.
        found_tail = Tail.CORRUPT
    elif good_end < len(data):
        signed = good and is_signature(frames[good - 1])
        torn = not signed and tail.is_torn(match_id, data[good_end:], good)
        found_tail = Tail.TORN if torn else Tail.CORRUPT
        if torn and broken is not None:
            # A last frame with a wrong link is an interrupted write like any other, not told.
            damage, broken = broken, None
            del bodies[good:], links[good:], frames[good:]
    return Transcript(match_id, bodies, links, frames, good, found_tail, damage, broken)


def _records(body: bytes) -> list[Record]:
    """Return the records of a frame, none if the bytes are no frame or one of too many."""
    try:
        # Most frames have one record, and then a frame is its tag, a length and the record.
        if body[0] == _RECORDS_TAG and body[1] + 2 == len(body) < _ONE_BYTE_LENGTH:
            return [Record.FromString(body[2:])]
        records = Frame.FromString(body).records
        return list(records) if len(records) <= MAX_FRAME_RECORDS else []
    except (DecodeError, IndexError):
        return []


def _spans(data: bytes, match_id: bytes) -> tuple[list[tuple[int, int]], Damage | None]:
    """Return where each body begins and ends, as far as the heads are right, and why no further."""
    spans: list[tuple[int, int]] = []
    at = azt.HEADER_BYTES
    end = len(data)
    start_crc = crc32(match_id)
    while at < end:
        index = len(spans)
        if end - at < azt.HEAD_BYTES:
            return spans, Damage(index, "the head of a frame", f"{end - at} bytes")
        length, check = azt.HEAD.unpack_from(data, at)
        if crc32(azt.PLACE.pack(index, length), start_crc) != check:
            return spans, Damage(index, f"the head of frame {index}", "one that fails its check")
        if not 1 <= length <= MAX_BODY_BYTES:
            return spans, Damage(index, f"a length of 1 to {MAX_BODY_BYTES}", str(length))
        start = at + azt.HEAD_BYTES
        at = start + length + azt.LINK_BYTES
        if at > end:
            return spans, Damage(index, f"{at - start} bytes", f"{end - start} bytes")
        spans.append((start, start + length))
    return spans, None
