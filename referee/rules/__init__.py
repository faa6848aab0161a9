"""The rules of each game, and nothing else: no clock, no file, no socket, no randomness.

Bots import this package for search; it needs nothing but the standard library.
"""

from referee.rules.chance import Chance, Purpose, Stream, pick
from referee.rules.errors import (
    DealNotPinned,
    Illegal,
    IllegalMove,
    InvalidDeal,
    InvalidPosition,
    InvalidSetup,
    MalformedMove,
    NotationError,
    PerftError,
    PinnedDealRefused,
    RefereeError,
    RulesError,
    UnknownRevision,
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
from referee.rules.registry import RULESETS, get_ruleset, parse_position

__all__ = [
    "CHANCE",
    "OVER",
    "RULESETS",
    "Bonus",
    "Chance",
    "Deal",
    "DealNotPinned",
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
    "PerftError",
    "PinnedDealRefused",
    "Position",
    "Purpose",
    "RefereeError",
    "RulesError",
    "Ruleset",
    "Stream",
    "Termination",
    "UnknownRevision",
    "UnknownRuleset",
    "UnknownSeat",
    "WrongMoment",
    "get_ruleset",
    "parse_position",
    "pick",
]
