"""Tiling the domes at the end of a round (3.5): all that is forced, up to a choice."""

from typing import TYPE_CHECKING

from referee.native.hints import i64
from referee.rules.duel import chips as chipset
from referee.rules.duel.board import DuelBoard
from referee.rules.duel.components import FIRST_PLAYER_PENALTY, LINES, SEATS
from referee.rules.duel.dome import COLUMNS_OF
from referee.rules.duel.phases import PLACING, SPENDING
from referee.rules.duel.taking import break_tiles
from referee.rules.tally import ONE

if TYPE_CHECKING:
    from referee.rules.duel.position import DuelPosition


def start(position: "DuelPosition") -> None:
    """Begin with the top line of the round's starter (D29)."""
    position.mover = position.starter
    position.line = 0
    _go_on(position)


def spend(position: "DuelPosition", chips: int) -> None:
    """Complete the line with chips, or leave it, and go on tiling."""
    board = position.boards[position.mover]
    line = position.line
    if chips:
        board.chips -= chips
        if not _place_if_forced(position, board, line):
            return
    position.line = line + 1
    _go_on(position)


def place(position: "DuelPosition", column: i64) -> None:
    """Place the tile where its seat chose, and go on tiling."""
    _lay(position, position.boards[position.mover], position.line, column)
    position.line += 1
    _go_on(position)


def _go_on(position: "DuelPosition") -> None:
    """Tile from the line that is due, seat by seat, up to a choice or the round's end."""
    while True:
        board = position.boards[position.mover]
        while position.line < LINES:
            if not _tile_line(position, board, position.line):
                position.actor = position.mover
                return
            position.line += 1
        _pay(position, board)
        position.line = 0
        position.mover = SEATS - 1 - position.mover
        if position.mover == position.starter:
            break
    position.end_round()


def _tile_line(position: "DuelPosition", board: DuelBoard, line: i64) -> bool:
    """Tile what is forced on one line; return False where a choice is due."""
    held = board.line_counts[line]
    if not held:
        return True
    color = board.line_colors[line]
    if not board.free_columns(line, color):
        if board.row_has_all_plates(line):
            # D14: no plate can come that takes it, so it breaks, full or not.
            break_tiles(position, board, color, board.empty_line(line))
        return True
    if held <= line:
        if board.chips and chipset.can_complete(board.chips, color, line + 1 - held):
            position.phase = SPENDING
            return False
        return True
    return _place_if_forced(position, board, line)


def _place_if_forced(position: "DuelPosition", board: DuelBoard, line: i64) -> bool:
    """Place the tile of a completed line that has one cell; return False where it has more."""
    columns = COLUMNS_OF[board.free_columns(line, board.line_colors[line])]
    if len(columns) > 1:
        position.phase = PLACING
        return False
    _lay(position, board, line, columns[0])
    return True


def _lay(position: "DuelPosition", board: DuelBoard, line: i64, column: i64) -> None:
    """Move one tile of a line to the dome and score it at once; the others leave."""
    color = board.line_colors[line]
    board.score += board.lay_tile(line, column, color)
    # Tiles that chips stood for are not real and go nowhere.
    position.tower += (board.empty_line(line) - 1) * ONE[color]


def _pay(position: "DuelPosition", board: DuelBoard) -> None:
    """Take off the penalties, never below zero, and clear the broken area (3.5.7)."""
    cost = board.broken_penalty()
    if position.first == position.mover:
        cost += FIRST_PLAYER_PENALTY
    board.score = board.score - cost if board.score > cost else 0
    position.tower += board.broken
    board.broken = 0
    board.broken_count = 0
