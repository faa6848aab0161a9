"""The bytes of a table: as many as there are tables, and those that are published."""

import json
from pathlib import Path

import pytest

from referee.rules import Options, Position, get_ruleset, parse_position
from tests.games import EVERY_TABLE, walk

VECTORS = Path(__file__).parents[2] / "docs" / "vectors" / "transcripts.json"
ROWS = json.loads(VECTORS.read_text())["positions"]


@pytest.mark.parametrize(("key", "seats"), EVERY_TABLE)
def test_different_tables_have_different_bytes(key: str, seats: int) -> None:
    """Over whole games, views included: the bytes differ where the notation does, only there."""
    seen: dict[bytes, str] = {}
    for seed in (3, 8):
        for position, _ in walk(key, seats, seed, builder=seed == 3):
            for table in (position, position.view(None)):
                text = str(table)
                assert seen.setdefault(table.layout(), text) == text
                assert parse_position(text).layout() == table.layout()
    assert len(seen) == len(set(seen.values()))


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row["position"].split("/")[0])
def test_published_layouts(row: dict[str, str]) -> None:
    """What docs/transcript.md says byte by byte is what these positions have."""
    assert parse_position(row["position"]).layout().hex() == row["layout"]


def test_options_stand_in_the_bytes() -> None:
    """A cap, a starter or goals make another table before anything is dealt."""
    tables: list[Position] = [
        get_ruleset("azul").initial(2),
        get_ruleset("azul").initial(2, Options(round_cap=7)),
        get_ruleset("azul").initial(2, Options(first_player=1)),
        get_ruleset("azul").initial(3),
        get_ruleset("azul-gray").initial(2),
        parse_position(str(get_ruleset("azul").initial(2)).replace("cap=20", "cap=none")),
        get_ruleset("duel").initial(2),
        get_ruleset("duel").initial(2, Options(goals=4)),
        get_ruleset("duel").initial(2, Options(first_player=0)),
    ]
    assert len({table.layout() for table in tables}) == len(tables)
