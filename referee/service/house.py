"""All matches of one referee: finding them, keeping them going, letting them go.

The house owns what matches share: the disk, the keys, the clock, the order of the data
directory. A match that cannot go on is voided here, from what is durable of it; a match that
has ended is moved to the finished ones and leaves memory.
"""

import asyncio
import contextlib
from collections.abc import Callable, Coroutine
from functools import partial
from typing import TYPE_CHECKING, NamedTuple, TypeVar

import structlog

from referee.match.live import EndStamp, LiveMatch, SelfCheckFailed
from referee.service import chronicle, limits, tokens
from referee.service.creation import begin
from referee.service.database import DatabaseError
from referee.service.errors import ServiceError
from referee.service.finished import Shelf
from referee.service.host import Host
from referee.service.info import match_row
from referee.service.places import Place
from referee.service.rates import Allowances
from referee.service.spectators import Spectators
from referee.service.timing import Clock, Heart, Pauses
from referee.transcript import reader
from referee.transcript.fold import Stage
from referee.transcript.writer import Chain
from referee.v1.error_pb2 import ErrorReason

if TYPE_CHECKING:
    from referee.service.auth import Caller
    from referee.service.credentials import Credentials
    from referee.service.indexing import Indexing
    from referee.service.metrics import Metrics
    from referee.service.pairing import Pairing
    from referee.service.settings import Settings
    from referee.service.storage.committer import Committer
    from referee.service.storage.debuglog import DebugLog
    from referee.service.storage.secrets import Secrets
    from referee.service.storage.store import Store
    from referee.service.streams import AgentStream
    from referee.transcript.signing import SigningKey

# How often voiding a match is tried again while the disk does not let us.
RETRY_S = 2.0
VOID_DETAIL_CHARACTERS = 200

T = TypeVar("T")
log = structlog.get_logger()


class Folder(NamedTuple):
    """What lies in the data directory, opened."""

    settings: "Settings"
    store: "Store"
    secrets: "Secrets"
    credentials: "Credentials"
    indexing: "Indexing"
    key: "SigningKey"
    token_key: bytes


class House:
    """The matches of one referee.

    hosts    the matches that go on, by id
    shelf    matches that are over
    streams  the agents that are there, the oldest first
    openings how many streams each caller may open
    emptied  set when this referee drains and no match is in play any more
    """

    def __init__(self, folder: Folder, metrics: "Metrics", clock: Clock) -> None:
        self.settings = folder.settings
        self.store = folder.store
        self.secrets = folder.secrets
        self.credentials = folder.credentials
        self.indexing = folder.indexing
        self.key = folder.key
        self.token_key = folder.token_key
        self.metrics = metrics
        self.clock = clock
        self.emptied = asyncio.Event()
        self.pauses = Pauses()
        self.heart = Heart(clock, self.pauses, metrics.lag)
        self.hosts: dict[bytes, Host] = {}
        self.shelf = Shelf(self)
        self.spectators = Spectators()
        self.streams: dict[AgentStream, None] = {}
        self.draining = False
        self.committer: Committer
        self.debug_log: DebugLog
        self.pairing: Pairing
        self._requests: dict[str, bytes] = {}
        self.openings = Allowances(
            limits.STREAMS_BURST, limits.STREAMS_PER_SECOND, limits.MAX_CALLERS
        )
        self._sequence = 1
        self._rights = 0
        self._tasks: set[asyncio.Task[None]] = set()

    # Small things ------------------------------------------------------------------------------

    def next_sequence(self) -> int:
        """Return the next place in the order of the data directory."""
        self._sequence += 1
        return self._sequence - 1

    def seen_sequence(self, sequence: int) -> None:
        """Take note of a place that a record has: later ones come after it."""
        self._sequence = max(self._sequence, sequence + 1)

    def end_stamp(self) -> EndStamp:
        """Return what the record of an end carries."""
        return EndStamp(self.clock.utc_s(), self.next_sequence())

    async def on_disk(self, work: Callable[[], T]) -> T:
        """Do something on the disk, in its thread, and return what it returns."""
        loop = asyncio.get_running_loop()
        waiting: asyncio.Future[None] = loop.create_future()
        result: list[T] = []

        def done(error: Exception | None) -> None:
            if waiting.done():
                return
            if error is None:
                waiting.set_result(None)
            else:
                waiting.set_exception(error)

        self.committer.run(lambda: result.append(work()), done)
        await waiting
        return result[0]

    def spawn(self, work: Coroutine[None, None, None]) -> asyncio.Task[None]:
        """Let something run beside everything else, until it is done or the house closes."""
        task = asyncio.get_running_loop().create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        return task

    def add_stream(self, stream: "AgentStream") -> None:
        """Take a stream in, or raise `ServiceError` if there are too many.

        Whoever has no seat makes room, the oldest first, and whoever waits to be paired after
        all who only stand around: nobody can keep others out by being there.
        """
        words = "there are too many streams already"
        if len(self.streams) >= limits.MAX_STREAMS:
            waits = self.pairing.has
            idle = (one for one in self.streams if not (one.places or waits(one)))
            waiting = (one for one in self.streams if not one.places)
            unused = next(idle, None) or next(waiting, None)
            if unused is None:
                raise ServiceError(ErrorReason.ERROR_REASON_LIMIT, words)
            del self.streams[unused]
            unused.close(ErrorReason.ERROR_REASON_LIMIT, words)
        self.streams[stream] = None

    def drop_stream(self, stream: "AgentStream") -> None:
        """Let a stream go that has ended."""
        self.streams.pop(stream, None)

    def debug(self, place: Place, turn: int, text: str) -> None:
        """Keep what an agent said beside its answer."""
        cut = text.encode()[: limits.MAX_DEBUG_BYTES].decode(errors="ignore")
        line = f"turn {turn}: {cut}"
        match_id = place.host.match.fold.match_id
        work = partial(self.debug_log.append, match_id, place.seat, line)
        self.committer.run(work, lambda _: None)

    # Rights ------------------------------------------------------------------------------------

    def rights(self) -> int:
        """Look whether tokens were issued or revoked; the number is another one if any was."""
        try:
            self._rights = self.credentials.readings()
        except DatabaseError as error:
            # What was known goes on being true until the file can be read.
            log.warning("tokens cannot be read", error=str(error))
        return self._rights

    def knows(self, caller: "Caller") -> bool:
        """Return whether the bearer that a caller has shown was still good at the last look."""
        shown = caller.shown
        return shown is None or self.credentials.holder(shown) == caller.principal

    def drop_revoked(self) -> None:
        """End what callers do whose bearers were revoked, as of the last look.

        A seat is held by its own token: on this machine, where nobody needs a bearer to play, a
        stream goes on, though not in the queue.
        """
        self.pairing.drop_revoked()
        self.spectators.drop(self.knows)
        for stream in list(self.streams):
            if not (stream.caller.loopback or self.knows(stream.caller)):
                words = "nobody has this bearer any more: it was revoked"
                stream.close(ErrorReason.ERROR_REASON_UNAUTHENTICATED, words)

    # Finding -----------------------------------------------------------------------------------

    def open_seat(self, token: str) -> tuple[bytes, int] | None:
        """Return the match and the seat that a token opens, if there still is such a match."""
        return tokens.open_seat_token(self.token_key, token)

    async def finished_host(self, match_id: bytes) -> Host | None:
        """Return a match that is over, for an agent that was away when it ended."""
        try:
            return await self.shelf.find(match_id)
        except Exception:  # noqa: BLE001  whatever is wrong with the file, there is no match
            return None

    # Going -------------------------------------------------------------------------------------

    def fail(self, host: Host, detail: str) -> None:
        """Stop a match that cannot go on, and void it from what is durable of it."""
        if host.stopped:
            return
        host.stop()
        self.metrics.operator_faults.inc()
        self.spawn(self._void(host, detail[:VOID_DETAIL_CHARACTERS]))

    async def _void(self, host: Host, detail: str) -> None:
        match_id = host.match.fold.match_id
        while True:
            try:
                await self._void_once(host, detail)
            except OSError as error:
                host.log.warning("void failed", error=str(error))
            except Exception:
                host.log.exception("match is lost to this process")
                self.hosts.pop(match_id, None)
                host.forsake()
                self._look_who_plays()
                return
            else:
                return
            await asyncio.sleep(RETRY_S)

    async def _void_once(self, host: Host, detail: str) -> None:
        match_id = host.match.fold.match_id
        durability = host.file.durability if host.file is not None else None
        assert durability is not None
        file = await self.on_disk(lambda: self.store.reopen(match_id, durability))
        transcript = reader.read(await self.on_disk(lambda: self.store.read(match_id)))
        match = LiveMatch(match_id, host.match.seed, self.end_stamp)
        with contextlib.suppress(SelfCheckFailed):
            match.take_up(transcript.frames)
        if match.fold.stage is Stage.CREATED:
            assert match.seed is not None
            await self.on_disk(partial(self.secrets.put, match_id, match.seed))
        chain = Chain(match_id)
        chain.go_on(transcript)
        again = Host(self, match, chain, file)
        again.take_over(host)
        # From here on to its first frame nothing waits: nobody finds a host that is half made.
        self.hosts[match_id] = again
        if match.fold.stage is Stage.CREATED:
            # Nobody was promised anything yet: it is made now, as it would be at a start.
            begin(again, lambda: self.pairing.made_late(again))
            return
        if match.over:
            again.sign()
        else:
            match.void(detail)
            host.log.error("match voided", detail=detail)
            again.write(lambda: None)
        again.seat_late(host)

    def started(self, host: Host) -> None:
        """Take a match among those that go on."""
        self.hosts[host.match.fold.match_id] = host
        self.metrics.open_matches.set(len(self.hosts))
        request_id = host.match.fold.setup.message.request_id
        if request_id:
            self._requests[request_id] = host.match.fold.match_id

    def finished(self, host: Host) -> None:
        """Let a match go that is signed: its file is moved, its seed is deleted."""
        match_id = host.match.fold.match_id
        setup = host.match.fold.setup
        self.metrics.match_ended(setup.ruleset.key, host.end)
        self.pairing.ended(match_id)

        file = host.file
        assert file is not None

        def put_away() -> None:
            self.store.finish(file)
            # Not before: until the reveal of the seed is durable, the seed may stand here alone.
            self.secrets.delete(match_id)

        def done(error: Exception | None) -> None:
            if error is not None:
                # The next start puts it away; it is durable where it is.
                host.log.warning("not put away", error=str(error))
            self.hosts.pop(match_id, None)
            self._requests.pop(setup.message.request_id, None)
            self.metrics.open_matches.set(len(self.hosts))
            self._look_who_plays()
            # Only now there is room for one more.
            self.pairing.pair()

        self.index_match(host)
        self.committer.run(partial(self.debug_log.close_match, match_id), lambda _: None)
        self.committer.run(put_away, done)
        chronicle.closed(host.log, host.match.fold)

    # Ending ------------------------------------------------------------------------------------

    def drain(self) -> None:
        """Begin no matches from now on; those in play go on, and their agents may come back."""
        self.draining = True
        self.pairing.stop()
        self._look_who_plays()

    def _look_who_plays(self) -> None:
        if self.draining and not any(host.in_play for host in self.hosts.values()):
            self.emptied.set()

    async def close(self) -> None:
        """Stop all hosts; what is durable resumes at the next start."""
        await self.pairing.settle()
        self.heart.stop()
        for stream in list(self.streams):
            stream.close(ErrorReason.ERROR_REASON_DRAINING, "the referee stops; come back later")
        for host in self.hosts.values():
            host.stop()
        for task in list(self._tasks):
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    # The index ---------------------------------------------------------------------------------

    def index_match(self, host: Host) -> None:
        """Let the index know how far a match is."""
        self.indexing.put(match_row(host))

    async def match_of_request(self, request_id: str) -> bytes | None:
        """Return the match that a request has made."""
        return self._requests.get(request_id) or await self.indexing.ask(
            lambda index: index.find_request(request_id)
        )
