"""Moves that can be written at all, legal ones and others, for a position of every ruleset."""

from collections.abc import Iterator

from referee.rules import Move, Position, tally
from referee.rules.azul.components import CENTER, SPREAD
from referee.rules.azul.moves import Place, Take
from referee.rules.azul.position import AzulPosition
from referee.rules.duel import chips as chipset
from referee.rules.duel.components import PLATES, ROTATIONS, SLOTS
from referee.rules.duel.moves import (
    MAX_DRAWN,
    DrawPlate,
    DuelMove,
    KeepPlate,
    PlacePlate,
    PlaceTile,
    ReturnPlate,
    SpendChips,
    StopDrawing,
    TakeChip,
    TakeMoon,
    TakeSun,
)
from referee.rules.duel.position import DuelPosition


def well_formed_moves(position: Position) -> Iterator[Move]:
    """Yield them for any position."""
    if isinstance(position, DuelPosition):
        yield from duel_moves(position)
    else:
        assert isinstance(position, AzulPosition)
        yield from azul_moves(position)


def azul_moves(position: AzulPosition) -> Iterator[Move]:
    """Yield every take and place that can be written at all; splits only where any could be."""
    rest = 0
    if SPREAD in position.gold:
        rest = 31
    for source in range(CENTER + 1):
        for color in range(5):
            for line in range(6):
                yield Take(source, color, line)
                if rest and source < len(position.gold) and position.gold[source] == SPREAD:
                    for left in range(32):
                        for right in range(32):
                            if left | right:
                                yield Take(source, color, line, left, right)
    yield Take(CENTER, 0, 5, 1, 0)
    yield Take(0, 0, 5, 0, 1)
    for row in range(5):
        for column in range(5):
            yield Place(row, column)


def duel_moves(position: DuelPosition) -> Iterator[DuelMove]:
    """Yield every move with plates; takes and chips where they fit, or fit nearly."""
    yield DrawPlate()
    yield StopDrawing()
    for index in range(MAX_DRAWN):
        yield ReturnPlate(index)
        for slot in range(SLOTS):
            for rotation in range(ROTATIONS):
                yield KeepPlate(index, slot, rotation)
    for plate in range(len(PLATES)):
        for slot in range(SLOTS):
            for rotation in range(ROTATIONS):
                yield PlacePlate(plate, slot, rotation)
    for factory in range(4):
        yield TakeChip(factory)
    yield from _duel_takes(position)
    yield from _duel_tiling(position)


def _duel_takes(position: DuelPosition) -> Iterator[DuelMove]:
    """Yield takes with piles that fit, and piles that fit nearly."""
    for color in range(5):
        for line in range(7):
            yield TakeMoon(color, line)
            for factory in range(5):
                held = position.sun[factory]
                left = [c for c in range(5) for _ in range(tally.count(held, c)) if c != color]
                piles = {(), tuple(left), tuple(reversed(left)), tuple(left[1:]), (*left[1:], 0)}
                for pile in piles:
                    if len(pile) <= 3:
                        yield TakeSun(factory, color, line, pile)


def _duel_tiling(position: DuelPosition) -> Iterator[DuelMove]:
    """Yield every cell, and sets of chips for other lines and colors."""
    for line in range(6):
        for column in range(6):
            yield PlaceTile(line, column)
        yield SpendChips(line, 0)
        for board in position.boards:
            for missing in range(1, 6):
                for color in range(5):
                    for chips in chipset.completing_sets(board.chips, color, missing)[:3]:
                        yield SpendChips(line, chips)
