"""What the draws raise."""

from referee.rules.errors import RefereeError


class DrawsError(RefereeError):
    """A key, a seat or a number outside what docs/draws.md defines."""
