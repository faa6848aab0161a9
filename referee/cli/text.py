"""Text that came from outside, made safe to show in a terminal."""

import json

MAX_SHOWN = 200


def printable(value: object, most: int = MAX_SHOWN) -> str:
    """Return a value on one line, without a character that could command a terminal.

    A string is shown as it is where it is harmless; anything else is shown as JSON.
    """
    text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=True)
    shown = "".join(char if char.isprintable() else _escape(char) for char in text[:most])
    return shown if len(text) <= most else shown + "..."


def _escape(char: str) -> str:
    code = ord(char)
    return f"\\u{code:04x}" if code <= 0xFFFF else f"\\U{code:08x}"
