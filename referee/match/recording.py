"""Records a game that is played in one process, frame by frame as a live match is.

`simulate --record` writes its games with this, so that there is data before there is a
server. Players think in virtual time: nothing here reads a clock.
"""

import random
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from referee import __version__
from referee.draws import (
    RoundStreams,
    agent_chain,
    fixed_match_key,
    fixed_player_seed,
    match_key,
    player_seed,
    round_key,
    server_commit,
    setup_hash,
)
from referee.match.playout import Watch
from referee.rules import CHANCE, OVER, Deal, Move, Options, Position, Ruleset
from referee.transcript import format as azt
from referee.transcript.clock import ClockRule, SeatClock
from referee.transcript.digest import digest
from referee.transcript.result import result
from referee.transcript.signing import SigningKey
from referee.transcript.wire.game import encode_deal, encode_move, index_action, move_action
from referee.transcript.wire.results import encode_result
from referee.transcript.wire.setup import encode_clock, encode_options
from referee.transcript.writer import Chain
from referee.v1 import record_pb2 as pb
from referee.v1 import setup_pb2

MILLISECOND_NS = 1_000_000
SECOND_NS = 1_000 * MILLISECOND_NS
CLOCK = ClockRule(
    move_limit_ns=10 * SECOND_NS,
    bank_ns=60 * SECOND_NS,
    increment_ns=100 * MILLISECOND_NS,
    startup_ns=5 * SECOND_NS,
)
STRIKES = 3
PROTOCOL = 1
# How long a simulated player thinks at the most, and what passes between two questions.
LONGEST_THOUGHT_NS = 80 * MILLISECOND_NS
BETWEEN_NS = 150_000
FIRST_NS = 3 * SECOND_NS


@dataclass(frozen=True)
class Identity:
    """What tells one recorded game from another, and who vouches for it.

    ``shares`` has an agent's x_64 for every seat, or is None where the seed is fixed.
    """

    match_id: bytes
    key: SigningKey
    shares: Sequence[bytes] | None = None
    game: int = 0
    utc_s: int = 0


def set_up(ruleset: Ruleset, seats: int, options: Options, identity: Identity) -> bytes:
    """Return the exact bytes of the set-up of a simulated match."""
    return setup_pb2.Setup(
        ruleset=ruleset.key,
        revision=ruleset.revision,
        options=encode_options(options),
        seats=[setup_pb2.Seat(agent="random") for _ in range(seats)],
        clock=encode_clock(CLOCK),
        strikes=STRIKES,
        fixed_seed=identity.shares is None,
        durability=setup_pb2.DURABILITY_OFF,
        event_id="simulate",
        game_number=identity.game + 1,
        referee_version=__version__,
        public_key=identity.key.public,
        created_utc_s=identity.utc_s,
        sequence=2 * identity.game,
    ).SerializeToString()


class Recorder:
    """A match being written: records are gathered, and a step of the match is a frame."""

    def __init__(self, match_id: bytes) -> None:
        self.chain = Chain(match_id)
        self.parts = [azt.header(match_id)]
        self._step: list[pb.Record] = []

    def add(self, **kind: Any) -> None:  # noqa: ANN401  one message of the many
        """Add a record of that kind to the step."""
        self._step.append(pb.Record(**kind))

    def end_step(self) -> None:
        """Write the step as one frame."""
        self.parts.append(self.chain.frame(self._step))
        self._step = []

    def sign(self, key: SigningKey) -> None:
        """Write the last frame."""
        chain = self.chain
        signature = key.sign(chain.match_id, chain.index, chain.link)
        self.add(signature=pb.Signature(public_key=key.public, signature=signature))
        self.end_step()

    def data(self) -> bytes:
        """Return the whole file."""
        return b"".join(self.parts)


class RecordedGame:
    """One game of random players, played and recorded."""

    def __init__(
        self, ruleset: Ruleset, seats: int, options: Options, seed: bytes, identity: Identity
    ) -> None:
        self.position: Position = ruleset.initial(seats, options)
        self.recorder = Recorder(identity.match_id)
        self.choices: list[int] = []
        self._identity = identity
        self._seed = seed
        self._setup = set_up(ruleset, seats, options, identity)
        hashed = setup_hash(self._setup)
        self._commit = server_commit(identity.match_id, hashed, seed)
        self._chains: list[list[bytes]] = []
        if identity.shares is None:
            self._match_key = fixed_match_key(seed)
            seeds = [fixed_player_seed(seed, seat) for seat in range(seats)]
        else:
            self._chains = [
                agent_chain(identity.match_id, seat, self._commit, root)
                for seat, root in enumerate(identity.shares)
            ]
            x_0 = [chain[0] for chain in self._chains]
            self._match_key = match_key(seed, identity.match_id, hashed, x_0)
            seeds = [player_seed(seed, identity.match_id, seat) for seat in range(seats)]
        # Not for secrets: simulated players must be repeatable.
        self._players = [random.Random(own).random for own in seeds]  # noqa: S311
        self._thoughts = random.Random(seed).random  # noqa: S311
        self._clocks = [SeatClock(CLOCK) for _ in range(seats)]
        self._now = FIRST_NS
        self._streams: RoundStreams | None = None

    def play(self, watch: Watch | None = None) -> bytes:
        """Play to the end and return the whole transcript."""
        recorder = self.recorder
        self._begin()
        position = self.position
        while position.actor != OVER:
            actor = position.actor
            step = self._deal() if actor == CHANCE else self._move(actor)
            if watch is not None:
                watch(actor, step, position)
        self._end()
        recorder.end_step()
        recorder.sign(self._identity.key)
        return recorder.data()

    def _begin(self) -> None:
        recorder = self.recorder
        recorder.add(setup=self._setup)
        recorder.end_step()
        recorder.add(server_commit=pb.ServerCommit(commit=self._commit))
        recorder.end_step()
        for seat in range(self.position.seats):
            joined = pb.Joined(seat=seat, name=f"random {seat}", kit="simulate", protocol=PROTOCOL)
            recorder.add(joined=joined)
            if self._chains:
                recorder.add(agent_commit=pb.AgentCommit(seat=seat, x0=self._chains[seat][0]))
            recorder.end_step()
        recorder.add(started=pb.Started())

    def _timing(self, seat: int, sent: int, *, is_move: bool) -> pb.Timing:
        """Let a seat think, and return the times of its answer."""
        elapsed = int(self._thoughts() * LONGEST_THOUGHT_NS)
        clock = self._clocks[seat]
        charged = clock.answer(elapsed, is_move=is_move)
        received = sent + elapsed
        self._now = max(self._now, received + BETWEEN_NS)
        return pb.Timing(
            sent_ns=sent, received_ns=received, charged_ns=charged, bank_after_ns=clock.bank_ns
        )

    def _deal(self) -> Deal:
        position = self.position
        number = position.chance_round
        if number != position.round:
            self._streams = RoundStreams(self._round_key(number))
        assert self._streams is not None
        deal = position.draw(self._streams)
        record = pb.DealRecord(round=number, deal=encode_deal(deal.view(None)))
        self.recorder.add(deal=record)
        is_round = number != position.round
        position.deal(deal)
        if not is_round and self._is_round_over(number):
            self._score_round()
        elif position.actor >= 0:
            self.recorder.end_step()
        return deal

    def _round_key(self, number: int) -> bytes:
        """Ask every seat for its share, if it has one, and return the key of the round."""
        recorder = self.recorder
        if not self._chains:
            return round_key(self._match_key, number, [None] * self.position.seats)
        # What came before the question is a step of its own.
        recorder.end_step()
        sent = self._now
        for seat, chain in enumerate(self._chains):
            if seat:
                recorder.end_step()
            timing = self._timing(seat, sent, is_move=False)
            x = chain[number]
            recorder.add(reveal=pb.Reveal(seat=seat, round=number, x=x, timing=timing))
        return round_key(self._match_key, number, [chain[number] for chain in self._chains])

    def _move(self, seat: int) -> Move:
        position = self.position
        moves = position.legal_moves()
        choice = int(self._players[seat]() * len(moves))
        self.choices.append(choice)
        move = moves[choice]
        record = pb.MoveRecord(
            seat=seat,
            turn=len(self.choices),
            attempt=1,
            # Bots answer in both ways: some name the index, some the move.
            action=move_action(move) if seat % 2 else index_action(choice),
            move=encode_move(move),
            timing=self._timing(seat, self._now, is_move=True),
        )
        self.recorder.add(move=record)
        before = position.round
        position.play(move)
        if self._is_round_over(before):
            self._score_round()
        elif position.actor >= 0:
            self.recorder.end_step()
        return move

    def _is_round_over(self, number: int) -> bool:
        position = self.position
        return position.actor == OVER or (
            position.actor == CHANCE and position.chance_round != number
        )

    def _score_round(self) -> None:
        position = self.position
        public = position.view(None)
        scored = pb.RoundScored(round=position.round, scores=position.scores, digest=digest(public))
        self.recorder.add(round_scored=scored)

    def _end(self) -> None:
        identity = self._identity
        over = encode_result(result(self.position, []), identity.utc_s, 2 * identity.game + 1)
        self.recorder.add(game_over=over)
        self.recorder.add(seed_reveal=pb.SeedReveal(seed=self._seed))
