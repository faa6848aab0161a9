"""Matches for tests, told act by act and recorded as the referee would.

A scene knows the rules and keeps all that must follow an act (deals, scores, moves for
seats that are out, the end), so that a test says only what its agents do.
"""

import hashlib
import random
from collections.abc import Sequence
from typing import Any

from referee.draws import (
    RoundStreams,
    agent_chain,
    fixed_match_key,
    match_key,
    round_key,
    server_commit,
    setup_hash,
)
from referee.match.recording import CLOCK, Recorder
from referee.rules import CHANCE, OVER, Move, Options, Position, get_ruleset
from referee.transcript import answers
from referee.transcript.clock import ClockRule, SeatClock
from referee.transcript.digest import digest
from referee.transcript.result import Out, end_reason, result
from referee.transcript.signing import SigningKey
from referee.transcript.wire.game import encode_deal, encode_move, index_action, move_action
from referee.transcript.wire.results import encode_result
from referee.transcript.wire.setup import encode_clock, encode_options
from referee.v1 import record_pb2 as pb
from referee.v1 import setup_pb2

KEY = SigningKey.from_seed(hashlib.sha256(b"the key of the tests").digest())
OTHER_KEY = SigningKey.from_seed(hashlib.sha256(b"another key").digest())
# 2026-01-01, so that files are the same whenever they are written.
UTC_S = 1_767_225_600
THINK_NS = 20_000_000
GAP_NS = 150_000


def bytes_of(*words: object, size: int = 32) -> bytes:
    """Return bytes that look random and are always the same."""
    return hashlib.sha256(" ".join(map(str, words)).encode()).digest()[:size]


class Scene:
    """One match, from its set-up on."""

    def __init__(
        self,
        ruleset: str = "azul",
        seats: int = 2,
        *,
        name: object = "scene",
        shares: Sequence[bool] | None = None,
        clock: ClockRule | None = CLOCK,
        strikes: int = 3,
        options: Options | None = None,
        **fields: Any,
    ) -> None:
        rules = get_ruleset(ruleset)
        chosen = options or Options()
        self.match_id = bytes_of("match", ruleset, seats, name, size=16)
        self.seed = bytes_of("seed", ruleset, seats, name)
        self.setup = setup_pb2.Setup(
            ruleset=ruleset,
            revision=rules.revision,
            options=encode_options(chosen),
            seats=[setup_pb2.Seat(agent=f"agent-{seat}") for seat in range(seats)],
            clock=encode_clock(clock),
            strikes=strikes,
            fixed_seed=shares is None,
            durability=setup_pb2.DURABILITY_SYNC,
            request_id="request",
            referee_version="0.1.0",
            public_key=KEY.public,
            created_utc_s=UTC_S,
            sequence=1,
        )
        self.setup.MergeFrom(setup_pb2.Setup(**fields))
        data = self.setup.SerializeToString()
        self.position: Position = rules.initial(seats, chosen)
        self.recorder = Recorder(self.match_id)
        self.random = random.Random(f"{name}").random
        self.live = [True] * seats
        self.outs: list[Out] = []
        self.clocks = [SeatClock(clock) for _ in range(seats)]
        self.strikes = [0] * seats
        self.turn = self.attempt = 1
        self.now = 1_000_000_000
        self.commit = server_commit(self.match_id, setup_hash(data), self.seed)
        self.wants = list(shares) if shares is not None else [False] * seats
        self.chains = [
            agent_chain(self.match_id, seat, self.commit, bytes_of("root", seat, name))
            for seat in range(seats)
        ]
        self.revealed: dict[int, bytes] = {}
        self.match_key = b""
        self.streams: RoundStreams | None = None
        self.over = False
        # A referee that cheats deals from another seed than the one it committed to.
        self.dealt_from: bytes | None = None
        self.add(setup=data)
        self.end_step()
        self.add(server_commit=pb.ServerCommit(commit=self.commit))
        self.end_step()

    # Writing -------------------------------------------------------------------------------

    def add(self, **kind: Any) -> None:
        """Add a record to the step."""
        self.recorder.add(**kind)

    def end_step(self) -> None:
        """End a frame."""
        self.recorder.end_step()

    def data(self) -> bytes:
        """Return what is written so far."""
        return self.recorder.data()

    # Before the start ----------------------------------------------------------------------

    def join(self, *seats: int, name: str = "") -> None:
        """Let seats join, and commit to their shares where shares are wanted."""
        for seat in seats:
            joined = pb.Joined(seat=seat, name=name or f"bot {seat}", kit="test", protocol=1)
            self.add(joined=joined)
            if not self.setup.fixed_seed:
                x0 = self.chains[seat][0] if self.wants[seat] else None
                self.add(agent_commit=pb.AgentCommit(seat=seat, x0=x0))
            self.end_step()

    def no_show(self, *seats: int) -> None:
        """Put seats out that never came."""
        for seat in seats:
            self.add(seat_out=pb.SeatOut(seat=seat, reason=end_reason("no_show")))
            self.live[seat] = False
        self.outs.append(Out(end_reason("no_show"), seats))
        if sum(self.live) < 2:
            self._end()
        else:
            self.end_step()

    def start(self) -> None:
        """Start the match; the first round is dealt once its shares are there."""
        if self.setup.fixed_seed:
            self.match_key = fixed_match_key(self.dealt_from or self.seed)
        else:
            hashed = setup_hash(self.setup.SerializeToString())
            x_0 = [
                self.chains[seat][0] if self.wants[seat] and self.live[seat] else None
                for seat in range(len(self.live))
            ]
            self.match_key = match_key(self.dealt_from or self.seed, self.match_id, hashed, x_0)
        self.add(started=pb.Started())
        self._settle()

    # Acts ----------------------------------------------------------------------------------

    def asked(self) -> list[int]:
        """Return the seats whose share of the next round is missing."""
        if self.position.actor != CHANCE or self.position.chance_round == self.position.round:
            return []
        return [
            seat
            for seat, live in enumerate(self.live)
            if live and self.wants[seat] and seat not in self.revealed
        ]

    def reveal(self, seat: int, x: bytes | None = None) -> None:
        """Let a seat reveal its share, or another value, which puts it out."""
        number = self.position.chance_round
        value = self.chains[seat][number] if x is None else x
        sent = self.now if not self.revealed else self._asked_ns
        self._asked_ns = sent
        timing = self.timing(seat, sent, THINK_NS, is_move=False)
        self.add(reveal=pb.Reveal(seat=seat, round=number, x=value, timing=timing))
        if x is not None:
            self.put_out(seat, "entropy")
            return
        self.revealed[seat] = value
        self._settle()

    _asked_ns = 0

    def reveal_all(self) -> None:
        """Let every seat that is asked reveal its share."""
        while self.asked():
            self.reveal(self.asked()[0])

    def move(
        self, move: Move | None = None, *, think_ns: int = THINK_NS, credited_ns: int = 0
    ) -> None:
        """Let the seat to move answer: with this move, or with any."""
        seat = self.position.actor
        moves = self.position.legal_moves()
        chosen = move or self._careful(moves)
        action = move_action(chosen) if seat % 2 else index_action(moves.index(chosen))
        timing = self.timing(seat, self.now, think_ns, is_move=True, credited_ns=credited_ns)
        record = pb.MoveRecord(
            seat=seat,
            turn=self.turn,
            attempt=self.attempt,
            action=action,
            move=encode_move(chosen),
            timing=timing,
        )
        self.add(move=record)
        self._play(chosen)
        self._settle()

    def _careful(self, moves: list[Move]) -> Move:
        """Choose like a player who lets little fall, so that walls are built."""
        chosen = [moves[int(self.random() * len(moves))] for _ in range(6)]
        seat = self.position.actor

        def value(move: Move) -> tuple[int, int]:
            after = self.position.copy()
            after.play(move)
            board: Any = after.boards[seat]  # type: ignore[attr-defined]
            fallen = board.floor_size if hasattr(board, "floor_size") else board.broken_count
            return after.scores[seat], -fallen

        return max(chosen, key=value)

    def reject(self, action: bytes) -> None:
        """Refuse an answer of the seat to move."""
        seat = self.position.actor
        try:
            answers.resolve(self.position, action)
        except answers.Refused as refused:
            reason = refused.reason
        else:
            raise AssertionError("the answer is a legal move")
        rejected = pb.Rejected(
            seat=seat,
            turn=self.turn,
            attempt=self.attempt,
            action=action,
            reason=reason,
            received_ns=self.now + THINK_NS // 2,
        )
        self.add(rejected=rejected)
        self.attempt += 1
        self.strikes[seat] += 1
        if self.strikes[seat] == self.setup.strikes:
            self.put_out(seat, "protocol" if reason == answers.UNPARSABLE else "illegal_move")
        else:
            self.end_step()

    def resign(self) -> None:
        """Let the seat to move resign."""
        seat = self.position.actor
        self.add(resign=pb.Resign(seat=seat, received_ns=self.now))
        self.put_out(seat, "resign")

    def flag(self, *seats: int) -> None:
        """Let the time of seats run out, all at the same instant."""
        for seat in seats:
            allowance = self.clocks[seat].allowance_ns()
            assert allowance is not None
            sent = self._asked_ns if self.revealed else self.now
            out = pb.SeatOut(
                seat=seat,
                reason=end_reason("time"),
                sent_ns=sent,
                credited_ns=0,
                flag_ns=sent + allowance,
            )
            self.add(seat_out=out)
            self.live[seat] = False
        self.outs.append(Out(end_reason("time"), seats))
        self._settle()

    def put_out(self, seat: int, reason: str) -> None:
        """Put a seat out."""
        self.add(seat_out=pb.SeatOut(seat=seat, reason=end_reason(reason)))
        self.live[seat] = False
        self.outs.append(Out(end_reason(reason), (seat,)))
        self._settle()

    def disconnect(self, seat: int) -> None:
        """Let an agent's stream end and come back."""
        self.add(disconnect=pb.Disconnect(seat=seat, at_ns=self.now))
        self.end_step()
        self.add(reconnect=pb.Reconnect(seat=seat, at_ns=self.now))
        self.end_step()

    def restart(self, epoch: int) -> None:
        """Let the referee start anew, with a clock that begins anew."""
        self.add(restart=pb.Restart(epoch=epoch))
        self.end_step()
        self.now = 5_000_000
        self._asked_ns = self.now

    def void(self, *, secret_lost: bool = False) -> None:
        """End the match as the operator's fault."""
        self.add(voided=pb.MatchVoid(detail="the disk is full", ended_utc_s=UTC_S, sequence=2))
        if secret_lost:
            self.add(secret_lost=pb.SecretLost())
        else:
            self.add(seed_reveal=pb.SeedReveal(seed=self.seed))
        self._sign()

    def abort(self) -> None:
        """End the match as the organiser wishes."""
        self.add(aborted=pb.MatchAborted(detail="rain", ended_utc_s=UTC_S, sequence=2))
        self.add(seed_reveal=pb.SeedReveal(seed=self.seed))
        self._sign()

    def play_on(self) -> bytes:
        """Let everybody answer until the match is over; return the transcript."""
        while not self.over:
            if self.asked():
                self.reveal_all()
            else:
                self.move()
        return self.data()

    def timing(
        self, seat: int, sent: int, elapsed: int, *, is_move: bool, credited_ns: int = 0
    ) -> pb.Timing:
        """Charge a seat for an answer."""
        clock = self.clocks[seat]
        charged = clock.answer(elapsed, is_move=is_move)
        received = sent + elapsed + credited_ns
        self.now = max(self.now, received + GAP_NS)
        return pb.Timing(
            sent_ns=sent,
            received_ns=received,
            credited_ns=credited_ns,
            charged_ns=charged,
            bank_after_ns=clock.bank_ns,
        )

    # What must follow ----------------------------------------------------------------------

    def _play(self, move: Move) -> None:
        position = self.position
        before = position.round
        position.play(move)
        self.turn += 1
        self.attempt = 1
        self._score(before)

    def _score(self, before: int) -> None:
        """Score the round that a move or a plate that was shown has ended."""
        position = self.position
        if position.actor == OVER or (position.actor == CHANCE and position.chance_round != before):
            scored = pb.RoundScored(
                round=position.round,
                scores=position.scores,
                digest=digest(position.view(None)),
            )
            self.add(round_scored=scored)

    def _settle(self) -> None:
        """Let happen what must follow directly, and end the step."""
        position = self.position
        while not self.over:
            if sum(self.live) < 2 or position.actor == OVER:
                self._end()
            elif position.actor == CHANCE:
                if self.asked():
                    self.end_step()
                    return
                self._deal()
            elif not self.live[position.actor]:
                move = answers.frozen_move(position)
                record = pb.MoveRecord(seat=position.actor, turn=self.turn, move=encode_move(move))
                self.add(move=record)
                self._play(move)
            else:
                self.end_step()
                return

    def _deal(self) -> None:
        position = self.position
        number, before = position.chance_round, position.round
        if number != before:
            shares = [
                self.revealed.get(seat) if live else None for seat, live in enumerate(self.live)
            ]
            self.streams = RoundStreams(round_key(self.match_key, number, shares))
            self.revealed = {}
        assert self.streams is not None
        deal = position.draw(self.streams)
        self.add(deal=pb.DealRecord(round=number, deal=encode_deal(deal.view(None))))
        position.deal(deal)
        if number == before:
            self._score(before)

    def _end(self) -> None:
        self.add(game_over=encode_result(result(self.position, self.outs), UTC_S, 2))
        self.add(seed_reveal=pb.SeedReveal(seed=self.seed))
        self._sign()

    def _sign(self) -> None:
        self.end_step()
        self.recorder.sign(KEY)
        self.over = True
