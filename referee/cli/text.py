"""Text that came from outside, made safe to show in a terminal."""

from referee.transcript.text import MAX_SHOWN, printable

__all__ = ["MAX_SHOWN", "printable"]
