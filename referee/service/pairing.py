"""Continuous pairing: agents that asked for matches get them, as long as they are there.

Whoever has waited longest plays first, and nobody plays against itself. Ratings are not for
here: this only brings agents together (`referee serve --ladder` will rate them).
"""

from collections import Counter
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from referee.match.replies import Refusal
from referee.rules import get_ruleset
from referee.rules.errors import RulesError
from referee.service import limits, saying, tokens
from referee.service.auth import QUEUE, Denied, authorize
from referee.service.creation import create, setup_of
from referee.service.errors import ServiceError
from referee.v1 import match_pb2, play_pb2, setup_pb2
from referee.v1.play_pb2 import RefuseReason

if TYPE_CHECKING:
    from referee.service.house import House
    from referee.service.streams import AgentStream

MAX_AT_ONCE = 64
EVENT = "queue"


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

    def enter(self, stream: "AgentStream", queue: play_pb2.Queue) -> Refusal | None:
        """Take an agent in, or return why not."""
        reason = RefuseReason.REFUSE_REASON_QUEUE
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
        self._waiting[stream] = Waiting(
            stream,
            stream.caller.principal.name,
            (queue.ruleset, queue.seats),
            queue.at_once or 1,
            since_ns=self._house.clock.now_ns(),
        )
        self._pair()
        return None

    def has(self, stream: "AgentStream") -> bool:
        """Return whether an agent waits to be paired."""
        return stream in self._waiting

    def leave(self, stream: "AgentStream") -> None:
        """Let an agent go; its matches go on."""
        self._waiting.pop(stream, None)

    def stop(self) -> None:
        """Pair nobody any more."""
        self._stopped = True
        self._waiting.clear()

    def ended(self, match_id: bytes) -> None:
        """Take note that a match is over: its agents are free again."""
        freed = False
        self._playing -= Counter(self._agents.pop(match_id, ()))
        for waiting in self._waiting.values():
            if match_id in waiting.matches:
                waiting.matches.discard(match_id)
                waiting.playing -= 1
                waiting.since_ns = self._house.clock.now_ns()
                freed = True
        if freed:
            self._pair()

    def _pair(self) -> None:
        """Begin every match that can be begun."""
        while not self._stopped and len(self._house.hosts) < limits.MAX_OPEN_MATCHES:
            group = self._next_group()
            if group is None:
                return
            for waiting in group:
                waiting.playing += 1
                self._playing[waiting.agent] += 1
            self._house.spawn(self._begin(group))

    def _next_group(self) -> list[Waiting] | None:
        free = [
            one
            for one in self._waiting.values()
            if one.playing < one.at_once and self._playing[one.agent] < MAX_AT_ONCE
        ]
        free.sort(key=lambda one: one.since_ns)
        for first in free:
            group = [first]
            for other in free:
                known = {one.agent for one in group}
                if other.wanted == first.wanted and other.agent not in known:
                    group.append(other)
                if len(group) == first.wanted[1]:
                    return group
        return None

    async def _begin(self, group: list[Waiting]) -> None:
        house = self._house
        ruleset, _ = group[0].wanted
        request = match_pb2.CreateMatchRequest(
            ruleset=ruleset,
            seats=[setup_pb2.Seat(agent=waiting.agent) for waiting in group],
            event_id=EVENT,
        )
        try:
            host = await create(house, setup_of(house, request), None)
        except (OSError, ServiceError):
            for waiting in group:
                waiting.playing -= 1
                self._playing[waiting.agent] -= 1
            return
        match_id = host.match.fold.match_id
        self._agents[match_id] = tuple(waiting.agent for waiting in group)
        for seat, waiting in enumerate(group):
            waiting.matches.add(match_id)
            paired = play_pb2.Paired(
                seat_token=tokens.make_seat_token(house.token_key, match_id, seat),
                match_id=match_id,
                seat=seat,
                ruleset=ruleset,
            )
            waiting.stream.send(saying.message(play_pb2.RefereeMessage(paired=paired)))
