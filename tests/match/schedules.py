"""Matches in which anything may happen at any time, chosen by a seed.

Every input that a host can pass on comes here in every order: right and wrong answers,
garbage, repeats, messages that waited, agents that come and go, pauses of the referee,
ticks, restarts. A host passes messages on in the order in which it read them, and knows of
no more pauses than time has passed; nothing else is promised to the match.
"""

import random
from collections.abc import Callable

from referee.match import acting
from referee.match.live import Given
from referee.rules import Options
from referee.transcript.clock import ClockRule
from referee.transcript.wire.game import index_action
from referee.v1 import record_pb2 as pb
from tests import games
from tests.match.table import CLOCK, GARBAGE, SECOND, Table

CLOCKS = [
    None,
    CLOCK,
    ClockRule(move_limit_ns=2 * SECOND),
    ClockRule(bank_ns=20 * SECOND, increment_ns=SECOND),
    ClockRule(move_limit_ns=3 * SECOND, bank_ns=9 * SECOND, startup_ns=SECOND),
]
# How many things happen before everybody falls silent.
MAX_EVENTS = 400


class Schedule:
    """One match of such a kind."""

    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)
        choose = self.random.choice
        ruleset, seats = choose(games.EVERY_TABLE)
        shares = choose([None, [True] * seats, [choose((True, False)) for _ in range(seats)]])
        self.table = Table(
            ruleset,
            seats,
            name=seed,
            shares=shares,
            clock=choose(CLOCKS),
            strikes=choose((1, 3, 9)),
            options=None if ruleset == "duel" else Options(round_cap=choose((1, 2, 5))),
        )
        # When the last message was read.
        self.read_ns = 0
        calm = choose((0, 4, 16))
        self.events: list[tuple[int, Callable[[int], object]]] = [
            (2 + 4 * calm, self.right),
            (4, self.join),
            (2, self.commit),
            (3, self.answer),
            (1, self.wrong),
            (2, self.again),
            (2, self.reveal),
            (2, self.leave),
            (2, self.tick),
            (1, self.restart),
        ]
        self.rare: list[Callable[[int], object]] = [self.give_up, self.lobby, self.flag]

    # What happens --------------------------------------------------------------------------

    def play(self) -> Table:
        """Let things happen for a while, then let time pass until the match is over."""
        weights = [weight for weight, _ in self.events]
        acts = [act for _, act in self.events]
        for _ in range(self.random.randrange(MAX_EVENTS)):
            self.table.now += int(self.random.random() ** 8 * SECOND)
            act = self.random.choices(acts, weights)[0]
            if self.random.random() < 0.02:
                act = self.random.choice(self.rare)
            act(self.random.randrange(self.table.seats))
            self.table.settle()
        self.silence()
        return self.table

    def silence(self) -> None:
        """Let nobody do anything any more, until time has put all out, or people step in."""
        table = self.table
        table.do(lambda match: match.close_lobby())
        for _ in range(table.seats):
            table.tick(table.now + 1_000 * SECOND)
        if not table.match.over:
            assert table.match.next_flag_ns() is None, "the match hangs"
            table.do(lambda match: match.abort("it takes too long"))

    # Times ---------------------------------------------------------------------------------

    def read(self) -> int:
        """Return when a message was read: now, or before, if it had to wait."""
        now = self.table.now
        if self.random.random() < 0.2:
            now = self.random.randint(min(self.read_ns, now), now)
        self.read_ns = max(self.read_ns, now)
        return now

    def credit(self, now: int) -> int:
        """Return what of the time since the question the referee did not run."""
        sent = self.table.match.sent_ns
        if sent is None or sent >= now or self.random.random() < 0.8:
            return 0
        return self.random.randint(0, now - sent)

    # Acts of agents ------------------------------------------------------------------------

    def right(self, _: int) -> None:
        """Do what is asked for."""
        table = self.table
        question = table.match.question()
        if question is None:
            table.sit(self.random.randrange(table.seats))
            return
        seat = self.random.choice(question.seats)
        now = self.read()
        credited = self.credit(now)
        if question.is_turn:
            fold = table.match.fold
            action = table.choice(seat)
            acting.answer(table.match, seat, fold.turn, fold.attempt, action, now, credited)
        else:
            x = table.chains[seat][question.number]
            acting.reveal(table.match, seat, question.number, x, now, credited)

    def join(self, seat: int) -> None:
        """Come, or come again."""
        who = pb.Joined(seat=seat, name="\u202e\x00", kit="", protocol=1)
        acting.join(self.table.match, seat, who, self.read())

    def leave(self, seat: int) -> None:
        """Go."""
        self.table.match.disconnect(seat, self.read())

    def commit(self, seat: int) -> None:
        """Commit to something; a host lets nobody speak who has not joined."""
        if self.table.match.fold.joined[seat] is not None:
            chain = self.table.chains[seat]
            x_0 = self.random.choice([chain[0], chain[0], None, chain[1], b"", bytes(31)])
            acting.commit(self.table.match, seat, x_0)

    def reveal(self, seat: int) -> None:
        """Reveal something, asked or not."""
        table = self.table
        asked = table.match.fold.position.chance_round
        number = self.random.choice([asked, asked, asked - 1, asked + 1, 0, 64, 2**32 - 1])
        right = table.chains[seat][number if 0 <= number <= 64 else 1]
        x = right if self.random.random() < 0.9 else self.random.choice([b"", bytes(32)])
        now = self.read()
        acting.reveal(table.match, seat, number, x, now, self.credit(now))

    def answer(self, seat: int) -> None:
        """Answer something, asked or not."""
        fold = self.table.match.fold
        turn = max(0, fold.turn + self.random.choice([0, 0, 0, 0, -1, 1, -2]))
        attempt = max(0, fold.attempt + self.random.choice([0, 0, 0, 0, -1, 1]))
        action = self.random.choice([index_action(0), index_action(1), b"", bytes(70_000)])
        now = self.read()
        acting.answer(self.table.match, seat, turn, attempt, action, now, self.credit(now))

    def wrong(self, _: int) -> None:
        """Answer on the right turn, and wrongly."""
        fold = self.table.match.fold
        if fold.position.actor >= 0:
            bad = [GARBAGE, b"", index_action(10_000), self.random.randbytes(6)]
            action, now = self.random.choice(bad), self.read()
            seat, turn, attempt = fold.position.actor, fold.turn, fold.attempt
            acting.answer(self.table.match, seat, turn, attempt, action, now, self.credit(now))

    def again(self, _: int) -> None:
        """Repeat an answer that stands in the record; nothing comes of it."""
        match = self.table.match
        if match.given:
            (turn, attempt), given = self.random.choice([*match.given.items()])
            before = match.records
            self._repeat(turn, attempt, given)
            assert match.records == before

    def _repeat(self, turn: int, attempt: int, given: Given) -> None:
        action = given.action if self.random.random() < 0.8 else b"another"
        now = self.read()
        acting.answer(self.table.match, given.seat, turn, attempt, action, now, 0)

    def give_up(self, seat: int) -> None:
        """Give up, on one's turn or not."""
        now = self.read()
        acting.give_up(self.table.match, seat, now, self.credit(now))

    # Acts of the referee -------------------------------------------------------------------

    def tick(self, _: int) -> None:
        """Look at the clocks."""
        now = self.table.now
        self.table.match.tick(now, self.credit(now))

    def flag(self, _: int) -> None:
        """Let time pass to the next flag, or just before or behind it."""
        flag = self.table.match.next_flag_ns()
        if flag is not None:
            self.table.now = max(self.table.now, flag + self.random.choice([-1, 0, 1]))

    def lobby(self, _: int) -> None:
        """End the time to come."""
        self.table.match.close_lobby()

    def restart(self, _: int) -> None:
        """Kill the referee, and take the match up from its file."""
        if not self.table.match.over:
            self.table = self.table.resume()
            self.read_ns = 0
