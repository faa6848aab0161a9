"""What both games need to read and write numbers of messages."""

from collections.abc import Iterable, Sequence
from typing import Any

from google.protobuf.message import Message

from referee.rules.tally import COLORS
from referee.transcript.errors import WireError


def need(message: Message, name: str) -> int:
    """Return a number that must be given: 0 is a real value, so absence means nothing."""
    if not message.HasField(name):
        raise WireError(f"{name} is missing")
    value: int = getattr(message, name)
    return value


def absent_or(value: int) -> int | None:
    """Return a seat as messages have it: the rules write -1 and less where there is none."""
    return None if value < 0 else value


def enum(number: int) -> Any:  # noqa: ANN401  each enum has a type of its own in the stubs
    """Return a number as any enum of the messages: they are numbers when the program runs."""
    return int(number)


# Colors are numbered from 1 on the wire. Four are the same in all games; ``fifth`` is the
# number of the fifth one, white or turquoise.


def wire_color(color: int, fifth: int) -> Any:  # noqa: ANN401  as `enum`
    """Return the number of a color on the wire."""
    return enum(fifth if color == COLORS - 1 else color + 1)


def need_color(number: int, fifth: int) -> int:
    """Return the color of a number on the wire, or raise `WireError`."""
    if number == fifth:
        return COLORS - 1
    if not 1 <= number < COLORS:
        raise WireError(f"there is no color {number} here")
    return number - 1


def colors_of(colors: int, fifth: int) -> list[Any]:
    """Return a set of colors, bit c for color c, as a list in order."""
    return [wire_color(color, fifth) for color in range(COLORS) if colors >> color & 1]


def color_set(numbers: Iterable[int], fifth: int) -> int:
    """Return a list of different colors as a set."""
    found = 0
    for number in numbers:
        bit = 1 << need_color(number, fifth)
        if found & bit:
            raise WireError(f"color {number} stands twice")
        found |= bit
    return found


def color_list(numbers: Sequence[int], fifth: int) -> tuple[int, ...]:
    """Return a list of colors in the numbers of the rules."""
    return tuple([need_color(number, fifth) for number in numbers])
