"""What comes to light in the middle of a round, drawn or given (`phases` lists the moments)."""

from typing import TYPE_CHECKING

from referee.rules.chance import Chance
from referee.rules.duel import chips as chipset
from referee.rules.duel.components import FACE_LETTERS, HIDDEN_FACE, NOBODY, PLATE_COUNT
from referee.rules.duel.deal import Uncovered, plate_text
from referee.rules.duel.dealing import draw_top, new_top, to_display
from referee.rules.duel.dome import code
from referee.rules.duel.phases import CHIPS, DISPLAY, DUE_NAMES, FACES, KEPT, TOP
from referee.rules.duel.plates import GONE, entry, known_by, plate_of
from referee.rules.errors import InvalidDeal, WrongMoment

if TYPE_CHECKING:
    from referee.rules.duel.position import DuelPosition


def draw(position: "DuelPosition", chance: Chance) -> Uncovered:
    """Return what comes to light; only a new top of the stack takes from the streams."""
    due = position.due
    if due == CHIPS:
        factories = position.uncovered_factories()
        return Uncovered(chips=tuple([(f, _known_face(position.chips[f])) for f in factories]))
    stack = position.stack
    if due == FACES:
        faces = [_known_plate(plate_of(drawn)) for drawn in stack.drawn]
        return Uncovered(looker=position.mover, faces=tuple(faces))
    if due == KEPT:
        return Uncovered(kept=_known_plate(plate_of(stack.drawn[position.kept[0]])))
    display = NOBODY
    stack = stack.copy()
    if stack.hidden_entries():
        raise WrongMoment("this view does not know the plates that are left")
    if due == DISPLAY:
        display = plate_of(stack.take_top())
        stack.settle()
    return Uncovered(display=display, top=draw_top(stack, chance) if stack.needs_top() else NOBODY)


def _known_plate(plate: int) -> int:
    if plate >= PLATE_COUNT:
        raise WrongMoment("this view does not know the face of the plate")
    return plate


def _known_face(face: int) -> int:
    if face == HIDDEN_FACE:
        raise WrongMoment("this view does not know the face of the chip")
    return face


def uncover(position: "DuelPosition", deal: Uncovered) -> None:
    """Apply what comes to light, or raise `InvalidDeal` and leave the position as it was."""
    due = position.due
    _refuse_other_parts(deal, due)
    if due == CHIPS:
        _reveal_chips(position, deal)
    elif due == FACES:
        _look(position, deal)
    elif due == KEPT:
        _show_kept(position, deal.kept)
    else:
        stack = position.stack.copy()
        display = position.display
        if due == DISPLAY:
            to_display(stack, deal.display)
            display = tuple(sorted((*display, deal.display)))
        new_top(stack, deal.top)
        position.stack, position.display = stack, display


def _refuse_other_parts(deal: Uncovered, due: int) -> None:
    """Refuse what belongs to another moment, and what is missing."""
    parts = (
        ("display", deal.display != NOBODY, due == DISPLAY),
        ("top", deal.top != NOBODY, due in (DISPLAY, TOP)),
        ("faces", deal.faces != (), due == FACES),
        ("kept", deal.kept != NOBODY, due == KEPT),
        ("chips", deal.chips != (), due == CHIPS),
    )
    for part, given, wanted in parts:
        # Whether a new top must be named depends on the stack; `new_top` sees to it.
        if given != wanted and (given or part != "top"):
            message = "it is not to be shown now" if given else "it is missing"
            raise InvalidDeal(part, message, DUE_NAMES[due], "3.4")


def _reveal_chips(position: "DuelPosition", deal: Uncovered) -> None:
    """Turn up the chips of emptied factories (3.4.4, 3.4.5)."""
    factories = position.uncovered_factories()
    if [factory for factory, _ in deal.chips] != factories:
        expected = "the chips of factories " + ", ".join([str(f) for f in factories])
        raise InvalidDeal("chips", "other chips are uncovered", expected, "3.4.5")
    supply = position.supply
    for factory, face in deal.chips:
        lying = position.chips[factory]
        if lying == HIDDEN_FACE:
            if not chipset.count(supply, face):
                message = f"no {FACE_LETTERS[face]} chip is left"
                raise InvalidDeal("chips", message, "chips that are left", "3.2.3")
            supply -= chipset.ONE_CHIP[face]
        elif face != lying:
            message = f"the chip of factory {factory} is no {FACE_LETTERS[face]}"
            raise InvalidDeal("chips", message, FACE_LETTERS[lying], "3.3.3")
    position.supply = supply
    for factory, face in deal.chips:
        position.chips[factory] = face
        position.revealed |= 1 << factory


def _look(position: "DuelPosition", deal: Uncovered) -> None:
    """Let the mover see the plates it drew."""
    stack = position.stack
    if deal.looker != position.mover:
        raise InvalidDeal("faces", f"seat {deal.looker} drew nothing", str(position.mover), "D3")
    known = [plate for plate in deal.faces if plate < PLATE_COUNT]
    if len(deal.faces) != len(stack.drawn) or len(set(known)) != len(known):
        expected = f"{len(stack.drawn)} different plates"
        raise InvalidDeal("faces", "other plates were drawn", expected, "D28")
    for plate, drawn in zip(deal.faces, stack.drawn, strict=True):
        if not stack.can_be(plate, drawn):
            message = f"{plate_text(plate)} was not drawn"
            raise InvalidDeal("faces", message, "the plates drawn", "D28")
    for index, plate in enumerate(deal.faces):
        drawn = stack.drawn[index]
        # Who does not see the faces now may still know them from before.
        face = plate if plate < PLATE_COUNT else plate_of(drawn)
        stack.see(face)
        stack.drawn[index] = entry(face, known_by(drawn) | 1 << position.mover)


def _show_kept(position: "DuelPosition", plate: int) -> None:
    """Lay the plate that the mover keeps on its dome, for all to see."""
    stack = position.stack
    index, slot, rotation = position.kept
    if not stack.can_be(plate, stack.drawn[index]):
        raise InvalidDeal("kept", f"plate {plate} was not drawn", "the plate kept", "D28")
    stack.see(plate)
    stack.drawn[index] = GONE
    position.boards[position.mover].place_plate(slot, code(plate, rotation))
