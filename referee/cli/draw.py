"""Draws tables and boards for a terminal, as lines of styled text.

Every tile is its letter, so nothing is lost where there is no color: color only underlines
it. A new game gets a module that draws it, and a line in `DRAWERS`.
"""

from collections.abc import Container, Iterable, Sequence
from types import ModuleType

from rich.text import Text

from referee.cli import draw_azul, draw_duel
from referee.cli.tiles import GAP, beside, flow
from referee.rules import Position
from referee.rules.azul.position import AzulPosition
from referee.rules.duel.position import DuelPosition

WIDTH = 80
DRAWERS: dict[type[Position], ModuleType] = {AzulPosition: draw_azul, DuelPosition: draw_duel}


def draw_table(position: Position, width: int = WIDTH) -> list[Text]:
    """Return what lies between the seats: what is on offer, and what is still to come."""
    items: list[list[Text]] = DRAWERS[type(position)].table(position)
    return [line for group in items for line in flow(group, width)]


def draw_boards(
    position: Position,
    gained: Sequence[int] | None = None,
    live: Sequence[bool] | None = None,
    width: int = WIDTH,
    *,
    scores: Sequence[int] | None = None,
    winners: Container[int] = (),
) -> list[Text]:
    """Return the boards of all seats, side by side as far as there is room.

    ``gained`` is shown behind each score; seats that are not ``live`` are marked as out. A
    position knows nothing of the bonuses of the end, so ``scores`` are shown where they are given.
    """
    drawer = DRAWERS[type(position)]
    columns = []
    shown = position.scores if scores is None else scores
    for seat in range(position.seats):
        head = Text(">" if position.actor == seat else " ", style="bold")
        head.append(f"seat {seat}: {shown[seat]}")
        if gained is not None and gained[seat]:
            head.append(f" ({gained[seat]:+d})")
        if live is not None and not live[seat]:
            head.append(" out")
        if seat in winners:
            head.append(" winner")
        columns.append([head, *drawer.board(position, seat)])
    wide = max(line.cell_len for column in columns for line in column)
    fit = max(1, (width + GAP) // (wide + GAP))
    lines: list[Text] = []
    for first in range(0, len(columns), fit):
        if first:
            lines.append(Text())
        lines += beside(columns[first : first + fit], wide)
    return lines


def plain(lines: Iterable[Text]) -> list[str]:
    """Return lines without their styles."""
    return [line.plain.rstrip() for line in lines]
