"""What texts of strangers may be: names, handles, ids.

A name is shown to people in terminals, pages, logs and tables, so it holds nothing that is
invisible or commands anything. Markup and formulas are plain text here: whoever makes a page
or a table of names escapes them there. No message repeats a character that was refused.
"""

import re
import unicodedata
from typing import Final

from referee.draws import MATCH_ID_BYTES
from referee.rules.errors import RefereeError
from referee.transcript.limits import MAX_DETAIL_BYTES, MAX_ID_BYTES
from referee.transcript.wire.setup import HANDLE

MAX_NAME_CHARS: Final = 32
# Composing makes a text shorter, at the most by this factor; whatever is longer stays too long,
# and is not composed, because marks in a wild order take very long to sort.
_LONGEST_COMPOSED: Final = 4 * MAX_NAME_CHARS
# Characters that Unicode calls letters, marks or signs and that nevertheless show nothing.
_BLANK: Final = re.compile(
    "[\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180f\u2800\u3164\ufe00-\ufe0f\uffa0"
    "\U0001d159\U000e0100-\U000e01ef]"
)
_MATCH_ID: Final = re.compile(rf"[0-9a-f]{{{2 * MATCH_ID_BYTES}}}")


class BadText(RefereeError):
    """A text that cannot be what it is meant to be; ``field`` says which one it was."""

    def __init__(self, field: str, problem: str) -> None:
        self.field = field
        self.problem = problem
        super().__init__(f"{field}: {problem}")


def check_name(text: str, field: str = "name") -> str:
    """Return a name to be shown, in composed form (NFC), or raise `BadText`."""
    if len(text) <= _LONGEST_COMPOSED:
        text = unicodedata.normalize("NFC", text)
    if len(text) > MAX_NAME_CHARS:
        raise BadText(field, f"at most {MAX_NAME_CHARS} characters")
    for char in text:
        # Python calls no control, format, surrogate, private or unassigned character
        # printable, and no space but the plain one.
        if not char.isprintable() or _BLANK.match(char):
            raise BadText(field, f"U+{ord(char):04X} cannot be seen, or is no character for text")
    if not text.strip():
        raise BadText(field, "it is empty")
    if text != text.strip():
        raise BadText(field, "it begins or ends with a space")
    if unicodedata.category(text[0]).startswith("M"):
        # It would be drawn onto whatever stands before the name.
        raise BadText(field, f"it begins with U+{ord(text[0]):04X}, a mark without its letter")
    return text


def check_kit(text: str) -> str:
    """Return what an agent says it was made with, which may be nothing, or raise `BadText`."""
    return check_name(text, "kit") if text else text


def check_handle(text: str, field: str = "agent") -> str:
    """Return the handle of an agent, or raise `BadText`."""
    if not HANDLE.fullmatch(text):
        raise BadText(field, "1 to 32 letters, digits, _ and -")
    return text


def check_id(text: str, field: str) -> str:
    """Return the id of a request, an event or a pairing, or raise `BadText`; it may be empty."""
    return _check_bytes(text, field, MAX_ID_BYTES)


def check_detail(text: str, field: str = "detail") -> str:
    """Return why a match is stopped, in words, or raise `BadText`; it may be empty."""
    return _check_bytes(text, field, MAX_DETAIL_BYTES)


def _check_bytes(text: str, field: str, most: int) -> str:
    # Only what can be printed can surely be encoded, and no character has less than a byte.
    if len(text) > most or not text.isprintable() or len(text.encode()) > most:
        raise BadText(field, f"at most {most} bytes, all of them printable")
    return text


def check_match_id(text: str, field: str = "match_id") -> bytes:
    """Return the 16 bytes of a match id, or raise `BadText`."""
    if not _MATCH_ID.fullmatch(text):
        raise BadText(field, f"exactly {2 * MATCH_ID_BYTES} digits of 0-9 and a-f")
    return bytes.fromhex(text)
