"""Every ruleset the referee knows. A new one gets its own folder and a line here."""

# Not compiled: it is asked once a game, and wrong types must meet our own errors.

from referee.rules.azul.ruleset import AZUL_RULESETS
from referee.rules.duel.ruleset import DUEL
from referee.rules.errors import NotationError, UnknownRevision, UnknownRuleset, shown
from referee.rules.interface import Position, Ruleset

RULESETS: dict[str, Ruleset] = {ruleset.key: ruleset for ruleset in (*AZUL_RULESETS, DUEL)}


def get_ruleset(key: str) -> Ruleset:
    """Return the ruleset of that key, or raise `UnknownRuleset`."""
    ruleset = RULESETS.get(key) if isinstance(key, str) else None
    if ruleset is None:
        raise UnknownRuleset(key, tuple(RULESETS))
    return ruleset


def parse_position(text: str) -> Position:
    """Read a position of any ruleset: its first word names key and revision."""
    if not isinstance(text, str):
        raise NotationError(f"notation is text, not {type(text).__name__}")
    head = text.partition(" ")[0]
    key, slash, revision = head.partition("/")
    if not slash:
        raise NotationError(f"a position begins with key/revision, not {shown(head)}")
    ruleset = get_ruleset(key)
    if revision != str(ruleset.revision):
        raise UnknownRevision(key, revision, ruleset.revision)
    return ruleset.parse_position(text)
