"""Reading transcripts: every cut, every flipped bit, tails and limits (P-D3, P-D4)."""

import random
from functools import cache
from itertools import pairwise

import pytest

from referee.rules import RULESETS
from referee.transcript import format as azt
from referee.transcript import limits, reader, tail
from referee.transcript.errors import CannotRecord, NotATranscript
from referee.transcript.reader import Tail
from referee.transcript.verify import Verdict, verify
from referee.transcript.writer import Chain
from referee.v1.record_pb2 import Record, Restart
from tests.transcript.forge import frames_of, rebuild
from tests.transcript.scenes import SCENES

# One short transcript per ruleset, and one of a match that still goes on.
SHORT = [*(f"{key}-short" for key in RULESETS), "open"]


@cache
def scene(name: str) -> bytes:
    """Return the transcript of a scene."""
    return SCENES[name]()


def frame_ends(data: bytes) -> list[int]:
    """Return the offsets at which a frame ends, that of the header first."""
    ends = [azt.HEADER_BYTES]
    for body in reader.read(data).bodies:
        ends.append(ends[-1] + azt.FRAME_OVERHEAD + len(body))
    return ends


@pytest.mark.parametrize("name", SHORT)
def test_a_cut_at_every_byte_loses_the_torn_frame_only(name: str) -> None:
    """P-D3: what was written whole is read, the rest is torn, and no cut is OK."""
    data = scene(name)
    ends = frame_ends(data)
    for size in range(1, len(data)):
        whole = sum(end <= size for end in ends) - 1
        read = reader.read(data[:size])
        if size < azt.HEADER_BYTES:
            assert (read.tail, read.good) == (Tail.TORN, 0)
            continue
        assert read.good == len(read.frames) == whole
        assert read.tail is (Tail.CLEAN if size in ends else Tail.TORN)


@pytest.mark.parametrize("name", SHORT)
def test_a_cut_file_is_incomplete_or_torn(name: str) -> None:
    """At the end of a frame a cut file is INCOMPLETE, elsewhere TORN, never OK."""
    data = scene(name)
    ends = frame_ends(data)
    middles = [(one + other) // 2 for one, other in pairwise(ends)]
    for size in (*ends[:-1], *middles):
        verdict = verify(reader.read(data[:size])).verdict
        assert verdict is (Verdict.INCOMPLETE if size in ends else Verdict.TORN), size


def flip(data: bytes, bit: int) -> bytes:
    """Return the bytes with one bit flipped."""
    changed = bytearray(data)
    changed[bit // 8] ^= 1 << bit % 8
    return bytes(changed)


@pytest.mark.parametrize("name", SHORT)
def test_every_flipped_bit_is_found(name: str) -> None:
    """P-D4: damage is named at its frame and never taken for a torn tail.

    Only in the last frame of a match that goes on can nobody tell the two apart.
    """
    data = scene(name)
    ends = frame_ends(data)
    is_open = name == "open"
    for bit in range(8 * len(data)):
        place = bit // 8
        try:
            read = reader.read(flip(data, bit))
        except NotATranscript:
            assert place < 12
            continue
        frame = sum(end <= place for end in ends) - 1
        last = frame == len(ends) - 2
        assert read.tail is not Tail.CLEAN
        assert read.good == max(frame, 0)
        if not (is_open and last):
            # The match id is part of every link, so another one leaves no good frame.
            assert read.tail is Tail.CORRUPT or place < azt.HEADER_BYTES or last
        first = read.damage or read.broken_link
        assert first is not None
        assert first.frame == max(frame, 0)


@pytest.mark.parametrize("name", SHORT)
def test_no_flipped_bit_is_ok(name: str) -> None:
    """The verdict of a damaged file is one of damage, with a place; a bit of every byte."""
    data = scene(name)
    damage = {Verdict.CORRUPT, Verdict.TORN, Verdict.CHAIN}
    for place in range(12, len(data)):
        report = verify(reader.read(flip(data, 8 * place + place % 8)))
        assert report.verdict in damage
        assert report.finding is not None


def test_a_damaged_length_is_no_torn_tail() -> None:
    """A length that fails its check is damage if frames follow, and torn if none can."""
    data = scene("open")
    ends = frame_ends(data)
    for frame in range(len(ends) - 1):
        changed = bytearray(data)
        changed[ends[frame]] ^= 0x80
        read = reader.read(bytes(changed))
        is_last = frame == len(ends) - 2
        assert read.tail is (Tail.TORN if is_last else Tail.CORRUPT)
        assert read.damage is not None
        assert read.damage.frame == frame


def test_a_last_frame_with_a_wrong_link_is_torn_whatever_follows() -> None:
    """Zeros where a write was interrupted, with or without more of them behind."""
    data = scene("open")
    *_, last, end = frame_ends(data)
    zeros = data[: last + azt.HEAD_BYTES] + bytes(end - last - azt.HEAD_BYTES)
    for rest in (b"", bytes(3), bytes(500)):
        read = reader.read(zeros + rest)
        assert read.tail is Tail.TORN
        assert read.damage is not None
        assert read.damage.frame == read.good == len(read.frames)


def test_a_head_is_found_at_any_place_of_a_tail() -> None:
    """The tail is searched for heads of later frames, whatever stands around them."""
    match_id = bytes(range(16))
    noise = random.Random(1).randbytes(300)
    for index in (2, 3, 8):
        head = azt.head(match_id, index, 77)
        for at in (0, 1, 150, 292):
            assert not tail.is_torn(match_id, noise[:at] + head + noise[at:], 1)
    assert tail.is_torn(match_id, noise, 1)
    # The frame that was being written may stand there with its own head.
    assert tail.is_torn(match_id, azt.head(match_id, 1, 77) + noise, 1)
    # More frames than could stand in so few bytes are not looked for.
    far = azt.head(match_id, 1000, 77)
    assert tail.is_torn(match_id, far + noise, 1)


def test_a_tail_longer_than_a_frame_is_corrupt() -> None:
    """One interrupted write has at most the bytes of one frame."""
    match_id = bytes(16)
    assert tail.is_torn(match_id, bytes(tail.LARGEST_FRAME), 0)
    assert not tail.is_torn(match_id, bytes(tail.LARGEST_FRAME + 1), 0)


def test_nothing_may_follow_a_signature() -> None:
    """A signed file is complete: more bytes are damage, also one, also a whole frame."""
    data = scene("azul-short")
    assert reader.read(data + b"\0").tail is Tail.CORRUPT
    report = verify(reader.read(data + b"\0"))
    assert report.verdict is Verdict.CORRUPT
    frames = frames_of(data)
    frames.append([Record(restart=Restart(epoch=2))])
    more = rebuild(reader.read(data).match_id, frames)
    assert verify(reader.read(more)).verdict is not Verdict.OK


@pytest.mark.parametrize(
    ("start", "words"),
    [
        (b"PK\x03\x04" + bytes(40), "begin like"),
        (b"", ""),
        (azt.MAGIC + b"\0\2\0\0" + bytes(16), "version 2"),
        (azt.MAGIC + b"\0\1\0\1" + bytes(16), "flags 1"),
        (azt.MAGIC[:5] + b"x", "begin like"),
    ],
    ids=["a zip file", "an empty file", "version 2", "flags 1", "a torn other file"],
)
def test_other_files_are_no_transcripts(start: bytes, words: str) -> None:
    """What does not begin like a transcript is refused; a torn header is torn."""
    if not words:
        assert reader.read(start).tail is Tail.TORN
        return
    with pytest.raises(NotATranscript, match=words):
        reader.read(start)


def test_limits_of_a_file() -> None:
    """A file, a frame and the number of records have limits that are checked first."""
    with pytest.raises(NotATranscript, match="64 MiB"):
        reader.read(bytes(limits.MAX_FILE_BYTES + 1))
    match_id = bytes(16)
    too_long = azt.header(match_id) + azt.head(match_id, 0, limits.MAX_BODY_BYTES + 1)
    damage = reader.read(too_long + bytes(50)).damage
    assert damage is not None
    assert damage.found == str(limits.MAX_BODY_BYTES + 1)
    none = azt.header(match_id) + azt.head(match_id, 0, 0) + bytes(32)
    damage = reader.read(none).damage
    assert damage is not None
    assert damage.found == "0"
    largest = azt.header(match_id) + azt.head(match_id, 0, 0xFFFFFFFF) + bytes(50)
    assert reader.read(largest).tail is Tail.TORN


def test_too_many_records_are_refused() -> None:
    """A crafted file of countless empty records is damage, and costs little to refuse."""
    match_id = bytes(16)
    most = b"\x0a\x00" * limits.MAX_FRAME_RECORDS
    data = azt.header(match_id)
    previous = azt.genesis(match_id)
    frames = limits.MAX_RECORDS // limits.MAX_FRAME_RECORDS + 1
    for index in range(frames):
        frame, previous = azt.frame(match_id, index, previous, most)
        data += frame
    read = reader.read(data)
    assert read.damage is not None
    assert (read.damage.frame, len(read.frames)) == (frames - 1, frames - 1)
    frame, _ = azt.frame(match_id, 0, azt.genesis(match_id), most + b"\x0a\x00")
    read = reader.read(azt.header(match_id) + frame)
    assert read.damage is not None
    assert (read.damage.frame, read.frames) == (0, [])


def test_a_body_that_is_no_frame_is_damage() -> None:
    """A right link does not make records of bytes that are none."""
    match_id = bytes(16)
    for body in (b"\x0a\x7f", b"\xff", b"\x0a", b"\x10\x01", b"\x0a\x02\x08"):
        frame, _ = azt.frame(match_id, 0, azt.genesis(match_id), body)
        read = reader.read(azt.header(match_id) + frame)
        assert read.damage is not None, body
        assert read.frames == []
        assert verify(read).verdict is Verdict.CORRUPT


def test_one_record_reads_like_many() -> None:
    """The short way for frames of one record reads what the long way reads."""
    match_id = bytes(16)
    for size in (0, 1, 90, 117, 118, 119, 200):
        record = Record(setup=bytes(size))
        chain = Chain(match_id)
        one = chain.frame([record])
        two = chain.frame([record, record])
        read = reader.read(azt.header(match_id) + one + two)
        assert read.frames == [[record], [record, record]]


def test_what_the_format_has_no_room_for_is_not_written() -> None:
    """Empty frames, too large ones and full files are refused before a byte is made."""
    chain = Chain(bytes(16))
    with pytest.raises(CannotRecord, match="1 to"):
        chain.frame([])
    with pytest.raises(CannotRecord, match="1 to"):
        chain.frame([Record(setup=bytes(limits.MAX_BODY_BYTES))])
    chain.records = limits.MAX_RECORDS
    with pytest.raises(CannotRecord, match="full"):
        chain.frame([Record(setup=b"x")])
    assert chain.index == 0


def test_fuzzed_bytes_never_raise() -> None:
    """Whatever stands behind a right header, reading and verifying end in a verdict."""
    source = random.Random(2)
    data = scene("open")
    for _ in range(400):
        changed = bytearray(data)
        for _ in range(source.randrange(1, 6)):
            at = source.randrange(azt.HEADER_BYTES, len(changed))
            cut = source.randrange(0, 40)
            changed[at : at + cut] = source.randbytes(source.randrange(0, 40))
        assert verify(reader.read(bytes(changed))).verdict is not Verdict.OK
