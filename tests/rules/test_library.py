"""The library from outside: what it exports, its registry, its errors, its small parts."""

import copy
import inspect
import pickle
import subprocess
import sys
from collections.abc import Callable
from dataclasses import fields

import pytest
from hypothesis import given
from hypothesis import strategies as st

import referee.rules as library
from referee.draws import FixedStreams
from referee.rules import (
    RULESETS,
    Bonus,
    DealNotPinned,
    Illegal,
    IllegalMove,
    InvalidDeal,
    InvalidSetup,
    NotationError,
    Options,
    Outcome,
    PinnedDealRefused,
    RefereeError,
    RulesError,
    Termination,
    UnknownRevision,
    UnknownRuleset,
    WrongMoment,
    get_ruleset,
    parse_position,
    pick,
    tally,
)
from referee.rules.azul.deal import RoundDeal
from referee.rules.azul.moves import Place, Take
from referee.rules.errors import shown
from referee.rules.interface import Deal
from referee.rules.perft import Leaves, Pins
from tests.tables import board, reach, ruleset, table

EXPORTED = """
CHANCE OVER RULESETS Bonus Chance Deal DealNotPinned Illegal IllegalMove InvalidDeal
InvalidPosition InvalidSetup MalformedMove Move NotationError Options Outcome PerftError
PinnedDealRefused Position Purpose RefereeError Ruleset RulesError Stream Termination
UnknownRevision UnknownRuleset UnknownSeat WrongMoment get_ruleset parse_position pick
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
    assert len(errors) == 15
    for error in errors:
        assert issubclass(error, RefereeError)
        assert not issubclass(error, (ValueError, LookupError, TypeError))


def test_registry() -> None:
    """Five rulesets in a fixed order, each under its own key."""
    assert list(RULESETS) == ["azul", "azul-gray", "chocolatier", "chocolatier-gray", "duel"]
    for key, rules in RULESETS.items():
        assert get_ruleset(key) is rules
        assert (rules.key, rules.revision) == (key, 1)


def test_which_games_hide_facts() -> None:
    """Only Duel has plates and chips face down; a view of any other table is all of it."""
    assert [key for key, rules in RULESETS.items() if rules.hides] == ["duel"]


@pytest.mark.parametrize("key", ["", "duell", "AZUL", "azul ", None, 7, ["azul"]])
def test_unknown_rulesets(key: str) -> None:
    """The error names what there is."""
    with pytest.raises(UnknownRuleset, match="no ruleset is called") as caught:
        get_ruleset(key)
    assert isinstance(caught.value, RulesError)
    assert "azul-gray" in str(caught.value)
    assert caught.value.known == tuple(RULESETS)


@pytest.mark.parametrize("key", list(RULESETS))
def test_positions_of_any_ruleset_are_read(key: str) -> None:
    """The first word of the text says which one it is."""
    position = get_ruleset(key).initial(get_ruleset(key).min_seats)
    again = parse_position(str(position))
    assert (type(again), str(again)) == (type(position), str(position))


def test_positions_of_unknown_rulesets_and_revisions() -> None:
    """Each with the error that says so."""
    text = str(get_ruleset("azul").initial(2))
    with pytest.raises(UnknownRuleset, match="'azure'"):
        parse_position(text.replace("azul", "azure"))
    for revision in ("2", "01", "", "1/1"):
        with pytest.raises(UnknownRevision, match="azul is known in revision 1") as caught:
            parse_position(text.replace("azul/1", f"azul/{revision}"))
        assert (caught.value.key, caught.value.revision) == ("azul", revision)
    for other in ("", " " + text, "azul", text.replace("/", ":")):
        with pytest.raises(NotationError, match="begins with key/revision"):
            parse_position(other)
    with pytest.raises(NotationError, match="notation is text, not bytes"):
        parse_position(text.encode())  # type: ignore[arg-type]
    with pytest.raises(NotationError, match="cap"):
        parse_position("azul/1 hat=20")


def test_a_deal_of_another_game_is_refused() -> None:
    """With our error, before anything changes."""

    class Strange(Deal):
        def view(self, seat: int | None) -> "Strange":
            return self

        def __str__(self) -> str:
            return "strange"

    with pytest.raises(InvalidDeal, match="another game"):
        ruleset("azul").initial(2).deal(Strange())


def test_a_tiling_choice_only_while_there_is_one() -> None:
    """Asked at another moment, it says so."""
    with pytest.raises(WrongMoment):
        table(factories="BBBB,-,-,-,-", boards=[board(), board()]).tiling_choice()


@pytest.mark.parametrize(
    "error",
    [
        IllegalMove(Illegal.LINE_FULL, "pattern line 0 is full", "A7"),
        InvalidDeal("extra", "it is missing", "a color", "2.3.1"),
        UnknownRuleset("x", ("azul",)),
        UnknownRevision("azul", "2", 1),
        DealNotPinned(2, ("0B0", "1YF")),
        PinnedDealRefused(1, (), "extra: it is missing"),
        InvalidSetup("no"),
    ],
)
def test_errors_survive_a_trip_to_another_process(error: RefereeError) -> None:
    """Pickled and back, with all they carry."""
    again = pickle.loads(pickle.dumps(error))
    assert (type(again), str(again), vars(again)) == (type(error), str(error), vars(error))


@pytest.mark.parametrize(
    ("value", "name"),
    [(Take(0, 1, 2), "source"), (Place(1, 2), "row"), (RoundDeal((1,), starter=0), "starter")],
)
def test_moves_and_deals_never_change(value: Take | Place | RoundDeal, name: str) -> None:
    """They are shared by every table, so nobody may alter one; copies and pickles are equal."""
    with pytest.raises(AttributeError, match="does not change"):
        setattr(value, name, 4)
    with pytest.raises(AttributeError, match="does not change"):
        delattr(value, name)
    assert pickle.loads(pickle.dumps(value)) == value
    assert copy.deepcopy(value) == value


@pytest.mark.parametrize("again", [copy.deepcopy, lambda x: pickle.loads(pickle.dumps(x))])
def test_positions_can_be_copied_and_sent(again: Callable[[object], object]) -> None:
    """`copy` is the quick way; Python's own ways give an independent position too."""
    position = reach("chocolatier", 3, 1, 20)
    before = str(position)
    twin = again(position)
    assert twin == position
    position.play(position.legal_moves()[0])
    assert str(twin) == before


FULL = (4,) * 5
HUGE = 10**5000


@pytest.mark.parametrize(
    "call",
    [
        lambda: RoundDeal(None),
        lambda: RoundDeal(5),
        lambda: RoundDeal(("BBYY",)),
        lambda: RoundDeal((None,)),
        lambda: RoundDeal((4.0,)),
        lambda: RoundDeal((-1,)),
        lambda: RoundDeal((32,)),
        lambda: RoundDeal((HUGE,)),
        lambda: RoundDeal(FULL, extra=5),
        lambda: RoundDeal(FULL, extra=1.0),
        lambda: RoundDeal(FULL, starter=True),
        lambda: RoundDeal(FULL, starter="0"),
        lambda: RoundDeal(FULL, starter=4),
        lambda: RoundDeal(FULL, gold=5),
        lambda: RoundDeal(FULL, gold=(0, 9.0)),
        lambda: Take(HUGE, 0, 0),
        lambda: ruleset("azul").initial(HUGE),
        lambda: ruleset("azul").initial(2, {"round_cap": 3}),  # type: ignore[arg-type]
        lambda: ruleset("azul").initial(2, Options(round_cap=HUGE)),
        lambda: ruleset("azul").initial(2).view(HUGE),
        lambda: ruleset("azul").initial(2).draw(None),
        lambda: ruleset("azul").initial(2).draw(FixedStreams(bytes(32), 2)),
        lambda: ruleset("azul").parse_move("x" * 10**6),
    ],
)
def test_slips_of_a_caller_get_an_error_of_ours(call: Callable[[], object]) -> None:
    """With a message short enough to read."""
    with pytest.raises(RefereeError) as caught:
        call()
    assert len(str(caught.value)) < 250


def test_what_cannot_be_shown_is_described() -> None:
    """A message never fails for the value it is about."""
    assert shown(HUGE) == "a int that cannot be shown"
    assert shown("x" * 100) == "'" + "x" * 56 + "..."
    assert shown("x" * 58) == "'" + "x" * 58 + "'"
    assert shown("x" * 59) == "'" + "x" * 56 + "..."


@pytest.mark.parametrize(
    "value",
    [
        Options(),
        Bonus("rows", 1, 2),
        Outcome(Termination.NO_TILES, (0, 0), (1, 1), ((), ())),
        Leaves(1, None),
        Pins(),
        ruleset("azul").variant,
    ],
    ids=lambda value: type(value).__name__,
)
def test_what_is_handed_out_cannot_be_changed(value: object) -> None:
    """Whoever keeps one can rely on it."""
    names = getattr(value, "_fields", None) or [field.name for field in fields(value)]  # type: ignore[arg-type]
    for name in names:
        # A frozen class raises an error of its own kind, which is an AttributeError too.
        with pytest.raises(AttributeError):
            setattr(value, name, None)


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


def test_the_largest_tally() -> None:
    """31 tiles of each color: one more of any would set its guard bit."""
    largest = tally.of_counts([31] * 5)
    assert tally.is_tally(largest)
    assert not any(tally.is_tally(largest + one) for one in tally.ONE)


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
