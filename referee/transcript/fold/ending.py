"""Records of what goes wrong and how it ends: seats out, restarts, results, the seed."""

from typing import TYPE_CHECKING

from referee.rules import CHANCE
from referee.transcript import limits
from referee.transcript import result as results
from referee.transcript.finding import Level, WrongRecord
from referee.transcript.fold.opening import need_hash
from referee.transcript.fold.proof import opens
from referee.transcript.fold.stage import Stage
from referee.transcript.result import NO_SHOW, TIME, Out
from referee.transcript.wire.results import decode_result, is_result
from referee.v1 import record_pb2 as pb

if TYPE_CHECKING:
    from referee.transcript.fold.match import Fold


def take_connection(fold: "Fold", message: pb.Disconnect | pb.Reconnect) -> None:
    """Note that an agent came or went, which changes nothing."""
    fold.need_stage("a connection", Stage.OPEN, Stage.PLAYING)
    fold.need_seat(message)


def take_restart(fold: "Fold", message: pb.Restart) -> None:
    """Begin another epoch."""
    fold.need_stage("restart", Stage.OPEN, Stage.PLAYING)
    if message.epoch <= fold.epoch:
        raise WrongRecord(f"an epoch after {fold.epoch}", f"epoch {message.epoch}")
    fold.epoch = message.epoch
    fold.time.restart()


# Out -------------------------------------------------------------------------------------------


def take_seat_out(fold: "Fold", message: pb.SeatOut) -> None:
    """Put a seat out, if what stands before it is a reason to."""
    fold.need_stage("seat_out", Stage.OPEN, Stage.PLAYING)
    seat = fold.need_live(message)
    reason = message.reason
    _check_out(fold, seat, reason)
    flag = message.flag_ns if message.HasField("flag_ns") else None
    at_once = _goes_at_once(fold, reason, flag)
    if fold.live.count(True) < 2 and not at_once:
        raise WrongRecord("game_over", f"seat {seat} out")
    if reason == TIME:
        try:
            fold.time.flag(seat, message)
        except WrongRecord as wrong:
            fold.wrong_time(wrong)
    fold.live[seat] = False
    if at_once:
        last = fold.outs.pop()
        fold.outs.append(Out(reason, (*last.seats, seat)))
    else:
        fold.outs.append(Out(reason, (seat,)))
    fold.out_due = None
    fold.last_out = (fold.frame, fold.record, flag)
    fold.settle()
    if reason == NO_SHOW and _is_anyone_absent(fold):
        # Whoever has not come by then is out with the others.
        fold.due = ("seat_out",)


def _check_out(fold: "Fold", seat: int, reason: int) -> None:
    name = results.reason_name(reason)
    due = fold.out_due
    if due is not None:
        if (seat, reason) != due:
            expected = f"seat {due[0]} out by {results.reason_name(due[1])}"
            raise WrongRecord(expected, f"seat {seat} out by {name}")
    elif fold.stage is Stage.OPEN:
        if reason != NO_SHOW or fold.joined[seat] is not None:
            raise WrongRecord("a seat out by no_show", f"seat {seat} out by {name}")
    elif reason != TIME or not _is_asked(fold, seat):
        raise WrongRecord("a seat whose time ran out", f"seat {seat} out by {name}")


def _is_anyone_absent(fold: "Fold") -> bool:
    """Return whether a seat that is not out has not joined."""
    return any(live and fold.joined[seat] is None for seat, live in enumerate(fold.live))


def _is_asked(fold: "Fold", seat: int) -> bool:
    """Return whether the clock of a seat runs."""
    actor = fold.position.actor
    return seat == actor or (actor == CHANCE and seat in fold.missing_reveals())


def _goes_at_once(fold: "Fold", reason: int, flag: int | None) -> bool:
    """Return whether a seat goes out together with the last one."""
    frame, record, last_flag = fold.last_out
    if (frame, record) != (fold.frame, fold.record - 1) or fold.outs[-1].reason != reason:
        return False
    return reason == NO_SHOW or (reason == TIME and flag == last_flag)


# The end ---------------------------------------------------------------------------------------


def take_game_over(fold: "Fold", message: pb.GameOver) -> None:
    """Rebuild the result, and compare it with the recorded one."""
    if "game_over" not in fold.due:
        fold.misplaced("game_over")
    fold.result = results.result(fold.position, fold.outs)
    if not is_result(fold.result, message):
        expected, found = results.difference(fold.result, decode_result(message))
        fold.fault(Level.RESULT, expected, found)
    fold.end("game_over", "seed_reveal")


def take_voided(fold: "Fold", message: pb.MatchVoid) -> None:
    """End a match that counts for nothing; its seed may be lost."""
    _check_detail(fold, message.detail)
    fold.end("voided", "seed_reveal", "secret_lost")


def take_aborted(fold: "Fold", message: pb.MatchAborted) -> None:
    """End a match that the organiser stopped."""
    _check_detail(fold, message.detail)
    fold.end("aborted", "seed_reveal")


def _check_detail(fold: "Fold", detail: str) -> None:
    fold.need_stage("the end", Stage.OPEN, Stage.PLAYING)
    if len(detail.encode()) > limits.MAX_DETAIL_BYTES:
        raise WrongRecord(f"at most {limits.MAX_DETAIL_BYTES} bytes of detail", "more")


def take_seed_reveal(fold: "Fold", message: pb.SeedReveal) -> None:
    """Open the referee's commitment."""
    fold.need_stage("seed_reveal", Stage.ENDED)
    need_hash(message.seed)
    # Whoever began with the seed has tried it already.
    known = message.seed == fold.seed
    right = (
        fold.commitment_opens
        if known
        else opens(fold.match_id, fold.setup, fold.commit, message.seed)
    )
    if not right:
        fold.fault(Level.DRAWS, "a seed that opens the commitment", "another seed")
    fold.close()


def take_secret_lost(fold: "Fold", _: pb.SecretLost) -> None:
    """Note that the draws can never be proved."""
    fold.need_stage("secret_lost", Stage.ENDED)
    fold.fault(Level.DRAWS, "a seed", "none: it was lost, and the draws cannot be proved")
    fold.close()


def take_signature(fold: "Fold", _: pb.Signature) -> None:
    """End the transcript; whether the signature is valid is not for the fold to say."""
    fold.need_stage("signature", Stage.CLOSED)
    if fold.in_frame:
        raise WrongRecord("a signature in a frame of its own", "one among other records")
    fold.stage = Stage.SIGNED
