"""What can go wrong for an agent as a whole, for one seat, or for its secret.

AgentError
├── NotWelcome        the referee refuses this agent; trying again would not help
├── Unreachable       so many attempts to reach the referee failed that the agent stops
├── SeatError
│   ├── SeatRefused   the token opens no seat, or not any more
│   └── SeatDetached  a newer stream took the seat over
├── QueueRefused      the referee does not pair this agent
└── SecretFileError   the file of the secret cannot be used
"""


class AgentError(Exception):
    """Says why an agent cannot go on."""


class NotWelcome(AgentError):
    """Says that the referee refuses this agent."""


class Unreachable(AgentError):
    """Says that the referee could not be reached as often as was allowed."""


class SeatError(AgentError):
    """Says why one match cannot be played; the others go on."""


class SeatRefused(SeatError):
    """Says that a seat cannot be taken; `reason` is a number of `RefuseReason`."""

    def __init__(self, reason: int, message: str) -> None:
        super().__init__(message)
        self.reason = reason


class SeatDetached(SeatError):
    """Says that a newer stream took the seat over, so that this one must leave it alone."""


class QueueRefused(AgentError):
    """Says that the referee does not pair this agent; `reason` is of `RefuseReason`."""

    def __init__(self, reason: int, message: str) -> None:
        super().__init__(message)
        self.reason = reason


class SecretFileError(AgentError):
    """Says why the file of the secret cannot be used."""
