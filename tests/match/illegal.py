"""Positions of whole matches, in each of which every move that is not legal is tried."""

import random
from collections import Counter
from typing import NamedTuple

from referee.rules import Move, Options
from referee.rules.azul.moves import Take
from referee.transcript.wire.game import move_action
from referee.v1.reason_pb2 import RejectReason
from tests.games import EVERY_TABLE
from tests.match.table import Table, rejection
from tests.well_formed import well_formed_moves

# Of the ways to split a factory of five there are 1,023 for each color and line.
SPLITS = 0.01


class Tried(NamedTuple):
    """What a position came to: how many moves were refused in it, and why."""

    position: str
    reasons: Counter[str]


def try_all(table: Table, rng: random.Random) -> Tried:
    """Try every move that is not legal: each is refused with a reason and changes nothing else.

    All that happens in a copy of the match, as a referee would take it up.
    """
    copy = table.resume()
    match, fold = copy.match, copy.match.fold
    position, seat, turn = fold.position, copy.actor, fold.turn
    legal, text, clocks = position.legal_moves(), str(position), str(fold.time)
    frames, allowed = len(copy.frames), set(legal)
    reasons: Counter[str] = Counter()
    for move in well_formed_moves(position):
        if move in allowed or (is_split(move) and rng.random() > SPLITS):
            continue
        refused = rejection(copy.answer(seat, move_action(move)))
        assert refused.reason in RejectReason.values(), move
        assert refused.reason != RejectReason.REJECT_REASON_UNSPECIFIED, move
        assert refused.message, move
        assert fold.strikes[seat] == 1, move
        # There are never enough strikes for all.
        fold.strikes[seat] = 0
        reasons[RejectReason.Name(refused.reason)] += 1
        assert (fold.turn, fold.attempt) == (turn, reasons.total() + 1), move
        assert copy.kinds() == ["rejected"], move
    assert len(copy.frames) == frames + reasons.total()
    assert fold.position is position
    assert (str(position), str(fold.time)) == (text, clocks)
    assert position.legal_moves() == legal
    assert not match.over
    # Whatever was tried, the match goes on from here.
    assert copy.answer(seat) is None
    return Tried(text, reasons)


def is_split(move: Move) -> bool:
    """Return whether a move says how it divides a factory."""
    return isinstance(move, Take) and bool(move.left | move.right)


def try_some(number: int, positions: int = 1) -> list[Tried]:
    """Try all in some positions of a match; the number says which."""
    ruleset, seats = EVERY_TABLE[number % len(EVERY_TABLE)]
    rng = random.Random(f"illegal {number}")
    table = Table(ruleset, seats, name=number, clock=None, strikes=1000, options=Options()).sit()
    tried: list[Tried] = []
    while len(tried) < positions and not table.match.over:
        for _ in range(rng.randrange(60)):
            if not table.match.over:
                table.step()
        if not table.match.over:
            tried.append(try_all(table, rng))
    return tried
