"""A match as its records tell it: one fold, for verifying, replaying and resuming.

`apply` takes the records one by one and raises `WrongRecord` at the first that breaks the
order of records or the rules of the game; nothing after it can be trusted. What does not
stop a match from being understood (a wrong result, tile or time) is noted in `faults`, the
first of each level, and the fold goes on. docs/transcript.md says what follows what.

The position is the one a spectator sees. With the seed, `proof` re-draws every deal too.
"""

from collections.abc import Callable
from enum import Enum
from typing import Any, NoReturn

from referee.draws import HASH_BYTES, chain_step
from referee.rules import CHANCE, OVER, InvalidDeal, Move, Position, RulesError
from referee.transcript import answers, limits
from referee.transcript import result as results
from referee.transcript.digest import digest
from referee.transcript.errors import WireError
from referee.transcript.finding import Finding, Level, WrongRecord
from referee.transcript.proof import DrawProof, Fairness, opens
from referee.transcript.result import Out, Result
from referee.transcript.timekeeping import Timekeeper
from referee.transcript.wire.game import decode_deal, decode_move, encode_move
from referee.transcript.wire.results import decode_result
from referee.transcript.wire.setup import Setup, decode_setup
from referee.v1 import record_pb2 as pb
from referee.v1.reason_pb2 import EndReason

NO_SHOW = EndReason.END_REASON_NO_SHOW
ILLEGAL_MOVE = EndReason.END_REASON_ILLEGAL_MOVE
PROTOCOL = EndReason.END_REASON_PROTOCOL
RESIGN = EndReason.END_REASON_RESIGN
ENTROPY = EndReason.END_REASON_ENTROPY
TIME = EndReason.END_REASON_TIME


class Stage(Enum):
    """How far a match is."""

    NOTHING = "before its set-up"
    CREATED = "before its commitment"
    OPEN = "before its start"
    PLAYING = "in play"
    ENDED = "before its seed is shown"
    CLOSED = "before its signature"
    SIGNED = "signed"


class Fold:
    """The state of a match after the records applied so far.

    due       kinds of which one must follow directly, in this frame; empty if none must
    live      the seats that are not out
    outs      who went out, in order, those at once together
    chain     the last value that each seat showed: x_0, then what it revealed
    shares    what each seat revealed for the round to be dealt, or that was dealt last
    """

    def __init__(self, match_id: bytes, seed: bytes | None = None) -> None:
        self.match_id = match_id
        self.seed = seed
        self.stage = Stage.NOTHING
        self.due: tuple[str, ...] = ()
        self.faults: dict[Level, Finding] = {}
        self.frame = 0
        self.record = -1
        self.epoch = 1
        self.turn = 1
        self.attempt = 1
        self.outs: list[Out] = []
        self.result: Result | None = None
        self.ended_by = ""
        self.commit = b""
        self.proof: DrawProof | None = None
        self.commitment_opens: bool | None = None
        self._out_due: tuple[int, int] | None = None
        self._out_frame = -1
        self._out_flag: int | None = None
        self._in_frame = 0
        self._apply: dict[str, Callable[[Any], None]] = {
            "setup": self._take_setup,
            "server_commit": self._take_server_commit,
            "joined": self._take_joined,
            "agent_commit": self._take_agent_commit,
            "started": self._take_started,
            "reveal": self._take_reveal,
            "deal": self._take_deal,
            "move": self._take_move,
            "rejected": self._take_rejected,
            "seat_out": self._take_seat_out,
            "resign": self._take_resign,
            "disconnect": self._take_connection,
            "reconnect": self._take_connection,
            "restart": self._take_restart,
            "round_scored": self._take_round_scored,
            "game_over": self._take_game_over,
            "seed_reveal": self._take_seed_reveal,
            "secret_lost": self._take_secret_lost,
            "voided": self._take_void,
            "aborted": self._take_void,
            "signature": self._take_signature,
        }

    # Known from the set-up on.
    setup: Setup
    position: Position
    live: list[bool]
    joined: list[pb.Joined | None]
    committed: list[bool]
    commits: list[bytes | None]
    chain: list[bytes | None]
    shares: list[bytes | None]
    strikes: list[int]
    time: Timekeeper
    fairness: Fairness

    # Going through the records -----------------------------------------------------------

    def apply(self, record: pb.Record) -> None:
        """Take the next record of the frame, or raise `WrongRecord`."""
        self.record += 1
        kind = record.WhichOneof("kind")
        if kind is None:
            raise WrongRecord("a record of a known kind", "one of another kind, or an empty one")
        if self.due and kind not in self.due:
            raise WrongRecord(" or ".join(self.due), kind)
        self._apply[kind](getattr(record, kind))
        self._in_frame += 1

    def end_frame(self) -> None:
        """Close a frame: what had to follow directly must stand in it."""
        if self.due:
            self.record += 1
            raise WrongRecord(" or ".join(self.due), "the end of the frame")
        self.frame += 1
        self._in_frame = 0

    def fault(self, level: Level, expected: str, found: str, rule: str = "") -> None:
        """Note the first thing that is wrong on a level that does not stop the fold."""
        if level not in self.faults:
            self.faults[level] = Finding(level, self.frame, self.record, expected, found, rule)

    def _misplaced(self, kind: str) -> NoReturn:
        raise WrongRecord(self._awaited(), kind)

    def _awaited(self) -> str:
        match self.stage:
            case Stage.PLAYING:
                actor = self.position.actor
                if actor == CHANCE:
                    seats = [str(seat) for seat in self.missing_reveals()]
                    return f"a reveal of seat {' or '.join(seats)}"
                return f"an answer of seat {actor}"
            case stage:
                return f"what belongs to a match {stage.value}"

    def _need_stage(self, kind: str, *stages: Stage) -> None:
        if self.stage not in stages:
            self._misplaced(kind)

    def _need_seat(self, message: Any) -> int:  # noqa: ANN401  any record with a seat
        if not message.HasField("seat") or message.seat >= len(self.live):
            found = str(message.seat) if message.HasField("seat") else "none"
            raise WrongRecord(f"a seat from 0 to {len(self.live) - 1}", f"seat {found}")
        seat: int = message.seat
        return seat

    def _need_live(self, message: Any) -> int:  # noqa: ANN401  any record with a seat
        seat = self._need_seat(message)
        if not self.live[seat]:
            raise WrongRecord("a seat that is not out", f"seat {seat}")
        return seat

    # Before the start --------------------------------------------------------------------

    def _take_setup(self, data: bytes) -> None:
        self._need_stage("setup", Stage.NOTHING)
        try:
            self.setup = setup = decode_setup(data)
        except WireError as error:
            raise WrongRecord("a set-up that can be played", str(error)) from error
        seats = setup.seats
        position = setup.ruleset.initial(seats, setup.options)
        self.position = position.view(None) if setup.ruleset.hides else position
        self.live = [True] * seats
        self.joined = [None] * seats
        self.committed = [False] * seats
        self.commits = [None] * seats
        self.chain = [None] * seats
        self.shares = [None] * seats
        self.strikes = [0] * seats
        self.time = Timekeeper(setup.clock, seats)
        self.fairness = Fairness(setup.fixed_seed)
        self.stage = Stage.CREATED

    def _take_server_commit(self, message: pb.ServerCommit) -> None:
        self._need_stage("server_commit", Stage.CREATED)
        if self.frame != 1 or self._in_frame:
            raise WrongRecord("the set-up alone in frame 0, then a commitment", "another order")
        if len(message.commit) != HASH_BYTES:
            raise WrongRecord(f"{HASH_BYTES} bytes", f"{len(message.commit)}")
        self.commit = message.commit
        self.stage = Stage.OPEN
        if self.seed is not None:
            self.commitment_opens = opens(self.match_id, self.setup, self.commit, self.seed)

    def _take_joined(self, message: pb.Joined) -> None:
        self._need_stage("joined", Stage.OPEN)
        seat = self._need_live(message)
        if self.joined[seat] is not None:
            raise WrongRecord("a seat that is free", f"seat {seat}")
        for text in (message.name, message.kit):
            if len(text.encode()) > limits.MAX_NAME_BYTES:
                raise WrongRecord(f"at most {limits.MAX_NAME_BYTES} bytes of text", "more")
        self.joined[seat] = message

    def _take_agent_commit(self, message: pb.AgentCommit) -> None:
        self._need_stage("agent_commit", Stage.OPEN)
        seat = self._need_live(message)
        if self.setup.fixed_seed or self.joined[seat] is None or self.committed[seat]:
            raise WrongRecord("a commitment of each seat that joined, once", f"one of seat {seat}")
        if message.HasField("x0"):
            if len(message.x0) != HASH_BYTES:
                raise WrongRecord(f"{HASH_BYTES} bytes", f"{len(message.x0)}")
            self.commits[seat] = self.chain[seat] = message.x0
        self.committed[seat] = True

    def _take_started(self, _: pb.Started) -> None:
        self._need_stage("started", Stage.OPEN)
        for seat, live in enumerate(self.live):
            if live and self.joined[seat] is None:
                raise WrongRecord(f"seat {seat} joined or out", "a start without it")
            if live and not self.setup.fixed_seed and not self.committed[seat]:
                raise WrongRecord(f"a commitment of seat {seat}, or none", "a start without it")
        self.stage = Stage.PLAYING
        if self.commitment_opens and self.seed is not None:
            self.proof = DrawProof(self.match_id, self.setup, self.seed, self.commits)
        self._settle()

    # Chance ------------------------------------------------------------------------------

    def missing_reveals(self) -> list[int]:
        """Return the seats whose share of the round to be dealt is still to come."""
        position = self.position
        if position.chance_round == position.round:
            return []
        return [
            seat
            for seat, last in enumerate(self.chain)
            if last is not None and self.live[seat] and self.shares[seat] is None
        ]

    def _take_reveal(self, message: pb.Reveal) -> None:
        self._need_stage("reveal", Stage.PLAYING)
        seat = self._need_live(message)
        if self.position.actor != CHANCE or seat not in self.missing_reveals():
            self._misplaced(f"a reveal of seat {seat}")
        number = self.position.chance_round
        if message.round != number:
            raise WrongRecord(f"a reveal for round {number}", f"one for round {message.round}")
        if len(message.x) != HASH_BYTES or not message.HasField("timing"):
            raise WrongRecord(f"{HASH_BYTES} bytes and their times", "others")
        self._keep_time(self.time.reveal, seat, message.timing)
        step = chain_step(self.match_id, seat, self.commit, number, message.x)
        if step != self.chain[seat]:
            self._expect_out(seat, ENTROPY)
            return
        self.chain[seat] = self.shares[seat] = message.x
        self._settle()

    def _take_deal(self, message: pb.DealRecord) -> None:
        self._need_stage("deal", Stage.PLAYING)
        position = self.position
        if position.actor != CHANCE or self.missing_reveals():
            self._misplaced("deal")
        number = position.chance_round
        if message.round != number:
            raise WrongRecord(f"a deal of round {number}", f"one of round {message.round}")
        try:
            deal = decode_deal(message.deal)
            public = deal.view(None)
        except (WireError, RulesError) as error:
            raise WrongRecord("a deal", str(error)) from error
        if deal != public:
            raise WrongRecord("a deal without hidden facts", str(deal))
        is_round = number != position.round
        if is_round:
            self.fairness.rounds.append(self._seats_with_share())
        if self.proof is not None:
            shares = [x if self.live[seat] else None for seat, x in enumerate(self.shares)]
            drawn = self.proof.draw(position, number, shares)
            if drawn != deal:
                self.fault(Level.DRAWS, str(drawn), str(deal))
                self.proof = None
        try:
            position.deal(deal)
        except InvalidDeal as error:
            raise WrongRecord(
                error.expected, f"{error.part}: {error.message}", error.rule
            ) from error
        if is_round:
            self.time.deal()
            self.shares = [None] * len(self.shares)
        self._settle()

    def _seats_with_share(self) -> tuple[int, ...]:
        return tuple([s for s, x in enumerate(self.shares) if x is not None and self.live[s]])

    # Turns -------------------------------------------------------------------------------

    def _need_turn(self, kind: str, message: Any) -> int:  # noqa: ANN401
        """Return the seat to move, if the record is its answer to this very question."""
        actor = self.position.actor if self.stage is Stage.PLAYING else OVER
        if actor < 0:
            self._misplaced(kind)
        if not message.HasField("seat") or message.seat != actor:
            found = message.seat if message.HasField("seat") else "none"
            raise WrongRecord(f"an answer of seat {actor}", f"{kind} of seat {found}")
        if message.turn != self.turn:
            raise WrongRecord(f"turn {self.turn}", f"turn {message.turn}")
        attempt = self.attempt if self.live[actor] else 0
        if message.attempt != attempt:
            raise WrongRecord(f"attempt {attempt}", f"attempt {message.attempt}")
        return actor

    def _take_move(self, message: pb.MoveRecord) -> None:
        seat = self._need_turn("move", message)
        position = self.position
        if self.live[seat]:
            move = self._answered(message)
            if not message.HasField("timing"):
                raise WrongRecord("the times of an answer", "none")
            self._keep_time(self.time.move, seat, message.timing)
        else:
            move = self._frozen(message)
        before = position.round
        try:
            position.play(move)
        except RulesError as error:
            rule = getattr(error, "rule", "")
            raise WrongRecord("a legal move", f"{move}: {error}", rule) from error
        if self.proof is not None:
            self.proof.play(move)
        self.turn += 1
        self.attempt = 1
        self.due = ()
        actor = position.actor
        if actor >= 0 and self.live[actor]:
            return
        if actor == OVER or (actor == CHANCE and position.chance_round != before):
            self.due = ("round_scored",)
        else:
            self._settle()

    def _answered(self, message: pb.MoveRecord) -> Move:
        """Return the move that the recorded bytes mean, which must be the recorded move."""
        if len(message.action) > limits.MAX_ACTION_BYTES:
            raise WrongRecord(f"at most {limits.MAX_ACTION_BYTES} bytes of an answer", "more")
        try:
            move = answers.named_move(self.position, message.action)
        except answers.Refused as error:
            raise WrongRecord("an answer that is a move", error.message) from error
        if message.move != encode_move(move):
            self._compare_move(move, message)
        return move

    def _frozen(self, message: pb.MoveRecord) -> Move:
        """Return what the referee plays for a seat that is out."""
        move = answers.frozen_move(self.position)
        if message.action or message.HasField("timing"):
            raise WrongRecord("a move by the referee", "an answer of a seat that is out")
        self._compare_move(move, message)
        return move

    def _compare_move(self, move: Move, message: pb.MoveRecord) -> None:
        try:
            recorded = decode_move(message.move)
        except WireError as error:
            raise WrongRecord(f"move {move}", str(error)) from error
        if recorded != move:
            raise WrongRecord(f"move {move}", f"move {recorded}")

    def _take_rejected(self, message: pb.Rejected) -> None:
        seat = self._need_turn("rejected", message)
        if len(message.action) > limits.MAX_ACTION_BYTES:
            raise WrongRecord(f"at most {limits.MAX_ACTION_BYTES} bytes of an answer", "more")
        try:
            move = answers.resolve(self.position, message.action)
        except answers.Refused as refusal:
            reason, rule = refusal.reason, refusal.rule
        else:
            found = f"refused as {answers.reason_name(message.reason)}"
            raise WrongRecord(f"{move} accepted, which is legal", found)
        if message.reason != reason:
            expected, found = answers.reason_name(reason), answers.reason_name(message.reason)
            raise WrongRecord(f"refused as {expected}", f"refused as {found}", rule)
        self._keep_time(self.time.refuse, message.received_ns)
        self.attempt += 1
        self.strikes[seat] += 1
        if self.strikes[seat] == self.setup.strikes:
            self._expect_out(seat, PROTOCOL if reason == answers.UNPARSABLE else ILLEGAL_MOVE)

    def _take_resign(self, message: pb.Resign) -> None:
        self._need_stage("resign", Stage.PLAYING)
        seat = self._need_live(message)
        if seat != self.position.actor:
            self._misplaced(f"a resignation of seat {seat}")
        self._expect_out(seat, RESIGN)

    def _keep_time(self, check: Callable[..., None], *arguments: object) -> None:
        """Check times; a clock that was wrong once is not looked at again."""
        if Level.CLOCKS in self.faults:
            return
        try:
            check(*arguments)
        except WrongRecord as wrong:
            self.fault(Level.CLOCKS, wrong.expected, wrong.found)

    # Out ---------------------------------------------------------------------------------

    def _expect_out(self, seat: int, reason: int) -> None:
        self._out_due = (seat, reason)
        self.due = ("seat_out",)

    def _take_seat_out(self, message: pb.SeatOut) -> None:
        self._need_stage("seat_out", Stage.OPEN, Stage.PLAYING)
        seat = self._need_live(message)
        reason = message.reason
        due = self._out_due
        if due is not None:
            if (seat, reason) != due:
                expected = f"seat {due[0]} out by {results.reason_name(due[1])}"
                raise WrongRecord(expected, f"seat {seat} by {results.reason_name(reason)}")
        elif self.stage is Stage.OPEN:
            if reason != NO_SHOW or self.joined[seat] is not None:
                raise WrongRecord("a seat out that never joined", f"seat {seat}")
        elif reason != TIME or not self._is_asked(seat):
            name = results.reason_name(reason)
            raise WrongRecord("a seat whose time ran out", f"seat {seat} out by {name}")
        flag = message.flag_ns if message.HasField("flag_ns") else None
        at_once = self._goes_at_once(reason, flag)
        if self.live.count(True) < 2 and not at_once:
            raise WrongRecord("game_over", f"seat {seat} out")
        if reason == TIME:
            self._keep_time(self.time.flag, seat, message)
        self.live[seat] = False
        if at_once:
            last = self.outs.pop()
            self.outs.append(Out(last.reason, (*last.seats, seat)))
        else:
            self.outs.append(Out(reason, (seat,)))
        self._out_due = None
        self._out_frame, self._out_flag = self.frame, flag
        self._out_record = self.record
        self._settle()

    def _is_asked(self, seat: int) -> bool:
        """Return whether the clock of a seat runs, or ran until a record of this moment."""
        actor = self.position.actor
        return seat == actor or (actor == CHANCE and seat in self.missing_reveals())

    _out_record = -1

    def _goes_at_once(self, reason: int, flag: int | None) -> bool:
        if not self.outs or self._out_record != self.record - 1 or self._out_frame != self.frame:
            return False
        if self.outs[-1].reason != reason:
            return False
        return reason == NO_SHOW or (reason == TIME and flag == self._out_flag)

    # What must follow ----------------------------------------------------------------------

    def _settle(self) -> None:
        """Find what must follow directly, now that something has changed."""
        position = self.position
        self.due = ()
        if self.live.count(True) < 2:
            self.due = ("game_over", "seat_out")
        elif self.stage is not Stage.PLAYING:
            return
        elif position.actor == OVER:
            self.due = ("game_over",)
        elif position.actor == CHANCE:
            if not self.missing_reveals():
                self.due = ("deal",)
        elif not self.live[position.actor]:
            self.due = ("move",)

    def _take_round_scored(self, message: pb.RoundScored) -> None:
        if self.due != ("round_scored",):
            self._misplaced("round_scored")
        position = self.position
        if message.round != position.round:
            raise WrongRecord(f"round {position.round}", f"round {message.round}")
        scores = tuple(message.scores)
        if scores != position.scores:
            raise WrongRecord(f"scores {position.scores}", f"scores {scores}")
        own = digest(position)
        if message.digest != own:
            raise WrongRecord(f"digest {own.hex()}", f"digest {message.digest.hex()}")
        self._settle()

    def _take_connection(self, message: pb.Disconnect | pb.Reconnect) -> None:
        self._need_stage("a connection", Stage.OPEN, Stage.PLAYING)
        self._need_seat(message)

    def _take_restart(self, message: pb.Restart) -> None:
        self._need_stage("restart", Stage.OPEN, Stage.PLAYING)
        if message.epoch <= self.epoch:
            raise WrongRecord(f"an epoch after {self.epoch}", f"epoch {message.epoch}")
        self.epoch = message.epoch
        self.time.restart()

    # The end -----------------------------------------------------------------------------

    def _take_game_over(self, message: pb.GameOver) -> None:
        if "game_over" not in self.due:
            self._misplaced("game_over")
        self.result = results.result(self.position, self.outs)
        recorded = decode_result(message)
        if recorded != self.result:
            expected, found = results.difference(self.result, recorded)
            self.fault(Level.RESULT, expected, found, "1.6")
        self._end("game_over", "seed_reveal")

    def _take_void(self, message: pb.MatchVoid | pb.MatchAborted) -> None:
        self._need_stage("the end", Stage.OPEN, Stage.PLAYING)
        if len(message.detail.encode()) > limits.MAX_DETAIL_BYTES:
            raise WrongRecord(f"at most {limits.MAX_DETAIL_BYTES} bytes of detail", "more")
        if isinstance(message, pb.MatchVoid):
            self._end("voided", "seed_reveal", "secret_lost")
        else:
            self._end("aborted", "seed_reveal")

    def _end(self, kind: str, *due: str) -> None:
        self.ended_by = kind
        self.stage = Stage.ENDED
        self.due = due

    def _take_seed_reveal(self, message: pb.SeedReveal) -> None:
        self._need_stage("seed_reveal", Stage.ENDED)
        if len(message.seed) != HASH_BYTES:
            raise WrongRecord(f"{HASH_BYTES} bytes", f"{len(message.seed)}")
        if not opens(self.match_id, self.setup, self.commit, message.seed):
            self.fault(Level.DRAWS, "a seed that opens the commitment", "another seed")
        self._close()

    def _take_secret_lost(self, _: pb.SecretLost) -> None:
        self._need_stage("secret_lost", Stage.ENDED)
        self.fault(Level.DRAWS, "a seed", "none: it was lost, and the draws cannot be proved")
        self._close()

    def _close(self) -> None:
        self.due = ()
        self.stage = Stage.CLOSED

    def _take_signature(self, _: pb.Signature) -> None:
        self._need_stage("signature", Stage.CLOSED)
        if self._in_frame:
            raise WrongRecord("a signature in a frame of its own", "one among other records")
        self.stage = Stage.SIGNED
