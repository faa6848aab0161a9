"""Where two records part: the first frame, the first event, the first field."""

from dataclasses import dataclass
from typing import Any

from google.protobuf.message import DecodeError, Message

from referee.rules import RulesError
from referee.transcript.errors import WireError
from referee.transcript.reader import Transcript
from referee.transcript.wire.game import decode_deal, decode_move
from referee.v1 import record_pb2 as pb
from referee.v1.setup_pb2 import Setup

NOTHING = "nothing"
# Bytes of a value that are shown; the rest does not tell more.
SHOWN_BYTES = 32


@dataclass(frozen=True)
class Difference:
    """The first difference of two copies; ``event`` is None where a frame as a whole differs.

    ``field`` is the path to the first field that differs, ``first`` and ``second`` what the two
    copies have there.
    """

    frame: int
    event: int | None
    field: str
    first: str
    second: str


def first_difference(one: Transcript, other: Transcript) -> Difference | None:
    """Return where two copies part, None if all their frames are the same."""
    event = 0
    for frame, (left, right) in enumerate(zip(one.frames, other.frames, strict=False)):
        if one.bodies[frame] != other.bodies[frame]:
            return _of_frames(frame, event, left, right)
        if one.links[frame] != other.links[frame]:
            links = one.links[frame].hex(), other.links[frame].hex()
            return Difference(frame, None, "link", *links)
        event += len(left)
    frame = min(len(one.frames), len(other.frames))
    if len(one.frames) == len(other.frames):
        return None
    found = [_rest(copy, frame) for copy in (one, other)]
    return Difference(frame, event, "", *found)


def _rest(copy: Transcript, frame: int) -> str:
    """Return what a copy has in a frame that the other one lacks."""
    if frame < len(copy.frames):
        return describe(copy.frames[frame][0])
    return NOTHING


def _of_frames(frame: int, event: int, left: list[pb.Record], right: list[pb.Record]) -> Difference:
    for at, (one, other) in enumerate(zip(left, right, strict=False)):
        if one != other:
            path, values = _fields(one, other)
            if path == "setup":
                path, values = _of_setups(one.setup, other.setup)
            if not path:
                return Difference(frame, event + at, path, describe(one), describe(other))
            shown = [
                f"{describe(record)}: {_shown(value)}"
                for record, value in zip((one, other), values, strict=True)
            ]
            return Difference(frame, event + at, path, *shown)
    at = min(len(left), len(right))
    if len(left) == len(right):
        return Difference(frame, None, "", "the same records", "the same records in other bytes")
    ends = [describe(side[at]) if at < len(side) else NOTHING for side in (left, right)]
    return Difference(frame, event + at, "", *ends)


def _of_setups(one: bytes, other: bytes) -> tuple[str, tuple[Any, Any]]:
    """Return where two set-ups differ: by their fields, if their bytes can be read."""
    try:
        path, values = _fields(Setup.FromString(one), Setup.FromString(other))
    except DecodeError:
        path = ""
    return (f"setup.{path}", values) if path else ("setup", (one, other))


def _fields(one: Message, other: Message) -> tuple[str, tuple[Any, Any]]:
    """Return the path to the first field in which two messages differ, and its values."""
    for each in one.DESCRIPTOR.fields:
        name = each.name
        if each.has_presence:
            given = one.HasField(name), other.HasField(name)
            if given == (False, False):
                continue
            if given != (True, True):
                # Records of different kinds differ as a whole.
                whole = each.containing_oneof is not None and each.containing_oneof.name == "kind"
                absent = [
                    getattr(side, name) if has else None
                    for side, has in zip((one, other), given, strict=True)
                ]
                return "" if whole else name, (absent[0], absent[1])
        left, right = getattr(one, name), getattr(other, name)
        if left == right:
            continue
        if each.is_repeated and len(left) == len(right):
            at = next(at for at, value in enumerate(left) if value != right[at])
            name, left, right = f"{name}[{at}]", left[at], right[at]
        if isinstance(left, Message):
            path, values = _fields(left, right)
            return (f"{name}.{path}" if path else name), values
        return name, (left, right)
    return "", (None, None)


def _shown(value: object) -> str:
    if value is None:
        return NOTHING
    if isinstance(value, bytes):
        return value[:SHOWN_BYTES].hex() + ("..." if len(value) > SHOWN_BYTES else "")
    if isinstance(value, Message):
        return " ".join(str(value).split()) or "an empty one"
    if isinstance(value, int | str):
        return str(value)
    return ", ".join(" ".join(str(each).split()) for each in value) or NOTHING  # type: ignore[attr-defined]


def describe(record: pb.Record) -> str:
    """Return a record in a few words; whatever it says, it comes from a stranger."""
    kind = record.WhichOneof("kind")
    if kind is None:
        return "a record of no known kind"
    message = getattr(record, kind)
    words = [kind.replace("_", " ")]
    if isinstance(message, Message):
        given = {each.name for each in message.DESCRIPTOR.fields}
        if "seat" in given and message.HasField("seat"):
            words.append(f"of seat {message.seat}")  # type: ignore[attr-defined]
        if "turn" in given:
            words.append(f"in turn {message.turn}")  # type: ignore[attr-defined]
        if "round" in given:
            words.append(f"of round {message.round}")  # type: ignore[attr-defined]
    return " ".join(words) + _told(record, kind)


def _told(record: pb.Record, kind: str) -> str:
    try:
        if kind == "move":
            return f", {decode_move(record.move.move)}"
        if kind == "deal":
            return f", {decode_deal(record.deal.deal)}"
    except (WireError, RulesError):
        return ", which cannot be read"
    if kind == "round_scored":
        return f", scores {', '.join(map(str, record.round_scored.scores))}"
    return ""
