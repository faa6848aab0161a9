"""The decisions of a round of Duel up to its tiling: opening, turns, draws.

A record always writes stop, also where nothing else was possible, and writes a pass once for
a player who can do nothing while the phase goes on. Our table does both by itself.
"""

from math import factorial
from typing import Any

from referee.rules.chance import Chance
from referee.rules.duel.board import DuelBoard
from referee.rules.duel.components import (
    BROKEN,
    COLOR_NAMES,
    LARGE,
    LINES,
    PLATE_COUNT,
    ROTATIONS,
    SEATS,
    SLOTS,
    SMALL_FACTORIES,
    TILES_PER_SMALL,
)
from referee.rules.duel.dome import FREE_SLOTS
from referee.rules.duel.moves import (
    DrawPlate,
    DuelMove,
    KeepPlate,
    PlacePlate,
    ReturnPlate,
    StopDrawing,
    TakeChip,
    TakeMoon,
    TakeSun,
)
from referee.rules.duel.phases import DRAWING, FACES, KEEPING, OPENING, RETURNING, ROUND, TURN
from referee.rules.duel.plates import plate_of
from referee.rules.duel.position import DuelPosition
from referee.rules.errors import IllegalMove
from referee.rules.interface import CHANCE
from referee.transcript.elsewhere.finding import ABSENT, Wrong
from referee.transcript.elsewhere.values import is_index, is_int

ALREADY_SAID = ("player", "legal_count")


def check_opening(position: DuelPosition, order: Chance, opening: list[Any]) -> None:
    """Check the opening plates of the first round; later rounds have none."""
    for index, claims in enumerate(opening):
        place = f"opening[{index}]"
        if position.phase != OPENING:
            raise Wrong(place, "surplus", claims, "both opening plates are placed", "3.3.4")
        _check_player(place, claims, position.mover)
        _check_count(place, claims, len(position.legal_moves()))
        move = _read_plate(place, claims)
        _check_legal(place, position, move, claims)
        _apply(position, order, [move])


def _check_player(place: str, claims: object, expected: int) -> None:
    if not isinstance(claims, dict):
        raise Wrong(place, "type", claims, "an object")
    player = claims.get("player", ABSENT)
    if not is_int(player) or player != expected:
        raise Wrong(place, "player", player, expected, "3.4.1")


def _check_count(place: str, claims: dict[str, Any], expected: int) -> None:
    if "legal_count" in claims:
        count = claims["legal_count"]
        if not is_int(count) or count != expected:
            raise Wrong(place, "legal_count", count, expected, "3.4")


def _check_legal(
    place: str, position: DuelPosition, move: DuelMove, claims: dict[str, Any]
) -> None:
    try:
        position.check(move)
    except IllegalMove as error:
        raise Wrong(place, "illegal", _fields(claims), str(error), error.rule) from error


def _fields(claims: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in claims.items() if name not in ALREADY_SAID}


def _apply(position: DuelPosition, order: Chance, moves: list[DuelMove]) -> None:
    """Play moves, and let come to light what the record knows; faces wait for the stop."""
    for move in moves:
        position.play(move)
        while position.actor == CHANCE and position.due not in (ROUND, FACES):
            position.deal(position.draw(order))


class Turns:
    """The claimed moves of one round.

    ``boards`` are the boards at the end of the phase, before any of them is tiled; None
    while the phase goes on.
    """

    def __init__(self, position: DuelPosition, order: Chance, place: str) -> None:
        self.position = position
        self.order = order
        self.place = place
        self.boards: list[DuelBoard] | None = None
        self._last_mover = SEATS - 1 - position.mover
        self._passed: set[int] = set()

    def check(self, place: str, claims: object) -> None:
        """Check one entry and play it."""
        position = self.position
        if self.boards is not None:
            raise Wrong(place, "surplus", claims, "the phase is over", "3.4.9")
        passer = self._must_pass()
        _check_player(place, claims, position.mover if passer is None else passer)
        assert isinstance(claims, dict)
        _check_count(place, claims, 0 if passer is not None else self._legal_count())
        kind = claims.get("do", ABSENT)
        if passer is not None:
            if kind != "pass":
                raise Wrong(place, "illegal", _fields(claims), {"do": "pass"}, "3.4.8")
            self._passed.add(passer)
        elif position.phase == TURN:
            self._check_turn(place, kind, claims)
        elif position.due == FACES or position.phase == DRAWING:
            self._check_after_draw(place, kind, claims)
        else:
            assert position.phase == KEEPING
            self._check_keep(place, kind, claims)

    def _must_pass(self) -> int | None:
        """Return who must write a pass now: whoever is passed over for the first time."""
        if self.position.phase != TURN:
            return None
        other = SEATS - 1 - self._last_mover
        passed_over = self.position.mover == self._last_mover
        return other if passed_over and other not in self._passed else None

    def _legal_count(self) -> int:
        position = self.position
        if position.due == FACES:
            # Stopped already: a record says so all the same, and it is the only choice.
            return 1
        if position.phase == KEEPING:
            free = len(FREE_SLOTS[position.boards[position.mover].taken_slots])
            return factorial(len(position.stack.drawn)) * free * ROTATIONS
        return len(position.legal_moves())

    # The kinds of entries --------------------------------------------------------------

    def _check_turn(self, place: str, kind: object, claims: dict[str, Any]) -> None:
        move: DuelMove
        if kind == "plate":
            move = _read_plate(place, claims)
        elif kind == "draw":
            move = DrawPlate()
        elif kind == "sun":
            move = _read_sun(place, claims)
        elif kind == "moon":
            color, line = _read_color(place, claims), _read_line(place, claims)
            move = TakeMoon(color, line)
        elif kind == "chip":
            factory = claims.get("factory", ABSENT)
            if not is_index(factory, SMALL_FACTORIES):
                raise Wrong(place, "move", {"factory": factory}, "a small factory", "3.4.6")
            move = TakeChip(factory)
        elif kind in ("stop", "keep", "pass"):
            rule = "D8" if kind == "pass" else "3.4.3"
            raise Wrong(place, "illegal", {"do": kind}, "an action of a turn", rule)
        else:
            raise Wrong(place, "move", {"do": kind}, "an action of a turn", "3.4.1")
        _check_legal(place, self.position, move, claims)
        self._play([move])

    def _check_after_draw(self, place: str, kind: object, claims: dict[str, Any]) -> None:
        position = self.position
        can_draw = position.phase == DRAWING
        if kind == "draw" and can_draw:
            self._play([DrawPlate()])
            return
        if kind != "stop":
            expected = {"do": "draw or stop" if can_draw else "stop"}
            raise Wrong(place, "illegal", {"do": kind}, expected, "D28")
        if can_draw:
            position.play(StopDrawing())
        position.deal(position.draw(self.order))
        drawn = [plate_of(entry) for entry in position.stack.drawn]
        claimed = claims.get("drawn", drawn)
        if claimed != drawn or not all(is_int(plate) for plate in claimed):
            raise Wrong(place, "drawn", claimed, drawn, "D28")

    def _check_keep(self, place: str, kind: object, claims: dict[str, Any]) -> None:
        if kind != "keep":
            raise Wrong(place, "illegal", {"do": kind}, {"do": "keep"}, "D28")
        drawn = [plate_of(entry) for entry in self.position.stack.drawn]
        plate, slot, rotation = _read_placing(place, claims)
        if plate not in drawn:
            raise Wrong(place, "illegal", {"plate": plate}, drawn, "D28")
        keep = KeepPlate(drawn.index(plate), slot, rotation)
        _check_legal(place, self.position, keep, claims)
        others = [other for other in drawn if other != plate]
        returned = claims.get("returned", ABSENT)
        if not isinstance(returned, list) or not all(is_int(other) for other in returned):
            raise Wrong(place, "move", {"returned": returned}, "a list of plates", "D28")
        if sorted(returned) != sorted(others):
            raise Wrong(place, "illegal", {"returned": returned}, sorted(others), "D28")
        # The last one goes back by itself.
        back: list[DuelMove] = [ReturnPlate(drawn.index(other)) for other in returned[:-1]]
        self._play([keep, *back])

    def _play(self, moves: list[DuelMove]) -> None:
        position = self.position
        self._last_mover = position.mover
        before = position.copy()
        _apply(position, self.order, moves)
        if position.phase in (TURN, DRAWING, KEEPING, RETURNING):
            return
        # The phase is over, and the table has tiled whatever was forced. A tile that lies
        # nowhere keeps a copy of it in the phase, with the boards as the record tiles them.
        before.tiles_left += 1
        _apply(before, self.order, moves)
        self.boards = before.boards


# Reading --------------------------------------------------------------------------------


def _read_placing(place: str, claims: dict[str, Any]) -> tuple[int, int, int]:
    limits = (("plate", PLATE_COUNT), ("slot", SLOTS), ("rotation", ROTATIONS))
    values = []
    for name, limit in limits:
        value = claims.get(name, ABSENT)
        if not is_index(value, limit):
            raise Wrong(place, "move", {name: value}, f"0 to {limit - 1}", "3.4.2")
        values.append(value)
    return values[0], values[1], values[2]


def _read_plate(place: str, claims: dict[str, Any]) -> PlacePlate:
    plate, slot, rotation = _read_placing(place, claims)
    return PlacePlate(plate, slot, rotation)


def _read_color(place: str, claims: dict[str, Any]) -> int:
    color = claims.get("color", ABSENT)
    if color not in COLOR_NAMES:
        raise Wrong(place, "move", {"color": color}, list(COLOR_NAMES), "3.4.4")
    return COLOR_NAMES.index(color)


def _read_line(place: str, claims: dict[str, Any]) -> int:
    line = claims.get("line", ABSENT)
    if line == "broken":
        return BROKEN
    if not is_index(line, LINES):
        raise Wrong(place, "move", {"line": line}, "0 to 5 or 'broken'", "3.4.7")
    return line


def _read_sun(place: str, claims: dict[str, Any]) -> TakeSun:
    factory = claims.get("factory", ABSENT)
    if factory == "large":
        factory = LARGE
    elif not is_index(factory, SMALL_FACTORIES):
        raise Wrong(place, "move", {"factory": factory}, "a small factory or 'large'", "3.4.4")
    color, line = _read_color(place, claims), _read_line(place, claims)
    stack = claims.get("stack", [])
    well_formed = (
        isinstance(stack, list)
        and len(stack) < TILES_PER_SMALL
        and all(tile in COLOR_NAMES for tile in stack)
    )
    if not well_formed:
        raise Wrong(place, "move", {"stack": stack}, "the tiles left, from the bottom", "D5")
    pile = tuple(COLOR_NAMES.index(tile) for tile in stack)
    return TakeSun(factory, color, line, pile)
