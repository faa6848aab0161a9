"""Whole random games of Duel as azul-game/1 records.

All chance comes from the random generator passed in, so a seed names a game.
"""

from __future__ import annotations

import copy
import random
from typing import Any

from .bots import POLICIES, Bot, random_bots
from .components import PLATES
from .deals import STEERS, random_deal, random_goals
from .engine import Move, Table

__all__ = ["POLICIES", "random_game", "unfinished_prefix", "without_claims"]

RESULTS = ("goal_points", "final_scores", "winners")
# How often a deal is steered, unless the caller says otherwise.
STEERED = {"hoarder": 0.7}
USUALLY_STEERED = 0.3


def random_game(
    rng: random.Random, policy: str, *, claims: bool = True, steered: float | None = None
) -> dict[str, Any]:
    """Play a game to its end.

    `claims` adds the optional `legal_count` and `drawn`; `steered` is how likely a deal is led
    into a rare corner, by default as the policy has it.
    """
    if steered is None:
        steered = STEERED.get(policy, USUALLY_STEERED)
    goals = random_goals(rng)
    plates = rng.sample(range(len(PLATES)), len(PLATES))
    bots = random_bots(rng, policy)
    table = Table(goals, plates)
    starter = rng.randrange(2)
    opening: list[dict[str, Any]] = []
    rounds: list[dict[str, Any]] = []
    while not table.over:
        table.start_round(starter)
        steer = rng.choice(STEERS) if rng.random() < steered else "plain"
        record: dict[str, Any] = {"starter": starter}
        record |= _random_deal(table, rng, steer)
        while table.openings_left():
            opening.append(_random_opening(table, rng, bots[table.turn], claims))
        record["moves"] = _random_moves(table, rng, bots, claims)
        record["tiling"] = _random_tiling(table, rng, bots, claims)
        table.finish_round()
        record["scores_after"] = table.scores()
        rounds.append(record)
        starter = table.starter
    return {
        "format": "azul-game/1",
        "id": f"duel-{policy}-{rng.getrandbits(32):08x}",
        "ruleset": "duel",
        "players": 2,
        "goals": goals,
        "plates": plates,
        "opening": opening,
        "rounds": rounds,
        "goal_points": table.goal_points(),
        "final_scores": table.final_scores(),
        "winners": table.winners(),
    }


def _random_deal(table: Table, rng: random.Random, steer: str) -> dict[str, Any]:
    deal = random_deal(table.supply, rng, steer)
    table.deal_redraws(deal.get("redraws", []))
    table.deal_large(deal["large"])
    table.deal_small(deal["small"])
    table.deal_chips(deal["chips"])
    return deal


def _random_opening(table: Table, rng: random.Random, bot: Bot, claims: bool) -> dict[str, Any]:
    count = len(table.legal_openings())
    plate, slot, rotation = placement = bot.open(table, rng)
    entry = {"player": table.turn, "plate": plate, "slot": slot, "rotation": rotation}
    table.open(placement)
    return entry | ({"legal_count": count} if claims else {})


def _random_moves(
    table: Table, rng: random.Random, bots: list[Bot], claims: bool
) -> list[dict[str, Any]]:
    moves = []
    while not table.phase_is_over():
        count = table.legal_count()
        choice = bots[table.turn].move(table, rng)
        entry = {"player": table.turn, **_recorded(choice, rng)}
        if claims:
            entry["legal_count"] = count
        if choice == ["stop"] and claims:
            entry["drawn"] = list(table.drawn)
        table.play(choice)
        moves.append(entry)
    return moves


def _recorded(choice: Move, rng: random.Random) -> dict[str, Any]:
    names = {
        "plate": ("plate", "slot", "rotation"),
        "keep": ("plate", "slot", "rotation", "returned"),
        "sun": ("factory", "color", "line", "stack"),
        "moon": ("color", "line"),
        "chip": ("factory",),
    }
    do = choice[0]
    entry = {"do": do, **dict(zip(names.get(do, ()), choice[1:], strict=True))}
    # An empty stack may be written or left out.
    if entry.get("stack") == [] and rng.random() < 0.9:
        del entry["stack"]
    return entry


def _random_tiling(
    table: Table, rng: random.Random, bots: list[Bot], claims: bool
) -> list[dict[str, Any]]:
    tiling = []
    while (pending := table.pending_tiling()) is not None:
        player, line = pending
        count = len(table.tiling_options())
        column, chips = choice = bots[player].tile(table, rng)
        entry: dict[str, Any] = {"player": player, "line": line, "column": column}
        # The order of the chips is free, and an empty list may be written or left out.
        if chips or rng.random() < 0.05:
            entry["chips"] = rng.sample(chips, len(chips))
        if claims:
            entry["legal_count"] = count
        table.tile(choice)
        tiling.append(entry)
    return tiling


def without_claims(game: dict[str, Any]) -> dict[str, Any]:
    """Return a copy without the optional claims, so that damage shows up only later."""
    bare = copy.deepcopy(game)
    decisions = list(bare["opening"])
    for record in bare["rounds"]:
        decisions += record.get("moves", []) + record.get("tiling", [])
    for entry in decisions:
        entry.pop("legal_count", None)
        entry.pop("drawn", None)
    return bare


def unfinished_prefix(game: dict[str, Any], rng: random.Random) -> dict[str, Any]:
    """Cut a right game after a random decision, deal or round, and mark it as unfinished."""
    cut = copy.deepcopy(game)
    was_over = "winners" in cut
    for name in RESULTS:
        cut.pop(name, None)
    cut["unfinished"] = True
    if not cut["rounds"] or rng.random() < 0.02:
        cut["opening"], cut["rounds"] = [], []
        return cut
    if rng.random() < 0.1:
        # Inside the opening or right after it; the first deal lies there already.
        cut["opening"] = cut["opening"][: rng.randint(0, 2)]
        cut["rounds"] = cut["rounds"][:1]
        _cut_moves(cut["rounds"][0], 0, rng)
        return cut
    kept = rng.randint(1, len(cut["rounds"]))
    was_over = was_over and kept == len(cut["rounds"])
    cut["rounds"] = cut["rounds"][:kept]
    last = cut["rounds"][-1]
    # After the last scores of a game that is over it would no longer be unfinished.
    if "scores_after" in last and not was_over and rng.random() < 0.1:
        return cut
    tiling = last.get("tiling", [])
    if tiling and rng.random() < 0.3:
        last.pop("scores_after", None)
        del tiling[rng.randint(0, len(tiling)) :]
        return cut
    _cut_moves(last, _random_cut(last.get("moves", []), rng), rng)
    return cut


def _random_cut(moves: list[dict[str, Any]], rng: random.Random) -> int:
    """Choose after how many moves to cut, often in the middle of a turn."""
    inside = [n for n, move in enumerate(moves, 1) if move["do"] in ("draw", "stop")]
    return rng.choice(inside) if inside and rng.random() < 0.4 else rng.randint(0, len(moves))


def _cut_moves(record: dict[str, Any], number: int, rng: random.Random) -> None:
    """Keep so many moves of a round; empty lists after them may stay or go."""
    record.pop("scores_after", None)
    record["moves"] = record.get("moves", [])[:number]
    record["tiling"] = []
    if rng.random() < 0.5:
        del record["tiling"]
    if not record["moves"] and rng.random() < 0.5:
        del record["moves"]
