"""Cuts of power (`make soak-power`): CUTS of them, at random operations of random workloads (P-D2).

Half of the runs have a good disk, the others one that is full, broken or short of space for a
while. Every run goes through several lives, some cut while they recover. 0 bytes lost is the
only result that is printed as one; anything else ends with the seed that shows it.
"""

import errno
import os
import sys
from itertools import count
from multiprocessing import get_context

from tests.service.storage.workload import cut_power

CUTS = int(os.environ.get("CUTS", "10000"))
FAULTS = (None, errno.ENOSPC, None, errno.EIO, None, "short")
CHUNK = 100


def run(chunk: int) -> tuple[int, str]:
    """Cut the power in some runs; return how often, and what went wrong."""
    cuts = 0
    for seed in range(chunk * CHUNK, (chunk + 1) * CHUNK):
        try:
            cuts += cut_power(seed, fault=FAULTS[seed % len(FAULTS)])
        except AssertionError as error:
            return cuts, f"seed {seed}: {error}"
    return cuts, ""


def main() -> None:
    """Run on all cores until there were enough cuts."""
    cuts = 0
    with get_context("spawn").Pool() as pool:
        for done, problem in pool.imap(run, count()):
            cuts += done
            if problem:
                sys.exit(problem)
            print(f"{cuts} cuts: nothing acknowledged was lost", flush=True)
            if cuts >= CUTS:
                break


if __name__ == "__main__":
    main()
