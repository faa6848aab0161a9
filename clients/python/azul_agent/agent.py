"""The agent: it keeps a stream to its referee alive and plays all its seats over it."""

import asyncio
import logging
from collections.abc import Awaitable, Callable
from dataclasses import KW_ONLY, dataclass, field
from pathlib import Path
from types import TracebackType
from typing import Self

import grpc
from grpc import aio

from azul_agent.connect import Pacing, Tls, bearer_hint, lost, open_channel, unwelcome
from azul_agent.errors import AgentError, NotWelcome, QueueRefused, SeatError, Unreachable
from azul_agent.result import Result
from azul_agent.seat import Seat, SeatOptions
from azul_agent.secret import DEFAULT_FILE, load_secret
from azul_agent.stream import Stream
from azul_agent.turns import Bot, Caller
from referee.v1.play_pb2 import (
    AGENT_MESSAGE_KIND_HELLO,
    AGENT_MESSAGE_KIND_JOIN,
    AGENT_MESSAGE_KIND_QUEUE,
    REFUSE_REASON_DRAINING,
    REFUSE_REASON_LIMIT,
    AgentMessage,
    Hello,
    Paired,
    Pong,
    Queue,
    RefereeMessage,
    Refused,
    Unqueue,
    Welcome,
)

log = logging.getLogger("azul_agent")

VERSION = "0.1.0"
PROTOCOL = 1
_LOOPBACK = ("localhost:", "127.", "[::1]:", "unix:")
# How long a stream that is closed may take to end by itself.
CLOSE_S = 2.0
# A referee that answers so will not answer otherwise to the same agent.
_FINAL = (
    grpc.StatusCode.UNAUTHENTICATED,
    grpc.StatusCode.PERMISSION_DENIED,
    grpc.StatusCode.UNIMPLEMENTED,
)
# Is given each result of the queue as it comes.
Told = Callable[[Result], None]
# Refused now, but not for ever.
_LATER = (REFUSE_REASON_DRAINING, REFUSE_REASON_LIMIT)


class _Pairing:
    """Holds a wish to be paired and the matches that came of it."""

    def __init__(
        self, ruleset: str, seats: int, at_once: int, games: int | None, told: Told | None
    ) -> None:
        self.games = games
        self.told = told
        self.paired = 0
        self.plays: set[asyncio.Task[Result]] = set()
        self.results: list[Result] = []
        self.full: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        at_once = at_once if games is None else min(at_once, games)
        self.wish = Queue(ruleset=ruleset, seats=seats, at_once=at_once)


@dataclass(eq=False)
class Agent:
    """Plays with one bot, in any number of matches at once, over one stream.

    `target` is the referee's host:port. `name` is shown to others. `token` is the bearer of a
    registered agent, which only the queue needs. Without `tls` nothing is encrypted. With
    `shares` the agent takes part in the draws, by the secret in `secret_file`. A bot that is
    no coroutine thinks in one of `threads`; with `inline` it is called in the loop itself,
    which is faster for bots that take no time. `evidence` is a folder to keep what was seen.
    """

    target: str
    bot: Bot
    _: KW_ONLY
    name: str
    kit: str = f"python {VERSION}"
    token: str | None = field(default=None, repr=False)
    tls: Tls | None = None
    shares: bool = True
    secret_file: Path | str = DEFAULT_FILE
    list_moves: bool = True
    inline: bool = False
    threads: int = 8
    evidence: Path | str | None = None
    pacing: Pacing = field(default_factory=Pacing)

    def __post_init__(self) -> None:
        if self.token and self.tls is None and not self.target.startswith(_LOOPBACK):
            log.warning("%s: the bearer goes there unencrypted; use tls", self.target)
        self._options = SeatOptions(
            caller=Caller(self.bot, inline=self.inline, threads=self.threads),
            secret=load_secret(Path(self.secret_file)) if self.shares else None,
            list_moves=self.list_moves,
            evidence=None if self.evidence is None else Path(self.evidence),
        )
        self._seats: dict[str, Seat] = {}
        # Of this stream: handles are never used twice, so that nothing late meets another seat.
        self._handles: dict[int, Seat] = {}
        self._last_handle = 0
        self._stream: Stream | None = None
        self._welcomed = False
        self._pairing: _Pairing | None = None
        self._running: asyncio.Task[None] | None = None
        self._waiting: set[asyncio.Task[None]] = set()
        self._closing = False
        self._failure: AgentError | None = None

    # What authors call -------------------------------------------------------------------

    async def play(self, seat_token: str) -> Result:
        """Take a seat, play the match to its end, and return what became of it."""
        self._start()
        if seat_token in self._seats:
            raise SeatError("this agent plays that seat already")
        seat = self._seats[seat_token] = Seat(seat_token, self._options)
        try:
            self._join(seat)
            return await seat.result
        finally:
            del self._seats[seat_token]
            self._handles = {h: other for h, other in self._handles.items() if other is not seat}

    async def queue(
        self,
        ruleset: str,
        seats: int = 2,
        at_once: int = 1,
        *,
        games: int | None = None,
        told: Told | None = None,
    ) -> list[Result]:
        """Ask to be paired, and play what comes until so many games are done; None: for ever.

        Each result goes to `told` as it comes. With more than one match at once a pairing may
        cross the end of the wish; it is played as well, so there may be more games.
        """
        self._start()
        if self._pairing is not None:
            raise AgentError("this agent asks to be paired already")
        pairing = self._pairing = _Pairing(ruleset, seats, at_once, games, told)
        try:
            self._ask_for_pairing()
            await asyncio.wait([pairing.full])
            # Also after a refusal: what was paired before is played to its end.
            while pairing.plays:
                await asyncio.wait(pairing.plays)
            pairing.full.result()
        finally:
            self._pairing = None
            if not pairing.full.done():
                self._say(AgentMessage(unqueue=Unqueue()))
            for play in pairing.plays:
                play.cancel()
        return pairing.results

    async def close(self) -> None:
        """Leave the referee; matches that go on are not given up, but nobody answers in them."""
        self._closing = True
        for task in self._waiting:
            task.cancel()
        if self._running is not None:
            if self._stream is not None:
                self._stream.outbox.close()
                await asyncio.wait([self._running], timeout=CLOSE_S)
            self._running.cancel()
            await asyncio.gather(self._running, return_exceptions=True)
        self._fail(AgentError("the agent was closed"))
        self._options.caller.close()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        await self.close()

    # The stream --------------------------------------------------------------------------

    def _start(self) -> None:
        if self._closing:
            raise AgentError("the agent was closed")
        if self._failure is not None:
            raise self._failure
        if self._running is None:
            self._running = asyncio.create_task(self._run())

    async def _run(self) -> None:
        """Keep a stream to the referee until the agent is closed or not welcome."""
        failures = 0
        while not self._closing:
            began = self.pacing.clock()
            try:
                why = await self._carry()
            except AgentError as error:
                self._fail(error)
                return
            except Exception as error:
                # Better a match that ends with an error than one that nobody plays any more.
                log.exception("%s: the agent stops", self.target)
                self._fail(AgentError(f"the agent stops: {error}"))
                return
            if self.pacing.clock() - began >= self.pacing.longest_s:
                failures = 0
            failures += 1
            if self._closing:
                return
            if failures == self.pacing.attempts:
                self._fail(Unreachable(f"{self.target}: {why}"))
                return
            delay_s = self.pacing.delay_s(failures)
            log.warning("%s: %s; trying again in %.1f s", self.target, why, delay_s)
            await self.pacing.sleep(delay_s)

    async def _carry(self) -> str:
        """Carry all seats over one stream, and return why it ended."""
        channel = open_channel(self.target, self.tls)
        bearer = [("authorization", f"Bearer {self.token}")] if self.token else []
        stream = self._stream = Stream(channel, bearer)
        hello = Hello(name=self.name, kit=self.kit, protocol=PROTOCOL)
        stream.outbox.put(AgentMessage(hello=hello))
        try:
            async for frame in stream.frames():
                for message in frame.messages:
                    self._receive(message)
        except TimeoutError:
            return "the referee fell silent"
        except aio.AioRpcError as error:
            if error.code() in _FINAL:
                raise NotWelcome(unwelcome(error, self.token)) from error
            return lost(error, self.target, self.tls, welcomed=self._welcomed)
        finally:
            self._stream, self._welcomed, self._handles = None, False, {}
            for seat in self._seats.values():
                seat.lost()
            await stream.end()
            await channel.close()
        return "the referee ended the stream"

    def _say(self, message: AgentMessage) -> None:
        if self._stream is not None and self._welcomed:
            self._stream.outbox.put(message)

    def _fail(self, error: AgentError) -> None:
        self._failure = error
        for seat in self._seats.values():
            seat.fail(error)
        if self._pairing is not None and not self._pairing.full.done():
            self._pairing.full.set_exception(error)

    def _later(self, action: Callable[[], None]) -> None:
        """Do something again that the referee cannot do just now."""

        async def wait() -> None:
            await self.pacing.sleep(self.pacing.longest_s)
            action()

        self._spawn(wait())

    def _spawn(self, waiting: Awaitable[None]) -> None:
        task = asyncio.ensure_future(waiting)
        self._waiting.add(task)
        task.add_done_callback(self._waiting.discard)

    # Messages ----------------------------------------------------------------------------

    def _receive(self, message: RefereeMessage) -> None:
        match message.WhichOneof("kind"):
            case None:
                log.debug("a message of an unknown kind is left aside")
            case "welcome":
                self._on_welcome(message.welcome)
            case "ping":
                self._say(AgentMessage(pong=Pong(number=message.ping.number)))
            case "paired":
                self._on_paired(message.paired)
            case "refused" if message.refused.refused == AGENT_MESSAGE_KIND_HELLO:
                raise NotWelcome(message.refused.message)
            case "refused" if message.refused.refused == AGENT_MESSAGE_KIND_QUEUE:
                self._on_queue_refused(message.refused)
            case str(kind):
                self._hand_over(getattr(message, kind).handle, message)

    def _hand_over(self, handle: int, message: RefereeMessage) -> None:
        seat = self._handles.get(handle)
        if seat is None:
            log.debug("a message about an unknown match is left aside: %s", message)
            return
        if (
            message.WhichOneof("kind") == "refused"
            and message.refused.refused == AGENT_MESSAGE_KIND_JOIN
        ):
            self._on_join_refused(seat, message.refused)
            return
        try:
            seat.receive(message)
        except Exception as error:
            # What one match cannot cope with costs no other match anything.
            log.exception("%s: the match is left", seat)
            seat.fail(SeatError(f"{seat}: {error}"))

    def _on_welcome(self, welcome: Welcome) -> None:
        stream = self._stream
        assert stream is not None
        if welcome.max_frame_bytes:
            stream.outbox.max_frame_bytes = welcome.max_frame_bytes
        if welcome.silence_ns:
            stream.silence_s = welcome.silence_ns / 1e9
        self._welcomed = True
        log.info("%s: connected", self.target)
        for seat in self._seats.values():
            self._join(seat)
        self._ask_for_pairing()

    def _join(self, seat: Seat) -> None:
        if self._welcomed and not seat.result.done():
            self._last_handle += 1
            self._handles[self._last_handle] = seat
            seat.attach(self._last_handle, self._say)

    def _on_join_refused(self, seat: Seat, refused: Refused) -> None:
        del self._handles[refused.handle]
        if refused.reason in _LATER:
            log.warning("%s: the seat is to be had later: %s", seat, refused.message)
            seat.lost()
            self._later(lambda: self._join_again(seat))
        else:
            seat.refuse_seat(refused)

    def _join_again(self, seat: Seat) -> None:
        if seat not in self._handles.values():
            self._join(seat)

    # Pairings ----------------------------------------------------------------------------

    def _ask_for_pairing(self) -> None:
        pairing = self._pairing
        if pairing is not None and not pairing.full.done() and self._welcomed:
            log.info("waiting to be paired for %s", pairing.wish.ruleset)
            self._say(AgentMessage(queue=pairing.wish))

    def _on_queue_refused(self, refused: Refused) -> None:
        pairing = self._pairing
        if pairing is None or pairing.full.done():
            return
        if refused.reason in _LATER:
            self._later(self._ask_for_pairing)
        else:
            message = refused.message
            if self.token is None:
                message += f"; {bearer_hint(None)}"
            pairing.full.set_exception(QueueRefused(refused.reason, message))

    def _on_paired(self, paired: Paired) -> None:
        pairing = self._pairing
        if pairing is None or paired.seat_token in self._seats:
            return
        pairing.paired += 1
        log.info("paired for %s", paired.ruleset)
        play = asyncio.create_task(self.play(paired.seat_token))
        pairing.plays.add(play)
        play.add_done_callback(lambda done: self._on_paired_end(pairing, done))
        if pairing.paired == pairing.games:
            self._say(AgentMessage(unqueue=Unqueue()))
            if not pairing.full.done():
                pairing.full.set_result(None)

    def _on_paired_end(self, pairing: _Pairing, play: asyncio.Task[Result]) -> None:
        pairing.plays.discard(play)
        if play.cancelled():
            return
        error = play.exception()
        if error is not None:
            log.error("a pairing could not be played: %s", error)
            return
        if pairing.told is not None:
            pairing.told(play.result())
        if pairing.games is not None:
            pairing.results.append(play.result())
        elif pairing.told is None:
            log.info("%s", play.result())
