"""Tells the deals and moves of Azul Duel, as far as the position knows its hidden facts."""

from collections.abc import Sequence

from referee.rules import Deal, Move, Position, tally
from referee.rules.duel.chips import faces
from referee.rules.duel.components import (
    BROKEN,
    COLOR_NAMES,
    FACE_NAMES,
    GOAL_NAMES,
    LARGE,
    NOBODY,
    PLATE_COUNT,
    PLATES,
    SMALL_FACTORIES,
    is_special,
)
from referee.rules.duel.deal import RoundDeal, Uncovered, letters
from referee.rules.duel.moves import (
    DrawPlate,
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
from referee.rules.duel.phases import DRAWING, FACES, KEPT, NOTHING, OPENING, TURN
from referee.rules.duel.plates import GONE, plate_of
from referee.rules.duel.position import DuelPosition
from referee.transcript.telling import duel_points
from referee.transcript.telling.values import Telling, counted, listed, number

TURNED = ("", ", turned once", ", turned twice", ", turned three times")
ORDINALS = ("first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth")


def tell_move(before: Position, move: Move, after: Position) -> Telling:
    """Tell a move, and all that the rules forced after it."""
    assert isinstance(before, DuelPosition)
    assert isinstance(after, DuelPosition)
    if isinstance(move, (TakeSun, TakeMoon)):
        sentence = _sun(before, move) if isinstance(move, TakeSun) else _moon(before, move)
        taken = duel_points.before_tiling(before, move)
        details = [*_left(before, move), *_landing(before, taken, move.line)]
    else:
        sentence, details = _other(before, move, after)
    details += _passed(before, after)
    points = duel_points.of_step(before, move, after)
    if isinstance(move, DrawPlate):
        points = duel_points.of_draw(before, move, after)
    return Telling(sentence, tuple(details), points)


def _sun(before: DuelPosition, move: TakeSun) -> str:
    taken = tally.count(before.sun[move.factory], move.color)
    factory = "the large factory" if move.factory == LARGE else f"factory {move.factory}"
    tiles = number(taken, f"{COLOR_NAMES[move.color]} tile")
    return f"takes {tiles} from the sun side of {factory} to {_target(move.line)}"


def _moon(before: DuelPosition, move: TakeMoon) -> str:
    color = move.color
    piles = [f for f in range(SMALL_FACTORIES) if before.stacks[f][-1:] == (color,)]
    large = tally.count(before.moon, color)
    places = []
    if piles:
        plural = "pile of factory" if len(piles) == 1 else "piles of factories"
        places.append(f"the {plural} {listed(str(f) for f in piles)}")
    if large:
        places.append("the large factory")
    tiles = number(large + len(piles), f"{COLOR_NAMES[color]} tile")
    return f"takes {tiles} from the moon side, {' and '.join(places)}, to {_target(move.line)}"


def _target(line: int) -> str:
    return "the broken tiles" if line == BROKEN else f"line {line}"


def _left(before: DuelPosition, move: TakeSun | TakeMoon) -> list[str]:
    """Tell where the tiles go that a taker of a sun side leaves."""
    if isinstance(move, TakeMoon):
        return []
    if move.factory != LARGE:
        if not move.stack:
            return []
        return ["piles " + " below ".join(COLOR_NAMES[tile] for tile in move.stack)]
    counts = list(tally.counts(before.sun[LARGE]))
    counts[move.color] = 0
    if not any(counts):
        return []
    goes = "goes" if sum(counts) == 1 else "go"
    return [f"{counted(counts, COLOR_NAMES)} {goes} to the moon side of the large factory"]


def _landing(before: DuelPosition, taken: DuelPosition, line: int) -> list[str]:
    """Tell where the taken tiles lie now."""
    seat = before.mover
    old, new = before.boards[seat], taken.boards[seat]
    words = []
    if taken.first != before.first:
        words.append("takes the first-player tile")
    if line != BROKEN and new.is_full(line):
        words.append(f"line {line} is full")
    broken = new.broken_count - old.broken_count
    if broken:
        words.append(f"{number(broken, 'tile')} broke")
    lost = tally.size(taken.tower) - tally.size(before.tower)
    if lost:
        words.append(
            f"{number(lost, 'tile')} found no space among the broken ones and went to the tower"
        )
    return words


def _passed(before: DuelPosition, after: DuelPosition) -> list[str]:
    """Tell that the other seat could not act, so that the turn comes back (D8)."""
    same = after.actor == before.mover and after.phase == TURN and after.due == NOTHING
    if same and before.phase != OPENING:
        return [f"seat {1 - before.mover} cannot act and is passed over"]
    return []


def _other(before: DuelPosition, move: Move, after: DuelPosition) -> tuple[str, list[str]]:
    if isinstance(move, TakeChip):
        return (
            f"takes the {FACE_NAMES[before.chips[move.factory]]} chip of factory {move.factory}",
            [],
        )
    if isinstance(move, PlaceTile):
        return f"lays the tile of line {move.line} into column {move.column}", []
    if isinstance(move, SpendChips):
        return _spend(before, move), []
    return _plate(before, move, after)


def _spend(before: DuelPosition, move: SpendChips) -> str:
    board = before.boards[before.mover]
    missing = move.line + 1 - board.line_counts[move.line]
    if not move.chips:
        return f"leaves line {move.line}, which lacks {number(missing, 'tile')}"
    names = [FACE_NAMES[face] for face in faces(move.chips)]
    color = COLOR_NAMES[board.line_colors[move.line]]
    return (
        f"spends {number(len(names), 'chip')}, {listed(names)}, on line {move.line}"
        f" in the place of {number(missing, f'{color} tile')}"
    )


def _plate(before: DuelPosition, move: Move, after: DuelPosition) -> tuple[str, list[str]]:
    drawn = before.stack.drawn
    if isinstance(move, PlacePlate):
        what = f"lays plate {plate_words(move.plate)} into slot {move.slot}{TURNED[move.rotation]}"
        if before.phase == OPENING:
            return what, []
        tokens = after.boards[before.mover].tokens
        return what, [f"pays a token, {number(tokens, 'token')} left"]
    if isinstance(move, KeepPlate):
        which = _drawn(move.index, plate_of(drawn[move.index]))
        return f"keeps {which} for slot {move.slot}{TURNED[move.rotation]}", []
    if isinstance(move, ReturnPlate):
        which = _drawn(move.index, plate_of(drawn[move.index]))
        return f"returns {which} under the stack", _returned_last(before, move, after)
    if isinstance(move, DrawPlate):
        details = ["pays a token"] if before.phase == TURN else []
        details += _must_stop(after)
        back = _type(plate_of(before.stack.top))
        return f"draws the top plate of the stack, a {back} one", details
    assert isinstance(move, StopDrawing)
    return f"stops drawing after {number(len(drawn), 'plate')}", []


def _must_stop(after: DuelPosition) -> list[str]:
    """Tell that stopping is the only choice, so that it is none."""
    return [f"seat {after.mover} cannot draw another one"] if after.due == FACES else []


def _drawn(index: int, plate: int) -> str:
    place = ORDINALS[index] if index < len(ORDINALS) else f"as number {index + 1}"
    return f"the plate drawn {place}, {plate_words(plate)},"


def _returned_last(before: DuelPosition, step: object, after: DuelPosition) -> list[str]:
    """Tell that the one plate which is left goes under the stack by itself."""
    left = [
        index
        for index, entry in enumerate(before.stack.drawn)
        if entry != GONE and not (isinstance(step, ReturnPlate) and step.index == index)
    ]
    if isinstance(step, Uncovered):
        left = [index for index in left if index != before.kept[0]]
    if len(left) == 1 and not after.stack.drawn:
        return [f"{_drawn(left[0], plate_of(before.stack.drawn[left[0]]))} goes under the stack"]
    return []


# Deals -------------------------------------------------------------------------------------


def tell_deal(before: Position, deal: Deal, after: Position) -> Telling:
    """Tell what was dealt, or what came to light."""
    assert isinstance(before, DuelPosition)
    assert isinstance(after, DuelPosition)
    if isinstance(deal, RoundDeal):
        return _round(before, deal, after)
    assert isinstance(deal, Uncovered)
    words = [f"the chip of factory {factory} is {FACE_NAMES[face]}" for factory, face in deal.chips]
    if deal.faces:
        plates = listed(plate_words(plate) for plate in deal.faces)
        words.append(f"seat {deal.looker} looks at what it has drawn: {plates}")
    if deal.kept != NOBODY:
        words.append(f"seat {before.mover} shows what it keeps: plate {plate_words(deal.kept)}")
    if deal.display != NOBODY:
        words.append(f"the display gets plate {plate_words(deal.display)}")
    if deal.top != NOBODY:
        words.append(f"the next plate of the stack is a {_type(deal.top)} one")
    details = []
    if before.due == KEPT:
        details += _returned_last(before, deal, after)
    if before.phase == DRAWING:
        details += _must_stop(after)
    details += _passed(before, after)
    return Telling(
        "; ".join(words) or "nothing", tuple(details), duel_points.of_step(before, deal, after)
    )


def _round(before: DuelPosition, deal: RoundDeal, after: DuelPosition) -> Telling:
    small = "   ".join(f"{index} {letters(tiles)}" for index, tiles in enumerate(deal.small))
    details = [
        f"five {COLOR_NAMES[color]} tiles for the large factory were put back"
        for color in deal.redraws
    ]
    if after.tower != before.tower:
        details.append("the bag was empty, and the tiles of the tower went back into it")
    open_chips = [
        f"the chip of factory {factory} is {FACE_NAMES[face]}"
        for factory, face in enumerate(after.chips)
        if after.revealed >> factory & 1
    ]
    details += open_chips
    if after.display:
        plates = ", ".join(plate_words(plate) for plate in after.display)
        details.append(f"plates on display: {plates}")
    if after.stack.top != NOBODY:
        details.append(f"the next plate of the stack is a {_type(plate_of(after.stack.top))} one")
    if after.round == 1:
        details.append("goals: " + ", ".join(GOAL_NAMES[goal] for goal in after.goals))
    details.append(f"seat {after.starter} starts")
    return Telling(f"Round {after.round}: large {letters(deal.large)}   {small}", tuple(details))


def _type(plate: int) -> str:
    """Return what the back of a plate shows; its face is for nobody yet."""
    return "special" if is_special(plate) else "wild"


def plate_words(plate: int) -> str:
    """Return a plate with its cells, or what its back shows."""
    return f"a {_type(plate)} one" if plate >= PLATE_COUNT else f"{plate} ({PLATES[plate]})"


def tie_break(position: DuelPosition, _: Sequence[int]) -> str:
    """Return what ranks two seats with equal points (D22), and who has it."""
    decides = "the first-player tile decides (3.7.3)"
    if position.first == NOBODY:
        # D18: then whoever started the last round has it still.
        return f"{decides}; nobody took it, and seat {position.starter} had it before"
    return f"{decides}, and seat {position.first} has it"
