"""The components of Azul Duel: every number and table that the box prints.

One place per fact. The tables of plates, chips and goals rest on one source each, which
docs/rules/duel.md names with how sure they are: a physical copy that shows something else
is corrected here, and the revision of the ruleset is raised.
"""

from typing import Final

from referee.rules.tally import COLORS, of_counts

COLOR_NAMES: Final = ("blue", "yellow", "red", "black", "turquoise")
COLOR_LETTERS: Final = "BYRKT"

SEATS: Final = 2
ROUNDS: Final = 5
START_SCORE: Final = 5
# In the place of a seat, a color, a plate or a chip: there is none.
NOBODY: Final = -1

TILES_PER_COLOR: Final = 13
FULL_BAG: Final = of_counts([TILES_PER_COLOR] * COLORS)

# Factories: four small ones, and the large one after them.
SMALL_FACTORIES: Final = 4
LARGE: Final = SMALL_FACTORIES
TILES_PER_SMALL: Final = 4
TILES_ON_LARGE: Final = 5

LINES: Final = 6
# The target of tiles that go to no pattern line.
BROKEN: Final = LINES
BROKEN_SPACES: Final = 4
# Cumulative: what that many broken tiles cost.
BROKEN_PENALTY: Final = (0, 1, 3, 6, 10)
FIRST_PLAYER_PENALTY: Final = 2

# Player tokens: each buys one plate, and all must be used; the last round has none.
TOKENS_PER_ROUND: Final = 2
CHIPS_PER_ROUND: Final = 2

# The dome: three by three slots for plates of two by two cells.
SLOTS: Final = 9
SLOTS_PER_ROW: Final = 3
CELLS_PER_ROW: Final = 6
ROTATIONS: Final = 4
DISPLAY_SIZE: Final = 3

# Dome plates by id: cells top left, top right, bottom left, bottom right; S is the cell of
# a special tile, W a wild cell that takes any color.
PLATES: Final = (
    "YKTS", "WBTK", "TRBW", "KYRW", "KSTR", "TYWK", "SKRB", "YBKS", "TRBS",
    "YRWB", "YSKR", "TKRW", "BKST", "RTYW", "TBWY", "STYB", "RWBK", "SYBR",
)  # fmt: skip
SPECIAL_CELL: Final = "S"
WILD_CELL: Final = "W"
PLATE_COUNT: Final = len(PLATES)
ALL_PLATES: Final = (1 << PLATE_COUNT) - 1
# Plates of which only the back is known: it shows the type.
HIDDEN_SPECIAL: Final = PLATE_COUNT
HIDDEN_WILD: Final = PLATE_COUNT + 1

# Bonus chips by face: the colors it shows. There are two chips of each face.
FACE_LETTERS: Final = ("B", "Y", "R", "K", "T", "YT", "BR", "RT", "BK", "YK")
FACES: Final = len(FACE_LETTERS)
CHIPS_PER_FACE: Final = 2
FACE_NAMES: Final = tuple(
    "+".join(COLOR_NAMES[COLOR_LETTERS.index(letter)] for letter in face) for face in FACE_LETTERS
)
# A chip that lies face down where its face is not known.
HIDDEN_FACE: Final = FACES

# Goals: token t has the sides 2t and 2t + 1.
ROWS: Final = 0
FIVE_COLORS: Final = 1
COLUMNS: Final = 2
PERIMETER: Final = 3
DIAGONALS: Final = 4
CORNERS: Final = 5
WILDS: Final = 6
EMPTY_SPECIALS: Final = 7
GOAL_NAMES: Final = (
    "rows",
    "five_colors",
    "columns",
    "perimeter",
    "diagonals",
    "corners",
    "wilds",
    "empty_specials",
)
GOAL_TOKENS: Final = 4
# The goals of a first game (D25).
DEFAULT_GOALS: Final = (ROWS, COLUMNS, DIAGONALS)

ROW_POINTS: Final = 3
FIVE_COLORS_POINTS: Final = 4
COLUMN_POINTS: Final = 7
PERIMETER_POINTS: Final = 1
DIAGONAL_POINTS: Final = 10
UPPER_CORNER_POINTS: Final = 3
LOWER_CORNER_POINTS: Final = 8
WILD_POINTS: Final = 2
EMPTY_SPECIAL_POINTS: Final = -3


def is_special(plate: int) -> bool:
    """Return whether a plate, known or hidden, is a special one; all others are wild."""
    return plate == HIDDEN_SPECIAL or (plate < PLATE_COUNT and SPECIAL_CELL in PLATES[plate])


SPECIAL_PLATES: Final = sum(1 << plate for plate in range(PLATE_COUNT) if is_special(plate))


def hidden(plate: int) -> int:
    """Return what the back of a plate shows of it."""
    return HIDDEN_SPECIAL if is_special(plate) else HIDDEN_WILD
