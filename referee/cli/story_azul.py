"""Tells games of Azul and Master Chocolatier."""

from collections.abc import Iterator

from referee.rules import Deal, Move, Position
from referee.rules.azul.board import Board
from referee.rules.azul.components import (
    CENTER,
    COLOR_LETTERS,
    COLOR_NAMES,
    DISC_NAMES,
    FLOOR,
    ROWS,
    WALL_COLUMNS,
)
from referee.rules.azul.deal import letters
from referee.rules.azul.moves import Place, Take
from referee.rules.azul.position import AzulPosition


def words(move: Move) -> str:
    """Return a move as a sentence without a subject."""
    if isinstance(move, Place):
        return f"lays the tile of line {move.row} into column {move.column}"
    assert isinstance(move, Take)
    source = "the center" if move.source == CENTER else f"factory {move.source}"
    target = "the floor line" if move.line == FLOOR else f"line {move.line}"
    text = f"takes {COLOR_NAMES[move.color]} from {source} to {target}"
    for side, colors in (("left", move.left), ("right", move.right)):
        names = [name for color, name in enumerate(COLOR_NAMES) if colors >> color & 1]
        if names:
            text += f", sends {' and '.join(names)} {side}"
    return text


def tell_deal(deal: Deal, position: Position) -> Iterator[str]:  # noqa: ARG001  the table shows it
    """Yield what was dealt."""
    assert isinstance(position, AzulPosition)
    factories = []
    for index, disc in enumerate(position.gold):
        name = f"({DISC_NAMES[disc]})" if disc else ""
        factories.append(f"{index}{name} {letters(position.sources[index]) or '-'}")
    yield ""
    yield f"Round {position.round}: {'   '.join(factories)}"


def draw_boards(position: Position, before: tuple[int, ...]) -> list[list[str]]:
    """Return the board of every seat as lines of text, with the points gained since."""
    assert isinstance(position, AzulPosition)
    return [_draw_board(position, seat, before[seat]) for seat in range(position.seats)]


def _draw_board(position: AzulPosition, seat: int, before: int) -> list[str]:
    board = position.boards[seat]
    gained = board.score - before
    lines = [f"seat {seat}: {board.score} ({gained:+d})"]
    for row in range(ROWS):
        held = letters(board.lines[row])
        line = ("." * (row + 1 - len(held)) + held).rjust(ROWS)
        cells = " ".join(_draw_cell(position, board, row, column) for column in range(ROWS))
        lines.append(f"{line} | {cells}")
    return lines


def _draw_cell(position: AzulPosition, board: Board, row: int, column: int) -> str:
    for color, cells in enumerate(board.colors):
        if cells >> (5 * row + column) & 1:
            return COLOR_LETTERS[color]
    if position.variant.layout is None:
        return "."
    # An empty cell of the colored wall shows its color in small.
    return COLOR_LETTERS[WALL_COLUMNS[row].index(column)].lower()
