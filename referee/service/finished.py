"""Matches that are over, as their transcripts tell them."""

import contextlib
from typing import TYPE_CHECKING

from referee.match.live import LiveMatch, SelfCheckFailed
from referee.service.host import ENDS, Host
from referee.transcript.reader import Transcript
from referee.transcript.writer import Chain
from referee.v1 import play_pb2, record_pb2

if TYPE_CHECKING:
    from referee.service.house import House


def add_events(host: Host, transcript: Transcript) -> None:
    """Let a host know the events that stand in a transcript."""
    for frame, (records, link) in enumerate(zip(transcript.frames, transcript.links, strict=True)):
        encoded = [record.SerializeToString() for record in records]
        host.events.add(frame, link, records, encoded)
        for record in records:
            if record.WhichOneof("kind") in ENDS:
                host.end = record


def seed_of(transcript: Transcript) -> bytes | None:
    """Return the seed that a transcript shows, None if it shows none."""
    for records in reversed(transcript.frames[-2:]):
        for record in records:
            if record.WhichOneof("kind") == "seed_reveal":
                return record.seed_reveal.seed
    return None


def closing(seed: bytes | None, transcript: Transcript) -> play_pb2.MatchClosed:
    """Return what proves the record of a match that is signed."""
    signature: record_pb2.Signature = transcript.frames[-1][0].signature
    return play_pb2.MatchClosed(
        seed=seed or b"",
        frames=len(transcript.frames) - 1,
        final_link=transcript.links[-2],
        public_key=signature.public_key,
        signature=signature.signature,
    )


def closed_host(house: "House", transcript: Transcript) -> Host | None:
    """Return a host for a match that is signed: it can tell everything, and changes nothing."""
    if not transcript.signed:
        return None
    seed = seed_of(transcript)
    match = LiveMatch(transcript.match_id, seed, house.end_stamp)
    with contextlib.suppress(SelfCheckFailed):
        # Whatever is wrong with the record is for a verifier to say.
        match.take_up(transcript.frames)
    host = Host(house, match, Chain(transcript.match_id), None)
    add_events(host, transcript)
    host.events.release(None, house.clock.now_ns())
    host.events.finish()
    host.closed = closing(seed, transcript)
    return host
