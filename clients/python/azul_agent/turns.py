"""What a bot is given, what it gives back, and how it is called.

A bot is one function from a `Turn` to a move. It knows nothing of streams, handles or clocks.
"""

import asyncio
import inspect
import operator
from collections.abc import Awaitable, Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from typing import SupportsIndex, cast

from referee.v1.game_pb2 import Action, Move, Position
from referee.v1.reason_pb2 import RejectReason

Choice = SupportsIndex | Move
Bot = Callable[["Turn"], Choice] | Callable[["Turn"], Awaitable[Choice]]
# So much of a wrong choice is shown.
MAX_SHOWN = 100
# Called once with the bytes of an action, or with the error of the bot.
Answered = Callable[[bytes | Exception], None]


@dataclass(frozen=True, slots=True)
class Rejection:
    """Says why the last answer was no legal move."""

    reason: int
    message: str = ""
    rule: str = ""

    @property
    def name(self) -> str:
        """Return the name of the reason, or its number if this kit does not know it."""
        known = RejectReason.DESCRIPTOR.values_by_number.get(self.reason)
        return known.name if known else str(self.reason)


@dataclass(frozen=True, slots=True)
class Turn:
    """Holds everything that a bot may know when it is to move."""

    match_id: bytes
    seat: int
    turn: int
    attempt: int
    ruleset: str
    position: Position
    legal_moves: list[Move]
    time_left_ns: int | None
    bank_ns: int | None
    last_answer_ns: int
    strikes_left: int
    player_seed: bytes
    rejected: Rejection | None = None
    notes: list[str] = field(default_factory=list)

    def debug(self, text: str) -> None:
        """Attach a line for the private log of the agent."""
        self.notes.append(text)


class BadChoice(TypeError):
    """Says what a bot returned that is no choice at all; the fault is not where it is noticed."""


def action_bytes(choice: Choice) -> bytes:
    """Return a bot's choice as the bytes that are sent and recorded, or raise `BadChoice`."""
    if isinstance(choice, Move):
        return Action(move=choice).SerializeToString()
    try:
        return Action(index=operator.index(choice)).SerializeToString()
    except (TypeError, ValueError) as error:
        shown = repr(choice)
        shown = shown if len(shown) <= MAX_SHOWN else f"{shown[:MAX_SHOWN]}..."
        wanted = "it must return the index of a legal move or a Move"
        raise BadChoice(f"the bot returned {shown}; {wanted}") from error


class Caller:
    """Calls the bot: in a thread, in the loop, or as a coroutine, whichever it is made for.

    A bot that thinks in a thread lets the agent answer pings meanwhile. It may be called for
    several matches at once, in as many threads.
    """

    def __init__(self, bot: Bot, *, inline: bool, threads: int) -> None:
        self._bot = bot
        self._inline = inline
        self._threads = threads
        self._pool: ThreadPoolExecutor | None = None
        self._tasks: set[asyncio.Future[Choice]] = set()
        called = bot if inspect.isroutine(bot) else getattr(bot, "__call__", bot)  # noqa: B004
        self._is_async = inspect.iscoroutinefunction(bot) or inspect.iscoroutinefunction(called)

    def ask(self, turn: Turn, answered: Answered) -> None:
        """Ask the bot for its move, and hand over what came of it."""
        if self._inline and not self._is_async:
            try:
                answer: bytes | Exception = action_bytes(cast("Choice", self._bot(turn)))
            except Exception as error:  # noqa: BLE001
                # Whatever a bot raises ends its match and no other.
                answer = error
            answered(answer)
            return
        task = self._call(turn)
        self._tasks.add(task)
        task.add_done_callback(lambda done: self._finish(done, answered))

    def _call(self, turn: Turn) -> "asyncio.Future[Choice]":
        if self._is_async:
            return asyncio.ensure_future(cast("Awaitable[Choice]", self._bot(turn)))
        if self._pool is None:
            self._pool = ThreadPoolExecutor(self._threads, thread_name_prefix="bot")
        bot = cast("Callable[[Turn], Choice]", self._bot)
        return asyncio.get_running_loop().run_in_executor(self._pool, bot, turn)

    def _finish(self, task: "asyncio.Future[Choice]", answered: Answered) -> None:
        self._tasks.discard(task)
        if task.cancelled():
            return
        try:
            answer: bytes | Exception = action_bytes(task.result())
        except Exception as error:  # noqa: BLE001
            answer = error
        answered(answer)

    def close(self) -> None:
        """Wait for nobody: what is still being thought does not count any more."""
        for task in self._tasks:
            task.cancel()
        if self._pool is not None:
            self._pool.shutdown(wait=False, cancel_futures=True)
