"""Whether a table of Duel that was read from a text can exist (`InvalidPosition` if not)."""

from typing import Final

from referee.rules import tally
from referee.rules.duel import chips as chipset
from referee.rules.duel.board import DuelBoard
from referee.rules.duel.chips import ALL_CHIPS
from referee.rules.duel.components import (
    ALL_PLATES,
    CHIPS_PER_FACE,
    COLOR_NAMES,
    DISPLAY_SIZE,
    FULL_BAG,
    GOAL_TOKENS,
    HIDDEN_FACE,
    LARGE,
    LINES,
    NOBODY,
    PLATE_COUNT,
    ROTATIONS,
    ROUNDS,
    SEATS,
    SLOTS,
    SMALL_FACTORIES,
    SPECIAL_PLATES,
    TILES_ON_LARGE,
    TILES_PER_SMALL,
    TOKENS_PER_ROUND,
    is_special,
)
from referee.rules.duel.components import (
    FACES as FACE_COUNT,
)
from referee.rules.duel.dome import COLUMNS_OF, SPECIALS, WHOLE
from referee.rules.duel.phases import (
    BETWEEN,
    CHIPS,
    DISPLAY,
    DRAWING,
    FACES,
    KEEPING,
    KEPT,
    NOTHING,
    OPENING,
    PLACING,
    RETURNING,
    ROUND,
    SPENDING,
    TOP,
    TURN,
)
from referee.rules.duel.plates import GONE, known_by
from referee.rules.duel.position import DuelPosition, new_table
from referee.rules.errors import InvalidPosition
from referee.rules.interface import OVER
from referee.rules.tally import ONE

# What may be due in each phase.
_DUE_IN: Final = {
    OPENING: (NOTHING, DISPLAY),
    TURN: (NOTHING, CHIPS),
    DRAWING: (NOTHING, TOP),
    KEEPING: (NOTHING, FACES, KEPT),
    RETURNING: (NOTHING,),
    SPENDING: (NOTHING,),
    PLACING: (NOTHING,),
}


def check(position: DuelPosition) -> None:
    """Raise `InvalidPosition` if no table can show this."""
    _check_goals(position)
    _check_tiles(position)
    _check_plates(position)
    _check_chips(position)
    for seat, board in enumerate(position.boards):
        _check_specials(board, seat)
    if position.round == 0:
        _check_untouched(position)
        return
    if position.round > ROUNDS:
        raise InvalidPosition(f"a game has {ROUNDS} rounds")
    if position.starter == NOBODY or not position.goals:
        raise InvalidPosition("a round has a starter, and its goals are known")
    if position.phase == BETWEEN:
        _check_between_rounds(position)
    else:
        _check_round(position)


# Pieces --------------------------------------------------------------------------------


def _check_goals(position: DuelPosition) -> None:
    tokens = [goal // 2 for goal in position.goals]
    if position.goals and (
        len(tokens) not in (GOAL_TOKENS - 1, GOAL_TOKENS) or tokens != sorted(set(tokens))
    ):
        raise InvalidPosition("the goals are three or four, in order, one side of a token each")


def tiles_by_place(position: DuelPosition) -> dict[str, int]:
    """Return a tally for every place where tiles can lie; together they are the game's."""
    places = {"bag": position.bag, "tower": position.tower, "moon": position.moon}
    for factory, tiles in enumerate(position.sun):
        places[f"factory {factory}"] = tiles
    for factory, pile in enumerate(position.stacks):
        places[f"pile {factory}"] = tally.of_colors(pile)
    for seat, board in enumerate(position.boards):
        lines = zip(board.line_colors, board.line_counts, strict=True)
        places[f"lines of seat {seat}"] = sum(n * ONE[color] for color, n in lines if n)
        places[f"dome of seat {seat}"] = tally.of_counts(
            [cells.bit_count() for cells in board.colors]
        )
        places[f"broken tiles of seat {seat}"] = board.broken
    return places


def _check_tiles(position: DuelPosition) -> None:
    counted = [tally.counts(tiles) for tiles in tiles_by_place(position).values()]
    for color, wanted in enumerate(tally.counts(FULL_BAG)):
        found = sum(counts[color] for counts in counted)
        if found != wanted:
            name = COLOR_NAMES[color]
            raise InvalidPosition(f"{found} {name} tiles are on the table, the game has {wanted}")


def open_plates(position: DuelPosition) -> list[int]:
    """Return the plates that everybody sees: on the display and on the domes."""
    laid = [code // ROTATIONS for b in position.boards for code in b.plates if code != NOBODY]
    return [*position.display, *laid]


def _check_plates(position: DuelPosition) -> None:
    stack = position.stack
    seen = open_plates(position)
    held = [entry for entry in (stack.top, *stack.returned, *stack.drawn) if entry >= 0]
    known = len(held) - len(stack.hidden_entries())
    if len(set(seen)) != len(seen) or stack.unseen.bit_count() != PLATE_COUNT - len(seen) - known:
        raise InvalidPosition("a plate lies in two places")
    if len(position.display) > DISPLAY_SIZE:
        raise InvalidPosition(f"the display has {DISPLAY_SIZE} plates at most")
    for special in (True, False):
        kind = SPECIAL_PLATES if special else ALL_PLATES & ~SPECIAL_PLATES
        backs = sum(is_special(back) == special for back in stack.hidden_entries())
        if (stack.unseen & kind).bit_count() < backs:
            raise InvalidPosition("more backs of one type lie face down than plates are left")


def _check_chips(position: DuelPosition) -> None:
    """Every face has two chips; those that are nowhere else were spent."""
    for factory in range(SMALL_FACTORIES):
        bare = not position.sun[factory] and not position.stacks[factory]
        if position.revealed >> factory & 1 and not bare:
            raise InvalidPosition(f"factory {factory} has tiles, so its chip is covered")
    places = [position.supply, *(board.chips for board in position.boards)]
    for face in range(FACE_COUNT):
        found = sum(chipset.count(chips, face) for chips in places) + position.chips.count(face)
        if found > CHIPS_PER_FACE:
            raise InvalidPosition("more chips of one face are on the table than there are")
    covered = sum(face == HIDDEN_FACE for face in position.chips)
    dealt = SMALL_FACTORIES * position.round
    if chipset.size(position.supply) - covered != chipset.size(ALL_CHIPS) - dealt:
        raise InvalidPosition(f"{dealt} chips are dealt by round {position.round}")


def _check_specials(board: DuelBoard, seat: int) -> None:
    """Expect a special tile wherever the other cells of its plate are filled (3.5.6)."""
    wanted = 0
    for slot in range(SLOTS):
        if board.plates[slot] != NOBODY:
            special = SPECIALS[slot][board.plates[slot]]
            if special and (board.filled | special) & WHOLE[slot] == WHOLE[slot]:
                wanted |= special
    if wanted != board.specials:
        raise InvalidPosition(f"seat {seat}: special tiles lie where three cells are filled")


# Moments -------------------------------------------------------------------------------


def _check_untouched(position: DuelPosition) -> None:
    start = new_table(position.revision, position.goals, position.random_goals, position.starter)
    if position != start:
        raise InvalidPosition("before round 1 nothing is dealt and every board is empty")


def _check_between_rounds(position: DuelPosition) -> None:
    over = position.round == ROUNDS
    if over != (position.actor == OVER) or position.due != (NOTHING if over else ROUND):
        raise InvalidPosition("the game is over" if over else "the next round is due")
    if position.tiles_left or position.chips_left or position.stack.drawn:
        raise InvalidPosition("between rounds no factory has tiles or chips")
    for seat, board in enumerate(position.boards):
        _check_tiled(position, seat)
        if board.tokens or board.chips_taken:
            raise InvalidPosition(f"seat {seat} has ended the round with all it must take")
    _check_tokens(position)


def _check_round(position: DuelPosition) -> None:
    phase = position.phase
    if position.due not in _DUE_IN[phase] or position.actor == OVER:
        raise InvalidPosition("what is due does not fit the phase")
    _check_factories(position)
    _check_plate_turn(position)
    stack = position.stack
    awaits_top = position.due == TOP
    if stack.needs_top() != awaits_top or (stack.is_empty() and stack.returned and not awaits_top):
        raise InvalidPosition("the stack has a top, unless a new one is due")
    if position.due == CHIPS:
        if not position.uncovered_factories():
            raise InvalidPosition("no chip waits to be revealed")
    elif position.uncovered_factories():
        raise InvalidPosition("a chip without tiles on it is revealed")
    if phase in (SPENDING, PLACING):
        _check_tiling(position)
    elif phase == TURN and position.due == NOTHING and not position.can_act(position.mover):
        raise InvalidPosition(f"seat {position.mover} has no action left")
    _check_tokens(position)


def _check_factories(position: DuelPosition) -> None:
    for factory in range(SMALL_FACTORIES):
        if position.sun[factory] and position.stacks[factory]:
            raise InvalidPosition(f"factory {factory} has tiles on both of its sides")
        if tally.size(position.sun[factory]) > TILES_PER_SMALL:
            raise InvalidPosition(f"factory {factory} has more than {TILES_PER_SMALL} tiles")
        bare = not position.sun[factory] and not position.stacks[factory]
        if position.chips[factory] == NOBODY and not bare:
            raise InvalidPosition(f"factory {factory} has lost its chip below its tiles")
    large = position.sun[LARGE]
    if large and position.moon:
        raise InvalidPosition("the large factory has tiles on both of its sides")
    if tally.size(large) > TILES_ON_LARGE or tally.size(position.moon) >= TILES_ON_LARGE:
        raise InvalidPosition(f"the large factory has more than {TILES_ON_LARGE} tiles")
    if large and position.first != NOBODY:
        raise InvalidPosition("the first-player tile lies on the large factory")
    if SMALL_FACTORIES - position.chips_left != sum(b.chips_taken for b in position.boards):
        raise InvalidPosition("the chips that left the factories are those that were taken")


def _check_plate_turn(position: DuelPosition) -> None:
    """Plates are drawn in their own phases only, and one by one."""
    stack = position.stack
    open_plates = DISPLAY_SIZE - (position.due == DISPLAY)
    if position.phase == OPENING and len(position.display) != open_plates:
        raise InvalidPosition(f"in the opening {open_plates} plates lie on the display")
    left = sum(entry != GONE for entry in stack.drawn)
    least = {DRAWING: 1, KEEPING: 1, RETURNING: 2}.get(position.phase, 0)
    if left < least or (not least and stack.drawn):
        raise InvalidPosition("the plates drawn do not fit the phase")
    if position.phase == RETURNING and left == len(stack.drawn):
        raise InvalidPosition("one of the plates drawn was kept")
    if position.phase != RETURNING and left != len(stack.drawn):
        raise InvalidPosition("no plate is gone before one is kept")
    if position.due == KEPT:
        index, slot, _ = position.kept
        if index >= left or position.boards[position.mover].taken_slots >> slot & 1:
            raise InvalidPosition("the plate kept goes into a free slot")
    has_looked = position.phase in (KEEPING, RETURNING) and position.due != FACES
    unknown = [e for e in stack.drawn if e != GONE and not known_by(e) >> position.mover & 1]
    if has_looked and unknown:
        raise InvalidPosition(f"seat {position.mover} has seen the plates it drew")
    if position.phase == DRAWING and position.due == NOTHING and not position.can_draw():
        raise InvalidPosition("no further plate can be drawn, so the drawing has stopped")


def _check_tokens(position: DuelPosition) -> None:
    """Expect a plate of the opening and one for every token that was used."""
    for seat, board in enumerate(position.boards):
        if position.round == ROUNDS and board.tokens:
            raise InvalidPosition("the last round has no tokens")
        wanted = 1 + TOKENS_PER_ROUND * min(position.round, ROUNDS - 1) - board.tokens
        if position.phase == OPENING:
            wanted = _opening_plates(position, seat)
            if board.tokens != TOKENS_PER_ROUND:
                raise InvalidPosition(f"seat {seat} has both tokens until the opening is over")
        elif position.phase in (DRAWING, KEEPING) and seat == position.mover:
            # Its token is used, its plate is still to come.
            wanted -= 1
        if int(board.taken_slots).bit_count() != wanted:
            raise InvalidPosition(f"seat {seat} has used its tokens for {wanted} plates")


def _opening_plates(position: DuelPosition, seat: int) -> int:
    if seat != position.starter:
        return 1 if position.mover == position.starter or position.due == DISPLAY else 0
    return 1 if position.mover == position.starter and position.due == DISPLAY else 0


def _check_tiling(position: DuelPosition) -> None:
    """Nothing is left to take, and the line that is due leaves its seat a choice."""
    if any(position.can_act(seat) for seat in range(SEATS)):
        raise InvalidPosition("there is still something to take")
    board = position.boards[position.mover]
    line = position.line
    held = board.line_counts[line]
    columns = COLUMNS_OF[board.free_columns(line, board.line_colors[line])] if held else ()
    if position.phase == SPENDING:
        missing = line + 1 - held
        color = board.line_colors[line]
        if not columns or not missing or not chipset.can_complete(board.chips, color, missing):
            raise InvalidPosition(f"line {line} leaves no choice about chips")
    elif len(columns) < 2:
        raise InvalidPosition(f"line {line} leaves no choice of a cell")
    for above in range(line):
        _check_tiled_line(position, position.mover, above)
    if position.mover != position.starter:
        _check_tiled(position, position.starter)


def _check_tiled(position: DuelPosition, seat: int) -> None:
    if position.boards[seat].broken:
        raise InvalidPosition(f"seat {seat} has tiled, so its broken tiles are gone")
    for line in range(LINES):
        _check_tiled_line(position, seat, line)


def _check_tiled_line(position: DuelPosition, seat: int, line: int) -> None:
    """Expect a line that still has tiles to be short of one, or of a plate."""
    board = position.boards[seat]
    if not board.line_counts[line]:
        return
    accepted = board.free_columns(line, board.line_colors[line])
    if accepted and board.is_full(line):
        raise InvalidPosition(f"seat {seat}: line {line} is full and has a cell to go to")
    if not accepted and board.row_has_all_plates(line):
        raise InvalidPosition(f"seat {seat}: line {line} has no cell to go to, so it broke")
