"""Every illegal move of some positions is refused; `make soak-illegal` has a thousand of them."""

import pytest

from tests.games import EVERY_TABLE
from tests.match.illegal import try_some

POSITIONS = 3


@pytest.mark.parametrize(
    "number", range(len(EVERY_TABLE)), ids=[f"{key}-{seats}" for key, seats in EVERY_TABLE]
)
def test_every_illegal_move(number: int) -> None:
    """In positions of every ruleset and size: for a reason each, and without another effect."""
    tried = try_some(number, POSITIONS)
    assert tried
    for one in tried:
        assert one.position.startswith(f"{EVERY_TABLE[number][0]}/")
        assert one.reasons.total() > 200
        assert len(one.reasons) > 2
