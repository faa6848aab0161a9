"""Which tests look at the mutants of which sources (`tests.soak.mutants`)."""

from typing import NamedTuple


class Suite(NamedTuple):
    """The tests for some sources: those that run first, the others, and which of them."""

    quick: tuple[str, ...]
    further: tuple[str, ...]
    keyword: str = ""


AZUL = Suite(
    (
        "tests/rules/test_azul_offer.py", "tests/rules/test_azul_tiling.py",
        "tests/rules/test_azul_properties.py", "tests/rules/test_chocolatier.py",
        "tests/rules/test_gray_wall.py", "tests/rules/test_worked_examples.py",
        "tests/rules/test_bugs_of_other_engines.py", "tests/rules/test_notation.py",
        "tests/rules/test_library.py", "tests/golden", "tests/draws",
    ),
    ("tests/rules/test_perft.py", "tests/rules/test_properties.py", "tests/transcript/test_against_oracle.py"),
)  # fmt: skip
DUEL = Suite(
    (
        "tests/rules/test_duel_*.py", "tests/draws/test_vectors_duel.py", "tests/golden",
        "tests/rules/test_properties.py",
    ),
    ("tests/rules/test_library.py", "tests/transcript", "tests/perft/test_perft.py"),
    "duel or test_library or test_properties",
)  # fmt: skip
SUITES = {
    "referee/rules/duel": DUEL,
    "referee/transcript/elsewhere/duel": Suite(("tests/transcript",), (), "duel"),
    "referee/transcript": Suite(("tests/transcript",), ()),
    "referee/rules": AZUL,
    "referee/draws": Suite(("tests/draws",), ("tests/golden", "tests/match")),
}
