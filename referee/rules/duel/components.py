"""The components of Azul Duel: every number and table that the box prints.

One place per fact. The tables of plates, chips and goals rest on one source each, which
docs/rules/duel.md names with how sure they are: a physical copy that shows something else
is corrected here, and the revision of the ruleset is raised.
"""

from referee.rules.tally import COLORS, of_counts

BLUE, YELLOW, RED, BLACK, TURQUOISE = range(COLORS)
COLOR_NAMES = ("blue", "yellow", "red", "black", "turquoise")
COLOR_LETTERS = "BYRKT"

SEATS = 2
ROUNDS = 5
START_SCORE = 5
# In the place of a seat, a color, a plate or a chip: there is none.
NOBODY = -1

TILES_PER_COLOR = 13
FULL_BAG = of_counts([TILES_PER_COLOR] * COLORS)

# Factories: four small ones, and the large one after them.
SMALL_FACTORIES = 4
LARGE = SMALL_FACTORIES
TILES_PER_SMALL = 4
TILES_ON_LARGE = 5

LINES = 6
# The target of tiles that go to no pattern line.
BROKEN = LINES
BROKEN_SPACES = 4
# Cumulative: what that many broken tiles cost.
BROKEN_PENALTY = (0, 1, 3, 6, 10)
FIRST_PLAYER_PENALTY = 2

# Player tokens: each buys one plate, and all must be used; the last round has none.
TOKENS_PER_ROUND = 2
CHIPS_PER_ROUND = 2

# The dome: three by three slots for plates of two by two cells.
SLOTS = 9
SLOTS_PER_ROW = 3
CELLS_PER_ROW = 6
ROTATIONS = 4
DISPLAY_SIZE = 3

# Dome plates by id: cells top left, top right, bottom left, bottom right; S is the cell of
# a special tile, W a wild cell that takes any color.
PLATES = (
    "YKTS", "WBTK", "TRBW", "KYRW", "KSTR", "TYWK", "SKRB", "YBKS", "TRBS",
    "YRWB", "YSKR", "TKRW", "BKST", "RTYW", "TBWY", "STYB", "RWBK", "SYBR",
)  # fmt: skip
SPECIAL_CELL = "S"
WILD_CELL = "W"
PLATE_COUNT = len(PLATES)
ALL_PLATES = (1 << PLATE_COUNT) - 1
# Plates of which only the back is known: it shows the type.
HIDDEN_SPECIAL = PLATE_COUNT
HIDDEN_WILD = PLATE_COUNT + 1

# Bonus chips by face: the colors it shows. There are two chips of each face.
FACE_LETTERS = ("B", "Y", "R", "K", "T", "YT", "BR", "RT", "BK", "YK")
FACES = len(FACE_LETTERS)
CHIPS_PER_FACE = 2
FACE_NAMES = tuple(
    "+".join(COLOR_NAMES[COLOR_LETTERS.index(letter)] for letter in face) for face in FACE_LETTERS
)
# A chip that lies face down where its face is not known.
HIDDEN_FACE = FACES

# Goals: token t has the sides 2t and 2t + 1.
ROWS, FIVE_COLORS, COLUMNS, PERIMETER, DIAGONALS, CORNERS, WILDS, EMPTY_SPECIALS = range(8)
GOAL_NAMES = (
    "rows",
    "five_colors",
    "columns",
    "perimeter",
    "diagonals",
    "corners",
    "wilds",
    "empty_specials",
)
GOAL_TOKENS = 4
# The goals of a first game (D25).
DEFAULT_GOALS = (ROWS, COLUMNS, DIAGONALS)

ROW_POINTS = 3
FIVE_COLORS_POINTS = 4
COLUMN_POINTS = 7
PERIMETER_POINTS = 1
DIAGONAL_POINTS = 10
UPPER_CORNER_POINTS = 3
LOWER_CORNER_POINTS = 8
WILD_POINTS = 2
EMPTY_SPECIAL_POINTS = -3


def is_special(plate: int) -> bool:
    """Return whether a plate, known or hidden, is a special one; all others are wild."""
    return plate == HIDDEN_SPECIAL or (plate < PLATE_COUNT and SPECIAL_CELL in PLATES[plate])


SPECIAL_PLATES = sum(1 << plate for plate in range(PLATE_COUNT) if is_special(plate))


def hidden(plate: int) -> int:
    """Return what the back of a plate shows of it."""
    return HIDDEN_SPECIAL if is_special(plate) else HIDDEN_WILD
