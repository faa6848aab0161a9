"""`referee watch`: a person, or a program, follows a match as it is played."""

import time
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING

import click

from referee.cli.connection import EXIT_FAILED, EXIT_HELP, CallFailed, Connection, connected
from referee.cli.params import DURATION

if TYPE_CHECKING:
    from referee.cli.connection import Calls
    from referee.cli.replay_text import Scenes
    from referee.cli.story import Line
    from referee.transcript.events import Course, Step
    from referee.transcript.fold import Fold
    from referee.v1.event_pb2 import Event

# How long to wait before a referee that has gone is asked again.
FIRST_WAIT_S = 0.25
LONGEST_WAIT_S = 5.0
NS = 1e-9


@click.command("watch", epilog=EXIT_HELP)
@click.argument("match_id", metavar="MATCH")
@click.option(
    "--from", "first", type=click.IntRange(0), default=0, metavar="N", help="Begin with event N."
)
@click.option("--delay", type=DURATION, default="0", help="Stay so far behind.")
@click.option(
    "--boards/--rounds",
    "boards",
    default=None,
    help="Draw the boards after every move, or after every round."
    " [default: every move in a terminal]",
)
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object an event.")
@click.option(
    "--patience",
    type=DURATION,
    default="5m",
    show_default=True,
    help="How long to look for a referee that has gone.",
)
@connected
def command(
    *,
    connection: Connection,
    match_id: str,
    first: int,
    delay: int,
    boards: bool | None,
    as_json: bool,
    patience: int,
) -> None:
    """Watch MATCH live, move by move, until it is over and its record is signed.

    A match that is over is told from its beginning. If the referee is restarted meanwhile, the
    watching goes on where it was. At the end the transcript is fetched and verified; the exit
    code is then that of `referee verify`.
    """
    from referee.transcript.events import Course
    from referee.transcript.finding import WrongRecord

    course = Course(_match_bytes(match_id))
    if not as_json and not first:
        click.echo(f"match {match_id}")
    watching = Watching(match_id, course, delay)
    show = _json_lines(course.fold) if as_json else _text_lines(boards)
    with connection.open() as calls:
        try:
            for event in watching.events(calls, patience * NS):
                step = course.follow(event)
                watching.tell(event, step)
                if step.index >= first:
                    show(step)
        except WrongRecord as error:
            problem = f"the referee tells what cannot be, event {course.fold.record}: {error}"
            raise CallFailed(problem, EXIT_FAILED) from error
        code = _close(calls, watching, as_json=as_json)
    raise click.exceptions.Exit(code)


def _match_bytes(text: str) -> bytes:
    try:
        match_id = bytes.fromhex(text)
    except ValueError:
        match_id = b""
    if len(match_id) != 16:
        raise click.UsageError("a match is named by 32 hexadecimal digits")
    return match_id


class Watching:
    """A match that is watched, over as many connections as it takes.

    told  the records so far, encoded
    last  the last step
    """

    def __init__(self, match_id: str, course: "Course", delay_ns: int) -> None:
        self.match_id = match_id
        self.course = course
        self.told: list[bytes] = []
        self.last: Step | None = None
        self._delay_ns = delay_ns

    def tell(self, event: "Event", step: "Step") -> None:
        """Take note of an event that the fold took."""
        self.told.append(event.record.SerializeToString(deterministic=True))
        self.last = step

    def events(self, calls: "Calls", patience_s: float) -> "Iterator[Event]":
        """Yield events until the match is signed; come back after a loss of the referee."""
        from referee.transcript.fold import Stage
        from referee.v1.match_pb2 import WatchMatchRequest

        wait_s, gone_since = FIRST_WAIT_S, time.monotonic()
        while True:
            request = WatchMatchRequest(
                match_id=self.match_id, from_event=len(self.told), delay_ns=self._delay_ns
            )
            lost: CallFailed | None = None
            try:
                for answer in calls.stream("WatchMatch", request):
                    yield from answer.events
                    wait_s, gone_since = FIRST_WAIT_S, time.monotonic()
            except CallFailed as error:
                lost = error
            if self.course.fold.stage is Stage.SIGNED:
                return
            if lost is None:
                lost = CallFailed("the referee stopped telling the match", EXIT_FAILED)
            elif not lost.is_lost or not self.told:
                raise lost
            if time.monotonic() - gone_since > patience_s:
                raise lost
            if wait_s == FIRST_WAIT_S:
                click.echo("referee: the referee has gone; waiting for it to come back", err=True)
            time.sleep(wait_s)
            wait_s = min(LONGEST_WAIT_S, 2 * wait_s)


# What is shown -----------------------------------------------------------------------------------


def _json_lines(fold: "Fold") -> Callable[["Step"], None]:
    """Return what prints the lines of `replay --json`."""
    from referee.transcript.event_json import dumps, line

    return lambda step: click.echo(dumps(line(step, fold)))


def _text_lines(boards: bool | None) -> Callable[["Step"], None]:  # noqa: FBT001  a choice of three
    """Return what prints steps in words, with boards."""
    from referee.cli.replay_text import Scenes
    from referee.cli.screen import Printer, terminal

    printer = Printer()
    scenes = Scenes(printer.width)
    every = terminal() is not None if boards is None else boards

    def show(step: "Step") -> None:
        lines = _with_table(scenes, step, printer.width) if every else scenes.lines(step)
        for line in lines:
            printer.line(line)

    return show


def _with_table(scenes: "Scenes", step: "Step", width: int) -> "Iterator[Line]":
    """Yield a step and, if it changed anything there, the table and the boards after it."""
    from referee.cli.draw import draw_table
    from referee.cli.replay_text import boards, gained_by

    yield from scenes.words(step)
    if step.kind in ("move", "deal"):
        yield ""
        yield from draw_table(step.position, width)
        yield ""
        yield from boards(step, gained_by(step), width)
        yield ""


def _close(calls: "Calls", watching: Watching, *, as_json: bool) -> int:
    """Verify the record of a match that was watched to its end, and return the exit code."""
    from referee.cli.replay_text import closing, exit_code
    from referee.cli.transcript import fetch
    from referee.transcript import event_json, reader
    from referee.transcript.errors import NotATranscript
    from referee.transcript.events import Replay

    data, _ = fetch(calls, watching.match_id)
    try:
        transcript = reader.read(data)
    except NotATranscript as error:
        raise CallFailed(f"the referee sends no transcript: {error}", EXIT_FAILED) from error
    recorded = [
        record.SerializeToString(deterministic=True)
        for frame in transcript.frames
        for record in frame
    ]
    if recorded != watching.told:
        raise CallFailed("the referee told another match than it recorded", EXIT_FAILED)
    replay = Replay(transcript)
    if as_json:
        verdict = event_json.verdict(watching.match_id, replay, len(watching.told))
        click.echo(event_json.dumps(verdict))
    else:
        click.echo()
        for line in closing(replay, watching.last):
            click.echo(line)
    return exit_code(replay)
