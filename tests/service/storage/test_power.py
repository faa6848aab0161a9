"""No acknowledged byte is lost: power cuts, killed processes and failing disks (P-D1, P-D2, P-D6)."""

import errno
import random

import pytest

from referee.service.storage.transcripts import Durability
from tests.service.storage.fake_disk import FakeDisk
from tests.service.storage.workload import Faults, Workload, cut_power

FAULTS = {"none": None, "full": errno.ENOSPC, "broken": errno.EIO, "short": "short"}


def operations(seed: int) -> int:
    """Return how many operations a workload takes if nothing goes wrong."""
    disk = FakeDisk()
    assert Workload(seed).live(disk)
    return disk.count


def test_a_cut_at_every_operation_loses_nothing() -> None:
    """Wherever the power goes, a restart finds all that was synced, and the matches go on."""
    for at in range(operations(1)):
        workload, disk = Workload(1), FakeDisk()
        disk.fault = Faults({at: "cut"})
        assert not workload.live(disk)
        assert workload.live(disk.after_power_cut(random.Random(at)))
        assert all(promise.finished for promise in workload.promises)


@pytest.mark.parametrize("fault", FAULTS.values(), ids=FAULTS)
def test_cuts_in_many_lives_lose_nothing(fault: int | str | None) -> None:
    """Cuts while playing and while recovering, on a good and on a failing disk."""
    assert sum(cut_power(seed, fault=fault) for seed in range(60)) > 60


def test_a_killed_process_loses_nothing_written() -> None:
    """Without a loss of power, matches with `batch` keep every acknowledged frame, too."""
    for at in range(operations(2)):
        workload, disk = Workload(2), FakeDisk()
        disk.fault = Faults({at: "cut"})
        assert not workload.live(disk)
        for promise in workload.promises:
            if promise.durability is not Durability.OFF:
                promise.safe = len(promise.acked)
        assert workload.live(disk.after_kill())
        assert all(promise.finished for promise in workload.promises)


@pytest.mark.parametrize("fault", [errno.ENOSPC, errno.EIO, "short"])
def test_one_failure_stops_at_most_what_it_hit(fault: int | str) -> None:
    """Whichever operation fails, no match gets an error: the journal or its own file has it."""
    first = 20  # making the folders is a part of the start, which may fail
    for at in range(first, operations(3)):
        workload, disk = Workload(3), FakeDisk()
        disk.fault = Faults({at: fault})
        assert workload.live(disk), f"operation {at}: {disk.seen[at]}"
        assert all(promise.finished for promise in workload.promises)
        assert [promise.errors for promise in workload.promises] == [0] * 5, disk.seen[at]
        assert workload.live(disk.after_power_cut(random.Random(at)))


def test_the_same_cut_is_the_same_run() -> None:
    """A seed repeats a run exactly, so that a red one can be looked at."""
    assert [operations(seed) for seed in range(5)] == [operations(seed) for seed in range(5)]
    assert [cut_power(seed) for seed in range(5)] == [cut_power(seed) for seed in range(5)]
