"""The long run of the rules (`make soak-rules`): oracle, damages, conservation.

Every core works on its own share with its own seeds; figures are printed at the end, and
the exit code is 1 if anything disagreed.
"""

import multiprocessing
import os
import random
import sys
import time
from collections import Counter

from referee.rules import Position
from referee.rules.azul.components import FULL_BAG as AZUL_BAG
from referee.rules.azul.position import AzulPosition
from referee.rules.azul.position_text import tiles_by_place as azul_tiles
from referee.rules.duel.components import FULL_BAG as DUEL_BAG
from referee.rules.duel.position import DuelPosition
from referee.rules.duel.position_check import tiles_by_place as duel_tiles
from tests.games import EVERY_TABLE, walk
from tests.oracle.compare import oracle_of

GAMES = int(os.environ.get("SOAK_GAMES", "4000"))
DAMAGES_PER_GAME = 25
MOVES = int(os.environ.get("SOAK_MOVES", "1000000"))
SEED = int(os.environ.get("SOAK_SEED", str(int(time.time()))))


def against_oracle(number: int) -> tuple[int, int, list[str], Counter[str]]:
    """Compare one game and its damages; return games, damages, disagreements, rare cases."""
    rng = random.Random(f"{SEED} {number}")
    key, players = rng.choice(EVERY_TABLE)
    oracle = oracle_of(key)
    games = oracle.right_games(key, players, rng.choice(oracle.policies), rng)
    apart = [words for game in games if (words := oracle.difference(game)) is not None]
    damaged = oracle.damaged_games(games, DAMAGES_PER_GAME, rng)
    apart += [f"{name}: {words}" for name, game in damaged if (words := oracle.difference(game))]
    rare = Counter({f"{key}: {case}": 1 for case in oracle.seen(games[0])})
    return len(games), len(damaged), apart, rare


def conservation(number: int) -> tuple[int, int]:
    """Count the tiles after every step of one game; return steps and violations."""
    key, seats = EVERY_TABLE[number % len(EVERY_TABLE)]
    steps = wrong = 0
    for position, _ in walk(key, seats, SEED + number, builder=number % 3 == 0):
        steps += 1
        wrong += not conserved(position)
    return steps, wrong


def conserved(position: Position) -> bool:
    """Return whether every tile of the game lies in exactly one place."""
    if isinstance(position, DuelPosition):
        return sum(duel_tiles(position).values()) == DUEL_BAG
    assert isinstance(position, AzulPosition)
    return sum(azul_tiles(position).values()) == AZUL_BAG


def main() -> None:
    """Run both parts on all cores."""
    print(f"seed {SEED}; repeat with SOAK_SEED={SEED}")
    started = time.perf_counter()
    games = damages = steps = violations = 0
    rare: Counter[str] = Counter()
    apart: list[str] = []
    with multiprocessing.get_context("spawn").Pool(initializer=set_seed, initargs=(SEED,)) as pool:
        for more, broken, words, cases in pool.imap_unordered(against_oracle, range(GAMES), 8):
            games, damages = games + more, damages + broken
            apart += words
            rare += cases
            if games % 1_500 == 0:
                print(f"{games} right games, {damages} damaged, {len(apart)} apart", flush=True)
        number = 0
        while steps < MOVES:
            for more, wrong in pool.imap_unordered(conservation, range(number, number + 500), 16):
                steps, violations = steps + more, violations + wrong
            number += 500
    for sentence in apart[:20]:
        print(sentence)
    print(f"{games} right games and {damages} damaged ones: {len(apart)} disagreements")
    print("games with a rare case: " + ", ".join(f"{k} {n}" for k, n in sorted(rare.items())))
    print(f"{steps} steps: {violations} violations of conservation")
    print(f"{time.perf_counter() - started:.0f} s")
    sys.exit(1 if apart or violations else 0)


def set_seed(seed: int) -> None:
    """Give a worker the seed of this run."""
    globals()["SEED"] = seed


if __name__ == "__main__":
    main()
