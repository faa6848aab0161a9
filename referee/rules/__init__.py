"""The rules of each game, and nothing else: no clock, no file, no socket, no randomness.

Bots import this package for search; it needs nothing but the standard library.
"""

from referee.rules.chance import Chance, Purpose, Stream, pick
from referee.rules.errors import (
    Illegal,
    IllegalMove,
    InvalidDeal,
    InvalidPosition,
    InvalidSetup,
    MalformedMove,
    NotationError,
    RefereeError,
    RulesError,
    UnknownRuleset,
    UnknownSeat,
    WrongMoment,
)
from referee.rules.interface import (
    CHANCE,
    OVER,
    Bonus,
    Deal,
    Move,
    Options,
    Outcome,
    Position,
    Ruleset,
    Termination,
)
from referee.rules.registry import RULESETS, get_ruleset

__all__ = [
    "CHANCE",
    "OVER",
    "RULESETS",
    "Bonus",
    "Chance",
    "Deal",
    "Illegal",
    "IllegalMove",
    "InvalidDeal",
    "InvalidPosition",
    "InvalidSetup",
    "MalformedMove",
    "Move",
    "NotationError",
    "Options",
    "Outcome",
    "Position",
    "Purpose",
    "RefereeError",
    "RulesError",
    "Ruleset",
    "Stream",
    "Termination",
    "UnknownRuleset",
    "UnknownSeat",
    "WrongMoment",
    "get_ruleset",
    "pick",
]
