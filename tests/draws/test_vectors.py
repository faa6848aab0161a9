"""The published vectors: up to date, and what the engine draws."""

import json
from typing import Any

import pytest

from referee.draws import RoundStreams
from referee.rules import OVER, Options, tally
from tests.draws import write_vectors
from tests.tables import ruleset

VECTORS: dict[str, Any] = json.loads(write_vectors.FILE.read_text())


def test_the_published_file_is_what_the_code_gives() -> None:
    """Regenerating it leaves no difference (`make golden`)."""
    assert write_vectors.text() == write_vectors.FILE.read_text()


@pytest.mark.parametrize(
    "entry", VECTORS["deals"], ids=lambda e: f"{e['ruleset']}-{e['seats']}-{e['round']}"
)
def test_the_engine_draws_the_published_deals(entry: dict[str, Any]) -> None:
    """Tiles, extra tile, starter and gold discs of whole rounds, from bag and lid as given."""
    first = entry["first_player"]
    position = ruleset(entry["ruleset"]).initial(entry["seats"], Options(first_player=first))
    position.round = entry["round"] - 1
    position.bag, position.lid = tally.of_counts(entry["bag"]), tally.of_counts(entry["lid"])
    if entry["round"] > 1:
        position.starter = 0
        if entry["gold"] is not None:
            position.set_gold(tuple(entry["gold"]))
    drawn = position.draw(RoundStreams(bytes.fromhex(entry["round_key"])))
    assert list(drawn.factories) == [tally.of_colors(tiles) for tiles in entry["factories"]]
    assert drawn.extra == entry["extra"]
    assert drawn.starter == entry["starter"]
    if entry["discs"] is not None:
        gold = [0] * position.factories
        for place in entry["gold_places"]:
            gold[place] = entry["discs"][place]
        assert drawn.gold == tuple(gold)
    else:
        assert drawn.gold is None
    position.deal(drawn)
    assert list(tally.counts(position.bag)) == entry["bag_after"]
    assert list(tally.counts(position.lid)) == entry["lid_after"]
    assert position.actor != OVER


def test_the_deals_cover_the_rare_cases() -> None:
    """A refill within a factory, a short deal, an extra tile that is there and one that is not."""
    deals = VECTORS["deals"]
    assert any(sum(e["bag"]) % 4 and sum(e["bag"]) < 4 * len(e["factories"]) for e in deals)
    assert any(e["factories"][-1] == [] for e in deals)
    assert {e["extra"] is None for e in deals if e["gold"] and 9 in e["gold"]} == {True, False}
