"""A match that is killed and taken up again is the same match (P-D5).

Agents think as long as before and choose as before, so that whatever differs is the
referee's doing: the same tiles, moves and points, wherever it was killed.
"""

from typing import Any

import pytest

from referee.rules import Options
from referee.transcript.result import Result
from referee.v1 import record_pb2 as pb
from tests import games
from tests.match.table import GARBAGE, THINK_NS, Table


def game(ruleset: str, seats: int, *, shares: bool) -> Table:
    """Return a table of a short game, nobody there yet."""
    options = Options(goals=3) if ruleset == "duel" else Options(round_cap=2)
    wanted = [seat != 1 for seat in range(seats)] if shares else None
    return Table(ruleset, seats, name="resume", shares=wanted, options=options, strikes=99)


def play_on(table: Table) -> Table:
    """Come, commit and play to the end, with a refused answer now and then."""
    table.sit()
    while not table.match.over:
        question = table.match.question()
        assert question is not None
        turn = table.match.fold.turn
        if question.is_turn and turn % 17 == 5 and table.match.fold.attempt == 1:
            table.answer(action=GARBAGE, think_ns=THINK_NS)
        table.step()
    return table


def game_of(table: Table) -> list[Any]:
    """Return what the game itself was: deals, moves, rounds."""
    return [
        (move.seat, move.turn, move.action, move.move.SerializeToString())
        if isinstance(move, pb.MoveRecord)
        else move.SerializeToString()
        for move in table.records("deal", "move", "round_scored", "rejected")
        if not isinstance(move, pb.Rejected)
    ]


def result_of(table: Table) -> Result:
    """Finish a match that has a result."""
    result = table.finish()
    assert result is not None
    return result


@pytest.mark.parametrize("shares", [False, True], ids=["fixed", "shares"])
@pytest.mark.parametrize(("ruleset", "seats"), games.EVERY_TABLE)
def test_a_match_killed_after_any_frame_is_the_same_match(
    ruleset: str, seats: int, shares: bool
) -> None:
    """Every frame of the game is tried; each time the file verifies to the same result."""
    whole = play_on(game(ruleset, seats, shares=shares))
    expected, frames = game_of(whole), len(whole.frames)
    result = result_of(whole)
    for cut in range(1, frames + 1):
        again = play_on(whole.resume(cut))
        assert game_of(again) == expected, f"other tiles or moves after frame {cut}"
        assert result_of(again) == result, f"another result after frame {cut}"


@pytest.mark.parametrize(("ruleset", "seats"), [("azul", 3), ("chocolatier-gray", 2), ("duel", 2)])
def test_a_match_killed_after_every_frame_is_the_same_match(ruleset: str, seats: int) -> None:
    """One match that is never left in peace: each epoch lasts for one step."""
    whole = play_on(game(ruleset, seats, shares=True))
    table = game(ruleset, seats, shares=True).sit()
    while not table.match.over:
        table = table.resume()
        table.step()
    assert game_of(table) == game_of(whole)
    assert [seat.score for seat in result_of(table).seats] == [
        seat.score for seat in result_of(whole).seats
    ]
    assert table.match.fold.epoch == len(table.records("restart")) + 1


@pytest.mark.parametrize(("ruleset", "seats"), [("azul", 2), ("chocolatier", 4), ("duel", 2)])
def test_a_match_taken_up_is_where_it_was(ruleset: str, seats: int) -> None:
    """Positions, views, banks, turns and strikes are those of the match that was killed."""
    table = game(ruleset, seats, shares=True).sit()
    while not table.match.over:
        table.step()
        again = table.resume().match
        now, match = again.fold, table.match
        fold = match.fold
        for seat in (None, *range(seats)):
            assert str(again.view(seat)) == str(match.view(seat))
        assert (now.turn, now.attempt, now.strikes) == (fold.turn, fold.attempt, fold.strikes)
        assert (now.live, now.shares, now.chain) == (fold.live, fold.shares, fold.chain)
        assert [*map(again.allowance_ns, range(seats))] == [*map(match.allowance_ns, range(seats))]
        assert (again.given, again.held_from) == (match.given, match.held_from)
        assert again.question() == match.question()
        assert again.player_seed(0) == match.player_seed(0)
