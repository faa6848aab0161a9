"""Why a move is illegal, in words that a person understands.

This is the full check of clauses 1.3, 1.7 and 2.3. `Position.play` tests only the facts
that make a move legal and comes here when one of them fails, so the two must agree;
tests hold them together over every well-formed move.
"""

from typing import TYPE_CHECKING

from referee.rules import tally
from referee.rules.azul.components import CENTER, COLOR_NAMES, FLOOR, SPREAD
from referee.rules.azul.moves import Place, Take, letters
from referee.rules.errors import Illegal, IllegalMove, MalformedMove, shown
from referee.rules.interface import CHANCE, OVER

if TYPE_CHECKING:
    from referee.rules.azul.position import AzulPosition


def check(position: "AzulPosition", move: object) -> None:
    """Raise `IllegalMove` unless the move is legal, `MalformedMove` if it is no move."""
    if not isinstance(move, (Take, Place)):
        raise MalformedMove(f"{shown(move)} is not a move of this game")
    if position.actor == OVER:
        raise IllegalMove(Illegal.GAME_OVER, "the game is over", "1.6")
    if position.actor == CHANCE:
        raise IllegalMove(Illegal.AWAITING_DEAL, "the round is not dealt yet", "1.5")
    if isinstance(move, Take):
        _check_take(position, move)
    else:
        _check_place(position, move)


def _check_take(position: "AzulPosition", move: Take) -> None:
    if position.on_offer == 0:
        raise IllegalMove(Illegal.WRONG_KIND, "the wall is being tiled, choose a column", "V8")
    source = move.source
    if source != CENTER and source >= position.factories:
        raise IllegalMove(
            Illegal.NO_SUCH_FACTORY,
            f"there is no factory {source}, the last one is {position.factories - 1}",
            "1.2",
        )
    held = position.sources[source]
    color = COLOR_NAMES[move.color]
    if not tally.count(held, move.color):
        where = "the center" if source == CENTER else f"factory {source}"
        raise IllegalMove(Illegal.COLOR_ABSENT, f"{where} holds no {color} tile", "1.3.2")
    if move.line != FLOOR:
        _check_line(position, move)
    _check_split(position, move, held)


def _check_line(position: "AzulPosition", move: Take) -> None:
    board = position.boards[position.actor]
    line = move.line
    color = COLOR_NAMES[move.color]
    held = board.line_color(line)
    if board.full_line_color(line) is not None:
        # A7: never taken for a floor move.
        raise IllegalMove(Illegal.LINE_FULL, f"pattern line {line} is full", "1.3.3a, A7")
    if held is not None and held != move.color:
        raise IllegalMove(
            Illegal.LINE_HOLDS_OTHER_COLOR,
            f"pattern line {line} holds {COLOR_NAMES[held]}, {color} cannot join it",
            "1.3.3b",
        )
    if board.row_has_color(line, move.color):
        raise IllegalMove(
            Illegal.WALL_ROW_HAS_COLOR,
            f"row {line} of the wall already holds {color}",
            "1.3.3c",
        )


def _check_split(position: "AzulPosition", move: Take, held: int) -> None:
    given = move.left | move.right
    spread = move.source != CENTER and position.gold[move.source] == SPREAD
    rest = 0
    if spread:
        rest = sum(1 << color for color in tally.colors(held) if color != move.color)
    if not rest:
        if given:
            raise IllegalMove(
                Illegal.SPLIT_NOT_ALLOWED,
                "only tiles left on a spread factory are sent to its neighbors",
                "2.3.4",
            )
        return
    if not given:
        raise IllegalMove(
            Illegal.SPLIT_MISSING,
            f"say for each of {letters(rest)} whether it goes left or right",
            "2.3.4",
        )
    if given != rest or move.left & move.right:
        raise IllegalMove(
            Illegal.SPLIT_WRONG,
            f"each of {letters(rest)} goes as a whole to one side, and nothing else does",
            "2.3.4, C8",
        )


def _check_place(position: "AzulPosition", move: Place) -> None:
    if position.on_offer:
        raise IllegalMove(Illegal.WRONG_KIND, "tiles are still on offer, take some", "1.3.1")
    row, color = position.tiling_choice()
    if move.row != row:
        raise IllegalMove(Illegal.WRONG_ROW, f"the line to tile now is {row}, not {move.row}", "V2")
    board = position.boards[position.actor]
    if move.column in board.free_columns(row, color):
        return
    if board.is_occupied(row, move.column):
        raise IllegalMove(
            Illegal.CELL_OCCUPIED, f"row {row}, column {move.column} is occupied", "1.7.1"
        )
    raise IllegalMove(
        Illegal.COLUMN_HAS_COLOR,
        f"column {move.column} of the wall already holds {COLOR_NAMES[color]}",
        "1.7.1",
    )
