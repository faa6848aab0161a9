"""The library from outside: what it exports, its registry, its errors, its small parts."""

import inspect
import subprocess
import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st

import referee.rules as library
from referee.rules import (
    RULESETS,
    InvalidDeal,
    RefereeError,
    RulesError,
    UnknownRuleset,
    WrongMoment,
    get_ruleset,
    pick,
    tally,
)
from referee.rules.interface import Deal
from tests.tables import board, ruleset, table

EXPORTED = """
CHANCE OVER RULESETS Bonus Chance Deal Illegal IllegalMove InvalidDeal InvalidPosition
InvalidSetup MalformedMove Move NotationError Options Outcome Position Purpose RefereeError
Ruleset RulesError Stream Termination UnknownRuleset UnknownSeat WrongMoment get_ruleset pick
"""


def test_exported_names() -> None:
    """Bots import these; taking one away is a breaking change."""
    assert sorted(library.__all__) == sorted(EXPORTED.split())
    assert all(hasattr(library, name) for name in library.__all__)


def test_the_library_needs_nothing_but_python() -> None:
    """Importing it brings in no module from outside the standard library."""
    code = (
        "import sys, referee.rules, referee.draws; print(*sorted({name.split('.')[0] for name"
        " in sys.modules} - set(sys.stdlib_module_names) - {'referee'}))"
    )
    command = [sys.executable, "-I", "-S", "-c", f"import sys; sys.path[:0] = {sys.path!r}\n{code}"]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["__main__"]


def test_every_error_is_ours() -> None:
    """One root, none of them a ValueError."""
    errors = [value for _, value in inspect.getmembers(library, inspect.isclass)]
    errors = [error for error in errors if issubclass(error, Exception)]
    assert len(errors) == 11
    for error in errors:
        assert issubclass(error, RefereeError)
        assert not issubclass(error, (ValueError, LookupError, TypeError))


def test_registry() -> None:
    """Four rulesets in a fixed order, each under its own key."""
    assert list(RULESETS) == ["azul", "azul-gray", "chocolatier", "chocolatier-gray"]
    for key, rules in RULESETS.items():
        assert get_ruleset(key) is rules
        assert (rules.key, rules.revision) == (key, 1)


@pytest.mark.parametrize("key", ["", "duell", "AZUL", "azul ", None, 7, ["azul"]])
def test_unknown_rulesets(key: str) -> None:
    """The error names what there is."""
    with pytest.raises(UnknownRuleset) as caught:
        get_ruleset(key)
    assert isinstance(caught.value, RulesError)
    assert "azul-gray" in str(caught.value)
    assert caught.value.known == tuple(RULESETS)


def test_a_deal_of_another_game_is_refused() -> None:
    """With our error, before anything changes."""

    class Strange(Deal):
        def __str__(self) -> str:
            return "strange"

    with pytest.raises(InvalidDeal, match="another game"):
        ruleset("azul").initial(2).deal(Strange())


def test_a_tiling_choice_only_while_there_is_one() -> None:
    """Asked at another moment, it says so."""
    with pytest.raises(WrongMoment):
        table(factories="BBBB,-,-,-,-", boards=[board(), board()]).tiling_choice()


# Tallies and picks --------------------------------------------------------------------------

COUNTS = st.lists(st.integers(0, 20), min_size=5, max_size=5)


@given(COUNTS, COUNTS)
def test_tallies_behave_like_lists_of_counts(left: list[int], right: list[int]) -> None:
    """Everything a tally can do, against plain lists."""
    a, b = tally.of_counts(left), tally.of_counts(right)
    assert list(tally.counts(a)) == left
    assert [tally.count(a, color) for color in range(5)] == left
    assert tally.size(a) == sum(left)
    assert tally.colors(a) == tuple(color for color in range(5) if left[color])
    assert tally.contains(a, b) == all(x >= y for x, y in zip(left, right, strict=True))
    assert sum(tally.singles(a)) == a
    assert len(tally.singles(a)) == sum(left)
    listed = [color for color in range(5) for _ in range(left[color])]
    assert tally.of_colors(listed) == a
    assert tally.is_tally(a)


@pytest.mark.parametrize("value", [-1, 1 << 30, 32, 32 << 6, (1 << 30) - 1])
def test_numbers_that_are_no_tallies(value: int) -> None:
    """Negative, too large, or with a guard bit set."""
    assert not tally.is_tally(value)


class Scripted:
    """A stream that gives what it is told, and remembers what it was asked."""

    def __init__(self, numbers: list[int]) -> None:
        self.numbers = numbers
        self.asked: list[int] = []

    def uniform(self, n: int) -> int:
        """Return the next number."""
        return self.descend(n, 1)[0]

    def descend(self, n: int, k: int) -> list[int]:
        """Return the next k numbers."""
        self.asked += range(n, n - k, -1)
        given, self.numbers = self.numbers[:k], self.numbers[k:]
        return given


def test_pick_takes_items_and_keeps_the_order_of_the_rest() -> None:
    """Index 1 of abcd is b, then index 2 of acd is d, then index 0 of ac is a."""
    stream = Scripted([1, 2, 0])
    assert pick(stream, "abcd", 3) == ["b", "d", "a"]
    assert stream.asked == [4, 3, 2]
