"""What a game came to after its last round (3.7)."""

from typing import TYPE_CHECKING

from referee.rules.duel import goals
from referee.rules.interface import Outcome, Termination

if TYPE_CHECKING:
    from referee.rules.duel.position import DuelPosition


def outcome(position: "DuelPosition") -> Outcome:
    """Add the goals and rank the seats; there are no draws (3.7.3)."""
    bonuses = tuple(
        [tuple([goals.bonus(board, goal) for goal in position.goals]) for board in position.boards]
    )
    scores = tuple(
        [
            # D16: the sum of all goals is added first, then a score stops at 0.
            max(0, board.score + sum([bonus.points for bonus in gained]))
            for board, gained in zip(position.boards, bonuses, strict=True)
        ]
    )
    # D22, D18: on equal scores the first-player tile decides, or who started the last round.
    winner = position.next_starter()
    if scores[0] != scores[1]:
        winner = 0 if scores[0] > scores[1] else 1
    ranks = (1, 2) if winner == 0 else (2, 1)
    return Outcome(Termination.LAST_ROUND, scores, ranks, bonuses)
