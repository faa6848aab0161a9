"""Changes transcripts as a forger would: records edited, every head and link made anew.

Whoever has the key can also sign the result; without it the signature stays as it was.
"""

from collections.abc import Callable, Sequence

from referee.match.recording import Recorder
from referee.transcript import reader
from referee.transcript.signing import SigningKey
from referee.v1.record_pb2 import Record
from tests.transcript.scene import KEY

Frames = list[list[Record]]


def match_id_of(data: bytes) -> bytes:
    """Return the id of the match that a file tells."""
    return reader.read(data).match_id


def frames_of(data: bytes) -> Frames:
    """Return the records of every frame, as copies that may be changed."""
    frames = []
    for records in reader.read(data).frames:
        copies = [Record() for _ in records]
        for copy, record in zip(copies, records, strict=True):
            copy.CopyFrom(record)
        frames.append(copies)
    return frames


def rebuild(match_id: bytes, frames: Sequence[list[Record]], key: SigningKey | None = KEY) -> bytes:
    """Return the frames as a whole file; with a key, a signature frame is signed anew."""
    recorder = Recorder(match_id)
    for records in frames:
        if key is not None and reader.is_signature(records):
            recorder.sign(key)
            continue
        for record in records:
            kind = record.WhichOneof("kind")
            if kind is None:
                recorder.add()
            else:
                recorder.add(**{kind: getattr(record, kind)})
        recorder.end_step()
    return recorder.data()


def forged(data: bytes, edit: Callable[[Frames], None], key: SigningKey | None = KEY) -> bytes:
    """Return a file with its records edited, linked and, with a key, signed anew."""
    frames = frames_of(data)
    edit(frames)
    return rebuild(match_id_of(data), frames, key)


def records_of(frames: Frames, kind: str) -> list[Record]:
    """Return all records of a kind, in order."""
    return [record for frame in frames for record in frame if record.WhichOneof("kind") == kind]
