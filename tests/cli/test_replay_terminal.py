"""A person at a terminal: real keys through a pty, and the terminal as it was afterwards."""

import contextlib
import fcntl
import os
import pty
import re
import select
import signal
import struct
import sys
import termios
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Protocol

import pytest

from tests.golden.write import recorded
from tests.transcript.hostile import NAMES
from tests.transcript.test_events import hostile_match

DEADLINE_S = 30.0
ENTER, LEAVE = "\x1b[?1049h", "\x1b[?1049l"
COLORS = re.compile(r"\x1b\[[0-9;]*(?:3|4|9|10)[0-9][0-9;]*m")
# Everything that the screen is drawn with.
OURS = re.compile(r"\x1b\[(?:\?1049[hl]|\?25[hl]|H|K|[0-9;]*m)")
WHOLE = recorded("azul", 2)


class Terminal:
    """The command in a terminal of its own, with somebody at the keys."""

    def __init__(self, file: Path, environment: dict[str, str], size: tuple[int, int]) -> None:
        self.keys, own = pty.openpty()
        fcntl.ioctl(own, termios.TIOCSWINSZ, struct.pack("HHHH", size[1], size[0], 0, 0))
        self.before = termios.tcgetattr(own)
        self.text = ""
        kept = {k: v for k, v in os.environ.items() if k not in ("NO_COLOR", "LINES", "COLUMNS")}
        child = {**kept, "TERM": "xterm-256color", "REFEREE_PURE": "1", **environment}
        arguments = [sys.executable, "-W", "error", "-m", "referee", "replay", str(file)]
        self.pid = os.posix_spawn(
            sys.executable,
            arguments,
            child,
            file_actions=[(os.POSIX_SPAWN_DUP2, own, number) for number in (0, 1, 2)],
            # A group of its own, but not a session: a process without a parent there cannot stop.
            setpgroup=0,
            # Whoever runs the tests in the background may have told them to ignore ctrl-c.
            setsigdef=[signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGTSTP],
        )
        self.own = own
        self.code: int | None = None

    def read(self) -> bool:
        """Read what is there within the deadline; return whether there was anything."""
        ready, _, _ = select.select([self.keys], [], [], 0.2)
        if ready:
            self.text += os.read(self.keys, 65536).decode()
        return bool(ready)

    def until(self, words: str, start: int = 0) -> str:
        """Wait until these words have come; return everything from there on was read."""
        end = time.monotonic() + DEADLINE_S
        while words not in self.text[start:]:
            assert time.monotonic() < end, f"{words!r} did not come: {self.text[start:]!r}"
            self.read()
        return self.text[start:]

    def press(self, keys: str, words: str) -> str:
        """Press keys and wait for words that come of it."""
        start = len(self.text)
        os.write(self.keys, keys.encode())
        return self.until(words, start)

    def wait(self) -> int:
        """Wait for the end; return the exit code."""
        end = time.monotonic() + DEADLINE_S
        while self.code is None:
            assert time.monotonic() < end, "it does not end"
            self.read()
            pid, status = os.waitpid(self.pid, os.WNOHANG)
            if pid:
                self.code = os.waitstatus_to_exitcode(status)
        while self.read():
            pass
        return self.code

    def close(self) -> None:
        """End it, if it has not ended by itself."""
        if self.code is None:
            with contextlib.suppress(ProcessLookupError):
                os.kill(self.pid, signal.SIGKILL)
            os.waitpid(self.pid, 0)
        os.close(self.keys)
        os.close(self.own)

    @property
    def is_as_before(self) -> bool:
        """Whether keys are read as lines again, on the usual screen with its cursor."""
        modes = termios.tcgetattr(self.own) == self.before
        left = self.text.rfind(LEAVE) > self.text.rfind(ENTER)
        return modes and left and self.text.rfind("\x1b[?25h") > self.text.rfind("\x1b[?25l")


class Open(Protocol):
    """A way to open a terminal with the command in it."""

    def __call__(
        self, data: bytes = WHOLE, size: tuple[int, int] = (80, 24), **environment: str
    ) -> Terminal:
        """Return it."""


@pytest.fixture
def terminals(tmp_path: Path) -> Iterator[Open]:
    """Return a way to open terminals that all end with the test."""
    opened: list[Terminal] = []

    def start(
        data: bytes = WHOLE, size: tuple[int, int] = (80, 24), **environment: str
    ) -> Terminal:
        file = tmp_path / "game.azt"
        file.write_bytes(data)
        opened.append(Terminal(file, environment, size))
        return opened[-1]

    yield start
    for terminal in opened:
        terminal.close()


def test_stepping_through_a_match(terminals: Open) -> None:
    """Arrows, rounds, a number, autoplay, help; then everything is as it was."""
    terminal = terminals()
    terminal.until("event 0 of ")
    terminal.until("q quit")
    assert ENTER in terminal.text
    terminal.press("\x1b[C", "event 1 of ")
    terminal.press("\x1b[D", "event 0 of ")
    terminal.press("r", "seat 1 starts")
    terminal.press("g", "go to event, or r and a round: _")
    terminal.press("8\r", "event 8 of ")
    terminal.press("h", "the next / the previous round")
    terminal.press("h", "event 8 of ")
    terminal.press("+++", "0.1 s an event")
    terminal.press("a", "event 10 of ")
    terminal.press("\x1b[F", "The record is complete")
    terminal.press("q", LEAVE)
    assert terminal.wait() == 0
    assert terminal.is_as_before
    assert COLORS.search(terminal.text)
    assert "Traceback" not in terminal.text


@pytest.mark.parametrize(
    ("number", "code"),
    [(signal.SIGINT, 130), (signal.SIGTERM, 143), (signal.SIGHUP, 129)],
    ids=["ctrl-c", "term", "hup"],
)
def test_signals_give_the_terminal_back(terminals: Open, number: signal.Signals, code: int) -> None:
    """Whatever ends it."""
    terminal = terminals()
    terminal.until("q quit")
    os.kill(terminal.pid, number)
    assert terminal.wait() == code
    assert terminal.is_as_before
    assert "Traceback" not in terminal.text


# Python runs this before the command, which draws with a bug then.
BUG = """
import sys
sys.path.insert(0, {root!r})
from referee.cli import replay_loop
replay_loop.compose = lambda *_: 1 // 0
"""


def test_an_error_gives_the_terminal_back(terminals: Open, tmp_path: Path) -> None:
    """A bug of ours ends in one sentence on the usual screen."""
    root = str(Path(__file__).parents[2])
    (tmp_path / "sitecustomize.py").write_text(BUG.format(root=root))
    terminal = terminals(PYTHONPATH=str(tmp_path))
    assert terminal.wait() == 70
    assert terminal.is_as_before
    assert "internal error: ZeroDivisionError" in terminal.text.rpartition(LEAVE)[2]
    assert "Traceback" not in terminal.text


def test_stopped_and_continued(terminals: Open) -> None:
    """Ctrl-Z gives the terminal back until the match goes on."""
    terminal = terminals()
    terminal.until("q quit")
    os.kill(terminal.pid, signal.SIGTSTP)
    terminal.until(LEAVE)
    end = time.monotonic() + DEADLINE_S
    pid = status = 0
    while not pid:
        assert time.monotonic() < end, "it does not stop"
        terminal.read()
        pid, status = os.waitpid(terminal.pid, os.WUNTRACED | os.WNOHANG)
    assert os.WIFSTOPPED(status)
    assert terminal.is_as_before
    start = len(terminal.text)
    os.kill(terminal.pid, signal.SIGCONT)
    assert ENTER in terminal.until("event 0 of ", start)
    terminal.press("n", "event 1 of ")
    terminal.press("q", LEAVE)
    assert terminal.wait() == 0


def test_another_size_of_the_window(terminals: Open) -> None:
    """The screen is drawn anew; words that were cut off come back."""
    terminal = terminals(size=(30, 10))
    terminal.until("event 0 of ")
    start = len(terminal.text)
    fcntl.ioctl(terminal.own, termios.TIOCSWINSZ, struct.pack("HHHH", 24, 80, 0, 0))
    os.kill(terminal.pid, signal.SIGWINCH)
    terminal.until("arrows step  r/R round  g go to  a autoplay  h help  q quit", start)


def test_no_color(terminals: Open) -> None:
    """NO_COLOR is obeyed, and the letters are all there."""
    terminal = terminals(NO_COLOR="1")
    terminal.until("q quit")
    terminal.press("r", "seat 1 starts")
    terminal.press("q", LEAVE)
    assert terminal.wait() == 0
    assert not COLORS.search(terminal.text)


@pytest.mark.parametrize("name", ["dumb", "unknown", ""])
def test_a_terminal_that_cannot_be_drawn_on(terminals: Open, name: str) -> None:
    """It gets the whole match as plain lines."""
    terminal = terminals(TERM=name)
    assert terminal.wait() == 0
    assert "\x1b" not in terminal.text
    assert "The record is complete" in terminal.text


def test_a_broken_file_in_a_terminal(terminals: Open) -> None:
    """The reason is on the last screen, and stays when the screen is left."""
    terminal = terminals(WHOLE[:-10])
    terminal.until("q quit")
    terminal.press("\x1b[F", "The record is broken")
    terminal.press("q", LEAVE)
    assert terminal.wait() == 11
    assert "The record is broken" in terminal.text.rpartition(LEAVE)[2]


def test_hostile_names_in_a_terminal(terminals: Open) -> None:
    """Only our own escapes reach it."""
    for name in NAMES[:5]:
        terminal = terminals(hostile_match(name))
        terminal.until("q quit")
        terminal.press("n", "event 1 of ")
        terminal.press("n", "event 2 of ")
        terminal.press("\x1b[F", "The record is complete")
        terminal.press("bb", "stopped by its organiser")
        terminal.press("q", LEAVE)
        assert terminal.wait() == 0
        rest = re.sub("\r+\n", "\n", OURS.sub("", terminal.text))
        assert all(char.isprintable() or char == "\n" for char in rest)
