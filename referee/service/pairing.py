"""Continuous pairing: agents that asked for matches get them, as long as they are there.

Whoever has waited longest plays first, and nobody plays against itself. Ratings are not for
here: this only brings agents together (`referee serve --ladder` will rate them).

To make a match takes the disk a while. Whoever has gone meanwhile must not lose a match that
it never heard of, so a match is told to all of its agents or counts for nothing.
"""

import asyncio
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from referee.match.replies import Refusal
from referee.rules import get_ruleset
from referee.rules.errors import RulesError
from referee.service import limits, saying, tokens
from referee.service.auth import QUEUE, Denied, authorize
from referee.service.creation import create, setup_of
from referee.service.errors import ServiceError
from referee.service.rates import Allowances
from referee.transcript.fold import Fold, Stage
from referee.v1 import match_pb2, play_pb2, setup_pb2
from referee.v1.play_pb2 import AgentMessageKind, RefuseReason

if TYPE_CHECKING:
    from referee.service.host import Host
    from referee.service.house import House
    from referee.service.streams import AgentStream

MAX_AT_ONCE = 64
# How long the queue rests after a match could not be made; twice as long each time.
FIRST_RETRY_NS = 1_000_000_000
LONGEST_RETRY_NS = 60_000_000_000
SETTLE_S = 1.0
EVENT = "queue"
CALLED_OFF = "an agent left the queue while the match was made"
REVOKED = Refusal(
    RefuseReason.REFUSE_REASON_QUEUE, "nobody has this bearer any more: it was revoked"
)
INTERRUPTED = "the referee was interrupted while its agents were paired"
FAILED = "the match could not be made when its agents were paired"


def is_half_told(fold: Fold) -> bool:
    """Return whether an interrupted match of the queue has seats that may not know of it.

    Whoever was not there yet may never have been told, and would lose it by not coming.
    """
    of_queue = fold.setup.message.event_id == EVENT
    return of_queue and fold.stage is Stage.OPEN and None in fold.joined


@dataclass(eq=False)
class Waiting:
    """An agent that wants to play."""

    stream: "AgentStream"
    agent: str
    wanted: tuple[str, int]
    at_once: int
    playing: int = 0
    since_ns: int = 0
    matches: set[bytes] = field(default_factory=set)


class Pairing:
    """The agents that want to be paired."""

    def __init__(self, house: "House") -> None:
        self._house = house
        self._waiting: dict[AgentStream, Waiting] = {}
        self._stopped = False
        # Matches that go on, by agent: to queue anew does not make them forgotten.
        self._playing: Counter[str] = Counter()
        self._agents: dict[bytes, tuple[str, ...]] = {}
        # Matches that failed in the making, but not before the disk knew of them.
        self._failed: set[bytes] = set()
        self._entries = Allowances(limits.QUEUE_BURST, limits.QUEUE_PER_SECOND, limits.MAX_CALLERS)
        # Of which look at the tokens all that wait are good.
        self._rights = 0
        self._making: set[asyncio.Task[None]] = set()
        self._retry_ns = FIRST_RETRY_NS
        self._retry: Callable[[], None] | None = None

    def enter(self, stream: "AgentStream", queue: play_pb2.Queue) -> Refusal | None:
        """Take an agent in, or return why not."""
        reason = RefuseReason.REFUSE_REASON_QUEUE
        self.drop_revoked()
        if not self._house.knows(stream.caller):
            return REVOKED
        try:
            authorize(QUEUE, stream.caller)
            get_ruleset(queue.ruleset).check_seats(queue.seats)
        except (Denied, RulesError) as error:
            return Refusal(reason, str(error))
        if stream in self._waiting:
            return Refusal(reason, "the agent is queued already")
        if self._stopped:
            return Refusal(RefuseReason.REFUSE_REASON_DRAINING, "the referee is about to stop")
        if queue.at_once > MAX_AT_ONCE:
            return Refusal(reason, f"at most {MAX_AT_ONCE} matches at once")
        agent, now = stream.caller.principal.name, self._house.clock.now_ns()
        refusal = self._too_many(agent, now)
        if refusal is not None:
            return refusal
        self._waiting[stream] = Waiting(
            stream, agent, (queue.ruleset, queue.seats), queue.at_once or 1, since_ns=now
        )
        self.pair()
        return None

    def _too_many(self, agent: str, now: int) -> Refusal | None:
        """Return why one agent cannot wait once more, if it cannot."""
        reason = RefuseReason.REFUSE_REASON_LIMIT
        waits = sum(waiting.agent == agent for waiting in self._waiting.values())
        if waits >= limits.MAX_QUEUED_PER_AGENT:
            most = f"an agent is queued on {limits.MAX_QUEUED_PER_AGENT} streams at the most"
            return Refusal(reason, most)
        if not self._entries.take(agent, now):
            return Refusal(reason, "the agent comes to the queue too often; wait a little")
        return None

    def has(self, stream: "AgentStream") -> bool:
        """Return whether an agent waits to be paired."""
        return stream in self._waiting

    def leave(self, stream: "AgentStream") -> None:
        """Let an agent go; its matches go on."""
        self._waiting.pop(stream, None)

    def drop_revoked(self) -> None:
        """Look whether tokens were revoked, and let go whoever has waited with one."""
        rights = self._house.rights()
        if rights == self._rights:
            return
        self._rights = rights
        for stream in list(self._waiting):
            if not self._house.knows(stream.caller):
                self.leave(stream)
                stream.refuse(AgentMessageKind.AGENT_MESSAGE_KIND_QUEUE, REVOKED)

    def stop(self) -> None:
        """Pair nobody any more."""
        self._stopped = True
        self._waiting.clear()
        if self._retry is not None:
            self._retry()

    async def settle(self) -> None:
        """After `stop`: wait until matches in the making are called off, if the disk lets them.

        Taken up at the next start, they would be lost by agents that were never told of them.
        """
        if self._making:
            await asyncio.wait(self._making, timeout=SETTLE_S)

    def ended(self, match_id: bytes) -> None:
        """Take note that a match is over: its agents are free again."""
        self._failed.discard(match_id)
        self._playing -= Counter(self._agents.pop(match_id, ()))
        for waiting in self._waiting.values():
            if match_id in waiting.matches:
                waiting.matches.discard(match_id)
                waiting.playing -= 1
                waiting.since_ns = self._house.clock.now_ns()
        self.pair()

    def pair(self) -> None:
        """Begin every match that can be begun."""
        if self._retry is not None or not self._waiting:
            return
        self.drop_revoked()
        while not self._stopped and len(self._house.hosts) < limits.MAX_OPEN_MATCHES:
            group = self._next_group()
            if group is None:
                return
            for waiting in group:
                waiting.playing += 1
                self._playing[waiting.agent] += 1
            making = self._house.spawn(self._begin(group))
            self._making.add(making)
            making.add_done_callback(self._making.discard)

    def _next_group(self) -> list[Waiting] | None:
        """Return who plays next: whoever waits the longest of those that others can play with."""
        free = [
            one
            for one in self._waiting.values()
            if one.playing < one.at_once and self._playing[one.agent] < MAX_AT_ONCE
        ]
        # By what they want, in the order of who has waited longest for it.
        groups: dict[tuple[str, int], dict[str, Waiting]] = {}
        for one in sorted(free, key=lambda one: one.since_ns):
            group = groups.setdefault(one.wanted, {})
            if len(group) < one.wanted[1]:
                group.setdefault(one.agent, one)
        return next(
            (list(group.values()) for (_, seats), group in groups.items() if len(group) == seats),
            None,
        )

    async def _begin(self, group: list[Waiting]) -> None:
        house = self._house
        ruleset, _ = group[0].wanted
        agents = tuple(waiting.agent for waiting in group)
        request = match_pb2.CreateMatchRequest(
            ruleset=ruleset,
            seats=[setup_pb2.Seat(agent=agent) for agent in agents],
            event_id=EVENT,
        )
        setup = setup_pb2.Setup()
        try:
            setup = setup_of(house, request)
            host = await create(house, setup, None)
        except (OSError, ServiceError):
            self._not_made(group, setup.sequence)
            return
        self._retry_ns = FIRST_RETRY_NS
        match_id = host.match.fold.match_id
        self._agents[match_id] = agents
        self.drop_revoked()
        if not all(self._is_there(waiting) for waiting in group):
            for waiting in group:
                waiting.playing -= 1
            host.abort(CALLED_OFF, lambda: None)
            self.pair()
            return
        for seat, waiting in enumerate(group):
            waiting.matches.add(match_id)
            paired = play_pb2.Paired(
                seat_token=tokens.make_seat_token(house.token_key, match_id, seat),
                match_id=match_id,
                seat=seat,
                ruleset=ruleset,
            )
            waiting.stream.send(saying.message(play_pb2.RefereeMessage(paired=paired)))

    def _is_there(self, waiting: Waiting) -> bool:
        """Return whether an agent still waits for what it was paired for."""
        stream = waiting.stream
        return self._waiting.get(stream) is waiting and not stream.ended

    # What fails --------------------------------------------------------------------------------

    def _not_made(self, group: list[Waiting], sequence: int) -> None:
        """Put agents back whose match could not be made, and pair again after a while."""
        for waiting in group:
            waiting.playing -= 1
            self._playing[waiting.agent] -= 1
        # The place in the order of all matches is the one thing that is known of it.
        for match_id, host in self._house.hosts.items():
            if host.match.fold.setup.message.sequence == sequence:
                self._failed.add(match_id)
        if self._retry is None and not self._stopped:
            self._retry = self._house.clock.call_later(self._retry_ns, self._pair_again)
            self._retry_ns = min(2 * self._retry_ns, LONGEST_RETRY_NS)

    def _pair_again(self) -> None:
        self._retry = None
        self.pair()

    def made_late(self, host: "Host") -> None:
        """Stop a match that failed in the making and is there after all: nobody was told of it."""
        if host.match.fold.match_id in self._failed:
            host.abort(FAILED, lambda: None)
