"""Messages that were read before the question that they answer was sent.

While a record is made durable its next question is not sent, and messages wait. One that is
taken up behind that question has an earlier time than it, which no clock can charge.
"""

from collections.abc import Callable

import pytest

from referee.match import acting
from referee.match.live import LiveMatch
from referee.match.replies import Refusal, Reply
from referee.v1.play_pb2 import RefuseReason
from tests.match.table import Table

Act = Callable[[Table, int, int], Reply]


def give_an_answer(table: Table, seat: int, now: int) -> Reply:
    """Answer the open turn."""
    return acting.answer(table.match, seat, 1, 1, table.choice(seat), now, 0)


def give_up(table: Table, seat: int, now: int) -> Reply:
    """Leave the match."""
    return acting.give_up(table.match, seat, now, 0)


def give_garbage(table: Table, seat: int, now: int) -> Reply:
    """Answer with bytes that would be a strike."""
    return acting.answer(table.match, seat, 1, 1, b"\xff", now, 0)


@pytest.mark.parametrize("act", [give_an_answer, give_garbage, give_up])
def test_an_answer_read_before_its_turn_was_sent_is_early(act: Act) -> None:
    """It is refused like any other off turn, costs no strike, and the match goes on."""
    table = Table().sit()
    assert table.match.sent_ns is not None
    early = act(table, table.actor, table.match.sent_ns - 1)
    assert isinstance(early, Refusal)
    assert (early.reason, early.counted) == (RefuseReason.REFUSE_REASON_NOT_YOUR_TURN, True)
    assert table.match.take_step() == []
    table.answer(think_ns=0)
    assert table.records("move")[0].timing.charged_ns == 0
    table.play().finish()


def test_a_share_read_before_it_was_asked_for_is_early() -> None:
    """It is refused, the seat is asked, and then the same share is right."""
    table = Table(shares=[True, True]).sit()
    assert table.match.sent_ns is not None
    early = acting.reveal(table.match, 0, 1, table.chains[0][1], table.match.sent_ns - 1, 0)
    assert early == acting.NOT_ASKED
    assert table.reveal(0, think_ns=0) is None
    assert table.records("reveal")[0].timing.charged_ns == 0
    table.play().finish()


def test_a_question_that_waits_to_be_sent_cannot_be_answered() -> None:
    """Neither its turn nor its shares are asked for before `asked`."""
    table = Table(shares=[True, False]).sit()
    match: LiveMatch = table.match
    match.next_question()
    assert acting.reveal(match, 0, 1, table.chains[0][1], table.now, 0) == acting.NOT_ASKED
    assert (match.next_flag_ns(), match.take_step()) == (None, [])
    table.settle()
    table.reveal(0)
    match.next_question()
    early = acting.answer(match, table.actor, 1, 1, table.choice(table.actor), table.now, 0)
    assert isinstance(early, Refusal)
    assert early.reason == RefuseReason.REFUSE_REASON_NOT_YOUR_TURN
