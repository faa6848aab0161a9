"""Reads a position of Duel, and refuses tables that no game can show.

Two steps, two errors: `NotationError` for a text outside the grammar, `InvalidPosition` for
one inside it whose tiles, plates, chips or turn contradict the rules. Not every table that
passes can be reached by play: scores and the history behind a table are not looked into.
"""

import re
from typing import Final

from referee.rules import tally
from referee.rules.duel import position_check, reading
from referee.rules.duel.board import DuelBoard
from referee.rules.duel.components import (
    BROKEN_SPACES,
    CELLS_PER_ROW,
    CHIPS_PER_ROUND,
    COLOR_LETTERS,
    HIDDEN_FACE,
    LARGE,
    LINES,
    NOBODY,
    PLATE_COUNT,
    SLOTS,
    SMALL_FACTORIES,
    SPECIAL_CELL,
    TILES_PER_SMALL,
    TOKENS_PER_ROUND,
)
from referee.rules.duel.dome import CELL_BITS, code
from referee.rules.duel.moves import MAX_DRAWN
from referee.rules.duel.phases import (
    BETWEEN,
    DUE_NAMES,
    KEPT,
    NOTHING,
    PHASE_NAMES,
    PLACING,
    SPENDING,
)
from referee.rules.duel.plates import GONE, entry, plate_of
from referee.rules.duel.position import DuelPosition, new_table
from referee.rules.errors import InvalidPosition, NotationError, shown
from referee.rules.interface import CHANCE, OVER

_FIELDS: Final = (
    "goals", "round", "starter", "turn", "phase", "due", "first", "display", "top", "returned",
    "drawn", "large", "small", "chips", "supply", "bag", "tower", "seat0", "seat1",
)  # fmt: skip
_PHASE: Final = re.compile(r"([a-z]+)([0-5]?)", re.ASCII)
_DUE: Final = re.compile(r"([a-z]+|-)(?:([0-9]{1,2})@([0-8])r([0-3]))?", re.ASCII)
_PLATE: Final = re.compile(r"([0-9]{1,2})r([0-3])", re.ASCII)
_ENTRY: Final = re.compile(r"([0-9]{1,2}|s|w)(?::(0|1|01))?", re.ASCII)


def parse_position(revision: int, given: object) -> DuelPosition:
    """Read a position of that revision of the ruleset."""
    text = reading.need_text(given)
    if len(text) > reading.MAX_LENGTH:
        raise NotationError(f"a position is at most {reading.MAX_LENGTH} characters long")
    head, *parts = text.split(" ")
    if head != f"duel/{revision}":
        raise NotationError(f"{shown(head)} is not duel/{revision}")
    if len(parts) != len(_FIELDS):
        raise NotationError(f"a position of Duel has {len(_FIELDS)} fields, not {len(parts)}")
    values = {}
    for name, part in zip(_FIELDS, parts, strict=True):
        found, equals, value = part.partition("=")
        if found != name or not equals:
            raise NotationError(f"{shown(part)} stands where {name}=... is expected")
        values[name] = value
    position = _read(revision, values)
    position_check.check(position)
    return position


def _read(revision: int, values: dict[str, str]) -> DuelPosition:
    goals, random_goals = _goals(values["goals"])
    position = new_table(revision, goals, random_goals, _seat_or(values["starter"], "?"))
    position.round = reading.parse_number(values["round"])
    position.first = _seat_or(values["first"], "large")
    _read_turn(position, values)
    _read_plates(position, values)
    _read_factories(position, values)
    position.supply = reading.parse_chips(values["supply"])
    position.bag = reading.parse_counts(values["bag"])
    position.tower = reading.parse_counts(values["tower"])
    for seat, board in enumerate(position.boards):
        _read_board(board, seat, values[f"seat{seat}"])
    # All that lies open is known; `position_check` says if something lies twice.
    for plate in position_check.open_plates(position):
        position.stack.see(plate)
    return position


def _goals(text: str) -> tuple[tuple[int, ...], int]:
    if text in ("random3", "random4"):
        return (), int(text[-1])
    return reading.parse_goals(text), 0


def _seat_or(text: str, word: str) -> int:
    return NOBODY if text == word else reading.parse_seat(text)


def _read_turn(position: DuelPosition, values: dict[str, str]) -> None:
    phase = _PHASE.fullmatch(values["phase"])
    if phase is None or phase[1] not in PHASE_NAMES:
        raise NotationError(f"{shown(values['phase'])} is no phase: {', '.join(PHASE_NAMES)}")
    position.phase = PHASE_NAMES.index(phase[1])
    if (phase[2] != "") != (position.phase in (SPENDING, PLACING)):
        raise NotationError(f"{shown(values['phase'])}: only spending and placing name a line")
    position.line = int(phase[2] or 0)
    due = _DUE.fullmatch(values["due"])
    if due is None or due[1] not in DUE_NAMES:
        raise NotationError(f"{shown(values['due'])} is nothing that can be due")
    position.due = DUE_NAMES.index(due[1])
    if (due[2] is not None) != (position.due == KEPT):
        raise NotationError(f"{shown(values['due'])}: only a kept plate has a slot and a rotation")
    if position.due == KEPT:
        position.kept = (reading.parse_number(due[2]), int(due[3]), int(due[4]))
    if values["turn"] == "over":
        position.mover, position.actor = NOBODY, OVER
        return
    position.mover = _seat_or(values["turn"], "-")
    position.actor = position.mover if position.due == NOTHING else CHANCE
    if (position.mover == NOBODY) != (position.phase == BETWEEN):
        raise NotationError("a seat has the turn, except between rounds and when the game is over")


def _read_plates(position: DuelPosition, values: dict[str, str]) -> None:
    stack = position.stack
    if values["display"] != "-":
        display = [reading.parse_id(plate) for plate in values["display"].split(",")]
        if display != sorted(set(display)):
            raise NotationError("the plates of the display are named once each, ascending")
        position.display = tuple(display)
    stack.top = NOBODY if values["top"] == "-" else _entry(values["top"])
    if values["returned"] != "-":
        stack.returned = [_entry(text) for text in values["returned"].split(",")]
    if values["drawn"] != "none":
        if values["drawn"].count(",") >= MAX_DRAWN:
            raise NotationError(f"at most {MAX_DRAWN} plates can be drawn")
        stack.drawn = [GONE if text == "-" else _entry(text) for text in values["drawn"].split(",")]
    for held in (stack.top, *stack.returned, *stack.drawn):
        if held >= 0 and plate_of(held) < PLATE_COUNT:
            if not stack.unseen >> plate_of(held) & 1:
                raise InvalidPosition(f"plate {plate_of(held)} lies in two places")
            stack.see(plate_of(held))


def _entry(text: str) -> int:
    match = _ENTRY.fullmatch(text)
    if match is None:
        raise NotationError(f"{shown(text)} is no plate that lies face down, such as 12:0, s or w")
    seats = sum(1 << int(seat) for seat in match[2] or "")
    return entry(reading.parse_plate(match[1]), seats)


def _read_factories(position: DuelPosition, values: dict[str, str]) -> None:
    sun, moon = _sides(values["large"])
    position.sun[LARGE] = reading.parse_tiles(sun)
    position.moon = reading.parse_tiles(moon)
    small, chips = values["small"].split(","), values["chips"].split(",")
    if len(small) != SMALL_FACTORIES or len(chips) != SMALL_FACTORIES:
        raise NotationError(f"there are {SMALL_FACTORIES} small factories, each with its chip")
    for factory, (text, chip) in enumerate(zip(small, chips, strict=True)):
        sun, pile = _sides(text)
        position.sun[factory] = reading.parse_tiles(sun)
        if pile != "-":
            if len(pile) >= TILES_PER_SMALL:
                raise NotationError(f"{shown(pile)} is higher than a pile on a factory can be")
            position.stacks[factory] = tuple([reading.parse_color(tile) for tile in pile])
        _read_chip(position, factory, chip)
    position.tiles_left = sum(tally.size(tiles) for tiles in (*position.sun, position.moon))
    position.tiles_left += sum(len(pile) for pile in position.stacks)
    position.chips_left = sum(face != NOBODY for face in position.chips)


def _sides(text: str) -> tuple[str, str]:
    sun, slash, moon = text.partition("/")
    if not slash:
        raise NotationError(f"{shown(text)} is no factory; write its sun and moon side: BBR/-")
    return sun, moon


def _read_chip(position: DuelPosition, factory: int, text: str) -> None:
    if text == "?":
        position.chips[factory] = HIDDEN_FACE
    elif text != "-":
        covered = text.startswith("(") and text.endswith(")")
        position.chips[factory] = reading.parse_face(text[1:-1] if covered else text)
        if not covered:
            position.revealed |= 1 << factory


def _read_board(board: DuelBoard, seat: int, text: str) -> None:
    parts = text.split(":")
    if len(parts) != 8:
        form = "score:lines:plates:dome:broken:tokens:taken:chips"
        raise NotationError(f"seat{seat}: {shown(text)} is not {form}")
    board.score = reading.parse_number(parts[0])
    _read_lines(board, seat, parts[1].split("/"))
    _read_dome_plates(board, seat, parts[2].split(","))
    _read_dome(board, seat, parts[3].split("/"))
    board.broken = reading.parse_tiles(parts[4])
    board.broken_count = tally.size(board.broken)
    board.tokens = reading.parse_number(parts[5])
    board.chips_taken = reading.parse_number(parts[6])
    board.chips = reading.parse_chips(parts[7])
    if (
        board.broken_count > BROKEN_SPACES
        or board.tokens > TOKENS_PER_ROUND
        or board.chips_taken > CHIPS_PER_ROUND
    ):
        raise NotationError(f"seat{seat} has more broken tiles, tokens or chips than can be")


def _read_lines(board: DuelBoard, seat: int, lines: list[str]) -> None:
    if len(lines) != LINES:
        raise NotationError(f"seat{seat} needs {LINES} pattern lines")
    for line, text in enumerate(lines):
        if text == "-":
            continue
        color = reading.parse_color(text[:1])
        if len(text) > line + 1 or text != text[0] * len(text):
            raise NotationError(f"seat{seat}: pattern line {line} cannot hold {shown(text)}")
        board.add_to_line(line, color, len(text))


def _read_dome_plates(board: DuelBoard, seat: int, plates: list[str]) -> None:
    if len(plates) != SLOTS:
        raise NotationError(f"seat{seat} needs {SLOTS} slots for plates")
    for slot, text in enumerate(plates):
        if text == "-":
            continue
        match = _PLATE.fullmatch(text)
        if match is None:
            raise NotationError(f"seat{seat}: {shown(text)} is no plate, such as 12r3")
        board.place_plate(slot, code(reading.parse_id(match[1]), int(match[2])))


def _read_dome(board: DuelBoard, seat: int, rows: list[str]) -> None:
    if len(rows) != CELLS_PER_ROW:
        raise NotationError(f"seat{seat} needs {CELLS_PER_ROW} rows of its dome")
    for row, cells in enumerate(rows):
        if len(cells) != CELLS_PER_ROW or any(
            c not in "." + SPECIAL_CELL + COLOR_LETTERS for c in cells
        ):
            raise NotationError(f"seat{seat}: {shown(cells)} is no row of {CELLS_PER_ROW} cells")
        for column, cell in enumerate(cells):
            bit = CELL_BITS[CELLS_PER_ROW * row + column]
            if cell == SPECIAL_CELL:
                board.specials |= bit
            elif cell != ".":
                color = COLOR_LETTERS.index(cell)
                if not board.accepts[color] & bit:
                    raise InvalidPosition(
                        f"seat {seat}: row {row}, column {column} of the dome takes no {cell}"
                    )
                board.colors[color] |= bit
            if cell != ".":
                board.filled |= bit
    for color in range(len(COLOR_LETTERS)):
        board.accepts[color] &= ~board.filled
