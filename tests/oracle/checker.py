"""Finds the first thing in an azul-game/1 record that cannot be true if all before it is.

Containers are looked at first, over the whole record: a missing or mistyped one is a problem of
format. Everything finer is a finding, met while the game is played again on a `Table`. Records of
Duel are refused with `ValueError`.
"""

from __future__ import annotations

from collections import Counter
from typing import Any, NoReturn

from .board import COLORS
from .engine import RULESETS, SPECIALS, Move, RuleError, Table, is_number, same

RESULTS = ("final_scores", "complete_rows", "winners")


def is_format_error(game: object) -> str | None:
    """Name the place of the first problem of format, or None; "game" is the record itself."""
    if not isinstance(game, dict):
        return "game"
    if game.get("format") != "azul-game/1":
        return "format"
    ruleset = game.get("ruleset")
    if ruleset == "duel":
        raise ValueError("Duel is out of scope.")
    if ruleset not in RULESETS:
        return "ruleset"
    if ruleset.startswith("chocolatier") and not isinstance(game.get("special"), list):
        return "special"
    rounds = game.get("rounds")
    if not isinstance(rounds, list):
        return "rounds"
    unfinished = game.get("unfinished") is True
    for index, record in enumerate(rounds):
        stops_here = unfinished and index == len(rounds) - 1
        place = _round_format_error(record, ruleset.endswith("gray"), stops_here)
        if place is not None:
            return f"rounds[{index}]{place}"
    if not unfinished:
        for name in RESULTS:
            if not isinstance(game.get(name), list):
                return name
    return None


def _round_format_error(record: object, gray: bool, stops_here: bool) -> str | None:
    if not isinstance(record, dict):
        return ""
    names = ["factories", "moves", *(["tiling"] if gray else []), "scores_after"]
    for name in names:
        # The round an unfinished game stops in lacks what would follow; the deal is never lacking.
        if stops_here and name != "factories" and name not in record:
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
    try:
        _Replay(game).run()
    except _Wrong as wrong:
        return wrong.place, wrong.reason
    return None


def seen(game: dict[str, Any]) -> Counter[str]:
    """Count the rare cases in a right record, by the names that `Table.seen` uses."""
    replay = _Replay(game)
    replay.run()
    return replay.table.seen


class _Wrong(Exception):
    """A finding."""

    def __init__(self, place: str, reason: str) -> None:
        super().__init__(place, reason)
        self.place = place
        self.reason = reason


def _wrong(place: str, reason: str) -> NoReturn:
    raise _Wrong(place, reason)


class _Replay:
    """One pass over a record without problems of format."""

    def __init__(self, game: dict[str, Any]) -> None:
        self.game = game
        self.rounds: list[dict[str, Any]] = game["rounds"]
        self.unfinished = game.get("unfinished") is True
        self.table = Table("azul", 2, None, 0)

    def run(self) -> None:
        """Check everything in the published order."""
        self._check_fields()
        special = self.game["special"] if self._is_chocolatier() else None
        self.table = Table(self.game["ruleset"], self.game["players"], special, 0)
        for index, record in enumerate(self.rounds):
            if self.table.over:
                _wrong(f"rounds[{index}]", "surplus")
            self._check_round(index, record)
        self._check_end()

    def _is_chocolatier(self) -> bool:
        return bool(self.game["ruleset"].startswith("chocolatier"))

    def _check_fields(self) -> None:
        players = self.game.get("players")
        if not (is_number(players, 5) and players in (2, 3, 4)):
            _wrong("players", "players")
        if not self._is_chocolatier():
            return
        special = self.game["special"]
        gold = [kind for kind in special if kind is not None]
        if len(special) != 2 * players + 1:
            _wrong("special", "length")
        if not all(kind in SPECIALS for kind in gold):
            _wrong("special", "kind")
        if len(gold) != players or len(set(gold)) != len(gold):
            _wrong("special", "number")

    def _check_round(self, index: int, record: dict[str, Any]) -> None:
        place = f"rounds[{index}]"
        table = self.table
        starter = record.get("starter")
        if not is_number(starter, len(table.players)):
            _wrong(f"{place}.starter", "range")
        if index == 0:
            table.starter = record["starter"]
        elif starter != table.starter:
            _wrong(f"{place}.starter", "starter")
        self._check_deal(place, record)
        # Without its scores the last round of an unfinished game is where the line stops.
        is_last = index == len(self.rounds) - 1
        stops_here = self.unfinished and is_last and "scores_after" not in record
        tiling = record.get("tiling", []) if table.gray else []
        self._check_moves(place, record.get("moves", []))
        if not table.offer_is_empty():
            if stops_here and not tiling:
                return
            _wrong(f"{place}.moves[{len(record.get('moves', []))}]", "missing")
        if table.gray:
            self._check_tiling(place, tiling)
            if table.pending_tiling() is not None:
                if stops_here:
                    return
                _wrong(f"{place}.tiling[{len(tiling)}]", "missing")
        else:
            table.tile_colored_walls()
        if stops_here:
            return
        table.finish_round()
        if not same(record["scores_after"], table.scores()):
            _wrong(f"{place}.scores_after", "scores")

    def _check_deal(self, place: str, record: dict[str, Any]) -> None:
        try:
            self.table.deal_factories(record["factories"])
        except RuleError as error:
            _wrong(f"{place}.factories", str(error))
        if "plus_one" in self.table.special and "extra" not in record:
            _wrong(f"{place}.extra", "missing")
        try:
            self.table.deal_extra(record.get("extra"))
        except RuleError as error:
            _wrong(f"{place}.extra", str(error))

    def _check_moves(self, place: str, moves: list[Any]) -> None:
        for index, move in enumerate(moves):
            here = f"{place}.moves[{index}]"
            if self.table.offer_is_empty():
                _wrong(here, "surplus")
            if not isinstance(move, dict):
                _wrong(here, "type")
            if not same(move.get("player"), self.table.turn):
                _wrong(here, "player")
            legal = self.table.legal_takes()
            if "legal_count" in move and not same(move["legal_count"], len(legal)):
                _wrong(here, "legal-count")
            if "legal" in move and not same(move["legal"], legal):
                _wrong(here, "legal")
            try:
                self.table.take(_written_as_legal(move, here))
            except RuleError as error:
                _wrong(here, str(error))

    def _check_tiling(self, place: str, tiling: list[Any]) -> None:
        for index, entry in enumerate(tiling):
            here = f"{place}.tiling[{index}]"
            pending = self.table.pending_tiling()
            if pending is None:
                _wrong(here, "surplus")
            if not isinstance(entry, dict):
                _wrong(here, "type")
            if not same(entry.get("player"), pending[0]):
                _wrong(here, "player")
            if not same(entry.get("row"), pending[1]):
                _wrong(here, "row")
            try:
                self.table.tile(entry.get("column"))
            except RuleError as error:
                _wrong(here, str(error))

    def _check_end(self) -> None:
        table = self.table
        if type(self.game.get("unfinished", False)) is not bool:
            _wrong("unfinished", "type")
        if self.unfinished:
            if table.over:
                _wrong("unfinished", "over")
            for name in RESULTS:
                if name in self.game:
                    _wrong(name, "unfinished")
            return
        if not table.over:
            _wrong(f"rounds[{len(self.rounds)}]", "missing")
        if not same(self.game["final_scores"], table.final_scores()):
            _wrong("final_scores", "scores")
        if not same(self.game["complete_rows"], table.complete_rows()):
            _wrong("complete_rows", "rows")
        winners = self.game["winners"]
        if not all(type(winner) is int for winner in winners):
            _wrong("winners", "type")
        if sorted(winners) != table.winners():
            _wrong("winners", "winners")


def _written_as_legal(move: dict[str, Any], here: str) -> Move:
    """Write a recorded move in the form of the `legal` lists, the sides in color order."""
    sides = [move.get("left", []), move.get("right", [])]
    for side in sides:
        if not isinstance(side, list) or not all(color in COLORS for color in side):
            _wrong(here, "division")
    plain = [move.get("source"), move.get("color"), move.get("line")]
    # Empty sides may be written or left out; a spread take that leaves tiles fills at least one.
    return plain + [sorted(side, key=COLORS.index) for side in sides] if any(sides) else plain
