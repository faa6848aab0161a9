"""The perft files are true, and hold what they are there for."""

from collections.abc import Iterator

import pytest

from referee.rules import CHANCE, OVER, RULESETS, DealNotPinned, Position
from referee.rules.perft import Pins, perft
from tests.perft import write
from tests.perft.cases import (
    FOLDER,
    QUICK,
    Case,
    Depth,
    file_of,
    format_case,
    parse_case,
    read_cases,
)
from tests.perft.starts import STARTS

CASES = [(key, case) for key in RULESETS for case in read_cases(file_of(key))]
IDS = [f"{key} {case.name}" for key, case in CASES]
ACROSS_DEALS = [case for _, case in CASES if case.name.startswith(("deal-", "opening-"))]
ENDGAMES = [case for _, case in CASES if case.name.startswith("end-")]


@pytest.mark.parametrize(("key", "case"), CASES, ids=IDS)
def test_counts_and_digests(key: str, case: Case) -> None:
    """Every count, and every digest that is quick to compute."""
    start, pins = case.start(), case.pins()
    assert str(start) == case.position
    assert case.position.startswith(f"{key}/")
    for row in case.depths:
        leaves = perft(start, row.depth, pins, with_digest=row.count <= QUICK)
        digest = row.digest if row.count <= QUICK else "-"
        assert (row.depth, leaves.count, leaves.digest_text) == (row.depth, row.count, digest)


def test_starter_counts() -> None:
    """Two programs agreed on these before this one was written."""
    counts = {
        case.name: tuple(row.count for row in case.depths[:3])
        for case in read_cases(file_of("azul"))
        if case.name.startswith("starter-")
    }
    assert counts == {
        "starter-30": (30, 720, 11_160),
        "starter-60": (60, 3_240, 133_500),
        "starter-120": (120, 13_680, 1_197_720),
    }


def test_no_file_is_missing_or_left_over() -> None:
    """One for every ruleset there is."""
    assert {file.name for file in FOLDER.glob("*.txt")} == {f"{key}.txt" for key in RULESETS}
    assert set(STARTS) <= set(RULESETS)


@pytest.mark.parametrize("key", list(RULESETS))
def test_files_hold_what_the_generator_wants(key: str) -> None:
    """The same positions, pins and order, each line from depth 1 on without a gap."""
    cases = list(read_cases(file_of(key)))
    wanted = write.wanted(key)
    plain = [Case(case.name, case.position, case.deals, case.seed) for case in cases]
    assert plain == [one.case for one in wanted]
    for case, one in zip(cases, wanted, strict=True):
        depths = [row.depth for row in case.depths]
        assert depths == list(range(1, len(depths) + 1))
        assert len(depths) >= one.at_least or case.depths[-1].count == 0
    assert write.text_of(key, wanted, cases) == file_of(key).read_text()


@pytest.mark.parametrize("key", list(RULESETS))
def test_every_seat_count_has_every_kind(key: str) -> None:
    """An opening, positions out of games, lines across deals, an end."""
    names = {case.name for case in read_cases(file_of(key))}
    for seats in range(RULESETS[key].min_seats, RULESETS[key].max_seats + 1):
        assert names >= {
            f"opening-{seats}",
            f"game-{seats}-early",
            f"game-{seats}-late",
            f"deal-{seats}-pinned",
            f"deal-{seats}-drawn",
            f"end-{seats}",
        }


def ends(position: Position, depth: int, pins: Pins, dealt: int = 0) -> Iterator[bool]:
    """Yield True for every sequence of up to so many moves at whose end the game is over."""
    if position.actor == OVER:
        yield True
    elif depth:
        while position.actor == CHANCE:
            dealt += 1
            assert pins.streams is not None
            position.deal(position.draw(pins.streams(dealt)))
        for move in position.legal_moves():
            after = position.copy()
            after.play(move)
            yield from ends(after, depth - 1, pins, dealt)


@pytest.mark.parametrize("case", ACROSS_DEALS, ids=lambda case: case.position.split("/")[0])
def test_lines_cross_deals(case: Case) -> None:
    """Without pins they stop there."""
    with pytest.raises(DealNotPinned):
        perft(case.start(), case.depths[-1].depth, with_digest=False)
    assert bool(case.deals) == case.name.endswith("-pinned")


@pytest.mark.parametrize("case", ENDGAMES, ids=lambda case: case.position.split("/")[0])
def test_games_end_in_endgames(case: Case) -> None:
    """Within the depth that is counted."""
    assert any(ends(case.start(), case.depths[-1].depth, case.pins()))


@pytest.mark.parametrize(
    "case",
    [
        Case("bare", "azul/1 x"),
        Case("all", "azul/1 x", ("a b", "c d"), "00ff", (Depth(1, 30, "ab"), Depth(2, 0, "00"))),
    ],
)
def test_lines_are_read_as_they_are_written(case: Case) -> None:
    """Name, position, deals, seed, and a field for each depth."""
    assert parse_case(format_case(case)) == case


def test_the_form_of_a_line() -> None:
    """As docs/perft.md describes it."""
    case = Case("a", "azul/1 x", ("factories=-",), "0f", (Depth(1, 30, "00ab"), Depth(2, 7, "01")))
    assert format_case(case) == "a; azul/1 x; deal factories=-; seed 0f; 1: 30 00ab; 2: 7 01"


def test_facts_of_a_position_need_no_pin() -> None:
    """In Duel a plate that a seat keeps is shown, which nothing has to be drawn for."""
    (case,) = [case for case in read_cases(file_of("duel")) if case.name == "kept"]
    assert case.start().actor == CHANCE
    for row in case.depths[:2]:
        leaves = perft(case.start(), row.depth)
        assert (leaves.count, leaves.digest_text) == (row.count, row.digest)
