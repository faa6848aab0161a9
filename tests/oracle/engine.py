"""The rules of Azul and Master Chocolatier, written to be read and not to be fast.

Everything is spelled out: a factory is a list of color names, the bag and the lid are counters,
a wall is a list of rows. The class `Table` plays any legal course of a game and refuses all else
with `RuleError`. It draws no random numbers, knows no file format beyond the form of a move in
the `legal` lists of azul-game/1, and leaves Duel out.
"""

from __future__ import annotations

from collections import Counter
from itertools import product
from typing import Any

from .board import COLORS, Player

RULESETS = ("azul", "azul-gray", "chocolatier", "chocolatier-gray")
SPECIALS = ("plus_one", *(f"magnet_{color}" for color in COLORS), "keep", "spread", "shield")
PENALTIES = (1, 1, 2, 2, 2, 3, 3)
MARKER = "marker"

Move = list[Any]
"""A take as in `legal`: [source, color, line] or [source, color, line, left, right]."""


class RuleError(Exception):
    """What was asked for is against the rules; the text is a short word for why."""


def same(one: object, other: object) -> bool:
    """Compare two JSON values strictly, so that neither true nor 1.0 passes for 1."""
    if type(one) is not type(other):
        return False
    if isinstance(one, list) and isinstance(other, list):
        return len(one) == len(other) and all(same(a, b) for a, b in zip(one, other, strict=True))
    return one == other


def is_number(value: object, stop: int) -> bool:
    """Say whether the value is an integer (no boolean, no float) of range(stop)."""
    return type(value) is int and 0 <= value < stop


def contains(whole: Counter[str], part: Counter[str]) -> bool:
    """Say whether every tile of the part is in the whole."""
    return all(whole[tile] >= count for tile, count in part.items())


class Table:
    """A game in progress.

    The course of a round: `deal`, then `take` until `offer_is_empty`, then `tile` as long as
    `pending_tiling` names a line (or `tile_colored_walls`), then `finish_round`, after which
    `over` tells whether another round follows. `seen` counts the rare cases met on the way.
    """

    def __init__(
        self, ruleset: str, players: int, special: list[str | None] | None, starter: int
    ) -> None:
        """Set the table for a game; `special` is one entry a factory, or None in plain Azul."""
        self.gray = ruleset.endswith("gray")
        self.factory_count = 2 * players + 1
        self.special: list[str | None] = special or [None] * self.factory_count
        self.players = [Player() for _ in range(players)]
        self.starter = starter
        self.turn = starter
        self.bag: Counter[str] = Counter(dict.fromkeys(COLORS, 20))
        self.lid: Counter[str] = Counter()
        self.factories: list[list[str]] = [[] for _ in range(self.factory_count)]
        self.center: list[str] = []
        self.marker_in_center = False
        self.marker_holder: int | None = None
        self.taken_shield: int | None = None
        self.over = False
        self.seen: Counter[str] = Counter()

    # The deal.

    def deal(self, factories: list[Any], extra: object) -> None:
        """Deal a whole round as given."""
        self.deal_factories(factories)
        self.deal_extra(extra)

    def deal_factories(self, factories: list[Any]) -> None:
        """Deal the given tiles to the factories, if bag and lid can yield them in that order."""
        if self.over:
            raise RuleError("over")
        if len(factories) != self.factory_count:
            raise RuleError("factory-count")
        for index, tiles in enumerate(factories):
            self._draw_factory(tiles)
            self.factories[index] = list(tiles)
        self.center = []
        self.marker_in_center = True
        self.marker_holder = None
        self.turn = self.starter

    def _draw_factory(self, tiles: object) -> None:
        if not isinstance(tiles, list):
            raise RuleError("factory-type")
        if not all(tile in COLORS for tile in tiles):
            raise RuleError("color")
        # A15: factories are filled one after the other while tiles last.
        if len(tiles) != min(4, self.bag.total() + self.lid.total()):
            raise RuleError("factory-size")
        if len(tiles) < 4:
            self.seen["short factory"] += 1
        wanted = Counter(tiles)
        if len(tiles) > self.bag.total():
            # A13: the bag runs out within this factory, so all that is left in it lies here, and
            # only then the lid is poured in.
            if not contains(wanted, self.bag):
                raise RuleError("bag-not-emptied")
            self.seen["refill within a factory" if self.bag.total() else "refill"] += 1
            wanted -= self.bag
            self.bag, self.lid = self.lid, Counter()
        if not contains(self.bag, wanted):
            raise RuleError("tiles-not-there")
        self.bag -= wanted

    def deal_extra(self, extra: object) -> None:
        """Draw the given tile for plus_one (None: no tile), then let the special factories act."""
        if "plus_one" in self.special:
            if self.bag.total() == 0 and self.lid.total() > 0:
                self.bag, self.lid = self.lid, Counter()
                self.seen["refill for the extra tile"] += 1
            if self.bag.total() == 0:
                # C3: with bag and lid empty nothing is added.
                if extra is not None:
                    raise RuleError("extra-not-there")
                self.seen["no extra tile"] += 1
            else:
                if not (isinstance(extra, str) and extra in COLORS and self.bag[extra] > 0):
                    raise RuleError("extra-not-there")
                self.bag -= Counter([extra])
        elif extra is not None:
            raise RuleError("extra-without-plus-one")
        # C2: only after the whole deal, in the order of the circle.
        for index, kind in enumerate(self.special):
            if kind == "plus_one" and isinstance(extra, str):
                self.factories[index].append(extra)
            if kind is not None and kind.startswith("magnet_"):
                self._attract(index, kind.removeprefix("magnet_"))

    def _attract(self, index: int, color: str) -> None:
        for step in (-1, 1):
            neighbor = self.factories[self.neighbor(index, step)]
            if color in neighbor:
                neighbor.remove(color)
                self.factories[index].append(color)
                self.seen["magnet attracts"] += 1

    def neighbor(self, index: int, step: int) -> int:
        """Find the next factory to the left (-1) or right (1) that is still in the circle."""
        found = (index + step) % self.factory_count
        if found == self.taken_shield:
            # C6: the place of a shield taken this round is skipped.
            found = (found + step) % self.factory_count
        return found

    # Taking tiles.

    def offer_is_empty(self) -> bool:
        """Say whether no tile is left to take; the marker alone is no tile (A5)."""
        return not self.center and not any(self.factories)

    def _tiles_at(self, source: int | str) -> list[str]:
        return self.center if isinstance(source, str) else self.factories[source]

    def _kind(self, source: int | str) -> str | None:
        return None if isinstance(source, str) else self.special[source]

    def _accepts(self, player: Player, row: int, color: str) -> bool:
        line = player.lines[row]
        return (
            len(line) < row + 1
            and all(tile == color for tile in line)
            and color not in player.wall[row]
        )

    def legal_takes(self) -> list[Move]:
        """List the moves of the player in turn, in the published order."""
        player = self.players[self.turn]
        moves: list[Move] = []
        for source in [*range(self.factory_count), "center"]:
            for color in COLORS:
                if color not in self._tiles_at(source):
                    continue
                rows = [row for row in range(5) if self._accepts(player, row, color)]
                moves += [
                    [source, color, line, *division]
                    for line in [*rows, "floor"]
                    for division in self._divisions(source, color)
                ]
        return moves

    def _divisions(self, source: int | str, color: str) -> list[list[list[str]]]:
        tiles = self._tiles_at(source)
        rest = [other for other in COLORS if other in tiles and other != color]
        if self._kind(source) != "spread" or not rest:
            return [[]]
        divisions = []
        # The product counts up in binary, the first color being the most significant digit.
        for sides in product((0, 1), repeat=len(rest)):
            left = [other for other, side in zip(rest, sides, strict=True) if side == 0]
            right = [other for other, side in zip(rest, sides, strict=True) if side == 1]
            divisions.append([left, right])
        return divisions

    def take(self, move: Move) -> None:
        """Play a move of `legal_takes` for the player in turn."""
        if not any(same(move, legal) for legal in self.legal_takes()):
            raise RuleError("illegal-move")
        source, color, line = move[:3]
        player = self.players[self.turn]
        tiles = self._tiles_at(source)
        taken = [tile for tile in tiles if tile == color]
        rest = [tile for tile in tiles if tile != color]
        if source == "center":
            self.center = rest
            # A2: the marker lies down before the tiles.
            self._take_marker(player)
        else:
            self.factories[source] = []
            self._leave(source, rest, move)
        why = "chosen floor" if line == "floor" else "surplus"
        for tile in taken:
            if line != "floor" and len(player.lines[line]) < line + 1:
                player.lines[line].append(tile)
            else:
                self._drop(player, tile, why)
        self.turn = (self.turn + 1) % len(self.players)

    def _take_marker(self, player: Player) -> None:
        if not self.marker_in_center:
            return
        self.marker_in_center = False
        self.marker_holder = self.turn
        # A1: on a full floor line the marker costs nothing, C11: the shield is not for it.
        if len(player.floor) < 7:
            player.floor.append(MARKER)
        else:
            self.seen["marker on a full floor"] += 1
        if player.has_shield and player.shield_tile is None:
            self.seen["marker beside an empty shield"] += 1

    def _leave(self, source: int, rest: list[str], move: Move) -> None:
        """Put what was not taken from a factory where it belongs."""
        kind = self.special[source]
        if kind == "keep":
            self.factories[source] = rest
            if rest:
                self.seen["keep keeps"] += 1
        elif kind == "spread" and rest:
            for colors, step in ((move[3], -1), (move[4], 1)):
                self._spread([tile for tile in rest if tile in colors], source, step)
        else:
            self.center += rest
        if kind == "shield":
            # C10, C15: owned at once, also when nothing was left on it.
            self.players[self.turn].has_shield = True
            self.taken_shield = source
            if not rest:
                self.seen["shield of one color"] += 1

    def _spread(self, tiles: list[str], source: int, step: int) -> None:
        target = self.neighbor(source, step)
        if not tiles:
            return
        if self.special[target] is not None:
            self.seen["spread onto a special factory"] += 1
        if not self.factories[target]:
            self.seen["spread onto an empty factory"] += 1
        if target != (source + step) % self.factory_count:
            self.seen["spread past a taken shield"] += 1
        self.factories[target] += tiles

    def _drop(self, player: Player, tile: str, why: str) -> None:
        """Let one tile fall: onto the shield, else the floor line, else into the lid (A4)."""
        if player.has_shield and player.shield_tile is None:
            player.shield_tile = tile
            self.seen[f"shield takes {why}"] += 1
        elif len(player.floor) < 7:
            player.floor.append(tile)
        else:
            self.lid[tile] += 1
            self.seen["floor overflows"] += 1

    # Tiling.

    def pending_tiling(self) -> tuple[int, int] | None:
        """Name the next full line as (player, row), players ascending and rows from the top."""
        for index, player in enumerate(self.players):
            for row, line in enumerate(player.lines):
                if len(line) == row + 1:
                    return index, row
        return None

    def columns(self, index: int, row: int) -> list[int]:
        """List the columns open to the full line of that row; an empty list means eviction."""
        player = self.players[index]
        color = player.lines[row][0]
        if not self.gray:
            return [(row + COLORS.index(color)) % 5]
        return [
            column
            for column in range(5)
            if player.wall[row][column] is None
            and all(player.wall[other][column] != color for other in range(5))
        ]

    def tile(self, column: object) -> None:
        """Tile the pending line into that column, or evict it with "floor" when it fits nowhere."""
        pending = self.pending_tiling()
        if pending is None or not self.offer_is_empty():
            raise RuleError("no-tiling-due")
        index, row = pending
        player = self.players[index]
        options = self.columns(index, row)
        line, color = player.lines[row], player.lines[row][0]
        if not options:
            # V4: all tiles of the line fall, and count in this round.
            if not same(column, "floor"):
                raise RuleError("column-does-not-fit")
            player.lines[row] = []
            self.seen["eviction"] += 1
            for tile in line:
                self._drop(player, tile, "an evicted line")
            return
        # V1: the floor may not be chosen while a column fits.
        if not any(same(column, option) for option in options):
            raise RuleError("column-does-not-fit")
        assert isinstance(column, int)
        player.lines[row] = []
        player.wall[row][column] = color
        self.lid[color] += row
        player.score += player.points_for(row, column)

    def tile_colored_walls(self) -> None:
        """Tile all full lines of colored walls, where there is nothing to choose."""
        while (pending := self.pending_tiling()) is not None:
            self.tile(self.columns(*pending)[0])

    # The end of a round and of the game.

    def finish_round(self) -> None:
        """Charge and clear the floor lines, name the next starter, see whether the game is over."""
        if self.pending_tiling() is not None or not self.offer_is_empty():
            raise RuleError("round-not-finished")
        for player in self.players:
            # A9: after the gains of the round, and never below 0.
            player.score = max(0, player.score - sum(PENALTIES[: len(player.floor)]))
            self.lid.update(tile for tile in player.floor if tile != MARKER)
            if player.shield_tile is not None:
                self.lid[player.shield_tile] += 1
            elif player.has_shield:
                self.seen["shield unused"] += 1
            player.floor, player.has_shield, player.shield_tile = [], False, None
        self.taken_shield = None
        if self.marker_holder is None:
            # A5: nobody took from the center, the same player starts again.
            self.seen["marker not taken"] += 1
        else:
            self.starter = self.marker_holder
        if any(player.complete_rows() for player in self.players):
            self.over = True
        elif self.bag.total() + self.lid.total() == 0:
            # A14: no tile can be dealt.
            self.over = True
            self.seen["end without tiles"] += 1

    def scores(self) -> list[int]:
        """Give the scores as they stand."""
        return [player.score for player in self.players]

    def complete_rows(self) -> list[int]:
        """Give each player's number of complete rows."""
        return [player.complete_rows() for player in self.players]

    def final_scores(self) -> list[int]:
        """Give the scores with the bonuses of the end."""
        return [player.score + player.bonus() for player in self.players]

    def winners(self) -> list[int]:
        """Name those with the most points and then the most rows; equals share (A11)."""
        keys = list(zip(self.final_scores(), self.complete_rows(), strict=True))
        return [index for index, key in enumerate(keys) if key == max(keys)]
