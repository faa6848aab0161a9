"""Texts that hurt whoever shows them as they are."""

import unicodedata

HOSTILE = {
    "terminal escapes": "\x1b[2J\x1b]0;owned\x07",
    "C1": "\x9b31mred\x85",
    "bidi": "\u202eevil\u2066",
    "tag": "<img onerror=alert(1)>",
    "formula": '=HYPERLINK("http://x")',
    "traversal": "../../../etc/passwd",
    "fake log line": "x\n2026-01-01 [info] match closed",
    "emoji": "\U0001f600" * 10_000,
    "NUL": "a\x00b",
    "zero width": "a\u200bb",
    "line separator": "a\u2028b",
}
# Text like any other: whoever makes a page or a table of it escapes it there.
PLAIN = ("tag", "formula", "traversal")


def raw(data: bytes) -> list[str]:
    """Return the characters in a text that could command whoever shows it, but for its lines."""
    text = data.decode("utf-8")
    return [
        char
        for char in text
        if char != "\n" and unicodedata.category(char) in ("Cc", "Cf", "Cs", "Zl", "Zp")
    ]
