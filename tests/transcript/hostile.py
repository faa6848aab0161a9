"""Names that strangers may choose, and what must never come of them."""

# What a name, a kit or a detail may be: at most 128 bytes of any text.
NAMES = (
    "\x1b[2J\x1b[31mred",
    "\x1b]0;title\x07",
    "\x1bP1$r\x1b\\",
    "\x9b2J\x9d0;t\x9c",
    "two\nlines",
    "back\rover",
    "tab\there\x0b\x0c\x08\x7f",
    "\u202egnp.exe",
    "\u2066left\u2069\u200f\u061c",
    "zero\u200bwidth\u200d\u2060\ufeff",
    "para\u2029graph\u2028line\x85",
    "\U000e0041\U000e007f",
    "\ue000private",
    "[red]markup[/red] :smile: {0} %s",
    "wide \u5305\u5b50 \U0001f600 e\u0301",
    "\u0430gent",
    "nbsp\u00a0\u3000\u1680",
    '"}\\u001b',
    "x" * 128,
    "",
)
# Spaces that look like none, and everything Python would not print.
ALLOWED = "\n"


def raw(text: str) -> list[str]:
    """Return the characters of an output that could command a terminal or forge a line."""
    return [char for char in text if char not in ALLOWED and not char.isprintable()]
