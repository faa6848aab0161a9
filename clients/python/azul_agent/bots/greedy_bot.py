"""A bot that takes what looks best now: complete lines that score, little on the floor line.

It reads the board from the message, without a rules library, and so shows how. Whatever is not
Azul or Master Chocolatier it plays from the list of moves alone.
"""

from azul_agent.bots.random_bot import choose
from azul_agent.turns import Turn
from referee.v1.azul_pb2 import AzulBoard, AzulPlace, AzulPosition, AzulTake
from referee.v1.game_pb2 import Move

CENTER = 9
FLOOR = 5
FLOOR_COSTS = (1, 1, 2, 2, 2, 3, 3)
# In Duel, the broken tiles.
BROKEN = 6


def greedy(turn: Turn) -> int:
    """Return the index of the legal move that looks best; chance decides between equals."""
    if turn.rejected is not None:
        # What looked best was refused, so do not insist on it.
        return choose(turn, len(turn.legal_moves))
    values = [_value(turn, move) for move in turn.legal_moves]
    best = [index for index, value in enumerate(values) if value == max(values)]
    return best[choose(turn, len(best))]


def _value(turn: Turn, move: Move) -> float:
    if turn.position.WhichOneof("kind") == "azul":
        table = turn.position.azul
        board = table.boards[turn.seat]
        if move.WhichOneof("kind") == "azul_take":
            return _value_of_take(turn.ruleset, table, board, move.azul_take)
        if move.WhichOneof("kind") == "azul_place":
            place: AzulPlace = move.azul_place
            return _points(_wall(board), place.row, place.column)
    match move.WhichOneof("kind"):
        case "duel_take_sun":
            return float(move.duel_take_sun.line != BROKEN)
        case "duel_take_moon":
            return float(move.duel_take_moon.line != BROKEN)
        case "duel_draw_plate":
            # Every plate drawn costs a point.
            return -1.0
    return 0.0


def _value_of_take(ruleset: str, table: AzulPosition, board: AzulBoard, take: AzulTake) -> float:
    color = take.color - 1
    tally = table.center if take.source == CENTER else table.factories[take.source]
    tiles = tally >> 6 * color & 63
    falling = tiles
    value = 0.0
    if take.line < FLOOR:
        size = take.line + 1
        free = size - board.line_counts[take.line]
        falling = max(0, tiles - free)
        if tiles >= free:
            # The column on a gray wall is chosen later, so only the tile itself is sure.
            gray = ruleset.endswith("gray")
            column = (color + take.line) % 5
            value += 1 if gray else _points(_wall(board), take.line, column)
        # An unfinished line is worth the more the less it still lacks; more tiles break ties.
        kept = min(tiles, free)
        value += kept / size + kept / 20
    if take.source == CENTER and not table.HasField("marker"):
        falling += 1
    fallen = len(board.floor)
    return value - sum(FLOOR_COSTS[fallen : fallen + falling])


def _wall(board: AzulBoard) -> int:
    """Return the occupied cells of the wall, bit 5 * row + column."""
    cells = 0
    for mask in board.wall:
        cells |= mask
    return cells


def _points(wall: int, row: int, column: int) -> int:
    """Return what a tile scores there: the tiles of its row and of its column that it joins."""

    def run(down: int, right: int) -> int:
        length, y, x = 0, row + down, column + right
        while 0 <= y < 5 and 0 <= x < 5 and wall >> (5 * y + x) & 1:
            length, y, x = length + 1, y + down, x + right
        return length

    across = run(0, -1) + run(0, 1)
    along = run(-1, 0) + run(1, 0)
    return (across + 1 if across else 0) + (along + 1 if along else 0) or 1
