"""`referee replay`: a person watches a recorded match."""

from collections.abc import Iterator
from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from referee.transcript.events import Replay, Step
    from referee.transcript.reader import Transcript

EXIT_UNREADABLE = 3


@click.command("replay")
@click.argument("file", type=click.Path(), metavar="FILE")
@click.option(
    "--at", type=click.IntRange(0), metavar="N", help="Show event N and the table after it."
)
@click.option("--moves", is_flag=True, help="Print one line a move.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object an event.")
@click.option("--plain", is_flag=True, help="Tell the whole match, also in a terminal.")
def command(*, file: str, at: int | None, moves: bool, as_json: bool, plain: bool) -> None:
    """Watch the recorded match in FILE, an .azt transcript.

    In a terminal you step through it: arrows go forward and back, h shows all keys. Where the
    output is no terminal the whole match is told event by event.

    A broken record is shown up to the break, with the reason; the exit code is then that of
    `referee verify`. A match that is still being played is no failure.
    """
    if moves and (as_json or at is not None):
        raise click.UsageError("--moves prints all moves; --at and --json print something else")
    if plain and (moves or as_json or at is not None):
        raise click.UsageError("--plain tells the whole match; the other options print less")
    from referee.cli.replay_text import exit_code
    from referee.cli.screen import is_screen
    from referee.transcript.events import Replay

    replay = Replay(_load(file))
    if as_json:
        _print_json(file, replay, at)
    elif moves:
        _print_moves(replay)
    elif at is not None:
        _print_at(replay, at)
    elif plain or not is_screen():
        _tell(replay)
    else:
        _watch(replay)
    raise click.exceptions.Exit(exit_code(replay))


def _load(file: str) -> "Transcript":
    """Read the file, or leave with one sentence."""
    from referee.transcript.errors import NotATranscript
    from referee.transcript.reader import load
    from referee.transcript.text import printable

    try:
        return load(file)
    except NotATranscript as error:
        problem = str(error)
    except OSError as error:
        problem = error.strerror or str(error)
    click.echo(f"referee: {printable(file)}: {printable(problem)}", err=True)
    raise click.exceptions.Exit(EXIT_UNREADABLE)


def _tell(replay: "Replay") -> None:
    from referee.cli.replay_text import Telling
    from referee.cli.screen import Printer

    printer = Printer()
    for line in Telling(replay, printer.width).lines():
        printer.line(line)


def _print_json(file: str, replay: "Replay", at: int | None) -> None:
    from referee.transcript.event_json import dumps, events

    last = -1
    for found in events(file, replay):
        if at is None or found.get("event") == at:
            click.echo(dumps(found))
        last = max(last, found.get("event", -1))
    if at is not None:
        _need_event(replay, at, last)


def _print_moves(replay: "Replay") -> None:
    from referee.cli.replay_text import closing, move_line

    last = None
    for step in replay.steps():
        if step.kind == "move":
            click.echo(move_line(step))
        last = step
    _close(replay, closing(replay, last))


def _close(replay: "Replay", lines: Iterator[str]) -> None:
    """Print how far a record goes, where that is not its end."""
    from referee.transcript.verify import Verdict

    if replay.report.verdict is not Verdict.OK:
        for line in lines:
            click.echo(line)


def _print_at(replay: "Replay", at: int) -> None:
    from referee.cli.replay_text import at_lines, closing
    from referee.cli.screen import Printer

    wanted: Step | None = None
    last: Step | None = None
    for step in replay.steps():
        if step.index == at:
            wanted = step
        last = step
    printer = Printer()
    if wanted is not None and last is not None:
        for line in at_lines(wanted, last.index, printer.width):
            printer.line(line)
    if wanted is None or wanted is last:
        _close(replay, closing(replay, last))
    _need_event(replay, at, -1 if last is None else last.index)


def _need_event(replay: "Replay", at: int, last: int) -> None:
    """Refuse an event that there is not; where the record broke off, that is the reason."""
    from referee.cli.replay_text import exit_code

    if at <= last:
        return
    there = "there are none" if last < 0 else f"there are events 0 to {last}"
    if exit_code(replay) == 0:
        raise click.UsageError(f"there is no event {at}; {there}")
    click.echo(f"referee: there is no event {at}; {there}", err=True)


def _watch(replay: "Replay") -> None:
    from referee.cli.replay_loop import watch
    from referee.cli.replay_text import closing

    steps = list(replay.steps())
    last = steps[-1] if steps else None
    if steps:
        watch(steps, list(closing(replay, last)))
    _close(replay, closing(replay, last))
