"""Who sits where: a seat as one stream holds it."""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from referee.service.host import Host


class Outlet(Protocol):
    """What a match knows of a stream: it can be told something, and be ended."""

    @property
    def ended(self) -> bool:
        """Whether the stream is over, so that nobody will hear anything."""

    def send(self, said: bytes) -> None:
        """Send an entry of a frame, some time soon; never waits."""

    def idle(self) -> None:
        """Count a message that had no effect against what the stream may say for nothing."""

    def forget(self, handle: int) -> None:
        """Free the handle of a match that is over, or of a seat that was lost."""

    def cut(self, why: str) -> None:
        """End the stream: its agent does not keep to the protocol."""


@dataclass(eq=False, slots=True)
class Place:
    """A seat as one stream holds it; the host changes if the match has to be taken up anew."""

    outlet: Outlet
    host: "Host"
    handle: int
    seat: int
    list_moves: bool
    skip_moves: bool
