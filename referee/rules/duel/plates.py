"""The plates that lie face down, drawn lazily (docs/draws.md), and who knows their faces.

The stack is the top plate, whose type its back shows to everybody, then the unseen plates
in no order at all, then the plates that were drawn and returned, in their order. Nothing
below the top has a place before it becomes the top, so there is no order that could leak.

A plate that lies face down is an entry: its id, or `HIDDEN_SPECIAL` / `HIDDEN_WILD` where
only the back is known, and the set of seats that have seen its face.
"""

from typing import Final

from referee.rules.duel.components import (
    ALL_PLATES,
    NOBODY,
    PLATE_COUNT,
    SPECIAL_PLATES,
    hidden,
    is_special,
)

_PLATE_BITS: Final = 5
_PLATE: Final = (1 << _PLATE_BITS) - 1
# In the list of drawn plates: this one was kept or returned.
GONE: Final = -1


def entry(plate: int, known_by: int = 0) -> int:
    """Return the entry of a plate that these seats (bit s for seat s) have seen."""
    return plate | known_by << _PLATE_BITS


def plate_of(entry: int) -> int:
    """Return the plate of an entry: an id, or what its back shows."""
    return entry & _PLATE


def known_by(entry: int) -> int:
    """Return the seats that have seen the face, as bits."""
    return entry >> _PLATE_BITS


def seen_from(entry: int, seat: int | None) -> int:
    """Return the entry as that seat (None: a spectator) knows it."""
    known = entry >> _PLATE_BITS
    if entry < 0 or (seat is not None and known >> seat & 1):
        return entry
    return hidden(entry & _PLATE) | known << _PLATE_BITS


class PlateStack:
    """Every plate that lies face down.

    top       the entry on top of the stack; `NOBODY` when it is empty, or when the next
              top is still to be drawn
    unseen    bits of the plates that have no place yet; where this is a view, also of
              those that are behind hidden entries
    returned  entries below the unseen plates, the next one first
    drawn     entries that the seat to move has drawn, `GONE` for kept and returned ones
    """

    __slots__ = ("drawn", "returned", "top", "unseen")

    top: int
    unseen: int
    returned: list[int]
    drawn: list[int]

    def copy(self) -> "PlateStack":
        """Return an independent stack that is equal to this one."""
        new = PlateStack()
        new.top = self.top
        new.unseen = self.unseen
        new.returned = self.returned[:]
        new.drawn = self.drawn[:]
        return new

    def view(self, seat: int | None) -> "PlateStack":
        """Return the stack as that seat (None: a spectator) knows it."""
        new = PlateStack()
        new.top = seen_from(self.top, seat)
        new.returned = [seen_from(entry, seat) for entry in self.returned]
        new.drawn = [seen_from(entry, seat) for entry in self.drawn]
        new.unseen = self.unseen
        for entry in (self.top, *self.returned, *self.drawn):
            if entry >= 0 and seen_from(entry, seat) != entry:
                new.unseen |= 1 << plate_of(entry)
        return new

    def hidden_entries(self) -> list[int]:
        """Return the backs of all entries whose faces are not known here."""
        entries = [self.top, *self.returned, *self.drawn]
        return [e & _PLATE for e in entries if e >= 0 and e & _PLATE >= PLATE_COUNT]

    def without_place(self) -> int:
        """Return how many plates have no place yet."""
        return self.unseen.bit_count() - len(self.hidden_entries())

    def is_empty(self) -> bool:
        """Return whether no plate can be drawn."""
        return self.top == NOBODY

    def ids(self) -> list[int]:
        """Return the unseen plates in the order of their ids."""
        return [plate for plate in range(PLATE_COUNT) if self.unseen >> plate & 1]

    def may_become_top(self, plate: int) -> bool:
        """Return whether a plate without a place can be this one, or one with this back."""
        if plate < PLATE_COUNT and not self.unseen >> plate & 1:
            return False
        # Where this is a view, hidden entries hold some of the unseen plates of each type.
        special = is_special(plate)
        kind = SPECIAL_PLATES if special else ALL_PLATES & ~SPECIAL_PLATES
        held = sum(1 for back in self.hidden_entries() if is_special(back) == special)
        return (self.unseen & kind).bit_count() > held

    def can_be(self, plate: int, entry: int) -> bool:
        """Return whether an entry can turn out to be this plate, or one with this back."""
        known = entry & _PLATE
        if is_special(plate) != is_special(known):
            return False
        if plate >= PLATE_COUNT:
            return True
        return self.unseen >> plate & 1 == 1 if known >= PLATE_COUNT else plate == known

    def see(self, plate: int) -> None:
        """Note that a face has come to light."""
        if plate < PLATE_COUNT:
            self.unseen &= ~(1 << plate)

    def lay_top(self, plate: int) -> None:
        """Let a plate without a place become the top; its face stays in the dark."""
        self.see(plate)
        self.top = entry(plate)

    def take_top(self) -> int:
        """Take the top away; call `settle` once it lies where it goes."""
        taken = self.top
        self.top = NOBODY
        return taken

    def settle(self) -> None:
        """Let a returned plate become the top where no plate without a place is left.

        Otherwise the stack has no top until chance names one.
        """
        if self.top == NOBODY and self.returned and not self.without_place():
            self.top = self.returned.pop(0)

    def put_under(self, entry: int) -> None:
        """Return a drawn plate to the bottom of the stack."""
        self.returned.append(entry)
        self.settle()

    def needs_top(self) -> bool:
        """Return whether chance must name a new top."""
        return self.top == NOBODY and self.without_place() > 0

    def size(self) -> int:
        """Return how many plates the stack has."""
        return (self.top != NOBODY) + self.without_place() + len(self.returned)


def full_stack() -> PlateStack:
    """Return the stack before anything is drawn from it."""
    stack = PlateStack()
    stack.top = NOBODY
    stack.unseen = ALL_PLATES
    stack.returned = []
    stack.drawn = []
    return stack
