"""A table of Azul as bytes of a fixed layout, for digests (docs/transcript.md).

Unlike the notation it is for programs alone, and cheap: a transcript has a digest of it
after every round.
"""

from struct import Struct
from typing import TYPE_CHECKING, Final

from referee.rules.azul.components import CENTER, FLOOR_SPACES, ROWS
from referee.rules.position import CHANCE, OVER
from referee.rules.tally import COLORS

if TYPE_CHECKING:
    from referee.rules.azul.board import Board
    from referee.rules.azul.position import AzulPosition

NONE: Final = 255
DEAL_DUE: Final = 254

_HEAD: Final = Struct(">IBBIBBBB")
_U32: Final = Struct(">I")
_TAIL: Final = Struct(">IIIBB")
_BOARD: Final = Struct(f">I{2 * ROWS}B{COLORS}IB{FLOOR_SPACES}B")
_FREE: Final = (NONE,) * FLOOR_SPACES


def layout(position: "AzulPosition") -> bytes:
    """Return the table as bytes; tables that differ in any fact have different bytes."""
    key = position.variant.key.encode("ascii")
    factories = position.factories
    cap = position.round_cap
    return b"".join(
        [
            bytes([len(key)]),
            key,
            _HEAD.pack(
                position.variant.revision,
                position.seats,
                0 if cap is None else cap,
                position.round,
                position.starter & NONE,
                _turn(position.actor),
                position.marker & NONE,
                factories,
            ),
            bytes(position.gold),
            b"".join([_U32.pack(tiles) for tiles in position.sources[:factories]]),
            _TAIL.pack(
                position.sources[CENTER],
                position.bag,
                position.lid,
                position.shield_owner & NONE,
                position.shield_tile & NONE,
            ),
            *[_board(board) for board in position.boards],
        ]
    )


def _turn(actor: int) -> int:
    if actor == CHANCE:
        return DEAL_DUE
    return NONE if actor == OVER else actor


def _board(board: "Board") -> bytes:
    held = board.held
    floor = board.floor
    return _BOARD.pack(
        board.score,
        *[line >> 3 if line else NONE for line in held],
        *[line & 7 for line in held],
        *board.colors,
        len(floor),
        *floor,
        *_FREE[len(floor) :],
    )
