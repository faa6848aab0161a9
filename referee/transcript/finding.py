"""What is wrong with a transcript, and where: the words that every report uses."""

from dataclasses import dataclass
from enum import Enum


class Level(Enum):
    """What a verifier looks at, in the order in which it decides."""

    # A level is a key of many small tables; the hash of an Enum takes longer than the rest.
    __hash__ = object.__hash__

    FRAMES = "frames"
    CHAIN = "chain"
    SIGNATURE = "signature"
    RULES = "rules"
    RESULT = "result"
    DRAWS = "draws"
    CLOCKS = "clocks"


@dataclass(frozen=True)
class Finding:
    """The first thing that is wrong on one level.

    ``frame`` and ``record`` count from 0 through the file; ``record`` is None where a frame
    as a whole is meant. ``rule`` names a clause or ruling of docs/rules, if one applies.
    """

    level: Level
    frame: int
    record: int | None
    expected: str
    found: str
    rule: str = ""

    @property
    def place(self) -> str:
        """Where it is, in words."""
        return f"frame {self.frame}" + ("" if self.record is None else f", record {self.record}")


class WrongRecord(Exception):
    """A record that cannot stand where it does, or says what cannot be."""

    def __init__(self, expected: str, found: str, rule: str = "") -> None:
        self.expected = expected
        self.found = found
        self.rule = rule
        super().__init__(f"expected {expected}, found {found}")
