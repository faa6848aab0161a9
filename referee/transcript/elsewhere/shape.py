"""Tells whether some JSON is a game of the format at all.

Only the containers are looked at: whether the lists and objects that hold a game
together are there. A single wrong value inside them is no matter of shape but a finding
of the re-play.
"""

from typing import Any

from referee.rules.registry import RULESETS
from referee.transcript.elsewhere.finding import ABSENT, Wrong

FORMAT = "azul-game/1"
RESULTS = ("final_scores", "complete_rows", "winners")


def require_shape(game: object) -> dict[str, Any]:
    """Return the game if it has the shape of one, else raise `Wrong` with "format"."""
    if not isinstance(game, dict):
        raise Wrong(None, "format", type(game).__name__, "an object")
    if game.get("format") != FORMAT:
        raise Wrong("format", "format", game.get("format", ABSENT), FORMAT)
    key = game.get("ruleset")
    if not isinstance(key, str) or key not in RULESETS:
        raise Wrong("ruleset", "format", game.get("ruleset", ABSENT), sorted(RULESETS))
    if key.startswith("chocolatier"):
        _require_list(game, "special", "special")
    unfinished = game.get("unfinished") is True
    rounds = _require_list(game, "rounds", "rounds")
    for index, item in enumerate(rounds):
        may_stop = unfinished and index == len(rounds) - 1
        _require_round(item, f"rounds[{index}]", may_stop=may_stop, gray=key.endswith("-gray"))
    if not unfinished:
        for name in RESULTS:
            _require_list(game, name, name)
    return game


def _require_round(item: object, place: str, *, may_stop: bool, gray: bool) -> None:
    if not isinstance(item, dict):
        raise Wrong(place, "format", item, "an object")
    _require_list(item, "factories", f"{place}.factories")
    # An unfinished game may stop before any of these.
    for name in ("moves", "tiling", "scores_after") if gray else ("moves", "scores_after"):
        if name in item or not may_stop:
            _require_list(item, name, f"{place}.{name}")


def _require_list(holder: dict[str, Any], name: str, place: str) -> list[Any]:
    value = holder.get(name, ABSENT)
    if not isinstance(value, list):
        raise Wrong(place, "format", value, "a list")
    return value
