"""Players for random games of Duel, each with a policy that leads into rare corners.

None of them is any good. They look at the table, never at the order of the stack or the bag.
"""

from __future__ import annotations

import random
from dataclasses import dataclass

from .board import Player, cells_of
from .components import SPECIAL, WILD, plate_cells
from .engine import Move, Table

POLICIES = ("uniform", "builder", "floorhappy", "drawer", "spender", "hoarder", "mixed")
# Where a tile goes if several cells take it: anywhere, to one column, to a diagonal, to the
# plate that lacks least, or where it scores most. Who likes colors takes those a row lacks.
TASTES = ("any", "columns", "diagonals", "plates", "points", "colors")

DRAWS_AT_ALL = {"drawer": 0.8, "builder": 0.05, "spender": 0.05, "hoarder": 0.02}
DRAWS_AGAIN = {"drawer": 0.85, "uniform": 0.5, "floorhappy": 0.5}
# In one of these rounds hoarders leave the long lines open, so that their tiles do not come back
# and the next deals run short. Else they build, since the dome holds the most.
HOARDING_ROUNDS = (2, 3)
HOARDED_FROM = 2


@dataclass(frozen=True)
class Bot:
    """One player: a policy for phase 1 and chips, a taste for cells."""

    policy: str
    taste: str
    hoarding_round: int

    # Phase 1.

    def open(self, table: Table, rng: random.Random) -> Move:
        """Choose an opening placement."""
        return rng.choice(table.legal_openings())

    def move(self, table: Table, rng: random.Random) -> Move:
        """Choose a decision of phase 1."""
        if table.has_stopped:
            return self._keep(table, rng)
        options = table.legal_moves()
        if not options:
            return ["pass"]
        if table.drawn:
            goes_on = len(options) > 1 and rng.random() < DRAWS_AGAIN.get(self.policy, 0.15)
            return ["draw"] if goes_on else ["stop"]
        if self.policy == "uniform":
            # By kind first, since stacks and rotations would crowd out everything else.
            kind = rng.choice(sorted({option[0] for option in options}))
            return rng.choice([option for option in options if option[0] == kind])
        if ["draw"] in options and rng.random() < DRAWS_AT_ALL.get(self.policy, 0.0):
            return ["draw"]
        if self.policy == "floorhappy":
            broken = [option for option in options if "broken" in option]
            return rng.choice(broken if broken and rng.random() < 0.85 else options)
        return max(options, key=lambda option: self._value(table, option) + 4 * rng.random())

    def _keep(self, table: Table, rng: random.Random) -> Move:
        player = table.players[table.turn]
        tries = [
            (rng.choice(table.drawn), rng.choice(player.free_slots()), rng.randrange(4))
            for _ in range(1 if self.policy == "uniform" else 8)
        ]
        plate, slot, rotation = max(tries, key=lambda choice: plate_value(player, *choice))
        others = [other for other in table.drawn if other != plate]
        return ["keep", plate, slot, rotation, rng.sample(others, len(others))]

    def _value(self, table: Table, move: Move) -> float:
        player = table.players[table.turn]
        match move[0]:
            case "plate":
                return 1 + 3 * plate_value(player, *move[1:])
            case "draw":
                return 0
            case "chip":
                return 8 if self.policy == "spender" else 3
            case "sun":
                count = table.offer.sun(move[1]).count(move[2])
                return self._take_value(table, count, move[2], move[3])
            case _:
                tops = [stack[-1] for stack in table.offer.small_moon if stack]
                count = (tops + table.offer.large_moon).count(move[1])
                return self._take_value(table, count, move[1], move[2])

    def _take_value(self, table: Table, count: int, color: str, line: int | str) -> float:
        if isinstance(line, str):
            return -20.0 * count
        player = table.players[table.turn]
        room = line + 1 - len(player.lines[line])
        falling, free = max(0, count - room), max(0, room - count)
        fits = bool(player.columns_for(line, color))
        value = -10.0 * falling + (4 if fits else -6)
        if self.taste == "colors" and color in player.tiles[line]:
            value -= 6
        if self._hoards(table, line):
            return value + (6 + count if free else -12)
        if self.policy == "spender":
            return value + (6 if free in (1, 2) else 0)
        return value + (5 + line if free == 0 else -free)

    def _hoards(self, table: Table, line: int) -> bool:
        is_time = table.round == self.hoarding_round
        return self.policy == "hoarder" and is_time and line >= HOARDED_FROM

    # Phase 2.

    def tile(self, table: Table, rng: random.Random) -> Move:
        """Choose what happens to the pending line."""
        options = table.tiling_options()
        placing = [option for option in options if option[0] != "leave"]
        if len(placing) < len(options) and self._leaves(table, rng):
            return options[-1]
        fewest = min(len(chips) for _, chips in placing)
        if self.policy not in ("uniform", "spender") and rng.random() < 0.8:
            placing = [option for option in placing if len(option[1]) == fewest]
        player, row = table.players[table.tiling_player], table.tiling_line
        values = [self._cell_value(player, row, column) for column, _ in placing]
        best = max(values)
        return rng.choice([o for o, value in zip(placing, values, strict=True) if value == best])

    def _leaves(self, table: Table, rng: random.Random) -> bool:
        if self._hoards(table, table.tiling_line):
            return True
        return rng.random() < (0.1 if self.policy in ("spender", "hoarder") else 0.3)

    def _cell_value(self, player: Player, row: int, column: int) -> int:
        match self.taste:
            case "columns":
                return sum(player.tiles[other][column] is not None for other in range(6))
            case "diagonals":
                return int(column in (row, 5 - row))
            case "plates":
                cells = cells_of(3 * (row // 2) + column // 2)
                filled = sum(player.tiles[r][c] is not None for r, c in cells)
                return filled + 2 * any(player.cell(r, c) == SPECIAL for r, c in cells)
            case "points":
                return player.points_for(row, column)
            case _:
                return 0


def plate_value(player: Player, plate: int, slot: int, rotation: int) -> int:
    """Count the lines with tiles that would find a cell on the plate laid there."""
    kinds = plate_cells(plate, rotation)
    value = 0
    for (row, _), kind in zip(cells_of(slot), kinds, strict=True):
        line = player.lines[row]
        value += bool(line) and kind in (line[0], WILD)
    return value


def random_bots(rng: random.Random, policy: str) -> list[Bot]:
    """Seat two players of that policy; in a mixed game each has one of its own."""
    single = [name for name in POLICIES if name != "mixed"]
    policies = [rng.choice(single) if policy == "mixed" else policy for _ in range(2)]
    hoarding_round = rng.choice(HOARDING_ROUNDS)
    return [Bot(name, rng.choice(TASTES), hoarding_round) for name in policies]
