"""Answers of agents: strikes, moves off turn, repeats; the fault table, row by row."""

import pytest

from referee.match.replies import Refusal, Rejection, Repeat, Reply
from referee.rules import Options
from referee.rules.azul.components import CENTER
from referee.rules.azul.moves import Take
from referee.transcript import answers
from referee.transcript.limits import MAX_ACTION_BYTES
from referee.transcript.wire.game import index_action, move_action
from referee.v1.play_pb2 import RefuseReason
from tests.match.table import GARBAGE, Table, ended, rejection

NO_SUCH_MOVE = index_action(10_000)
STALE = RefuseReason.REFUSE_REASON_STALE
NOT_YOUR_TURN = RefuseReason.REFUSE_REASON_NOT_YOUR_TURN
ANSWERED = RefuseReason.REFUSE_REASON_ALREADY_ANSWERED
FROM_THE_EMPTY_CENTER = move_action(Take(CENTER, 0, 0))
SHORT = Options(round_cap=2, first_player=0)


def refused(reply: Reply) -> RefuseReason.ValueType:
    """Return why a message had no effect."""
    assert isinstance(reply, Refusal)
    return reply.reason


# Strikes -----------------------------------------------------------------------------------


@pytest.mark.parametrize("seats", [2, 3, 4])
@pytest.mark.parametrize("strikes", [1, 3])
@pytest.mark.parametrize(
    ("last", "reason"),
    [(NO_SUCH_MOVE, "illegal_move"), (b"", "illegal_move"), (GARBAGE, "protocol")],
    ids=["index", "malformed", "unparsable"],
)
def test_the_last_strike_puts_a_seat_out(
    seats: int, strikes: int, last: bytes, reason: str
) -> None:
    """By the reason of the last one, whatever the others were; strikes last over turns."""
    table = Table("azul", seats, strikes=strikes, options=SHORT).sit()
    for number in range(strikes - 1):
        table.play(until=lambda at: at.actor == 0)
        other = NO_SUCH_MOVE if last == GARBAGE else GARBAGE
        assert rejection(table.answer(action=other)).strikes_left == strikes - 2 - number
        table.answer()
    table.play(until=lambda at: at.actor == 0)
    assert rejection(table.answer(action=last)).strikes_left == 0
    assert not table.match.fold.live[0]
    assert table.match.over == (seats == 2)
    why, ranks, outs = ended(table.play())
    assert why == (reason if seats == 2 else "round_cap")
    assert (ranks[0], outs[0], outs[1:]) == (seats, reason, [None] * (seats - 1))


def test_a_rejection_says_why_and_the_clock_runs_on() -> None:
    """The next attempt is of the same question: all the time since it was sent is charged."""
    table = Table().sit()
    sent = table.match.sent_ns
    first = rejection(table.answer(action=NO_SUCH_MOVE, think_ns=6_000_000_000))
    assert (first.turn, first.attempt, first.strikes_left) == (1, 1, 1)
    assert first.reason == answers.NO_SUCH_INDEX
    assert "10000" in first.message
    assert table.match.sent_ns == sent
    table.answer(think_ns=1_000_000_000)
    move = table.records("move")[0]
    # Of the seven seconds and what it took to write, five are the start-up allowance.
    assert (move.attempt, move.timing.sent_ns) == (2, sent)
    assert move.timing.charged_ns == 2_000_000_000 + 150_000
    table.play().finish()


def test_strikes_are_of_each_seat_alone() -> None:
    """Two strikes of one seat leave the other its own three."""
    table = Table(strikes=3, options=SHORT).sit()
    for _ in range(2):
        table.answer(action=GARBAGE)
    table.answer()
    assert rejection(table.answer(action=GARBAGE)).strikes_left == 1
    assert table.match.strikes_left(0) == 0
    assert ended(table.play())[2] == [None, None]


# Off turn ----------------------------------------------------------------------------------


def test_a_move_off_turn_has_no_effect() -> None:
    """Neither one of the other seat, nor one before the start, nor one after the end."""
    table = Table(options=SHORT)
    table.join(0)
    assert refused(table.answer(0, GARBAGE)) == RefuseReason.REFUSE_REASON_NOT_STARTED
    table.join(1)
    assert refused(table.answer(1, index_action(0))) == NOT_YOUR_TURN
    frames = len(table.frames)
    table.play()
    assert len(table.frames) > frames
    assert refused(table.answer(0, GARBAGE, turn=999)) == RefuseReason.REFUSE_REASON_MATCH_ENDED
    table.finish()


def test_a_move_while_shares_are_asked_for_is_off_turn() -> None:
    """Nobody is to move then."""
    table = Table(shares=[True, True]).sit()
    for seat in (0, 1):
        assert refused(table.answer(seat, index_action(0))) == NOT_YOUR_TURN
    table.play().finish()


@pytest.mark.parametrize(
    ("turn", "attempt"),
    [(3, 1), (1, 1), (4, 0), (4, 2), (0, 0), (5, 1), (2**32 - 1, 2**32 - 1)],
    ids=["other seat's", "other seat's first", "none", "next", "zero", "early", "far"],
)
def test_a_stale_or_early_answer_is_refused_without_a_strike(turn: int, attempt: int) -> None:
    """Turn and attempt must both be those that were asked for."""
    table = Table(strikes=1, options=SHORT).sit()
    for _ in range(3):
        table.answer()
    assert refused(table.answer(1, GARBAGE, turn=turn, attempt=attempt)) == STALE
    assert table.match.fold.strikes == [0, 0]
    ended(table.play())


def test_an_oversized_action_is_refused_without_a_strike() -> None:
    """One of the largest size is judged by what it says."""
    table = Table(strikes=2).sit()
    much = table.answer(action=bytes(MAX_ACTION_BYTES + 1))
    assert refused(much) == RefuseReason.REFUSE_REASON_MALFORMED
    assert table.match.fold.strikes == [0, 0]
    assert rejection(table.answer(action=bytes(MAX_ACTION_BYTES))).reason == answers.UNPARSABLE
    table.play().finish()


def test_a_seat_that_is_out_can_do_nothing() -> None:
    """What it says is refused, also under the turns that the referee plays for it."""
    table = Table("azul", 3, strikes=1, shares=[True] * 3, options=SHORT).sit()
    table.play(until=lambda at: at.actor == 0)
    table.answer(0, GARBAGE)
    out = RefuseReason.REFUSE_REASON_SEAT_OUT
    frozen = [move for move in table.records("move") if not move.attempt]
    assert [move.seat for move in frozen] == [0]
    assert refused(table.answer(0, index_action(0))) == out
    assert refused(table.answer(0, b"", turn=frozen[0].turn, attempt=0)) == out
    assert refused(table.answer(0, b"x", turn=frozen[0].turn, attempt=0)) == out
    assert refused(table.reveal(0, number=1)) == out
    assert refused(table.give_up(0)) == out
    assert ended(table.play())[2] == ["protocol", None, None]


# Repeats -----------------------------------------------------------------------------------


@pytest.mark.parametrize("resumed", [False, True], ids=["at once", "after a restart"])
@pytest.mark.parametrize("later", [0, 1, 7, 1_000], ids=lambda later: f"{later} steps later")
def test_an_accepted_answer_repeated_tells_the_same_event(resumed: bool, later: int) -> None:
    """Also when the match has gone on, is over, or was taken up from its file."""
    table = Table(options=SHORT).sit()
    table.answer()
    action = table.choice(1)
    table.answer(1)
    index = table.match.records - 1
    for _ in range(later):
        if not table.match.over:
            table.step()
    if resumed:
        table = table.resume()
    before = table.match.records
    assert table.answer(1, action, turn=2, attempt=1) == Repeat(index)
    assert table.match.records == before
    records = [record for frame in table.frames for record in frame]
    assert records[index].move.action == action
    ended(table.play())


@pytest.mark.parametrize("resumed", [False, True], ids=["at once", "after a restart"])
@pytest.mark.parametrize("later", [0, 1, 2, 1_000], ids=lambda later: f"{later} steps later")
@pytest.mark.parametrize(
    "action",
    [GARBAGE, b"", NO_SUCH_MOVE, FROM_THE_EMPTY_CENTER],
    ids=["unparsable", "malformed", "index", "against a rule"],
)
def test_a_rejected_answer_repeated_gets_the_same_rejection(
    resumed: bool, later: int, action: bytes
) -> None:
    """Word for word, in the same turn, in later ones, after the end and after a restart."""
    table = Table(options=SHORT).sit()
    first = table.answer(0, action)
    assert isinstance(first, Rejection)
    for _ in range(later):
        if not table.match.over:
            table.step()
    if resumed:
        table = table.resume()
    before = table.match.records
    assert table.answer(0, action, turn=1, attempt=1) == first
    assert table.match.records == before
    assert table.match.fold.strikes[0] == 1
    ended(table.play())


def test_the_losing_answer_repeated_gets_the_same_rejection() -> None:
    """The match is over, and nothing else can be said."""
    table = Table(strikes=1, options=SHORT).sit()
    first = table.answer(0, NO_SUCH_MOVE)
    assert table.match.over
    assert table.answer(0, NO_SUCH_MOVE, turn=1, attempt=1) == first
    assert ended(table) == ("illegal_move", [2, 1], ["illegal_move", None])


@pytest.mark.parametrize("resumed", [False, True], ids=["at once", "after a restart"])
def test_another_action_under_a_used_attempt_is_refused(resumed: bool) -> None:
    """Be the first one accepted or rejected; it costs no strike and changes nothing."""
    table = Table(strikes=2, options=SHORT).sit()
    table.answer(0, GARBAGE)
    table.answer(0)
    if resumed:
        table = table.resume()
    for attempt in (1, 2):
        assert refused(table.answer(0, b"other", turn=1, attempt=attempt)) == ANSWERED
    assert table.match.fold.strikes == [1, 0]
    # The turn of one seat is not that of another: what it says there is simply off turn.
    assert refused(table.answer(1, b"other", turn=1, attempt=1)) == STALE
    ended(table.play())


def test_a_hundred_repeats_are_one_move() -> None:
    """Every one tells the same event, and the record holds one."""
    table = Table(options=SHORT).sit()
    action = table.choice(0)
    table.answer(0, action)
    replies = {table.answer(0, action, turn=1, attempt=1) for _ in range(100)}
    assert replies == {Repeat(table.match.records - 1)}
    assert len(table.records("move")) == 1
    ended(table.play())


# Giving up ---------------------------------------------------------------------------------


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_a_match_is_given_up_on_ones_own_turn(seats: int) -> None:
    """Off turn it is refused; on it the seat is out, and last."""
    table = Table("azul", seats, options=SHORT).sit()
    assert refused(table.give_up(1)) == NOT_YOUR_TURN
    assert table.give_up(0) is None
    if seats > 2:
        assert table.kinds() == ["resign", "seat_out", "move"]
    why, ranks, outs = ended(table.play())
    assert (why, ranks[0]) == ("resign" if seats == 2 else "round_cap", seats)
    assert outs == ["resign", *[None] * (seats - 1)]


def test_nobody_gives_up_before_the_start_nor_while_shares_are_asked_for() -> None:
    """It is nobody's turn then."""
    table = Table(shares=[True, True])
    table.join(0)
    assert refused(table.give_up(0)) == RefuseReason.REFUSE_REASON_NOT_STARTED
    table.sit(1)
    table.commit(0, None)
    assert refused(table.give_up(1)) == NOT_YOUR_TURN
    table.play().finish()
    assert refused(table.give_up(1)) == RefuseReason.REFUSE_REASON_MATCH_ENDED
