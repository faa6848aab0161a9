"""Reads moves and deals of Duel, and the parts that positions share with them.

Reading a position is in `position_text`, because it must also say whether the table it
describes can exist. Whatever is outside the grammar of docs/notation.md is a `NotationError`.
"""

import re
from typing import Final

from referee.rules import tally
from referee.rules.duel import chips as chipset
from referee.rules.duel.components import (
    BROKEN,
    CHIPS_PER_FACE,
    COLOR_LETTERS,
    FACE_LETTERS,
    GOAL_NAMES,
    HIDDEN_FACE,
    HIDDEN_SPECIAL,
    HIDDEN_WILD,
    LARGE,
    NOBODY,
    PLATE_COUNT,
    SMALL_FACTORIES,
    TILES_PER_COLOR,
)
from referee.rules.duel.deal import RoundDeal, Uncovered
from referee.rules.duel.moves import (
    DrawPlate,
    DuelMove,
    KeepPlate,
    PlacePlate,
    PlaceTile,
    ReturnPlate,
    SpendChips,
    StopDrawing,
    TakeChip,
    TakeMoon,
    TakeSun,
)
from referee.rules.errors import NotationError, shown

_SUN: Final = re.compile(r"([0-3L])([BYRKT])([0-5X])(?::([BYRKT]{1,3}))?", re.ASCII)
_MOON: Final = re.compile(r"M([BYRKT])([0-5X])", re.ASCII)
_PLATE: Final = re.compile(r"(plate|keep)(0|[1-9][0-9]?)@([0-8])r([0-3])", re.ASCII)
_RETURN: Final = re.compile(r"return(0|[1-9][0-9]?)", re.ASCII)
_CHIP: Final = re.compile(r"chip([0-3])", re.ASCII)
_SPEND: Final = re.compile(r"([0-5])\+([BYRKT,]+|-)", re.ASCII)
_PLACE: Final = re.compile(r"([0-5])@([0-5])", re.ASCII)
_NUMBER: Final = re.compile(r"0|[1-9][0-9]{0,5}", re.ASCII)
_COUNT: Final = re.compile(r"([1-9][0-9]?)([BYRKT]+)", re.ASCII)
MAX_LENGTH: Final = 2_000


# Moves -------------------------------------------------------------------------


def need_text(text: object) -> str:
    """Return the text, or raise `NotationError` for anything that is none."""
    if not isinstance(text, str):
        raise NotationError(f"notation is text, not {type(text).__name__}")
    return text


def parse_move(given: object) -> DuelMove:
    """Read a move."""
    text = need_text(given)
    if text == "draw":
        return DrawPlate()
    if text == "stop":
        return StopDrawing()
    if (sun := _SUN.fullmatch(text)) is not None:
        factory = LARGE if sun[1] == "L" else int(sun[1])
        pile = tuple([COLOR_LETTERS.index(tile) for tile in sun[4] or ""])
        return TakeSun(factory, COLOR_LETTERS.index(sun[2]), _parse_line(sun[3]), pile)
    if (moon := _MOON.fullmatch(text)) is not None:
        return TakeMoon(COLOR_LETTERS.index(moon[1]), _parse_line(moon[2]))
    if (place := _PLACE.fullmatch(text)) is not None:
        return PlaceTile(int(place[1]), int(place[2]))
    if (chip := _CHIP.fullmatch(text)) is not None:
        return TakeChip(int(chip[1]))
    if (back := _RETURN.fullmatch(text)) is not None and int(back[1]) < PLATE_COUNT:
        return ReturnPlate(int(back[1]))
    if (plate := _PLATE.fullmatch(text)) is not None and int(plate[2]) < PLATE_COUNT:
        kind = PlacePlate if plate[1] == "plate" else KeepPlate
        return kind(int(plate[2]), int(plate[3]), int(plate[4]))
    if (spend := _SPEND.fullmatch(text)) is not None:
        return SpendChips(int(spend[1]), _parse_chip_list(spend[2]))
    raise NotationError(
        f"{shown(text)} is no move; moves are like 0B3:RK, LT5, MKX, chip2, plate7@4r1, draw,"
        " stop, keep0@4r1, return1, 3+B,BR or 2@4"
    )


def _parse_line(text: str) -> int:
    return BROKEN if text == "X" else int(text)


def _parse_chip_list(text: str) -> int:
    if text == "-":
        return 0
    chips = 0
    last = 0
    for name in text.split(","):
        face = parse_face(name)
        if face < last or chipset.count(chips, face) == CHIPS_PER_FACE:
            raise NotationError(f"{shown(text)} is not in the order of the faces, two at most")
        chips += chipset.ONE_CHIP[face]
        last = face
    return chips


# Deals -------------------------------------------------------------------------

_ROUND_FIELDS: Final = ("starter", "goals", "display", "top", "redraws", "large", "small", "chips")
_UNCOVERED_FIELDS: Final = ("display", "top", "looker", "faces", "kept", "chips")


def parse_deal(given: object) -> RoundDeal | Uncovered:
    """Read the deal of a round, or what comes to light within one."""
    text = need_text(given)
    if len(text) > MAX_LENGTH:
        raise NotationError(f"a deal is at most {MAX_LENGTH} characters long")
    if " large=" not in f" {text}":
        return _parse_uncovered(text)
    fields = _fields(text, _ROUND_FIELDS)
    small = fields.get("small", "").split(",")
    chips = fields.get("chips", "").split(",")
    return RoundDeal(
        parse_tiles(fields["large"]),
        tuple([parse_tiles(tiles) for tiles in small]),
        tuple([HIDDEN_FACE if face == "?" else parse_face(face) for face in chips]),
        display=_plates(fields.get("display")),
        top=parse_plate(fields["top"]) if "top" in fields else NOBODY,
        redraws=tuple([parse_color(color) for color in fields.get("redraws", "")]),
        starter=parse_seat(fields["starter"]) if "starter" in fields else None,
        goals=parse_goals(fields["goals"]) if "goals" in fields else None,
    )


def _parse_uncovered(text: str) -> Uncovered:
    fields = {} if text == "nothing" else _fields(text, _UNCOVERED_FIELDS)
    return Uncovered(
        display=parse_id(fields["display"]) if "display" in fields else NOBODY,
        top=parse_plate(fields["top"]) if "top" in fields else NOBODY,
        looker=parse_seat(fields["looker"]) if "looker" in fields else NOBODY,
        faces=tuple([parse_plate(face) for face in fields["faces"].split(",")])
        if "faces" in fields
        else (),
        kept=parse_id(fields["kept"]) if "kept" in fields else NOBODY,
        chips=tuple([_parse_revealed(chip) for chip in fields["chips"].split(",")])
        if "chips" in fields
        else (),
    )


def _fields(text: str, names: tuple[str, ...]) -> dict[str, str]:
    left = list(names)
    fields = {}
    for part in text.split(" "):
        name, _, value = part.partition("=")
        if not value or name not in left:
            expected = " ".join(names)
            raise NotationError(
                f"{shown(part)} does not fit a deal; the fields in order: {expected}"
            )
        fields[name] = value
        del left[: left.index(name) + 1]
    return fields


def _plates(text: str | None) -> tuple[int, ...]:
    return () if text is None else tuple([parse_id(plate) for plate in text.split(",")])


def _parse_revealed(text: str) -> tuple[int, int]:
    factory, _, face = text.partition(":")
    number = parse_number(factory)
    if number >= SMALL_FACTORIES:
        raise NotationError(f"{shown(text)}: small factories are 0 to {SMALL_FACTORIES - 1}")
    return number, parse_face(face)


# Parts -------------------------------------------------------------------------


def parse_number(text: str) -> int:
    """Read a number."""
    if _NUMBER.fullmatch(text) is None:
        raise NotationError(f"{shown(text)} is no number")
    return int(text)


def parse_seat(text: str) -> int:
    """Read a seat number."""
    if text not in ("0", "1"):
        raise NotationError(f"{shown(text)} is no seat; seats are 0 and 1")
    return int(text)


def parse_color(text: str) -> int:
    """Read a color."""
    if len(text) != 1 or text not in COLOR_LETTERS:
        raise NotationError(f"{shown(text)} is no color of {COLOR_LETTERS}")
    return COLOR_LETTERS.index(text)


def parse_tiles(text: str) -> int:
    """Read tiles written one letter each, ``-`` for none."""
    if text == "-":
        return 0
    if not text:
        raise NotationError(f"{shown(text)} are no tiles; write a letter each, '-' for none")
    tiles = 0
    for letter in text:
        color = parse_color(letter)
        if tally.count(tiles, color) == TILES_PER_COLOR:
            raise NotationError(f"{shown(text)} has more tiles of a color than there are")
        tiles += tally.ONE[color]
    return tiles


def parse_counts(text: str) -> int:
    """Read tiles written as counts, ``-`` for none."""
    tiles = 0
    last = -1
    for n, letter in _counted(text):
        color = parse_color(letter)
        if color <= last or n > TILES_PER_COLOR:
            raise NotationError(f"{shown(text)}: each color once, in order, at most 13")
        tiles += n * tally.ONE[color]
        last = color
    return tiles


def parse_chips(text: str) -> int:
    """Read chips written as counts, ``-`` for none."""
    chips = 0
    last = -1
    for n, name in _counted(text):
        face = parse_face(name)
        if face <= last or n > CHIPS_PER_FACE:
            raise NotationError(f"{shown(text)}: each face once, in order, at most 2")
        chips += n * chipset.ONE_CHIP[face]
        last = face
    return chips


def _counted(text: str) -> list[tuple[int, str]]:
    if text == "-":
        return []
    found = []
    at = 0
    while at < len(text):
        match = _COUNT.match(text, at)
        if match is None:
            raise NotationError(f"{shown(text)} are no counts, such as 12B3T")
        found.append((int(match[1]), match[2]))
        at = match.end()
    if not found:
        raise NotationError("nothing is written '-'")
    return found


def parse_face(text: str) -> int:
    """Read the face of a chip."""
    if text not in FACE_LETTERS:
        raise NotationError(f"{shown(text)} is no chip; there are {', '.join(FACE_LETTERS)}")
    return FACE_LETTERS.index(text)


def parse_id(text: str) -> int:
    """Read the id of a plate."""
    plate = parse_number(text)
    if plate >= PLATE_COUNT:
        raise NotationError(f"{shown(text)} is no plate; plates are 0 to {PLATE_COUNT - 1}")
    return plate


def parse_plate(text: str) -> int:
    """Read a plate that may show only its back: ``s`` or ``w``."""
    if text in ("s", "w"):
        return HIDDEN_SPECIAL if text == "s" else HIDDEN_WILD
    return parse_id(text)


def parse_goals(text: str) -> tuple[int, ...]:
    """Read the goals in play."""
    goals = []
    for name in text.split(","):
        if name not in GOAL_NAMES:
            raise NotationError(f"{shown(name)} is no goal; there are {', '.join(GOAL_NAMES)}")
        goals.append(GOAL_NAMES.index(name))
    return tuple(goals)
