"""What the transcript layer raises.

RefereeError
└── TranscriptError
├── NotATranscript    bytes that do not begin like one, or too many of them
├── CannotRecord      a record or a frame that the format does not allow
├── WireError         a message that stands for nothing in the rules
└── SigningKeyError   a key that cannot be read, made or used
"""

from referee.rules.errors import RefereeError


class TranscriptError(RefereeError):
    """The root of the errors of this layer."""


class NotATranscript(TranscriptError):
    """Bytes that are no transcript at all; damage to one is a finding, not an error."""


class CannotRecord(TranscriptError):
    """Something that the format has no room for."""


class WireError(TranscriptError):
    """A message that stands for no move, deal, position or set-up."""


class SigningKeyError(TranscriptError):
    """A signing key that cannot be read, made or used."""
