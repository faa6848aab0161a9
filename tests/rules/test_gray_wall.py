"""Clause 1.7 and rulings V1 to V8: the gray wall."""

import pytest

from referee.rules import CHANCE, Illegal, tally
from referee.rules.azul.components import MARKER
from referee.rules.azul.position import AzulPosition
from tests.tables import board, listed, play, refusal, table

# Row 2 is free in columns 0 and 4; column 0 already holds red.
NARROW = "R..../...../.BYK./...../....."
# Row 2 is free in columns 0 and 4, and both hold red.
CLOSED = "R..../....R/.BYK./...../....."


def last_take(own: str, *, other: str | None = None, starter: str = "0") -> AzulPosition:
    """Let seat 0 end a round by dropping one white tile."""
    boards = [own, board() if other is None else other]
    return play(table("azul-gray", factories="W,-,-,-,-", boards=boards, starter=starter), "0WF")


def test_1_7_1_any_empty_cell_whose_column_lacks_the_color() -> None:
    """Blue in column 3 of another row bars column 3, an occupied cell bars column 2."""
    own = board(lines="-/BB/-/-/-", wall="...../..R../...../...B./.....")
    assert listed(last_take(own)) == ["1@0", "1@1", "1@4"]


@pytest.mark.parametrize(
    ("move", "reason", "words"),
    [
        ("1@2", Illegal.CELL_OCCUPIED, "row 1, column 2 is occupied"),
        ("1@3", Illegal.COLUMN_HAS_COLOR, "column 3 of the wall already holds blue"),
        ("0@0", Illegal.WRONG_ROW, "the line to tile now is 1, not 0"),
        ("0BF", Illegal.WRONG_KIND, "the wall is being tiled"),
    ],
)
def test_1_7_1_refusals_name_what_stands_in_the_way(move: str, reason: Illegal, words: str) -> None:
    """Each with its own reason."""
    own = board(lines="-/BB/-/-/-", wall="...../..R../...../...B./.....")
    error = refusal(last_take(own), move)
    assert error.reason is reason
    assert words in str(error)


def test_1_7_1_a_placed_tile_scores_like_any_other() -> None:
    """Across 2 and down 2."""
    own = board(score=5, lines="-/BB/-/-/-", wall="..R../.R.../...../...B./.....")
    position = play(last_take(own), "1@2")
    assert position.scores[0] == 5 + 4 - 1
    assert tally.counts(position.lid) == (1, 0, 0, 0, 1)


def test_1_7_2_lines_from_the_top_each_seeing_the_one_above() -> None:
    """Line 0 puts blue into column 2, so line 3 cannot."""
    position = last_take(board(lines="B/-/-/BBBB/-"))
    assert listed(position) == ["0@0", "0@1", "0@2", "0@3", "0@4"]
    assert listed(play(position, "0@2")) == ["3@0", "3@1", "3@3", "3@4"]


def test_1_7_3_a_single_cell_is_no_move() -> None:
    """The referee places it and the round goes on."""
    position = last_take(board(score=5, lines="-/-/RRR/-/-", wall=NARROW))
    assert position.actor == CHANCE
    assert "R..../...../.BYKR" in str(position)


def test_1_7_4_a_line_without_a_cell_falls_at_once() -> None:
    """Three tiles and the dropped one: 6 points, paid this round."""
    position = last_take(board(score=9, lines="-/-/RRR/-/-", wall=CLOSED))
    assert position.scores[0] == 9 - 6
    assert tally.counts(position.lid) == (0, 0, 3, 0, 1)
    assert position.boards[0].lines[2] == 0


def test_1_7_4_the_emptied_line_is_open_again() -> None:
    """To every color its row lacks, red included (V5)."""
    own = last_take(board(score=9, lines="-/-/RRR/-/-", wall=CLOSED)).boards[0]
    assert [own.is_open(2, color) for color in range(5)] == [False, False, True, False, True]


def test_1_7_5_a_line_that_is_not_full_is_never_evicted() -> None:
    """Two red tiles wait in line 2 although no cell is left for them."""
    position = last_take(board(lines="-/-/RR/-/-", wall=CLOSED))
    assert tally.counts(position.boards[0].lines[2]) == (0, 0, 2, 0, 0)


def test_v1_the_floor_is_no_choice_while_a_cell_is_left() -> None:
    """Only columns are listed."""
    position = last_take(board(lines="B/-/-/-/-"))
    assert all("@" in move for move in listed(position))


def test_v2_no_lower_line_is_settled_before_a_choice_above() -> None:
    """Line 2 has one cell now, but line 0 chooses first and can take that away."""
    own = board(score=9, lines="R/-/RRR/-/-", wall="...../R..../.BYK./...../.....")
    position = last_take(own)
    assert listed(position) == ["0@1", "0@2", "0@3", "0@4"]
    taken_away = play(position.copy(), "0@4")
    assert taken_away.boards[0].lines[2] == 0
    # The line fell: with the white tile four spaces are paid.
    assert taken_away.scores[0] == 9 + 1 - 6
    kept = play(position, "0@1")
    assert ".BYKR" in str(kept)


def test_v3_boards_do_not_touch_each_other() -> None:
    """What one seat places bars nothing for another."""
    position = last_take(board(lines="B/-/-/-/-"), other=board(lines="B/-/-/-/-"))
    play(position, "0@2")
    assert (position.actor, listed(position)) == (1, ["0@0", "0@1", "0@2", "0@3", "0@4"])


def test_v4_what_finds_no_space_goes_to_the_lid() -> None:
    """Five spaces and the dropped tile are taken: one of three tiles lies, two are lid."""
    own = board(score=30, lines="-/-/RRR/-/-", wall=CLOSED, floor="KKKKK")
    position = last_take(own)
    assert position.scores[0] == 30 - 14
    assert tally.counts(position.lid) == (0, 0, 3, 5, 1)


def test_v5_a_color_without_a_cell_may_still_be_collected() -> None:
    """Taking looks at the row only."""
    own = board(wall=CLOSED)
    position = table("azul-gray", factories="RRRK,-,-,-,-", boards=[own, board()])
    assert "0R2" in listed(position)


def test_v6_an_evicted_line_lies_after_what_fell_before() -> None:
    """Marker, the dropped tile, then line 2; line 3 still has a choice, so all lie there."""
    own = board(lines="-/-/RRR/KKKK/-", wall=CLOSED, floor="M")
    position = table("azul-gray", factories="W,-,-,-,-", boards=[own, board()], marker="0")
    play(position, "0WF")
    assert position.actor == 0
    assert position.boards[0].floor == (MARKER, 4, 2, 2, 2)


def test_v7_a_forced_column_is_placed_by_the_referee() -> None:
    """Only the free choice of line 0 is a move."""
    own = board(lines="K/-/RRR/-/-", wall=NARROW)
    position = last_take(own)
    assert [move[0] for move in listed(position)] == ["0"] * len(listed(position))
    play(position, listed(position)[0])
    assert position.actor == CHANCE


def test_v8_seats_choose_in_turn_order_from_the_starter() -> None:
    """Seat 1 started the round, so it tiles first, all its lines, then seat 0."""
    own, other = board(lines="B/YY/-/-/-"), board(lines="K/-/RRR/-/-")
    position = last_take(own, other=other, starter="1")
    order = []
    while position.actor >= 0:
        move = listed(position)[0]
        order.append((position.actor, move[0]))
        play(position, move)
    assert order == [(1, "0"), (1, "2"), (0, "0"), (0, "1")]


def test_v8_a_seat_pays_its_floor_before_the_next_one_chooses() -> None:
    """So what the next one sees is final for the seats before it."""
    position = last_take(board(score=4, lines="B/-/-/-/-"), other=board(lines="B/-/-/-/-"))
    play(position, "0@0")
    assert position.actor == 1
    assert (position.scores[0], position.boards[0].floor) == (4 + 1 - 1, ())
