"""Every illegal move of 1,000 positions (`make soak-illegal`), refused by the match itself.

POSITIONS= says how many there shall be, of seeded matches of every ruleset and size in turn. Each
move must be refused with a reason and change nothing but the count of strikes.
"""

import os
import sys
import time
from collections import Counter
from itertools import count
from multiprocessing import get_context

from tests.match.illegal import Tried, try_some

POSITIONS = int(os.environ.get("POSITIONS", "1000"))
PER_MATCH = 8
# The tests have the first ones.
FIRST = 1_000


def run(number: int) -> tuple[list[Tried], str]:
    """Try all in some positions of a match; return what it came to, and what went wrong."""
    try:
        return try_some(FIRST + number, PER_MATCH), ""
    except AssertionError as error:
        return [], f"match {FIRST + number}: {error!r}"


def main() -> None:
    """Run on all cores until there were enough positions."""
    began = time.perf_counter()
    seen: set[str] = set()
    reasons: Counter[str] = Counter()
    with get_context("spawn").Pool() as pool:
        for tried, problem in pool.imap(run, count()):
            if problem:
                sys.exit(problem)
            for one in tried:
                seen.add(one.position)
                reasons += one.reasons
            if len(seen) >= POSITIONS:
                break
    for reason, times in reasons.most_common():
        print(f"{times:10,} {reason}")
    seconds = time.perf_counter() - began
    print(
        f"{len(seen):,} positions, {reasons.total():,} illegal moves, all refused: {seconds:.0f} s"
    )


if __name__ == "__main__":
    main()
