"""Which tests look at the mutants of which sources (`tests.soak.mutants`)."""

from typing import NamedTuple


class Suite(NamedTuple):
    """The tests for some sources: those that run first, the others, and which of them."""

    quick: tuple[str, ...]
    further: tuple[str, ...]
    keyword: str = ""


# What notices most comes first: with a fresh import, tests run in this order.
AZUL = Suite(
    (
        "tests/golden", "tests/rules/test_worked_examples.py", "tests/rules/test_azul_*.py",
        "tests/rules/test_chocolatier.py", "tests/rules/test_gray_wall.py",
        "tests/rules/test_bugs_of_other_engines.py", "tests/rules/test_notation.py",
        "tests/rules/test_library.py", "tests/draws",
    ),
    ("tests/rules/test_perft.py", "tests/rules/test_properties.py", "tests/transcript/test_against_oracle.py"),
)  # fmt: skip
DUEL = Suite(
    (
        "tests/golden", "tests/rules/test_duel_*.py", "tests/draws/test_vectors_duel.py",
        "tests/rules/test_properties.py",
    ),
    ("tests/rules/test_library.py", "tests/transcript", "tests/perft/test_perft.py"),
    "duel or test_library or test_properties",
)  # fmt: skip
# What all rulesets share.
COMMON = AZUL._replace(further=("tests/rules/test_duel_*.py", *AZUL.further))
SUITES = {
    "referee/rules/duel": DUEL,
    "referee/rules/azul": AZUL,
    "referee/rules/perft.py": Suite(
        ("tests/rules/test_perft.py", "tests/rules/test_library.py", "tests/cli/test_perft.py"),
        ("tests/perft",),
    ),
    "referee/rules": COMMON,
    "referee/transcript/elsewhere/duel": Suite(("tests/transcript",), (), "duel"),
    "referee/transcript": Suite(("tests/transcript",), ()),
    "referee/draws": Suite(("tests/draws",), ("tests/golden", "tests/match")),
}
# Modules that keep what they made: a mistake shows where nothing was made before it.
CACHING = frozenset({"referee/rules/azul/moves.py", "referee/rules/duel/offer.py"})
