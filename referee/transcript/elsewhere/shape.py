"""Tells whether some JSON is a game of the format at all.

Only the containers are looked at: whether the lists and objects that hold a game
together are there. A single wrong value inside them is no matter of shape but a finding
of the re-play.
"""

from typing import Any

from referee.transcript.elsewhere.finding import ABSENT, Wrong

FORMAT = "azul-game/1"


def require_game(game: object) -> dict[str, Any]:
    """Return the game if it is an object of this format, else raise `Wrong` with "format"."""
    if not isinstance(game, dict):
        raise Wrong(None, "format", type(game).__name__, "an object")
    if game.get("format") != FORMAT:
        raise Wrong("format", "format", game.get("format", ABSENT), FORMAT)
    return game


def require_list(holder: dict[str, Any], name: str, place: str) -> list[Any]:
    """Return a list that must be there."""
    value = holder.get(name, ABSENT)
    if not isinstance(value, list):
        raise Wrong(place, "format", value, "a list")
    return value


def require_object(holder: dict[str, Any], name: str, place: str) -> dict[str, Any]:
    """Return an object that must be there."""
    value = holder.get(name, ABSENT)
    if not isinstance(value, dict):
        raise Wrong(place, "format", value, "an object")
    return value


def require_rounds(
    game: dict[str, Any],
    deal: tuple[str, ...],
    play: tuple[str, ...],
    optional: tuple[str, ...] = (),
) -> None:
    """Require the rounds and the lists of each.

    ``deal`` names the lists that every round has, ``play`` those that the last round of an
    unfinished game may lack, ``optional`` those that are lists wherever they are there.
    """
    unfinished = is_unfinished(game)
    rounds = require_list(game, "rounds", "rounds")
    for index, claims in enumerate(rounds):
        place = f"rounds[{index}]"
        if not isinstance(claims, dict):
            raise Wrong(place, "format", claims, "an object")
        may_lack = (*optional, *play) if unfinished and index == len(rounds) - 1 else optional
        for name in (*optional, *deal, *play):
            if name in claims or name not in may_lack:
                require_list(claims, name, f"{place}.{name}")


def require_results(game: dict[str, Any], names: tuple[str, ...]) -> None:
    """Require the lists that only a finished game has."""
    if not is_unfinished(game):
        for name in names:
            require_list(game, name, name)


def is_unfinished(game: dict[str, Any]) -> bool:
    """Return whether the game says that it stops before its end."""
    return game.get("unfinished") is True
