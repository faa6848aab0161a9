"""How far a match is."""

from enum import Enum


class Stage(Enum):
    """How far a match is."""

    NOTHING = "before its set-up"
    CREATED = "before its commitment"
    OPEN = "before its start"
    PLAYING = "in play"
    ENDED = "before its seed is shown"
    CLOSED = "before its signature"
    SIGNED = "signed"
