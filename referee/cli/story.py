"""Tells games line by line: those of `simulate --show` as they go, recorded ones from steps."""

from collections.abc import Callable, Iterable, Iterator

from rich.text import Text

from referee.cli.draw import draw_boards
from referee.rules import Deal, Move, Position
from referee.transcript.result import result
from referee.transcript.telling import Points, Telling, is_round_over, tell
from referee.transcript.telling.records import tell_result

Line = str | Text
MARGIN = " " * 8
# Moves of this length or shorter stand in a column.
MOVE_WIDTH = 11


def move_lines(seat: int, move: str, telling: Telling, remark: str = "") -> Iterator[str]:
    """Yield a move with all it led to."""
    words = "; ".join((telling.sentence, *telling.details))
    yield f"seat {seat}  {move:<{MOVE_WIDTH}} {words}{remark}"
    yield from points_lines(telling.points)


def other_lines(telling: Telling, remark: str = "") -> Iterator[str]:
    """Yield a deal, or another record, with all it led to."""
    yield telling.sentence + remark
    for detail in telling.details:
        yield f"{MARGIN}{detail}"
    yield from points_lines(telling.points)


def end_lines(telling: Telling) -> Iterator[str]:
    """Yield the end of a game: every bonus first, then what it all came to."""
    yield telling.sentence
    yield from points_lines(telling.points)
    for detail in telling.details:
        yield f"{MARGIN}{detail}"


def points_lines(points: Iterable[Points]) -> Iterator[str]:
    """Yield every point with its reason."""
    for entry in points:
        yield f"{MARGIN}seat {entry.seat} {entry.points:+d}  {entry.words}"


class Story:
    """Tells a game as it goes: deals, moves in words, boards after each round, the outcome."""

    def __init__(self, write: Callable[[Line], None], initial: Position) -> None:
        self._write = write
        self._before = initial.copy()
        self._scores = initial.scores

    def watch(self, actor: int, step: Deal | Move, position: Position) -> None:
        """Tell one step; the shape is that of `referee.match.playout.Watch`."""
        telling = tell(self._before, step, position)
        if isinstance(step, Deal):
            lines = other_lines(telling)
            if position.round != self._before.round:
                self._write("")
        else:
            lines = move_lines(actor, str(step), telling)
        self._tell(lines)
        self._before = position.copy()
        if is_round_over(position):
            self._write("")
            gained = [new - old for new, old in zip(position.scores, self._scores, strict=True)]
            self._tell(draw_boards(position, gained))
            self._scores = position.scores
        if position.outcome() is not None:
            self._write("")
            self._tell(end_lines(tell_result(result(position, ()), position)))

    def _tell(self, lines: Iterable[Line]) -> None:
        for line in lines:
            self._write(line)
