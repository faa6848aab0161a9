"""Writes the perft files anew: one a ruleset, one line a position (docs/perft.md).

Openings for every number of seats and positions out of seeded games come from the registry,
so a new ruleset has them without a word here; tricky positions are added in `starts`. How
deep a line goes follows from how many sequences there are. `make golden` runs this, on all
cores; a change in a file is a change of the rules or of a notation, and shows as such.
"""

import multiprocessing
import time
from collections.abc import Iterator
from dataclasses import dataclass, replace

from referee.match.playout import game_seed, random_game
from referee.rules import (
    CHANCE,
    RULESETS,
    Deal,
    Move,
    Options,
    PinnedDealRefused,
    Position,
    get_ruleset,
)
from referee.rules.perft import perft
from tests.perft.cases import QUICK, Case, Depth, file_of, format_case
from tests.perft.starts import STARTS

# A line goes on to the last depth that has at most so many sequences.
BY_HAND = 150_000
FROM_REGISTRY = QUICK
# The starter table is published to this depth, however many sequences that has.
STARTER_DEPTH = 3
MAX_DEPTH = 7
# Moves before the last one of a game, and before a deal, that a line may start from.
BEFORE_THE_END = 5
BEFORE_A_DEAL = 3
SEED = f"{1:064x}"
GAME = game_seed("perft", 0)


@dataclass(frozen=True)
class Wanted:
    """A case that is still to be counted, and why it is there."""

    case: Case
    why: str
    most: int
    at_least: int = 1


def deepen(wanted: Wanted) -> Case:
    """Return the case with counts and digests as deep as they are wanted."""
    case = wanted.case
    start, pins = case.start(), case.pins()
    depths: list[Depth] = []
    for depth in range(1, MAX_DEPTH + 1):
        count = perft(start, depth, pins, with_digest=False).count
        if count > wanted.most and depth > wanted.at_least:
            break
        leaves = perft(start, depth, pins)
        depths.append(Depth(depth, leaves.count, leaves.digest_text))
        if not count:
            break
    return replace(case, depths=tuple(depths))


# Positions ----------------------------------------------------------------------------------


def by_hand(key: str) -> Iterator[Wanted]:
    """Yield the positions that were chosen for this ruleset."""
    for start in STARTS.get(key, []):
        case = Case(start.name, start.position, start.deals, SEED)
        if start.name.startswith("starter-"):
            yield Wanted(replace(case, seed=None), start.why, BY_HAND, STARTER_DEPTH)
        else:
            yield Wanted(case, start.why, BY_HAND)


def openings(key: str) -> Iterator[Wanted]:
    """Yield the table before the first deal, for every number of seats."""
    rules = get_ruleset(key)
    for seats in range(rules.min_seats, rules.max_seats + 1):
        case = Case(f"opening-{seats}", str(rules.initial(seats)), (), SEED)
        yield Wanted(case, f"The first deal for {seats} seats, drawn from the seed", FROM_REGISTRY)


@dataclass(frozen=True)
class Step:
    """One step of a seeded game, and the table after it."""

    deal: str | None
    actor: int
    round: int
    position: str


def seeded_game(key: str, seats: int) -> list[Step]:
    """Return a whole game of random moves, from its first deal on."""
    steps: list[Step] = []

    def watch(actor: int, step: Deal | Move, position: Position) -> None:
        deal = str(step) if isinstance(step, Deal) else None
        steps.append(Step(deal, position.actor, position.round, str(position)))

    random_game(get_ruleset(key), seats, Options(), GAME, watch)
    return steps


def out_of_games(key: str) -> Iterator[Wanted]:
    """Yield positions of one seeded game for every number of seats."""
    rules = get_ruleset(key)
    for seats in range(rules.min_seats, rules.max_seats + 1):
        steps = seeded_game(key, seats)
        turns = [at for at, step in enumerate(steps) if step.actor >= 0]
        for name, at in (("early", turns[len(turns) // 4]), ("late", turns[3 * len(turns) // 4])):
            case = Case(f"game-{seats}-{name}", steps[at].position, (), SEED)
            yield Wanted(case, f"Out of a seeded game for {seats} seats", FROM_REGISTRY)
        deals = [at for at, step in enumerate(steps) if step.actor == CHANCE]
        yield _before_a_deal(f"deal-{seats}-pinned", steps, deals, pinned=True)
        # What comes to light within a round may be a fact of the position; a new round is drawn.
        rounds = [at for at in deals[::-1] if steps[at + 1].round > steps[at].round]
        yield _before_a_deal(f"deal-{seats}-drawn", steps, rounds, pinned=False)
        yield _before_the_end(f"end-{seats}", steps)


def _before_a_deal(name: str, steps: list[Step], places: list[int], *, pinned: bool) -> Wanted:
    """Return a position some moves before one of these deals, counted to the move after it."""
    why = "Crosses a deal that is pinned" if pinned else "Crosses a deal drawn from the seed"
    for at in places:
        deals = (steps[at + 1].deal or "",) if pinned else ()
        best = None
        for moves in range(1, BEFORE_A_DEAL + 1):
            case = Case(name, steps[at - moves].position, deals, SEED)
            # Two deals in a row have no move between them, and a deal that was made in this
            # game need not fit where other moves lead.
            if steps[at - moves].actor < 0 or _count(case, moves + 1) is None:
                break
            best = Wanted(case, why, FROM_REGISTRY, moves + 1)
        if best is not None:
            return best
    raise AssertionError(f"{name}: no deal of the game is small enough to cross")


def _before_the_end(name: str, steps: list[Step]) -> Wanted:
    """Return a position some moves before the end, counted to one move past it."""
    best = None
    for moves in range(1, BEFORE_THE_END + 1):
        case = Case(name, steps[-1 - moves].position, (), SEED)
        if _count(case, moves + 1) is None:
            break
        best = Wanted(case, "The game ends on the way", FROM_REGISTRY, moves + 1)
    assert best is not None, name
    return best


def _count(case: Case, depth: int) -> int | None:
    """Return how many sequences there are, None if too many or if the pinned deal does not fit."""
    try:
        count = perft(case.start(), depth, case.pins(), with_digest=False).count
    except PinnedDealRefused:
        return None
    return count if count <= FROM_REGISTRY else None


# Files --------------------------------------------------------------------------------------


def wanted(key: str) -> list[Wanted]:
    """Return all cases of a ruleset, in the order of its file."""
    return [*by_hand(key), *openings(key), *out_of_games(key)]


def text_of(key: str, wanted: list[Wanted], cases: list[Case]) -> str:
    """Return a whole file."""
    lines = [
        f"# {key}: counts and digests of move sequences, written by tests/perft/write.py.",
        "# The format, and what is counted: docs/perft.md",
    ]
    for one, case in zip(wanted, cases, strict=True):
        lines += ["", f"# {one.why}.", format_case(case)]
    return "\n".join(lines) + "\n"


def main() -> None:
    """Write every file."""
    started = time.perf_counter()
    with multiprocessing.get_context("spawn").Pool() as pool:
        for key in RULESETS:
            ours = wanted(key)
            cases = pool.map(deepen, ours, chunksize=1)
            file_of(key).write_text(text_of(key, ours, cases), encoding="ascii")
            depths = [row for case in cases for row in case.depths]
            leaves = sum(row.count for row in depths)
            print(f"{key}: {len(cases)} positions, {len(depths)} depths, {leaves:,} sequences")
    print(f"{time.perf_counter() - started:.0f} s")


if __name__ == "__main__":
    main()
