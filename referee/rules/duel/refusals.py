"""Why a move is illegal, in words that a person understands (3.4, 3.5).

This is the full check of every kind of move; only takes are looked at by `DuelPosition.play`
first, and come here when something about them is wrong.
"""

from typing import TYPE_CHECKING, Final

from referee.rules import tally
from referee.rules.duel import chips as chipset
from referee.rules.duel.components import (
    BROKEN,
    CHIPS_PER_ROUND,
    COLOR_NAMES,
    LARGE,
    NOBODY,
)
from referee.rules.duel.deal import letters
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
from referee.rules.duel.phases import (
    DRAWING,
    KEEPING,
    OPENING,
    PLACING,
    RETURNING,
    SPENDING,
    TURN,
)
from referee.rules.duel.plates import GONE
from referee.rules.errors import Illegal, IllegalMove, MalformedMove, shown
from referee.rules.position import CHANCE, OVER
from referee.rules.tally import WIDTH

if TYPE_CHECKING:
    from referee.rules.duel.position import DuelPosition

_WANTED: Final = {
    OPENING: ("choose an opening plate", "3.3.4"),
    TURN: ("choose an action of a turn", "3.4.1"),
    DRAWING: ("draw again or stop", "D28"),
    KEEPING: ("keep one of the plates drawn", "D28"),
    RETURNING: ("return a plate that was drawn", "D28"),
    SPENDING: ("complete the line with chips or leave it", "D29"),
    PLACING: ("place the tile of the completed line", "D29"),
}


def check(position: "DuelPosition", move: object) -> None:
    """Raise `IllegalMove` unless the move is legal, `MalformedMove` if it is no move."""
    if not isinstance(move, DuelMove):
        raise MalformedMove(f"{shown(move)} is not a move of this game")
    if position.actor == OVER:
        raise IllegalMove(Illegal.GAME_OVER, "the game is over", "3.7.1")
    if position.actor == CHANCE:
        raise IllegalMove(Illegal.AWAITING_DEAL, "something is to come to light first", "3.4.1")
    if position.phase == TURN:
        _check_action(position, move)
    else:
        _check_choice(position, move)


def _check_choice(position: "DuelPosition", move: DuelMove) -> None:
    """Check a move that is no action of its own: it belongs to one phase only."""
    phase = position.phase
    if phase == PLACING and isinstance(move, PlaceTile):
        _check_place(position, move)
    elif phase == SPENDING and isinstance(move, SpendChips):
        _check_spend(position, move)
    elif phase == KEEPING and isinstance(move, KeepPlate):
        _check_keep(position, move)
    elif phase == RETURNING and isinstance(move, ReturnPlate):
        _check_return(position, move)
    elif phase == OPENING and isinstance(move, PlacePlate):
        _check_plate(position, move)
    elif phase != DRAWING or not isinstance(move, (DrawPlate, StopDrawing)):
        _refuse_kind(phase)


def _refuse_kind(phase: int) -> None:
    wanted, rule = _WANTED[phase]
    raise IllegalMove(Illegal.WRONG_KIND, f"this is the moment to {wanted}", rule)


def _check_action(position: "DuelPosition", move: DuelMove) -> None:
    if isinstance(move, TakeMoon):
        _check_moon(position, move)
    elif isinstance(move, TakeSun):
        _check_sun(position, move)
    elif isinstance(move, TakeChip):
        _check_chip(position, move)
    elif isinstance(move, PlacePlate):
        _check_token(position)
        _check_plate(position, move)
    elif isinstance(move, DrawPlate):
        _check_draw(position)
    else:
        _refuse_kind(TURN)


# Tiles and chips -------------------------------------------------------------------------


def _check_sun(position: "DuelPosition", move: TakeSun) -> None:
    held = position.sun[move.factory]
    name = "the large factory" if move.factory == LARGE else f"factory {move.factory}"
    taken = tally.count(held, move.color)
    if not taken:
        color = COLOR_NAMES[move.color]
        message = f"the sun side of {name} holds no {color} tile"
        raise IllegalMove(Illegal.COLOR_ABSENT, message, "3.4.4")
    _check_line(position, move.line, move.color)
    if move.factory == LARGE:
        if move.stack:
            message = "what is left on the large factory lies side by side, not in a stack"
            raise IllegalMove(Illegal.STACK_NOT_ALLOWED, message, "3.4.4")
        return
    rest = held - (taken << (WIDTH * move.color))
    if move.rest != rest:
        message = f"the stack must have exactly the tiles that are left, {letters(rest)}"
        raise IllegalMove(Illegal.STACK_WRONG, message, "D5")


def _check_moon(position: "DuelPosition", move: TakeMoon) -> None:
    if move.color not in position.moon_colors():
        message = f"no {COLOR_NAMES[move.color]} tile lies open on a moon side"
        raise IllegalMove(Illegal.COLOR_ABSENT, message, "3.4.5")
    _check_line(position, move.line, move.color)


def _check_line(position: "DuelPosition", line: int, color: int) -> None:
    if line == BROKEN:
        return
    board = position.boards[position.mover]
    if board.is_open(line, color):
        return
    if board.is_full(line):
        raise IllegalMove(Illegal.LINE_FULL, f"pattern line {line} is full", "3.4.7")
    held = COLOR_NAMES[board.line_colors[line]]
    message = f"pattern line {line} holds {held}, {COLOR_NAMES[color]} cannot join it"
    raise IllegalMove(Illegal.LINE_HOLDS_OTHER_COLOR, message, "3.4.7")


def _check_chip(position: "DuelPosition", move: TakeChip) -> None:
    factory = move.factory
    if position.chips[factory] == NOBODY:
        raise IllegalMove(Illegal.NO_CHIP, f"factory {factory} has no chip any more", "3.4.6")
    if not position.revealed >> factory & 1:
        message = f"the chip of factory {factory} is still covered"
        raise IllegalMove(Illegal.CHIP_COVERED, message, "3.4.6")
    if position.boards[position.mover].chips_taken == CHIPS_PER_ROUND:
        message = f"{CHIPS_PER_ROUND} chips a round are all that a seat takes"
        raise IllegalMove(Illegal.CHIP_LIMIT, message, "D7")


# Plates ------------------------------------------------------------------------------------


def _check_token(position: "DuelPosition") -> None:
    if not position.boards[position.mover].tokens:
        raise IllegalMove(Illegal.NO_TOKEN, "no token is left in this round", "3.4.2")


def _check_plate(position: "DuelPosition", move: PlacePlate) -> None:
    if move.plate not in position.display:
        message = f"plate {move.plate} does not lie on the display"
        raise IllegalMove(Illegal.PLATE_ABSENT, message, "3.4.2")
    _check_slot(position, move.slot)


def _check_slot(position: "DuelPosition", slot: int) -> None:
    if position.boards[position.mover].taken_slots >> slot & 1:
        raise IllegalMove(Illegal.SLOT_TAKEN, f"slot {slot} has a plate already", "3.4.2")


def _check_draw(position: "DuelPosition") -> None:
    _check_token(position)
    if position.stack.is_empty():
        raise IllegalMove(Illegal.STACK_EMPTY, "the stack of plates is empty", "D4")
    if not position.can_draw():
        message = "a draw costs a point; without one it is free only if the display is empty"
        raise IllegalMove(Illegal.NO_POINT, message, "D1")


def _check_keep(position: "DuelPosition", move: KeepPlate) -> None:
    drawn = len(position.stack.drawn)
    if move.index >= drawn:
        message = f"only {drawn} plates were drawn, there is no number {move.index}"
        raise IllegalMove(Illegal.NOT_DRAWN, message, "D28")
    _check_slot(position, move.slot)


def _check_return(position: "DuelPosition", move: ReturnPlate) -> None:
    drawn = position.stack.drawn
    if move.index >= len(drawn) or drawn[move.index] == GONE:
        message = f"plate number {move.index} is not among those still to be returned"
        raise IllegalMove(Illegal.NOT_DRAWN, message, "D28")


# Tiling ------------------------------------------------------------------------------------


def _check_tiled_line(position: "DuelPosition", line: int) -> None:
    if line != position.line:
        message = f"the line to tile now is {position.line}, not {line}"
        raise IllegalMove(Illegal.WRONG_ROW, message, "D29")


def _check_spend(position: "DuelPosition", move: SpendChips) -> None:
    _check_tiled_line(position, move.line)
    if not move.chips:
        return
    board = position.boards[position.mover]
    if not chipset.contains(board.chips, move.chips):
        raise IllegalMove(Illegal.CHIPS_ABSENT, "the seat does not have these chips", "3.5.2")
    line = move.line
    missing = line + 1 - board.line_counts[line]
    if not chipset.completes(move.chips, board.line_colors[line], missing):
        color = COLOR_NAMES[board.line_colors[line]]
        message = f"each of {missing} missing tiles takes two chips that show {color}, or any three"
        raise IllegalMove(Illegal.CHIPS_WRONG, message, "3.5.2, D10")


def _check_place(position: "DuelPosition", move: PlaceTile) -> None:
    _check_tiled_line(position, move.line)
    board = position.boards[position.mover]
    color = board.line_colors[move.line]
    if board.free_columns(move.line, color) >> move.column & 1:
        return
    if board.is_occupied(move.line, move.column):
        message = f"row {move.line}, column {move.column} of the dome has a tile already"
        raise IllegalMove(Illegal.CELL_OCCUPIED, message, "3.5.1")
    message = f"row {move.line}, column {move.column} of the dome takes no {COLOR_NAMES[color]}"
    raise IllegalMove(Illegal.CELL_OF_OTHER_COLOR, message, "3.5.1")
