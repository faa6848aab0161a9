"""Everything the rules library raises.

    RefereeError
    └── RulesError
        ├── UnknownRuleset     no ruleset has that key
        ├── UnknownRevision    the ruleset has another revision
        ├── InvalidSetup       seats or options a ruleset cannot start with
        ├── UnknownSeat        the table has no such seat
        ├── MalformedMove      not a move of this game at all, in any position
        ├── IllegalMove        a move of this game that the rules forbid now
        ├── InvalidDeal        a deal that this bag and lid cannot produce
        ├── WrongMoment        a call that does not fit what happens next
        ├── NotationError      a text that is not in the grammar
        ├── InvalidPosition    a text in the grammar that no table can show
        └── PerftError         a count of move sequences that cannot be made
            ├── DealNotPinned      a sequence needs a deal that was not given
            └── PinnedDealRefused  a given deal does not fit a sequence

An error carries what a program needs in attributes and reads well as a sentence.
Nothing here derives from ``ValueError``: a caller that catches one of Python's
own errors has found a bug of ours, never a verdict.
"""

# Not compiled: errors are rare, and only ordinary classes pickle and show as errors should.

from enum import Enum
from typing import Any

MAX_SHOWN = 60


def shown(value: object) -> str:
    """Return a value as a message can show it: short, whatever it is."""
    try:
        text = repr(value)
    except Exception:  # noqa: BLE001  an int of thousands of digits, or a broken __repr__
        text = f"a {type(value).__name__} that cannot be shown"
    return text if len(text) <= MAX_SHOWN else text[: MAX_SHOWN - 3] + "..."


class RefereeError(Exception):
    """The root of every error this project raises on purpose."""


class RulesError(RefereeError):
    """The root of the errors of the rules library."""


class UnknownRuleset(RulesError):
    """No ruleset has that key."""

    def __init__(self, key: str, known: tuple[str, ...]) -> None:
        self.key = key
        self.known = known
        super().__init__(f"no ruleset is called {shown(key)}; there are {', '.join(known)}")

    def __reduce__(self) -> tuple[Any, ...]:
        return UnknownRuleset, (self.key, self.known)


class UnknownRevision(RulesError):
    """The ruleset is known, but not in that revision."""

    def __init__(self, key: str, revision: str, known: int) -> None:
        self.key = key
        self.revision = revision
        self.known = known
        super().__init__(f"{key} is known in revision {known}, not {shown(revision)}")

    def __reduce__(self) -> tuple[Any, ...]:
        return UnknownRevision, (self.key, self.revision, self.known)


class InvalidSetup(RulesError):
    """Seats or options that the ruleset cannot start a game with."""


class UnknownSeat(RulesError):
    """The table has no such seat."""


class MalformedMove(RulesError):
    """Something that is not a move of this game in any position."""


class Illegal(Enum):
    """Why a well-formed move is refused; the value is the word used on the wire."""

    GAME_OVER = "game_over"
    AWAITING_DEAL = "awaiting_deal"
    WRONG_KIND = "wrong_kind"
    NO_SUCH_FACTORY = "no_such_factory"
    COLOR_ABSENT = "color_absent"
    LINE_FULL = "line_full"
    LINE_HOLDS_OTHER_COLOR = "line_holds_other_color"
    WALL_ROW_HAS_COLOR = "wall_row_has_color"
    SPLIT_MISSING = "split_missing"
    SPLIT_WRONG = "split_wrong"
    SPLIT_NOT_ALLOWED = "split_not_allowed"
    WRONG_ROW = "wrong_row"
    CELL_OCCUPIED = "cell_occupied"
    COLUMN_HAS_COLOR = "column_has_color"
    STACK_WRONG = "stack_wrong"
    STACK_NOT_ALLOWED = "stack_not_allowed"
    NO_CHIP = "no_chip"
    CHIP_COVERED = "chip_covered"
    CHIP_LIMIT = "chip_limit"
    NO_TOKEN = "no_token"  # noqa: S105  a piece of the game
    PLATE_ABSENT = "plate_absent"
    SLOT_TAKEN = "slot_taken"
    STACK_EMPTY = "stack_empty"
    NO_POINT = "no_point"
    NOT_DRAWN = "not_drawn"
    CHIPS_ABSENT = "chips_absent"
    CHIPS_WRONG = "chips_wrong"
    CELL_OF_OTHER_COLOR = "cell_of_other_color"


class IllegalMove(RulesError):
    """A move of this game that the rules forbid in this position.

    ``rule`` names the clause or ruling of docs/rules that forbids it.
    """

    def __init__(self, reason: Illegal, message: str, rule: str) -> None:
        self.reason = reason
        self.message = message
        self.rule = rule
        super().__init__(f"{message} ({rule})")

    def __reduce__(self) -> tuple[Any, ...]:
        return IllegalMove, (self.reason, self.message, self.rule)


class InvalidDeal(RulesError):
    """A deal that cannot come from this bag and lid, or lacks what the round needs.

    ``part`` is the part of the deal that is wrong, ``expected`` what would be right.
    """

    def __init__(self, part: str, message: str, expected: str, rule: str) -> None:
        self.part = part
        self.message = message
        self.expected = expected
        self.rule = rule
        super().__init__(f"{part}: {message}; expected {expected} ({rule})")

    def __reduce__(self) -> tuple[Any, ...]:
        return InvalidDeal, (self.part, self.message, self.expected, self.rule)


class WrongMoment(RulesError):
    """A call that does not fit what must happen next, such as a draw in mid-round."""


class NotationError(RulesError):
    """A text that is not in the grammar of docs/notation.md."""


class InvalidPosition(RulesError):
    """A text in the grammar that describes a table no game can reach."""


class PerftError(RulesError):
    """A count of move sequences that cannot be made."""


def _after(moves: tuple[str, ...]) -> str:
    return f"after {' '.join(moves)}" if moves else "before the first move"


class DealNotPinned(PerftError):
    """A sequence of moves that perft follows needs a deal that was not given.

    ``number`` is the place of the deal along the sequence, from 1; ``moves`` led to it.
    """

    def __init__(self, number: int, moves: tuple[str, ...]) -> None:
        self.number = number
        self.moves = moves
        super().__init__(f"deal {number} is due {_after(moves)}, and it is not pinned")

    def __reduce__(self) -> tuple[Any, ...]:
        return DealNotPinned, (self.number, self.moves)


class PinnedDealRefused(PerftError):
    """A given deal does not fit the table that a sequence of moves leads to.

    ``number`` and ``moves`` are as in `DealNotPinned`, ``problem`` says what does not fit.
    """

    def __init__(self, number: int, moves: tuple[str, ...], problem: str) -> None:
        self.number = number
        self.moves = moves
        self.problem = problem
        super().__init__(f"pinned deal {number} does not fit {_after(moves)}: {problem}")

    def __reduce__(self) -> tuple[Any, ...]:
        return PinnedDealRefused, (self.number, self.moves, self.problem)
