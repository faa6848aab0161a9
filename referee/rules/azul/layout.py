"""A table of Azul as bytes of a fixed layout, for digests (docs/transcript.md).

Unlike the notation it is for programs alone, and cheap: a transcript has a digest of it
after every round.
"""

from functools import lru_cache
from struct import Struct
from typing import TYPE_CHECKING, Final

from referee.rules.azul.components import CENTER, FLOOR_SPACES, ROWS
from referee.rules.position import CHANCE, OVER
from referee.rules.tally import COLORS

if TYPE_CHECKING:
    from referee.rules.azul.position import AzulPosition

NONE: Final = 255
DEAL_DUE: Final = 254

# What stands before the boards, without the factories, and a board.
_HEAD: Final = "IBBIBBBB"
_SHARED: Final = "IIIBB"
_BOARD: Final = f"I{ROWS}s{ROWS}s{COLORS}IB{FLOOR_SPACES}s"
_FREE: Final = bytes([NONE])
# The color and the number of tiles of a pattern line, from what a board keeps of it.
_LINE_COLOR: Final = bytes([held >> 3 if held else NONE for held in range(256)])
_LINE_COUNT: Final = bytes([held & 7 for held in range(256)])


@lru_cache(maxsize=16)
def _struct(key: int, seats: int, factories: int) -> Struct:
    """Return the layout of a table with a key of so many letters: one call packs it all."""
    circle = f"{factories}B{factories}I"
    return Struct(f">B{key}s{_HEAD}{circle}{_SHARED}" + seats * _BOARD)


def layout(position: "AzulPosition") -> bytes:
    """Return the table as bytes; tables that differ in any fact have different bytes."""
    key = position.variant.key.encode("ascii")
    gold = position.gold
    factories = len(gold)
    cap = position.round_cap
    values: list[object] = [
        len(key),
        key,
        position.variant.revision,
        position.seats,
        0 if cap is None else cap,
        position.round,
        position.starter & NONE,
        _turn(position.actor),
        position.marker & NONE,
        factories,
    ]
    values += gold
    values += position.sources[:factories]
    values += (
        position.sources[CENTER],
        position.bag,
        position.lid,
        position.shield_owner & NONE,
        position.shield_tile & NONE,
    )
    for board in position.boards:
        held = bytes(board.held)
        values += (board.score, held.translate(_LINE_COLOR), held.translate(_LINE_COUNT))
        values += board.colors
        values += (board.floor_size, bytes(board.floor).ljust(FLOOR_SPACES, _FREE))
    return _struct(len(key), position.seats, factories).pack(*values)


def _turn(actor: int) -> int:
    if actor == CHANCE:
        return DEAL_DUE
    return NONE if actor == OVER else actor
