"""Calls as bytes, and conversations message by message, for clients that mean no good."""

import asyncio
import contextlib
from types import TracebackType
from typing import Any, Self

import grpc
from google.rpc import error_details_pb2, status_pb2

from referee.v1 import match_pb2
from referee.v1 import play_pb2 as pb

PLAY = "/referee.v1.AgentService/Play"
MATCHES = "/referee.v1.MatchService/"
DEADLINE_S = 30
RESPONSES: dict[str, Any] = {
    "CreateMatch": match_pb2.CreateMatchResponse,
    "GetMatch": match_pb2.GetMatchResponse,
    "ListMatches": match_pb2.ListMatchesResponse,
    "AbortMatch": match_pb2.AbortMatchResponse,
    "GetTranscript": match_pb2.GetTranscriptResponse,
    "VerifyTranscript": match_pb2.VerifyTranscriptResponse,
    "WatchMatch": match_pb2.WatchMatchResponse,
}
Metadata = tuple[tuple[str, str | bytes], ...]


def bearer(token: str) -> Metadata:
    """Return the metadata that shows a token."""
    return (("authorization", f"Bearer {token}"),)


def reason_of(error: grpc.aio.AioRpcError) -> str:
    """Return the one machine-readable reason of a failed call; empty if gRPC itself refused it."""
    for key, value in error.trailing_metadata() or ():
        if key == "grpc-status-details-bin":
            status = status_pb2.Status.FromString(value)
            assert len(status.details) == 1
            info = error_details_pb2.ErrorInfo()
            assert status.details[0].Unpack(info)
            assert info.domain == "azul-referee"
            return str(info.reason)
    return ""


class Calls:
    """One channel to a referee, with or without a bearer."""

    def __init__(self, address: str, token: str = "", **options: Any) -> None:
        # A connection of its own, or all channels of a process would share one.
        own = [("grpc.use_local_subchannel_pool", 1), *options.items()]
        # Any: what a call takes and gives are bytes here, which the stubs do not know.
        self.channel: Any = grpc.aio.insecure_channel(address, options=own)
        self.metadata: Metadata = bearer(token) if token else ()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        await self.channel.close()

    async def send(self, name: str, data: bytes, metadata: Metadata | None = None) -> Any:
        """Make a call with bytes as its request; of `WatchMatch` the first answer is returned."""
        shown = self.metadata if metadata is None else metadata
        if name == "WatchMatch":
            watch: Any = self.channel.unary_stream(MATCHES + name)
            call = watch(data, timeout=DEADLINE_S, metadata=shown)
            try:
                first = await call.read()
            finally:
                call.cancel()
            return RESPONSES[name].FromString(first) if isinstance(first, bytes) else None
        unary: Any = self.channel.unary_unary(MATCHES + name)
        return RESPONSES[name].FromString(await unary(data, timeout=DEADLINE_S, metadata=shown))

    async def ask(self, name: str, **fields: Any) -> Any:
        """Make a call."""
        request = getattr(match_pb2, f"{name}Request")(**fields)
        return await self.send(name, request.SerializeToString())

    async def refusal(self, name: str, data: bytes, metadata: Metadata | None = None) -> str:
        """Make a call that must fail, and return the reason; "" if gRPC itself refuses it."""
        try:
            await self.send(name, data, metadata)
        except grpc.aio.AioRpcError as error:
            return reason_of(error)
        raise AssertionError(f"{name} was allowed")

    def talk(self, metadata: Metadata | None = None) -> "Talk":
        """Open a stream of an agent."""
        play: Any = self.channel.stream_stream(PLAY)
        return Talk(play(metadata=self.metadata if metadata is None else metadata))


class Talk:
    """A stream of an agent, by hand; whoever uses it is its one writer.

    heard  all messages that were not waited for yet
    kept   every frame that came
    over   whether no message will come
    """

    def __init__(self, call: Any) -> None:
        self.call = call
        self.heard: list[pb.RefereeMessage] = []
        self.kept: list[bytes] = []
        self.over = False
        self.news = asyncio.Event()
        self._pump = asyncio.create_task(self._read())

    async def _read(self) -> None:
        try:
            while isinstance(data := await self.call.read(), bytes):
                self.kept.append(data)
                self.heard += pb.PlayResponse.FromString(data).messages
                self.news.set()
        except (grpc.aio.AioRpcError, asyncio.CancelledError, asyncio.InvalidStateError):
            pass
        finally:
            self.over = True
            self.news.set()

    async def send(self, data: bytes) -> None:
        """Send bytes as one frame, if the stream is still there."""
        async with asyncio.timeout(DEADLINE_S):
            with contextlib.suppress(grpc.aio.AioRpcError, asyncio.InvalidStateError):
                await self.call.write(data)

    async def say(self, *messages: pb.AgentMessage) -> None:
        """Send messages as one frame."""
        await self.send(pb.PlayRequest(messages=messages).SerializeToString())

    async def hello(self, *messages: pb.AgentMessage, name: str = "Mallory") -> pb.Welcome:
        """Introduce oneself, say more in the same frame, and return the welcome."""
        await self.say(pb.AgentMessage(hello=pb.Hello(name=name, protocol=1)), *messages)
        return (await self.hear("welcome")).welcome

    def next(self, *kinds: str) -> pb.RefereeMessage | None:
        """Return the next message of one of these kinds, if it came; drop others before it."""
        while self.heard:
            message = self.heard.pop(0)
            if message.WhichOneof("kind") in kinds:
                return message
        return None

    async def hear(self, *kinds: str) -> pb.RefereeMessage:
        """Wait for the next message of one of these kinds; others before it are dropped."""
        async with asyncio.timeout(DEADLINE_S):
            while (message := self.next(*kinds)) is None:
                if self.over:
                    raise AssertionError(f"no {kinds}: {await self.ended()}")
                self.news.clear()
                await self.news.wait()
        return message

    async def ended(self) -> str:
        """Return why the referee ends the stream, once it does; "" if gRPC itself did."""
        async with asyncio.timeout(DEADLINE_S):
            await self._pump
            code = await self.call.code()
        if code is grpc.StatusCode.OK:
            return "OK"
        metadata = await self.call.trailing_metadata()
        details = await self.call.details()
        return reason_of(grpc.aio.AioRpcError(code, grpc.aio.Metadata(), metadata, details))

    async def bye(self) -> str:
        """End the stream in order, and return how the referee ends it."""
        with contextlib.suppress(grpc.aio.AioRpcError, asyncio.InvalidStateError):
            await self.call.done_writing()
        return await self.ended()

    async def sync(self) -> None:
        """Wait until all that was said has been read: the answer to a message behind it came."""
        await self.say(pb.AgentMessage())
        while True:
            refused = (await self.hear("refused")).refused
            if refused.reason == pb.REFUSE_REASON_MALFORMED and not refused.refused:
                return


def join(token: str, handle: int = 1, **fields: Any) -> pb.AgentMessage:
    """Ask for a seat."""
    return pb.AgentMessage(join=pb.Join(handle=handle, seat_token=token, **fields))


def answer(
    turn: int, attempt: int, action: bytes, handle: int = 1, debug: str = ""
) -> pb.AgentMessage:
    """Answer a turn."""
    given = pb.Answer(handle=handle, turn=turn, attempt=attempt, action=action, debug=debug)
    return pb.AgentMessage(answer=given)


def no_share(handle: int = 1) -> pb.AgentMessage:
    """Commit to no share."""
    return pb.AgentMessage(commit=pb.CommitShare(handle=handle))
