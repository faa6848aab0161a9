"""What the draws raise."""

# Not compiled: errors are rare, and only ordinary classes pickle and show as errors should.

from referee.rules.errors import RefereeError


class DrawsError(RefereeError):
    """A key, a seat or a number outside what docs/draws.md defines."""
