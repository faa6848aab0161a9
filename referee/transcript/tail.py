"""What follows the last good frame: the rest of one interrupted write, or damage.

A tail is torn only if it can be no more than one frame and nothing in it looks like a
later frame; otherwise it is corrupt (docs/transcript.md, "Tails").
"""

from zlib import crc32

from referee.transcript import format as azt
from referee.transcript.limits import MAX_BODY_BYTES

LARGEST_FRAME = azt.FRAME_OVERHEAD + MAX_BODY_BYTES


def is_torn(match_id: bytes, rest: bytes, good: int) -> bool:
    """Return whether the rest after ``good`` good frames can be one interrupted write."""
    if len(rest) > LARGEST_FRAME:
        return False
    # The next frame would be number `good`; a head of any later one means that the
    # referee went on after it, so it had been written whole.
    return not _has_head(match_id, rest, good + 1)


def _has_head(match_id: bytes, rest: bytes, first: int) -> bool:
    """Return whether any place begins with the head of a frame from ``first`` on."""
    # A CRC is linear: that of id, index and length is that of id and index with length 0,
    # exclusive-or a part that only the length decides. So all indices are one look-up.
    last = first + len(rest) // azt.SMALLEST_FRAME
    heads = {crc32(match_id + azt.PLACE.pack(index, 0)) for index in range(first, last + 1)}
    zero = crc32(bytes(azt.PLACE.size))
    for at in range(len(rest) - azt.HEAD_BYTES + 1):
        length, check = azt.HEAD.unpack_from(rest, at)
        if 1 <= length <= MAX_BODY_BYTES:
            part = crc32(azt.PLACE.pack(0, length)) ^ zero
            if check ^ part in heads:
                return True
    return False
