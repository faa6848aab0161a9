"""Golden games and move orders: they change only when a rule or a notation does."""

import pytest

from referee.rules import RULESETS
from tests.games import EVERY_TABLE
from tests.golden import write


@pytest.mark.parametrize(("key", "seats"), EVERY_TABLE)
def test_playthroughs(key: str, seats: int) -> None:
    """The whole game comes out as it is written."""
    kept = (write.PLAYTHROUGHS / f"{key}-{seats}.txt").read_text()
    assert write.playthrough(key, seats) == kept


def test_no_playthrough_is_missing_or_left_over() -> None:
    """One for every ruleset and seat count there is."""
    kept = {file.name for file in write.PLAYTHROUGHS.iterdir()}
    assert kept == {f"{key}-{seats}.txt" for key, seats in EVERY_TABLE}


@pytest.mark.parametrize(("key", "seats"), write.REPLAYED)
def test_replays(key: str, seats: int) -> None:
    """A recorded game is told as it is written: its words change on purpose only."""
    assert write.replay(key, seats) == (write.REPLAYS / f"{key}-{seats}.txt").read_text()


def test_every_ruleset_has_a_replay() -> None:
    """One for each, and none left over."""
    kept = {file.name for file in write.REPLAYS.iterdir()}
    assert kept == {f"{key}-{seats}.txt" for key, seats in write.REPLAYED}
    assert [key for key, _ in write.REPLAYED] == list(RULESETS)


def test_move_orders() -> None:
    """An agent may answer with an index, so the order is part of the interface."""
    assert write.move_orders() == write.MOVE_ORDERS.read_text()


def test_the_samples_show_every_kind_of_list() -> None:
    """Takes from everywhere, divisions of a spread factory, columns of a gray wall."""
    text = write.MOVE_ORDERS.read_text()
    for sign in ("<", "@", " CB", "F"):
        assert sign in text
