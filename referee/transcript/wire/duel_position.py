"""Positions of Azul Duel, whole or as views, as messages and back."""

from collections.abc import Sequence
from typing import Any

from referee.rules import OVER, Position, get_ruleset
from referee.rules.duel.board import DuelBoard
from referee.rules.duel.components import (
    CELLS_PER_ROW,
    COLOR_LETTERS,
    FACE_LETTERS,
    FACES,
    GOAL_NAMES,
    HIDDEN_FACE,
    LARGE,
    LINES,
    NOBODY,
    PLATE_COUNT,
    ROTATIONS,
    SLOTS,
    SMALL_FACTORIES,
)
from referee.rules.duel.deal import face_text, letters, plate_text
from referee.rules.duel.phases import DUE_NAMES, KEPT, PHASE_NAMES, PLACING, SPENDING
from referee.rules.duel.plates import GONE, known_by, plate_of
from referee.rules.duel.position import DuelPosition
from referee.rules.tally import COLORS, is_tally
from referee.transcript.errors import WireError
from referee.transcript.wire.duel import (
    FIFTH_COLOR,
    colors,
    decode_face,
    decode_goals,
    encode_faces,
)
from referee.transcript.wire.numbers import (
    absent_or,
    color_list,
    enum,
    need,
    need_color,
    wire_color,
)
from referee.v1 import duel_pb2 as pb

_TILING = (SPENDING, PLACING)


def encode_position(position: DuelPosition) -> pb.DuelPosition:
    """Return a table, or a view of one, as a message."""
    stack = position.stack
    # Enums are numbers, whatever the types of the stubs say.
    goals: list[Any] = [goal + 1 for goal in position.goals]
    chips: list[Any] = [face + 1 for face in position.chips]
    phase: Any = position.phase + 1
    due: Any = position.due
    index, slot, rotation = position.kept
    kept = pb.DuelKeepPlate(index=index, slot=slot, rotation=rotation)
    return pb.DuelPosition(
        goals=goals,
        random_goals=position.random_goals,
        round=position.round,
        starter=absent_or(position.starter),
        turn=absent_or(position.mover),
        over=position.actor == OVER,
        phase=phase,
        line=position.line if position.phase in _TILING else None,
        due=due,
        kept=kept if position.due == KEPT else None,
        first=absent_or(position.first),
        display=position.display,
        top=None if stack.top == NOBODY else _encode_entry(stack.top),
        returned=map(_encode_entry, stack.returned),
        drawn=map(_encode_entry, stack.drawn),
        sun=position.sun,
        moon=position.moon,
        piles=[pb.DuelPile(tiles=colors(pile)) for pile in position.stacks],
        chips=chips,
        revealed=position.revealed,
        supply=encode_faces(position.supply),
        bag=position.bag,
        tower=position.tower,
        boards=[_encode_board(board) for board in position.boards],
    )


def _encode_entry(entry: int) -> pb.DuelPlate:
    if entry == GONE:
        return pb.DuelPlate()
    return pb.DuelPlate(plate=plate_of(entry), known_by=known_by(entry))


def _encode_board(board: DuelBoard) -> pb.DuelBoard:
    return pb.DuelBoard(
        score=board.score,
        line_colors=[
            enum(0) if color == NOBODY else wire_color(color, FIFTH_COLOR)
            for color in board.line_colors
        ],
        line_counts=board.line_counts,
        slots=[
            pb.DuelSlot()
            if code == NOBODY
            else pb.DuelSlot(plate=code // ROTATIONS, rotation=code % ROTATIONS)
            for code in board.plates
        ],
        dome=board.colors,
        specials=board.specials,
        broken=board.broken,
        tokens=board.tokens,
        chips_taken=board.chips_taken,
        chips=encode_faces(board.chips),
    )


def decode_position(revision: int, message: pb.DuelPosition) -> Position:
    """Return a table, or raise `WireError` or what its notation is refused with.

    It goes through the notation, which knows every way in which a table can be impossible.
    """
    _check_lengths(message)
    fields = [
        f"duel/{revision}",
        f"goals={_goals(message)}",
        f"round={message.round}",
        f"starter={message.starter if message.HasField('starter') else '?'}",
        f"turn={_turn(message)}",
        f"phase={_phase(message)}",
        f"due={_due(message)}",
        f"first={message.first if message.HasField('first') else 'large'}",
        "display=" + (",".join(map(str, message.display)) or "-"),
        f"top={_entry(message.top) if message.HasField('top') else '-'}",
        "returned=" + (",".join(map(_entry, message.returned)) or "-"),
        "drawn=" + (",".join(map(_entry, message.drawn)) or "none"),
        f"large={_letters(message.sun[LARGE])}/{_letters(message.moon)}",
        "small=" + ",".join(map(_small, message.sun, message.piles)),
        "chips=" + ",".join(map(_chip, range(SMALL_FACTORIES), [message] * SMALL_FACTORIES)),
        f"supply={_chips(message.supply)}",
        f"bag={_counts(message.bag)}",
        f"tower={_counts(message.tower)}",
        *(f"seat{seat}={_board(board)}" for seat, board in enumerate(message.boards)),
    ]
    return get_ruleset("duel").parse_position(" ".join(fields))


def _check_lengths(message: pb.DuelPosition) -> None:
    small = SMALL_FACTORIES
    if (len(message.sun), len(message.piles), len(message.chips)) != (small + 1, small, small):
        raise WireError(f"there are {small} small factories and a large one")
    for board in message.boards:
        if len(board.line_colors) != LINES or len(board.line_counts) != LINES:
            raise WireError(f"a board has {LINES} pattern lines")
        if len(board.slots) != SLOTS or len(board.dome) != COLORS:
            raise WireError(f"a dome has {SLOTS} slots, and a mask for each of {COLORS} colors")


def _goals(message: pb.DuelPosition) -> str:
    if message.random_goals and not message.goals:
        return f"random{message.random_goals}"
    return ",".join(GOAL_NAMES[goal] for goal in decode_goals(message.goals))


def _turn(message: pb.DuelPosition) -> str:
    if message.over:
        return "over"
    return str(message.turn) if message.HasField("turn") else "-"


def _phase(message: pb.DuelPosition) -> str:
    if not 1 <= message.phase <= len(PHASE_NAMES):
        raise WireError(f"there is no phase {message.phase}")
    name = PHASE_NAMES[message.phase - 1]
    return name + (str(need(message, "line")) if message.phase - 1 in _TILING else "")


def _due(message: pb.DuelPosition) -> str:
    if not 0 <= message.due < len(DUE_NAMES):
        raise WireError(f"nothing like {message.due} can be due")
    name = DUE_NAMES[message.due]
    if message.due == KEPT:
        name += f"{message.kept.index}@{message.kept.slot}r{message.kept.rotation}"
    return name


def _entry(message: pb.DuelPlate) -> str:
    if not message.HasField("plate"):
        return "-"
    if message.plate > PLATE_COUNT + 1 or message.known_by > 3:
        raise WireError(f"there is no plate {message.plate} known by {message.known_by}")
    seats = ("", ":0", ":1", ":01")[message.known_by]
    return plate_text(message.plate) + seats


def _letters(tiles: int) -> str:
    if not is_tally(tiles):
        raise WireError(f"{tiles} is no tally")
    return letters(tiles)


def _counts(tiles: int) -> str:
    _letters(tiles)
    counted = ((tiles >> 6 * color & 63, COLOR_LETTERS[color]) for color in range(COLORS))
    return "".join(f"{number}{letter}" for number, letter in counted if number) or "-"


def _small(sun: int, pile: pb.DuelPile) -> str:
    tiles = color_list(pile.tiles, FIFTH_COLOR)
    return f"{_letters(sun)}/{''.join(COLOR_LETTERS[tile] for tile in tiles) or '-'}"


def _chip(factory: int, message: pb.DuelPosition) -> str:
    number = message.chips[factory]
    if number == 0:
        return "-"
    face = decode_face(number)
    if face == HIDDEN_FACE or message.revealed >> factory & 1:
        return face_text(face)
    return f"({face_text(face)})"


def _chips(numbers: Sequence[int]) -> str:
    faces = [decode_face(number) for number in numbers]
    counted = ((faces.count(face), FACE_LETTERS[face]) for face in range(FACES))
    return "".join(f"{number}{letters}" for number, letters in counted if number) or "-"


def _board(board: pb.DuelBoard) -> str:
    plates = ",".join(
        f"{slot.plate}r{slot.rotation}" if slot.HasField("plate") else "-" for slot in board.slots
    )
    rows = "/".join(
        "".join(_cell(board, CELLS_PER_ROW * row + column) for column in range(CELLS_PER_ROW))
        for row in range(CELLS_PER_ROW)
    )
    return ":".join(
        [
            str(board.score),
            "/".join(map(_line, board.line_colors, board.line_counts)),
            plates,
            rows,
            _letters(board.broken),
            str(board.tokens),
            str(board.chips_taken),
            _chips(board.chips),
        ]
    )


def _line(color: int, number: int) -> str:
    if (color == 0) != (number == 0) or number > LINES:
        raise WireError(f"no pattern line holds {number} tiles of color {color}")
    return COLOR_LETTERS[need_color(color, FIFTH_COLOR)] * number if number else "-"


def _cell(board: pb.DuelBoard, cell: int) -> str:
    found = [COLOR_LETTERS[color] for color in range(COLORS) if board.dome[color] >> cell & 1]
    if board.specials >> cell & 1:
        found.append("S")
    if len(found) > 1:
        raise WireError(f"cell {cell} of a dome holds two tiles")
    return found[0] if found else "."
