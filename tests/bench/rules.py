"""Moves per second of random play, through the calls a bot uses (`make bench-rules`).

For every ruleset and seat count: legal moves, a random choice, play, deals drawn from the
provable streams. Beside it, in the same run: a calibration of the machine (a fixed amount of
plain Python), and the oracle, an idiomatic engine of lists and counters, as comparator. The
best of several repeats is printed, since other work on the machine only ever slows one down.
"""

import platform
import random
import time
from collections.abc import Callable
from functools import partial

from referee.draws import FixedStreams
from referee.rules import CHANCE, OVER, RULESETS, Ruleset
from tests.games import seed_bytes
from tests.oracle.engine import Table
from tests.oracle.games import random_deal

REPEATS = 7
MOVES_PER_REPEAT = 12_000


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


def best_rate(work: Callable[[], int]) -> float:
    """Return the best rate of several repeats, in pieces of work a second."""
    rates = []
    for _ in range(REPEATS):
        started = time.perf_counter()
        done = work()
        rates.append(done / (time.perf_counter() - started))
    return max(rates)


def main() -> None:
    """Print the table."""
    steps = best_rate(calibrate)
    oracle = best_rate(lambda: play_oracle(600))
    print(f"Python {platform.python_version()}, plain; best of {REPEATS} repeats")
    print(f"calibration: {steps / 1e6:.1f}M loop steps/s")
    print(f"comparator:  {oracle:,.0f} moves/s, two-player azul on the oracle (lists, counters)")
    print(f"{'ruleset':<20}{'seats':>5}{'moves/s':>12}{'per 1,000 loop steps':>24}{'x oracle':>10}")
    for rules in RULESETS.values():
        for seats in range(rules.min_seats, rules.max_seats + 1):
            rate = best_rate(partial(play_moves, rules, seats, MOVES_PER_REPEAT))
            per_step = 1000 * rate / steps
            print(f"{rules.key:<20}{seats:>5}{rate:>12,.0f}{per_step:>24.2f}{rate / oracle:>10.1f}")


if __name__ == "__main__":
    main()
