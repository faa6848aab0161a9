"""What waits for the last frame of a match to be durable.

Each seat has a limit of its own, and the referee has none: nobody can keep the other seats
from being heard, or the clock from falling, by saying too much.
"""

from collections import deque
from collections.abc import Callable
from typing import NamedTuple

from referee.match.replies import Reply
from referee.service import limits
from referee.service.places import Place


class Letter(NamedTuple):
    """Something to be done, and what follows; ``place`` is whose it is, None if the referee's."""

    act: Callable[[], Reply]
    then: Callable[[Reply], None]
    place: Place | None = None


class Inbox:
    """The letters of one match, in order."""

    def __init__(self, seats: int) -> None:
        self._letters: deque[Letter] = deque()
        self._waiting = [0] * seats

    def __bool__(self) -> bool:
        return bool(self._letters)

    def add(self, letter: Letter) -> bool:
        """Keep a letter for later; return False if too many of its seat wait already."""
        if letter.place is not None:
            if self._waiting[letter.place.seat] >= limits.MAX_INBOX:
                return False
            self._waiting[letter.place.seat] += 1
        self._letters.append(letter)
        return True

    def add_first(self, letter: Letter) -> None:
        """Keep a letter of the referee's that comes before all others."""
        self._letters.appendleft(letter)

    def take(self) -> Letter:
        """Return the next letter."""
        letter = self._letters.popleft()
        if letter.place is not None:
            self._waiting[letter.place.seat] -= 1
        return letter

    def clear(self) -> None:
        """Forget all letters."""
        self._letters.clear()
