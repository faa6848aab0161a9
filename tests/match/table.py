"""A live match without a service: scripted agents, a virtual clock, frames kept in memory.

A `Table` does what a host does and nothing more: it takes each step, makes a frame of it,
tells what may be told, and sends the next question. Whatever a test lets its agents do, the
whole signed file must verify in the end, and give the result that was told.
"""

import copy
import random
from collections.abc import Callable, Sequence
from typing import Any

from referee.draws import agent_chain, agent_root
from referee.match import acting
from referee.match.live import EndStamp, LiveMatch
from referee.match.replies import Rejection, Reply
from referee.rules import Options, get_ruleset
from referee.rules.azul.components import FLOOR
from referee.transcript import format as azt
from referee.transcript import reader
from referee.transcript.clock import ClockRule
from referee.transcript.finding import Level
from referee.transcript.result import Result, reason_name
from referee.transcript.verify import Report, Status, Verdict, verify
from referee.transcript.wire.game import index_action, move_action
from referee.transcript.wire.results import decode_result
from referee.transcript.wire.setup import encode_clock, encode_options
from referee.transcript.writer import Chain
from referee.v1 import record_pb2 as pb
from referee.v1 import setup_pb2
from tests.transcript.scene import KEY, UTC_S, bytes_of

MS = 1_000_000
SECOND = 1_000 * MS
CLOCK = ClockRule(
    move_limit_ns=10 * SECOND, bank_ns=60 * SECOND, increment_ns=100 * MS, startup_ns=5 * SECOND
)
THINK_NS = 20 * MS
# What passes between an answer and the next question: the disk is on nobody's clock.
GAP_NS = 150_000
GARBAGE = b"\xff\xff"
ENDS = ("game_over", "voided", "aborted")
# A game has some hundred moves; whatever takes longer goes round in circles.
MAX_STEPS = 5_000


class Table:
    """One match and its agents.

    shares  which seats commit to a share; None fixes the seed
    frames  the records of each frame
    told    the records that everybody has seen
    now     the virtual time, in nanoseconds of the epoch
    """

    match: LiveMatch

    def __init__(
        self,
        ruleset: str = "azul",
        seats: int = 2,
        *,
        name: object = "table",
        shares: Sequence[bool] | None = None,
        clock: ClockRule | None = CLOCK,
        strikes: int = 3,
        options: Options | None = None,
    ) -> None:
        self.name = name
        self.seats = seats
        self.shares = shares
        self.match_id = bytes_of("match", ruleset, seats, name, size=16)
        self.seed: bytes | None = bytes_of("seed", ruleset, seats, name)
        setup = setup_pb2.Setup(
            ruleset=ruleset,
            revision=get_ruleset(ruleset).revision,
            options=encode_options(options or Options()),
            seats=[setup_pb2.Seat(agent=f"agent-{seat}") for seat in range(seats)],
            clock=encode_clock(clock),
            strikes=strikes,
            fixed_seed=shares is None,
            durability=setup_pb2.DURABILITY_SYNC,
            public_key=KEY.public,
            created_utc_s=UTC_S,
            sequence=1,
        )
        self.parts: list[bytes] = []
        self.frames: list[list[pb.Record]] = []
        self.told: list[pb.Record] = []
        self.chain = Chain(self.match_id)
        self.now = SECOND
        self._store([pb.Record(setup=setup.SerializeToString())])
        self.match = self._new_match()
        self.match.take_up(self.frames)
        self.match.open()
        self.settle()
        commit = self.match.fold.commit
        self.chains = [
            agent_chain(
                self.match_id,
                seat,
                commit,
                agent_root(bytes_of("secret", seat, name), self.match_id, seat, commit),
            )
            for seat in range(seats)
        ]

    # What a host does ----------------------------------------------------------------------

    def _new_match(self) -> LiveMatch:
        return LiveMatch(self.match_id, self.seed, lambda: EndStamp(UTC_S + 60, 2))

    def _store(self, records: list[pb.Record]) -> None:
        self.parts.append(self.chain.frame(records))
        self.frames.append(records)

    def settle(self) -> None:
        """Make the step durable, tell what may be told, and send the question that is open."""
        match = self.match
        step = match.take_step()
        if step:
            self._store(step)
            self.now += GAP_NS
            self._tell()
        if match.question() is not None:
            match.asked(self.now)

    def _tell(self) -> None:
        """Tell the records up to the first that nobody may see yet."""
        records = [record for frame in self.frames for record in frame]
        assert len(records) == self.match.records
        new = records[len(self.told) : self.match.held_from]
        assert self.match.held_from is None or self.match.held_from >= len(self.told)
        kinds = [record.WhichOneof("kind") for record in new]
        for share in [place for place, kind in enumerate(kinds) if kind == "reveal"][-1:]:
            assert {"deal", *ENDS} & {*kinds[share:]}, "a share was told before its deal"
        if "seed_reveal" not in kinds and self.seed is not None:
            assert self.seed not in self.parts[-1]
        self.told += new

    def resume(self, frames: int | None = None, *, epoch_start_ns: int = 0) -> "Table":
        """Return the table of a referee that was killed after so many frames, and came back."""
        other = copy.copy(self)
        other.parts = self.parts[:frames]
        transcript = reader.read(other.data())
        assert transcript.damage is None
        other.frames = transcript.frames
        other.told = []
        other.chain = Chain(self.match_id)
        other.chain.index = len(transcript.links)
        other.chain.records = transcript.records
        other.chain.bytes = len(other.data())
        other.chain.link = transcript.links[-1]
        other.now = epoch_start_ns
        other.match = other._new_match()
        other.match.take_up(other.frames)
        if len(other.frames) == 1:
            other.match.open()
        elif not other.match.over:
            other.match.restart()
        other.settle()
        return other

    def data(self) -> bytes:
        """Return the file as it is now."""
        return b"".join([azt.header(self.match_id), *self.parts])

    # What agents do ------------------------------------------------------------------------

    def join(self, *seats: int) -> Reply:
        """Let agents take their seats, or take them up again; return the last reply."""
        reply: Reply = None
        for seat in seats:
            who = pb.Joined(seat=seat, name=f"bot {seat}", kit="test", protocol=1)
            reply = acting.join(self.match, seat, who, self.now)
            self.settle()
        return reply

    def leave(self, seat: int) -> None:
        """Let the stream of an agent end."""
        self.match.disconnect(seat, self.now)
        self.settle()

    def commit(self, seat: int, x_0: bytes | None) -> Reply:
        """Let an agent commit."""
        reply = acting.commit(self.match, seat, x_0)
        self.settle()
        return reply

    def sit(self, *seats: int) -> "Table":
        """Let these agents join and commit, all if none is named."""
        for seat in seats or range(self.seats):
            self.join(seat)
            if self.shares is not None:
                self.commit(seat, self.chains[seat][0] if self.shares[seat] else None)
        return self

    def choice(self, seat: int) -> bytes:
        """Return the answer that an agent thinks of: the same one in the same match and turn."""
        turn = self.match.fold.turn
        moves = self.match.view(seat).legal_moves()
        # Tiles on the floor make long games with no points.
        good = [n for n, move in enumerate(moves) if getattr(move, "line", None) != FLOOR]
        index = random.Random(f"{self.name} {turn}").choice(good or range(len(moves)))
        return move_action(moves[index]) if (seat + turn) % 2 else index_action(index)

    def answer(
        self,
        seat: int | None = None,
        action: bytes | None = None,
        *,
        turn: int | None = None,
        attempt: int | None = None,
        think_ns: int = THINK_NS,
        credited_ns: int = 0,
    ) -> Reply:
        """Let an agent answer; what is not said is what the referee asks for."""
        fold = self.match.fold
        who = fold.position.actor if seat is None else seat
        what = self.choice(who) if action is None else action
        self.now += think_ns + credited_ns
        reply = acting.answer(
            self.match,
            who,
            fold.turn if turn is None else turn,
            fold.attempt if attempt is None else attempt,
            what,
            self.now,
            credited_ns,
        )
        self.settle()
        return reply

    def reveal(
        self,
        seat: int,
        x: bytes | None = None,
        *,
        number: int | None = None,
        think_ns: int = THINK_NS,
        credited_ns: int = 0,
    ) -> Reply:
        """Let an agent reveal; what is not said is what the referee asks for."""
        asked = self.match.fold.position.chance_round if number is None else number
        value = self.chains[seat][asked] if x is None else x
        self.now += think_ns + credited_ns
        reply = acting.reveal(self.match, seat, asked, value, self.now, credited_ns)
        self.settle()
        return reply

    def give_up(self, seat: int, *, think_ns: int = THINK_NS) -> Reply:
        """Let an agent give the match up."""
        self.now += think_ns
        reply = acting.give_up(self.match, seat, self.now, 0)
        self.settle()
        return reply

    # What time and people do ---------------------------------------------------------------

    def tick(self, at_ns: int | None = None, *, credited_ns: int = 0) -> None:
        """Let the clocks fall that have run out, now or at that time."""
        self.now = self.now if at_ns is None else at_ns
        self.match.tick(self.now, credited_ns)
        self.settle()

    def flag_ns(self, seat: int) -> int:
        """Return the last instant at which an answer of this seat is in time."""
        sent, allowance = self.match.sent_ns, self.match.allowance_ns(seat)
        assert sent is not None
        assert allowance is not None
        return sent + allowance

    def do(self, act: Callable[[LiveMatch], object]) -> "Table":
        """Do something to the match itself, as its host would."""
        act(self.match)
        self.settle()
        return self

    @property
    def actor(self) -> int:
        """The seat to move."""
        return self.match.fold.position.actor

    # Whole games ---------------------------------------------------------------------------

    def step(self) -> None:
        """Let agents answer the open question."""
        question = self.match.question()
        assert question is not None
        if question.is_turn:
            self.answer()
        else:
            self.reveal(question.seats[0])

    def play(self, until: Callable[["Table"], bool] = lambda _: False) -> "Table":
        """Play on to the end, or until something is so."""
        for _ in range(MAX_STEPS):
            if self.match.over or until(self):
                return self
            self.step()
        raise AssertionError("the match does not end")

    # After the end -------------------------------------------------------------------------

    def records(self, *kinds: str) -> list[Any]:
        """Return all records of these kinds, without their wrapping."""
        return [
            getattr(record, kind)
            for frame in self.frames
            for record in frame
            if (kind := record.WhichOneof("kind")) in kinds
        ]

    def kinds(self, frame: int = -1) -> list[str | None]:
        """Return the kinds of the records of a frame."""
        return [record.WhichOneof("kind") for record in self.frames[frame]]

    def sign(self) -> Report:
        """Sign the file as its host would, and verify the whole of it."""
        assert self.match.over
        chain = self.chain
        signature = KEY.sign(self.match_id, chain.index, chain.link)
        self.do(lambda match: match.sign(KEY.public, signature))
        assert self.told == [record for frame in self.frames for record in frame]
        return verify(reader.read(self.data()), KEY.public)

    def finish(self) -> Result | None:
        """Sign and verify: every level is right, and the result is the one that was told."""
        report = self.sign()
        assert report.verdict is Verdict.OK, report.finding
        assert report.levels == dict.fromkeys(Level, Status.OK)
        told = self.records("game_over")
        assert report.result == (decode_result(told[0]) if told else None)
        return report.result


def ended(table: Table) -> tuple[str, list[int], list[str | None]]:
    """Finish a match; return why it ended, the ranks, and why seats are out."""
    result = table.finish()
    assert result is not None
    outs = [None if seat.out is None else reason_name(seat.out) for seat in result.seats]
    return reason_name(result.reason), [seat.rank for seat in result.seats], outs


def rejection(reply: Reply) -> Rejection:
    """Return the reply, which must be a rejection."""
    assert isinstance(reply, Rejection)
    return reply
