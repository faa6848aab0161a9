"""A referee that says exactly what a test tells it to say, over real gRPC.

Tests hold both ends: `Fake.accept` returns the next stream that an agent opens, and a `Talk`
reads what the agent said and says what the test wants. Every wait has a deadline.
"""

import asyncio
from collections.abc import AsyncIterator
from dataclasses import dataclass, field
from typing import Any

import grpc
from grpc import aio
from nacl.signing import SigningKey

from referee.draws import keys
from referee.v1 import (
    event_pb2,
    game_pb2,
    play_pb2,
    play_pb2_grpc,
    reason_pb2,
    record_pb2,
    setup_pb2,
)

DEADLINE_S = 10.0


class Lost(Exception):
    """The agent ended its stream."""


class Talk:
    """One stream of an agent, seen from the referee."""

    def __init__(self, metadata: dict[str, str]) -> None:
        self.metadata = metadata
        self.frames: list[play_pb2.PlayRequest] = []
        self._said: asyncio.Queue[play_pb2.AgentMessage | None] = asyncio.Queue()
        self._to_say: asyncio.Queue[play_pb2.PlayResponse | grpc.StatusCode | None] = (
            asyncio.Queue()
        )

    def frame(self, *messages: play_pb2.RefereeMessage) -> None:
        """Say several things in one frame."""
        self._to_say.put_nowait(play_pb2.PlayResponse(messages=messages))

    def say(self, **kinds: Any) -> None:
        """Say one thing."""
        self.frame(play_pb2.RefereeMessage(**kinds))

    def end(self, code: grpc.StatusCode | None = None) -> None:
        """End the stream, with a status or as if all were well."""
        self._to_say.put_nowait(code)

    async def hear(self) -> play_pb2.AgentMessage:
        """Return the next thing the agent says."""
        async with asyncio.timeout(DEADLINE_S):
            message = await self._said.get()
        if message is None:
            raise Lost
        return message

    async def hear_kind(self, kind: str) -> Any:
        """Return the next thing the agent says, which must be of that kind."""
        message = await self.hear()
        assert message.WhichOneof("kind") == kind, message
        return getattr(message, kind)

    async def silent(self) -> None:
        """Check that the agent has nothing more to say: its next word is the answer to a ping."""
        self.say(ping=play_pb2.Ping(number=4242))
        assert (await self.hear_kind("pong")).number == 4242

    async def lost(self) -> None:
        """Wait until the agent ends its stream."""
        async with asyncio.timeout(DEADLINE_S):
            while await self._said.get() is not None:
                pass

    async def listen(self, requests: AsyncIterator[play_pb2.PlayRequest]) -> None:
        """Take everything that arrives."""
        try:
            async for request in requests:
                self.frames.append(request)
                for message in request.messages:
                    self._said.put_nowait(message)
        finally:
            self._said.put_nowait(None)
            self.end()

    async def speak(self) -> AsyncIterator[play_pb2.PlayResponse | grpc.StatusCode]:
        """Yield what is to be said, until the end."""
        while (saying := await self._to_say.get()) is not None:
            yield saying
            if not isinstance(saying, play_pb2.PlayResponse):
                return


class Fake(play_pb2_grpc.AgentServiceServicer):
    """A server on a port of its own, which can go away and come back."""

    def __init__(self, credentials: grpc.ServerCredentials | None = None) -> None:
        self.port = 0
        self._credentials = credentials
        self._talks: asyncio.Queue[Talk] = asyncio.Queue()
        self._server: aio.Server | None = None

    @property
    def target(self) -> str:
        """Return where agents find it."""
        return f"127.0.0.1:{self.port}"

    async def start(self) -> None:
        """Listen, on the same port as before if there was one."""
        self._server = aio.server(options=[("grpc.so_reuseport", 0)])
        play_pb2_grpc.add_AgentServiceServicer_to_server(self, self._server)
        if self._credentials is None:
            self.port = self._server.add_insecure_port(self.target)
        else:
            self.port = self._server.add_secure_port(self.target, self._credentials)
        await self._server.start()

    async def stop(self) -> None:
        """Vanish, without a word."""
        if self._server is not None:
            await self._server.stop(None)
            self._server = None

    async def Play(self, request_iterator: Any, context: Any) -> Any:  # noqa: N802
        """Carry one stream of one agent."""
        talk = Talk(dict(context.invocation_metadata()))
        self._talks.put_nowait(talk)
        listening = asyncio.create_task(talk.listen(request_iterator))
        try:
            async for saying in talk.speak():
                if isinstance(saying, play_pb2.PlayResponse):
                    yield saying
                else:
                    await context.abort(saying, "as the test wants")
        finally:
            listening.cancel()
            await asyncio.gather(listening, return_exceptions=True)

    async def accept(self, **welcome: Any) -> Talk:
        """Return the next stream, once its Hello was answered."""
        talk = await self.accept_silently()
        hello = await talk.hear_kind("hello")
        assert hello.protocol == 1
        talk.say(welcome=play_pb2.Welcome(**{"protocol": 1, "silence_ns": 60 * 10**9, **welcome}))
        return talk

    async def accept_silently(self) -> Talk:
        """Return the next stream, of which nothing was heard yet."""
        async with asyncio.timeout(DEADLINE_S):
            return await self._talks.get()


@dataclass
class Table:
    """One match as the referee knows it, with everything that an agent may check."""

    seat: int = 0
    ruleset: str = "azul"
    match_id: bytes = bytes(range(16))
    seed: bytes = b"\x07" * 32
    signing_key: SigningKey = field(default_factory=lambda: SigningKey(b"\x09" * 32))
    events: int = 0

    @property
    def public_key(self) -> bytes:
        """Return the key that the set-up names."""
        return bytes(self.signing_key.verify_key)

    @property
    def setup(self) -> bytes:
        """Return the exact bytes of the set-up."""
        return setup_pb2.Setup(
            ruleset=self.ruleset, revision=1, public_key=self.public_key
        ).SerializeToString()

    @property
    def commit(self) -> bytes:
        """Return the referee's commitment."""
        return keys.server_commit(self.match_id, keys.setup_hash(self.setup), self.seed)

    def taken(self, join: play_pb2.Join, **changes: Any) -> dict[str, Any]:
        """Return the answer to a Join."""
        fields = {
            "handle": join.handle,
            "match_id": self.match_id,
            "seat": self.seat,
            "setup": self.setup,
            "server_commit": self.commit,
            "player_seed": b"\x01" * 8,
            **changes,
        }
        return {"seat_taken": play_pb2.SeatTaken(**fields)}

    def turn(
        self, join: play_pb2.Join, turn: int = 1, attempt: int = 1, **changes: Any
    ) -> dict[str, Any]:
        """Return a question with three legal moves."""
        fields = {
            "handle": join.handle,
            "turn": turn,
            "attempt": attempt,
            "position": game_pb2.Position(ruleset=self.ruleset, revision=1),
            "legal_moves": [game_pb2.Move(), game_pb2.Move(), game_pb2.Move()],
            "strikes_left": 2,
            **changes,
        }
        return {"your_turn": play_pb2.YourTurn(**fields)}

    def event(self, join: play_pb2.Join, link: bytes = b"", **record: Any) -> dict[str, Any]:
        """Return the next event."""
        index = self.events
        self.events += 1
        event = event_pb2.Event(
            index=index, frame=index, link=link, record=record_pb2.Record(**record)
        )
        return {"event": play_pb2.MatchEvent(handle=join.handle, event=event)}

    def over(self, join: play_pb2.Join, *scores: int) -> dict[str, Any]:
        """Return the result."""
        scores = scores or (30, 20)
        results = [
            record_pb2.SeatResult(score=score, rank=1 + sum(other > score for other in scores))
            for score in scores
        ]
        over = record_pb2.GameOver(reason=reason_pb2.END_REASON_COMPLETE_ROW, seats=results)
        return {"match_over": play_pb2.MatchOver(handle=join.handle, game_over=over)}

    def closed(self, join: play_pb2.Join, **changes: Any) -> dict[str, Any]:
        """Return what proves the record, signed."""
        frames, link = 9, b"\x05" * 32
        body = self.match_id + frames.to_bytes(8, "big") + link
        kind = b"application/vnd.azul-referee.final.v1"
        pae = b"DSSEv1 %d %b %d %b" % (len(kind), kind, len(body), body)
        fields = {
            "handle": join.handle,
            "seed": self.seed,
            "frames": frames,
            "final_link": link,
            "public_key": self.public_key,
            "signature": self.signing_key.sign(pae).signature,
            **changes,
        }
        return {"match_closed": play_pb2.MatchClosed(**fields)}

    async def seat_agent(self, talk: Talk, **changes: Any) -> play_pb2.Join:
        """Wait for the agent's Join and give it the seat."""
        join: play_pb2.Join = await talk.hear_kind("join")
        talk.say(**self.taken(join, **changes))
        return join

    def finish(self, talk: Talk, join: play_pb2.Join, **changes: Any) -> None:
        """End the match."""
        talk.say(**self.over(join))
        talk.say(**self.closed(join, **changes))
