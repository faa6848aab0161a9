"""Re-plays a game of Azul or Master Chocolatier that was played elsewhere.

The claims are compared in the order in which docs/check.md lists them, and the first one
that cannot be true ends the re-play.
"""

from typing import Any

from referee.rules import tally
from referee.rules.azul.board import Board
from referee.rules.azul.components import (
    CENTER,
    COLOR_NAMES,
    DISC_NAMES,
    FLOOR,
    NOBODY,
    PLUS_ONE,
    ROWS,
    TILES_PER_FACTORY,
)
from referee.rules.azul.deal import RoundDeal, check_gold
from referee.rules.azul.moves import Place, Take
from referee.rules.azul.position import AzulPosition
from referee.rules.azul.ruleset import AzulRuleset
from referee.rules.errors import IllegalMove, InvalidDeal
from referee.rules.interface import OVER
from referee.transcript.elsewhere.finding import ABSENT, Wrong
from referee.transcript.elsewhere.shape import require_list, require_results, require_rounds
from referee.transcript.elsewhere.values import check_numbers, is_index, is_int

RESULTS = ("final_scores", "complete_rows", "winners")
DISCS_BY_NAME = {name: disc for disc, name in enumerate(DISC_NAMES) if disc}


def check(ruleset: AzulRuleset, game: dict[str, Any]) -> None:
    """Raise `Wrong` at the first thing that cannot be true."""
    if ruleset.variant.special:
        require_list(game, "special", "special")
    tiling = ("tiling",) if ruleset.variant.layout is None else ()
    require_rounds(game, ("factories",), ("moves", *tiling, "scores_after"))
    require_results(game, RESULTS)
    players = game.get("players", ABSENT)
    if not is_int(players) or not ruleset.min_seats <= players <= ruleset.max_seats:
        raise Wrong("players", "players", players, f"{ruleset.min_seats} to {ruleset.max_seats}")
    position = ruleset.initial(players)
    # Games of this format end by the rules alone.
    position.round_cap = None
    gold = _read_special(position, game) if ruleset.variant.special else None
    stopped = False
    for index, claims in enumerate(game["rounds"]):
        if position.actor == OVER:
            raise Wrong(f"rounds[{index}]", "surplus", "a round", "the game is over", "A10, A14")
        replay = _Round(position, claims, f"rounds[{index}]")
        replay.deal(gold if index == 0 else None)
        stopped = not replay.play()
    _check_end(position, game, stopped=stopped)


def _read_special(position: AzulPosition, game: dict[str, Any]) -> tuple[int, ...]:
    special = game["special"]
    expected = f"{position.factories} entries, {position.seats} of them different gold discs"
    if not all(
        name is None or (isinstance(name, str) and name in DISCS_BY_NAME) for name in special
    ):
        raise Wrong("special", "special", special, [None, *DISCS_BY_NAME], "2.1")
    discs = [0 if name is None else DISCS_BY_NAME[name] for name in special]
    try:
        return check_gold(discs, position.factories, position.seats)
    except InvalidDeal as error:
        raise Wrong("special", "special", special, expected, error.rule) from error


def _check_end(position: AzulPosition, game: dict[str, Any], *, stopped: bool) -> None:
    over = position.actor == OVER and not stopped
    unfinished = game.get("unfinished", False)
    if not isinstance(unfinished, bool):
        raise Wrong("unfinished", "type", unfinished, "true, false or absent")
    if unfinished:
        if over:
            raise Wrong("unfinished", "over", unfinished, "the game is over", "A10, A14")
        for name in RESULTS:
            if name in game:
                raise Wrong(name, "unfinished", game[name], ABSENT)
        return
    outcome = position.outcome()
    if outcome is None:
        raise Wrong(f"rounds[{len(game['rounds'])}]", "missing", ABSENT, "another round", "A10")
    rows = [board.complete_rows() for board in position.boards]
    check_numbers("final_scores", game["final_scores"], list(outcome.scores), "score", "1.6.2")
    check_numbers("complete_rows", game["complete_rows"], rows, "complete_rows", "1.6.1")
    winners = game["winners"]
    # The order in which winners are named has no meaning.
    named = sorted(winners) if all(is_int(seat) for seat in winners) else winners
    check_numbers("winners", named, list(outcome.winners), "winners", "A11")


class _Round:
    """One claimed round against the position that is about to play it."""

    def __init__(self, position: AzulPosition, claims: dict[str, Any], place: str) -> None:
        self.position = position
        self.claims = claims
        self.place = place
        # Whether the line breaks off here: only the last round of an unfinished game has
        # the right shape without its scores.
        self.stops = "scores_after" not in claims
        # A colored wall leaves nothing to choose; a field of that name is then unknown.
        self.tiling = claims.get("tiling", []) if position.variant.layout is None else []

    def deal(self, gold: tuple[int, ...] | None) -> None:
        """Check starter, factories and extra tile, in that order, and deal them."""
        position = self.position
        starter = self.claims.get("starter", ABSENT)
        must_start = position.next_starter()
        if not is_index(starter, position.seats):
            expected = f"a player from 0 to {position.seats - 1}"
            raise Wrong(f"{self.place}.starter", "starter", starter, expected, "1.2.5")
        if must_start not in (NOBODY, starter):
            raise Wrong(f"{self.place}.starter", "starter", starter, must_start, "1.5.1")
        factories = self.claims["factories"]
        extra = self.claims.get("extra", ABSENT)
        deal = RoundDeal(
            tuple(self._read_factory(tiles) for tiles in factories),
            COLOR_NAMES.index(extra) if extra in COLOR_NAMES else None,
            starter,
            gold,
        )
        try:
            position.deal(deal)
        except InvalidDeal as error:
            claimed = self.claims.get(error.part, ABSENT)
            where = f"{self.place}.{error.part}"
            raise Wrong(where, "deal", claimed, error.expected, error.rule) from error
        required = PLUS_ONE in position.gold or "extra" in self.claims
        if deal.extra is None and extra is not None and required:
            # Nothing can be drawn, or there is no plus-one factory: only null says so.
            raise Wrong(f"{self.place}.extra", "deal", extra, None, "2.3.1, C3")

    def _read_factory(self, tiles: object) -> int:
        well_formed = (
            isinstance(tiles, list)
            and len(tiles) <= TILES_PER_FACTORY
            and all(color in COLOR_NAMES for color in tiles)
        )
        if not well_formed:
            expected = f"at most {TILES_PER_FACTORY} of {', '.join(COLOR_NAMES)}"
            raise Wrong(f"{self.place}.factories", "deal", tiles, expected, "1.2.3")
        assert isinstance(tiles, list)
        return tally.of_colors(COLOR_NAMES.index(color) for color in tiles)

    def play(self) -> bool:
        """Check moves, tiling and scores; return False if the line breaks off in between."""
        position = self.position
        moves = self.claims.get("moves", [])
        boards: list[Board] = []
        for index, claims in enumerate(moves):
            place = f"{self.place}.moves[{index}]"
            if position.on_offer == 0:
                raise Wrong(place, "surplus", claims, "no tile is left on offer", "A5")
            take = self._check_move(place, claims)
            boards = self._boards_after(take)
            position.play(take)
        if position.on_offer:
            if self.stops and not self.tiling:
                return False
            place = f"{self.place}.moves[{len(moves)}]"
            raise Wrong(place, "missing", ABSENT, "tiles are left on offer", "A5")
        if boards and not self._tile(boards):
            return False
        if self.stops:
            # The line ends with its last decision: what that decided is not claimed.
            return False
        scores = list(position.scores)
        place = f"{self.place}.scores_after"
        check_numbers(place, self.claims["scores_after"], scores, "score", "1.4")
        return True

    # Moves -----------------------------------------------------------------------------

    def _check_move(self, place: str, claims: object) -> Take:
        position = self.position
        if not isinstance(claims, dict):
            raise Wrong(place, "type", claims, "an object")
        player = claims.get("player", ABSENT)
        if not is_int(player) or player != position.actor:
            raise Wrong(place, "player", player, position.actor, "1.3.1")
        if "legal_count" in claims or "legal" in claims:
            self._check_legal(place, claims)
        take = self._read_move(place, claims)
        try:
            position.check(take)
        except IllegalMove as error:
            raise Wrong(place, "illegal", _move_fields(claims), str(error), error.rule) from error
        return take

    def _check_legal(self, place: str, claims: dict[str, Any]) -> None:
        legal = [_legal_entry(take) for take in self.position.legal_moves()]
        if "legal_count" in claims:
            count = claims["legal_count"]
            if not is_int(count) or count != len(legal):
                raise Wrong(place, "legal_count", count, len(legal), "1.3")
        if "legal" in claims:
            listed = claims["legal"]
            if not isinstance(listed, list):
                raise Wrong(place, "legal", listed, "a list", "1.3")
            for claimed, expected in zip(listed, legal, strict=False):
                if claimed != expected or not _has_no_bool(claimed):
                    raise Wrong(place, "legal", claimed, expected, "1.3")
            if len(listed) != len(legal):
                raise Wrong(place, "legal", f"{len(listed)} moves", f"{len(legal)} moves", "1.3")

    def _read_move(self, place: str, claims: dict[str, Any]) -> Take:
        source = claims.get("source", ABSENT)
        color = claims.get("color", ABSENT)
        line = claims.get("line", ABSENT)
        if source == "center":
            source = CENTER
        elif not is_index(source, self.position.factories):
            raise Wrong(place, "move", source, "a factory or 'center'", "1.3")
        if color not in COLOR_NAMES:
            raise Wrong(place, "move", color, list(COLOR_NAMES), "1.3")
        if line == "floor":
            line = FLOOR
        elif not is_index(line, ROWS):
            raise Wrong(place, "move", line, "0 to 4 or 'floor'", "1.3")
        left = _read_side(place, claims, "left")
        right = _read_side(place, claims, "right")
        return Take(source, COLOR_NAMES.index(color), line, left, right)

    # Tiling ----------------------------------------------------------------------------

    def _boards_after(self, take: Take) -> list[Board]:
        """Return the boards as the take leaves them, before the position tiles any of them.

        Only pattern lines and walls are right in them; tiling looks at nothing else.
        """
        position = self.position
        if position.variant.layout is not None:
            return []
        taken = tally.count(position.sources[take.source], take.color)
        if taken < position.on_offer:
            return []
        boards = [board.copy() for board in position.boards]
        if take.line != FLOOR:
            boards[position.actor].add_to_line(take.line, take.color, taken)
        return boards

    def _tile(self, boards: list[Board]) -> bool:
        """Check the columns in the order of the format: players ascending, rows from the top."""
        entries = self.tiling
        at = 0
        columns = {}
        for player, board in enumerate(boards):
            for row in range(ROWS):
                color = board.full_line_color(row)
                if color is None:
                    continue
                place = f"{self.place}.tiling[{at}]"
                if at == len(entries):
                    if self.stops:
                        return False
                    expected = {"player": player, "row": row}
                    raise Wrong(place, "missing", ABSENT, expected, "1.7.1")
                column = _check_place(place, entries[at], player, row, board)
                at += 1
                if column is not None:
                    board.place(row, column, color)
                    columns[player, row] = column
        if at < len(entries):
            place = f"{self.place}.tiling[{at}]"
            raise Wrong(place, "surplus", entries[at], "no full line is left", "1.7.1")
        position = self.position
        while position.actor >= 0:
            row, _ = position.tiling_choice()
            position.play(Place(row, columns[position.actor, row]))
        return True


def _check_place(place: str, entry: object, player: int, row: int, board: Board) -> int | None:
    """Return the column of a claimed placement, None for the floor line."""
    if not isinstance(entry, dict):
        raise Wrong(place, "type", entry, "an object")
    for name, expected in (("player", player), ("row", row)):
        value = entry.get(name, ABSENT)
        if not is_int(value) or value != expected:
            raise Wrong(place, "tiling", {name: value}, {name: expected}, "1.7.2")
    color = board.full_line_color(row)
    assert color is not None
    columns = board.free_columns(row, color)
    column = entry.get("column", ABSENT)
    if not columns:
        if column != "floor":
            raise Wrong(place, "tiling", {"column": column}, {"column": "floor"}, "V4")
        return None
    if not is_int(column) or column not in columns:
        # V1: the floor is no choice while a column is left.
        expected_column = {"column": list(columns)}
        raise Wrong(place, "tiling", {"column": column}, expected_column, "1.7.1, V1")
    assert isinstance(column, int)
    return column


def _read_side(place: str, claims: dict[str, Any], name: str) -> int:
    colors = claims.get(name, [])
    if not isinstance(colors, list):
        raise Wrong(place, "move", {name: colors}, "a list of colors", "2.3.4")
    side = 0
    for color in colors:
        if color not in COLOR_NAMES:
            raise Wrong(place, "move", {name: colors}, list(COLOR_NAMES), "2.3.4")
        bit = 1 << COLOR_NAMES.index(color)
        if side & bit:
            raise Wrong(place, "move", {name: colors}, "each color once", "2.3.4")
        side |= bit
    return side


def _legal_entry(move: object) -> list[Any]:
    """Return a legal move as the format lists it."""
    assert isinstance(move, Take)
    source = "center" if move.source == CENTER else move.source
    line = "floor" if move.line == FLOOR else move.line
    entry: list[Any] = [source, COLOR_NAMES[move.color], line]
    if move.left | move.right:
        entry += [_names(move.left), _names(move.right)]
    return entry


def _names(colors: int) -> list[str]:
    return [name for color, name in enumerate(COLOR_NAMES) if colors >> color & 1]


def _has_no_bool(entry: list[Any]) -> bool:
    return all(is_int(value) or isinstance(value, (str, list)) for value in entry)


def _move_fields(claims: dict[str, Any]) -> dict[str, Any]:
    names = ("source", "color", "line", "left", "right")
    return {name: claims[name] for name in names if name in claims}
