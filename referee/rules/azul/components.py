"""The components of Azul and Master Chocolatier: every number that a box prints.

One place per fact: a rule elsewhere that needs a size, a penalty or a picture reads it
here. docs/rules/azul.md and docs/rules/chocolatier.md say where each comes from.
"""

from referee.rules.tally import COLORS, of_counts

BLUE, YELLOW, RED, BLACK, WHITE = range(COLORS)
COLOR_NAMES = ("blue", "yellow", "red", "black", "white")
COLOR_LETTERS = "BYRKW"
MARKER_LETTER = "M"

TILES_PER_COLOR = 20
FULL_BAG = of_counts([TILES_PER_COLOR] * COLORS)
TILES_PER_FACTORY = 4
# In the place of a seat, a factory or a color: there is none.
NOBODY = -1

# A16: the round after which a game ends at the latest, and what an organiser may choose.
DEFAULT_ROUND_CAP = 20
MAX_ROUND_CAP = 64

MIN_SEATS = 2
MAX_SEATS = 4
MAX_FACTORIES = 9

# The first-player marker among the tiles of a floor line.
MARKER = COLORS

ROWS = 5
# The target of a move that is no pattern line.
FLOOR = ROWS
# The source of a move that is no factory: the center comes after every factory.
CENTER = MAX_FACTORIES

FLOOR_SPACES = 7
# Cumulative: what a floor line with that many occupied spaces costs.
FLOOR_PENALTY = (0, 1, 2, 4, 6, 8, 11, 14)

ROW_BONUS = 2
COLUMN_BONUS = 7
COLOR_BONUS = 10

# The colored wall: WALL_COLUMNS[row][color] is the column of that color in that row.
WALL_COLUMNS = tuple(
    tuple((row + color) % COLORS for color in range(COLORS)) for row in range(ROWS)
)


def factories_for(seats: int) -> int:
    """Return how many factories lie in the circle."""
    return 2 * seats + 1


# The gold sides of the nine discs of Master Chocolatier, by disc number; 0 is a blue side.
BLUE_SIDE = 0
MAGNET_BLACK, MAGNET_WHITE, MAGNET_BLUE, MAGNET_YELLOW, MAGNET_RED = range(1, 6)
SHIELD, SPREAD, KEEP, PLUS_ONE = range(6, 10)
DISCS = tuple(range(1, 10))
# The color a magnet draws from its neighbors, by disc number.
MAGNET_COLOR = {
    MAGNET_BLACK: BLACK,
    MAGNET_WHITE: WHITE,
    MAGNET_BLUE: BLUE,
    MAGNET_YELLOW: YELLOW,
    MAGNET_RED: RED,
}
DISC_NAMES = (
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
