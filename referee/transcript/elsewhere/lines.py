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
from typing import BinaryIO, cast

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
        yield _unpacked(cast("io.BufferedReader", sys.stdin.buffer))
    else:
        with Path(path).open("rb") as stream:
            yield _unpacked(stream)


def _unpacked(stream: io.BufferedReader) -> BinaryIO:
    if stream.peek(len(GZIP_MAGIC)).startswith(GZIP_MAGIC):
        return cast("BinaryIO", gzip.GzipFile(fileobj=stream))
    return stream


def _skip_rest(stream: BinaryIO, content: bytes) -> None:
    while content and not content.endswith(b"\n"):
        content = stream.readline(MAX_LINE_BYTES)
