"""Transcripts taken apart into what a match commits: header and frame 0, then frame by frame."""

from referee.transcript import format as azt


def id_of(data: bytes) -> bytes:
    """Return the match id of a transcript."""
    return azt.read_header(data)[3]


def frames_of(data: bytes) -> list[bytes]:
    """Return the bytes of each frame, the header in front of the first."""
    parts: list[bytes] = []
    at = azt.HEADER_BYTES
    start = 0
    while at < len(data):
        length, _ = azt.HEAD.unpack_from(data, at)
        at += azt.FRAME_OVERHEAD + length
        parts.append(data[start:at])
        start = at
    return parts
