"""Lists the legal moves of a turn, in the published order (docs/notation.md).

A turn in the middle of the game has hundreds of moves, nearly all of them met before: every
order of three tiles on every line is a move of its own. They are made when first listed and
kept, in runs that are handed out whole, so that listing copies references and builds
nothing. The runs of one factory are bounded by the ways to fill it, so all of them together
stay within a few megabytes.
"""

from itertools import permutations
from typing import TYPE_CHECKING, Final

from referee.rules import tally
from referee.rules.duel import chips as chipset
from referee.rules.duel.components import (
    BROKEN,
    CELLS_PER_ROW,
    CHIPS_PER_ROUND,
    LARGE,
    LINES,
    PLATE_COUNT,
    ROTATIONS,
    SLOTS,
    SMALL_FACTORIES,
)
from referee.rules.duel.dome import COLUMNS_OF, FREE_SLOTS
from referee.rules.duel.moves import (
    MAX_DRAWN,
    DrawPlate,
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
from referee.rules.duel.phases import DRAWING, KEEPING, PLACING, RETURNING, SPENDING, TURN
from referee.rules.duel.plates import GONE
from referee.rules.interface import Move
from referee.rules.tally import COLORS, WIDTH

if TYPE_CHECKING:
    from referee.rules.duel.position import DuelPosition

DRAW: Final = DrawPlate()
STOP: Final = StopDrawing()
# CHIPS[revealed]: the chips that lie open, by the bits of their factories.
CHIPS: Final[list[list[Move]]] = [
    [TakeChip(factory) for factory in range(SMALL_FACTORIES) if revealed >> factory & 1]
    for revealed in range(1 << SMALL_FACTORIES)
]
TILES: Final[list[list[Move]]] = [
    [PlaceTile(line, column) for column in range(CELLS_PER_ROW)] for line in range(LINES)
]
# LINES_OF[mask]: the targets a color may go to, given the lines that are open to it.
LINES_OF: Final = [
    tuple([line for line in range(LINES) if mask >> line & 1] + [BROKEN])
    for mask in range(1 << LINES)
]
# MOONS[color][mask of open lines]: the moon takes in order.
MOONS: Final[list[list[list[Move]]]] = [
    [[TakeMoon(color, line) for line in lines] for lines in LINES_OF] for color in range(COLORS)
]

_NONE: Final[list[Move]] = []
# By plate, then by taken slots: where a plate of the display may go; filled when asked for.
_plates: list[list[list[Move]]] = [[_NONE] * (1 << SLOTS) for _ in range(PLATE_COUNT)]
# The same for drawn plates, by their number.
_keeps: list[list[list[Move]]] = [[_NONE] * (1 << SLOTS) for _ in range(MAX_DRAWN)]
_RETURNS: Final[list[Move]] = [ReturnPlate(index) for index in range(MAX_DRAWN)]
# By chips, line, color and missing tiles: the sets that complete the line. Chips come in
# tens of thousands of combinations, so this is emptied when it has grown large.
_spends: dict[tuple[int, int, int, int], list[Move]] = {}
_MAX_SPENDS: Final = 4_000


class _Runs:
    """The sun takes of one color from one factory, by the lines that are open to it."""

    __slots__ = ("by_lines", "color", "factory", "stacks")

    factory: int
    color: int
    stacks: list[tuple[int, ...]]
    by_lines: list[list[Move]]

    def __init__(self, factory: int, color: int, stacks: list[tuple[int, ...]]) -> None:
        self.factory = factory
        self.color = color
        self.stacks = stacks
        self.by_lines = [_NONE] * (1 << LINES)

    def takes(self, lines: int) -> list[Move]:
        """Return the takes in order: lines ascending, then broken; stacks within a line."""
        takes = self.by_lines[lines]
        if not takes:
            takes = [
                TakeSun(self.factory, self.color, line, stack)
                for line in LINES_OF[lines]
                for stack in self.stacks
            ]
            self.by_lines[lines] = takes
        return takes


# By factory: what it holds, and the runs of each color there; filled when asked for.
_suns: list[dict[int, list[_Runs]]] = [{} for _ in range(LARGE + 1)]


def _sun_runs(factory: int, held: int) -> list[_Runs]:
    runs = _suns[factory].get(held)
    if runs is None:
        runs = [
            _Runs(factory, color, _stacks(factory, held, color)) for color in tally.colors(held)
        ]
        _suns[factory][held] = runs
    return runs


def _stacks(factory: int, held: int, taken: int) -> list[tuple[int, ...]]:
    """Return every way to pile what is left, from the bottom, in the order of the colors."""
    if factory == LARGE:
        # Its rest lies side by side.
        return [()]
    rest = [
        color for color in range(COLORS) if color != taken for _ in range(tally.count(held, color))
    ]
    # Piles that look alike are one.
    return sorted(set(permutations(rest)))


def _plate_moves(plate: int, taken_slots: int) -> list[Move]:
    moves = _plates[plate][taken_slots]
    if not moves:
        moves = [
            PlacePlate(plate, slot, rotation)
            for slot in FREE_SLOTS[taken_slots]
            for rotation in range(ROTATIONS)
        ]
        _plates[plate][taken_slots] = moves
    return moves


# The lists of each phase -----------------------------------------------------------------


def legal_moves(position: "DuelPosition") -> list[Move]:
    """Return the moves of the mover, who is to choose."""
    phase = position.phase
    if phase == TURN:
        return turn_moves(position)
    if phase == PLACING:
        return placing_moves(position)
    if phase == SPENDING:
        return spending_moves(position)
    if phase == KEEPING:
        return keeping_moves(position)
    if phase == DRAWING:
        return [DRAW, STOP]
    if phase == RETURNING:
        return returning_moves(position)
    return opening_moves(position)


def opening_moves(position: "DuelPosition") -> list[Move]:
    """Return the plates of the display with every free slot and rotation."""
    moves: list[Move] = []
    taken_slots = position.boards[position.mover].taken_slots
    for plate in position.display:
        moves += _plate_moves(plate, taken_slots)
    return moves


def turn_moves(position: "DuelPosition") -> list[Move]:
    """Return plates, a draw, sun takes, moon takes and chips, in this order."""
    board = position.boards[position.mover]
    moves: list[Move] = []
    if board.tokens:
        moves = opening_moves(position)
        if position.can_draw():
            moves.append(DRAW)
    open_lines = board.open_lines
    for factory in range(LARGE + 1):
        held = position.sun[factory]
        if held:
            for runs in _sun_runs(factory, held):
                moves += runs.takes(open_lines >> (WIDTH * runs.color) & 63)
    for color in position.moon_colors():
        moves += MOONS[color][open_lines >> (WIDTH * color) & 63]
    if board.chips_taken < CHIPS_PER_ROUND:
        moves += CHIPS[position.revealed]
    return moves


def keeping_moves(position: "DuelPosition") -> list[Move]:
    """Return every drawn plate with every free slot and rotation."""
    taken_slots = position.boards[position.mover].taken_slots
    moves: list[Move] = []
    for index in range(len(position.stack.drawn)):
        keeps = _keeps[index][taken_slots]
        if not keeps:
            keeps = [
                KeepPlate(index, slot, rotation)
                for slot in FREE_SLOTS[taken_slots]
                for rotation in range(ROTATIONS)
            ]
            _keeps[index][taken_slots] = keeps
        moves += keeps
    return moves


def returning_moves(position: "DuelPosition") -> list[Move]:
    """Return the drawn plates that are still to be returned."""
    drawn = position.stack.drawn
    return [_RETURNS[index] for index in range(len(drawn)) if drawn[index] != GONE]


def spending_moves(position: "DuelPosition") -> list[Move]:
    """Return every set of chips that completes the line, then leaving it."""
    board = position.boards[position.mover]
    line = position.line
    color = board.line_colors[line]
    missing = line + 1 - board.line_counts[line]
    key = (board.chips, line, color, missing)
    spends = _spends.get(key)
    if spends is None:
        if len(_spends) == _MAX_SPENDS:
            _spends.clear()
        sets = chipset.completing_sets(board.chips, color, missing)
        spends = [SpendChips(line, chips) for chips in [*sets, 0]]
        _spends[key] = spends
    return spends[:]


def placing_moves(position: "DuelPosition") -> list[Move]:
    """Return the cells that take the tile, from the left."""
    board = position.boards[position.mover]
    line = position.line
    tiles = TILES[line]
    return [
        tiles[column] for column in COLUMNS_OF[board.free_columns(line, board.line_colors[line])]
    ]
