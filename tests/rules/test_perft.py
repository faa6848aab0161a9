"""Counts of move sequences from openings whose numbers other engines agree on."""

import pytest

from referee.rules.azul.position import AzulPosition
from tests.tables import table


def perft(position: AzulPosition, depth: int) -> int:
    """Count the sequences of so many moves within the offer."""
    moves = position.legal_moves()
    if depth == 1:
        return len(moves)
    total = 0
    for move in moves:
        after = position.copy()
        after.play(move)
        total += perft(after, depth - 1)
    return total


@pytest.mark.parametrize(
    ("factories", "counts"),
    [
        ("BBBB,YYYY,RRRR,KKKK,WWWW", (30, 720, 11_160)),
        ("BBYY,RRKK,BBWW,YYRR,KKWW", (60, 3_240, 133_500)),
        ("BYRK,BYRW,BYKW,BRKW,YRKW", (120, 13_680, 1_197_720)),
    ],
)
def test_openings(factories: str, counts: tuple[int, ...]) -> None:
    """Two players, empty boards, the marker in the center."""
    position = table(factories=factories, number=1)
    assert tuple(perft(position, depth) for depth in range(1, len(counts) + 1)) == counts
