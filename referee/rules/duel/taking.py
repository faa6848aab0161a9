"""What takes of tiles and chips do (3.4.4-3.4.7), and the facts that make takes legal.

The facts are looked at for speed, before every take. What is wrong with a move, if anything,
`refusals` says in words, and a property test holds the two together.
"""

from typing import TYPE_CHECKING

from referee.native.hints import i64
from referee.rules.duel.board import DuelBoard
from referee.rules.duel.chips import ONE_CHIP
from referee.rules.duel.components import BROKEN, LARGE, NOBODY, SMALL_FACTORIES
from referee.rules.duel.moves import TakeChip, TakeMoon, TakeSun
from referee.rules.duel.phases import TURN
from referee.rules.tally import ONE, WIDTH

if TYPE_CHECKING:
    from referee.rules.duel.position import DuelPosition


def is_legal_sun(position: "DuelPosition", move: TakeSun, taken: i64) -> bool:
    """Return whether a sun take of so many tiles is legal."""
    if not taken or not _may_lay(position, move.line, move.color):
        return False
    if move.factory == LARGE:
        return not move.stack
    return move.rest + (taken << (WIDTH * move.color)) == position.sun[move.factory]


def is_legal_moon(position: "DuelPosition", move: TakeMoon) -> bool:
    """Return whether a moon take is legal."""
    return _may_lay(position, move.line, move.color) and move.color in position.moon_colors()


def _may_lay(position: "DuelPosition", line: i64, color: i64) -> bool:
    if position.phase != TURN or position.actor < 0:
        return False
    return line == BROKEN or position.boards[position.mover].is_open(line, color)


def take_sun(position: "DuelPosition", move: TakeSun, taken: i64) -> bool:
    """Take so many tiles from a sun side; the rest goes to the factory's moon side.

    Return whether that has uncovered a chip.
    """
    factory = move.factory
    shift = WIDTH * move.color
    rest = position.sun[factory] - (taken << shift)
    position.sun[factory] = 0
    if factory == LARGE:
        position.moon = rest
        if not rest:
            # D17: nothing will lie on the moon side, so the tile goes with the last tiles.
            _take_first_player_tile(position)
    else:
        position.stacks[factory] = move.stack
    position.tiles_left -= taken
    _lay(position, position.boards[position.mover], move.line, move.color, taken)
    return factory != LARGE and not rest


def take_moon(position: "DuelPosition", move: TakeMoon) -> bool:
    """Take the open tiles of a color from all moon sides at once.

    Return whether that has uncovered a chip.
    """
    color: i64 = move.color
    shift = WIDTH * color
    taken = position.moon >> shift & 63
    if taken:
        position.moon -= taken << shift
        _take_first_player_tile(position)
    uncovered = False
    stacks = position.stacks
    for factory in range(SMALL_FACTORIES):
        stack = stacks[factory]
        if stack and stack[-1] == color:
            # Only the top tile, even if the next one matches.
            stacks[factory] = stack[:-1]
            taken += 1
            if len(stack) == 1:
                uncovered = True
    position.tiles_left -= taken
    _lay(position, position.boards[position.mover], move.line, color, taken)
    return uncovered


def take_chip(position: "DuelPosition", move: TakeChip) -> None:
    """Take a revealed chip into the storage."""
    board = position.boards[position.mover]
    board.chips += ONE_CHIP[position.chips[move.factory]]
    board.chips_taken += 1
    position.chips[move.factory] = NOBODY
    position.revealed &= ~(1 << move.factory)
    position.chips_left -= 1


def _take_first_player_tile(position: "DuelPosition") -> None:
    if position.first == NOBODY:
        position.first = position.mover


def _lay(position: "DuelPosition", board: DuelBoard, line: i64, color: i64, n: i64) -> None:
    """Lay tiles into one pattern line; the surplus, or all of them, break (D30)."""
    if line != BROKEN:
        n = board.add_to_line(line, color, n)
    if n:
        break_tiles(position, board, color, n)


def break_tiles(position: "DuelPosition", board: DuelBoard, color: i64, n: i64) -> None:
    """Let tiles break; what finds no space in the broken area goes to the tower (D27)."""
    position.tower += board.break_tiles(color, n) * ONE[color]
