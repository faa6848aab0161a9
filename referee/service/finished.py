"""Matches that are over, as their transcripts tell them.

To read one and play it through takes milliseconds, so it is done in a thread, one at a time,
and those that were asked for last are kept for whoever asks next.
"""

import asyncio
import contextlib
from collections import OrderedDict
from typing import TYPE_CHECKING

from referee.match.live import LiveMatch, SelfCheckFailed
from referee.service import limits
from referee.service.host import ENDS, Host
from referee.transcript import reader
from referee.transcript.errors import TranscriptError
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


class Shelf:
    """The matches that are over and were asked for last; all who ask share them."""

    def __init__(self, house: "House") -> None:
        self._house = house
        self._kept: OrderedDict[bytes, Host] = OrderedDict()
        self._loading: dict[bytes, asyncio.Task[Host | None]] = {}
        # A thread that plays a match through takes turns with the event loop; two would leave
        # it a third of the time.
        self._one_at_a_time = asyncio.Lock()

    async def find(self, match_id: bytes) -> Host | None:
        """Return a match that is signed, None if its file is no such transcript.

        Raise `OSError` or `StorageError` if there is no file, or none that can be read.
        """
        kept = self._kept.get(match_id)
        if kept is not None:
            self._kept.move_to_end(match_id)
            return kept
        loading = self._loading.get(match_id)
        if loading is None:
            loading = asyncio.get_running_loop().create_task(self._load(match_id))
            self._loading[match_id] = loading
            loading.add_done_callback(lambda done: self._loaded(match_id, done))
        # Shielded: whoever hangs up must not take it from others who wait.
        return await asyncio.shield(loading)

    async def _load(self, match_id: bytes) -> Host | None:
        async with self._one_at_a_time:
            return await asyncio.to_thread(self._read, match_id)

    def _read(self, match_id: bytes) -> Host | None:
        data = self._house.store.read(match_id)
        try:
            return closed_host(self._house, reader.read(data))
        except TranscriptError:
            return None

    def _loaded(self, match_id: bytes, loading: "asyncio.Task[Host | None]") -> None:
        del self._loading[match_id]
        # An error is for those who wait, if anybody still does.
        if loading.cancelled() or loading.exception() is not None:
            return
        host = loading.result()
        if host is not None:
            self._kept[match_id] = host
            if len(self._kept) > limits.MAX_FINISHED_KEPT:
                self._kept.popitem(last=False)
