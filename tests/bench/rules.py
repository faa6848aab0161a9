"""Moves per second of random play, through the calls a bot uses (`make bench-rules`).

For every ruleset and seat count: legal moves, a random choice, play, deals drawn from the
provable streams. Both builds are measured in one run, each in a process of its own, and
their repeats take turns, so that other work on the machine hits both. Beside them: a
calibration of the machine (a fixed amount of plain Python), and the oracle, an idiomatic
engine of lists and counters, as comparator. The best of many short repeats is printed, since
other work on the machine only ever slows one down, and a short one has a chance to meet none.
"""

import argparse
import os
import platform
import random
import subprocess
import sys
import time
from collections.abc import Callable

from referee.draws import FixedStreams
from referee.native.choice import PURE, build_note
from referee.rules import CHANCE, OVER, RULESETS, Ruleset
from tests.games import seed_bytes
from tests.oracle.engine import Table
from tests.oracle.games import random_deal

REPEATS = 30
SECONDS_PER_REPEAT = 0.02


def play_moves(rules: Ruleset, seats: int, wanted: int) -> int:
    """Play random games until so many moves are made; return how many were."""
    rng = random.Random(1).random
    made = game = 0
    while made < wanted:
        game += 1
        streams = FixedStreams(seed_bytes(game), seats)
        position = rules.initial(seats)
        while (actor := position.actor) != OVER:
            if actor == CHANCE:
                position.deal(position.draw(streams.round(position.chance_round)))
            else:
                moves = position.legal_moves()
                position.play(moves[int(rng() * len(moves))])
                made += 1
    return made


def play_oracle(wanted: int) -> int:
    """Play random games of two-player azul on the oracle, an idiomatic engine."""
    rng = random.Random(1)
    made = 0
    while made < wanted:
        table = Table("azul", 2, None, 0)
        while not table.over and made < wanted:
            table.deal(*random_deal(table, rng))
            while not table.offer_is_empty():
                table.take(rng.choice(table.legal_takes()))
                made += 1
            table.tile_colored_walls()
            table.finish_round()
    return made


def calibrate() -> int:
    """Do a fixed amount of plain Python and return how many steps it was."""
    numbers = list(range(64))
    total = 0
    for _ in range(2_000):
        for number in numbers:
            total = (total * 31 + number) & 0xFFFF
    return 2_000 * 64


def rate(work: Callable[[], int]) -> float:
    """Return the rate of one repeat, in pieces of work a second."""
    started = time.perf_counter()
    done = work()
    return done / (time.perf_counter() - started)


def best_rate(work: Callable[[], int]) -> float:
    """Return the best rate of several repeats."""
    return max(rate(work) for _ in range(REPEATS))


# One process a build -----------------------------------------------------------------------


def serve() -> None:
    """Measure one repeat for every line `ruleset seats moves` on standard input."""
    print(build_note(), flush=True)
    for line in sys.stdin:
        key, seats, moves = line.split()
        measured = rate(lambda: play_moves(RULESETS[key], int(seats), int(moves)))  # noqa: B023
        print(measured, flush=True)


class Build:
    """One build of the rules, in a process that measures when it is asked."""

    def __init__(self, pure: str) -> None:
        self.process = subprocess.Popen(
            [sys.executable, "-m", "tests.bench.rules", "--serve"],
            env={**os.environ, PURE: pure},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        self.note = self._read()

    def _read(self) -> str:
        assert self.process.stdout is not None
        return self.process.stdout.readline().strip()

    def measure(self, rules: Ruleset, seats: int, moves: int) -> float:
        """Return the rate of one repeat."""
        assert self.process.stdin is not None
        print(rules.key, seats, moves, file=self.process.stdin, flush=True)
        return float(self._read())

    def close(self) -> None:
        """Let the process end."""
        self.process.communicate()


def measure_both(builds: list[Build], rules: Ruleset, seats: int) -> list[float]:
    """Return the best rate of each build; their repeats take turns."""
    # The first look warms up and finds how many moves fill a repeat.
    moves = [int(build.measure(rules, seats, 2_000) * SECONDS_PER_REPEAT) for build in builds]
    best = [0.0 for _ in builds]
    for _ in range(REPEATS):
        for index, build in enumerate(builds):
            best[index] = max(best[index], build.measure(rules, seats, moves[index]))
    return best


def main(only: list[str]) -> None:
    """Print the table, of all rulesets or of those named."""
    plain, compiled = Build("1"), Build("")
    builds = [plain] if compiled.note != "compiled" else [plain, compiled]
    steps = best_rate(calibrate)
    oracle = best_rate(lambda: play_oracle(600))
    print(f"Python {platform.python_version()}; best of {REPEATS} repeats; {compiled.note}")
    print(f"calibration: {steps / 1e6:.1f}M loop steps/s")
    print(f"comparator:  {oracle:,.0f} moves/s, two-player azul on the oracle (lists, counters)")
    print()
    print(f"{'':<25}{'moves/s':^24}{'':>9}{'x oracle':^18}{'per 1,000 steps':^18}")
    pair = f"{'plain':>9}{'compiled':>9}"
    print(f"{'ruleset':<20}{'seats':>5}{'plain':>12}{'compiled':>12}{'x plain':>9}{pair}{pair}")
    for rules in RULESETS.values():
        for seats in range(rules.min_seats, rules.max_seats + 1):
            if only and rules.key not in only:
                continue
            rates = measure_both(builds, rules, seats)
            # Where nothing is compiled, the columns of the compiled build say so.
            slow, fast = rates[0], rates[-1] if len(rates) > 1 else float("nan")
            print(
                f"{rules.key:<20}{seats:>5}{slow:>12,.0f}{fast:>12,.0f}{fast / slow:>9.2f}"
                f"{slow / oracle:>9.1f}{fast / oracle:>9.1f}"
                f"{1000 * slow / steps:>9.2f}{1000 * fast / steps:>9.2f}",
                flush=True,
            )
    for build in (plain, compiled):
        build.close()


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("rulesets", nargs="*", help="measure these only")
    parser.add_argument("--serve", action="store_true", help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.serve:
        serve()
    else:
        main(arguments.rulesets)
