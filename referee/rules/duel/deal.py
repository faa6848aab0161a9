"""What chance brings to a table of Duel: the deal of a round, and what comes to light in it.

Both are values. Where a seat may not know a face, its view of them shows what it can see:
the back of a plate, a chip face down.
"""

from typing import Any, Final

from referee.rules import tally
from referee.rules.duel.components import (
    COLOR_LETTERS,
    FACE_LETTERS,
    GOAL_NAMES,
    HIDDEN_FACE,
    HIDDEN_SPECIAL,
    HIDDEN_WILD,
    NOBODY,
    PLATE_COUNT,
    SEATS,
    SMALL_FACTORIES,
    hidden,
)
from referee.rules.errors import InvalidDeal, UnknownSeat, shown
from referee.rules.position import DealValue
from referee.rules.tally import COLORS

# More redraws of one large factory than any stream will ever bring.
MAX_REDRAWS: Final = 100


def plate_text(plate: int) -> str:
    """Return a plate in notation: its id, or what its back shows."""
    if plate == NOBODY:
        return "-"
    return {HIDDEN_SPECIAL: "s", HIDDEN_WILD: "w"}.get(plate, str(plate))


def face_text(face: int) -> str:
    """Return the face of a chip in notation."""
    return "?" if face == HIDDEN_FACE else FACE_LETTERS[face]


def letters(tiles: int) -> str:
    """Return a tally as one letter a tile, in the order of the colors, ``-`` for none."""
    counted = zip(COLOR_LETTERS, tally.counts(tiles), strict=True)
    return "".join([letter * n for letter, n in counted]) or "-"


def _check_numbers(part: str, values: object, low: int, top: int, expected: str) -> None:
    if type(values) is not tuple:
        raise InvalidDeal(part, f"{shown(values)} is no tuple", expected, "3.3")
    for value in values:
        if type(value) is not int or not low <= value <= top:
            raise InvalidDeal(part, f"there is no {shown(value)}", expected, "3.3")


def _check_tiles(part: str, values: object) -> None:
    _check_numbers(part, values, 0, tally.TO_GUARD, "tallies")
    assert isinstance(values, tuple)
    for value in values:
        if value & tally.GUARD:
            raise InvalidDeal(part, f"{shown(value)} are no tiles", "tallies", "3.3")


def _check_number_of(part: str, values: object, rule: str) -> None:
    assert isinstance(values, tuple)
    if len(values) != SMALL_FACTORIES:
        message = f"there are {len(values)}"
        raise InvalidDeal(part, message, f"one for each of {SMALL_FACTORIES} factories", rule)


def _is_absent(value: object) -> bool:
    """Return whether a part is not given; -1.0 and True are no numbers of the game."""
    return type(value) is int and value == NOBODY


def _seat(seat: object) -> int:
    """Return a seat, `NOBODY` for a spectator, or raise `UnknownSeat`."""
    if seat is None:
        return NOBODY
    if type(seat) is not int or not 0 <= seat < SEATS:
        raise UnknownSeat(f"the table has seats 0 and 1, not {shown(seat)}")
    return seat


class RoundDeal(DealValue):
    """What chance brings at the start of a round.

    starter  the first player, in the first round; may be named again later
    goals    the goals in play, in the first round where chance chooses them
    display  the plates that fill up the display, in the order in which they left the stack
    top      the plate on top of the stack then, `NOBODY` where none has to be drawn
    redraws  the color of each large factory of one color that was put back
    large, small   the tiles of the large and of the small factories, as tallies
    chips    the face of the chip on each small factory
    """

    __slots__ = ("chips", "display", "goals", "large", "redraws", "small", "starter", "top")

    starter: int | None
    goals: tuple[int, ...] | None
    display: tuple[int, ...]
    top: int
    redraws: tuple[int, ...]
    large: int
    small: tuple[int, ...]
    chips: tuple[int, ...]

    def __init__(  # noqa: PLR0913  a round has so many parts
        self,
        large: object,
        small: object,
        chips: object,
        *,
        display: object = (),
        top: object = NOBODY,
        redraws: object = (),
        starter: object = None,
        goals: object = None,
    ) -> None:
        if starter is not None:
            _check_numbers("starter", (starter,), 0, SEATS - 1, "a seat")
        if goals is not None:
            _check_numbers("goals", goals, 0, len(GOAL_NAMES) - 1, "goals")
            if goals == ():
                raise InvalidDeal("goals", "there are none", "three or four goals", "D25")
        _check_numbers("display", display, 0, PLATE_COUNT - 1, "plates")
        _check_numbers("top", (top,), NOBODY, HIDDEN_WILD, "a plate")
        _check_numbers("redraws", redraws, 0, COLORS - 1, "colors")
        assert isinstance(redraws, tuple)
        if len(redraws) > MAX_REDRAWS:
            raise InvalidDeal("redraws", "there are too many", f"at most {MAX_REDRAWS}", "D17")
        _check_tiles("large", (large,))
        _check_tiles("small", small)
        _check_numbers("chips", chips, 0, HIDDEN_FACE, "chips")
        _check_number_of("small", small, "3.3.2")
        _check_number_of("chips", chips, "3.3.3")
        self._set("starter", starter)
        self._set("goals", goals)
        self._set("display", display)
        self._set("top", top)
        self._set("redraws", redraws)
        self._set("large", large)
        self._set("small", small)
        self._set("chips", chips)

    def view(self, seat: object) -> "RoundDeal":
        """Return it with the top plate and the chips below tiles as they lie: face down."""
        _seat(seat)
        return RoundDeal(
            self.large,
            self.small,
            tuple(
                [
                    HIDDEN_FACE if tiles else face
                    for tiles, face in zip(self.small, self.chips, strict=True)
                ]
            ),
            display=self.display,
            top=self.top if self.top == NOBODY else hidden(self.top),
            redraws=self.redraws,
            starter=self.starter,
            goals=self.goals,
        )

    def _parts(self) -> tuple[Any, ...]:
        tiles = (self.large, self.small, self.chips)
        return (*tiles, self.display, self.top, self.redraws, self.starter, self.goals)

    def __reduce__(self) -> tuple[Any, ...]:
        return _round_deal, (self._parts(),)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, RoundDeal):
            return NotImplemented
        return self._parts() == other._parts()

    def __hash__(self) -> int:
        return hash(self._parts())

    def __repr__(self) -> str:
        return f"RoundDeal({str(self)!r})"

    def __str__(self) -> str:
        parts = []
        if self.starter is not None:
            parts.append(f"starter={self.starter}")
        if self.goals is not None:
            parts.append("goals=" + ",".join([GOAL_NAMES[goal] for goal in self.goals]))
        if self.display:
            parts.append("display=" + ",".join([str(plate) for plate in self.display]))
        if self.top != NOBODY:
            parts.append(f"top={plate_text(self.top)}")
        if self.redraws:
            parts.append("redraws=" + "".join([COLOR_LETTERS[color] for color in self.redraws]))
        parts.append(f"large={letters(self.large)}")
        parts.append("small=" + ",".join([letters(tiles) for tiles in self.small]))
        parts.append("chips=" + ",".join([face_text(face) for face in self.chips]))
        return " ".join(parts)


def _round_deal(parts: tuple[Any, ...]) -> RoundDeal:
    """Make a deal from its parts again, for copies and pickles."""
    large, small, chips, display, top, redraws, starter, goals = parts
    return RoundDeal(
        large,
        small,
        chips,
        display=display,
        top=top,
        redraws=redraws,
        starter=starter,
        goals=goals,
    )


class Uncovered(DealValue):
    """What comes to light in the middle of a round, after a move.

    Which part it has follows from what the table waits for: ``display``, a plate that fills
    up the display; ``top``, the new top of the stack; ``faces``, the plates that the seat
    ``looker`` drew, in the order drawn, for its eyes only; ``kept``, the plate it kept;
    ``chips``, the chips that were revealed, as pairs of factory and face.
    """

    __slots__ = ("chips", "display", "faces", "kept", "looker", "top")

    display: int
    top: int
    looker: int
    faces: tuple[int, ...]
    kept: int
    chips: tuple[tuple[int, int], ...]

    def __init__(
        self,
        *,
        display: object = NOBODY,
        top: object = NOBODY,
        looker: object = NOBODY,
        faces: object = (),
        kept: object = NOBODY,
        chips: object = (),
    ) -> None:
        # Most parts are absent, and this is made for every chip and plate that is shown.
        if not _is_absent(display):
            _check_numbers("display", (display,), 0, PLATE_COUNT - 1, "a plate")
        if not _is_absent(top):
            _check_numbers("top", (top,), 0, HIDDEN_WILD, "a plate")
        if not _is_absent(kept):
            _check_numbers("kept", (kept,), 0, PLATE_COUNT - 1, "a plate")
        if chips != ():
            _check_chips(chips)
        if not _is_absent(looker) or faces != ():
            _check_numbers("faces", (looker,), 0, SEATS - 1, "a seat that looks")
            _check_numbers("faces", faces, 0, HIDDEN_WILD, "plates")
            if faces == ():
                raise InvalidDeal("faces", "nothing is looked at", "plates", "D28")
        self._set("display", display)
        self._set("top", top)
        self._set("looker", looker)
        self._set("faces", faces)
        self._set("kept", kept)
        self._set("chips", chips)

    def view(self, seat: object) -> "Uncovered":
        """Return it with the faces for their looker only, and the top as it lies."""
        faces = self.faces
        viewer = _seat(seat)
        if viewer == NOBODY or viewer != self.looker:
            faces = tuple([hidden(plate) for plate in faces])
        return Uncovered(
            display=self.display,
            top=self.top if self.top == NOBODY else hidden(self.top),
            looker=self.looker,
            faces=faces,
            kept=self.kept,
            chips=self.chips,
        )

    def _parts(self) -> tuple[Any, ...]:
        return (self.display, self.top, self.looker, self.faces, self.kept, self.chips)

    def __reduce__(self) -> tuple[Any, ...]:
        return _uncovered, (self._parts(),)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Uncovered):
            return NotImplemented
        return self._parts() == other._parts()

    def __hash__(self) -> int:
        return hash(self._parts())

    def __repr__(self) -> str:
        return f"Uncovered({str(self)!r})"

    def __str__(self) -> str:
        parts = []
        if self.display != NOBODY:
            parts.append(f"display={self.display}")
        if self.top != NOBODY:
            parts.append(f"top={plate_text(self.top)}")
        if self.faces:
            faces = ",".join([plate_text(plate) for plate in self.faces])
            parts.append(f"looker={self.looker} faces={faces}")
        if self.kept != NOBODY:
            parts.append(f"kept={self.kept}")
        if self.chips:
            chips = [f"{factory}:{face_text(face)}" for factory, face in self.chips]
            parts.append("chips=" + ",".join(chips))
        return " ".join(parts) or "nothing"


def _check_chips(chips: object) -> None:
    if type(chips) is not tuple:
        raise InvalidDeal("chips", f"{shown(chips)} is no tuple", "factories, faces", "3.3")
    for pair in chips:
        _check_pair(pair)


def _check_pair(pair: object) -> None:
    if type(pair) is not tuple or len(pair) != 2:
        raise InvalidDeal("chips", f"{shown(pair)} is no chip", "a factory and a face", "3.3")
    _check_numbers("chips", pair[:1], 0, SMALL_FACTORIES - 1, "a small factory")
    _check_numbers("chips", pair[1:], 0, HIDDEN_FACE - 1, "a face")


def _uncovered(parts: tuple[Any, ...]) -> Uncovered:
    """Make a deal from its parts again, for copies and pickles."""
    display, top, looker, faces, kept, chips = parts
    return Uncovered(display=display, top=top, looker=looker, faces=faces, kept=kept, chips=chips)
