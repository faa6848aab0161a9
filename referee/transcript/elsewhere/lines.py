"""Reads lines out of files, plain or gzip, and never stops at a bad one.

A file that cannot be opened, a gzip stream that breaks off, a line that is too long: each
becomes a `Line` with a problem, and whatever can still be read is read.
"""

import errno
import gzip
import io
import sys
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO, cast

if TYPE_CHECKING:
    from typing_extensions import Buffer

GZIP_MAGIC = b"\x1f\x8b"
BYTE_ORDER_MARK = b"\xef\xbb\xbf"
STANDARD_INPUT = "-"
# A four-player game with every list of legal moves takes about 3 MB.
MAX_LINE_BYTES = 64 * 1024 * 1024


@dataclass(frozen=True)
class Line:
    """A line of a file: its bytes, or why there are none."""

    file: str
    number: int | None
    content: bytes
    problem: str | None = None


def read_lines(path: str) -> Iterator[Line]:
    """Yield every line of a file that is not blank; ``-`` is standard input."""
    number = 0
    try:
        with _open(path) as stream:
            while True:
                content = stream.readline(MAX_LINE_BYTES + 1)
                if not content:
                    return
                number += 1
                if len(content) > MAX_LINE_BYTES:
                    _skip_rest(stream, content)
                    limit = f"the line is longer than {MAX_LINE_BYTES} bytes"
                    yield Line(path, number, b"", limit)
                    continue
                if number == 1:
                    content = content.removeprefix(BYTE_ORDER_MARK)
                if content.strip():
                    yield Line(path, number, content)
    except (EOFError, zlib.error, gzip.BadGzipFile):
        yield Line(path, number + 1, b"", "the gzip stream is damaged or breaks off here")
    except OSError as error:
        yield Line(path, None, b"", error.strerror or "the file cannot be read")


@contextmanager
def _open(path: str) -> Iterator[BinaryIO]:
    if path == STANDARD_INPUT:
        if sys.stdin is None:
            raise OSError(errno.EBADF, "standard input is closed")
        # Left open: it is not ours to close.
        yield _unpacked(sys.stdin.buffer)
    else:
        with Path(path).open("rb") as stream:
            yield _unpacked(stream)


def _unpacked(stream: BinaryIO) -> BinaryIO:
    # Read, not peeked at: a pipe may bring the first byte alone.
    head = stream.read(len(GZIP_MAGIC))
    whole = cast("BinaryIO", io.BufferedReader(_Joined(head, stream)))
    if head == GZIP_MAGIC:
        return cast("BinaryIO", gzip.GzipFile(fileobj=whole))
    return whole


class _Joined(io.RawIOBase):
    """Bytes already read, and then the stream they came from."""

    def __init__(self, head: bytes, rest: BinaryIO) -> None:
        self._head = head
        self._rest = rest

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: "Buffer") -> int:
        view = memoryview(buffer)
        data = self._head or self._rest.read1(len(view))  # type: ignore[attr-defined]
        self._head = data[len(view) :]
        data = data[: len(view)]
        view[: len(data)] = data
        return len(data)


def _skip_rest(stream: BinaryIO, content: bytes) -> None:
    while content and not content.endswith(b"\n"):
        content = stream.readline(MAX_LINE_BYTES)
