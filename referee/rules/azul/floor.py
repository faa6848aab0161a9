"""The floor line: what falls where, and what it costs (1.3.6, 1.3.7, 1.4.3, 1.4.4).

Its size and its prices are in `components`: `FLOOR_SPACES`, `FLOOR_PENALTY`.
"""

from typing import TYPE_CHECKING

from referee.native.hints import i64
from referee.rules.azul.board import Board
from referee.rules.azul.components import FLOOR_SPACES, MARKER, NOBODY
from referee.rules.tally import WIDTH

if TYPE_CHECKING:
    from referee.rules.azul.position import AzulPosition


def take_marker(position: "AzulPosition", board: Board) -> None:
    """Lay the marker on the leftmost free floor space, before the tiles (A2)."""
    position.marker = position.actor
    # A1: on a full floor line it costs nothing and displaces nothing. C11: it never lies
    # on a shield.
    if board.floor_size < FLOOR_SPACES:
        board.lay_on_floor(MARKER, 1)


def drop(position: "AzulPosition", seat: i64, color: i64, n: i64) -> None:
    """Let n tiles fall: one onto an owned free shield, then the floor, then the lid."""
    if position.shield_owner == seat and position.shield_tile == NOBODY:
        # C12: the next falling tile must lie on it, and only one.
        position.shield_tile = color
        n -= 1
    board = position.boards[seat]
    room = FLOOR_SPACES - board.floor_size
    if n > room:
        # A4: beyond seven spaces tiles cost nothing and go to the lid.
        position.lid += (n - room) << WIDTH * color
        n = room
    board.lay_on_floor(color, n)


def pay(position: "AzulPosition", board: Board) -> None:
    """Take off the penalty, never below zero (A9), and clear the floor line."""
    penalty = board.floor_penalty()
    board.score = board.score - penalty if board.score > penalty else 0
    position.lid += board.clear_floor()
