"""Writes positions of Duel; moves and deals write themselves. The grammar is docs/notation.md."""

from typing import TYPE_CHECKING

from referee.rules import tally
from referee.rules.duel import chips as chipset
from referee.rules.duel.components import (
    CELLS_PER_ROW,
    COLOR_LETTERS,
    FACE_LETTERS,
    GOAL_NAMES,
    HIDDEN_FACE,
    LARGE,
    NOBODY,
    ROTATIONS,
    SEATS,
    SMALL_FACTORIES,
    SPECIAL_CELL,
)
from referee.rules.duel.deal import letters, plate_text
from referee.rules.duel.phases import DUE_NAMES, KEPT, PHASE_NAMES, PLACING, SPENDING
from referee.rules.duel.plates import GONE, known_by, plate_of
from referee.rules.interface import OVER

if TYPE_CHECKING:
    from referee.rules.duel.board import DuelBoard
    from referee.rules.duel.position import DuelPosition


def format_position(position: "DuelPosition") -> str:
    """Return the position on one line."""
    stack = position.stack
    fields = [
        f"duel/{position.revision}",
        f"goals={_format_goals(position)}",
        f"round={position.round}",
        f"starter={_seat(position.starter, '?')}",
        f"turn={'over' if position.actor == OVER else _seat(position.mover, '-')}",
        f"phase={_format_phase(position)}",
        f"due={_format_due(position)}",
        f"first={_seat(position.first, 'large')}",
        "display=" + (",".join([str(plate) for plate in position.display]) or "-"),
        f"top={_format_entry(stack.top)}",
        "returned=" + (",".join([_format_entry(entry) for entry in stack.returned]) or "-"),
        "drawn=" + (",".join([_format_entry(entry) for entry in stack.drawn]) or "none"),
        f"large={letters(position.sun[LARGE])}/{letters(position.moon)}",
        "small=" + ",".join([_format_small(position, f) for f in range(SMALL_FACTORIES)]),
        "chips=" + ",".join([_format_chip(position, f) for f in range(SMALL_FACTORIES)]),
        f"supply={format_chips(position.supply)}",
        f"bag={format_counts(position.bag)}",
        f"tower={format_counts(position.tower)}",
    ]
    fields += [f"seat{seat}={_format_board(board)}" for seat, board in enumerate(position.boards)]
    return " ".join(fields)


def _seat(seat: int, nobody: str) -> str:
    return nobody if seat == NOBODY else str(seat)


def _format_goals(position: "DuelPosition") -> str:
    if not position.goals:
        return f"random{position.random_goals}"
    return ",".join([GOAL_NAMES[goal] for goal in position.goals])


def _format_phase(position: "DuelPosition") -> str:
    name = PHASE_NAMES[position.phase]
    return f"{name}{position.line}" if position.phase in (SPENDING, PLACING) else name


def _format_due(position: "DuelPosition") -> str:
    name = DUE_NAMES[position.due]
    if position.due == KEPT:
        index, slot, rotation = position.kept
        return f"{name}{index}@{slot}r{rotation}"
    return name


def _format_entry(entry: int) -> str:
    if entry == GONE:
        return "-"
    seats = "".join([str(seat) for seat in range(SEATS) if known_by(entry) >> seat & 1])
    return plate_text(plate_of(entry)) + (f":{seats}" if seats else "")


def _format_small(position: "DuelPosition", factory: int) -> str:
    pile = "".join([COLOR_LETTERS[tile] for tile in position.stacks[factory]])
    return f"{letters(position.sun[factory])}/{pile or '-'}"


def _format_chip(position: "DuelPosition", factory: int) -> str:
    face = position.chips[factory]
    if face == NOBODY:
        return "-"
    if face == HIDDEN_FACE:
        return "?"
    name = FACE_LETTERS[face]
    return name if position.revealed >> factory & 1 else f"({name})"


def format_counts(tiles: int) -> str:
    """Return a tally as counts, such as ``12B3T``, for the many tiles of bag and tower."""
    counted = zip(tally.counts(tiles), COLOR_LETTERS, strict=True)
    return "".join([f"{n}{letter}" for n, letter in counted if n]) or "-"


def format_chips(chips: int) -> str:
    """Return a set of chips as counts, such as ``2B1YT``."""
    counted = [(chipset.count(chips, face), name) for face, name in enumerate(FACE_LETTERS)]
    return "".join([f"{n}{name}" for n, name in counted if n]) or "-"


def _format_board(board: "DuelBoard") -> str:
    lines = [
        COLOR_LETTERS[board.line_colors[line]] * n if n else "-"
        for line, n in enumerate(board.line_counts)
    ]
    plates = [
        "-" if code == NOBODY else f"{code // ROTATIONS}r{code % ROTATIONS}"
        for code in board.plates
    ]
    dome = [
        "".join([_format_cell(board, CELLS_PER_ROW * row + at) for at in range(CELLS_PER_ROW)])
        for row in range(CELLS_PER_ROW)
    ]
    parts = [
        str(board.score),
        "/".join(lines),
        ",".join(plates),
        "/".join(dome),
        letters(board.broken),
        str(board.tokens),
        str(board.chips_taken),
        format_chips(board.chips),
    ]
    return ":".join(parts)


def _format_cell(board: "DuelBoard", cell: int) -> str:
    if board.specials >> cell & 1:
        return SPECIAL_CELL
    for color, cells in enumerate(board.colors):
        if cells >> cell & 1:
            return COLOR_LETTERS[color]
    return "."
