"""What a chosen position to count from consists of."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Start:
    """A position with a name, the reason for it, and the deals it is to meet."""

    name: str
    why: str
    position: str
    deals: tuple[str, ...] = ()
