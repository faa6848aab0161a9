"""Re-plays a game of Azul Duel that was played elsewhere.

The claims are compared in the order in which docs/check.md lists them, and the first one
that cannot be true ends the re-play. A record names every plate and chip from the start, so
what comes to light on our table is made from it.
"""

from typing import Any

from referee.rules import tally
from referee.rules.chance import Purpose
from referee.rules.duel.components import (
    COLOR_NAMES,
    FACE_NAMES,
    GOAL_NAMES,
    PLATE_COUNT,
    ROUNDS,
    SEATS,
    SMALL_FACTORIES,
    TILES_ON_LARGE,
    TILES_PER_SMALL,
)
from referee.rules.duel.deal import MAX_REDRAWS, RoundDeal
from referee.rules.duel.dealing import draw_display
from referee.rules.duel.phases import BETWEEN, OPENING, PLACING, SPENDING
from referee.rules.duel.position import DuelPosition
from referee.rules.duel.ruleset import DuelRuleset
from referee.rules.errors import InvalidDeal, InvalidSetup
from referee.rules.interface import OVER, Options
from referee.transcript.elsewhere.duel_tiling import Tiling
from referee.transcript.elsewhere.duel_turns import Turns, check_opening
from referee.transcript.elsewhere.finding import ABSENT, Wrong
from referee.transcript.elsewhere.shape import (
    is_unfinished,
    require_list,
    require_object,
    require_results,
    require_rounds,
)
from referee.transcript.elsewhere.values import check_numbers, is_index, is_int

RESULTS = ("final_scores", "winners")
DEAL_LISTS = ("large", "small", "chips")


class PlateOrder:
    """The recorded order of the plates, in the shape of a `Chance` with one `Stream`."""

    def __init__(self, plates: list[int]) -> None:
        self._plates = plates

    def stream(self, purpose: Purpose) -> "PlateOrder":  # noqa: ARG002  only plates are drawn
        """Return itself: nothing but plates is left to chance in a record."""
        return self

    def descend(self, n: int, k: int) -> list[int]:  # noqa: ARG002  one plate at a time
        """Return where the next plate stands among those left, which are listed by id."""
        plate = self._plates[-n]
        return [sorted(self._plates[-n:]).index(plate)]

    def uniform(self, n: int) -> int:
        """Return the same for a single number."""
        return self.descend(n, 1)[0]


def check(ruleset: DuelRuleset, game: dict[str, Any]) -> None:
    """Raise `Wrong` at the first thing that cannot be true."""
    _require_shape(game)
    players = game.get("players", ABSENT)
    if not is_int(players) or players != SEATS:
        raise Wrong("players", "players", players, SEATS)
    position = ruleset.initial(SEATS, Options(goals=_read_goals(ruleset, game)))
    plates = game["plates"]
    if not all(is_int(plate) for plate in plates) or sorted(plates) != list(range(PLATE_COUNT)):
        raise Wrong(
            "plates", "plates", plates, f"the ids 0 to {PLATE_COUNT - 1}, each once", "3.2.2"
        )
    order = PlateOrder(plates)
    stopped = False
    for index, claims in enumerate(game["rounds"]):
        if position.actor == OVER:
            raise Wrong(f"rounds[{index}]", "surplus", "a round", "the game is over", "3.7.1")
        opening = game["opening"] if index == 0 else []
        stopped = not _Round(position, order, claims, f"rounds[{index}]").check(opening)
    _check_end(position, game, stopped=stopped)


def _require_shape(game: dict[str, Any]) -> None:
    for name in ("goals", "plates", "opening"):
        require_list(game, name, name)
    require_rounds(game, DEAL_LISTS, ("moves", "tiling", "scores_after"), ("redraws",))
    if not is_unfinished(game):
        require_object(game, "goal_points", "goal_points")
    require_results(game, RESULTS)


def _read_goals(ruleset: DuelRuleset, game: dict[str, Any]) -> tuple[str, ...]:
    goals = game["goals"]
    named = tuple(goals) if all(goal in GOAL_NAMES for goal in goals) else ()
    try:
        ruleset.check_options(Options(goals=named), SEATS)
    except InvalidSetup as error:
        raise Wrong("goals", "goals", goals, str(error), "3.2.4") from error
    return named


def _check_end(position: DuelPosition, game: dict[str, Any], *, stopped: bool) -> None:
    over = position.actor == OVER and not stopped
    unfinished = game.get("unfinished", False)
    if not isinstance(unfinished, bool):
        raise Wrong("unfinished", "type", unfinished, "true, false or absent")
    if not game["rounds"] and game["opening"]:
        # A plate is chosen only after the deal, which also names the starter.
        raise Wrong("rounds[0]", "missing", ABSENT, "a round", "3.3.4")
    if unfinished:
        if over:
            raise Wrong("unfinished", "over", unfinished, "the game is over", "3.7.1")
        for name in ("goal_points", *RESULTS):
            if name in game:
                raise Wrong(name, "unfinished", game[name], ABSENT)
        return
    outcome = position.outcome()
    if outcome is None:
        raise Wrong(f"rounds[{position.round}]", "missing", ABSENT, f"{ROUNDS} rounds", "3.7.1")
    _check_goal_points(game["goal_points"], outcome.bonuses)
    check_numbers("final_scores", game["final_scores"], list(outcome.scores), "score", "3.7.2")
    check_numbers("winners", game["winners"], list(outcome.winners), "winners", "3.7.3")


def _check_goal_points(claimed: dict[str, Any], bonuses: tuple[tuple[Any, ...], ...]) -> None:
    expected = {
        first.name: [first.points, second.points] for first, second in zip(*bonuses, strict=True)
    }
    for name, points in expected.items():
        numbers = claimed.get(name, ABSENT)
        if numbers != points or not all(is_int(value) for value in numbers):
            raise Wrong("goal_points", "goals", {name: numbers}, {name: points}, "3.7.2")
    surplus = [name for name in GOAL_NAMES if name in claimed and name not in expected]
    if surplus:
        raise Wrong("goal_points", "goals", surplus, sorted(expected), "3.7.2")


class _Round:
    """One claimed round against the position that is about to play it."""

    def __init__(
        self, position: DuelPosition, order: PlateOrder, claims: dict[str, Any], place: str
    ) -> None:
        self.position = position
        self.order = order
        self.claims = claims
        self.place = place
        # Whether the line breaks off here: only the last round of an unfinished game has
        # the right shape without its scores.
        self.stops = "scores_after" not in claims

    def check(self, opening: list[Any]) -> bool:
        """Check deal, decisions and scores; return False if the line breaks off in between."""
        position = self.position
        self._deal()
        moves = self.claims.get("moves", [])
        tiling = self.claims.get("tiling", [])
        check_opening(position, self.order, opening)
        if position.phase == OPENING:
            if self.stops and not moves and not tiling:
                return False
            place = f"opening[{len(opening)}]"
            raise Wrong(place, "missing", ABSENT, f"seat {position.mover}'s plate", "3.3.4")
        turns = Turns(position, self.order, self.place)
        for index, claims in enumerate(moves):
            turns.check(f"{self.place}.moves[{index}]", claims)
        if turns.boards is None:
            if self.stops and not tiling:
                return False
            place = f"{self.place}.moves[{len(moves)}]"
            raise Wrong(place, "missing", ABSENT, "the phase is not over", "3.4.9")
        if not Tiling(turns.boards, f"{self.place}.tiling", tiling).check(position, self.stops):
            return False
        assert position.phase not in (SPENDING, PLACING)
        if self.stops:
            # The line ends with its last decision: what that decided is not claimed.
            return False
        scores = list(position.scores)
        place = f"{self.place}.scores_after"
        check_numbers(place, self.claims["scores_after"], scores, "score", "3.5")
        return True

    def _deal(self) -> None:
        """Check starter, redraws, tiles and chips, in that order, and deal them."""
        position = self.position
        assert position.phase == BETWEEN
        starter = self.claims.get("starter", ABSENT)
        if not is_index(starter, SEATS):
            raise Wrong(f"{self.place}.starter", "starter", starter, "0 or 1", "3.3.5")
        must_start = position.next_starter()
        if must_start >= 0 and starter != must_start:
            raise Wrong(f"{self.place}.starter", "starter", starter, must_start, "3.6.4")
        display, top = draw_display(position, self.order)
        redraws = self._colors("redraws", self.claims.get("redraws", []), MAX_REDRAWS)
        # Whatever is wrong is reported at the first of these parts, so a part that cannot be
        # read at all must not hide a wrong one before it.
        unread: Wrong | None = None
        large = 0
        small: tuple[int, ...] = (0,) * SMALL_FACTORIES
        chips: tuple[int, ...] = (0,) * SMALL_FACTORIES
        try:
            large = tally.of_colors(self._colors("large", self.claims["large"], TILES_ON_LARGE))
            small = tuple(
                tally.of_colors(self._colors("small", tiles, TILES_PER_SMALL))
                for tiles in self._four("small")
            )
            chips = self._faces()
        except Wrong as wrong:
            unread = wrong
        deal = RoundDeal(
            large,
            small,
            chips,
            display=tuple(display),
            top=top,
            redraws=tuple(redraws),
            starter=starter,
        )
        try:
            position.copy().deal(deal)
        except InvalidDeal as error:
            where = f"{self.place}.{error.part}"
            if unread is None or _comes_before(error.part, unread.finding.place):
                claimed = self.claims.get(error.part, ABSENT)
                raise Wrong(where, "deal", claimed, error.expected, error.rule) from error
        if unread is not None:
            raise unread
        position.deal(deal)

    def _colors(self, part: str, colors: object, most: int) -> list[int]:
        well_formed = (
            isinstance(colors, list)
            and len(colors) <= most
            and all(color in COLOR_NAMES for color in colors)
        )
        if not well_formed:
            expected = f"at most {most} of {', '.join(COLOR_NAMES)}"
            raise Wrong(f"{self.place}.{part}", "deal", colors, expected, "3.3.2")
        assert isinstance(colors, list)
        return [COLOR_NAMES.index(color) for color in colors]

    def _four(self, part: str) -> list[Any]:
        values: list[Any] = self.claims[part]
        if len(values) != SMALL_FACTORIES:
            expected = f"one for each of {SMALL_FACTORIES} small factories"
            raise Wrong(f"{self.place}.{part}", "deal", values, expected, "3.3.2")
        return values

    def _faces(self) -> tuple[int, ...]:
        faces = self._four("chips")
        if not all(face in FACE_NAMES for face in faces):
            raise Wrong(f"{self.place}.chips", "deal", faces, list(FACE_NAMES), "3.2.3")
        return tuple(FACE_NAMES.index(face) for face in faces)


_PARTS = ("starter", "redraws", "large", "small", "chips")


def _comes_before(part: str, place: str | None) -> bool:
    """Return whether a part of a deal is checked before the one that a place names."""
    assert place is not None
    return _PARTS.index(part) < _PARTS.index(place.rpartition(".")[2])
