"""The terminal of a person who watches a match: raw keys in, whole screens out.

Whatever ends the watching, a key, an error, Ctrl-C or a signal, the terminal is as it was
before. Nothing here knows what a match is; `replay_player` does.
"""

import contextlib
import os
import select
import shutil
import signal
import sys
import termios
import time
import tty
from collections.abc import Callable, Iterator
from types import FrameType

import click

from referee.cli.keys import Keys
from referee.cli.replay_player import Player, compose
from referee.cli.screen import painted, terminal
from referee.transcript.events import Step

# The other screen of the terminal, without a cursor; and back.
ENTER = "\x1b[?1049h\x1b[?25l"
LEAVE = "\x1b[?25h\x1b[?1049l"
HOME = "\x1b[H"
CLEAR_LINE = "\x1b[K"
# How long the rest of a key's bytes may take.
SEQUENCE_S = 0.05
READ_BYTES = 1024
Handler = Callable[[int, FrameType | None], None]


def watch(steps: list[Step], closing: list[str]) -> None:
    """Let a person step through a match until it is enough."""
    player = Player(steps, closing)
    keys = Keys()
    with _terminal() as (wake, resume):
        while not player.done:
            resume()
            _show(player)
            timeout = SEQUENCE_S if keys.is_waiting else player.wait(time.monotonic())
            ready, _, _ = select.select([sys.stdin.fileno(), wake], [], [], timeout)
            now = time.monotonic()
            if wake in ready:
                os.read(wake, READ_BYTES)
            if sys.stdin.fileno() in ready:
                data = os.read(sys.stdin.fileno(), READ_BYTES)
                if not data:
                    return
                pressed = list(keys.feed(data))
            else:
                pressed = list(keys.flush()) if wake not in ready else []
            for key in pressed:
                player.press(key, now)
            player.tick(now)


def _show(player: Player) -> None:
    width, height = shutil.get_terminal_size()
    console = terminal(width, height)
    assert console is not None
    # Cleared first: behind the last column there is nothing to clear, but its letter would go.
    lines = [CLEAR_LINE + painted(console, line) for line in compose(player, width, height)]
    _write(HOME + "\r\n".join(lines))


def _write(text: str) -> None:
    sys.stdout.write(text)
    sys.stdout.flush()


@contextlib.contextmanager
def _terminal() -> Iterator[tuple[int, Callable[[], None]]]:
    """Take the terminal over, and give it back whatever happens.

    Yields a file that becomes readable when a signal has come (another size of the window,
    or awake again after a stop), and a call that takes the terminal over once more after one.
    """
    file = sys.stdin.fileno()
    before = termios.tcgetattr(file)
    wake, waker = os.pipe()
    os.set_blocking(waker, False)
    taken = False

    def take() -> None:
        nonlocal taken
        if not taken:
            taken = True
            tty.setcbreak(file)
            _write(ENTER)

    def give_back() -> None:
        nonlocal taken
        if taken:
            taken = False
            termios.tcsetattr(file, termios.TCSADRAIN, before)
            _write(LEAVE)

    def stop(number: int, _: FrameType | None) -> None:
        # Ctrl-Z: the shell must get an ordinary terminal, and this process must really stop.
        give_back()
        signal.signal(number, signal.SIG_DFL)
        os.kill(os.getpid(), number)
        signal.signal(number, stop)

    def end(number: int, _: FrameType | None) -> None:
        raise click.exceptions.Exit(128 + number)

    def wake_up(_: int, __: FrameType | None) -> None:
        # The waker was written to; nothing else is needed.
        pass

    handlers: dict[signal.Signals, Handler] = {
        signal.SIGTSTP: stop,
        signal.SIGTERM: end,
        signal.SIGHUP: end,
        signal.SIGWINCH: wake_up,
        signal.SIGCONT: wake_up,
    }
    old = {number: signal.signal(number, handler) for number, handler in handlers.items()}
    old[signal.SIGINT] = signal.getsignal(signal.SIGINT)
    old_waker = signal.set_wakeup_fd(waker, warn_on_full_buffer=False)
    try:
        yield wake, take
    finally:
        # A second Ctrl-C must not come between.
        signal.signal(signal.SIGINT, signal.SIG_IGN)
        with contextlib.suppress(OSError, termios.error):
            # The terminal may have gone: then there is nothing to give back.
            give_back()
        signal.set_wakeup_fd(old_waker)
        for number, handler in old.items():
            signal.signal(number, handler)
        os.close(wake)
        os.close(waker)
