"""The deals of Azul and Master Chocolatier, drawn tile by tile with the rule spelled out."""

from typing import Any

from referee import draws
from referee.rules import Purpose
from tests.draws.samples import sample

FULL_BAG = [20, 20, 20, 20, 20]
PLUS_ONE_DISC = 9


def _deal(
    ruleset: str,
    seats: int,
    round_number: int,
    bag: list[int],
    lid: list[int],
    first_player: int | None = None,
    gold: list[int] | None = None,
) -> dict[str, Any]:
    """Draw a round with the rule spelled out, tile by tile."""
    key = sample(f"deal {ruleset} {seats} {round_number} {bag} {lid} {first_player}")
    streams = draws.RoundStreams(key)
    factories = 2 * seats + 1
    entry: dict[str, Any] = {
        "ruleset": ruleset,
        "seats": seats,
        "round_key": key.hex(),
        "first_player": first_player,
        "round": round_number,
        "gold": gold,
        "bag": bag,
        "lid": lid,
        "starter": None,
        "discs": None,
        "gold_places": None,
    }
    lying = gold or []
    if round_number == 1:
        entry["starter"] = first_player
        if first_player is None:
            entry["starter"] = streams.stream(Purpose.FIRST_PLAYER).uniform(seats)
        if ruleset.startswith("chocolatier"):
            stream = streams.stream(Purpose.SPECIAL_FACTORIES)
            discs, places = list(range(1, 10)), list(range(factories))
            entry["discs"] = [discs.pop(stream.uniform(len(discs))) for _ in range(factories)]
            entry["gold_places"] = [places.pop(stream.uniform(len(places))) for _ in range(seats)]
            lying = [entry["discs"][place] for place in entry["gold_places"]]
    bag, lid = list(bag), list(lid)
    tiles = streams.stream(Purpose.TILES)

    def draw() -> int | None:
        if not any(bag):
            bag[:], lid[:] = lid, [0] * 5
        if not any(bag):
            return None
        k = tiles.uniform(sum(bag))
        color = 0
        while k >= bag[color]:
            k -= bag[color]
            color += 1
        bag[color] -= 1
        return color

    drawn = [[draw() for _ in range(4)] for _ in range(factories)]
    entry["factories"] = [[tile for tile in factory if tile is not None] for factory in drawn]
    entry["extra"] = draw() if PLUS_ONE_DISC in lying else None
    entry["bag_after"], entry["lid_after"] = bag, lid
    return entry


def deals() -> list[dict[str, Any]]:
    """Return whole rounds of every ruleset and number of seats, and the rare cases."""
    empty = [0] * 5
    entries = []
    for ruleset in ("azul", "azul-gray", "chocolatier", "chocolatier-gray"):
        for seats in (2, 3, 4):
            special = ruleset.startswith("chocolatier")
            gold = [0] * (2 * seats + 1)
            gold[1:3], gold[-1] = [8, 3], PLUS_ONE_DISC
            if seats == 2:
                gold[2] = 0
            later = gold if special else None
            entries += [
                _deal(ruleset, seats, 1, FULL_BAG, empty),
                _deal(ruleset, seats, 1, FULL_BAG, empty, first_player=seats - 1),
                _deal(ruleset, seats, 2, [9, 12, 7, 13, 10], [3, 1, 4, 1, 5], gold=later),
                # The bag runs out in the middle of a factory, then at the edge of one.
                _deal(ruleset, seats, 5, [1, 0, 2, 0, 3], [8, 9, 7, 9, 3], gold=later),
                _deal(ruleset, seats, 5, [4, 0, 0, 4, 0], [0, 11, 13, 8, 4], gold=later),
                # Too few tiles: the last factories stay short or empty.
                _deal(ruleset, seats, 9, [0, 0, 1, 0, 0], [0, 3, 0, 2, 1], gold=later),
            ]
    # A plus-one factory that gets the very last tile, and one that gets none.
    last = [0, 0, 0, 0, PLUS_ONE_DISC]
    entries.append(_deal("chocolatier", 2, 7, [5, 5, 5, 3, 3], empty, gold=last))
    entries.append(_deal("chocolatier", 2, 7, [5, 5, 5, 3, 2], empty, gold=last))
    entries.append(_deal("chocolatier", 2, 7, [5, 5, 5, 3, 2], [0, 0, 0, 1, 1], gold=last))
    return entries
