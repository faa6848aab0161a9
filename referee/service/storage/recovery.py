"""What stands in `open/` at a start: which matches go on, which are over, which are damaged.

The container alone is judged, with `transcript.reader` (docs/transcript.md, "Tails"). A file is
cut only where the rest can be nothing but one interrupted write, and what is cut off is kept
in `aside/` first. A file that is corrupt, or signed, is never cut.
"""

from contextlib import suppress
from dataclasses import dataclass
from enum import Enum
from pathlib import Path
from typing import Final

from referee.service.storage.aside import free_path, keep
from referee.service.storage.disk import Disk, write_all
from referee.service.storage.layout import NEW, Layout, match_of
from referee.transcript import format as azt
from referee.transcript import reader, tail
from referee.transcript.errors import NotATranscript
from referee.transcript.limits import MAX_FILE_BYTES
from referee.transcript.reader import Tail, Transcript
from referee.v1.record_pb2 import Record

_ENDS: Final = frozenset(("game_over", "voided", "aborted"))
_OPENS: Final = frozenset(("seed_reveal", "secret_lost"))


class Kind(Enum):
    """What a file in `open/` turned out to be."""

    OPEN = "open"  # the match goes on
    ENDED = "ended"  # the match has ended; only its signature is missing
    FINISHED = "finished"  # it is signed, and was moved
    NO_MATCH = "no match"  # it ends inside its first frame, and was set aside
    CORRUPT = "corrupt"  # it was left as it is, for people to look at
    UNREADABLE = "unreadable"  # the disk failed; the next start tries again


@dataclass(frozen=True)
class Recovered:
    """One file, after it was put in order.

    transcript  its good frames only; None unless it is open, ended or finished
    cut         how many bytes were cut off
    kept        where the cut bytes are, or the file that was set aside
    problem     what is wrong with a file that was left as it is
    """

    match_id: bytes
    kind: Kind
    transcript: Transcript | None = None
    cut: int = 0
    kept: Path | None = None
    problem: str = ""


def has_ended(frame: list[Record]) -> bool:
    """Return whether a frame ends its match: the end, and the seed or its loss."""
    kinds = {record.WhichOneof("kind") for record in frame}
    return bool(kinds & _ENDS and kinds & _OPENS)


def recover(disk: Disk, layout: Layout) -> list[Recovered]:
    """Put every file of an open match in order, and say what it is."""
    names = disk.names(layout.open)
    for name in names:
        # A crash came before it could take the place of the transcript.
        if name.endswith(NEW):
            with suppress(OSError):
                disk.unlink(layout.open / name)
    found = sorted(filter(None, map(match_of, names)))
    recovered: list[Recovered] = []
    for match_id in found:
        try:
            recovered.append(_recover_one(disk, layout, match_id))
        except OSError as error:
            # One file that the disk does not give must not keep all others waiting.
            recovered.append(Recovered(match_id, Kind.UNREADABLE, problem=str(error)))
    return recovered


def _recover_one(disk: Disk, layout: Layout, match_id: bytes) -> Recovered:
    path = layout.open_path(match_id)
    data = disk.read(path, MAX_FILE_BYTES + 1)
    try:
        transcript = reader.read(data)
    except NotATranscript as error:
        if not _is_lost_write(match_id, data):
            return Recovered(match_id, Kind.CORRUPT, problem=str(error))
        return _set_aside(disk, layout, match_id)
    if len(data) >= azt.HEADER_BYTES and transcript.match_id != match_id:
        problem = f"it is the transcript of match {transcript.match_id.hex()}"
        return Recovered(match_id, Kind.CORRUPT, problem=problem)
    if transcript.tail is Tail.CORRUPT:
        return Recovered(match_id, Kind.CORRUPT, problem=_words(transcript))
    if not transcript.good:
        return _set_aside(disk, layout, match_id)
    if transcript.signed:
        return _finish(disk, layout, match_id, transcript, data)
    good = sum(azt.FRAME_OVERHEAD + len(body) for body in transcript.bodies) + azt.HEADER_BYTES
    kept: Path | None = None
    if good < len(data):
        # A damaged signature is cut like any other frame: the match has ended all the same,
        # and whoever reads the kind signs it anew.
        kept = keep(disk, layout, f"{match_id.hex()}-at-{good}", data[good:])
        transcript = reader.read(data[:good])
    _settle(disk, path, data[:good])
    kind = Kind.ENDED if has_ended(transcript.frames[-1]) else Kind.OPEN
    return Recovered(match_id, kind, transcript, len(data) - good, kept)


def _is_lost_write(match_id: bytes, data: bytes) -> bool:
    """Return whether header and frame 0 were being written when the power went.

    A file system may have the size of a write, and zeros where its first bytes are lost.
    """
    start, rest = data[: azt.HEADER_BYTES], data[azt.HEADER_BYTES :]
    return not start.strip(b"\0") and tail.is_torn(match_id, rest, 0)


def _words(transcript: Transcript) -> str:
    damage = transcript.broken_link or transcript.damage
    if damage is None:
        return "something follows the signature"
    return f"frame {damage.frame}: expected {damage.expected}, found {damage.found}"


def _settle(disk: Disk, path: Path, data: bytes) -> None:
    """Make a file durable that holds just these bytes, which begin it already.

    They are written again: the system's cache may show what a failed sync never stored.
    """
    descriptor = disk.open(path)
    try:
        disk.truncate(descriptor, len(data))
        write_all(disk, descriptor, data, 0)
        disk.sync(descriptor)
    finally:
        disk.close(descriptor)
    disk.sync_folder(path.parent)


def _set_aside(disk: Disk, layout: Layout, match_id: bytes) -> Recovered:
    path = layout.open_path(match_id)
    target = free_path(disk, layout, path.name, disk.read(path))
    disk.rename(path, target)
    disk.sync_folder(layout.aside)
    disk.sync_folder(layout.open)
    return Recovered(match_id, Kind.NO_MATCH, kept=target)


def _finish(
    disk: Disk, layout: Layout, match_id: bytes, transcript: Transcript, data: bytes
) -> Recovered:
    """Move a signed file to where it belongs; never over another account of the match."""
    path, target = layout.open_path(match_id), layout.finished_path(match_id)
    if disk.size(target) is not None and disk.read(target) != data:
        problem = "another transcript of this match lies among the finished ones"
        return Recovered(match_id, Kind.CORRUPT, problem=problem)
    _settle(disk, path, data)
    move_to_finished(disk, layout, match_id)
    return Recovered(match_id, Kind.FINISHED, transcript)


def move_to_finished(disk: Disk, layout: Layout, match_id: bytes) -> None:
    """Move a transcript that is synced to its place, durably; also if that was half done."""
    path, target = layout.open_path(match_id), layout.finished_path(match_id)
    if disk.make_folder(target.parent):
        disk.sync_folder(layout.finished)
    if disk.size(path) is not None or disk.size(target) is None:
        disk.rename(path, target)
    disk.sync_folder(target.parent)
    disk.sync_folder(layout.open)
