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

from referee.native.hints import i64
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
    def records(self) -> int:
        """How many records the frames have together."""
        return sum([len(records) for records in self.frames])

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
    bodies, links, owns, damage = _walk(data, match_id)
    frames = _parse(bodies)
    broken: Damage | None = None
    good = len(bodies)
    if owns != links:
        good = [own == link for own, link in zip(owns, links, strict=True)].index(False)
        broken = Damage(good, f"link {owns[good].hex()}", f"link {links[good].hex()}")
    found_tail = Tail.CLEAN
    if len(frames) < good:
        # Its link is right, so it was written like this: no tail, but damage.
        good = len(frames)
        allowed = f"1 to {MAX_FRAME_RECORDS} records, {MAX_RECORDS} in all"
        damage = Damage(good, allowed, "a body that holds none, or more")
        broken, found_tail = None, Tail.CORRUPT
    elif damage is not None or broken is not None:
        signed = good and is_signature(frames[good - 1])
        rest = azt.HEADER_BYTES + sum([azt.FRAME_OVERHEAD + len(body) for body in bodies[:good]])
        torn = not signed and tail.is_torn(match_id, data[rest:], good)
        found_tail = Tail.TORN if torn else Tail.CORRUPT
        if torn and broken is not None:
            # A last frame with a wrong link is an interrupted write, and not told.
            damage, broken = broken, None
            del frames[good:]
    whole = len(frames)
    return Transcript(
        match_id, bodies[:whole], links[:whole], frames, good, found_tail, damage, broken
    )


def _walk(
    data: bytes, match_id: bytes
) -> tuple[list[bytes], list[bytes], list[bytes], Damage | None]:
    """Go from head to head as far as they are right.

    Returns the bodies, their links, the links they should have, and why it went no further.
    """
    bodies: list[bytes] = []
    links: list[bytes] = []
    owns: list[bytes] = []
    previous = azt.genesis(match_id)
    prefix = azt.FRAME_TAG + match_id
    # Names of this function: those of other modules are looked up at every frame.
    crc, hashed = crc32, sha256
    start_crc = crc(match_id)
    pack, unpack = azt.PLACE.pack, azt.HEAD.unpack_from
    head_bytes: i64 = azt.HEAD_BYTES
    link_bytes: i64 = azt.LINK_BYTES
    at: i64 = azt.HEADER_BYTES
    end: i64 = len(data)
    while at < end:
        index = len(bodies)
        start = at + head_bytes
        if start > end:
            return bodies, links, owns, Damage(index, "the head of a frame", f"{end - at} bytes")
        length: i64
        check: int
        length, check = unpack(data, at)
        place: bytes = pack(index, length)
        if crc(place, start_crc) != check:
            found = "one that fails its check"
            return bodies, links, owns, Damage(index, f"the head of frame {index}", found)
        if not 1 <= length <= MAX_BODY_BYTES:
            allowed = f"a length of 1 to {MAX_BODY_BYTES}"
            return bodies, links, owns, Damage(index, allowed, str(length))
        link_at = start + length
        at = link_at + link_bytes
        if at > end:
            found = f"{end - start} bytes"
            return bodies, links, owns, Damage(index, f"{at - start} bytes", found)
        body = data[start:link_at]
        linked = b"".join((prefix, place[:8], previous, place[8:], body))
        owns.append(hashed(linked).digest())
        # The stored link goes on: later frames are judged by what stands before them.
        previous = data[link_at:at]
        bodies.append(body)
        links.append(previous)
    return bodies, links, owns, None


def _parse(bodies: list[bytes]) -> list[list[Record]]:
    """Return the records of each frame, up to the first body that is no frame."""
    # Bodies one after the other are the message of all their records: reading them at once
    # takes half the time, and leaves the records beside each other in memory.
    counts = [_count(body) for body in bodies]
    try:
        together = Frame.FromString(b"".join(bodies)).records[:] if all(counts) else []
    except DecodeError:
        together = []
    frames: list[list[Record]] = []
    if not 0 < sum(counts) == len(together) <= MAX_RECORDS:
        return _parse_one_by_one(bodies)
    start = 0
    for count in counts:
        frames.append(together[start : start + count])
        start += count
    return frames


def _count(body: bytes) -> int:
    """Return how many records a body holds, 0 if that is not plain to see or too many."""
    end = len(body)
    if end < 2:
        return 0
    # Most frames hold one record: its tag, a length of one byte, and nothing behind it.
    if body[0] == _RECORDS_TAG and body[1] + 2 == end < _ONE_BYTE_LENGTH:
        return 1
    at = count = 0
    while at < end:
        # The tag of a record, and a length of one or two bytes, low bits first.
        if body[at] != _RECORDS_TAG or at + 1 >= end:
            return 0
        length = body[at + 1]
        at += 2
        if length >= _ONE_BYTE_LENGTH:
            if at >= end or body[at] >= _ONE_BYTE_LENGTH:
                return 0
            length += (body[at] - 1) * _ONE_BYTE_LENGTH
            at += 1
        at += length
        count += 1
    return count if at == end and count <= MAX_FRAME_RECORDS else 0


def _parse_one_by_one(bodies: list[bytes]) -> list[list[Record]]:
    """Return the records of each frame, whatever it looks like."""
    frames: list[list[Record]] = []
    total = 0
    for body in bodies:
        try:
            records = Frame.FromString(body).records
        except DecodeError:
            break
        total += len(records)
        if not 1 <= len(records) <= MAX_FRAME_RECORDS or total > MAX_RECORDS:
            break
        frames.append(list(records))
    return frames
