"""Time: flags to the nanosecond, credits, allowance, bank, increment, limit, late answers."""

from collections.abc import Callable

import pytest

from referee.match.replies import Repeat
from referee.rules import Options
from referee.transcript.clock import ClockRule
from tests.match.table import CLOCK, GAP_NS, GARBAGE, SECOND, Table, ended

LIMIT = ClockRule(move_limit_ns=2 * SECOND)
BANK = ClockRule(bank_ns=10 * SECOND, increment_ns=SECOND)
STARTUP = ClockRule(move_limit_ns=2 * SECOND, startup_ns=3 * SECOND)
CLOCKS = {"limit": LIMIT, "bank": BANK, "start-up": STARTUP, "all": CLOCK}
FIRST = Options(round_cap=2, first_player=0)
every_clock = pytest.mark.parametrize("clock", CLOCKS.values(), ids=CLOCKS)


def table_of(clock: ClockRule | None, seats: int = 2) -> Table:
    """Return a table where seat 0 is to make the first move."""
    return Table("azul", seats, clock=clock, options=FIRST).sit()


def allowance_ns(clock: ClockRule) -> int:
    """Return how long the first answer may take, worked out without the machine."""
    limits = [limit for limit in (clock.move_limit_ns, clock.bank_ns) if limit is not None]
    return min(limits) + clock.startup_ns


# Flags -------------------------------------------------------------------------------------


def answer(table: Table) -> None:
    """Answer rightly."""
    table.answer(0, think_ns=0)


def answer_wrongly(table: Table) -> None:
    """Give an answer that would be a strike."""
    table.answer(0, GARBAGE, think_ns=0)


def give_up(table: Table) -> None:
    """Leave the match."""
    table.give_up(0, think_ns=0)


@every_clock
@pytest.mark.parametrize("seats", [2, 3, 4])
@pytest.mark.parametrize("late_ns", [-1, 0, 1])
def test_a_flag_falls_behind_the_last_nanosecond(
    clock: ClockRule, seats: int, late_ns: int
) -> None:
    """At the flag the seat is still in; behind it it is out, and the record says when."""
    table = table_of(clock, seats)
    assert table.match.sent_ns is not None
    flag = table.match.sent_ns + allowance_ns(clock)
    assert table.match.next_flag_ns() == flag
    table.tick(flag + late_ns)
    assert table.match.fold.live[0] == (late_ns <= 0)
    if late_ns <= 0:
        table.give_up(0, think_ns=0)
    else:
        assert table.records("seat_out")[0].flag_ns == flag
    why, ranks, outs = ended(table.play())
    reason = "time" if late_ns > 0 else "resign"
    assert (outs[0], ranks[0]) == (reason, seats)
    assert why == (reason if seats == 2 else "round_cap")


@every_clock
@pytest.mark.parametrize("late_ns", [-1, 0, 1])
@pytest.mark.parametrize(
    ("act", "kind", "out"),
    [(answer, "move", None), (answer_wrongly, "rejected", "time"), (give_up, "resign", "resign")],
    ids=["move", "rejected", "resign"],
)
def test_an_answer_counts_up_to_the_flag(
    clock: ClockRule, late_ns: int, act: Callable[[Table], None], kind: str, out: str | None
) -> None:
    """A late one is no answer, no strike and no resignation, though nobody saw the flag fall."""
    table = table_of(clock, 3)
    table.now = table.flag_ns(0) + late_ns
    act(table)
    made = [record for record in table.records(kind) if kind != "move" or record.attempt]
    assert len(made) == (late_ns <= 0)
    assert table.match.fold.live[0] == (late_ns <= 0 and act is not give_up)
    if act is answer_wrongly:
        # Writing the refusal down has taken the rest of the time.
        table.tick()
    assert ended(table.play())[2][0] == ("time" if late_ns > 0 else out)


@pytest.mark.parametrize("late_ns", [-1, 0, 1])
@pytest.mark.parametrize("credited_ns", [1, 7 * SECOND, 10**6 * SECOND // 2])
def test_a_pause_of_the_referee_moves_the_flag(late_ns: int, credited_ns: int) -> None:
    """To the nanosecond, for ticks and answers alike."""
    for by_tick in (True, False):
        table = table_of(CLOCK)
        table.now = table.flag_ns(0) + late_ns
        if by_tick:
            table.tick(table.now + credited_ns, credited_ns=credited_ns)
        else:
            table.answer(0, think_ns=0, credited_ns=credited_ns)
        assert table.match.over == (late_ns > 0)
        if late_ns > 0:
            out = table.records("seat_out")[0]
            assert out.credited_ns == credited_ns
            assert out.flag_ns == out.sent_ns + credited_ns + allowance_ns(CLOCK)
            assert ended(table) == ("time", [2, 1], ["time", None])
        elif not by_tick:
            timing = table.records("move")[0].timing
            assert timing.credited_ns == credited_ns
            assert timing.charged_ns == 10 * SECOND + late_ns
            table.play().finish()


def test_a_late_answer_repeated_is_late_again() -> None:
    """It stands in no record, so it is no repeat; the seat is out."""
    table = table_of(LIMIT)
    action = table.choice(0)
    table.now = table.flag_ns(0)
    assert table.answer(0, action, think_ns=1) is None
    assert not isinstance(table.answer(0, action, turn=1, attempt=1), Repeat)
    assert ended(table) == ("time", [2, 1], ["time", None])


@pytest.mark.parametrize(
    "clock", [None, ClockRule(), ClockRule(increment_ns=SECOND)], ids=["none", "empty", "increment"]
)
def test_without_a_limit_nobody_runs_out(clock: ClockRule | None) -> None:
    """A day is as good as a moment."""
    table = table_of(clock)
    assert (table.match.next_flag_ns(), table.match.time_left_ns(0, table.now, 0)) == (None, None)
    table.tick(table.now + 86_400 * SECOND)
    table.answer(0, think_ns=86_400 * SECOND)
    timing = table.records("move")[0].timing
    assert timing.charged_ns == 2 * 86_400 * SECOND
    assert not timing.HasField("bank_after_ns")
    table.play().finish()


def test_nobodys_clock_runs_before_the_question_is_sent() -> None:
    """Nor before the start, nor after the end."""
    table = Table(clock=LIMIT, options=FIRST)
    table.tick(table.now + 100 * SECOND)
    table.sit()
    table.match.next_question()
    table.match.tick(table.now + 100 * SECOND, 0)
    assert table.match.take_step() == []
    table.settle()
    table.play().tick(table.now + 100 * SECOND)
    ended(table)


# Charges -----------------------------------------------------------------------------------


def test_the_start_up_allowance_is_used_first_and_ends_with_the_first_move() -> None:
    """Shares take of it, too, and what is left of it after a first move is gone."""
    table = Table("azul", 2, shares=[True, True], clock=CLOCK, options=FIRST).sit()
    table.reveal(0, think_ns=2 * SECOND)
    table.reveal(1, think_ns=4 * SECOND)
    # The second one was asked at the same time as the first.
    charged = [record.timing.charged_ns for record in table.records("reveal")]
    assert charged == [0, SECOND + GAP_NS]
    assert table.match.allowance_ns(0) == 13 * SECOND
    assert table.match.allowance_ns(1) == 10 * SECOND
    table.answer(0, think_ns=SECOND)
    table.answer(1, think_ns=SECOND)
    assert [move.timing.charged_ns for move in table.records("move")] == [0, SECOND]
    assert table.match.allowance_ns(0) == 10 * SECOND
    table.play().finish()


def test_a_move_earns_the_increment_and_a_share_does_not() -> None:
    """Nor does a refused answer."""
    table = Table("azul", 2, shares=[True, False], clock=BANK, options=FIRST).sit()
    table.reveal(0, think_ns=3 * SECOND)
    assert table.records("reveal")[0].timing.bank_after_ns == 7 * SECOND
    table.answer(0, GARBAGE, think_ns=SECOND)
    table.answer(0, think_ns=SECOND - GAP_NS)
    assert table.records("move")[0].timing.bank_after_ns == 6 * SECOND
    assert table.match.allowance_ns(0) == 6 * SECOND
    table.play().finish()


def test_the_smaller_of_limit_and_bank_decides() -> None:
    """A bank that shrinks below the limit takes its place."""
    clock = ClockRule(move_limit_ns=4 * SECOND, bank_ns=6 * SECOND)
    table = table_of(clock)
    assert table.match.allowance_ns(0) == 4 * SECOND
    table.answer(0, think_ns=3 * SECOND)
    table.answer(1)
    assert table.match.allowance_ns(0) == 3 * SECOND
    table.answer(0, think_ns=3 * SECOND)
    assert table.records("move")[-1].timing.bank_after_ns == 0
    table.answer(1)
    # An empty bank leaves the very moment of the question.
    table.tick(table.match.sent_ns)
    assert not table.match.over
    table.tick(table.now + 1)
    assert ended(table)[2] == ["time", None]


def test_time_left_counts_down_from_the_question() -> None:
    """Pauses of the referee do not count, and there is never less than nothing."""
    table = table_of(LIMIT)
    sent = table.now
    for now, credited, left in ((0, 0, 2), (1, 0, 1), (2, 1, 1), (2, 0, 0), (9, 0, 0)):
        at = sent + now * SECOND
        assert table.match.time_left_ns(0, at, credited * SECOND) == left * SECOND
    table.answer(0, think_ns=SECOND)
    assert table.match.took_ns == [SECOND, 0]
    table.play().finish()


def test_only_ones_own_turn_is_on_ones_clock() -> None:
    """What others think, and what the disk takes, is charged to nobody."""
    table = table_of(BANK)
    for _ in range(4):
        table.answer(0, think_ns=0)
        table.answer(1, think_ns=SECOND)
    banks = [clock.bank_ns for clock in table.match.fold.time.clocks]
    assert banks == [14 * SECOND, 10 * SECOND]
    table.play().finish()


def test_a_flag_after_a_rejection_counts_from_the_question() -> None:
    """A refused answer gives no time back."""
    table = table_of(LIMIT, 3)
    flag = table.flag_ns(0)
    table.answer(0, GARBAGE, think_ns=SECOND)
    assert table.match.next_flag_ns() == flag
    table.tick(flag + 1)
    assert ended(table.play())[2] == ["time", None, None]
