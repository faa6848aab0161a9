"""What the moves about plates do: from the display (3.3.4, 3.4.2), and from the stack (D28)."""

from typing import TYPE_CHECKING

from referee.rules.duel.dome import code
from referee.rules.duel.moves import (
    DrawPlate,
    KeepPlate,
    PlacePlate,
    ReturnPlate,
    StopDrawing,
)
from referee.rules.duel.phases import (
    DISPLAY,
    DRAWING,
    FACES,
    KEEPING,
    KEPT,
    OPENING,
    RETURNING,
    TOP,
    TURN,
)
from referee.rules.duel.plates import GONE

if TYPE_CHECKING:
    from referee.rules.duel.position import DuelPosition


def play(position: "DuelPosition", move: object) -> None:
    """Do what a legal move about plates says."""
    if isinstance(move, PlacePlate):
        _place_from_display(position, move)
    elif isinstance(move, DrawPlate):
        _draw(position)
    elif isinstance(move, StopDrawing):
        _stop(position)
    elif isinstance(move, KeepPlate):
        position.kept = (move.index, move.slot, move.rotation)
        position.wait_for(KEPT)
    else:
        assert isinstance(move, ReturnPlate)
        drawn = position.stack.drawn
        entry = drawn[move.index]
        # It leaves the drawn plates first, or it would lie in two places for a moment.
        drawn[move.index] = GONE
        position.stack.put_under(entry)
        return_or_end(position)


def _place_from_display(position: "DuelPosition", move: PlacePlate) -> None:
    board = position.boards[position.mover]
    board.place_plate(move.slot, code(move.plate, move.rotation))
    position.display = tuple([plate for plate in position.display if plate != move.plate])
    if position.phase == OPENING:
        # The only time at which the display is filled up at once.
        position.wait_for(DISPLAY)
    else:
        board.tokens -= 1
        position.end_turn()


def _draw(position: "DuelPosition") -> None:
    board = position.boards[position.mover]
    if position.phase == TURN:
        board.tokens -= 1
    # D1: a draw without a point is free, or it would not be legal.
    if board.score:
        board.score -= 1
    position.phase = DRAWING
    stack = position.stack
    stack.drawn.append(stack.take_top())
    stack.settle()
    if stack.needs_top():
        position.wait_for(TOP)
    else:
        draw_again_or_stop(position)


def draw_again_or_stop(position: "DuelPosition") -> None:
    """Let the mover choose, unless stopping is the only choice and so is none."""
    if position.can_draw():
        position.go_on()
    else:
        _stop(position)


def _stop(position: "DuelPosition") -> None:
    position.phase = KEEPING
    position.wait_for(FACES)


def return_or_end(position: "DuelPosition") -> None:
    """Let the mover return plates; the last one goes by itself, and then the turn ends."""
    stack = position.stack
    left = [entry for entry in stack.drawn if entry != GONE]
    if len(left) > 1:
        position.phase = RETURNING
        position.go_on()
        return
    stack.drawn = []
    for entry in left:
        stack.put_under(entry)
    position.end_turn()
