"""Tells a game in words and draws the boards with letters, for a terminal without color."""

from collections.abc import Callable, Iterable, Iterator

from referee.rules import Deal, Move, Outcome, Position
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


class Story:
    """Tells a game as it goes: deals, moves in words, boards after each round, the outcome."""

    def __init__(self, write: Callable[[str], None]) -> None:
        self._write = write
        self._scores: tuple[int, ...] = ()

    def watch(self, actor: int, step: Deal | Move, position: Position) -> None:
        """Tell one step; the shape is that of `referee.match.playout.Watch`."""
        assert isinstance(position, AzulPosition)
        if isinstance(step, Deal):
            self._scores = position.scores
            self._tell(_tell_deal(position))
            return
        self._write(f"  seat {actor}  {step!s:<10} {words(step)}")
        if position.actor < 0:
            self._tell(_tell_round_end(position, self._scores))
        outcome = position.outcome()
        if outcome is not None:
            self._tell(_tell_outcome(outcome))

    def _tell(self, lines: Iterable[str]) -> None:
        for line in lines:
            self._write(line)


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


def _tell_deal(position: AzulPosition) -> Iterator[str]:
    factories = []
    for index, disc in enumerate(position.gold):
        name = f"({DISC_NAMES[disc]})" if disc else ""
        factories.append(f"{index}{name} {letters(position.sources[index]) or '-'}")
    yield ""
    yield f"Round {position.round}: {'   '.join(factories)}"


def _tell_round_end(position: AzulPosition, before: tuple[int, ...]) -> Iterator[str]:
    yield ""
    columns = [_draw_board(position, seat, before[seat]) for seat in range(position.seats)]
    for row in zip(*columns, strict=True):
        yield "   ".join(f"{cell:<20}" for cell in row).rstrip()


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


def _tell_outcome(outcome: Outcome) -> Iterator[str]:
    yield ""
    yield f"The game is over: {outcome.termination.value.replace('_', ' ')}."
    for seat, score in enumerate(outcome.scores):
        gained = ", ".join(
            f"{bonus.times} {bonus.name if bonus.times > 1 else bonus.name[:-1]} +{bonus.points}"
            for bonus in outcome.bonuses[seat]
            if bonus.times
        )
        yield f"  seat {seat}: {score} points, rank {outcome.ranks[seat]}" + (
            f" (bonuses: {gained})" if gained else ""
        )
    seats = " and ".join(f"seat {seat}" for seat in outcome.winners)
    yield f"{seats} {'wins' if len(outcome.winners) == 1 else 'share the victory'}."
