"""The events of one match: which may be told, and who waits for more.

An event is encoded once, when its frame is durable, and told to everybody from there on. A
share of the draws is not public before the deal it was for; it, and whatever was recorded
after it, is held back until then.
"""

import asyncio
from typing import TypeAlias

from referee.service import saying
from referee.service.places import Place
from referee.v1.record_pb2 import Record

# What an agent that only wants its turns is not told, unless it is its own.
SKIPPED = frozenset(("move", "deal", "rejected"))
# Records that became public, each with its event.
Released: TypeAlias = list[tuple[Record, bytes]]


class Events:
    """Every event of a match that may be told, in order.

    public    the events, encoded; spectators read them at their own pace
    times_ns  when each became public, for spectators with a delay
    over      whether none will follow
    """

    def __init__(self) -> None:
        self.public: list[bytes] = []
        self.times_ns: list[int] = []
        self.over = False
        self._held: list[tuple[Record, bytes]] = []
        self._waiting: set[asyncio.Future[None]] = set()

    def add(self, frame: int, link: bytes, records: list[Record], encoded: list[bytes]) -> None:
        """Take the records of a frame that is durable; nothing of it is public yet."""
        index = len(self.public) + len(self._held)
        for record, data in zip(records, encoded, strict=True):
            self._held.append((record, saying.event_bytes(index, frame, link, data)))
            index += 1

    def release(self, held_from: int | None, now_ns: int) -> Released:
        """Make public what may be, and return it."""
        held = self._held
        if held_from is not None:
            count = max(0, held_from - len(self.public))
            released, self._held = held[:count], held[count:]
        else:
            released, self._held = held, []
        for _, event in released:
            self.public.append(event)
            self.times_ns.append(now_ns)
        if released:
            self._wake()
        return released

    def finish(self) -> None:
        """Note that no event will follow."""
        self.over = True
        self._wake()

    def _wake(self) -> None:
        for waiting in self._waiting:
            if not waiting.done():
                waiting.set_result(None)
        self._waiting.clear()

    async def wait(self, timeout_ns: int | None = None) -> None:
        """Wait until something becomes public, or for so long."""
        waiting: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._waiting.add(waiting)
        try:
            seconds = None if timeout_ns is None else timeout_ns / 1e9
            await asyncio.wait((waiting,), timeout=seconds)
        finally:
            self._waiting.discard(waiting)


def tell(released: Released, places: list[Place | None]) -> None:
    """Tell events to seats; some want to hear of their own moves only."""
    for record, event in released:
        kind = record.WhichOneof("kind") or ""
        actor = _seat_of(record, kind) if kind in SKIPPED else None
        for place in places:
            if place is not None and (actor is None or not place.skip_moves or place.seat == actor):
                place.outlet.send(saying.match_event(place.handle, event))


def _seat_of(record: Record, kind: str) -> int:
    """Return whose move or rejection a record is; -1 for a deal, which is nobody's."""
    if kind == "move":
        return record.move.seat
    return record.rejected.seat if kind == "rejected" else -1
