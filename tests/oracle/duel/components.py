"""What lies in the box of Duel: colors, dome plates, bonus chips and goals, as plain names."""

from __future__ import annotations

COLORS = ("blue", "yellow", "red", "black", "turquoise")
TILES_OF_A_COLOR = 13

SPECIAL = "special"
WILD = "wild"

LETTERS = {
    "B": "blue",
    "Y": "yellow",
    "R": "red",
    "K": "black",
    "T": "turquoise",
    "S": SPECIAL,
    "W": WILD,
}

# The place in this tuple is the id of a plate; the letters go top left, top right, bottom left,
# bottom right.
PLATES = (
    "YKTS", "WBTK", "TRBW", "KYRW", "KSTR", "TYWK", "SKRB", "YBKS", "TRBS",
    "YRWB", "YSKR", "TKRW", "BKST", "RTYW", "TBWY", "STYB", "RWBK", "SYBR",
)  # fmt: skip

FACES = (*COLORS, "yellow+turquoise", "blue+red", "red+turquoise", "blue+black", "yellow+black")
CHIPS_OF_A_FACE = 2

# Each pair is one token, and only one of its sides can be in play.
TOKENS = (
    ("rows", "five_colors"),
    ("columns", "perimeter"),
    ("diagonals", "corners"),
    ("wilds", "empty_specials"),
)
GOALS = tuple(goal for token in TOKENS for goal in token)

ROUNDS = 5
START_SCORE = 5
BROKEN_PENALTIES = (1, 2, 3, 4)
FIRST_PLAYER_PENALTY = 2


def plate_cells(plate: int, rotation: int) -> list[str]:
    """Name the four cells of a plate after so many quarter turns clockwise."""
    cells = [LETTERS[letter] for letter in PLATES[plate]]
    for _ in range(rotation):
        top_left, top_right, bottom_left, bottom_right = cells
        cells = [bottom_left, top_left, bottom_right, top_right]
    return cells


def shows(face: str, color: str) -> bool:
    """Say whether a chip counts as one of that color, alone or beside another."""
    return color in face.split("+")


def other_side(goal: str) -> str:
    """Name the goal on the back of the same token."""
    for front, back in TOKENS:
        if goal == front:
            return back
        if goal == back:
            return front
    raise ValueError(goal)
