"""A table of Azul as the bytes of its message, written at once.

A table goes out with every turn of a live match, and making the message of `azul` first takes
most of the time of a move. These are the same bytes for the same table, field by field as in
`azul.proto`; a test holds the two together over whole games.
"""

from struct import Struct
from typing import Final

from referee.rules.azul.board import Board
from referee.rules.azul.components import BLUE_SIDE, CENTER, MARKER, NOBODY
from referee.rules.azul.position import AzulPosition
from referee.rules.position import OVER
from referee.transcript.pieces import bytes_field, number_field, varint
from referee.v1 import azul_pb2 as pb
from referee.v1 import game_pb2

_BLUE_SIDE: Final = int(pb.AZUL_DISC_BLUE_SIDE)
_AZUL: Final = int(game_pb2.Position.AZUL_FIELD_NUMBER)
# By 8 * color + number, as a board holds its lines: the color on the wire, 0 for none.
_LINE_COLORS: Final = bytes([(held >> 3) + 1 if held else 0 for held in range(64)])
_LINE_COUNTS: Final = bytes([held & 7 for held in range(64)])
# The marker is written as no color.
_FLOOR: Final = bytes([0 if tile == MARKER else tile + 1 for tile in range(8)])
# Center, bag and lid, each behind its tag.
_HEAPS: Final = Struct("<BIBIBI")
_CENTER_TAG: Final = 8 << 3 | 5
_BAG_TAG: Final = 9 << 3 | 5
_LID_TAG: Final = 10 << 3 | 5
_TALLIES: Final = [Struct(f"<{number}I") for number in range(CENTER + 1)]


def position_bytes(position: AzulPosition) -> bytes:
    """Return a table as the bytes of a `Position`."""
    variant = position.variant
    factories = position.factories
    sources = position.sources
    parts: list[bytes] = [number_field(2, position.round)] if position.round else []
    if position.round_cap is not None:
        parts.append(number_field(1, position.round_cap))
    if position.starter >= 0:
        parts.append(number_field(3, position.starter))
    if position.actor >= 0:
        parts.append(number_field(4, position.actor))
    elif position.actor == OVER:
        parts.append(number_field(5, 1))
    if position.marker >= 0:
        parts.append(number_field(6, position.marker))
    parts.append(bytes_field(7, _TALLIES[factories].pack(*sources[:factories])))
    parts.append(
        _HEAPS.pack(_CENTER_TAG, sources[CENTER], _BAG_TAG, position.bag, _LID_TAG, position.lid)
    )
    if variant.special:
        discs = [_BLUE_SIDE if disc == BLUE_SIDE else disc for disc in position.gold]
        parts.append(bytes_field(11, bytes(discs)))
    if position.shield_owner >= 0:
        parts.append(number_field(12, position.shield_owner))
    if position.shield_tile != NOBODY:
        parts.append(number_field(13, position.shield_tile + 1))
    parts += [bytes_field(14, _board(board)) for board in position.boards]
    table = bytes_field(_AZUL, b"".join(parts))
    key = variant.key.encode()
    return bytes_field(1, key) + number_field(2, variant.revision) + table


def _board(board: Board) -> bytes:
    held = board.held
    colors = bytes([_LINE_COLORS[line] for line in held])
    counts = bytes([_LINE_COUNTS[line] for line in held])
    parts: list[bytes] = [number_field(1, board.score)] if board.score else []
    parts.append(bytes_field(2, colors))
    parts.append(bytes_field(3, counts))
    parts.append(bytes_field(4, b"".join([varint(mask) for mask in board.colors])))
    if board.floor_size:
        parts.append(bytes_field(5, bytes([_FLOOR[tile] for tile in board.floor])))
    return b"".join(parts)
