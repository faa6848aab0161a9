"""Which clause of docs/rules, or which part of docs/transcript.md, decides a claim."""

from typing import Final

from referee.rules import Move, Ruleset
from referee.rules.azul.moves import Place, Take
from referee.rules.duel import moves as duel

ANSWERS: Final = "docs/transcript.md, Answers"
REFUSALS: Final = "docs/transcript.md, Refusals"
OUT: Final = "docs/transcript.md, Out"
RECORDS: Final = "docs/transcript.md, Records"
RESULT: Final = "docs/transcript.md, The result"
CLOCKS: Final = "docs/transcript.md, Clocks"
DRAWS: Final = "docs/draws.md"
SIGNATURE: Final = "docs/transcript.md, The signature"

_MOVES: Final[dict[type[Move], str]] = {
    Take: "1.3.2, 1.3.3",
    Place: "1.7.1, 1.7.2",
    duel.PlacePlate: "3.4.2",
    duel.DrawPlate: "3.4.3",
    duel.StopDrawing: "3.4.3",
    duel.KeepPlate: "3.4.3",
    duel.ReturnPlate: "3.4.3",
    duel.TakeSun: "3.4.4, 3.4.7",
    duel.TakeMoon: "3.4.5, 3.4.7",
    duel.TakeChip: "3.4.6",
    duel.SpendChips: "3.5.2",
    duel.PlaceTile: "3.5.1",
}


def of_move(move: Move, ruleset: Ruleset) -> str:
    """Return the clauses by which such a move is legal or not."""
    clauses = _MOVES[type(move)]
    if isinstance(move, Take) and ruleset.key.startswith("chocolatier"):
        clauses += ", 2.3"
    return clauses


def of_scores(ruleset: Ruleset) -> str:
    """Return the clauses that score a round."""
    if ruleset.key == "duel":
        return "3.5.5, 3.5.6, 3.5.7"
    return "1.4.2, 1.4.3" + (", 1.7" if ruleset.key.endswith("gray") else "")


def of_bonuses(ruleset: Ruleset) -> str:
    """Return the clauses that score the end."""
    return "3.7.2" if ruleset.key == "duel" else "1.6.2"


def of_ranks(ruleset: Ruleset) -> str:
    """Return the clauses and rulings that rank the seats."""
    return "3.7.3, D22" if ruleset.key == "duel" else "1.6.3, A11, A12"


def of_tiles(ruleset: Ruleset) -> str:
    """Return the clauses that deal a round."""
    return "3.3.2, 3.6.2" if ruleset.key == "duel" else "1.2.3, 1.5.2"
