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
from referee.v1.record_pb2 import Frame, Record


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
        listed = list(records)
        body = Frame(records=listed).SerializeToString()
        if not 1 <= len(listed) <= MAX_FRAME_RECORDS or len(body) > MAX_BODY_BYTES:
            allowed = f"1 to {MAX_FRAME_RECORDS} records and {MAX_BODY_BYTES} bytes"
            raise CannotRecord(f"a frame has {allowed}, not {len(listed)} and {len(body)}")
        data, link = azt.frame(self.match_id, self.index, self.link, body)
        if self.records + len(listed) > MAX_RECORDS or self.bytes + len(data) > MAX_FILE_BYTES:
            raise CannotRecord("the transcript is full")
        self.link = link
        self.index += 1
        self.records += len(listed)
        self.bytes += len(data)
        return data


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
