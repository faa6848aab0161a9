"""What is wrong with a game, and where."""

from dataclasses import dataclass
from typing import Any

from referee.rules.errors import RefereeError

# What stands for a value that is not there, in ``claimed`` and ``expected``.
ABSENT = "absent"


@dataclass(frozen=True)
class Finding:
    """The first thing in a game that cannot be true if all before it is.

    ``reason`` is one of the fixed words of docs/check.md; "format" means that the line is
    not a game. ``place`` is None only where none can be named. ``rule`` names the clause
    or ruling that is broken, where there is one.
    """

    place: str | None
    reason: str
    claimed: Any
    expected: Any
    rule: str | None = None

    @property
    def is_format(self) -> bool:
        """Whether the line is no game at all, rather than a game that cannot be."""
        return self.reason == "format"


class Wrong(RefereeError):
    """Ends the re-play of a game with a finding."""

    def __init__(
        self,
        place: str | None,
        reason: str,
        claimed: object,
        expected: object,
        rule: str | None = None,
    ) -> None:
        self.finding = Finding(place, reason, claimed, expected, rule)
        super().__init__(f"{place}: {reason}")
