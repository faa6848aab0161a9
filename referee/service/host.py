"""One match, wired to streams, timers and the disk.

The host hands each message to the match as soon as its last frame is durable, never before,
so a match has one frame on its way at the most. What the match decided is written, and only
then told: events to the seats and to whoever watches, replies to those who spoke, then the
next question, whose clock starts with it. The host never waits for a client.
"""

import asyncio
from collections.abc import Callable
from typing import TYPE_CHECKING

import structlog

from referee.match import acting
from referee.match.live import LiveMatch
from referee.match.replies import Refusal, Rejection, Repeat, Reply
from referee.service import chronicle, limits, saying
from referee.service.events import Events, tell
from referee.service.inbox import Inbox, Letter
from referee.service.places import Place
from referee.service.questions import Questions, nothing
from referee.transcript.fold import Stage
from referee.transcript.writer import Chain
from referee.v1 import play_pb2, record_pb2
from referee.v1.play_pb2 import AgentMessageKind as Kind
from referee.v1.play_pb2 import RefuseReason

if TYPE_CHECKING:
    from referee.service.house import House
    from referee.service.storage.transcripts import MatchFile

ENDS = frozenset(("game_over", "voided", "aborted"))
TOO_MUCH = Refusal(RefuseReason.REFUSE_REASON_LIMIT, "too much waits for this match", counted=True)
LOST = Refusal(RefuseReason.REFUSE_REASON_MATCH_ENDED, "the referee cannot go on with this match")

log = structlog.get_logger()


class Host:
    """A live match and everybody who has to do with it.

    places      the place of each seat, None where no stream holds it
    origin      when this process took the match up: its epoch counts from there
    end         the record that ended the match, once it is durable
    closed      what proves the record, once it is signed
    stopped     whether this host has nothing more to say: the disk failed, or it was replaced
    """

    def __init__(
        self, house: "House", match: LiveMatch, chain: Chain, file: "MatchFile | None"
    ) -> None:
        self.house = house
        self.match = match
        self.chain = chain
        self.file = file
        self.places: list[Place | None] = [None] * match.fold.setup.seats
        self.events = Events()
        self.origin = house.clock.now_ns()
        self.end: record_pb2.Record | None = None
        self.closed: play_pb2.MatchClosed | None = None
        self.stopped = False
        self.log = log.bind(match=match.fold.match_id.hex())
        self._inbox = Inbox(match.fold.setup.seats)
        self._busy = False
        self._refusals = [0] * match.fold.setup.seats
        # Who has asked for a seat and was not answered yet, with the event to be told from.
        self._joining: dict[Place, int | None] = {}
        # Who waits for the frame on its way, and who for an end.
        self._settling: list[Callable[[], None]] = []
        self._aborting: list[Callable[[], None]] = []
        self.questions = Questions(self)
        self._proof: play_pb2.MatchClosed | None = None

    # Time --------------------------------------------------------------------------------------

    def now(self) -> int:
        """Return the time of this match: nanoseconds of its epoch."""
        return self.house.clock.now_ns() - self.origin

    def credit(self, now: int) -> int:
        """Return how much of the time since the open question the referee did not run."""
        sent = self.match.sent_ns
        if sent is None:
            return 0
        # What is read first after a pause comes before the beat that would tell of it.
        self.house.heart.look()
        return self.house.pauses.credit(self.origin + sent, self.origin + now)

    # Messages in -------------------------------------------------------------------------------

    @property
    def in_play(self) -> bool:
        """Whether the match has begun; one that is over still wants its signature."""
        return self.match.fold.stage not in (Stage.CREATED, Stage.OPEN)

    @property
    def busy(self) -> bool:
        """Whether a frame is on its way to the disk."""
        return self._busy

    def submit(
        self, act: Callable[[], Reply], then: Callable[[Reply], None], place: Place | None = None
    ) -> bool:
        """Let the match act as soon as it can; return False if it cannot, or too much waits."""
        if self.stopped:
            return False
        letter = Letter(act, then, place)
        if self._busy:
            return self._inbox.add(letter)
        self._act(letter)
        return True

    def _act(self, letter: Letter) -> None:
        try:
            reply = letter.act()
            if self.match.has_step:
                self.write(lambda: letter.then(reply))
                return
            if letter.place is not None:
                letter.place.outlet.idle()
            letter.then(reply)
        except Exception as error:
            self.log.exception("match failed", error=str(error))
            self.house.fail(self, f"internal error: {type(error).__name__}")

    def answer(self, place: Place, message: play_pb2.Answer, at: int) -> None:
        """Take an answer to a turn."""
        now = at - self.origin
        turn, attempt, action = message.turn, message.attempt, message.action

        def act() -> Reply:
            return acting.answer(
                self.match, place.seat, turn, attempt, action, now, self.credit(now)
            )

        def then(reply: Reply) -> None:
            if reply is None:
                if (turn, attempt) in self.match.given:
                    self.house.metrics.thought(self.match.took_ns[place.seat])
            else:
                self._reply(place, Kind.AGENT_MESSAGE_KIND_ANSWER, reply, turn, attempt)

        if not self.submit(act, then, place):
            self._too_much(place, Kind.AGENT_MESSAGE_KIND_ANSWER)

    def commit(self, place: Place, message: play_pb2.CommitShare) -> None:
        """Take the commitment of a seat."""
        x_0 = message.x0 if message.HasField("x0") else None
        kind = Kind.AGENT_MESSAGE_KIND_COMMIT
        act = lambda: acting.commit(self.match, place.seat, x_0)  # noqa: E731
        if not self.submit(act, lambda reply: self._reply(place, kind, reply), place):
            self._too_much(place, kind)

    def reveal(self, place: Place, message: play_pb2.RevealShare, at: int) -> None:
        """Take the share of a seat."""
        now = at - self.origin
        number, x = message.round, message.x
        kind = Kind.AGENT_MESSAGE_KIND_REVEAL

        def act() -> Reply:
            return acting.reveal(self.match, place.seat, number, x, now, self.credit(now))

        if not self.submit(act, lambda reply: self._reply(place, kind, reply), place):
            self._too_much(place, kind)

    def give_up(self, place: Place, at: int) -> None:
        """Let a seat give the match up."""
        now = at - self.origin
        kind = Kind.AGENT_MESSAGE_KIND_GIVE_UP
        act = lambda: acting.give_up(self.match, place.seat, now, self.credit(now))  # noqa: E731
        if not self.submit(act, lambda reply: self._reply(place, kind, reply), place):
            self._too_much(place, kind)

    def _reply(
        self,
        place: Place,
        kind: Kind.ValueType,
        reply: Reply,
        turn: int = 0,
        attempt: int = 0,
    ) -> None:
        """Say what a message came to, if its stream still holds the seat."""
        if reply is None or self.places[place.seat] is not place:
            return
        outlet = place.outlet
        if isinstance(reply, Rejection):
            self.house.metrics.rejected(reply.reason)
            outlet.send(saying.rejected(place.handle, reply))
            return
        if isinstance(reply, Repeat):
            outlet.send(saying.match_event(place.handle, self.events.public[reply.event]))
            return
        self.house.metrics.refused(reply.reason)
        outlet.send(saying.refused(kind, reply, place.handle, turn, attempt))
        if reply.counted:
            self._refusals[place.seat] += 1
            if self._refusals[place.seat] > limits.MAX_REFUSALS:
                outlet.cut("too many messages off turn")

    def _too_much(self, place: Place, kind: Kind.ValueType) -> None:
        place.outlet.idle()
        self._reply(place, kind, TOO_MUCH)

    # Taking up ---------------------------------------------------------------------------------

    def take_over(self, before: "Host") -> None:
        """Take the place of a host that failed, with its agents, as far as it was durable."""
        self.events = before.events
        self.end = before.end
        for seat, place in enumerate(before.places):
            if place is not None:
                place.host = self
                self.places[seat] = place
                self.match.connected[seat] = True

    def forsake(self) -> None:
        """Answer those who still ask for a seat of a match that this process has lost."""
        for place in self._joining:
            place.outlet.send(saying.refused(Kind.AGENT_MESSAGE_KIND_JOIN, LOST, place.handle))
            place.outlet.forget(place.handle)
        self._joining.clear()

    def seat_late(self, before: "Host") -> None:
        """Answer those who asked the host that failed for a seat, when the end is decided."""
        for place, resume_from in before._joining.items():  # noqa: SLF001  it is one of us
            place.host = self
            self._seat(place, resume_from)

    def when_settled(self, then: Callable[[], None]) -> None:
        """Call something when all that the match has decided is durable, or never will be."""
        if self._busy and not self.stopped:
            self._settling.append(then)
        else:
            then()

    def _settle(self) -> None:
        settling, self._settling = self._settling, []
        for then in settling:
            then()

    # Seats -------------------------------------------------------------------------------------

    def join(self, place: Place, who: record_pb2.Joined, resume_from: int | None, at: int) -> None:
        """Give a seat to a stream; whichever held it before is told, and loses it."""
        now = at - self.origin

        def then(reply: Reply) -> None:
            del self._joining[place]
            if isinstance(reply, Refusal):
                place.outlet.send(saying.refused(Kind.AGENT_MESSAGE_KIND_JOIN, reply, place.handle))
                place.outlet.forget(place.handle)
                return
            self._seat(place, resume_from)

        self._joining[place] = resume_from
        if self.stopped:
            # It hears of the match when that was taken up anew.
            return
        if not self.submit(lambda: acting.join(self.match, place.seat, who, now), then, place):
            place.outlet.idle()
            then(TOO_MUCH)

    def _seat(self, place: Place, resume_from: int | None) -> None:
        seat = place.seat
        before = self.places[seat]
        if before is not None:
            # To take a seat from oneself is free, but not for ever.
            place.outlet.idle()
            before.outlet.send(saying.detached(before.handle))
            before.outlet.forget(before.handle)
        self.places[seat] = place
        if place.outlet.ended:
            # It has gone while its message waited for the disk.
            # Not at once: what was just recorded is still being told.
            asyncio.get_running_loop().call_soon(self.leave, place, self.house.clock.now_ns())
            return
        next_event = len(self.events.public)
        place.outlet.send(saying.seat_taken(place.handle, seat, self.match, next_event))
        if resume_from is not None:
            for event in self.events.public[resume_from:]:
                place.outlet.send(saying.match_event(place.handle, event))
        if self.end is not None:
            place.outlet.send(saying.match_over(place.handle, self.end))
        if self.closed is not None:
            self._close_place(place)
            return
        self.questions.ask(again=seat)

    def leave(self, place: Place, at: int) -> None:
        """Take note that a stream has ended; the match goes on."""
        if self.places[place.seat] is not place:
            return
        self.places[place.seat] = None
        now = at - self.origin

        def act() -> Reply:
            if self.places[place.seat] is None and not self.match.over:
                self.match.disconnect(place.seat, now)
            return None

        # Not refused when too much waits: it cannot come more often than streams end.
        if self._busy:
            self._inbox.add(Letter(act, nothing))
        elif not self.stopped:
            self._act(Letter(act, nothing))

    # Records out -------------------------------------------------------------------------------

    def write(
        self, then: Callable[[], None], failed: Callable[[OSError], None] | None = None
    ) -> None:
        """Write what the match has decided as one frame, and go on when it is durable."""
        step = self.match.take_step()
        encoded = [record.SerializeToString() for record in step]
        data = self.chain.frame_of(encoded)
        frame, link = self.chain.index - 1, self.chain.link
        self._busy = True

        def done(error: OSError | None) -> None:
            self._busy = False
            if error is not None:
                self.log.error("write failed", error=str(error))
                self.house.fail(self, f"storage failed: {error.strerror or error}")
                if failed is not None:
                    failed(error)
                return
            self.events.add(frame, link, step, encoded)
            self._written(then)

        assert self.file is not None
        self.house.committer.commit(self.file, data, done)

    def _written(self, then: Callable[[], None]) -> None:
        """Go on after a frame is durable: tell, reply, ask, and take what waits."""
        released = self.events.release(self.match.held_from, self.house.clock.now_ns())
        for record, _ in released:
            self._note(record)
        if self.stopped:
            return
        # Whoever is to answer hears first: its clock is the one that runs.
        question = self.match.question()
        seats = () if question is None else question.seats
        asked = [self.places[seat] for seat in seats]
        others = [place for seat, place in enumerate(self.places) if seat not in seats]
        tell(released, asked)
        if question is None:
            tell(released, others)
            others = []
        then()
        self._settle()
        if self.match.over:
            self._finish()
        else:
            self.questions.ask()
        # A stream that has lost its seat meanwhile was told so, and hears nothing after that.
        tell(released, [place for place in others if place in self.places])
        while self._inbox and not self._busy and not self.stopped:
            self._act(self._inbox.take())

    def _note(self, record: record_pb2.Record) -> None:
        """Take note of what was made public."""
        kind = record.WhichOneof("kind")
        assert kind is not None
        self.house.metrics.record(kind)
        chronicle.note(self.log, kind, record)
        if kind in ENDS:
            self.end = record
        if kind in ENDS or kind == "started":
            self.house.index_match(self)

    # The end -----------------------------------------------------------------------------------

    def _finish(self) -> None:
        """After the end is durable: tell it, then sign the record, then close."""
        if self.match.fold.stage is Stage.CLOSED:
            for place in self.places:
                if place is not None and self.end is not None:
                    place.outlet.send(saying.match_over(place.handle, self.end))
            self.sign()
            return
        self.questions.stop()
        self.closed = self._proof
        for place in self.places:
            if place is not None:
                self._close_place(place)
        self.events.finish()
        self.house.finished(self)

    def sign(self) -> None:
        """Sign a match that has ended."""
        key, chain = self.house.key, self.chain
        signature = key.sign(chain.match_id, chain.index, chain.link)
        self._proof = play_pb2.MatchClosed(
            seed=self.match.seed or b"",
            frames=chain.index,
            final_link=chain.link,
            public_key=key.public,
            signature=signature,
        )
        self.match.sign(key.public, signature)
        self.write(lambda: None)

    def _close_place(self, place: Place) -> None:
        assert self.closed is not None
        place.outlet.send(saying.match_closed(place.handle, self.closed))
        self.places[place.seat] = None
        place.outlet.forget(place.handle)

    def abort(self, detail: str, then: Callable[[], None]) -> None:
        """Stop the match as the organiser wants it; nothing happens if it has ended.

        ``then`` is called when that is durable, or when this host is stopped before it is.
        """
        if self.stopped:
            then()
            return
        self._aborting.append(then)

        def act() -> Reply:
            if not self.match.over:
                self.match.abort(detail)
            return None

        self._inbox.add_first(Letter(act, lambda _: then()))
        if not self._busy:
            self._act(self._inbox.take())

    def stop(self) -> None:
        """Take no more part: the match goes on elsewhere, or not at all."""
        self.stopped = True
        self.questions.stop()
        self._inbox.clear()
        self._settle()
        for then in self._aborting:
            then()
