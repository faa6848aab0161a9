"""Tells recorded matches line by line, and how far a record goes."""

from collections.abc import Iterator, Sequence

from rich.text import Text

from referee.cli.draw import draw_boards, draw_table
from referee.cli.story import MOVE_WIDTH, Line, end_lines, move_lines, other_lines
from referee.transcript.events import Replay, Step
from referee.transcript.finding import Finding, Level
from referee.transcript.telling.records import seconds
from referee.transcript.text import printable
from referee.transcript.verify import Verdict

ENDS = ("game_over", "voided", "aborted")


def exit_code(replay: Replay) -> int:
    """Return the code of `referee verify`; a match that simply goes on is no failure here."""
    verdict = replay.report.verdict
    return 0 if verdict is Verdict.INCOMPLETE else int(verdict.value)


def clock_words(step: Step) -> str:
    """Return the time of an answer, and what is left."""
    clock = step.clock
    if clock is None:
        return ""
    left = "" if clock.bank_ns is None else f", {seconds(clock.bank_ns)} left"
    return f"{seconds(clock.elapsed_ns)}{left}"


def step_lines(step: Step) -> list[str]:
    """Return a step in words: what happened, what it led to, what it brought whom."""
    remark = clock_words(step)
    remark = f"  [{remark}]" if remark else ""
    if step.kind == "move":
        assert step.seat is not None
        if not step.live[step.seat]:
            remark = "  [moved by the referee]"
        lines = list(move_lines(step.seat, step.notation or "", step.telling, remark))
    elif step.kind == "game_over":
        lines = list(end_lines(step.telling))
    else:
        lines = list(other_lines(step.telling, remark))
    for finding in step.findings:
        if finding.level is not Level.RULES:
            lines.append(f"        WRONG: {finding_words(finding)}")
    return lines


def finding_words(finding: Finding) -> str:
    """Return what is wrong, where, what was expected and what was found."""
    rule = f" ({finding.rule})" if finding.rule else ""
    return (
        f"{finding.level.value}, {finding.place}: expected {printable(finding.expected)}, "
        f"found {printable(finding.found)}{rule}"
    )


def numbered(step: Step) -> Iterator[str]:
    """Yield a step in words with its number before it."""
    first, *rest = step_lines(step)
    yield f"{step.index:>5}  {first}"
    for line in rest:
        yield f"{'':>5}  {line}"


class Scenes:
    """Tells a match step by step, with the boards after every round."""

    def __init__(self, width: int) -> None:
        self._width = width
        self._scores: tuple[int, ...] = ()
        self._drawn: object = None

    def lines(self, step: Step) -> Iterator[Line]:
        """Yield the next step."""
        yield from self.words(step)
        if step.kind == "round_scored" or step.kind in ENDS:
            yield from self._boards(step)

    def words(self, step: Step) -> Iterator[Line]:
        """Yield the next step without any board."""
        self._scores = self._scores or step.scores
        if step.begins:
            yield ""
        yield from numbered(step)

    def _boards(self, step: Step) -> Iterator[Line]:
        # The end of a game has the table that the last round left, unless seats went out.
        if step.position is self._drawn:
            return
        self._drawn = step.position
        new = step.scores
        gained = [after - before for after, before in zip(new, self._scores, strict=True)]
        self._scores = new
        yield ""
        yield from boards(step, gained, self._width)


class Telling:
    """Tells a recorded match from its beginning."""

    def __init__(self, replay: Replay, width: int) -> None:
        self._replay = replay
        self._scenes = Scenes(width)

    def lines(self) -> Iterator[Line]:
        """Yield the whole match, and at the end how far its record goes."""
        yield f"match {self._replay.transcript.match_id.hex() or 'without an id'}"
        last = None
        for step in self._replay.steps():
            yield from self._scenes.lines(step)
            last = step
        yield ""
        yield from closing(self._replay, last)


def at_lines(step: Step, last: int, width: int) -> Iterator[Line]:
    """Yield what happened at one event, and the table after it."""
    yield f"event {step.index} of {last}, round {step.round}"
    yield from step_lines(step)
    yield ""
    yield from draw_table(step.position, width)
    yield ""
    yield from boards(step, gained_by(step), width)
    yield ""
    yield str(step.position)


def boards(step: Step, gained: Sequence[int], width: int) -> list[Text]:
    """Return the boards after a step; from the end of the game on with what it all came to."""
    return draw_boards(
        step.position, gained, step.live, width, scores=step.scores, winners=step.winners
    )


def gained_by(step: Step) -> list[int]:
    """Return what a step brought each seat."""
    gained = [0] * len(step.live)
    for entry in step.points:
        gained[entry.seat] += entry.points
    return gained


def move_line(step: Step) -> str:
    """Return one move: event, round, seat, notation, words and clock."""
    words = "; ".join((step.telling.sentence, *step.telling.details))
    clock = clock_words(step) or "moved by the referee"
    move = f"{step.notation:<{MOVE_WIDTH}}"
    return f"{step.index:>5}  round {step.round:<2}  seat {step.seat}  {move} {words}  [{clock}]"


def closing(replay: Replay, last: Step | None) -> Iterator[str]:
    """Yield how far the record goes, and everything that is wrong with it."""
    report = replay.report
    broken = replay.broken
    shown = "nothing of it can be shown."
    if last is not None:
        shown = f"it is shown up to event {last.index}, and nothing behind that can be trusted."
    if broken is not None:
        yield f"The record is broken: {shown}"
        yield f"  {finding_words(broken)}"
        behind = len(replay.transcript.frames) - replay.transcript.good
        if behind:
            yield f"  {behind} more frames stand in the file, but their chain of hashes is broken."
    elif report.findings:
        yield "The record can be followed to its end, but not everything in it is right."
    others = [finding for finding in report.findings.values() if finding is not broken]
    for finding in sorted(others, key=lambda finding: list(Level).index(finding.level)):
        yield f"  {finding_words(finding)}"
    if report.findings:
        yield "  `referee verify` tells more."
    elif last is None:
        yield "The record is empty: nothing has happened yet."
    elif replay.is_open:
        end = "is over, but its record is not signed yet" if replay.fold.ended_by else "is not over"
        yield f"The match {end}: this is its record so far, up to event {last.index}."
    else:
        yield "The record is complete, signed, and everything in it holds."
