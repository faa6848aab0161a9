"""Writes a transcript frame by frame.

A frame is one write: either all records of a step stand in the file or, after a crash, a
torn tail that holds none of them. Making it durable is a call of its own, because one
sync may cover many matches; nothing may be acknowledged before it.
"""

import os
from collections.abc import Iterable
from typing import BinaryIO

from referee.transcript import format as azt
from referee.transcript.errors import CannotRecord
from referee.transcript.limits import (
    MAX_BODY_BYTES,
    MAX_FILE_BYTES,
    MAX_FRAME_RECORDS,
    MAX_RECORDS,
)
from referee.transcript.pieces import bytes_field
from referee.transcript.reader import Transcript
from referee.v1.record_pb2 import Frame, Record

# The one field of a frame: docs/transcript.md does not need it, protobuf does.
_RECORDS = Frame.RECORDS_FIELD_NUMBER


class Chain:
    """The frames of one match as bytes, each linked to the last; it holds no file."""

    def __init__(self, match_id: bytes) -> None:
        self.match_id = match_id
        self.index = 0
        self.records = 0
        self.bytes = azt.HEADER_BYTES
        self.link = azt.genesis(match_id)

    def frame(self, records: Iterable[Record]) -> bytes:
        """Return the bytes of the next frame."""
        return self.frame_of([record.SerializeToString() for record in records])

    def frame_of(self, records: list[bytes]) -> bytes:
        """Return the bytes of the next frame, of records that are serialized."""
        body = b"".join([bytes_field(_RECORDS, record) for record in records])
        count = len(records)
        if not 1 <= count <= MAX_FRAME_RECORDS or len(body) > MAX_BODY_BYTES:
            allowed = f"1 to {MAX_FRAME_RECORDS} records and {MAX_BODY_BYTES} bytes"
            raise CannotRecord(f"a frame has {allowed}, not {count} and {len(body)}")
        data, link = azt.frame(self.match_id, self.index, self.link, body)
        if self.records + count > MAX_RECORDS or self.bytes + len(data) > MAX_FILE_BYTES:
            raise CannotRecord("the transcript is full")
        self.link = link
        self.index += 1
        self.records += count
        self.bytes += len(data)
        return data

    def go_on(self, transcript: Transcript) -> None:
        """Go on after the good frames of a transcript that was read."""
        for body, link in zip(transcript.bodies, transcript.links, strict=True):
            self.bytes += azt.FRAME_OVERHEAD + len(body)
            self.link = link
        self.index = len(transcript.bodies)
        self.records = transcript.records


class Writer:
    """A transcript in a file that was opened for binary writing, unbuffered or not."""

    def __init__(self, file: BinaryIO, match_id: bytes) -> None:
        self.chain = Chain(match_id)
        self._file = file
        self._write(azt.header(match_id))

    def append(self, records: Iterable[Record]) -> bytes:
        """Write one frame and return its link; it is not durable yet."""
        self._write(self.chain.frame(records))
        return self.chain.link

    def sync(self) -> None:
        """Make everything written so far durable."""
        self._file.flush()
        os.fsync(self._file.fileno())

    def _write(self, data: bytes) -> None:
        written = self._file.write(data)
        if written != len(data):
            raise OSError(f"only {written} of {len(data)} bytes could be written")
