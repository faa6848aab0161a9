"""Before the start: who comes, who commits, who never shows up."""

import pytest

from referee.match import acting
from referee.match.live import LiveMatch
from referee.match.replies import Refusal, Reply
from referee.rules import Options
from referee.v1.play_pb2 import RefuseReason
from tests.match.table import Table, ended

COMMIT = RefuseReason.REFUSE_REASON_COMMIT
SHORT = Options(round_cap=1)


def refused(reply: Reply) -> RefuseReason.ValueType:
    """Return why a message had no effect."""
    assert isinstance(reply, Refusal)
    return reply.reason


def close(table: Table) -> Table:
    """End the time to come."""
    return table.do(LiveMatch.close_lobby)


# Absent seats ------------------------------------------------------------------------------


@pytest.mark.parametrize("shares", [False, True], ids=["fixed", "shares"])
@pytest.mark.parametrize(
    ("seats", "came"),
    [
        (seats, [seat for seat in range(seats) if bits >> seat & 1])
        for seats in (2, 3, 4)
        for bits in range(1 << seats)
    ],
    ids=str,
)
def test_who_never_comes_is_out(seats: int, came: list[int], shares: bool) -> None:
    """All absent at once: one alone wins, none means no winner, two or more play on."""
    table = Table("azul", seats, shares=[True] * seats if shares else None, options=SHORT)
    if came:
        table.sit(*came)
    close(table)
    absent = [seat for seat in range(seats) if seat not in came]
    assert [out.seat for out in table.records("seat_out")] == absent
    assert table.match.over == (len(came) < 2)
    close(table)
    why, ranks, outs = ended(table.play())
    assert why == ("round_cap" if len(came) > 1 else "no_show")
    assert [seat for seat, out in enumerate(outs) if out == "no_show"] == absent
    # Who is absent shares the first rank below all who came, and nobody wins an empty table.
    assert {ranks[seat] for seat in absent} <= {len(came) + 1 if came else 2}
    assert all(ranks[seat] <= len(came) for seat in came)


def test_an_empty_table_is_one_frame() -> None:
    """All go out together, and the end follows directly."""
    table = close(Table("azul", 3))
    assert table.kinds() == ["seat_out"] * 3 + ["game_over", "seed_reveal"]
    assert ended(table) == ("no_show", [2, 2, 2], ["no_show"] * 3)


def test_who_comes_too_late_may_only_look() -> None:
    """The seat is out: it cannot join, commit or play, and after the end all may hear of it."""
    table = close(Table("azul", 3, shares=[True] * 3, options=SHORT).sit(0, 1))
    out = RefuseReason.REFUSE_REASON_SEAT_OUT
    assert table.join(2) == acting.SEAT_OUT
    assert refused(table.commit(2, table.chains[2][0])) == COMMIT
    assert refused(table.reveal(2)) == out
    assert refused(table.answer(2, b"")) == out
    assert not table.match.connected[2]
    table.play()
    assert table.join(2) is None
    ended(table)


def test_closing_the_lobby_of_a_running_match_changes_nothing() -> None:
    """The start window may end at any time."""
    table = Table().sit()
    frames = len(table.frames)
    assert len(close(table).frames) == frames
    table.play().finish()


# Commitments -------------------------------------------------------------------------------


def test_silence_to_the_end_of_the_window_is_no_share() -> None:
    """Who has joined and not committed plays, and has no part in the draws."""
    table = Table("azul", 3, shares=[True, True, True], options=SHORT)
    table.sit(0)
    table.join(1, 2)
    table.commit(2, None)
    assert table.match.question() is None
    close(table)
    assert [record.HasField("x0") for record in table.records("agent_commit")] == [
        True,
        False,
        False,
    ]
    question = table.match.question()
    assert question is not None
    assert question.seats == (0,)
    assert ended(table.play())[2] == [None] * 3


def test_a_match_starts_with_the_last_commitment() -> None:
    """Not with the last agent; in whatever order they come."""
    table = Table("azul", 2, shares=[True, False], options=SHORT)
    table.join(1, 0)
    table.commit(0, table.chains[0][0])
    assert table.match.question() is None
    table.commit(1, None)
    assert table.kinds() == ["agent_commit", "started"]
    table.play().finish()


@pytest.mark.parametrize("started", [False, True], ids=["before", "after"])
@pytest.mark.parametrize("first", [None, 0], ids=["none", "share"])
def test_a_commitment_repeated_changes_nothing_and_another_is_refused(
    first: int | None, started: bool
) -> None:
    """Before the start and after it; what was said first holds."""
    table = Table(shares=[first is not None, True], options=SHORT).sit(0)
    x_0, other = table.chains[0][0], table.chains[0][1]
    if started:
        table.sit(1)
    frames = len(table.frames)
    assert table.commit(0, None if first is None else x_0) is None
    assert refused(table.commit(0, x_0 if first is None else None)) == COMMIT
    assert refused(table.commit(0, other)) == COMMIT
    assert len(table.frames) == frames
    if not started:
        table.sit(1)
    assert ended(table.play())[2] == [None, None]


def test_a_commitment_after_the_start_is_late() -> None:
    """The window has closed with none for this seat."""
    table = Table(shares=[True, True], options=SHORT).sit(0)
    table.join(1)
    close(table)
    assert refused(table.commit(1, table.chains[1][0])) == COMMIT
    assert table.commit(1, None) is None
    table.play().finish()


@pytest.mark.parametrize("size", [0, 31, 33, 1_000])
def test_a_commitment_of_another_size_is_none(size: int) -> None:
    """It is refused, and a right one may follow."""
    table = Table(shares=[True, True], options=SHORT)
    table.join(0)
    assert refused(table.commit(0, bytes(size))) == RefuseReason.REFUSE_REASON_MALFORMED
    table.commit(0, table.chains[0][0])
    table.sit(1).play().finish()


def test_a_fixed_seed_refuses_every_commitment() -> None:
    """None, too; the match starts without."""
    table = Table(options=SHORT)
    table.join(0)
    for x_0 in (None, table.chains[0][0]):
        assert refused(table.commit(0, x_0)) == COMMIT
    table.join(1)
    assert table.kinds() == ["joined", "started", "deal"]
    assert refused(table.commit(0, None)) == COMMIT
    assert table.records("agent_commit", "reveal") == []
    table.play().finish()


# Joining -----------------------------------------------------------------------------------


def test_an_agent_that_joins_twice_is_one_agent() -> None:
    """The second time it is back; what it says of itself stands as it was said first."""
    table = Table(options=SHORT)
    table.join(0, 0)
    assert table.kinds() == ["reconnect"]
    assert len(table.records("joined")) == 1
    table.leave(0)
    assert table.match.connected == [False, False]
    # Nobody needs to be there for the match to start.
    table.join(1)
    assert table.match.question() is not None
    table.play().finish()
