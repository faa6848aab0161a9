"""The calls of organisers and spectators: one function a call, with its rights in `auth`.

Whatever a call reads of a live match is durable: the match is asked when its last frame is.
Files are read and verified in threads, so that nobody's clock waits for them.
"""

import asyncio
from collections.abc import AsyncGenerator, Awaitable, Callable
from functools import partial
from typing import TYPE_CHECKING, TypeVar

from referee.service import limits, tokens
from referee.service.auth import Caller, authorize
from referee.service.creation import create, setup_of
from referee.service.errors import ServiceError
from referee.service.host import Host
from referee.service.index import BadPageToken
from referee.service.info import match_info
from referee.service.names import BadText, check_detail, check_id, check_match_id
from referee.service.pairing import EVENT as QUEUE_EVENT
from referee.service.spectators import told
from referee.service.storage.errors import StorageError
from referee.transcript import format as azt
from referee.transcript import reader
from referee.transcript.fold import Stage
from referee.transcript.verify import Report, verify
from referee.v1 import match_pb2 as pb
from referee.v1 import setup_pb2
from referee.v1.error_pb2 import ErrorReason

if TYPE_CHECKING:
    from referee.service.house import House

T = TypeVar("T")
# Two set-ups that one request asks for differ in these alone.
OWN_FIELDS = ("created_utc_s", "sequence", "referee_version", "revision", "public_key")
SERVICE = "MatchService"


class MatchCalls:
    """The calls of `MatchService`; each is given the request and who makes it."""

    def __init__(self, house: "House") -> None:
        self._house = house
        # Requests that are being carried out, so that the same one twice makes one match.
        self._creating: dict[str, asyncio.Future[Host]] = {}

    # Making and stopping -----------------------------------------------------------------------

    async def create_match(
        self, request: pb.CreateMatchRequest, caller: Caller
    ) -> pb.CreateMatchResponse:
        """Make a match, or return the one that this request has made before."""
        authorize(f"{SERVICE}.CreateMatch", caller)
        house = self._house
        if request.event_id == QUEUE_EVENT:
            words = f"the event {QUEUE_EVENT!r} is that of the queue; name another one"
            raise ServiceError(ErrorReason.ERROR_REASON_INVALID_ARGUMENT, words)
        setup = setup_of(house, request)
        seed = request.fixed_seed if request.HasField("fixed_seed") else None
        if setup.request_id:
            host = await self._once(setup, seed)
            if not _is_same(request, setup, seed, host):
                words = "the request id was used for another match"
                raise ServiceError(ErrorReason.ERROR_REASON_REQUEST_ID_REUSED, words)
        else:
            host = await _created(asyncio.ensure_future(self._create(setup, seed)))
        await _settled(host)
        if host.stopped:
            raise ServiceError(ErrorReason.ERROR_REASON_STORAGE, "the match is not written yet")
        match_id = host.match.fold.match_id
        return pb.CreateMatchResponse(
            match=match_info(host),
            tokens=[
                pb.SeatToken(
                    seat=seat, token=tokens.make_seat_token(house.token_key, match_id, seat)
                )
                for seat in range(host.match.fold.setup.seats)
            ],
        )

    async def _once(self, setup: setup_pb2.Setup, seed: bytes | None) -> Host:
        """Return the match of a request, made by whoever asks for it first."""
        request_id = setup.request_id
        making = self._creating.get(request_id)
        if making is None:
            # Noted before anything waits, so that of two at the same time one makes it.
            making = asyncio.ensure_future(self._find_or_create(setup, seed))
            self._creating[request_id] = making
            making.add_done_callback(lambda _: self._creating.pop(request_id))
        return await _created(making)

    async def _find_or_create(self, setup: setup_pb2.Setup, seed: bytes | None) -> Host:
        match_id = await self._house.match_of_request(setup.request_id)
        return await (self._create(setup, seed) if match_id is None else self._made(match_id))

    async def _create(self, setup: setup_pb2.Setup, seed: bytes | None) -> Host:
        if self._house.draining:
            words = "the referee is about to stop and makes no new matches"
            raise ServiceError(ErrorReason.ERROR_REASON_DRAINING, words)
        if len(self._house.hosts) >= limits.MAX_OPEN_MATCHES:
            words = f"{limits.MAX_OPEN_MATCHES} matches go on already"
            raise ServiceError(ErrorReason.ERROR_REASON_LIMIT, words)
        return await create(self._house, setup, seed)

    async def abort_match(
        self, request: pb.AbortMatchRequest, caller: Caller
    ) -> pb.AbortMatchResponse:
        """Stop a match."""
        authorize(f"{SERVICE}.AbortMatch", caller)
        try:
            check_detail(request.detail)
        except BadText as error:
            raise _invalid(error) from error
        host = await self._find(_id(request.match_id))
        if host.match.over:
            raise ServiceError(ErrorReason.ERROR_REASON_MATCH_ENDED, "the match has ended")
        done: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        host.abort(request.detail, _setter(done))
        await done
        if host.match.over and host.match.fold.ended_by != "aborted":
            raise ServiceError(ErrorReason.ERROR_REASON_MATCH_ENDED, "the match has just ended")
        if host.stopped:
            words = "the match cannot be written; it will be void as soon as it can"
            raise ServiceError(ErrorReason.ERROR_REASON_STORAGE, words)
        return pb.AbortMatchResponse(match=match_info(host))

    # Looking -----------------------------------------------------------------------------------

    async def get_match(self, request: pb.GetMatchRequest, caller: Caller) -> pb.GetMatchResponse:
        """Show one match."""
        authorize(f"{SERVICE}.GetMatch", caller)
        host = await self._find(_id(request.match_id))
        await _settled(host)
        return pb.GetMatchResponse(match=match_info(host, caller))

    async def list_matches(
        self, request: pb.ListMatchesRequest, caller: Caller
    ) -> pb.ListMatchesResponse:
        """List matches, the newest first."""
        authorize(f"{SERVICE}.ListMatches", caller)
        size = min(request.page_size or limits.PAGE, limits.MAX_PAGE)
        try:
            check_id(request.event_id, "event_id")
            page = await self._house.indexing.ask(
                lambda index: index.page(
                    size, request.page_token, state=request.state, event_id=request.event_id
                )
            )
        except (BadText, BadPageToken) as error:
            raise ServiceError(ErrorReason.ERROR_REASON_INVALID_ARGUMENT, str(error)) from error
        hosts = self._house.hosts
        return pb.ListMatchesResponse(
            matches=[
                match_info(hosts[row.match_id], caller) if row.match_id in hosts else row.info
                for row in page.rows
            ],
            next_page_token=page.next_token,
        )

    async def get_transcript(
        self, request: pb.GetTranscriptRequest, caller: Caller
    ) -> pb.GetTranscriptResponse:
        """Return a piece of a transcript; of an open match, what may be known of it."""
        # First whether it may ever: nothing is read for those who may not, and nothing told.
        authorize(f"{SERVICE}.GetTranscript", caller, signed=True)
        match_id = _id(request.match_id)
        host = await self._find(match_id)
        signed = host.closed is not None
        authorize(f"{SERVICE}.GetTranscript", caller, signed=signed)
        await _settled(host)
        data = await self._read(match_id)
        if not signed:
            data = await asyncio.to_thread(_public_part, data, len(host.events.public))
        piece = data[request.offset : request.offset + limits.MAX_TRANSCRIPT_PIECE]
        return pb.GetTranscriptResponse(data=piece, size=len(data), signed=signed)

    async def verify_transcript(
        self, request: pb.VerifyTranscriptRequest, caller: Caller
    ) -> pb.VerifyTranscriptResponse:
        """Verify a transcript as `referee verify` does."""
        authorize(f"{SERVICE}.VerifyTranscript", caller, signed=True)
        match_id = _id(request.match_id)
        host = await self._find(match_id)
        authorize(f"{SERVICE}.VerifyTranscript", caller, signed=host.closed is not None)
        data = await self._read(match_id)
        report = await asyncio.to_thread(lambda: verify(reader.read(data), self._house.key.public))
        return _report(report)

    async def watch_match(
        self, request: pb.WatchMatchRequest, caller: Caller
    ) -> AsyncGenerator[bytes, None]:
        """Return events as they become public, each after the delay, until the match is signed.

        Of a match that is signed all are public, and its transcript is given out to everybody: they
        come at once.
        """
        authorize(f"{SERVICE}.WatchMatch", caller)
        host = await self._find(_id(request.match_id))
        least = 0 if caller.is_organiser else host.match.fold.setup.message.spectator_delay_ns
        delay = max(least, min(request.delay_ns, limits.MAX_SPECTATOR_DELAY_NS))
        if host.events.over:
            delay = 0
        return told(host.events, self._house.clock, request.from_event, delay)

    async def _find(self, match_id: bytes) -> Host:
        """Return a match that somebody was told of."""
        host = await self._made(match_id)
        if host.match.fold.stage is Stage.CREATED:
            # It is still being made: only the request that makes it may know of it.
            raise _not_found()
        return host

    async def _made(self, match_id: bytes) -> Host:
        """Return a match that goes on, or a finished one as its transcript tells it."""
        host = self._house.hosts.get(match_id)
        if host is not None:
            return host
        finished = await _from_disk(self._house.shelf.find(match_id))
        if finished is None:
            raise _not_found()
        return finished

    async def _read(self, match_id: bytes) -> bytes:
        read = partial(self._house.store.read, match_id)
        return await _from_disk(asyncio.to_thread(read))


async def _from_disk(reading: Awaitable[T]) -> T:
    """Return what is read of a match, or raise why there is nothing."""
    try:
        return await reading
    except StorageError as error:
        raise _not_found() from error
    except OSError as error:
        raise ServiceError(ErrorReason.ERROR_REASON_STORAGE, "it cannot be read") from error


async def _created(making: "asyncio.Future[Host]") -> Host:
    """Wait for a match that is being made, for the one who asked first and for all after."""
    # Whoever asked may be gone when it fails; then nobody else is to hear of it.
    making.add_done_callback(lambda made: made.cancelled() or made.exception())
    try:
        # Shielded: a caller that hangs up must not leave half a match behind.
        return await asyncio.shield(making)
    except OSError as error:
        words = f"the match could not be written: {error.strerror or error}"
        raise ServiceError(ErrorReason.ERROR_REASON_STORAGE, words) from error


def _is_same(
    request: pb.CreateMatchRequest, setup: setup_pb2.Setup, seed: bytes | None, host: Host
) -> bool:
    """Return whether a match is the one that a request asks for.

    What the request leaves to the referee may have been another default when it was made.
    """
    own = [*OWN_FIELDS]
    if not (request.HasField("clock") or request.no_clock):
        own.append("clock")
    if not request.HasField("durability"):
        own.append("durability")
    made = host.match.fold.setup.message
    if _without(made, own) != _without(setup, own):
        return False
    return seed is None or seed == host.match.seed


def _without(setup: setup_pb2.Setup, names: list[str]) -> setup_pb2.Setup:
    left = setup_pb2.Setup()
    left.CopyFrom(setup)
    for name in names:
        left.ClearField(name)  # type: ignore[arg-type]
    return left


def _id(text: str) -> bytes:
    try:
        return check_match_id(text)
    except BadText as error:
        raise _invalid(error) from error


def _invalid(error: BadText) -> ServiceError:
    return ServiceError(ErrorReason.ERROR_REASON_INVALID_ARGUMENT, str(error))


def _not_found() -> ServiceError:
    return ServiceError(ErrorReason.ERROR_REASON_MATCH_NOT_FOUND, "there is no such match")


def _setter(done: asyncio.Future[None]) -> Callable[[], None]:
    def call() -> None:
        if not done.done():
            done.set_result(None)

    return call


async def _settled(host: Host) -> None:
    """Wait until whatever a match has decided is durable."""
    if not host.stopped:
        done: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        host.when_settled(_setter(done))
        await done


def _public_part(data: bytes, events: int) -> bytes:
    """Return the frames of an open match up to the first share whose deal is not made."""
    transcript = reader.read(data)
    size, records = azt.HEADER_BYTES, 0
    for body, frame in zip(transcript.bodies, transcript.frames, strict=True):
        records += len(frame)
        if records > events:
            break
        size += azt.FRAME_OVERHEAD + len(body)
    return data[:size]


def _report(report: Report) -> pb.VerifyTranscriptResponse:
    levels = []
    for level, status in report.levels.items():
        finding = report.findings.get(level)
        levels.append(
            pb.LevelReport(
                level=level.value,
                status=status.value,
                frame=None if finding is None else finding.frame,
                record=None if finding is None else finding.record,
                expected="" if finding is None else finding.expected,
                found="" if finding is None else finding.found,
            )
        )
    fairness = report.fairness.level if report.fairness is not None else None
    return pb.VerifyTranscriptResponse(
        verdict=report.verdict.name, levels=levels, fairness=fairness or ""
    )
