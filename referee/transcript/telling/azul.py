"""Tells the deals and moves of Azul and Master Chocolatier."""

from collections.abc import Sequence

from referee.rules import Deal, Move, Position, tally
from referee.rules.azul.components import (
    CENTER,
    COLOR_NAMES,
    DISC_NAMES,
    FLOOR,
    KEEP,
    MAGNET_COLOR,
    MARKER,
    PLUS_ONE,
    SHIELD,
    SPREAD,
)
from referee.rules.azul.deal import RoundDeal, letters
from referee.rules.azul.moves import Place, Take
from referee.rules.azul.position import AzulPosition
from referee.rules.azul.special import act_on_deal, neighbors
from referee.transcript.telling import azul_points
from referee.transcript.telling.values import Telling, counted, listed, number


def tell_move(before: Position, move: Move, after: Position) -> Telling:
    """Tell a take or a placement, and all that the rules forced after it."""
    assert isinstance(before, AzulPosition)
    assert isinstance(after, AzulPosition)
    if isinstance(move, Place):
        sentence = f"lays the tile of line {move.row} into column {move.column}"
        return Telling(sentence, points=azul_points.of_place(before, after))
    assert isinstance(move, Take)
    taken = azul_points.before_tiling(before, move)
    details = (*_rest(before, move), *_landing(before, taken, move))
    points = azul_points.of_tiling(taken, after) if not after.on_offer else ()
    return Telling(_sentence(before, move), details, points)


def _sentence(before: AzulPosition, move: Take) -> str:
    taken = tally.count(before.sources[move.source], move.color)
    source = "the center" if move.source == CENTER else f"factory {move.source}"
    target = "the floor line" if move.line == FLOOR else f"line {move.line}"
    return f"takes {number(taken, f'{COLOR_NAMES[move.color]} tile')} from {source} to {target}"


def _rest(before: AzulPosition, move: Take) -> list[str]:
    """Tell where the tiles go that a taker leaves."""
    source = move.source
    if source == CENTER:
        return []
    held = before.sources[source]
    counts = list(tally.counts(held))
    counts[move.color] = 0
    disc = before.gold[source]
    words = []
    if disc == SHIELD:
        words.append("owns the shield: the next tile that falls lies on it and costs nothing")
    if not any(counts):
        return words
    rest = counted(counts, COLOR_NAMES)
    if disc == KEEP:
        words.append(f"{rest} stay on the keep factory")
    elif disc == SPREAD:
        left, right = neighbors(source, before.factories, before.absent_factory())
        for side, factory, colors in (("left", left, move.left), ("right", right, move.right)):
            sent = [n if colors >> color & 1 else 0 for color, n in enumerate(counts)]
            if any(sent):
                words.append(
                    f"sends {counted(sent, COLOR_NAMES)} to the {side}, onto factory {factory}"
                )
    else:
        words.append(f"{rest} {'goes' if sum(counts) == 1 else 'go'} to the center")
    return words


def _landing(before: AzulPosition, taken: AzulPosition, move: Take) -> list[str]:
    """Tell where the taken tiles and the marker lie now."""
    seat = before.actor
    old, new = before.boards[seat], taken.boards[seat]
    words = []
    if taken.marker != before.marker:
        on_floor = MARKER in new.floor
        where = "onto the floor line" if on_floor else "at no cost, as the floor line is full"
        words.append(f"takes the first-player marker, {where}")
    if move.line != FLOOR and new.full_line_color(move.line) is not None:
        words.append(f"line {move.line} is full")
    if taken.shield_tile != before.shield_tile:
        words.append(f"one {COLOR_NAMES[move.color]} tile lies on the shield")
    fallen = sum(tile != MARKER for tile in new.floor[len(old.floor) :])
    if fallen:
        words.append(f"{number(fallen, 'tile')} fell onto the floor line")
    lost = tally.size(taken.lid) - tally.size(before.lid)
    if lost:
        went = "goes" if lost == 1 else "go"
        words.append(f"{number(lost, 'tile')} found the floor line full and {went} to the lid")
    return words


def tell_deal(before: Position, deal: Deal, after: Position) -> Telling:
    """Tell what was dealt, and what the special factories did then."""
    assert isinstance(before, AzulPosition)
    assert isinstance(after, AzulPosition)
    assert isinstance(deal, RoundDeal)
    details = []
    if before.round == 0 and any(after.gold):
        discs = [f"{DISC_NAMES[disc]} at {at}" for at, disc in enumerate(after.gold) if disc]
        details.append(f"special factories for the whole game: {', '.join(discs)}")
    if after.lid != before.lid:
        details.append("the bag was empty, and the tiles of the lid went back into it")
    details += _special(deal, after)
    details.append(f"seat {after.starter} starts")
    factories = []
    for index, disc in enumerate(after.gold):
        name = f"({DISC_NAMES[disc]})" if disc else ""
        factories.append(f"{index}{name} {letters(after.sources[index]) or '-'}")
    return Telling(f"Round {after.round}: {'   '.join(factories)}", tuple(details))


def _special(deal: RoundDeal, after: AzulPosition) -> list[str]:
    """Tell what plus-one and magnets did, each on its own, in the order of the circle."""
    words = []
    sources = list(deal.factories)
    for index, disc in enumerate(after.gold):
        if disc != PLUS_ONE and disc not in MAGNET_COLOR:
            continue
        old = list(sources)
        act_on_deal(sources, [disc if at == index else 0 for at in range(len(sources))], deal.extra)
        if disc == PLUS_ONE:
            extra = deal.extra
            tile = "no tile, none is left" if extra is None else f"a {COLOR_NAMES[extra]} tile more"
            words.append(f"the plus_one factory {index} gets {tile}")
            continue
        color = COLOR_NAMES[MAGNET_COLOR[disc]]
        drawn = [str(at) for at, tiles in enumerate(sources) if tiles < old[at]]
        if drawn:
            plural = "factory" if len(drawn) == 1 else "factories"
            of = "a tile" if len(drawn) == 1 else "a tile each"
            words.append(
                f"the magnet of factory {index} draws {color}: {of} from {plural} {listed(drawn)}"
            )
        else:
            words.append(f"the magnet of factory {index} finds no {color} beside it")
    return words


def tie_break(position: AzulPosition, seats: Sequence[int]) -> str:
    """Return what ranks seats with equal points (A11, A12), and what each has of it."""
    rows = [position.boards[seat].complete_rows() for seat in seats]
    if len(set(rows)) == 1:
        return f"complete rows would decide (1.6.3), but each has {rows[0]}"
    has = [f"seat {seat} has {count}" for seat, count in zip(seats, rows, strict=True)]
    return f"complete rows decide (1.6.3): {', '.join(has)}"
