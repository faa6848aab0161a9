"""Seats that are out while others play on: who plays for them, and who ranks where."""

from collections.abc import Callable

import pytest

from referee.match.live import LiveMatch
from referee.rules import Options
from referee.rules.azul.components import FLOOR
from referee.rules.azul.moves import Take
from referee.transcript.wire.game import decode_move
from tests.match.table import GARBAGE, SECOND, Table, ended
from tests.transcript.scene import bytes_of

SHORT = Options(round_cap=3, first_player=0)


def by_time(table: Table) -> str:
    """Put the seat to move out by its clock."""
    table.tick(table.flag_ns(table.actor) + 1)
    return "time"


def by_giving_up(table: Table) -> str:
    """Let the seat to move give up."""
    table.give_up(table.actor)
    return "resign"


def by_strikes(table: Table) -> str:
    """Let the seat to move give nonsense for an answer."""
    table.answer(action=GARBAGE)
    return "protocol"


def by_entropy(table: Table) -> str:
    """Let the first seat that is asked for a share reveal another one."""
    table.play(until=lambda at: at.actor < 0)
    question = table.match.question()
    assert question is not None
    table.reveal(question.seats[0], bytes_of("wrong"))
    return "entropy"


Way = Callable[[Table], str]
WAYS: list[Way] = [by_time, by_giving_up, by_strikes, by_entropy]


@pytest.mark.parametrize("ruleset", ["azul", "azul-gray", "chocolatier", "chocolatier-gray"])
@pytest.mark.parametrize("way", WAYS, ids=lambda way: way.__name__)
@pytest.mark.parametrize("seats", [3, 4])
def test_the_referee_plays_for_a_seat_that_is_out(ruleset: str, way: Way, seats: int) -> None:
    """Onto the floor where it can, in the frame of what came before; nobody is asked."""
    table = Table(ruleset, seats, strikes=1, shares=[True] * seats, options=SHORT).sit()
    table.play(until=lambda at: at.actor == 1)
    reason = way(table)
    out = table.match.fold.live.index(False)
    table.play()
    frozen = [move for move in table.records("move") if move.seat == out and not move.attempt]
    assert frozen
    for record in frozen:
        move = decode_move(record.move)
        assert (record.action, record.HasField("timing")) == (b"", False)
        assert not isinstance(move, Take) or move.line == FLOOR
    for frame in table.frames:
        assert not frame[0].HasField("move") or frame[0].move.attempt
    why, ranks, outs = ended(table)
    assert (why, ranks[out], outs[out]) == ("round_cap", seats, reason)
    assert outs.count(None) == seats - 1


@pytest.mark.parametrize("seats", [3, 4])
def test_later_out_ranks_above_earlier_and_the_last_live_seat_wins(seats: int) -> None:
    """Whatever the points; the game ends where it stands."""
    table = Table("azul", seats, strikes=1, options=SHORT).sit()
    order, reasons = [], {}
    ways = [by_strikes, by_time, by_giving_up]
    for way in ways[-(seats - 1) :]:
        table.answer()
        seat = table.actor
        order.append(seat)
        reasons[seat] = way(table)
    assert table.match.over
    assert "round_scored" not in table.kinds()
    why, ranks, outs = ended(table)
    assert why == "resign"
    (winner,) = {*range(seats)} - {*order}
    assert [ranks[seat] for seat in [winner, *reversed(order)]] == [*range(1, seats + 1)]
    assert outs == [reasons.get(seat) for seat in range(seats)]


def test_a_seat_out_ranks_below_those_who_play_to_the_end_with_less() -> None:
    """Points count among the live; the game ends by its rules."""
    table = Table("azul", 4, options=Options(round_cap=6, first_player=0)).sit()
    table.play(until=lambda at: at.match.fold.position.round == 5 and at.actor == 3)
    best = max(range(4), key=lambda seat: table.match.fold.position.scores[seat])
    table.play(until=lambda at: at.actor == best)
    by_giving_up(table)
    table.play(until=lambda at: at.actor == (best + 1) % 4)
    by_time(table)
    why, ranks, outs = ended(table.play())
    assert why in ("round_cap", "complete_row")
    assert (ranks[best], ranks[(best + 1) % 4]) == (4, 3)
    assert outs.count(None) == 2


def test_absent_seats_rank_below_all_who_came() -> None:
    """Also below one that went out first in play."""
    table = Table("azul", 4, strikes=1, options=SHORT).sit(1, 3)
    table.join(2)
    table.do(LiveMatch.close_lobby)
    table.play(until=lambda at: at.actor == 2)
    by_strikes(table)
    by_giving_up(table)
    assert table.match.over
    why, ranks, outs = ended(table)
    assert (why, ranks[0], ranks[2]) == ("resign", 4, 3)
    assert outs[0] == "no_show"


def test_a_frozen_seat_that_starts_a_round_plays_in_the_frame_of_the_deal() -> None:
    """The last share, the deal and its move are one step."""
    options = Options(round_cap=3, first_player=2)
    table = Table("azul", 3, shares=[True] * 3, options=options).sit()
    table.reveal(0)
    table.reveal(1)
    table.tick(table.flag_ns(2) + 1)
    assert table.kinds() == ["seat_out", "deal", "move"]
    assert table.actor == 0
    assert ended(table.play())[2] == [None, None, "time"]


def test_two_frozen_seats_of_four_play_one_after_the_other() -> None:
    """In one step, and the clocks of the others start behind it."""
    table = Table("azul", 4, options=SHORT).sit()
    table.answer()
    by_giving_up(table)
    by_giving_up(table)
    table.answer()
    table.answer()
    assert table.actor == 3
    kinds = [table.kinds(frame) for frame in range(len(table.frames))]
    assert ["move"] * 3 in kinds
    assert table.match.sent_ns == table.now
    assert ended(table.play())[2] == [None, "resign", "resign", None]


@pytest.mark.parametrize("cap", [1, 2])
@pytest.mark.parametrize("seats", [2, 3, 4])
def test_the_round_cap_ends_a_match(seats: int, cap: int) -> None:
    """The last round is scored, and the game is over without another question."""
    table = Table("azul", seats, options=Options(round_cap=cap)).sit().play()
    assert table.kinds() == ["move", "round_scored", "game_over", "seed_reveal"]
    assert len(table.records("round_scored")) == cap
    table.tick(table.now + 100 * SECOND)
    assert ended(table)[0] == "round_cap"
