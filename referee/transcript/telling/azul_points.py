"""Explains every point of Azul: tiles as they are laid, lines that fall, floor lines.

The rules tile a wall inside one move. What they did is read off the walls before and after,
and every tile is laid again on a copy, with the functions of the rules: they say what it
scores. A test holds the sum of all explained points against the scores of whole games.
"""

from referee.rules.azul import floor
from referee.rules.azul.board import ACROSS, COLUMN_MASKS, ROW_BITS, Board
from referee.rules.azul.components import (
    COLOR_LETTERS,
    COLOR_NAMES,
    FLOOR_PENALTY,
    MARKER,
    MARKER_LETTER,
    ROWS,
)
from referee.rules.azul.moves import Take
from referee.rules.azul.position import AzulPosition
from referee.rules.tally import COLORS
from referee.transcript.telling.values import Points, clamped, number, runs


def before_tiling(before: AzulPosition, move: Take) -> AzulPosition:
    """Return the table after a take, before anything is tiled because of it."""
    table = before.copy()
    # Walls are tiled when nothing is left on offer; one tile that nobody can take prevents it.
    table.on_offer += 1
    table.play(move)
    table.on_offer -= 1
    if not table.on_offer:
        table.actor = table.starter
    return table


def of_place(before: AzulPosition, after: AzulPosition) -> tuple[Points, ...]:
    """Explain the points of a tile that its seat placed, and of what was forced after it."""
    return of_tiling(before.copy(), after)


def of_tiling(table: AzulPosition, after: AzulPosition) -> tuple[Points, ...]:
    """Explain what tiling brought from here on; ``table`` is changed on the way."""
    points: list[Points] = []
    seat = table.actor
    while True:
        if not _tile(table, seat, after.boards[seat], points):
            break
        points += _pay(table, seat)
        seat = (seat + 1) % table.seats
        if seat == table.starter:
            break
    return tuple(points)


def _tile(table: AzulPosition, seat: int, after: Board, points: list[Points]) -> bool:
    """Tile one board as the rules did; return False where a choice of its seat is open."""
    board = table.boards[seat]
    for row in range(ROWS):
        color = board.full_line_color(row)
        if color is None:
            continue
        new = int(after.wall & ~board.wall & ROW_BITS << COLORS * row)
        if new:
            points.append(_lay(board, seat, row, new.bit_length() - 1 - COLORS * row))
        elif after.full_line_color(row) is None:
            points += _fall(table, seat, row, color)
        else:
            return False
    return True


def _lay(board: Board, seat: int, row: int, column: int) -> Points:
    color = board.full_line_color(row)
    assert color is not None
    gained = board.place(row, column, color)
    board.empty_line(row)
    board.score += gained
    across = ACROSS[board.wall >> COLORS * row & ROW_BITS][column]
    down = _down(board.wall, row, column)
    words = f"line {row}: {COLOR_NAMES[color]} to column {column}, {runs(across, down, gained)}"
    return Points(seat, "tile", gained, words, row, column, across, down)


def _down(wall: int, row: int, column: int) -> int:
    cells = wall & COLUMN_MASKS[column]
    mask = sum(1 << at for at in range(ROWS) if cells >> (COLORS * at + column) & 1)
    return ACROSS[mask][row]


def _fall(table: AzulPosition, seat: int, row: int, color: int) -> list[Points]:
    """Explain a line of the gray wall for which no column is left (V4)."""
    board = table.boards[seat]
    size, shield = board.floor_size, table.shield_tile
    board.empty_line(row)
    floor.drop(table, seat, color, row + 1)
    words = f"line {row}: no column is left for {COLOR_NAMES[color]}, the whole line falls"
    parts = []
    if table.shield_tile != shield:
        parts.append("one tile onto the shield")
    if board.floor_size > size:
        parts.append(f"{number(board.floor_size - size, 'tile')} onto the floor line")
    return [Points(seat, "fallen_line", 0, f"{words}: {', '.join(parts) or 'to the lid'}", row)]


def _pay(table: AzulPosition, seat: int) -> list[Points]:
    """Explain what the floor line costs, space by space."""
    board = table.boards[seat]
    lying = board.floor
    cost = board.floor_penalty()
    score = board.score
    floor.pay(table, board)
    if not cost:
        return []
    lost, limit = clamped(cost, score)
    spaces = " ".join(
        f"{MARKER_LETTER if tile == MARKER else COLOR_LETTERS[tile]}"
        f"-{FLOOR_PENALTY[at + 1] - FLOOR_PENALTY[at]}"
        for at, tile in enumerate(lying)
    )
    words = f"floor line {spaces}: costs {number(cost, 'point')}{limit}"
    return [Points(seat, "floor", -lost, words)]
