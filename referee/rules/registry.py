"""Every ruleset the referee knows. A new one gets its own folder and a line here."""

# Not compiled: it is asked once a game, and wrong types must meet our own errors.

from referee.rules.azul.ruleset import AZUL_RULESETS
from referee.rules.duel.ruleset import DUEL
from referee.rules.errors import UnknownRuleset
from referee.rules.interface import Ruleset

RULESETS: dict[str, Ruleset] = {ruleset.key: ruleset for ruleset in (*AZUL_RULESETS, DUEL)}


def get_ruleset(key: str) -> Ruleset:
    """Return the ruleset of that key, or raise `UnknownRuleset`."""
    ruleset = RULESETS.get(key) if isinstance(key, str) else None
    if ruleset is None:
        raise UnknownRuleset(key, tuple(RULESETS))
    return ruleset
