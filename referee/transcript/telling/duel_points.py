"""Explains every point of Duel: tiles and special tiles, broken lines, penalties, draws.

As in Azul the rules tile both domes inside one step. What they did is read off the domes
before and after, and laid again on copies with the functions of the rules.
"""

from referee.rules import Deal, Move
from referee.rules.duel.board import DuelBoard
from referee.rules.duel.components import (
    CELLS_PER_ROW,
    COLOR_NAMES,
    FIRST_PLAYER_PENALTY,
    LINES,
    SEATS,
)
from referee.rules.duel.deal import letters
from referee.rules.duel.dome import ROW_CELLS, RUNS, column_mask, tile_points
from referee.rules.duel.moves import DrawPlate, SpendChips
from referee.rules.duel.phases import BETWEEN, PLACING, SPENDING
from referee.rules.duel.position import DuelPosition
from referee.rules.duel.taking import break_tiles
from referee.transcript.telling.values import Points, clamped, number, runs

TILING = (SPENDING, PLACING)


def before_tiling(before: DuelPosition, step: Move | Deal) -> DuelPosition:
    """Return the table after a step, before anything is tiled because of it."""
    table = before.copy()
    # Domes are tiled when nobody can act any more; a tile that nobody can take prevents it.
    table.tiles_left += 1
    if isinstance(step, Deal):
        table.deal(step)
    else:
        table.play(step)
    table.tiles_left -= 1
    return table


def of_draw(before: DuelPosition, move: DrawPlate, after: DuelPosition) -> tuple[Points, ...]:
    """Explain what drawing a plate of the stack costs (D1)."""
    del move
    seat = before.mover
    lost = before.boards[seat].score - after.boards[seat].score
    words = "drawing a plate costs 1 point" if lost else "drawing a plate is free without a point"
    return (Points(seat, "draw", -lost, words),)


def of_step(before: DuelPosition, step: Move | Deal, after: DuelPosition) -> tuple[Points, ...]:
    """Explain the points of tiling, if this step is part of it or leads to it."""
    if before.phase in TILING:
        table = before.copy()
        if isinstance(step, SpendChips):
            table.boards[table.mover].chips -= step.chips
        return _of_tiling(table, after, table.mover, table.line)
    if after.phase in TILING or (after.phase == BETWEEN and before.phase != BETWEEN):
        table = before_tiling(before, step)
        return _of_tiling(table, after, table.starter, 0)
    return ()


def _of_tiling(
    table: DuelPosition, after: DuelPosition, seat: int, line: int
) -> tuple[Points, ...]:
    points: list[Points] = []
    while True:
        # A choice is open in this very line, so nothing after it has happened.
        chooses = after.phase in TILING and after.mover == seat
        end = after.line if chooses else LINES
        for at in range(line, end):
            points += _tile(table, seat, at, after.boards[seat])
        if chooses:
            break
        points += _pay(table, seat)
        line = 0
        seat = SEATS - 1 - seat
        if seat == table.starter:
            break
    return tuple(points)


def _tile(table: DuelPosition, seat: int, line: int, after: DuelBoard) -> list[Points]:
    """Explain what became of one pattern line."""
    board = table.boards[seat]
    held, color = board.line_counts[line], board.line_colors[line]
    if not held:
        return []
    new = (after.colors[color] & ~board.colors[color]) >> CELLS_PER_ROW * line & ROW_CELLS
    if new:
        return _lay(board, seat, line, new.bit_length() - 1)
    if after.line_counts[line]:
        return []
    broken = board.broken_count
    break_tiles(table, board, color, board.empty_line(line))
    words = f"line {line}: no cell is left for {COLOR_NAMES[color]}, {number(held, 'tile')} broke"
    lost = held - (board.broken_count - broken)
    if lost:
        words += f"; {lost} found no space and went to the tower"
    return [Points(seat, "broken_line", 0, words, line)]


def _lay(board: DuelBoard, seat: int, line: int, column: int) -> list[Points]:
    color = board.line_colors[line]
    had = board.specials
    gained = board.lay_tile(line, column, color)
    board.empty_line(line)
    board.score += gained
    special = int(board.specials & ~had)
    # The tile scores before the special tile lies there.
    filled = board.filled & ~special
    own = tile_points(filled, line, column)
    across = RUNS[filled >> CELLS_PER_ROW * line & ROW_CELLS][column]
    down = RUNS[column_mask(filled, column)][line]
    words = f"line {line}: {COLOR_NAMES[color]} to column {column}, {runs(across, down, own)}"
    points = [Points(seat, "tile", own, words, line, column, across, down)]
    if special:
        row, at = divmod(special.bit_length() - 1, CELLS_PER_ROW)
        extra = gained - own
        words = (
            f"the plate is full: a special tile in row {row}, column {at}, "
            f"{number(extra, 'point')} there"
        )
        points.append(Points(seat, "special", extra, words, row, at))
    return points


def _pay(table: DuelPosition, seat: int) -> list[Points]:
    """Explain the penalties of a seat."""
    board = table.boards[seat]
    points = []
    cost = board.broken_penalty()
    if cost:
        lost, limit = clamped(cost, board.score)
        words = f"broken tiles {letters(board.broken)}: cost {number(cost, 'point')}{limit}"
        points.append(Points(seat, "broken", -lost, words))
        board.score -= lost
    if table.first == seat:
        lost, limit = clamped(FIRST_PLAYER_PENALTY, board.score)
        words = f"the first-player tile: costs {number(FIRST_PLAYER_PENALTY, 'point')}{limit}"
        points.append(Points(seat, "first_player", -lost, words))
        board.score -= lost
    return points
