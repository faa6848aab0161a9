"""The components of Azul and Master Chocolatier: every number that a box prints.

One place per fact: a rule elsewhere that needs a size, a penalty or a picture reads it
here. docs/rules/azul.md and docs/rules/chocolatier.md say where each comes from.
"""

from typing import Final

from referee.native.hints import i64
from referee.rules.tally import COLORS, of_counts

BLUE: Final = 0
YELLOW: Final = 1
RED: Final = 2
BLACK: Final = 3
WHITE: Final = 4
COLOR_NAMES: Final = ("blue", "yellow", "red", "black", "white")
COLOR_LETTERS: Final = "BYRKW"
MARKER_LETTER: Final = "M"

TILES_PER_COLOR: Final = 20
FULL_BAG: Final = of_counts([TILES_PER_COLOR] * COLORS)
TILES_PER_FACTORY: Final = 4
# In the place of a seat, a factory or a color: there is none.
NOBODY: Final = -1

# A16: the round after which a game ends at the latest, and what an organiser may choose.
DEFAULT_ROUND_CAP: Final = 20
MAX_ROUND_CAP: Final = 64

MIN_SEATS: Final = 2
MAX_SEATS: Final = 4
MAX_FACTORIES: Final = 9

# The first-player marker among the tiles of a floor line.
MARKER: Final = COLORS

ROWS: Final = 5
# The target of a move that is no pattern line.
FLOOR: Final = ROWS
# The source of a move that is no factory: the center comes after every factory.
CENTER: Final = MAX_FACTORIES

FLOOR_SPACES: Final = 7
# Cumulative: what a floor line with that many occupied spaces costs.
FLOOR_PENALTY: Final[list[i64]] = [0, 1, 2, 4, 6, 8, 11, 14]

ROW_BONUS: Final = 2
COLUMN_BONUS: Final = 7
COLOR_BONUS: Final = 10

# The colored wall: WALL_COLUMNS[row][color] is the column of that color in that row.
WALL_COLUMNS: Final = tuple(
    tuple((row + color) % COLORS for color in range(COLORS)) for row in range(ROWS)
)


def factories_for(seats: int) -> int:
    """Return how many factories lie in the circle."""
    return 2 * seats + 1


# The gold sides of the nine discs of Master Chocolatier, by disc number; 0 is a blue side.
BLUE_SIDE: Final = 0
MAGNET_BLACK: Final = 1
MAGNET_WHITE: Final = 2
MAGNET_BLUE: Final = 3
MAGNET_YELLOW: Final = 4
MAGNET_RED: Final = 5
SHIELD: Final = 6
SPREAD: Final = 7
KEEP: Final = 8
PLUS_ONE: Final = 9
DISCS: Final = tuple(range(1, 10))
# The color a magnet draws from its neighbors, by disc number.
MAGNET_COLOR: Final = {
    MAGNET_BLACK: BLACK,
    MAGNET_WHITE: WHITE,
    MAGNET_BLUE: BLUE,
    MAGNET_YELLOW: YELLOW,
    MAGNET_RED: RED,
}
DISC_NAMES: Final = (
    "-",
    "magnet_black",
    "magnet_white",
    "magnet_blue",
    "magnet_yellow",
    "magnet_red",
    "shield",
    "spread",
    "keep",
    "plus_one",
)
