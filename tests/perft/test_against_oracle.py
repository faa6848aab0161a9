"""The perft files against the oracle, an engine that shares no code with the library."""

import subprocess
import sys
from pathlib import Path

import pytest

from tests.oracle import engine
from tests.oracle import perft as oracle
from tests.perft.cases import Case, file_of, read_cases

# The oracle is slow; `make soak-perft` lets it go further.
MOST = 1_500

CASES = [(key, case) for key in engine.RULESETS for case in read_cases(file_of(key))]


@pytest.mark.parametrize(("key", "case"), CASES, ids=[f"{key} {case.name}" for key, case in CASES])
def test_the_oracle_counts_and_digests_the_same(key: str, case: Case) -> None:
    """To the depth that it can reach in good time, at least one."""
    seed = None if case.seed is None else bytes.fromhex(case.seed)
    assert oracle.write(oracle.read(case.position)) == case.position
    for row in case.depths:
        if row.depth == 1 or row.count <= MOST:
            found = oracle.perft(case.position, row.depth, case.deals, seed)
            assert (row.depth, *found) == (row.depth, row.count, row.digest)


def test_the_oracle_shares_nothing_with_the_library() -> None:
    """Its reading, writing, drawing and counting import nothing of the package."""
    code = "import sys, tests.oracle.perft; print('referee' in sys.modules)"
    command = [sys.executable, "-c", code]
    root = Path(__file__).parents[2]
    done = subprocess.run(command, capture_output=True, text=True, check=True, cwd=root)
    assert done.stdout == "False\n"
