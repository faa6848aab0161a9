"""What a table of Duel waits for: the phase that a seat is in, and what chance owes it."""

# Phases of a seat.
OPENING = 0  # chooses its opening plate
TURN = 1  # chooses an action
DRAWING = 2  # has drawn a plate, draws again or stops
KEEPING = 3  # keeps one of the plates it drew
RETURNING = 4  # returns the others one by one
SPENDING = 5  # completes a pattern line with chips, or leaves it
PLACING = 6  # places the tile of a completed line
BETWEEN = 7  # between rounds, nobody
PHASE_NAMES = (
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
NOTHING = 0
ROUND = 1  # a round is to be dealt
DISPLAY = 2  # the display is to be filled up, and the stack has a new top
TOP = 3  # the stack has a new top
FACES = 4  # the seat looks at the plates it drew
KEPT = 5  # the plate it keeps is shown to all
CHIPS = 6  # chips under emptied stacks are revealed
DUE_NAMES = ("-", "round", "display", "top", "faces", "kept", "chips")
