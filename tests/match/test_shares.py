"""Shares of the draws: asked for, revealed, wrong, withheld, repeated."""

import pytest

from referee.match import acting
from referee.match.replies import Refusal
from referee.rules import Options
from referee.transcript.clock import ClockRule
from referee.v1.play_pb2 import RefuseReason
from tests.match.table import CLOCK, SECOND, Table, ended
from tests.transcript.scene import bytes_of

NOT_ASKED = acting.NOT_ASKED
SHORT = Options(round_cap=3)


def table_of(
    seats: int = 2, shares: list[bool] | None = None, clock: ClockRule | None = CLOCK
) -> Table:
    """Return a table whose seats have shares and are asked for the first."""
    wanted = [True] * seats if shares is None else shares
    return Table("azul", seats, shares=wanted, clock=clock, options=SHORT).sit()


def second_round(table: Table) -> Table:
    """Play until the shares of the second round are asked for."""
    return table.play(until=lambda at: at.match.fold.position.chance_round == 2 and at.actor < 0)


@pytest.mark.parametrize("seats", [2, 3, 4])
@pytest.mark.parametrize("number", [1, 2])
def test_a_wrong_share_puts_a_seat_out(seats: int, number: int) -> None:
    """By ENTROPY, at once; the others play on, without its share."""
    table = table_of(seats)
    if number == 2:
        second_round(table)
    assert table.reveal(1, bytes_of("wrong")) is None
    assert table.kinds()[:2] == ["reveal", "seat_out"]
    why, ranks, outs = ended(table.play())
    assert why == ("entropy" if seats == 2 else "round_cap")
    assert (outs[1], ranks[1]) == ("entropy", seats)
    if seats > 2:
        fairness = table.match.fold.fairness
        assert 1 not in fairness.rounds[number - 1]
        assert 0 in fairness.rounds[number - 1]


def test_the_share_of_another_round_or_seat_is_a_wrong_one() -> None:
    """It does not open what the seat showed before."""
    for x in ("the next", "the last", "the other's"):
        table = second_round(table_of(3))
        chain = table.chains[0]
        value = {"the next": chain[3], "the last": chain[1], "the other's": table.chains[1][2]}[x]
        table.reveal(0, value)
        assert not table.match.fold.live[0]
        assert ended(table.play())[2] == ["entropy", None, None]


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_a_share_withheld_costs_the_time_of_its_seat(seats: int) -> None:
    """Its own clock runs out, and only its own; all were asked at one time."""
    table = table_of(seats)
    for seat in range(1, seats):
        table.reveal(seat)
    flag = table.flag_ns(0)
    table.tick(flag)
    assert table.match.fold.live[0]
    table.tick(flag + 1)
    assert not table.match.fold.live[0]
    sent = {record.timing.sent_ns for record in table.records("reveal")}
    assert sent == {table.records("seat_out")[0].sent_ns}
    why, ranks, outs = ended(table.play())
    assert why == ("time" if seats == 2 else "round_cap")
    assert (ranks[0], outs[0], outs[1:]) == (seats, "time", [None] * (seats - 1))


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_all_withheld_at_the_same_nanosecond_is_nobodys_win(seats: int) -> None:
    """All flags fall at once."""
    table = table_of(seats)
    table.tick(table.flag_ns(0) + SECOND)
    assert table.match.over
    assert ended(table) == ("double_fault", [2] * seats, ["time"] * seats)


def test_two_flags_at_once_leave_the_third_seat_the_winner() -> None:
    """The reason is that of the last seats out."""
    table = table_of(3)
    table.reveal(2)
    table.tick(table.flag_ns(0) + 1)
    assert ended(table) == ("time", [2, 2, 1], ["time", "time", None])


def test_the_later_flag_falls_after_what_the_earlier_one_has_caused() -> None:
    """With two seats it does not fall at all: the other one has won."""
    for seats in (2, 3):
        table = second_round_with_other_banks(seats)
        flags = [table.flag_ns(seat) for seat in range(seats)]
        assert flags[0] < flags[1]
        table.tick(max(flags) + 1)
        assert table.match.fold.live[:2] == [False, True]
        table.tick()
        if seats == 2:
            assert ended(table) == ("time", [2, 1], ["time", None])
        else:
            assert ended(table) == ("time", [3, 2, 1], ["time", "time", None])


def second_round_with_other_banks(seats: int) -> Table:
    """Return a table where seat 0 has less in its bank than seat 1, and both are asked."""
    table = table_of(
        seats, shares=[True, True, False][:seats], clock=ClockRule(bank_ns=60 * SECOND)
    )
    table.play(until=lambda at: at.actor == 0)
    table.answer(0, think_ns=9 * SECOND)
    return second_round(table)


def test_a_late_share_of_the_later_flag_does_not_save_it() -> None:
    """The earlier flag falls first; the late share has no effect, and the seat is next."""
    table = second_round_with_other_banks(3)
    table.now = table.flag_ns(1)
    assert table.reveal(1, think_ns=1) is None
    assert table.match.fold.live == [False, True, True]
    assert table.reveal(1, think_ns=1) is None
    assert ended(table) == ("time", [3, 2, 1], ["time", "time", None])


def test_a_share_in_time_counts_though_the_other_flag_has_fallen() -> None:
    """Nobody looked at the clocks in between; the seat that is late is still out."""
    table = second_round_with_other_banks(2)
    table.now = table.flag_ns(0) + 1
    assert table.reveal(1, think_ns=0) is None
    table.tick()
    assert ended(table) == ("time", [2, 1], ["time", None])


# Repeats -----------------------------------------------------------------------------------


@pytest.mark.parametrize("resumed", [False, True], ids=["at once", "after a restart"])
def test_a_share_repeated_changes_nothing(resumed: bool) -> None:
    """Before its deal, after it, and rounds later."""
    table = table_of()
    table.reveal(0)
    if resumed:
        table = table.resume()
    frames = len(table.frames)
    assert table.reveal(0, number=1) is None
    assert len(table.frames) == frames
    second_round(table)
    table.reveal(1)
    frames = len(table.frames)
    for seat, number in ((0, 1), (1, 1), (1, 2)):
        assert table.reveal(seat, number=number) is None
    assert len(table.frames) == frames
    assert ended(table.play())[2] == [None, None]


@pytest.mark.parametrize("resumed", [False, True], ids=["at once", "after a restart"])
def test_another_value_for_a_recorded_round_is_refused(resumed: bool) -> None:
    """Only a first share can be a wrong one."""
    table = second_round(table_of())
    table.reveal(1)
    if resumed:
        table = table.resume()
    for seat, number in ((0, 1), (1, 1), (1, 2)):
        assert table.reveal(seat, bytes_of("other"), number=number) == NOT_ASKED
    assert table.match.fold.live == [True, True]
    assert ended(table.play())[2] == [None, None]


@pytest.mark.parametrize("number", [0, 3, 64, 65, 2**32 - 1])
def test_a_round_that_is_not_asked_for_is_refused(number: int) -> None:
    """Whatever is sent for it; the asked one may follow."""
    table = second_round(table_of())
    for x in (table.chains[0][2], table.chains[0][min(number, 64)]):
        assert table.reveal(0, x, number=number) == NOT_ASKED
    assert ended(table.play())[2] == [None, None]


def test_nothing_is_asked_of_a_seat_on_its_turn_or_without_a_share() -> None:
    """Shares are for the time between rounds, and of those who committed."""
    table = table_of(2, shares=[True, False])
    assert table.reveal(1, bytes_of("any"), number=1) == NOT_ASKED
    table.reveal(0)
    assert table.actor >= 0
    assert table.reveal(0, number=2) == NOT_ASKED
    assert ended(table.play())[2] == [None, None]


@pytest.mark.parametrize("size", [0, 31, 33])
def test_a_share_of_another_size_is_refused(size: int) -> None:
    """It is no share at all, so it cannot be a wrong one."""
    table = table_of()
    reply = table.reveal(0, bytes(size))
    assert isinstance(reply, Refusal)
    assert reply.reason == RefuseReason.REFUSE_REASON_MALFORMED
    assert ended(table.play())[2] == [None, None]


def test_shares_come_before_the_start_and_after_the_end_in_vain() -> None:
    """The match has not begun, or has ended."""
    table = Table(shares=[True, True], options=SHORT).sit(0)
    assert table.reveal(0, number=1) == acting.NOT_STARTED
    table.sit(1).play()
    assert table.reveal(0, number=1) == acting.MATCH_ENDED
    ended(table)


# Who sees them -----------------------------------------------------------------------------


def test_a_share_and_all_after_it_wait_for_the_deal() -> None:
    """Also what others do in between, a restart, and a wrong share of another seat."""
    table = table_of(3)
    table.reveal(0)
    first = table.match.held_from
    assert first == table.match.records - 1
    table.leave(1)
    table.reveal(2, bytes_of("wrong"))
    table = table.resume()
    assert table.match.held_from == first
    assert len(table.told) == first
    table.reveal(1)
    assert table.kinds()[:2] == ["reveal", "deal"]
    assert table.match.held_from is None
    assert len(table.told) == table.match.records
    ended(table.play())
