"""Anything in any order: no input breaks a match, keeps it from its end, or spoils its record."""

import pytest

from tests.match.schedules import Schedule

SCHEDULES = 600
AT_ONCE = 50


@pytest.mark.parametrize("first", range(0, SCHEDULES, AT_ONCE))
def test_whatever_happens_a_match_ends_with_a_record_that_verifies(first: int) -> None:
    """Nothing raises, shares wait for their deal, the seed for the end (see `Table`)."""
    for seed in range(first, first + AT_ONCE):
        schedule = Schedule(seed)
        try:
            schedule.play().finish()
        except Exception as error:
            raise AssertionError(f"schedule {seed}: {error!r}") from error


def test_schedules_reach_every_record_and_every_end() -> None:
    """What never happens there is not tested there."""
    kinds, reasons = set(), set()
    for seed in range(400):
        table = Schedule(seed).play()
        kinds |= {record.WhichOneof("kind") for frame in table.frames for record in frame}
        reasons |= {over.reason for over in table.records("game_over")}
        reasons |= {out.reason for out in table.records("seat_out")}
    # Voids and signatures come from elsewhere; a seed is never lost here.
    assert len(kinds) == 18
    assert len(reasons) >= 10
