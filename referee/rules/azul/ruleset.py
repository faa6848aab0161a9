"""The four rulesets of this family, each a variant with a name."""

# Not compiled: it is asked once a game, and wrong types must meet our own errors.

from referee.rules.azul import notation
from referee.rules.azul.components import (
    DEFAULT_ROUND_CAP,
    MAX_ROUND_CAP,
    MAX_SEATS,
    MIN_SEATS,
    NOBODY,
    WALL_COLUMNS,
)
from referee.rules.azul.deal import RoundDeal
from referee.rules.azul.position import AzulPosition, new_table
from referee.rules.azul.position_text import parse_position
from referee.rules.azul.variant import Variant
from referee.rules.errors import InvalidSetup, shown
from referee.rules.interface import Move, Options, Ruleset, is_int


class AzulRuleset(Ruleset):
    """A variant of Azul for two to four players."""

    def __init__(self, variant: Variant, title: str) -> None:
        self.variant = variant
        self.key = variant.key
        self.revision = variant.revision
        self.title = title
        self.min_seats = MIN_SEATS
        self.max_seats = MAX_SEATS
        self.options = ("round_cap",)

    def initial(self, seats: int, options: Options | None = None) -> AzulPosition:
        """Return the table before the first deal."""
        self.check_seats(seats)
        if options is None:
            return new_table(self.variant, seats, DEFAULT_ROUND_CAP, NOBODY)
        self.check_options(options, seats)
        starter = NOBODY if options.first_player is None else options.first_player
        return new_table(self.variant, seats, read_cap(options.round_cap), starter)

    def check_options(self, options: Options, seats: int) -> None:
        """Raise `InvalidSetup` unless a game of that many seats can use the options."""
        super().check_options(options, seats)
        read_cap(options.round_cap)

    def parse_position(self, text: str) -> AzulPosition:
        """Read a position from its notation."""
        return parse_position(self.variant, text)

    def parse_move(self, text: str) -> Move:
        """Read a move from its notation."""
        return notation.parse_move(text)

    def parse_deal(self, text: str) -> RoundDeal:
        """Read a deal from its notation."""
        return notation.parse_deal(text)


def read_cap(cap: int | None) -> int:
    """Return the round cap that an option asks for (A16)."""
    if cap is None:
        return DEFAULT_ROUND_CAP
    if not is_int(cap) or not 1 <= cap <= MAX_ROUND_CAP:
        raise InvalidSetup(f"a round cap is 1 to {MAX_ROUND_CAP}, not {shown(cap)}")
    return cap


AZUL = AzulRuleset(Variant("azul", 1, WALL_COLUMNS, special=False), "Azul, colored wall")
AZUL_GRAY = AzulRuleset(Variant("azul-gray", 1, None, special=False), "Azul, gray wall")
CHOCOLATIER = AzulRuleset(
    Variant("chocolatier", 1, WALL_COLUMNS, special=True),
    "Azul Master Chocolatier, colored box, special factories",
)
CHOCOLATIER_GRAY = AzulRuleset(
    Variant("chocolatier-gray", 1, None, special=True),
    "Azul Master Chocolatier, brown box, special factories",
)
AZUL_RULESETS = (AZUL, AZUL_GRAY, CHOCOLATIER, CHOCOLATIER_GRAY)
