"""Tiling the walls at the end of a round (1.4, 1.7): all that is forced, up to a choice."""

from typing import TYPE_CHECKING

from referee.native.hints import i64
from referee.rules.azul import floor
from referee.rules.azul.board import Board
from referee.rules.azul.components import ROWS
from referee.rules.azul.moves import Place
from referee.rules.tally import ONE, ONES

if TYPE_CHECKING:
    from referee.rules.azul.position import AzulPosition


def place(position: "AzulPosition", move: Place) -> None:
    """Place a tile where its seat chose, and go on tiling."""
    row, color = position.tiling_choice()
    _lay(position, position.boards[position.actor], row, move.column, color)
    tile(position)


def tile(position: "AzulPosition") -> None:
    """Tile from the actor on, in turn order, up to the next choice or the round's end.

    V8: every line of a seat from the top, then its floor, then the next seat. Lines
    already tiled are empty, so going through a board again goes on where it stopped.
    """
    while True:
        seat = position.actor
        if not _tile_board(position, seat):
            return
        floor.pay(position, position.boards[seat])
        seat += 1
        position.actor = 0 if seat == position.seats else seat
        if position.actor == position.starter:
            break
    position.end_round()


def _tile_board(position: "AzulPosition", seat: i64) -> bool:
    """Tile what is forced on one board; return False where a choice is due."""
    board = position.boards[seat]
    layout = position.variant.layout
    row: i64
    for row in range(ROWS):
        # A full line is open to no color. Nor is that of a complete row, but it is empty.
        if board.open_lines >> row & ONES or not board.held[row]:
            continue
        color: i64 = board.held[row] >> 3
        if layout is not None:
            _lay(position, board, row, layout[row][color], color)
            continue
        columns = board.free_columns(row, color)
        if len(columns) > 1:
            return False
        if columns:
            # V7: a choice among one is no choice.
            _lay(position, board, row, columns[0], color)
        else:
            # V4: no column is left, the whole line falls.
            board.empty_line(row)
            floor.drop(position, seat, color, row + 1)
    return True


def _lay(position: "AzulPosition", board: Board, row: i64, column: i64, color: i64) -> None:
    """Move the tile of a full line to the wall and score it at once (A8)."""
    board.score += board.place(row, column, color)
    # The wall keeps one tile, the others of the line go to the lid.
    position.lid += board.empty_line(row) - ONE[color]
