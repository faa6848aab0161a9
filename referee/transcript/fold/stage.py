"""How far a match is."""

from enum import Enum
from typing import Final


class Stage(Enum):
    """How far a match is."""

    NOTHING = "before its set-up"
    CREATED = "before its commitment"
    OPEN = "before its start"
    PLAYING = "in play"
    ENDED = "before its seed is shown"
    CLOSED = "before its signature"
    SIGNED = "signed"


# A member is looked up through its class, which takes longer than most else in a fold. Most
# records want this one.
PLAYING: Final = Stage.PLAYING
