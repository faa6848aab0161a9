"""Every ruleset the referee knows. A new one gets its own folder and a line here."""

from referee.rules.azul.ruleset import AZUL, AZUL_GRAY, CHOCOLATIER, CHOCOLATIER_GRAY
from referee.rules.errors import UnknownRuleset
from referee.rules.interface import Ruleset

RULESETS: dict[str, Ruleset] = {
    ruleset.key: ruleset for ruleset in (AZUL, AZUL_GRAY, CHOCOLATIER, CHOCOLATIER_GRAY)
}


def get_ruleset(key: str) -> Ruleset:
    """Return the ruleset of that key, or raise `UnknownRuleset`."""
    try:
        return RULESETS[key]
    except KeyError:
        raise UnknownRuleset(key, tuple(RULESETS)) from None
