"""Records before the start: set-up, commitments, joining."""

from typing import TYPE_CHECKING

from referee.draws import HASH_BYTES
from referee.transcript import limits
from referee.transcript.errors import WireError
from referee.transcript.finding import WrongRecord
from referee.transcript.fold.proof import DrawProof, Fairness, opens
from referee.transcript.fold.stage import Stage
from referee.transcript.fold.timekeeping import Timekeeper
from referee.transcript.wire.setup import decode_setup
from referee.v1 import record_pb2 as pb

if TYPE_CHECKING:
    from referee.transcript.fold.match import Fold


def take_setup(fold: "Fold", data: bytes) -> None:
    """Lay the table."""
    fold.need_stage("setup", Stage.NOTHING)
    try:
        setup = decode_setup(data)
    except WireError as error:
        raise WrongRecord("a set-up that can be played", str(error)) from error
    seats = setup.seats
    position = setup.ruleset.initial(seats, setup.options)
    fold.setup = setup
    fold.hides = setup.ruleset.hides
    fold.position = position.view(None) if fold.hides else position
    fold.live = [True] * seats
    fold.joined = [None] * seats
    fold.committed = [False] * seats
    fold.commits = [None] * seats
    fold.chain = [None] * seats
    fold.shares = [None] * seats
    fold.strikes = [0] * seats
    fold.time = Timekeeper(setup.clock, seats)
    fold.fairness = Fairness(setup.fixed_seed)
    fold.stage = Stage.CREATED


def take_server_commit(fold: "Fold", message: pb.ServerCommit) -> None:
    """Bind the referee to its seed."""
    fold.need_stage("server_commit", Stage.CREATED)
    if fold.frame != 1 or fold.in_frame:
        raise WrongRecord("the set-up alone in frame 0, then a commitment", "another order")
    need_hash(message.commit)
    fold.commit = message.commit
    fold.stage = Stage.OPEN
    if fold.seed is not None:
        fold.commitment_opens = opens(fold.match_id, fold.setup, fold.commit, fold.seed)


def take_joined(fold: "Fold", message: pb.Joined) -> None:
    """Seat an agent."""
    fold.need_stage("joined", Stage.OPEN)
    seat = fold.need_live(message)
    if fold.joined[seat] is not None:
        raise WrongRecord("a seat that is free", f"seat {seat}")
    for text in (message.name, message.kit):
        if len(text.encode()) > limits.MAX_NAME_BYTES:
            raise WrongRecord(f"at most {limits.MAX_NAME_BYTES} bytes of text", "more")
    fold.joined[seat] = message


def take_agent_commit(fold: "Fold", message: pb.AgentCommit) -> None:
    """Bind a seat to its shares, or note that it has none."""
    fold.need_stage("agent_commit", Stage.OPEN)
    seat = fold.need_live(message)
    if fold.setup.fixed_seed or fold.joined[seat] is None or fold.committed[seat]:
        raise WrongRecord("a commitment of each seat that joined, once", f"one of seat {seat}")
    if message.HasField("x0"):
        need_hash(message.x0)
        fold.commits[seat] = fold.chain[seat] = message.x0
    fold.committed[seat] = True


def take_started(fold: "Fold", _: pb.Started) -> None:
    """Begin to play."""
    fold.need_stage("started", Stage.OPEN)
    for seat, live in enumerate(fold.live):
        if live and fold.joined[seat] is None:
            raise WrongRecord(f"seat {seat} joined or out", "a start without it")
        if live and not fold.setup.fixed_seed and not fold.committed[seat]:
            raise WrongRecord(f"a commitment of seat {seat}, or none", "a start without it")
    fold.stage = Stage.PLAYING
    if fold.commitment_opens and fold.seed is not None:
        fold.proof = DrawProof(fold.match_id, fold.setup, fold.seed, fold.commits)
    fold.settle()


def need_hash(value: bytes) -> None:
    """Raise `WrongRecord` unless a value has the size of a hash."""
    if len(value) != HASH_BYTES:
        raise WrongRecord(f"{HASH_BYTES} bytes", f"{len(value)}")
