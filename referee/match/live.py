"""One match between agents, as a pure state machine: events in, records and replies out.

A `LiveMatch` keeps nothing that a record tells: it is a fold over its own records, and each
decision is a step, a list of records that the fold has accepted. So a match that is resumed
from its file is the same match, and what it decides is what a verifier has agreed to.

Time is passed in, in nanoseconds of the running epoch. `credited` is what of the time since
the open question the referee itself did not run. Nothing here reads a clock, waits, writes
or sends: the host takes the step, makes it durable, and then tells whom it concerns.
"""

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

from referee.draws import fixed_player_seed, player_seed, server_commit, setup_hash
from referee.match.replies import Rejection, Repeat
from referee.rules import Position
from referee.transcript import answers
from referee.transcript.digest import digest
from referee.transcript.fold import Fold, Stage
from referee.transcript.fold.proof import DrawProof
from referee.transcript.limits import MAX_DETAIL_BYTES
from referee.transcript.result import NO_SHOW, TIME, result
from referee.transcript.wire.game import encode_deal, encode_move
from referee.transcript.wire.results import encode_result
from referee.v1 import record_pb2 as pb

# Coming and going changes nothing, so a seat that flutters is not recorded for ever.
MAX_CONNECTION_RECORDS = 1_000


class EndStamp(NamedTuple):
    """What the record of the end carries for display and for order."""

    utc_s: int
    sequence: int


class Question(NamedTuple):
    """What the match waits for: the shares of a round from some seats, or a move from one.

    ``number`` is the round of the shares, or the turn of the move.
    """

    number: int
    seats: tuple[int, ...]
    is_turn: bool


class SelfCheckFailed(Exception):
    """The match contradicts its own record, which is a mistake of the referee."""


class Given(NamedTuple):
    """An answer that stands in the record, and what is said to whoever repeats it."""

    seat: int
    action: bytes
    reply: Repeat | Rejection


class LiveMatch:
    """A match that is being played.

    fold       the match as its records tell it, a spectator's table included
    connected  the seats whose agent is there
    sent_ns    since when the open question is open; None while it waits to be sent
    given      the answers so far by turn and attempt
    took_ns    how long the last answer of each seat took
    held_from  the first record that nobody may see yet: a share whose deal is not made
    """

    connected: list[bool]
    took_ns: list[int]

    def __init__(
        self, match_id: bytes, seed: bytes | None, end_stamp: Callable[[], EndStamp]
    ) -> None:
        self.fold = Fold(match_id, seed)
        self.seed = seed
        self.sent_ns: int | None = None
        self.given: dict[tuple[int, int], Given] = {}
        self.held_from: int | None = None
        self.dealer: DrawProof | None = None
        self._end_stamp = end_stamp
        self._step: list[pb.Record] = []
        self._connections = 0

    def take_up(self, frames: Sequence[Sequence[pb.Record]]) -> None:
        """Go through the frames that are there, from the set-up on, and be where they end.

        Raises `SelfCheckFailed` if they contradict each other or the seed; then all that is
        left to do with the match is to void it.
        """
        fold = self.fold
        for records in frames:
            for record in records:
                fold.apply(record)
                self._remember(record)
            fold.end_frame()
        self.connected = [False] * fold.setup.seats
        self.took_ns = [0] * fold.setup.seats
        self._deal_ourselves()
        if self.seed is not None and fold.commit and not fold.commitment_opens:
            # It is as good as lost, and must not be shown as if it were the one.
            self.seed = None
            raise SelfCheckFailed("the seed does not open the commitment")
        self._check_self()

    def open(self) -> None:
        """Bind the referee to its seed; from then on seats may be taken."""
        assert self.seed is not None
        fold = self.fold
        commit = server_commit(fold.match_id, setup_hash(fold.setup.data), self.seed)
        self.add(server_commit=pb.ServerCommit(commit=commit))

    # What others ask ---------------------------------------------------------------------------

    @property
    def over(self) -> bool:
        """Whether the match has ended, signed or not."""
        return self.fold.stage in (Stage.CLOSED, Stage.SIGNED)

    @property
    def records(self) -> int:
        """How many records there are, those of the step included."""
        return self.fold.record + 1

    def table(self) -> Position:
        """Return the table with all that is hidden; only for views of it."""
        table = None if self.dealer is None else self.dealer.table
        return self.fold.position if table is None else table

    def view(self, seat: int | None) -> Position:
        """Return what a seat may know; where nothing is hidden, the table itself."""
        return self.table().view(seat) if self.fold.hides else self.fold.position

    def player_seed(self, seat: int) -> bytes:
        """Return the private seed of a seat."""
        assert self.seed is not None
        if self.fold.setup.fixed_seed:
            return fixed_player_seed(self.seed, seat)
        return player_seed(self.seed, self.fold.match_id, seat)

    def question(self) -> Question | None:
        """Return what the match waits for, None before its start and after its end."""
        fold = self.fold
        if fold.stage is not Stage.PLAYING:
            return None
        actor = fold.position.actor
        if actor >= 0:
            return Question(fold.turn, (actor,), is_turn=True)
        number = fold.position.chance_round
        return Question(number, tuple(fold.missing_reveals()), is_turn=False)

    def strikes_left(self, seat: int) -> int:
        """Return how many more refused answers the seat can afford."""
        return max(0, self.fold.setup.strikes - self.fold.strikes[seat] - 1)

    def allowance_ns(self, seat: int) -> int | None:
        """Return how long the seat may take for an answer in all."""
        return self.fold.time.clocks[seat].allowance_ns()

    def time_left_ns(self, seat: int, now: int, credited: int) -> int | None:
        """Return how long the seat may still take, None if as long as it likes."""
        allowance = self.allowance_ns(seat)
        if allowance is None:
            return None
        used = 0 if self.sent_ns is None else now - self.sent_ns - credited
        return max(0, allowance - used)

    def next_flag_ns(self) -> int | None:
        """Return when the first clock runs out, not counting credits; None if none runs."""
        question = self.question()
        if question is None or self.sent_ns is None:
            return None
        times = [self.allowance_ns(seat) for seat in question.seats]
        return min((self.sent_ns + time for time in times if time is not None), default=None)

    # Steps -------------------------------------------------------------------------------------

    @property
    def has_step(self) -> bool:
        """Whether something was decided that is not taken yet."""
        return bool(self._step)

    def take_step(self) -> list[pb.Record]:
        """Return the records that were decided since the last call; they are one frame."""
        step, self._step = self._step, []
        if step:
            self.fold.end_frame()
            self._check_self()
        return step

    def _check_self(self) -> None:
        """Raise if the fold has found fault, but for what a match was voided for."""
        fold = self.fold
        if fold.faults and fold.ended_by != "voided":
            raise SelfCheckFailed(str(next(iter(fold.faults.values()))))

    def add(self, **kind: Any) -> None:  # noqa: ANN401  one message of the many
        """Decide a record: the fold takes it, or the referee has made a mistake."""
        self.decide(pb.Record(**kind))

    def decide(self, record: pb.Record) -> None:
        """Decide a record that is made already, as `add` does."""
        self.fold.apply(record)
        self._remember(record)
        self._step.append(record)

    def _remember(self, record: pb.Record) -> None:
        """Note what of a record is needed later; the fold has taken it."""
        fold = self.fold
        kind = record.WhichOneof("kind")
        if kind == "move":
            move = record.move
            # A move by the referee is the answer of nobody.
            if move.attempt:
                given = Given(move.seat, move.action, Repeat(fold.record))
                self.given[move.turn, move.attempt] = given
        elif kind == "rejected":
            refused = record.rejected
            given = Given(refused.seat, refused.action, self._rejection(refused))
            self.given[refused.turn, refused.attempt] = given
        elif kind == "reveal":
            if self.held_from is None:
                self.held_from = fold.record
        elif kind in ("deal", "game_over", "voided", "aborted"):
            # After the end all is told: the seed is, too.
            self.held_from = None
        elif kind in ("disconnect", "reconnect"):
            self._connections += 1

    def _rejection(self, refused: pb.Rejected) -> Rejection:
        """Return what is said to a refused answer, while the table is still as it was."""
        message = rule = ""
        try:
            answers.resolve(self.fold.position, refused.action)
        except answers.Refused as error:
            message, rule = error.message, error.rule
        left = self.strikes_left(refused.seat)
        return Rejection(refused.turn, refused.attempt, refused.reason, message, rule, left)

    def asked(self, now: int) -> None:
        """Note that the open question was handed to the transport."""
        if self.sent_ns is None:
            self.sent_ns = now

    def was_asked(self, now: int) -> bool:
        """Return whether the open question had been sent when a message was read.

        A message may be read while the record before the question is made durable, and be
        taken up behind it: then it answers what its agent cannot know yet.
        """
        return self.sent_ns is not None and self.sent_ns <= now

    def next_question(self) -> None:
        """Note that an answer closed the question: the next one is yet to be sent."""
        self.sent_ns = None

    def follow(self) -> None:
        """Decide everything that must follow directly."""
        fold = self.fold
        while fold.due:
            due = fold.due[0]
            if due == "round_scored":
                self._score_round()
            elif due == "deal":
                self._deal()
            elif due == "move":
                self._play_frozen()
            elif due == "game_over":
                stamp = self._end_stamp()
                over = encode_result(result(fold.position, fold.outs), *stamp)
                self.add(game_over=over)
            elif due == "seed_reveal":
                self._reveal_seed()
            else:
                assert due == "seat_out"
                assert fold.out_due is not None
                seat, reason = fold.out_due
                self.add(seat_out=pb.SeatOut(seat=seat, reason=reason))  # type: ignore[arg-type]

    def _score_round(self) -> None:
        position = self.fold.position
        scored = pb.RoundScored(
            round=position.round, scores=position.scores, digest=digest(position)
        )
        self.add(round_scored=scored)

    def _deal(self) -> None:
        fold = self.fold
        number = fold.position.chance_round
        assert self.dealer is not None
        shares = [x if live else None for x, live in zip(fold.shares, fold.live, strict=True)]
        deal = self.dealer.draw(fold.position, number, shares)
        self.add(deal=pb.DealRecord(round=number, deal=encode_deal(deal)))
        self.next_question()

    def _play_frozen(self) -> None:
        """Play for a seat that is out."""
        fold = self.fold
        move = answers.frozen_move(fold.position)
        seat = fold.position.actor
        self.add(move=pb.MoveRecord(seat=seat, turn=fold.turn, move=encode_move(move)))
        if fold.hides and self.dealer is not None:
            self.dealer.play(move)

    def _reveal_seed(self) -> None:
        self.sent_ns = None
        if self.seed is None:
            self.add(secret_lost=pb.SecretLost())
        else:
            self.add(seed_reveal=pb.SeedReveal(seed=self.seed))

    def _deal_ourselves(self) -> None:
        """Take over what re-draws the deals: it stands where the next one is to be drawn.

        The fold does not prove what we deal: it would draw a second time from the same streams.
        """
        self.dealer, self.fold.proof = self.fold.proof, None

    # Beginning ---------------------------------------------------------------------------------

    def begin(self) -> None:
        """Start to play, once every seat has come and committed, or is out."""
        fold = self.fold
        for seat, live in enumerate(fold.live):
            if live and (fold.joined[seat] is None or not self._has_committed(seat)):
                return
        if fold.live.count(True) < 2:
            return
        self.add(started=pb.Started())
        self._deal_ourselves()
        self.follow()

    def _has_committed(self, seat: int) -> bool:
        return self.fold.setup.fixed_seed or self.fold.committed[seat]

    # Time --------------------------------------------------------------------------------------

    def close_lobby(self) -> None:
        """End the time to come: who is absent is out, who is silent has no share."""
        fold = self.fold
        if fold.stage is not Stage.OPEN:
            return
        absent = [seat for seat, joined in enumerate(fold.joined) if joined is None]
        for seat in absent:
            self.add(seat_out=pb.SeatOut(seat=seat, reason=NO_SHOW))
        if fold.live.count(True) < 2:
            self.follow()
            return
        for seat, live in enumerate(fold.live):
            if live and not self._has_committed(seat):
                self.add(agent_commit=pb.AgentCommit(seat=seat))
        self.begin()

    def tick(self, now: int, credited: int) -> None:
        """Let the clocks fall that have run out by now, the earliest first."""
        question = self.question()
        sent = self.sent_ns
        if question is None or sent is None:
            return
        flags = []
        for seat in question.seats:
            allowance = self.allowance_ns(seat)
            if allowance is not None and now > sent + credited + allowance:
                flags.append((sent + credited + allowance, seat))
        if not flags:
            return
        # All at the earliest instant are at once; the others fall after what that has caused.
        first = min(flags)[0]
        for flag, seat in flags:
            if flag == first:
                out = pb.SeatOut(
                    seat=seat, reason=TIME, sent_ns=sent, credited_ns=credited, flag_ns=flag
                )
                self.add(seat_out=out)
        if question.is_turn:
            self.next_question()
        self.follow()

    def is_late(self, seat: int, now: int, credited: int) -> bool:
        """Return whether the time of a seat had run out when its answer arrived."""
        allowance = self.allowance_ns(seat)
        assert self.sent_ns is not None
        return allowance is not None and now - self.sent_ns - credited > allowance

    # Coming and going --------------------------------------------------------------------------

    def disconnect(self, seat: int, now: int) -> None:
        """Note that the agent of a seat has gone, which changes nothing else."""
        if self.connected[seat]:
            self.connected[seat] = False
            if self._may_record_connection():
                self.add(disconnect=pb.Disconnect(seat=seat, at_ns=now))

    def reconnect(self, seat: int, now: int) -> None:
        """Note that the agent of a seat that had joined is back."""
        self.connected[seat] = True
        if self._may_record_connection():
            self.add(reconnect=pb.Reconnect(seat=seat, at_ns=now))

    def _may_record_connection(self) -> bool:
        return not self.over and self._connections < MAX_CONNECTION_RECORDS

    # The referee itself ------------------------------------------------------------------------

    def restart(self) -> None:
        """Begin another epoch: the referee was away, and nobody is charged for it."""
        self.add(restart=pb.Restart(epoch=self.fold.epoch + 1))
        self.connected = [False] * len(self.connected)
        self.sent_ns = None

    def void(self, detail: str) -> None:
        """End a match that the referee cannot go on with."""
        self.add(voided=pb.MatchVoid(**self._end_of(detail)))
        self._reveal_seed()

    def abort(self, detail: str) -> None:
        """End a match as the organiser wants it."""
        self.add(aborted=pb.MatchAborted(**self._end_of(detail)))
        self._reveal_seed()

    def _end_of(self, detail: str) -> dict[str, Any]:
        """Return the fields of an end without a result, with as much detail as it can hold."""
        stamp = self._end_stamp()
        # Ending a match must not fail over words: they may be those of any error.
        cut = detail.encode(errors="replace")[:MAX_DETAIL_BYTES].decode(errors="ignore")
        return {"detail": cut, "ended_utc_s": stamp.utc_s, "sequence": stamp.sequence}

    def sign(self, public_key: bytes, signature: bytes) -> None:
        """Close the record; what is signed is the link before this step."""
        self.add(signature=pb.Signature(public_key=public_key, signature=signature))
