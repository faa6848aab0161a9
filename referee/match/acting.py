"""What agents do in a live match: join, commit, reveal, answer, give up.

Each function decides one message of one seat. It adds records to the step of the match, or
returns why the message has no effect; whatever a message is, it is decided here, so that the
service needs to know nothing of the rules of a match. `now` is when the message was read.
"""

from referee.draws import HASH_BYTES, chain_step
from referee.match.live import Given, LiveMatch
from referee.match.replies import Refusal, Reply
from referee.rules import CHANCE, Move
from referee.transcript import answers
from referee.transcript.fold import Stage
from referee.transcript.limits import MAX_ACTION_BYTES
from referee.transcript.wire.game import encode_move
from referee.v1 import record_pb2 as pb
from referee.v1.play_pb2 import RefuseReason
from referee.v1.reason_pb2 import RejectReason

MATCH_ENDED = Refusal(RefuseReason.REFUSE_REASON_MATCH_ENDED, "the match has ended", counted=True)
SEAT_OUT = Refusal(
    RefuseReason.REFUSE_REASON_SEAT_OUT, "the seat is out of the match", counted=True
)
NOT_STARTED = Refusal(
    RefuseReason.REFUSE_REASON_NOT_STARTED, "the match has not begun", counted=True
)
NOT_ASKED = Refusal(RefuseReason.REFUSE_REASON_REVEAL, "this share is not asked for", counted=True)
_NOT_YOUR_TURN = RefuseReason.REFUSE_REASON_NOT_YOUR_TURN
_COMMIT = RefuseReason.REFUSE_REASON_COMMIT
_MALFORMED = RefuseReason.REFUSE_REASON_MALFORMED


def join(match: LiveMatch, seat: int, who: pb.Joined, now: int) -> Reply:
    """Seat an agent, or one that was there before; also after the end, to hear of it."""
    fold = match.fold
    if match.over:
        return None
    if fold.joined[seat] is not None:
        match.reconnect(seat, now)
    elif fold.stage is not Stage.OPEN:
        # It never came while it could, so it is out, and all it may do is look.
        return SEAT_OUT
    else:
        match.connected[seat] = True
        match.add(joined=who)
        match.begin()
    return None


def commit(match: LiveMatch, seat: int, x_0: bytes | None) -> Reply:
    """Bind a seat to its shares, or to none."""
    fold = match.fold
    if x_0 is not None and len(x_0) != HASH_BYTES:
        return Refusal(_MALFORMED, f"x_0 has {HASH_BYTES} bytes, not {len(x_0)}")
    if fold.setup.fixed_seed:
        return Refusal(_COMMIT, "the seed of this match is fixed, no seat has a share")
    if fold.committed[seat]:
        if fold.commits[seat] == x_0:
            return None
        return Refusal(_COMMIT, "the seat has committed otherwise", counted=True)
    if fold.stage is not Stage.OPEN:
        return Refusal(_COMMIT, "the time to commit is over", counted=True)
    match.add(agent_commit=pb.AgentCommit(seat=seat, x0=x_0))
    match.begin()
    return None


# Shares ----------------------------------------------------------------------------------------


def reveal(match: LiveMatch, seat: int, number: int, x: bytes, now: int, credited: int) -> Reply:
    """Take the share of a seat for the round to be dealt."""
    fold = match.fold
    refusal = _cannot_play(match, seat)
    if refusal is not None:
        return refusal
    if len(x) != HASH_BYTES:
        return Refusal(_MALFORMED, f"a share has {HASH_BYTES} bytes, not {len(x)}", counted=True)
    position = fold.position
    asked = position.actor == CHANCE and seat in fold.missing_reveals()
    if not asked or number != position.chance_round or not match.was_asked(now):
        return None if _was_revealed(match, seat, number, x) else NOT_ASKED
    if match.is_late(seat, now, credited):
        match.tick(now, credited)
        return None
    share = pb.Reveal(seat=seat, round=number, x=x)
    _time(share.timing, match, seat, now, credited, is_move=False)
    match.add(reveal=share)
    match.follow()
    return None


def _was_revealed(match: LiveMatch, seat: int, number: int, x: bytes) -> bool:
    """Return whether this very share was recorded before: it is on the way to the last one."""
    fold = match.fold
    last = fold.chain[seat]
    if last is None:
        return False
    position = fold.position
    shown = position.round if fold.shares[seat] is None else position.chance_round
    for step in range(shown, number, -1):
        last = chain_step(fold.match_id, seat, fold.commit, step, last)
    return 1 <= number <= shown and last == x


# Moves -----------------------------------------------------------------------------------------


def answer(
    match: LiveMatch, seat: int, turn: int, attempt: int, action: bytes, now: int, credited: int
) -> Reply:
    """Take an answer to a turn: a move, a strike, or nothing if it is not the one asked for."""
    fold = match.fold
    given = match.given.get((turn, attempt))
    if given is not None and given.seat == seat:
        return _again(given, turn, attempt, action)
    refusal = _cannot_play(match, seat)
    if refusal is not None:
        return refusal
    if fold.position.actor != seat or not match.was_asked(now):
        return Refusal(_NOT_YOUR_TURN, "it is not your turn", counted=True)
    if turn != fold.turn or attempt != fold.attempt:
        asked = f"turn {fold.turn}, attempt {fold.attempt} is asked for"
        message = f"{asked}, not turn {turn}, attempt {attempt}"
        return Refusal(RefuseReason.REFUSE_REASON_STALE, message, counted=True)
    if len(action) > MAX_ACTION_BYTES:
        return Refusal(_MALFORMED, f"an action has at most {MAX_ACTION_BYTES} bytes", counted=True)
    if match.is_late(seat, now, credited):
        match.tick(now, credited)
        return None
    try:
        move = answers.resolve(fold.position, action)
    except answers.Refused as error:
        return _reject(match, seat, action, error.reason, now)
    _play(match, seat, action, move, now, credited)
    return None


def _cannot_play(match: LiveMatch, seat: int) -> Refusal | None:
    """Return why a seat can do nothing at all in the match, None if it can."""
    if match.over:
        return MATCH_ENDED
    if not match.fold.live[seat]:
        return SEAT_OUT
    if match.fold.stage is not Stage.PLAYING:
        return NOT_STARTED
    return None


def _again(given: Given, turn: int, attempt: int, action: bytes) -> Reply:
    """Answer again what was answered before; another answer has no effect."""
    if action != given.action:
        reason = RefuseReason.REFUSE_REASON_ALREADY_ANSWERED
        return Refusal(reason, f"attempt {attempt} of turn {turn} was answered", counted=True)
    return given.reply


def _reject(
    match: LiveMatch, seat: int, action: bytes, reason: RejectReason.ValueType, now: int
) -> Reply:
    fold = match.fold
    turn, attempt = fold.turn, fold.attempt
    match.add(
        rejected=pb.Rejected(
            seat=seat, turn=turn, attempt=attempt, action=action, reason=reason, received_ns=now
        )
    )
    if fold.due:
        match.next_question()
        match.follow()
    return match.given[turn, attempt].reply


def _play(match: LiveMatch, seat: int, action: bytes, move: Move, now: int, credited: int) -> None:
    fold = match.fold
    # Filled in place: a message that is handed to the constructor of another one is copied.
    record = pb.Record()
    made = record.move
    made.seat = seat
    made.turn = fold.turn
    made.attempt = fold.attempt
    made.action = action
    made.move.CopyFrom(encode_move(move))
    _time(made.timing, match, seat, now, credited, is_move=True)
    match.decide(record)
    if fold.hides and match.dealer is not None:
        match.dealer.play(move)
    match.next_question()
    if fold.due:
        match.follow()


def _time(
    timing: pb.Timing, match: LiveMatch, seat: int, now: int, credited: int, *, is_move: bool
) -> None:
    """Write down the times of an answer, as the fold will charge them."""
    sent = match.sent_ns
    assert sent is not None
    elapsed = now - sent - credited
    match.took_ns[seat] = elapsed
    charged, bank = match.fold.time.clocks[seat].cost(elapsed, is_move=is_move)
    timing.sent_ns = sent
    timing.received_ns = now
    timing.credited_ns = credited
    timing.charged_ns = charged
    if bank is not None:
        timing.bank_after_ns = bank


def give_up(match: LiveMatch, seat: int, now: int, credited: int) -> Reply:
    """Let a seat leave the match, on its own turn."""
    refusal = _cannot_play(match, seat)
    if refusal is not None:
        return refusal
    if match.fold.position.actor != seat or not match.was_asked(now):
        return Refusal(_NOT_YOUR_TURN, "a match is given up on one's own turn", counted=True)
    if match.is_late(seat, now, credited):
        match.tick(now, credited)
        return None
    match.add(resign=pb.Resign(seat=seat, received_ns=now))
    match.next_question()
    match.follow()
    return None
