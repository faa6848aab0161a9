"""One seat in one match: what it was told, what it has answered, what it owes.

A seat outlives streams. It is told when one carries it and when that one is lost, and answers
the same question the same way on the next one. It reads no socket: messages come in through
`receive` and go out through the function that `attach` was given.
"""

import asyncio
import logging
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from azul_agent.errors import SeatDetached, SeatError, SeatRefused
from azul_agent.proof import Witness
from azul_agent.result import Result, reason_word
from azul_agent.shares import OutOfOrder, Shares
from azul_agent.turns import BadChoice, Caller, Rejection, Turn
from referee.v1.event_pb2 import Event
from referee.v1.play_pb2 import (
    REFUSE_REASON_MATCH_ENDED,
    AgentMessage,
    Answer,
    AnswerRejected,
    CommitShare,
    GiveUp,
    Join,
    MatchClosed,
    MatchOver,
    RefereeMessage,
    Refused,
    RevealRequest,
    RevealShare,
    SeatTaken,
    YourTurn,
)
from referee.v1.record_pb2 import Record
from referee.v1.setup_pb2 import Setup

log = logging.getLogger("azul_agent")

Send = Callable[[AgentMessage], None]
# More than that of a bot's notes is cut off: a frame has a limit, and the move must fit, too.
DEBUG_BYTES = 4096


@dataclass(frozen=True, slots=True)
class SeatOptions:
    """Holds what all seats of an agent have in common."""

    caller: Caller
    secret: bytes | None
    list_moves: bool = True
    evidence: Path | None = None


@dataclass(slots=True)
class _Asked:
    """Holds one question and, once there is one, the answer to it."""

    turn: int
    attempt: int
    action: bytes | None = None
    debug: str = ""


class Seat:
    """Plays one seat; `result` is done when the match is closed."""

    def __init__(self, token: str, options: SeatOptions) -> None:
        self.token = token
        self.result: asyncio.Future[Result] = asyncio.get_running_loop().create_future()
        self._options = options
        self._handle = 0
        self._send: Send | None = None
        self._next_event = 0
        self._witness: Witness | None = None
        self._ruleset = ""
        self._player_seed = b""
        self._shares: Shares | None = None
        self._reveal_asked: int | None = None
        # The question that waits on this very stream, and the last one that the bot was asked.
        self._open: tuple[int, int] | None = None
        self._asked: _Asked | None = None
        self._rejected: tuple[int, int, Rejection] | None = None
        self._error: Exception | None = None
        self._over: MatchOver | None = None

    def __str__(self) -> str:
        witness = self._witness
        return f"match {witness.match_id.hex()} seat {witness.seat}" if witness else "a new seat"

    # The stream -------------------------------------------------------------------------

    def attach(self, handle: int, send: Send) -> None:
        """Join over a stream, under a handle of that stream."""
        self._handle, self._send, self._open = handle, send, None
        join = Join(
            handle=handle,
            seat_token=self.token,
            list_moves=self._options.list_moves,
            # A turn shows the whole table, so the moves in between are not needed.
            skip_moves=True,
            # From 0 at first: after a restart of the agent the record tells what it revealed.
            resume_from=self._next_event,
        )
        send(AgentMessage(join=join))

    def lost(self) -> None:
        """Note that the stream is lost: nothing is said until the next one carries the seat."""
        self._send, self._open, self._reveal_asked = None, None, None

    def fail(self, error: Exception) -> None:
        """End with an error."""
        if not self.result.done():
            self.result.set_exception(error)

    def receive(self, message: RefereeMessage) -> None:
        """Take one message about this match."""
        match message.WhichOneof("kind"):
            case "seat_taken":
                self._on_taken(message.seat_taken)
            case "event":
                self._on_event(message.event.event)
            case "your_turn":
                self._on_turn(message.your_turn)
            case "rejected":
                self._on_rejected(message.rejected)
            case "reveal_request":
                self._on_reveal_request(message.reveal_request)
            case "match_over":
                self._over = MatchOver()
                self._over.CopyFrom(message.match_over)
            case "match_closed":
                self._on_closed(message.match_closed)
            case "detached":
                self.fail(SeatDetached(f"{self}: a newer stream took the seat over"))
            case "refused":
                self._on_refused(message.refused)

    def _say(self, message: AgentMessage) -> None:
        if self._send is not None:
            self._send(message)

    # Joining ----------------------------------------------------------------------------

    def _on_taken(self, taken: SeatTaken) -> None:
        if self._witness is None:
            self._begin(taken)
        witness = self._witness
        assert witness is not None
        told = (taken.match_id, taken.seat, taken.setup, taken.server_commit)
        if told != (witness.match_id, witness.seat, witness.setup, witness.server_commit):
            witness.note("the match was described differently when the seat was taken up again")
        if taken.commit_wanted:
            commit = CommitShare(handle=self._handle, x0=witness.x0)
            self._say(AgentMessage(commit=commit))

    def _begin(self, taken: SeatTaken) -> None:
        setup = Setup.FromString(taken.setup)
        self._ruleset = setup.ruleset
        self._player_seed = taken.player_seed
        secret = self._options.secret
        if secret is not None:
            self._shares = Shares(secret, taken.match_id, taken.seat, taken.server_commit)
        self._witness = Witness(
            match_id=taken.match_id,
            seat=taken.seat,
            setup=taken.setup,
            server_commit=taken.server_commit,
            public_key=setup.public_key,
            x0=self._shares.x0 if self._shares else None,
        )
        log.info("%s: joined, waiting for the match to begin", self)
        self._keep()

    def _keep(self) -> None:
        if self._options.evidence is not None and self._witness is not None:
            self._witness.save(self._options.evidence)

    def _on_refused(self, refused: Refused) -> None:
        log.warning("%s: refused: %s", self, refused.message)

    def refuse_seat(self, refused: Refused) -> None:
        """End because the seat cannot be taken, or not again."""
        if refused.reason == REFUSE_REASON_MATCH_ENDED and self._witness is not None:
            log.warning("%s: the match ended while the agent was away", self)
            self._finish(None)
        else:
            self.fail(SeatRefused(refused.reason, refused.message or "the seat is refused"))

    # Events and shares ------------------------------------------------------------------

    def _on_event(self, event: Event) -> None:
        witness = self._witness
        if witness is None:
            raise SeatError("an event came before the seat was taken")
        self._next_event = max(self._next_event, event.index + 1)
        if event.link:
            witness.note_link(event.frame, event.link)
        record, shares = event.record, self._shares
        self._tell(record, witness.seat)
        match record.WhichOneof("kind"):
            case "round_scored" if shares:
                shares.note_scored(record.round_scored.round)
                self._reveal()
            case "agent_commit" if shares and record.agent_commit.seat == witness.seat:
                commit = record.agent_commit
                x0 = commit.x0 if commit.HasField("x0") else None
                if not shares.note_commit(x0) and x0 is not None:
                    witness.note("the record holds a commitment of this seat that is not ours")
            case "reveal" if shares and record.reveal.seat == witness.seat:
                if not shares.note_reveal(record.reveal.round, record.reveal.x):
                    witness.note("the record holds a reveal of this seat that is not ours")
            case "rejected" if record.rejected.seat == witness.seat:
                told = record.rejected
                known = self._rejected
                if known is None or known[:2] != (told.turn, told.attempt):
                    self._rejected = (told.turn, told.attempt, Rejection(told.reason))

    def _tell(self, record: Record, own_seat: int) -> None:
        """Say what whoever waits for this match wants to know."""
        if record.HasField("started"):
            log.info("%s: the match begins", self)
        elif record.HasField("seat_out"):
            out = record.seat_out
            who = "this seat" if out.seat == own_seat else f"seat {out.seat}"
            log.info("%s: %s is out: %s", self, who, reason_word(out.reason).lower())

    def _on_reveal_request(self, request: RevealRequest) -> None:
        self._reveal_asked = request.round
        self._reveal()

    def _reveal(self) -> None:
        """Reveal what is asked for, or stay silent: it is tried again when a round is scored."""
        if self._reveal_asked is None or self._shares is None:
            return
        number = self._reveal_asked
        try:
            x = self._shares.reveal(number)
        except OutOfOrder as error:
            log.warning("%s: no share is revealed: %s", self, error)
            return
        self._reveal_asked = None
        share = RevealShare(handle=self._handle, round=number, x=x)
        self._say(AgentMessage(reveal=share))

    # Turns ------------------------------------------------------------------------------

    def _on_rejected(self, told: AnswerRejected) -> None:
        rejection = Rejection(told.reason, told.message, told.rule)
        self._rejected = (told.turn, told.attempt, rejection)
        log.info("%s: turn %d: %s: %s", self, told.turn, rejection.name, told.message)

    def _on_turn(self, question: YourTurn) -> None:
        witness = self._witness
        if witness is None:
            raise SeatError("a turn came before the seat was taken")
        self._open = (question.turn, question.attempt)
        if self._error is not None:
            self._give_up()
            return
        asked = self._asked
        if asked is not None and (asked.turn, asked.attempt) == self._open:
            # Asked before: the answer stands, or the bot still thinks about it.
            if asked.action is not None:
                self._answer(asked)
            return
        asked = self._asked = _Asked(question.turn, question.attempt)
        rejected = self._rejected
        turn = Turn(
            match_id=witness.match_id,
            seat=witness.seat,
            turn=question.turn,
            attempt=question.attempt,
            ruleset=self._ruleset,
            position=question.position,
            legal_moves=list(question.legal_moves),
            time_left_ns=question.time_left_ns if question.HasField("time_left_ns") else None,
            bank_ns=question.bank_ns if question.HasField("bank_ns") else None,
            last_answer_ns=question.last_answer_ns,
            strikes_left=question.strikes_left,
            player_seed=self._player_seed,
            rejected=rejected[2]
            if rejected and rejected[:2] == (question.turn, question.attempt - 1)
            else None,
        )
        self._options.caller.ask(turn, lambda answer: self._on_answer(asked, turn, answer))

    def _on_answer(self, asked: _Asked, turn: Turn, answer: bytes | Exception) -> None:
        if asked is not self._asked or self.result.done():
            return
        if isinstance(answer, Exception):
            if isinstance(answer, BadChoice):
                log.error("%s: %s; the match is given up", self, answer)
            else:
                log.error("%s: the bot raised, the match is given up", self, exc_info=answer)
            self._error = answer
        else:
            asked.action = answer
            notes = "\n".join(turn.notes).encode("utf-8", "replace")[:DEBUG_BYTES]
            asked.debug = notes.decode("utf-8", "ignore")
        # After a loss of the stream the question comes again, and then the answer goes out.
        if self._open != (asked.turn, asked.attempt):
            return
        if self._error is not None:
            self._give_up()
        else:
            self._answer(asked)

    def _answer(self, asked: _Asked) -> None:
        answer = Answer(
            handle=self._handle,
            turn=asked.turn,
            attempt=asked.attempt,
            action=asked.action or b"",
            debug=asked.debug,
        )
        self._say(AgentMessage(answer=answer))

    def _give_up(self) -> None:
        self._say(AgentMessage(give_up=GiveUp(handle=self._handle)))

    # The end ----------------------------------------------------------------------------

    def _on_closed(self, closed: MatchClosed) -> None:
        kept = MatchClosed()
        kept.CopyFrom(closed)
        if self._witness is None:
            raise SeatError("the match was closed before the seat was taken")
        self._witness.close(kept)
        for problem in self._witness.problems:
            log.error("%s: %s", self, problem)
        self._finish(kept)

    def _finish(self, closed: MatchClosed | None) -> None:
        witness = self._witness
        assert witness is not None
        self._keep()
        if self.result.done():
            return
        result = Result(
            match_id=witness.match_id,
            seat=witness.seat,
            ruleset=self._ruleset,
            over=self._over,
            closed=closed,
            problems=tuple(witness.problems),
            error=self._error,
        )
        self.result.set_result(result)
