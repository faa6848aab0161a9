"""Writes positions and reads moves and deals; the grammar is docs/notation.md.

Reading a position is in `position_text`, because it must also say whether the table it
describes can exist.
"""

import re
from typing import TYPE_CHECKING, Final

from referee.rules import tally
from referee.rules.azul.components import (
    CENTER,
    COLOR_LETTERS,
    DISC_NAMES,
    FLOOR,
    FLOOR_SPACES,
    MARKER_LETTER,
    MAX_FACTORIES,
    ROWS,
    TILES_PER_COLOR,
)
from referee.rules.azul.deal import RoundDeal, letters
from referee.rules.azul.moves import Place, Take
from referee.rules.errors import NotationError, shown
from referee.rules.interface import CHANCE, OVER, Move
from referee.rules.tally import COLORS

if TYPE_CHECKING:
    from referee.rules.azul.board import Board
    from referee.rules.azul.position import AzulPosition

FLOOR_LETTERS: Final = COLOR_LETTERS + MARKER_LETTER

_TAKE: Final = re.compile(r"([0-8C])([BYRKW])([0-4F])(?:<([BYRKW]*)>([BYRKW]*))?", re.ASCII)
_PLACE: Final = re.compile(r"([0-4])@([0-4])", re.ASCII)
_COUNT: Final = re.compile(r"([1-9][0-9]?)([BYRKW])", re.ASCII)
_SEAT: Final = re.compile(r"[0-3]", re.ASCII)


# Writing -------------------------------------------------------------------------------


def format_position(position: "AzulPosition") -> str:
    """Return the position on one line."""
    variant = position.variant
    absent = position.absent_factory()
    fields = [
        f"{variant.key}/{variant.revision}",
        f"cap={position.round_cap or 'none'}",
        f"round={position.round}",
        f"starter={position.starter if position.starter >= 0 else '?'}",
        f"turn={_format_turn(position.actor)}",
        f"marker={position.marker if position.marker >= 0 else 'center'}",
        "factories="
        + ",".join([_format_factory(position, i, absent) for i in range(position.factories)]),
        f"center={letters(position.sources[CENTER]) or '-'}",
        f"bag={format_counts(position.bag)}",
        f"lid={format_counts(position.lid)}",
    ]
    for seat, board in enumerate(position.boards):
        fields.append(f"seat{seat}={_format_board(board)}{_format_shield(position, seat)}")
    return " ".join(fields)


def _format_turn(actor: int) -> str:
    return "deal" if actor == CHANCE else "over" if actor == OVER else str(actor)


def _format_factory(position: "AzulPosition", index: int, absent: int) -> str:
    disc = position.gold[index]
    prefix = f"{DISC_NAMES[disc]}:" if disc else ""
    if index == absent:
        return prefix + "out"
    return prefix + (letters(position.sources[index]) or "-")


def format_counts(tiles: int) -> str:
    """Return a tally as counts, such as ``12B3W``, for the many tiles of bag and lid."""
    counted = zip(tally.counts(tiles), COLOR_LETTERS, strict=True)
    return "".join(f"{n}{letter}" for n, letter in counted if n) or "-"


def _format_board(board: "Board") -> str:
    lines = "/".join([letters(line) or "-" for line in board.lines])
    floor = "".join([FLOOR_LETTERS[tile] for tile in board.floor]) or "-"
    return f"{board.score}:{lines}:{_format_wall(board)}:{floor}"


def _format_wall(board: "Board") -> str:
    # The tiles that lie there, not every cell in every color: most walls are nearly empty.
    cells = ["."] * (ROWS * COLORS)
    for letter, held in zip(COLOR_LETTERS, board.colors, strict=True):
        rest = held
        while rest:
            cells[rest.bit_length() - 1] = letter
            rest ^= 1 << (rest.bit_length() - 1)
    wall = "".join(cells)
    return "/".join([wall[start : start + COLORS] for start in range(0, ROWS * COLORS, COLORS)])


def _format_shield(position: "AzulPosition", seat: int) -> str:
    if position.shield_owner != seat:
        return ""
    return ":shield" + (COLOR_LETTERS[position.shield_tile] if position.shield_tile >= 0 else "")


# Reading -------------------------------------------------------------------------------


def need_text(text: object) -> str:
    """Return what is text, and raise `NotationError` for anything else."""
    if not isinstance(text, str):
        raise NotationError(f"notation is text, not {type(text).__name__}")
    return text


def parse_move(given: object) -> Move:
    """Read a take or a place."""
    text = need_text(given)
    take = _TAKE.fullmatch(text)
    if take is not None:
        source, color, line, left, right = take.groups()
        if left is not None and not left + right:
            raise NotationError(f"{shown(text)} sends nothing to either side; leave '<>' out")
        return Take(
            CENTER if source == "C" else int(source),
            COLOR_LETTERS.index(color),
            FLOOR if line == "F" else int(line),
            _parse_colors(left or ""),
            _parse_colors(right or ""),
        )
    place = _PLACE.fullmatch(text)
    if place is not None:
        return Place(int(place[1]), int(place[2]))
    raise NotationError(f"{shown(text)} is no move; moves are like 3B2, CRF, 1K0<BY>W or 2@4")


def _parse_colors(text: str) -> int:
    colors = 0
    for letter in text:
        bit = 1 << COLOR_LETTERS.index(letter)
        if bit <= colors:
            raise NotationError(f"{shown(text)} is not in the order {COLOR_LETTERS}, each once")
        colors |= bit
    return colors


def parse_deal(given: object) -> RoundDeal:
    """Read the deal of a round."""
    text = need_text(given)
    fields = {"factories": "", "extra": "", "starter": "", "gold": ""}
    names = list(fields)
    for part in text.split(" "):
        name, _, value = part.partition("=")
        if not value or name not in names:
            raise NotationError(f"{shown(part)} does not fit a deal; the fields in order: {names}")
        fields[name] = value
        del names[: names.index(name) + 1]
    factories = fields["factories"].split(",")
    if len(factories) > MAX_FACTORIES:
        raise NotationError(f"{len(factories)} factories are more than {MAX_FACTORIES}")
    extra, starter, gold = fields["extra"], fields["starter"], fields["gold"]
    if extra and (len(extra) != 1 or extra not in COLOR_LETTERS):
        raise NotationError(f"{shown(extra)} is not one color of {COLOR_LETTERS}")
    return RoundDeal(
        tuple(parse_tiles(tiles) for tiles in factories),
        COLOR_LETTERS.index(extra) if extra else None,
        parse_seat(starter) if starter else None,
        tuple(parse_disc(name) for name in gold.split(",")) if gold else None,
    )


def parse_tiles(text: str) -> int:
    """Read tiles written one letter each, ``-`` for none."""
    if text == "-":
        return 0
    if not text:
        raise NotationError(f"{shown(text)} are no tiles; write a letter each, '-' for none")
    tiles = 0
    for letter in text:
        if letter not in COLOR_LETTERS:
            raise NotationError(f"{shown(letter)} is no color of {COLOR_LETTERS}")
        color = COLOR_LETTERS.index(letter)
        if tally.count(tiles, color) == TILES_PER_COLOR:
            raise NotationError(f"{shown(text)} has more tiles of a color than there are")
        tiles += tally.ONE[color]
    return tiles


def parse_counts(text: str) -> int:
    """Read tiles written as counts, ``-`` for none."""
    if text == "-":
        return 0
    tiles = at = 0
    last = -1
    while at < len(text):
        match = _COUNT.match(text, at)
        if match is None:
            raise NotationError(f"{shown(text)} are no counts of tiles, such as 12B3W")
        n, color = int(match[1]), COLOR_LETTERS.index(match[2])
        if color <= last or n > TILES_PER_COLOR:
            raise NotationError(f"{shown(text)}: each color once, in order, at most 20")
        tiles += n * tally.ONE[color]
        last, at = color, match.end()
    if not tiles:
        raise NotationError("no tiles are written '-'")
    return tiles


def parse_floor(text: str) -> tuple[int, ...]:
    """Read a floor line from the left, ``M`` for the marker, ``-`` for an empty one."""
    if text == "-":
        return ()
    if not 1 <= len(text) <= FLOOR_SPACES or any(tile not in FLOOR_LETTERS for tile in text):
        raise NotationError(f"{shown(text)} is no floor line of up to {FLOOR_SPACES} tiles")
    return tuple(FLOOR_LETTERS.index(tile) for tile in text)


def parse_seat(text: str) -> int:
    """Read a seat number."""
    if _SEAT.fullmatch(text) is None:
        raise NotationError(f"{shown(text)} is no seat; seats are 0 to 3")
    return int(text)


def parse_disc(text: str) -> int:
    """Read the name of a gold disc, ``-`` for a blue side."""
    if text not in DISC_NAMES:
        raise NotationError(f"{shown(text)} is no disc; there are {', '.join(DISC_NAMES[1:])}")
    return DISC_NAMES.index(text)
