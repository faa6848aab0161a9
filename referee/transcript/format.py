"""The bytes of a transcript: header, frame heads and links (docs/transcript.md).

Pure functions over bytes: what stands where, and which hash belongs to it. Reading and
writing files is for `reader` and `writer`.
"""

from hashlib import sha256
from struct import Struct
from typing import Final
from zlib import crc32

from referee.draws import tag

MAGIC: Final = bytes.fromhex("8941 5A52 0D0A 1A0A")
VERSION: Final = 1
FLAGS: Final = 0
_HEADER: Final = Struct(">8sHH16s")
HEADER_BYTES: Final[int] = _HEADER.size
# A frame: u32 length, u32 CRC of where it stands, the body, its link.
HEAD: Final = Struct(">II")
HEAD_BYTES: Final[int] = HEAD.size
CRC_BYTES: Final = 4
LINK_BYTES: Final = 32
FRAME_OVERHEAD: Final[int] = HEAD_BYTES + LINK_BYTES
SMALLEST_FRAME: Final[int] = FRAME_OVERHEAD + 1
# What head and link are made over, besides the body: u64 index, u32 length.
PLACE: Final = Struct(">QI")
INDEX: Final = Struct(">Q")
LENGTH: Final = Struct(">I")

FRAME_TAG: Final = tag("frame")
_GENESIS: Final = tag("genesis")

SIGNATURE_TYPE: Final = b"application/vnd.azul-referee.final.v1"


def header(match_id: bytes) -> bytes:
    """Return the first bytes of a file."""
    return _HEADER.pack(MAGIC, VERSION, FLAGS, match_id)


def read_header(data: bytes) -> tuple[bytes, int, int, bytes]:
    """Return magic, version, flags and match id; there must be enough bytes."""
    return _HEADER.unpack_from(data)


def genesis(match_id: bytes) -> bytes:
    """Return the link before the first frame."""
    return sha256(_GENESIS + match_id).digest()


def head(match_id: bytes, index: int, length: int) -> bytes:
    """Return the head of a frame: its length, and a check that it stands in its place."""
    return HEAD.pack(length, crc32(match_id + PLACE.pack(index, length)))


def link(match_id: bytes, index: int, previous: bytes, body: bytes) -> bytes:
    """Return the link of a frame, which binds it to all before it."""
    place = INDEX.pack(index) + previous + LENGTH.pack(len(body))
    return sha256(FRAME_TAG + match_id + place + body).digest()


def frame(match_id: bytes, index: int, previous: bytes, body: bytes) -> tuple[bytes, bytes]:
    """Return the bytes of a whole frame, and its link."""
    own = link(match_id, index, previous, body)
    return head(match_id, index, len(body)) + body + own, own


def pae(kind: bytes, body: bytes) -> bytes:
    """Return what a signature is made over: type and body, their lengths in front."""
    return b"DSSEv1 %d %b %d %b" % (len(kind), kind, len(body), body)


def signed_bytes(match_id: bytes, index: int, previous: bytes) -> bytes:
    """Return what the signature in frame ``index`` is made over."""
    return pae(SIGNATURE_TYPE, match_id + INDEX.pack(index) + previous)
