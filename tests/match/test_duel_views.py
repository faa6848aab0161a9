"""Duel hides facts: what a seat is shown, what the record holds, and that answers fit both."""

from typing import Any

import pytest

from referee.rules import Options
from referee.rules.duel.position import DuelPosition
from referee.transcript.wire.game import decode_deal
from tests.match.table import Table

SEEDS = range(6)


def table_of(seed: int) -> Table:
    """Return a table of Duel, some with shares and some with random goals."""
    shares = [True, True] if seed % 2 else None
    options = Options(goals=4) if seed % 3 else None
    return Table("duel", 2, name=seed, shares=shares, options=options)


@pytest.mark.parametrize("seed", SEEDS)
def test_an_index_means_the_same_to_the_seat_and_to_the_record(seed: int) -> None:
    """At every decision of whole games, also of those taken up from a file."""
    table = table_of(seed).sit()
    decisions = 0
    while not table.match.over:
        if table.actor >= 0:
            decisions += 1
            match = table.match
            own = match.view(table.actor).legal_moves()
            assert match.fold.position.legal_moves() == own
            assert match.table().legal_moves() == own
            if decisions % 25 == 0:
                table = table.resume()
                assert table.match.view(table.actor).legal_moves() == own
        table.step()
    assert decisions > 80
    table.finish()


@pytest.mark.parametrize("seed", SEEDS)
def test_no_record_before_the_seed_has_a_hidden_fact(seed: int) -> None:
    """Deals are recorded as a spectator sees them, and the spectator's table knows no more."""
    table = table_of(seed).sit()
    hidden = 0
    while not table.match.over:
        match = table.match
        table.step()
        if not match.over:
            public: Any = match.fold.position
            full: Any = match.table()
            assert isinstance(public, DuelPosition)
            assert str(full.view(None)) == str(public)
            hidden += str(full) != str(public)
    for record in table.records("deal"):
        deal = decode_deal(record.deal)
        assert deal == deal.view(None)
    assert hidden > 20, "nothing was hidden, so nothing was tested"
    table.finish()


def test_a_seat_sees_what_it_drew_and_the_other_does_not() -> None:
    """In some position of some game the views differ."""
    seen = 0
    for seed in SEEDS:
        table = table_of(seed).sit()
        while not table.match.over:
            table.step()
            seen += str(table.match.view(0)) != str(table.match.view(1))
    assert seen


def test_before_the_start_everybody_sees_the_empty_table() -> None:
    """Views need no seed to have been used."""
    table = table_of(0)
    assert len({str(table.match.view(seat)) for seat in (None, 0, 1)}) == 1
