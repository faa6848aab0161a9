"""Finds the first thing in an azul-game/1 record of Duel that cannot be true if all before it is.

Containers are looked at first, over the whole record: a missing or mistyped one is a problem of
format. Everything finer is a finding, met while the game is played again on a `Table`. Records of
the other rulesets are passed on to their own checker.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from typing import Any, NoReturn

from tests.oracle import checker as azul_checker
from tests.oracle.engine import RULESETS, RuleError, is_number, same

from .components import GOALS, PLATES, other_side
from .engine import Move, Table

RULESET = "duel"
DEAL = ("large", "small", "chips")
RESULTS: dict[str, type] = {"goal_points": dict, "final_scores": list, "winners": list}


def is_format_error(game: object) -> str | None:
    """Name the place of the first problem of format, or None; "game" is the record itself."""
    if not isinstance(game, dict):
        return "game"
    if game.get("format") != "azul-game/1":
        return "format"
    if game.get("ruleset") in RULESETS:
        return azul_checker.is_format_error(game)
    if game.get("ruleset") != RULESET:
        return "ruleset"
    for name in ("goals", "plates", "opening", "rounds"):
        if not isinstance(game.get(name), list):
            return name
    rounds = game["rounds"]
    unfinished = game.get("unfinished") is True
    for index, record in enumerate(rounds):
        stops_here = unfinished and index == len(rounds) - 1
        place = _round_format_error(record, stops_here)
        if place is not None:
            return f"rounds[{index}]{place}"
    if not unfinished:
        for name, container in RESULTS.items():
            if not isinstance(game.get(name), container):
                return name
    return None


def _round_format_error(record: object, stops_here: bool) -> str | None:
    if not isinstance(record, dict):
        return ""
    for name in ("redraws", *DEAL, "moves", "tiling", "scores_after"):
        # The round an unfinished game stops in lacks what would follow; the deal is never lacking.
        may_lack = name == "redraws" or (stops_here and name not in DEAL)
        if may_lack and name not in record:
            continue
        if not isinstance(record.get(name), list):
            return f".{name}"
    return None


def first_wrong(game: object) -> tuple[str, str] | None:
    """Name the place of the first thing wrong and a short word for why, or None if all holds."""
    place = is_format_error(game)
    if place is not None:
        return place, "format"
    assert isinstance(game, dict)
    if game["ruleset"] != RULESET:
        return azul_checker.first_wrong(game)
    try:
        _Replay(game).run()
    except _Wrong as wrong:
        return wrong.place, wrong.reason
    return None


def seen(game: dict[str, Any]) -> Counter[str]:
    """Count the rare cases in a right record: those of `Table.seen`, goals and close ends."""
    replay = _Replay(game)
    replay.run()
    table = replay.table
    cases = Counter(table.seen)
    if not table.over:
        return cases
    points = table.goal_points()
    cases.update(f"goal {goal}" for goal, pair in points.items() if pair != [0, 0])
    for index, final in enumerate(table.final_scores()):
        if final > table.scores()[index] + sum(pair[index] for pair in points.values()):
            cases["final score stops at 0"] += 1
    if len(set(table.final_scores())) == 1:
        cases["tie"] += 1
    return cases


class _Wrong(Exception):
    """A finding."""

    def __init__(self, place: str, reason: str) -> None:
        super().__init__(place, reason)
        self.place = place
        self.reason = reason


def _wrong(place: str, reason: str) -> NoReturn:
    raise _Wrong(place, reason)


def _try(place: str, step: Callable[[Any], None], value: Any) -> None:
    """Take one step of the game; what the rules refuse is a finding at that place."""
    try:
        step(value)
    except RuleError as error:
        _wrong(place, str(error))


class _Replay:
    """One pass over a record without problems of format."""

    def __init__(self, game: dict[str, Any]) -> None:
        self.game = game
        self.rounds: list[dict[str, Any]] = game["rounds"]
        self.unfinished = game.get("unfinished") is True
        self.table = Table([], [])

    def run(self) -> None:
        """Check everything in the published order."""
        self._check_fields()
        self.table = Table(self.game["goals"], self.game["plates"])
        for index, record in enumerate(self.rounds):
            if self.table.over:
                _wrong(f"rounds[{index}]", "surplus")
            self._check_round(index, record)
        self._check_end()

    def _check_fields(self) -> None:
        if not same(self.game.get("players"), 2):
            _wrong("players", "players")
        goals = self.game["goals"]
        if len(goals) not in (3, 4):
            _wrong("goals", "number")
        if not all(goal in GOALS for goal in goals):
            _wrong("goals", "name")
        if any(goals.count(goal) > 1 or other_side(goal) in goals for goal in goals):
            _wrong("goals", "token")
        plates = self.game["plates"]
        if not all(type(plate) is int for plate in plates):
            _wrong("plates", "type")
        if sorted(plates) != list(range(len(PLATES))):
            _wrong("plates", "plates")

    def _check_round(self, index: int, record: dict[str, Any]) -> None:
        place = f"rounds[{index}]"
        starter = record.get("starter")
        if not is_number(starter, 2):
            _wrong(f"{place}.starter", "range")
        _try(f"{place}.starter", self.table.start_round, starter)
        self._check_deal(place, record)
        moves, tiling = record.get("moves", []), record.get("tiling", [])
        # Without its scores the last round of an unfinished game is where the line stops.
        is_last = index == len(self.rounds) - 1
        stops_here = self.unfinished and is_last and "scores_after" not in record
        if index == 0:
            self._check_opening()
            if self.table.openings_left():
                if stops_here and not moves and not tiling:
                    return
                _wrong(f"opening[{len(self.game['opening'])}]", "missing")
        self._check_moves(place, moves)
        if not self.table.phase_is_over():
            if stops_here and not tiling:
                return
            _wrong(f"{place}.moves[{len(moves)}]", "missing")
        self._check_tiling(place, tiling)
        if self.table.pending_tiling() is not None:
            if stops_here:
                return
            _wrong(f"{place}.tiling[{len(tiling)}]", "missing")
        if stops_here:
            return
        self.table.finish_round()
        if not same(record["scores_after"], self.table.scores()):
            _wrong(f"{place}.scores_after", "scores")

    def _check_deal(self, place: str, record: dict[str, Any]) -> None:
        _try(f"{place}.redraws", self.table.deal_redraws, record.get("redraws", []))
        _try(f"{place}.large", self.table.deal_large, record["large"])
        _try(f"{place}.small", self.table.deal_small, record["small"])
        _try(f"{place}.chips", self.table.deal_chips, record["chips"])

    def _check_opening(self) -> None:
        for index, entry in enumerate(self.game["opening"]):
            here = f"opening[{index}]"
            if not self.table.openings_left():
                _wrong(here, "surplus")
            _check_frame(here, entry, self.table.turn, len(self.table.legal_openings()))
            placement = [entry.get(name) for name in ("plate", "slot", "rotation")]
            _try(here, self.table.open, placement)

    def _check_moves(self, place: str, moves: list[Any]) -> None:
        for index, entry in enumerate(moves):
            here = f"{place}.moves[{index}]"
            if self.table.phase_is_over():
                _wrong(here, "surplus")
            _check_frame(here, entry, self.table.turn, self.table.legal_count())
            claims_plates = entry.get("do") == "stop" and "drawn" in entry
            if claims_plates and not same(entry["drawn"], self.table.drawn):
                _wrong(here, "drawn")
            _try(here, self.table.play, _written_move(entry))

    def _check_tiling(self, place: str, tiling: list[Any]) -> None:
        for index, entry in enumerate(tiling):
            here = f"{place}.tiling[{index}]"
            pending = self.table.pending_tiling()
            if pending is None:
                _wrong(here, "surplus")
            _check_frame(here, entry, pending[0], len(self.table.tiling_options()))
            if not same(entry.get("line"), pending[1]):
                _wrong(here, "line")
            chips = entry.get("chips", [])
            if not isinstance(chips, list) or not all(isinstance(face, str) for face in chips):
                _wrong(here, "chips")
            _try(here, self.table.tile, [entry.get("column"), sorted(chips)])

    def _check_end(self) -> None:
        table = self.table
        if type(self.game.get("unfinished", False)) is not bool:
            _wrong("unfinished", "type")
        if self.unfinished:
            if table.over:
                _wrong("unfinished", "over")
            if not self.rounds and self.game["opening"]:
                # The opening comes after the first deal, which also says who opens.
                _wrong("rounds[0]", "missing")
            for name in RESULTS:
                if name in self.game:
                    _wrong(name, "unfinished")
            return
        if not table.over:
            _wrong(f"rounds[{len(self.rounds)}]", "missing")
        self._check_goal_points()
        if not same(self.game["final_scores"], table.final_scores()):
            _wrong("final_scores", "scores")
        if not same(self.game["winners"], table.winners()):
            _wrong("winners", "winners")

    def _check_goal_points(self) -> None:
        claimed = self.game["goal_points"]
        for goal, points in self.table.goal_points().items():
            if not same(claimed.get(goal), points):
                _wrong("goal_points", "scores")
        # Names that are no goals are unknown fields, but a goal out of play has no points.
        if any(goal in claimed and goal not in self.table.goals for goal in GOALS):
            _wrong("goal_points", "not-in-play")


def _check_frame(here: str, entry: Any, player: int, legal_count: int) -> None:
    """Check what every decision has: who decides, and among how many moves."""
    if not isinstance(entry, dict):
        _wrong(here, "type")
    if not same(entry.get("player"), player):
        _wrong(here, "player")
    if "legal_count" in entry and not same(entry["legal_count"], legal_count):
        _wrong(here, "legal-count")


# The fields of every kind of move, in the order of a `Move`, each with what stands in for it
# where it is absent.
FIELDS: dict[str, dict[str, Any]] = {
    "plate": {"plate": None, "slot": None, "rotation": None},
    "draw": {},
    "stop": {},
    "keep": {"plate": None, "slot": None, "rotation": None, "returned": None},
    "sun": {"factory": None, "color": None, "line": None, "stack": []},
    "moon": {"color": None, "line": None},
    "chip": {"factory": None},
    "pass": {},
}


def _written_move(entry: dict[str, Any]) -> Move:
    """Write a recorded decision in the form of a `Move`; an unknown one is no move at all."""
    do = entry.get("do")
    if not isinstance(do, str) or do not in FIELDS:
        return []
    return [do, *(entry.get(name, default) for name, default in FIELDS[do].items())]
