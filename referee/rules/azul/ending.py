"""When a game ends, and what it came to (clause 1.6)."""

from referee.rules.azul.board import Board
from referee.rules.interface import Outcome, Termination


def termination(
    boards: list[Board], number: int, cap: int | None, supply: int
) -> Termination | None:
    """Return why the game ends after that round, None if another one follows.

    ``supply`` is what bag and lid hold together.
    """
    for board in boards:
        if board.has_complete_row():
            return Termination.COMPLETE_ROW
    if cap is not None and number >= cap:
        return Termination.ROUND_CAP
    # A14: a round cannot start without any tile.
    return None if supply else Termination.NO_TILES


def outcome(boards: list[Board], reason: Termination) -> Outcome:
    """Add the bonuses and rank the seats."""
    bonuses = tuple([board.bonuses() for board in boards])
    scores = tuple(
        [
            board.score + sum([bonus.points for bonus in gained])
            for board, gained in zip(boards, bonuses, strict=True)
        ]
    )
    # A11, A12: score, then complete rows; equal keys share a rank.
    keys = [(score, board.complete_rows()) for score, board in zip(scores, boards, strict=True)]
    ranks = tuple([1 + sum([other > key for other in keys]) for key in keys])
    return Outcome(reason, scores, ranks, bonuses)
