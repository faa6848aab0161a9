"""Text that came from outside, made safe to show.

Names, kits and details in a record are words of strangers: they may hold escapes that
command a terminal, line breaks that forge output, and characters that turn the reading
direction of what follows. Whatever shows them lets them pass through `printable`.
"""

import json

MAX_SHOWN = 200


def printable(value: object, most: int = MAX_SHOWN) -> str:
    """Return a value on one line, without a character that could command a terminal.

    A string is shown as it is where it is harmless; anything else is shown as JSON. Harmless
    are letters, marks, numbers, signs and the plain space: Python calls no control, format
    (bidi overrides among them), surrogate, private or unassigned character printable.
    """
    text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=True)
    shown = "".join(char if char.isprintable() else _escape(char) for char in text[:most])
    return shown if len(text) <= most else shown + "..."


def _escape(char: str) -> str:
    code = ord(char)
    return f"\\u{code:04x}" if code <= 0xFFFF else f"\\U{code:08x}"
