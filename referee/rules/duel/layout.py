"""A table of Duel as bytes of a fixed layout, for digests (docs/transcript.md)."""

from struct import Struct
from typing import TYPE_CHECKING, Final

from referee.rules.duel import chips as chipset
from referee.rules.duel.components import (
    FACES,
    LARGE,
    LINES,
    NOBODY,
    ROTATIONS,
    SLOTS,
)
from referee.rules.duel.phases import KEPT
from referee.rules.duel.plates import GONE, known_by, plate_of
from referee.rules.position import CHANCE, OVER
from referee.rules.tally import COLORS

if TYPE_CHECKING:
    from referee.rules.duel.board import DuelBoard
    from referee.rules.duel.position import DuelPosition

NONE: Final = 255
KEY: Final = b"duel"

_TILES: Final = Struct(f">{LARGE + 2}I")
_BOARD: Final = Struct(f">I{2 * LINES}B{2 * SLOTS}B{COLORS + 1}QIBB{FACES}B")


def layout(position: "DuelPosition") -> bytes:
    """Return the table as bytes; tables that differ in any fact have different bytes."""
    stack = position.stack
    return b"".join(
        [
            bytes([len(KEY)]),
            KEY,
            int(position.revision).to_bytes(4, "big"),
            _counted(position.goals),
            bytes([position.random_goals]),
            int(position.round).to_bytes(4, "big"),
            bytes(
                [
                    position.starter & NONE,
                    position.mover & NONE,
                    _next(position.actor),
                    position.phase,
                    position.line,
                    position.due,
                    *(position.kept if position.due == KEPT else (0, 0, 0)),
                    position.first & NONE,
                ]
            ),
            _counted(position.display),
            _entry(stack.top),
            _entries(stack.returned),
            _entries(stack.drawn),
            _TILES.pack(*position.sun, position.moon),
            *[_counted(pile) for pile in position.stacks],
            bytes([face & NONE for face in position.chips]),
            bytes([position.revealed]),
            _faces(position.supply),
            int(position.bag).to_bytes(4, "big"),
            int(position.tower).to_bytes(4, "big"),
            *[_board(board) for board in position.boards],
        ]
    )


def _next(actor: int) -> int:
    if actor == CHANCE:
        return 1
    return 2 if actor == OVER else 0


def _counted(numbers: tuple[int, ...]) -> bytes:
    return bytes([len(numbers), *numbers])


def _entry(entry: int) -> bytes:
    # `NOBODY` on top and `GONE` among the drawn are the same number.
    return bytes([NONE, 0]) if entry == GONE else bytes([plate_of(entry), known_by(entry)])


def _entries(entries: list[int]) -> bytes:
    return bytes([len(entries)]) + b"".join([_entry(entry) for entry in entries])


def _faces(chips: int) -> bytes:
    return bytes([chipset.count(chips, face) for face in range(FACES)])


def _board(board: "DuelBoard") -> bytes:
    plates = board.plates
    return _BOARD.pack(
        board.score,
        *[color & NONE for color in board.line_colors],
        *board.line_counts,
        *[NONE if code == NOBODY else code // ROTATIONS for code in plates],
        *[0 if code == NOBODY else code % ROTATIONS for code in plates],
        *board.colors,
        board.specials,
        board.broken,
        board.tokens,
        board.chips_taken,
        *_faces(board.chips),
    )
