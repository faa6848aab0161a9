"""Random games of every ruleset, through the public calls only."""

import hashlib
import random
from collections.abc import Iterator

from hypothesis import strategies as st

from referee.draws import FixedStreams
from referee.rules import CHANCE, OVER, RULESETS, Deal, Move, Options, Position

EVERY_TABLE = [
    (rules.key, seats)
    for rules in RULESETS.values()
    for seats in range(rules.min_seats, rules.max_seats + 1)
]
# How a move to the floor line, or to the broken tiles, is written.
FLOOR_SIGNS = frozenset("FX")


def seed_bytes(seed: int) -> bytes:
    """Return a fixed seed for a test."""
    return hashlib.sha256(f"test {seed}".encode()).digest()


def walk(
    key: str, seats: int, seed: int, options: Options | None = None, *, builder: bool = False
) -> Iterator[tuple[Position, Deal | Move | None]]:
    """Yield every position of a random game with the step that led to it.

    A builder keeps away from the floor line, so that walls fill and games end with bonuses;
    without it many random games stay near zero.
    """
    position = RULESETS[key].initial(seats, options)
    streams = FixedStreams(seed_bytes(seed), seats)
    rng = random.Random(seed)
    yield position, None
    while position.actor != OVER:
        step: Deal | Move
        if position.actor == CHANCE:
            step = position.draw(streams.round(position.chance_round))
            position.deal(step)
        else:
            moves = position.legal_moves()
            if builder:
                moves = [move for move in moves if FLOOR_SIGNS.isdisjoint(str(move))] or moves
            step = rng.choice(moves)
            position.play(step)
        yield position, step


def reach(key: str, seats: int, seed: int, steps: int) -> Position:
    """Return the position after so many steps of a random game, or its last one."""
    game = walk(key, seats, seed, builder=seed % 2 == 1)
    position, _ = next(game)
    for _ in zip(range(steps), game, strict=False):
        # The game changes one and the same position in place.
        pass
    return position


@st.composite
def positions(draw: st.DrawFn) -> tuple[str, Position]:
    """Draw a ruleset, and a position of it that play can reach."""
    key, seats = draw(st.sampled_from(EVERY_TABLE))
    return key, reach(key, seats, draw(st.integers(0, 500)), draw(st.integers(0, 180)))
