"""What a match asks its agents, and what happens when no answer comes.

A question is sent when the frame that led to it is durable, and its clock starts then. After a
restart it waits for its agents to come back, but not for ever: a seat that was back once has
used up the window, and one that was not has it whole, however many others play on meanwhile.
There is one timer a match, set for the next instant at which time itself decides something.
"""

from collections.abc import Callable
from typing import TYPE_CHECKING

from referee.match.replies import Reply
from referee.service import saying
from referee.service.timing import BEAT_NS
from referee.transcript.fold import Stage

if TYPE_CHECKING:
    from referee.service.host import Host


class Questions:
    """The open question of one match, and its timer.

    wait_until  until when seats may come, or come back, before time goes on without them
    """

    def __init__(self, host: "Host") -> None:
        self._host = host
        self.wait_until: int | None = None
        # The seats that have not been back since the referee was away.
        self._away: set[int] = set()
        self._asked: tuple[int, int] | None = None
        self._timer: Callable[[], None] | None = None
        self._timer_at: int | None = None
        # Whether the clocks are to be looked at already, once the disk is done.
        self._ticking = False

    def wait_for_agents(self, window_ns: int, *, returning: bool = False) -> None:
        """Let agents come, or come back, for so long before time goes on without them."""
        live = self._host.match.fold.live
        self._away = {seat for seat, is_live in enumerate(live) if is_live} if returning else set()
        self.wait_until = self._host.now() + window_ns
        self._set_timer()

    def stop(self) -> None:
        """Ask nothing more, and let go of the match, which a timer would keep in memory."""
        if self._timer is not None:
            self._timer()
        self._timer = self._timer_at = None

    def ask(self, again: int | None = None) -> None:
        """Ask whoever is to answer, once; a seat that came back is asked again."""
        host = self._host
        match = host.match
        question = match.question()
        if question is None or host.busy:
            self._set_timer()
            return
        if again is not None:
            self._away.discard(again)
        if not self._away:
            # Everybody has come: the time to wait for them is over.
            self.wait_until = None
        asked = (question.number, match.fold.attempt if question.is_turn else 0)
        fresh = asked != self._asked or match.sent_ns is None
        if match.sent_ns is None and self._is_waiting(question.seats):
            return
        self._asked = asked
        now = host.now()
        match.asked(now)
        credited = 0 if match.sent_ns == now else host.credit(now)
        for seat in question.seats:
            place = host.places[seat]
            if place is None or not (fresh or seat == again):
                continue
            left = match.time_left_ns(seat, now, credited)
            if question.is_turn:
                said = saying.your_turn(place.handle, seat, match, left, listed=place.list_moves)
            else:
                said = saying.reveal_request(place.handle, question.number, left)
            place.outlet.send(said)
        self._set_timer()

    def _is_waiting(self, seats: tuple[int, ...]) -> bool:
        """Return whether a question waits for agents that may still come back."""
        if self.wait_until is None or self._away.isdisjoint(seats):
            return False
        host = self._host
        if host.now() >= self.wait_until:
            self._window_is_over()
            return False
        self._set_timer()
        return True

    def _window_is_over(self) -> None:
        self.wait_until = None
        self._away.clear()

    def _next_ns(self) -> int | None:
        """Return when time itself will have to decide something."""
        host = self._host
        if host.stopped or host.match.over:
            return None
        flag = host.match.next_flag_ns()
        if flag is not None:
            now = host.now()
            if flag <= now:
                # It would have fallen by now, had the referee not paused.
                flag += host.credit(now)
        if self.wait_until is None or flag is None:
            return flag if self.wait_until is None else self.wait_until
        return min(flag, self.wait_until)

    def _set_timer(self, earliest: int = 0) -> None:
        """See to it that a timer rings in time; one that rings too early sets itself again."""
        at = self._next_ns()
        if at is None:
            return
        at = max(at, earliest)
        if self._timer_at is not None and self._timer_at <= at:
            return
        if self._timer is not None:
            self._timer()
        self._timer_at = at
        # One more nanosecond: an answer at the very instant of the flag is in time.
        host = self._host
        self._timer = host.house.clock.call_later(at + 1 - host.now(), self._ring)

    def _ring(self) -> None:
        self._timer = self._timer_at = None
        host = self._host
        if host.stopped or host.match.over:
            return
        host.house.heart.look()
        now = host.now()
        at = self._next_ns()
        if at is None or at >= now:
            # It was set for an earlier question, or the referee has paused meanwhile.
            self._set_timer()
            return
        if self.wait_until is not None and now >= self.wait_until:
            if host.match.fold.stage is not Stage.OPEN:
                self._window_is_over()
                self.ask()
            elif host.house.draining:
                # Nobody can come any more: the next start gives them a window of its own.
                return
            else:
                self.wait_until = None
                host.submit(self._close_lobby, nothing)
        elif host.match.sent_ns is not None and not self._ticking:
            self._ticking = True
            host.submit(self._tick, nothing)
        # Not at once: what was decided may wait for the disk, and while it does nothing changes.
        self._set_timer(now + BEAT_NS)

    def _close_lobby(self) -> Reply:
        self._host.match.close_lobby()
        return None

    def _tick(self) -> Reply:
        self._ticking = False
        now = self._host.now()
        self._host.match.tick(now, self._host.credit(now))
        return None


def nothing(_reply: Reply) -> None:
    """Say nothing: nobody asked."""
