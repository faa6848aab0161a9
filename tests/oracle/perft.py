"""Counts move sequences on the oracle, with its own reading and writing of notation.

It follows docs/notation.md, docs/draws.md and docs/perft.md, and shares no code with the
library: what it must agree with are the perft files. A sequence is walked plainly, nothing
is merged. The oracle tiles a round as one act; here it is cut into the choices of the seats
in turn order, each seat paying its floor line when its own tiling is done (V8).
"""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from .board import COLORS, Player
from .draws import FIRST_PLAYER, SPECIAL_FACTORIES, TILES, pick, stream, uniform
from .engine import MARKER, PENALTIES, Table

LETTERS = dict(zip("BYRKW", COLORS, strict=True)) | {"M": MARKER}
LETTER_OF = {name: letter for letter, name in LETTERS.items()}
# The numbers of the discs in docs/draws.md, from 1.
DISCS = [f"magnet_{color}" for color in ("black", "white", "blue", "yellow", "red")]
DISCS += ["shield", "spread", "keep", "plus_one"]


class TurnOrderTable(Table):
    """The oracle's table, but seats tile in the order of their turns."""

    round_starter = 0

    def pending_tiling(self) -> tuple[int, int] | None:
        """Name the next full line as (player, row), from the round's starter on."""
        count = len(self.players)
        for index in [(self.round_starter + step) % count for step in range(count)]:
            for row, line in enumerate(self.players[index].lines):
                if len(line) == row + 1:
                    return index, row
        return None

    def clone(self) -> TurnOrderTable:
        """Copy everything that changes."""
        new = TurnOrderTable.__new__(TurnOrderTable)
        new.__dict__.update(self.__dict__)
        new.players = [
            Player(
                player.score,
                [list(line) for line in player.lines],
                [list(row) for row in player.wall],
                list(player.floor),
                player.has_shield,
                player.shield_tile,
            )
            for player in self.players
        ]
        new.bag, new.lid, new.seen = Counter(self.bag), Counter(self.lid), Counter()
        new.factories = [list(tiles) for tiles in self.factories]
        new.center = list(self.center)
        return new


@dataclass
class State:
    """A table with what notation knows beside it; `starter` is None while it is open."""

    ruleset: str
    cap: int | None
    round: int
    starter: int | None
    turn: int | str
    table: TurnOrderTable

    def copy(self) -> State:
        """Copy everything that changes."""
        table = self.table.clone()
        return State(self.ruleset, self.cap, self.round, self.starter, self.turn, table)


# Notation -----------------------------------------------------------------------------------


def read(text: str) -> State:
    """Read a position; what stands in it is taken on trust."""
    head, *parts = text.split(" ")
    values = dict(part.split("=", 1) for part in parts)
    ruleset = head.split("/")[0]
    boards = [value for name, value in values.items() if name.startswith("seat")]
    factories = [entry.rpartition(":") for entry in values["factories"].split(",")]
    special = [disc or None for disc, _, _ in factories]
    starter = None if values["starter"] == "?" else int(values["starter"])
    table = TurnOrderTable(ruleset, len(boards), special, starter or 0)
    table.round_starter = starter or 0
    table.players = [_read_board(board) for board in boards]
    for index, (_, _, tiles) in enumerate(factories):
        if tiles == "out":
            table.taken_shield = index
        else:
            table.factories[index] = _read_tiles(tiles)
    table.center = _read_tiles(values["center"])
    table.bag, table.lid = _read_counts(values["bag"]), _read_counts(values["lid"])
    if values["marker"] == "center":
        table.marker_in_center = True
    else:
        table.marker_holder = int(values["marker"])
    turn: int | str = values["turn"]
    if turn in ("deal", "over"):
        table.over = turn == "over"
        # Between rounds the oracle already names who starts the next one.
        table.starter = table.starter if table.marker_holder is None else table.marker_holder
    else:
        turn = table.turn = int(turn)
    cap = None if values["cap"] == "none" else int(values["cap"])
    return State(ruleset, cap, int(values["round"]), starter, turn, table)


def _read_tiles(text: str) -> list[str]:
    return [LETTERS[letter] for letter in text if letter != "-"]


def _read_counts(text: str) -> Counter[str]:
    counts: Counter[str] = Counter()
    number = ""
    for sign in text.replace("-", ""):
        if sign.isdigit():
            number += sign
        else:
            counts[LETTERS[sign]] = int(number)
            number = ""
    return counts


def _read_board(text: str) -> Player:
    score, lines, wall, floor, *shield = text.split(":")
    player = Player(score=int(score))
    player.lines = [_read_tiles(line) for line in lines.split("/")]
    player.wall = [[LETTERS.get(cell) for cell in row] for row in wall.split("/")]
    player.floor = _read_tiles(floor)
    if shield:
        player.has_shield = True
        player.shield_tile = LETTERS.get(shield[0].removeprefix("shield"))
    return player


def write(state: State) -> str:
    """Write a position."""
    table = state.table
    factories = []
    for index, disc in enumerate(table.special):
        tiles = "out" if index == table.taken_shield else _write_tiles(table.factories[index])
        factories.append(f"{disc}:{tiles}" if disc else tiles)
    fields = [
        f"{state.ruleset}/1",
        f"cap={'none' if state.cap is None else state.cap}",
        f"round={state.round}",
        f"starter={'?' if state.starter is None else state.starter}",
        f"turn={state.turn}",
        f"marker={'center' if table.marker_holder is None else table.marker_holder}",
        f"factories={','.join(factories)}",
        f"center={_write_tiles(table.center)}",
        f"bag={_write_counts(table.bag)}",
        f"lid={_write_counts(table.lid)}",
    ]
    fields += [f"seat{index}={_write_board(player)}" for index, player in enumerate(table.players)]
    return " ".join(fields)


def _write_tiles(tiles: list[str]) -> str:
    ordered = sorted(tiles, key=COLORS.index)
    return "".join(LETTER_OF[tile] for tile in ordered) or "-"


def _write_counts(counts: Counter[str]) -> str:
    return "".join(f"{counts[color]}{LETTER_OF[color]}" for color in COLORS if counts[color]) or "-"


def _write_board(player: Player) -> str:
    lines = "/".join(_write_tiles(line) for line in player.lines)
    rows = ["".join(LETTER_OF[cell] if cell else "." for cell in row) for row in player.wall]
    floor = "".join(LETTER_OF[tile] for tile in player.floor) or "-"
    text = f"{player.score}:{lines}:{'/'.join(rows)}:{floor}"
    if player.has_shield:
        text += ":shield" + (LETTER_OF[player.shield_tile] if player.shield_tile else "")
    return text


# Deals --------------------------------------------------------------------------------------


def deal(state: State, text: str) -> None:
    """Deal what the text says."""
    values = dict(part.split("=", 1) for part in text.split(" "))
    starter = int(values["starter"]) if "starter" in values else None
    special = None
    if "gold" in values:
        special = [None if disc == "-" else disc for disc in values["gold"].split(",")]
    factories = [_read_tiles(tiles) for tiles in values["factories"].split(",")]
    extra = LETTERS[values["extra"]] if "extra" in values else None
    _deal(state, factories, extra, starter, special)


def draw(state: State, seed: bytes, number: int) -> None:
    """Deal what the streams of that number give under a fixed seed."""
    table = state.table
    players = len(table.players)
    starter = special = None
    if state.round == 0:
        if state.starter is None:
            starter = uniform(stream(seed, players, number, FIRST_PLAYER), players)
        if state.ruleset.startswith("chocolatier"):
            source = stream(seed, players, number, SPECIAL_FACTORIES)
            discs = pick(source, DISCS, table.factory_count)
            gold = pick(source, list(range(table.factory_count)), players)
            special = [disc if place in gold else None for place, disc in enumerate(discs)]
    source = stream(seed, players, number, TILES)
    bag = [color for color in COLORS for _ in range(table.bag[color])]
    lid = [color for color in COLORS for _ in range(table.lid[color])]

    def one() -> str | None:
        if not bag:
            bag.extend(lid)
            lid.clear()
        return bag.pop(uniform(source, len(bag))) if bag else None

    drawn = [[one() for _ in range(4)] for _ in range(table.factory_count)]
    factories = [[tile for tile in tiles if tile is not None] for tiles in drawn]
    extra = one() if "plus_one" in (special or table.special) else None
    _deal(state, factories, extra, starter, special)


def _deal(
    state: State,
    factories: list[list[str]],
    extra: str | None,
    starter: int | None,
    special: list[Any] | None,
) -> None:
    table = state.table
    if special is not None:
        table.special = special
    if starter is not None:
        table.starter = starter
    table.deal(factories, extra)
    state.round += 1
    state.turn = state.starter = table.round_starter = table.starter


# Moves --------------------------------------------------------------------------------------


def moves(state: State) -> list[Any]:
    """List the takes, or the columns of the line that is to be tiled."""
    table = state.table
    if not table.offer_is_empty():
        return list(table.legal_takes())
    pending = table.pending_tiling()
    assert pending is not None
    return list(table.columns(*pending))


def play(state: State, move: Any) -> None:
    """Play a move and everything that is forced after it."""
    table = state.table
    if not table.offer_is_empty():
        table.take(move)
        if not table.offer_is_empty():
            state.turn = table.turn
            return
    else:
        table.tile(move)
    _go_on_tiling(state)


def _go_on_tiling(state: State) -> None:
    table = state.table
    count = len(table.players)
    for index in [(table.round_starter + step) % count for step in range(count)]:
        while (pending := table.pending_tiling()) is not None and pending[0] == index:
            columns = table.columns(*pending)
            if len(columns) > 1:
                state.turn = index
                return
            table.tile(columns[0] if columns else "floor")
        player = table.players[index]
        player.score = max(0, player.score - sum(PENALTIES[: len(player.floor)]))
        table.lid.update(tile for tile in player.floor if tile != MARKER)
        player.floor = []
    table.finish_round()
    over = table.over or state.round == state.cap
    state.turn = "over" if over else "deal"


# Perft --------------------------------------------------------------------------------------


def leaves(
    state: State, depth: int, deals: tuple[str, ...], seed: bytes | None, dealt: int = 0
) -> Iterator[str]:
    """Yield the notation at the end of every sequence of so many moves."""
    if depth == 0:
        yield write(state)
        return
    if state.turn == "over":
        return
    if state.turn == "deal":
        dealt += 1
        if dealt <= len(deals):
            deal(state, deals[dealt - 1])
        else:
            assert seed is not None
            draw(state, seed, dealt)
    for move in moves(state):
        after = state.copy()
        play(after, move)
        yield from leaves(after, depth - 1, deals, seed, dealt)


def perft(position: str, depth: int, deals: tuple[str, ...], seed: bytes | None) -> tuple[int, str]:
    """Return count and digest."""
    count = total = 0
    for text in leaves(read(position), depth, deals, seed):
        count += 1
        total += int(hashlib.sha256(text.encode("ascii")).hexdigest()[:16], 16)
    return count, f"{total % 2**64:016x}"
