"""Checks one line: whether it is a game, and whether that game can be true."""

import json
import math
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Any

from referee.rules.azul.ruleset import AZUL_RULESETS
from referee.rules.duel.ruleset import DUEL
from referee.transcript.elsewhere import azul, duel
from referee.transcript.elsewhere.finding import ABSENT, Finding, Wrong
from referee.transcript.elsewhere.lines import Line
from referee.transcript.elsewhere.shape import require_game

# How a game of each ruleset is re-played; each raises `Wrong` at the first wrong place.
CHECKS: dict[str, Callable[[dict[str, Any]], None]] = {
    **{rules.key: partial(azul.check, rules) for rules in AZUL_RULESETS},
    DUEL.key: partial(duel.check, DUEL),
}


@dataclass(frozen=True)
class LineReport:
    """The verdict on one line; ``finding`` is None when the game holds."""

    line: Line
    id: Any
    finding: Finding | None


def check_line(line: Line) -> LineReport:
    """Check the game that a line holds; nothing in the line makes this raise."""
    if line.problem is not None:
        return LineReport(line, None, _not_json(line.problem))
    try:
        text = line.content.decode("utf-8")
    except UnicodeDecodeError as error:
        return LineReport(line, None, _not_json(f"byte {error.start} is not UTF-8"))
    try:
        game = json.loads(
            text, parse_int=_read_int, parse_float=_read_float, parse_constant=_refuse_constant
        )
    except json.JSONDecodeError as error:
        message = f"not JSON: {error.msg} at character {error.colno}"
        return LineReport(line, None, _not_json(message))
    except RecursionError:
        return LineReport(line, None, _not_json("not JSON: it nests too deeply"))
    identity = game.get("id") if isinstance(game, dict) else None
    return LineReport(line, identity, check_game(game))


def check_game(game: object) -> Finding | None:
    """Return the first thing that cannot be true in a game, None if all of it holds."""
    try:
        claims = require_game(game)
        key = claims.get("ruleset", ABSENT)
        if not isinstance(key, str) or key not in CHECKS:
            raise Wrong("ruleset", "format", key, sorted(CHECKS))  # noqa: TRY301
        CHECKS[key](claims)
    except Wrong as wrong:
        return wrong.finding
    return None


def _not_json(problem: str) -> Finding:
    return Finding(None, "format", problem, "a line with one JSON object")


# Numbers that Python cannot hold or print stay what they are in the line: text, which no
# place of the format takes for a number.
MAX_DIGITS = 40


def _read_int(digits: str) -> int | str:
    return int(digits) if len(digits) <= MAX_DIGITS else digits[:MAX_DIGITS] + "..."


def _read_float(digits: str) -> float | str:
    value = float(digits)
    return value if math.isfinite(value) else digits[:MAX_DIGITS]


def _refuse_constant(name: str) -> None:
    raise json.JSONDecodeError(f"{name} is no number of JSON", name, 0)
