"""One agent's stream: read by one task, written by exactly one other.

Reading hands every message on at once and never waits for a match. Whatever is said to the
agent gathers in the outbox, and the one writer sends all of it as one frame, so frames grow
by themselves under load. Two tasks that write to one stream can hang it without an error.
"""

import asyncio
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, NamedTuple

import structlog
from google.protobuf.message import DecodeError
from grpc import aio

from referee import __version__
from referee.match.replies import Refusal
from referee.service import limits, saying
from referee.service.auth import Caller
from referee.service.errors import ServiceError
from referee.service.names import BadText, check_kit, check_name
from referee.service.places import Place
from referee.service.rates import Allowance
from referee.v1 import play_pb2 as pb
from referee.v1 import record_pb2
from referee.v1.error_pb2 import ErrorReason
from referee.v1.play_pb2 import AgentMessageKind as Kind
from referee.v1.play_pb2 import RefuseReason

if TYPE_CHECKING:
    from referee.service.host import Host
    from referee.service.house import House

PROTOCOL = 1
# After so many messages of one frame everybody else has a turn.
BREATH = 32

BEGINS_NO_MORE = Refusal(
    RefuseReason.REFUSE_REASON_DRAINING, "the referee is about to stop and begins no matches"
)
NO_SEAT = Refusal(RefuseReason.REFUSE_REASON_TOKEN, "the token opens no seat")

log = structlog.get_logger()


class Sought(NamedTuple):
    """A seat of a match that does not go on, or not any more."""

    join: pb.Join
    match_id: bytes
    seat: int


class AgentStream:
    """The stream of one agent, with all its matches.

    places    the seats that this stream holds, by handle
    heard_ns  when the agent said something last
    """

    def __init__(self, house: "House", caller: Caller, context: Any) -> None:  # noqa: ANN401  typed by grpc only for one kind of message
        self.house = house
        self.caller = caller
        self.places: dict[int, Place] = {}
        self.hello: pb.Hello | None = None
        self.opened_ns = self.heard_ns = house.clock.now_ns()
        self.pinged_ns = 0
        self._pinged: int | None = None
        self.log = log.bind(peer=context.peer(), agent=caller.principal.name or None)
        # Joins that wait until their match is read, by handle; and who reads.
        self._sought: dict[int, Sought] = {}
        self._seeker: asyncio.Task[None] | None = None
        self._context = context
        self._outbox: list[bytes] = []
        self._outbox_bytes = 0
        self._filled = asyncio.Event()
        self._idle = Allowance(limits.IDLE_BURST, limits.IDLE_PER_SECOND, self.opened_ns)
        self._end: asyncio.Future[ServiceError | None] = asyncio.get_running_loop().create_future()

    # What matches know of it -------------------------------------------------------------------

    @property
    def ended(self) -> bool:
        """Whether either side has ended the stream."""
        return self._end.done()

    def send(self, said: bytes) -> None:
        """Put something into the outbox; an agent that does not read loses its stream."""
        self._outbox.append(said)
        self._outbox_bytes += len(said)
        if self._outbox_bytes > limits.MAX_OUTBOX_BYTES:
            self.close(ErrorReason.ERROR_REASON_SLOW_READER, "what was sent is not read")
        self._filled.set()

    def idle(self) -> None:
        """Count a message that had no effect."""
        if not self._idle.take(self.house.clock.now_ns()):
            self.close(ErrorReason.ERROR_REASON_RATE, "too many messages without effect")

    def forget(self, handle: int) -> None:
        """Free a handle."""
        self.places.pop(handle, None)

    def cut(self, why: str) -> None:
        """End the stream of an agent that does not keep to the protocol."""
        self.close(ErrorReason.ERROR_REASON_PROTOCOL, why)

    def ping(self, number: int, now: int) -> None:
        """Ask whether the agent is still there."""
        self.pinged_ns, self._pinged = now, number
        self.send(saying.message(pb.RefereeMessage(ping=pb.Ping(number=number))))

    def close(self, reason: ErrorReason.ValueType, why: str) -> None:
        """End the stream with an error."""
        if not self._end.done():
            self._end.set_result(ServiceError(reason, why))

    # Running -----------------------------------------------------------------------------------

    async def run(self) -> None:
        """Serve the stream until either side ends it; the caller ends the call."""
        reader = asyncio.create_task(self._read())
        writer = asyncio.create_task(self._write())
        try:
            await asyncio.wait((reader, writer, self._end), return_when=asyncio.FIRST_COMPLETED)
        finally:
            if not self._end.done():
                # The agent has said all it had to say, or is gone; if it is there, it still
                # hears what was to be told.
                self._end.set_result(None)
            now = self.house.clock.now_ns()
            for place in list(self.places.values()):
                place.host.leave(place, now)
            self.places.clear()
            self.house.pairing.leave(self)
            reader.cancel()
            if self._seeker is not None:
                self._seeker.cancel()
            await self._last_words(writer)
            await self._note_failures(reader, writer)
        error = self._end.result()
        if error is not None:
            self.log.info("stream closed", reason=error.reason_name, why=error.message)
            raise error

    async def _last_words(self, writer: asyncio.Task[None]) -> None:
        """Let the writer send what is left, if the agent reads it."""
        self._filled.set()
        await asyncio.wait((writer,), timeout=1)
        writer.cancel()

    async def _note_failures(self, *tasks: asyncio.Task[None]) -> None:
        """Log what went wrong in our own tasks; a call that broke under them is no news."""
        for failed in await asyncio.gather(*tasks, return_exceptions=True):
            if isinstance(failed, Exception) and not isinstance(failed, aio.BaseError):
                self.log.error("stream failed", exc_info=failed)

    async def _write(self) -> None:
        write: Callable[[bytes], Any] = self._context.write
        filled = self._filled
        while True:
            await filled.wait()
            filled.clear()
            if self._outbox:
                data = b"".join(self._outbox)
                self._outbox.clear()
                self._outbox_bytes = 0
                await write(data)
            elif self._end.done():
                return

    async def _read(self) -> None:
        read = self._context.read
        now_ns = self.house.clock.now_ns
        while not self._end.done():
            data = await read()
            now = now_ns()
            if not isinstance(data, bytes):
                return
            self.heard_ns = now
            try:
                messages = pb.PlayRequest.FromString(data).messages
            except DecodeError:
                self.cut("these bytes are no frame of messages")
                return
            if len(messages) > limits.MAX_FRAME_MESSAGES:
                self.cut(f"a frame has at most {limits.MAX_FRAME_MESSAGES} messages")
                return
            if not messages:
                self.idle()
            for number, message in enumerate(messages, 1):
                self._take(message, now)
                if self._end.done():
                    return
                if number % BREATH == 0:
                    # What is ready can go out while the rest is taken, and others have their turn.
                    await asyncio.sleep(0)

    # Messages ----------------------------------------------------------------------------------

    def _take(self, message: pb.AgentMessage, now: int) -> None:
        kind = message.WhichOneof("kind")
        if kind == "answer":
            answer = message.answer
            place = self.places.get(answer.handle)
            if place is None:
                self._no_match(Kind.AGENT_MESSAGE_KIND_ANSWER, answer.handle)
                return
            if answer.debug:
                self.house.debug(place, answer.turn, answer.debug)
            place.host.answer(place, answer, now)
        elif kind == "pong":
            self._pong(message.pong)
        elif kind == "hello":
            self._hello(message.hello)
        elif self.hello is None:
            reason = RefuseReason.REFUSE_REASON_HELLO
            self.refuse(_kind(kind), Refusal(reason, "say hello first"))
        elif kind == "join":
            self._join(message.join, now)
        elif kind == "queue":
            self._queue(message.queue)
        elif kind == "unqueue":
            self.house.pairing.leave(self)
            self.idle()
        else:
            self._act(kind, message, now)

    def _pong(self, pong: pb.Pong) -> None:
        """Take the answer to a ping; any other one is a message without effect."""
        if pong.number == self._pinged:
            self._pinged = None
        else:
            self.idle()

    def _act(self, kind: str | None, message: pb.AgentMessage, now: int) -> None:
        """Hand a message to the match that it names."""
        if kind == "commit":
            handle = message.commit.handle
        elif kind == "reveal":
            handle = message.reveal.handle
        elif kind == "give_up":
            handle = message.give_up.handle
        else:
            reason = RefuseReason.REFUSE_REASON_MALFORMED
            self.refuse(_kind(kind), Refusal(reason, "a message of no known kind"))
            return
        place = self.places.get(handle)
        if place is None:
            self._no_match(_kind(kind), handle)
        elif kind == "commit":
            place.host.commit(place, message.commit)
        elif kind == "reveal":
            place.host.reveal(place, message.reveal, now)
        else:
            place.host.give_up(place, now)

    def refuse(self, kind: Kind.ValueType, refusal: Refusal, handle: int = 0) -> None:
        """Say that a message had no effect."""
        self.house.metrics.refused(refusal.reason)
        self.send(saying.refused(kind, refusal, handle))
        self.idle()

    def _no_match(self, kind: Kind.ValueType, handle: int) -> None:
        reason = RefuseReason.REFUSE_REASON_UNKNOWN_HANDLE
        self.refuse(kind, Refusal(reason, "no match has this handle on this stream"), handle)

    def _hello(self, hello: pb.Hello) -> None:
        kind = Kind.AGENT_MESSAGE_KIND_HELLO
        if self.hello is not None:
            self.refuse(kind, Refusal(RefuseReason.REFUSE_REASON_HELLO, "hello was said already"))
            return
        if hello.protocol != PROTOCOL:
            reason = RefuseReason.REFUSE_REASON_PROTOCOL_VERSION
            words = f"this referee speaks version {PROTOCOL} of the protocol, not {hello.protocol}"
            self.refuse(kind, Refusal(reason, words))
            return
        try:
            name, kit = check_name(hello.name), check_kit(hello.kit)
        except BadText as error:
            self.refuse(kind, Refusal(RefuseReason.REFUSE_REASON_NAME, str(error)))
            return
        if not self._may_open():
            return
        # As it was composed: what it was made from may be longer than a record allows.
        self.hello = pb.Hello(name=name, kit=kit, protocol=hello.protocol)
        welcome = pb.Welcome(
            protocol=PROTOCOL,
            referee_version=__version__,
            public_key=self.house.key.public,
            max_frame_bytes=limits.MAX_FRAME_BYTES,
            silence_ns=limits.SILENCE_NS,
        )
        self.send(saying.message(pb.RefereeMessage(welcome=welcome)))

    def _may_open(self) -> bool:
        """Count the stream of an agent that says hello; close one too many.

        Until then a stream can do nothing, and most that are opened in floods never say it.
        """
        house, caller = self.house, self.caller
        if caller.is_organiser or house.openings.take(caller.key, house.clock.now_ns()):
            return True
        self.close(ErrorReason.ERROR_REASON_RATE, "too many streams; wait a little")
        return False

    def _join(self, join: pb.Join, now: int) -> None:
        refusal = self._why_not_join(join)
        seat = None if refusal is not None else self.house.open_seat(join.seat_token)
        if refusal is None and seat is None:
            refusal = NO_SEAT
        if refusal is not None or seat is None:
            assert refusal is not None
            self.refuse(Kind.AGENT_MESSAGE_KIND_JOIN, refusal, join.handle)
            return
        match_id, number = seat
        host = self.house.hosts.get(match_id)
        if host is not None:
            self._sit(join, host, number, now)
            return
        # Others have their say meanwhile, and so has this agent in its other matches.
        self._sought[join.handle] = Sought(join, match_id, number)
        if self._seeker is None:
            self._seeker = asyncio.get_running_loop().create_task(self._seek())

    async def _seek(self) -> None:
        """Let the agent sit down at matches that are over, one after the other as they are found.

        One at a time, so that an agent with many of them keeps no other one waiting for long.
        """
        while self._sought and not self.ended:
            sought = next(iter(self._sought.values()))
            host = await self.house.finished_host(sought.match_id)
            join = sought.join
            del self._sought[join.handle]
            if host is None:
                self.refuse(Kind.AGENT_MESSAGE_KIND_JOIN, NO_SEAT, join.handle)
            elif not self.ended:
                self._sit(join, host, sought.seat, self.house.clock.now_ns())
        self._seeker = None

    def _sit(self, join: pb.Join, host: "Host", number: int, now: int) -> None:
        """Take a seat."""
        if number >= host.match.fold.setup.seats:
            self.refuse(Kind.AGENT_MESSAGE_KIND_JOIN, NO_SEAT, join.handle)
            return
        if self.house.draining and not host.in_play:
            self.refuse(Kind.AGENT_MESSAGE_KIND_JOIN, BEGINS_NO_MORE, join.handle)
            return
        assert self.hello is not None
        place = Place(self, host, join.handle, number, join.list_moves, join.skip_moves)
        self.places[join.handle] = place
        who = record_pb2.Joined(
            seat=number, name=self.hello.name, kit=self.hello.kit, protocol=self.hello.protocol
        )
        resume_from = join.resume_from if join.HasField("resume_from") else None
        host.join(place, who, resume_from, now)

    def _why_not_join(self, join: pb.Join) -> Refusal | None:
        if not join.handle:
            return Refusal(RefuseReason.REFUSE_REASON_MALFORMED, "handles count from 1")
        if join.handle in self.places or join.handle in self._sought:
            return Refusal(RefuseReason.REFUSE_REASON_HANDLE_IN_USE, "the handle is taken")
        if len(self.places) + len(self._sought) >= limits.MAX_MATCHES_PER_STREAM:
            most = f"a stream has at most {limits.MAX_MATCHES_PER_STREAM} matches"
            return Refusal(RefuseReason.REFUSE_REASON_LIMIT, most)
        return None

    def _queue(self, queue: pb.Queue) -> None:
        refusal = self.house.pairing.enter(self, queue)
        if refusal is not None:
            self.refuse(Kind.AGENT_MESSAGE_KIND_QUEUE, refusal)


def _kind(name: str | None) -> Kind.ValueType:
    """Return the number of a kind of message."""
    if name is None:
        return Kind.AGENT_MESSAGE_KIND_UNSPECIFIED
    return Kind.Value(f"AGENT_MESSAGE_KIND_{name.upper()}")
