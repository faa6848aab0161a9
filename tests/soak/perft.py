"""The long run of perft (`make soak-perft`): every digest, and the oracle as far as it gets.

The engine computes every count and digest of the perft files, the oracle those of up to
SOAK_SEQUENCES sequences. Files go to all cores line by line; the exit code is 1 if anything
disagreed.
"""

import multiprocessing
import os
import sys
import time

from referee.rules import RULESETS
from referee.rules.perft import perft
from tests.oracle import engine
from tests.oracle import perft as oracle
from tests.perft.cases import QUICK, Case, Depth, file_of, read_cases

SEQUENCES = int(os.environ.get("SOAK_SEQUENCES", str(QUICK)))


def by_the_engine(case: Case, row: Depth) -> tuple[int, str]:
    """Return count and digest as the library has them."""
    leaves = perft(case.start(), row.depth, case.pins())
    return leaves.count, leaves.digest_text


def by_the_oracle(case: Case, row: Depth) -> tuple[int, str]:
    """Return count and digest as the oracle has them."""
    seed = None if case.seed is None else bytes.fromhex(case.seed)
    return oracle.perft(case.position, row.depth, case.deals, seed)


def differences(case: Case) -> tuple[int, int, list[str]]:
    """Return how many sequences each of the two walked, and where they differ from the file."""
    key = case.position.partition("/")[0]
    walked = by_oracle = 0
    apart = []
    for row in case.depths:
        found = by_the_engine(case, row)
        walked += row.count
        if found != (row.count, row.digest):
            apart.append(f"{key} {case.name} depth {row.depth}: the engine says {found}")
        if key in engine.RULESETS and row.count <= SEQUENCES:
            found = by_the_oracle(case, row)
            by_oracle += row.count
            if found != (row.count, row.digest):
                apart.append(f"{key} {case.name} depth {row.depth}: the oracle says {found}")
    return walked, by_oracle, apart


def main() -> None:
    """Go through all files on all cores."""
    started = time.perf_counter()
    cases = [case for key in RULESETS for case in read_cases(file_of(key))]
    walked = by_oracle = 0
    apart: list[str] = []
    with multiprocessing.get_context("spawn").Pool() as pool:
        for more, other, words in pool.imap_unordered(differences, cases):
            walked, by_oracle = walked + more, by_oracle + other
            apart += words
            for sentence in words:
                print(sentence, flush=True)
    print(
        f"{len(cases)} positions: {walked:,} sequences by the engine, {by_oracle:,} by the oracle"
    )
    print(f"{len(apart)} disagreements, {time.perf_counter() - started:.0f} s")
    sys.exit(1 if apart else 0)


if __name__ == "__main__":
    main()
