"""Whole random games as azul-game/1 records, played by policies that lead into rare corners.

All chance comes from the random generator passed in, so a seed names a game.
"""

from __future__ import annotations

import copy
import random
from collections import Counter
from typing import Any

from .engine import SPECIALS, Move, Table

POLICIES = ("uniform", "nofloor", "builder", "floorhappy", "hoarder")
ROUND_CAP = {"floorhappy": 12}
DEFAULT_ROUND_CAP = 24
HOARDING_ROUNDS = 16


def random_game(
    ruleset: str, players: int, rng: random.Random, policy: str, legal: bool
) -> dict[str, Any]:
    """Play a game to its end, or as an unfinished one to the cap of the policy."""
    special = _random_special(players, rng) if ruleset.startswith("chocolatier") else None
    table = Table(ruleset, players, special, rng.randrange(players))
    game: dict[str, Any] = {
        "format": "azul-game/1",
        "id": f"{ruleset}-{players}p-{policy}-{rng.getrandbits(32):08x}",
        "ruleset": ruleset,
        "players": players,
    }
    if special is not None:
        game["special"] = special
    rounds: list[dict[str, Any]] = []
    game["rounds"] = rounds
    while not table.over:
        if len(rounds) == ROUND_CAP.get(policy, DEFAULT_ROUND_CAP):
            game["unfinished"] = True
            return game
        rounds.append(_random_round(table, rng, policy, legal, len(rounds)))
    game["final_scores"] = table.final_scores()
    game["complete_rows"] = table.complete_rows()
    game["winners"] = table.winners()
    return game


def unfinished_prefix(game: dict[str, Any], rng: random.Random) -> dict[str, Any]:
    """Cut a right game after a random decision, deal or round, and mark it as unfinished."""
    cut = copy.deepcopy(game)
    was_over = "winners" in cut
    for name in ("final_scores", "complete_rows", "winners"):
        cut.pop(name, None)
    cut["unfinished"] = True
    if not cut["rounds"] or rng.random() < 0.02:
        cut["rounds"] = []
        return cut
    kept = rng.randint(1, len(cut["rounds"]))
    was_over = was_over and kept == len(cut["rounds"])
    cut["rounds"] = cut["rounds"][:kept]
    last = cut["rounds"][-1]
    moves, tiling = last.get("moves", []), last.get("tiling")
    # After the last scores of a game that is over it would no longer be unfinished.
    if "scores_after" in last and not was_over and rng.random() < 0.1:
        return cut
    last.pop("scores_after", None)
    if tiling is not None and rng.random() < 0.3:
        del tiling[rng.randint(0, len(tiling)) :]
        return cut
    del moves[rng.randint(0, len(moves)) :]
    if not moves and rng.random() < 0.5:
        last.pop("moves", None)
    if tiling is not None:
        tiling.clear()
        if rng.random() < 0.5:
            del last["tiling"]
    return cut


def random_deal(table: Table, rng: random.Random) -> tuple[list[list[str]], str | None]:
    """Draw the next deal and the extra tile, pouring the lid when the bag is empty."""
    bag, lid = sorted(table.bag.elements()), sorted(table.lid.elements())

    def draw() -> str | None:
        if not bag:
            bag.extend(lid)
            lid.clear()
        return bag.pop(rng.randrange(len(bag))) if bag else None

    drawn = [[draw() for _ in range(4)] for _ in range(table.factory_count)]
    factories = [[tile for tile in tiles if tile is not None] for tiles in drawn]
    return factories, draw() if "plus_one" in table.special else None


def _random_special(players: int, rng: random.Random) -> list[str | None]:
    """Lay out 2n + 1 of the nine discs and turn over as many as there are players."""
    discs = rng.sample(SPECIALS, 2 * players + 1)
    gold = rng.sample(range(len(discs)), players)
    return [disc if index in gold else None for index, disc in enumerate(discs)]


def _random_round(
    table: Table, rng: random.Random, policy: str, legal: bool, rounds: int
) -> dict[str, Any]:
    factories, extra = random_deal(table, rng)
    record: dict[str, Any] = {"starter": table.starter, "factories": factories}
    # Without plus_one the field may be absent or null; both are to be met.
    if "plus_one" in table.special or rng.random() < 0.05:
        record["extra"] = extra
    table.deal(factories, extra)
    record["moves"] = moves = []
    while not table.offer_is_empty():
        options = table.legal_takes()
        choice = _choose(table, options, rng, policy, rounds)
        moves.append(_recorded(choice, table.turn, options, rng, legal))
        table.take(choice)
    if table.gray:
        record["tiling"] = tiling = []
        while (pending := table.pending_tiling()) is not None:
            player, row = pending
            columns = table.columns(player, row)
            column: int | str = rng.choice(columns) if columns else "floor"
            tiling.append({"player": player, "row": row, "column": column})
            table.tile(column)
    else:
        table.tile_colored_walls()
    table.finish_round()
    record["scores_after"] = table.scores()
    return record


def _recorded(
    choice: Move, player: int, options: list[Move], rng: random.Random, legal: bool
) -> dict[str, Any]:
    source, color, line = choice[:3]
    move: dict[str, Any] = {"player": player, "source": source, "color": color, "line": line}
    sides: list[list[str]] = choice[3:] or [[], []]
    # The order within a side is free, and an empty side may be written or left out.
    for name, side in zip(("left", "right"), sides, strict=True):
        if side or rng.random() < (0.8 if choice[3:] else 0.02):
            move[name] = rng.sample(side, len(side))
    move["legal_count"] = len(options)
    if legal:
        move["legal"] = options
    return move


def _choose(
    table: Table, options: list[Move], rng: random.Random, policy: str, rounds: int
) -> Move:
    on_lines = [move for move in options if move[2] != "floor"]
    on_floor = [move for move in options if move[2] == "floor"]
    if policy == "uniform":
        return rng.choice(options)
    if policy == "nofloor":
        return rng.choice(on_lines or options)
    if policy == "floorhappy":
        return rng.choice(on_floor if rng.random() < 0.85 else options)
    if rng.random() < 0.05 and policy == "builder":
        return rng.choice(on_lines or options)
    # Hoarders could go on for ever; those of a long game turn into builders.
    hoards = policy == "hoarder" and rounds < HOARDING_ROUNDS
    value = _hoarder_value if hoards else _builder_value
    values = [value(table, move) for move in options]
    return rng.choice([m for m, v in zip(options, values, strict=True) if v == max(values)])


def _outlook(table: Table, move: Move) -> tuple[int, int]:
    """Tell how many tiles would fall, and how many spaces of the line would stay free."""
    source, color, line = move[:3]
    tiles = table.center if source == "center" else table.factories[source]
    count = tiles.count(color)
    if line == "floor":
        return count, 0
    room = line + 1 - len(table.players[table.turn].lines[line])
    return max(0, count - room), max(0, room - count)


def _builder_value(table: Table, move: Move) -> int:
    """Like lines that are filled exactly, dislike every tile that falls."""
    falling, free = _outlook(table, move)
    if move[2] == "floor":
        return -20 * falling
    return -10 * falling + (5 + int(move[2]) if falling == free == 0 else -free)


def _hoarder_value(table: Table, move: Move) -> int:
    """Keep tiles out of the lid and never end the game, so that they get scarce.

    The wall holds the most in the end, so a line is filled where that does not complete a row;
    else a new long line is started, and it is left open for long. The color of which most is
    left goes first, lest the last tiles are of one that nobody can use.
    """
    falling, free = _outlook(table, move)
    if move[2] == "floor":
        return -100 - 10 * falling
    player = table.players[table.turn]
    line = int(move[2])
    abundance = 2 * _supply(table)[move[1]]
    if free:
        return 20 + abundance + line + (3 if not player.lines[line] else 0)
    if sum(cell is not None for cell in player.wall[line]) == 4:
        return -500 - 10 * falling
    return 40 + abundance - line - 10 * falling


def _supply(table: Table) -> Counter[str]:
    """Count the tiles that are on no board: in the bag, in the lid and on offer."""
    tiles = table.bag + table.lid + Counter(table.center)
    for factory in table.factories:
        tiles.update(factory)
    return tiles
