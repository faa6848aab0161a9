"""Records of turns: moves, refused answers, resignations, and what a round came to."""

from typing import TYPE_CHECKING, Any, Final

from referee.rules import CHANCE, OVER, Move, RulesError
from referee.transcript import answers
from referee.transcript.digest import digest
from referee.transcript.errors import WireError
from referee.transcript.finding import WrongRecord
from referee.transcript.fold.stage import PLAYING
from referee.transcript.limits import MAX_ACTION_BYTES
from referee.transcript.result import ILLEGAL_MOVE, PROTOCOL, RESIGN
from referee.transcript.wire.game import decode_move, encode_move
from referee.v1 import record_pb2 as pb

if TYPE_CHECKING:
    from referee.transcript.fold.match import Fold

# Asked of the class: a message looks for a field of that name before it finds the method.
_has_field: Final = pb.MoveRecord.HasField


def _need_turn(fold: "Fold", kind: str, message: Any) -> int:  # noqa: ANN401  a move, a refusal
    """Return the seat to move, if the record is its answer to this very question."""
    actor = fold.position.actor if fold.stage is PLAYING else OVER
    if actor < 0:
        fold.misplaced(kind)
    seat: int = message.seat
    # An absent seat reads as 0, which is a real one.
    if seat != actor or (not seat and not _has_field(message, "seat")):
        found = seat if message.HasField("seat") else "none"
        raise WrongRecord(f"an answer of seat {actor}", f"{kind} of seat {found}")
    if message.turn != fold.turn:
        raise WrongRecord(f"turn {fold.turn}", f"turn {message.turn}")
    attempt = fold.attempt if fold.live[actor] else 0
    if message.attempt != attempt:
        raise WrongRecord(f"attempt {attempt}", f"attempt {message.attempt}")
    return actor


def take_move(fold: "Fold", message: pb.MoveRecord) -> None:
    """Play a move of an agent, or of the referee for a seat that is out."""
    seat = _need_turn(fold, "move", message)
    position = fold.position
    if fold.live[seat]:
        move = _answered(fold, message)
        timing = message.timing
        received = timing.received_ns
        if not received and not message.HasField("timing"):
            raise WrongRecord("the times of an answer", "none")
        try:
            fold.time.move(seat, timing, received)
        except WrongRecord as wrong:
            fold.wrong_time(wrong)
    else:
        move = _frozen(fold, message)
    before = position.round
    try:
        position.play(move)
    except RulesError as error:
        rule = getattr(error, "rule", "")
        raise WrongRecord("a legal move", f"{move}: {error}", rule) from error
    if fold.hides and fold.proof is not None:
        fold.proof.play(move)
    fold.turn += 1
    fold.attempt = 1
    actor = position.actor
    if actor >= 0 and fold.live[actor]:
        fold.due = ()
    elif actor == OVER or (actor == CHANCE and position.chance_round != before):
        fold.due = ("round_scored",)
    else:
        fold.settle()


def _answered(fold: "Fold", message: pb.MoveRecord) -> Move:
    """Return the move that the recorded bytes mean, which must be the recorded move."""
    action = message.action
    if len(action) > MAX_ACTION_BYTES:
        raise WrongRecord(f"at most {MAX_ACTION_BYTES} bytes of an answer", "more")
    try:
        move = answers.named_move(fold.position, action)
    except answers.Refused as error:
        raise WrongRecord("an answer that is a move", error.message) from error
    if message.move != encode_move(move):
        _compare_move(move, message)
    return move


def _frozen(fold: "Fold", message: pb.MoveRecord) -> Move:
    """Return what the referee plays for a seat that is out."""
    move = answers.frozen_move(fold.position)
    if message.action or message.HasField("timing"):
        raise WrongRecord("a move by the referee", "an answer of a seat that is out")
    _compare_move(move, message)
    return move


def _compare_move(move: Move, message: pb.MoveRecord) -> None:
    try:
        recorded = decode_move(message.move)
    except WireError as error:
        raise WrongRecord(f"move {move}", str(error)) from error
    if recorded != move:
        raise WrongRecord(f"move {move}", f"move {recorded}")


def take_rejected(fold: "Fold", message: pb.Rejected) -> None:
    """Take a refused answer: it must be wrong, and for the reason given."""
    seat = _need_turn(fold, "rejected", message)
    if not fold.live[seat]:
        fold.misplaced("rejected")
    if len(message.action) > MAX_ACTION_BYTES:
        raise WrongRecord(f"at most {MAX_ACTION_BYTES} bytes of an answer", "more")
    try:
        move = answers.resolve(fold.position, message.action)
    except answers.Refused as refusal:
        reason, rule = refusal.reason, refusal.rule
    else:
        found = f"refused as {answers.reason_name(message.reason)}"
        raise WrongRecord(f"{move} accepted, which is legal", found)
    if message.reason != reason:
        expected, found = answers.reason_name(reason), answers.reason_name(message.reason)
        raise WrongRecord(f"refused as {expected}", f"refused as {found}", rule)
    try:
        fold.time.refuse(message.received_ns)
    except WrongRecord as wrong:
        fold.wrong_time(wrong)
    fold.attempt += 1
    fold.strikes[seat] += 1
    if fold.strikes[seat] == fold.setup.strikes:
        fold.expect_out(seat, PROTOCOL if reason == answers.UNPARSABLE else ILLEGAL_MOVE)


def take_resign(fold: "Fold", message: pb.Resign) -> None:
    """Let the seat to move leave the match."""
    fold.need_stage("resign", PLAYING)
    seat = fold.need_live(message)
    if seat != fold.position.actor:
        fold.misplaced(f"a resignation of seat {seat}")
    fold.expect_out(seat, RESIGN)


def take_round_scored(fold: "Fold", message: pb.RoundScored) -> None:
    """Compare what a round came to."""
    if fold.due != ("round_scored",):
        fold.misplaced("round_scored")
    position = fold.position
    if message.round != position.round:
        raise WrongRecord(f"round {position.round}", f"round {message.round}")
    scores = tuple(message.scores[:])
    if scores != position.scores:
        raise WrongRecord(f"scores {position.scores}", f"scores {scores}")
    own = digest(position)
    if message.digest != own:
        raise WrongRecord(f"digest {own.hex()}", f"digest {message.digest.hex()}")
    fold.settle()
