"""A client of the protocol without a kit: it keeps all it was told, and comes back.

One task reads and writes, so a stream has one writer. Whatever an agent was told it keeps as
it came. After a loss it joins again with the same tokens, asks for the events that it lacks,
repeats the last answer it gave, and gives the same answer to a question it has answered.
"""

import asyncio
import random
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any

import grpc

from referee.draws import agent_chain, agent_root
from referee.v1 import event_pb2, game_pb2
from referee.v1 import play_pb2 as pb

PLAY = "/referee.v1.AgentService/Play"
# What grpc.aio raises when a referee is killed: the last one if that happens while the stream is
# being closed from this side.
LOST = (grpc.aio.AioRpcError, asyncio.InvalidStateError, grpc.aio.InternalError)
SECRET = bytes(range(32))


class Broken(Exception):
    """The referee has said something that it must not say."""


@dataclass
class Seat:
    """One seat of one match, and everything that was told to it.

    events   by index; an index that is told again must tell the same
    answers  the action given to each turn and attempt
    refused  what had no effect
    """

    token: str
    rng: random.Random
    shares: bool = True
    handle: int = 0
    events: dict[int, event_pb2.Event] = field(default_factory=dict)
    answers: dict[tuple[int, int], bytes] = field(default_factory=dict)
    refused: list[pb.Refused] = field(default_factory=list)
    taken: pb.SeatTaken | None = None
    over: pb.MatchOver | None = None
    closed: pb.MatchClosed | None = None
    detached: bool = False

    @property
    def done(self) -> bool:
        """Whether nothing more will be told."""
        return self.closed is not None or self.detached

    @property
    def next_event(self) -> int:
        """The first event that is missing."""
        return next(index for index in range(len(self.events) + 1) if index not in self.events)

    def note(self, event: event_pb2.Event) -> None:
        """Keep an event; it never changes once it was told."""
        before = self.events.setdefault(event.index, event)
        if before != event:
            raise Broken(f"event {event.index} was told in two ways")

    def share(self, number: int) -> bytes:
        """Return x_r of this seat."""
        taken = self.taken
        assert taken is not None
        root = agent_root(SECRET, taken.match_id, taken.seat, taken.server_commit)
        return agent_chain(taken.match_id, taken.seat, taken.server_commit, root)[number]

    def answer(self, turn: pb.YourTurn) -> bytes:
        """Return the action for a question, always the same one for the same question."""
        key = turn.turn, turn.attempt
        if key not in self.answers:
            index = self.rng.randrange(len(turn.legal_moves))
            self.answers[key] = game_pb2.Action(index=index).SerializeToString()
        return self.answers[key]


class RawAgent:
    """One agent with one stream at a time; ``heard`` is called with every message."""

    def __init__(
        self,
        seats: list[Seat],
        connect: Callable[[], Awaitable[str]],
        heard: Callable[[Seat | None, pb.RefereeMessage], None] = lambda _seat, _message: None,
    ) -> None:
        self.seats = dict(enumerate(seats, 1))
        self.losses = 0
        self._connect = connect
        self._heard = heard

    async def play(self) -> None:
        """Play all matches to their ends, over any number of streams."""
        while not all(seat.done for seat in self.seats.values()):
            address = await self._connect()
            try:
                async with stream(address) as call:
                    await self._talk(call)
            except LOST:
                self.losses += 1

    async def _talk(self, call: Any) -> None:
        hello = pb.AgentMessage(hello=pb.Hello(name="raw", kit="tests/1", protocol=1))
        messages = [hello]
        for handle, seat in self.seats.items():
            if not seat.done:
                seat.handle = handle
                messages += self._join(seat)
        await say(call, messages)
        while not all(seat.done for seat in self.seats.values()):
            data = await call.read()
            if not isinstance(data, bytes):
                return
            messages = []
            for message in pb.PlayResponse.FromString(data).messages:
                messages += self._take(message)
            if messages:
                await say(call, messages)
        await call.done_writing()

    def _join(self, seat: Seat) -> list[pb.AgentMessage]:
        join = pb.Join(handle=seat.handle, seat_token=seat.token, list_moves=True)
        join.resume_from = seat.next_event
        messages = [pb.AgentMessage(join=join)]
        if seat.answers:
            # Nobody knows whether it arrived; if it did, it must not count twice.
            turn, attempt = max(seat.answers)
            messages.append(_answer(seat, turn, attempt))
        return messages

    def _take(self, message: pb.RefereeMessage) -> list[pb.AgentMessage]:
        kind = message.WhichOneof("kind")
        assert kind is not None
        if kind == "ping":
            return [pb.AgentMessage(pong=pb.Pong(number=message.ping.number))]
        if kind == "welcome":
            return []
        said = getattr(message, kind)
        seat = self.seats[said.handle]
        self._heard(seat, message)
        if kind == "event":
            seat.note(said.event)
        elif kind == "match_over":
            seat.over = said
        elif kind == "match_closed":
            seat.closed = said
        elif kind == "detached":
            seat.detached = True
        elif kind == "refused":
            seat.refused.append(said)
        elif kind == "rejected":
            raise Broken(f"a listed move was rejected: {said}")
        elif kind == "your_turn":
            seat.answer(said)
            return [_answer(seat, said.turn, said.attempt)]
        elif kind == "reveal_request":
            x = seat.share(said.round)
            reveal = pb.RevealShare(handle=seat.handle, round=said.round, x=x)
            return [pb.AgentMessage(reveal=reveal)]
        elif kind == "seat_taken":
            return _taken(seat, said)
        return []


def _taken(seat: Seat, taken: pb.SeatTaken) -> list[pb.AgentMessage]:
    before, seat.taken = seat.taken, taken
    if before is not None and before.server_commit != taken.server_commit:
        raise Broken("the referee has another commitment than before")
    if not taken.commit_wanted:
        return []
    commit = pb.CommitShare(handle=seat.handle)
    if seat.shares:
        commit.x0 = seat.share(0)
    return [pb.AgentMessage(commit=commit)]


def _answer(seat: Seat, turn: int, attempt: int) -> pb.AgentMessage:
    action = seat.answers[turn, attempt]
    answer = pb.Answer(handle=seat.handle, turn=turn, attempt=attempt, action=action)
    return pb.AgentMessage(answer=answer)


@asynccontextmanager
async def stream(address: str) -> AsyncIterator[Any]:
    """Open a stream of bytes; whoever uses it is its one writer."""
    async with grpc.aio.insecure_channel(address) as channel:
        call: Any = channel.stream_stream(PLAY)()
        try:
            yield call
        finally:
            call.cancel()


async def say(call: Any, messages: list[pb.AgentMessage]) -> None:
    """Send messages as one frame."""
    await call.write(pb.PlayRequest(messages=messages).SerializeToString())


def always(address: str) -> Callable[[], Awaitable[str]]:
    """Return how to connect to a referee that stays where it is."""

    async def connect() -> str:
        return address

    return connect
