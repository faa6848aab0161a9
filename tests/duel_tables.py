"""Tables of Duel to test on, written from the parts that matter.

A table here may be one that no game reaches (a dome with too few plates for its round, say):
a clause is tested on the least that shows it. Tables that exist are reached by `tests.games`.
"""

from collections.abc import Sequence
from typing import Any

import pytest

from referee.rules import CHANCE, Deal, IllegalMove, Options, tally
from referee.rules.duel.board import DuelBoard, empty_board
from referee.rules.duel.components import FULL_BAG, LARGE, NOBODY
from referee.rules.duel.deal import RoundDeal, Uncovered
from referee.rules.duel.dome import code
from referee.rules.duel.moves import DuelMove
from referee.rules.duel.phases import NOTHING, TURN
from referee.rules.duel.plates import entry
from referee.rules.duel.position import DuelPosition, new_table
from referee.rules.duel.position_check import tiles_by_place
from referee.rules.duel.reading import (
    parse_chips,
    parse_color,
    parse_deal,
    parse_face,
    parse_goals,
    parse_move,
    parse_plate,
    parse_tiles,
)
from referee.rules.duel.ruleset import DUEL

EMPTY_LINES = "-/-/-/-/-/-"
# A plate for each slot; seat 1 gets the other nine where both domes are full.
NINE = tuple(f"{plate}r0" for plate in range(9))


def seat(  # noqa: PLR0913  every part has a default
    *,
    score: int = 5,
    lines: str = EMPTY_LINES,
    plates: Sequence[str] | dict[int, str] = (),
    tiles: dict[tuple[int, int], str] | None = None,
    broken: str = "-",
    tokens: int = 0,
    taken: int = 0,
    chips: str = "-",
) -> DuelBoard:
    """Return a board; ``plates`` by slot as in 12r3, ``tiles`` of the dome by row and column."""
    board = empty_board()
    board.score = score
    for line, text in enumerate(lines.split("/")):
        if text != "-":
            board.add_to_line(line, parse_color(text[0]), len(text))
    laid = plates if isinstance(plates, dict) else dict(enumerate(plates))
    for slot, text in laid.items():
        plate, _, rotation = text.partition("r")
        board.place_plate(slot, code(int(plate), int(rotation)))
    for (row, column), sign in (tiles or {}).items():
        bit = 1 << (6 * row + column)
        if sign == "S":
            board.specials |= bit
        else:
            board.colors[parse_color(sign)] |= bit
        board.filled |= bit
    for color in range(5):
        board.accepts[color] &= ~board.filled
    board.broken = parse_tiles(broken)
    board.broken_count = tally.size(board.broken)
    board.tokens, board.chips_taken, board.chips = tokens, taken, parse_chips(chips)
    return board


def table(  # noqa: PLR0913  every part has a default
    *,
    small: Sequence[str] = ("-/-",) * 4,
    large: str = "-/-",
    chips: Sequence[str] = ("-",) * 4,
    boards: Sequence[DuelBoard] = (),
    turn: int = 0,
    starter: int = 0,
    first: int = NOBODY,
    number: int = 2,
    display: Sequence[int] = (),
    top: str = "-",
    returned: Sequence[int] = (),
    unseen: Sequence[int] = (),
    tower: str = "-",
    goals: str = "rows,columns,diagonals",
) -> DuelPosition:
    """Return a table in the middle of a turn; the bag holds whatever lies nowhere else.

    Factories are written sun side, slash, moon side, piles from the bottom; chips as in
    notation, in brackets while they lie face down.
    """
    position = new_table(1, parse_goals(goals), 0, starter)
    position.round, position.mover, position.actor = number, turn, turn
    position.phase, position.due, position.first = TURN, NOTHING, first
    position.boards = [board.copy() for board in boards] or [seat(), seat()]
    for factory, text in enumerate((*small, large)):
        sun, moon = text.split("/")
        position.sun[factory] = parse_tiles(sun)
        if factory == LARGE:
            position.moon = parse_tiles(moon)
        elif moon != "-":
            position.stacks[factory] = tuple(parse_color(tile) for tile in moon)
    for factory, text in enumerate(chips):
        if text != "-":
            position.chips[factory] = parse_face(text.strip("()"))
            position.revealed |= (not text.startswith("(")) << factory
            position.chips_left += 1
    position.display = tuple(display)
    stack = position.stack
    stack.unseen = sum(1 << plate for plate in unseen)
    stack.top = NOBODY if top == "-" else entry(parse_plate(top))
    stack.returned = [entry(plate) for plate in returned]
    position.tower = parse_tiles(tower)
    position.bag = 0
    places = tiles_by_place(position)
    position.tiles_left = sum(
        tally.size(tiles)
        for place, tiles in places.items()
        if place.startswith(("factory", "pile", "moon"))
    )
    position.bag = FULL_BAG - sum(places.values())
    return position


def move(text: str) -> DuelMove:
    """Read a move."""
    return parse_move(text)


def play(position: DuelPosition, *steps: str) -> DuelPosition:
    """Play moves, and deal what comes to light; a step with = in it is a deal."""
    for step in steps:
        if "=" in step:
            position.deal(parse_deal(step))
        else:
            position.play(move(step))
    return position


def settle(position: DuelPosition) -> DuelPosition:
    """Let come to light what the table knows itself: chips, drawn faces, the kept plate."""
    while position.actor == CHANCE and position.due > 3:
        position.deal(position.draw(NO_CHANCE))
    return position


class NoChance:
    """Streams for tables on which nothing is left to chance."""

    def stream(self, purpose: object) -> object:
        """Refuse to draw."""
        raise AssertionError(f"{purpose} is drawn")


NO_CHANCE: Any = NoChance()


def refusal(position: DuelPosition, text: str) -> IllegalMove:
    """Return why a move is refused; the position must stay as it was."""
    before = str(position)
    with pytest.raises(IllegalMove) as caught:
        position.play(move(text))
    assert str(position) == before
    with pytest.raises(IllegalMove, match=r"\(.*\)$"):
        position.check(move(text))
    return caught.value


def listed(position: DuelPosition, start: str = "") -> list[str]:
    """Return the legal moves in notation, or those that start so."""
    return [text for text in map(str, position.legal_moves()) if text.startswith(start)]


def initial(goals: tuple[str, ...] | int | None = None, first: int | None = 0) -> DuelPosition:
    """Return a table before its first deal."""
    return DUEL.initial(2, Options(goals=goals, first_player=first))


FIRST_DEAL = "display=0,1,2 top=3 large=BBYRK small=BYRK,BYRT,BBBB,KTTT chips=B,YT,BR,RT"


def dealt(text: str = FIRST_DEAL, first: int = 0) -> DuelPosition:
    """Return a table after its first deal."""
    position = initial(first=first)
    position.deal(parse_deal(text))
    return position


def round_deal(text: str) -> RoundDeal:
    """Read the deal of a round."""
    deal: Deal = parse_deal(text)
    assert isinstance(deal, RoundDeal)
    return deal


def uncovered(text: str) -> Uncovered:
    """Read what comes to light in the middle of a round."""
    deal: Deal = parse_deal(text)
    assert isinstance(deal, Uncovered)
    return deal
