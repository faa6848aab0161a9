"""Small tables of the Duel oracle, for the tests of its rules."""

from collections import Counter

from tests.oracle.duel.board import Player
from tests.oracle.duel.components import COLORS, SPECIAL
from tests.oracle.duel.engine import Table
from tests.oracle.duel.supply import Supply


def colors(letters: str) -> list[str]:
    """Read tiles from one letter each, K for black."""
    names = dict(zip("BYRKT", COLORS, strict=True))
    return [names[letter] for letter in letters]


def dome(*plates: int) -> Player:
    """Return a board with these plates in slots 0, 1, 2 ..., none of them turned."""
    player = Player()
    for slot, plate in enumerate(plates):
        player.lay_plate(plate, slot, 0)
    return player


def full_dome() -> Player:
    """Return a board with the first nine plates and a tile on every cell that takes one."""
    player = dome(*range(9))
    for row in range(6):
        for column in range(6):
            if player.cell(row, column) != SPECIAL:
                player.place(row, column, COLORS[(row + column) % 5])
    return player


def a_round(number: int = 1) -> Table:
    """Return a table in the midst of a game, the round begun by player 0, all factories bare."""
    table = Table(["rows", "columns", "diagonals"], list(range(18)))
    table.round = number - 1
    table.openings = 2
    table.start_round(0)
    return table


def supply(bag: str, tower: str = "") -> Supply:
    """Return a supply of these tiles only."""
    made = Supply(Counter())
    made.bag, made.tower = Counter(colors(bag)), Counter(colors(tower))
    return made
