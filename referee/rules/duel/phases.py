"""What a table of Duel waits for: the phase that a seat is in, and what chance owes it."""

from typing import Final

# Phases of a seat.
OPENING: Final = 0  # chooses its opening plate
TURN: Final = 1  # chooses an action
DRAWING: Final = 2  # has drawn a plate, draws again or stops
KEEPING: Final = 3  # keeps one of the plates it drew
RETURNING: Final = 4  # returns the others one by one
SPENDING: Final = 5  # completes a pattern line with chips, or leaves it
PLACING: Final = 6  # places the tile of a completed line
BETWEEN: Final = 7  # between rounds, nobody
PHASE_NAMES: Final = (
    "opening",
    "turn",
    "drawing",
    "keeping",
    "returning",
    "spending",
    "placing",
    "between",
)

# What must come to light before the seat goes on.
NOTHING: Final = 0
ROUND: Final = 1  # a round is to be dealt
DISPLAY: Final = 2  # the display is to be filled up, and the stack has a new top
TOP: Final = 3  # the stack has a new top
FACES: Final = 4  # the seat looks at the plates it drew
KEPT: Final = 5  # the plate it keeps is shown to all
CHIPS: Final = 6  # chips under emptied stacks are revealed
DUE_NAMES: Final = ("-", "round", "display", "top", "faces", "kept", "chips")
