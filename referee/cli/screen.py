"""How lines reach standard output: in color on a terminal that has it, as letters elsewhere."""

import os
import sys

import click
from rich.console import Console
from rich.text import Text

# Terminals that can show lines and nothing else.
SIMPLE = ("", "dumb", "unknown")


def is_screen() -> bool:
    """Return whether a person sits at a terminal that can be drawn on, with keys to press."""
    return _is_terminal(sys.stdin) and _is_terminal(sys.stdout) and not is_simple()


def is_simple() -> bool:
    """Return whether the terminal does not know how to move its cursor."""
    return os.environ.get("TERM", "").lower() in SIMPLE


def _is_terminal(stream: object) -> bool:
    try:
        return bool(stream.isatty())  # type: ignore[attr-defined]
    except (AttributeError, ValueError, OSError):
        # Closed before the program started, or replaced by something else.
        return False


def terminal(width: int | None = None, height: int | None = None) -> Console | None:
    """Return a console that draws on standard output, None where that is no terminal.

    It obeys NO_COLOR; what it is given is text, never markup.
    """
    if not _is_terminal(sys.stdout) or is_simple():
        return None
    return Console(
        file=sys.stdout,
        force_terminal=True,
        width=width,
        height=height,
        highlight=False,
        markup=False,
        emoji=False,
    )


class Printer:
    """Prints lines."""

    def __init__(self) -> None:
        self._console = terminal()

    @property
    def width(self) -> int:
        """How wide lines may be."""
        return self._console.width if self._console else 80

    def line(self, line: str | Text) -> None:
        """Print one line."""
        click.echo(self.painted(line), color=True)

    def painted(self, line: str | Text) -> str:
        """Return a line with its styles, if they can be shown."""
        if isinstance(line, str):
            return line
        if self._console is None:
            return line.plain.rstrip()
        return painted(self._console, line)


def painted(console: Console, line: Text) -> str:
    """Return a line as the escapes that a console shows it with."""
    with console.capture() as capture:
        console.print(line, end="", soft_wrap=True)
    return capture.get()
