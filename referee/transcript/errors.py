"""What the transcript layer raises.

RefereeError
└── TranscriptError
├── NotATranscript    bytes that do not begin like one, or too many of them
├── CannotRecord      a record or a frame that the format does not allow
├── WireError         a message that stands for nothing in the rules
│   └── Unparsable        bytes that are no answer at all
├── SigningKeyError   a key that cannot be read, made or used
├── BadTime           a text that is no duration or no clock, in `time_text`
└── DisputeError      a dispute that cannot be heard
    ├── BadClaim          a claim out of the grammar, or about nothing that the record has
    └── NotOneMatch       two files that are not copies of one match
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


class Unparsable(WireError):
    """Bytes that are no answer at all."""


class SigningKeyError(TranscriptError):
    """A signing key that cannot be read, made or used."""


class DisputeError(TranscriptError):
    """A dispute that cannot be heard as it was put."""


class BadClaim(DisputeError):
    """A claim that is not in the grammar, or is about nothing that the record has."""


class NotOneMatch(DisputeError):
    """Two files that are not copies of the record of one match."""
