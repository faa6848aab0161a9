"""A recorded match as a list of steps: what a person watches, and what a page is made of.

One step is one record, in words, with what it changed. `Course` takes records as they come,
from a file or from a running referee, through the same fold as the verifier. `Replay` shows a
file up to the first place that breaks the record; what lies behind that place is not shown. It
judges nothing itself: what is wrong stands in the report of `verify`.

A step shows what a spectator saw at that moment. Its words can be shown as they are; only
``name``, ``kit`` and ``detail`` are given as strangers wrote them.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from referee.rules import Position
from referee.transcript import answers
from referee.transcript.finding import Finding, Level, WrongRecord
from referee.transcript.fold import Fold, Stage
from referee.transcript.reader import Transcript
from referee.transcript.telling import Points, Telling, tell
from referee.transcript.telling.records import refusal, tell_record
from referee.transcript.verify import Report, Status, Verdict, verify
from referee.transcript.wire.game import decode_deal, decode_move
from referee.v1 import record_pb2 as pb
from referee.v1.event_pb2 import Event


@dataclass(frozen=True)
class Clock:
    """The times of one answer, in nanoseconds; ``bank_ns`` is None without a bank."""

    elapsed_ns: int
    charged_ns: int
    bank_ns: int | None


@dataclass(frozen=True)
class Refusal:
    """Why an answer was refused; ``move`` is its notation if it names a move at all."""

    reason: str
    message: str
    rule: str
    move: str | None
    attempt: int
    strike: int


@dataclass(frozen=True)
class Step:
    """One record of a match and what it did.

    index     the number of the record, which is that of the event
    kind      the kind of the record, as docs/transcript.md names it
    round     the round being played, or the last one that was; 0 before the first
    seat      whom it is about, None if nobody in particular
    notation  a move or a deal in notation, None for other records
    begins    whether a round begins with it
    changed   whether the position is another one than before
    position  the table after it, as a spectator sees it; nobody may change it
    live      the seats that are not out
    scores    after it, the bonuses of the end included once they are given
    winners   the seats that have won, once the game is over
    findings  what verifying found wrong with this very record
    """

    index: int
    frame: int
    kind: str
    round: int
    turn: int | None
    seat: int | None
    notation: str | None
    telling: Telling
    begins: bool
    changed: bool
    position: Position
    live: tuple[bool, ...]
    scores: tuple[int, ...]
    winners: tuple[int, ...]
    clock: Clock | None
    refusal: Refusal | None
    findings: tuple[Finding, ...]
    message: Any

    @property
    def points(self) -> tuple[Points, ...]:
        """What it brought whom."""
        return self.telling.points

    @property
    def words(self) -> str:
        """What happened, as a sentence with its subject."""
        if self.kind != "move":
            return self.telling.sentence
        by = "" if self.live[self.seat or 0] else ", out, moved by the referee,"
        return f"seat {self.seat}{by} {self.telling.sentence}"


class Replay:
    """A transcript to be watched.

    report  what verifying it says
    fold    the match after the steps that were asked for so far
    """

    def __init__(self, transcript: Transcript, report: Report | None = None) -> None:
        self.transcript = transcript
        self.report = verify(transcript) if report is None else report
        self._course = Course(transcript.match_id, self.report.findings.values())
        self.fold = self._course.fold

    @property
    def is_open(self) -> bool:
        """Whether the match simply goes on: nothing is wrong, and its end is to come."""
        return self.report.verdict is Verdict.INCOMPLETE

    @property
    def broken(self) -> Finding | None:
        """The place where showing stops before the end of the file; None if it does not."""
        found = self.report.findings
        levels = (Level.FRAMES, Level.CHAIN, Level.RULES)
        places = [found[level] for level in levels if level in found]
        return min(places, key=lambda finding: finding.frame, default=None)

    @property
    def missing(self) -> list[Level]:
        """The levels that could not be looked at yet."""
        levels = self.report.levels
        return [level for level in Level if levels.get(level) is Status.INCOMPLETE]

    def steps(self) -> Iterator[Step]:
        """Yield every step up to the break, once; a second call goes on where the first is."""
        fold = self.fold
        try:
            # Behind a wrong link nobody vouches for anything.
            for records in self.transcript.frames[: self.transcript.good]:
                for record in records:
                    yield self._course.step(record)
                fold.end_frame()
        except WrongRecord:
            # The verifier met it too; the report has the place and the reason.
            return


class Course:
    """The course of a match, recorded or live, record by record.

    fold  the match after the last record
    """

    def __init__(self, match_id: bytes, findings: Iterable[Finding] = ()) -> None:
        self.fold = Fold(match_id)
        self._position: Position | None = None
        self._strikes: dict[int, int] = {}
        self._findings: dict[int | None, list[Finding]] = {}
        for finding in findings:
            self._findings.setdefault(finding.record, []).append(finding)

    def follow(self, event: Event) -> Step:
        """Take an event that a referee tells, or raise `WrongRecord`; frames end by themselves."""
        fold = self.fold
        if event.frame == fold.frame + 1:
            fold.end_frame()
        if (event.frame, event.index) != (fold.frame, fold.record + 1):
            expected = f"event {fold.record + 1} of frame {fold.frame}"
            raise WrongRecord(expected, f"event {event.index} of frame {event.frame}")
        return self.step(event.record)

    def step(self, record: pb.Record) -> Step:
        """Take the next record of a frame, or raise `WrongRecord`."""
        fold = self.fold
        kind = record.WhichOneof("kind") or ""
        is_game = kind in ("move", "deal") and fold.stage is Stage.PLAYING
        before = self._position
        fold.apply(record)
        message = getattr(record, kind)
        seat = message.seat if kind != "setup" and _has(message, "seat") else None
        live = tuple(fold.live)
        notation = why = None
        position = fold.position
        changed = is_game or before is None
        if changed:
            self._position = position = position.copy()
        else:
            assert before is not None
            position = before
        if kind == "rejected":
            self._strikes[message.seat] = self._strikes.get(message.seat, 0) + 1
            why = self._refusal(message)
        if is_game:
            assert before is not None
            step = decode_move(message.move) if kind == "move" else decode_deal(message.deal)
            notation = str(step)
            telling = tell(before, step, position)
        else:
            telling = tell_record(kind, message, fold, self._strikes.get(seat or 0, 0))
        scores = position.scores
        if fold.result is not None:
            scores = tuple(entry.score for entry in fold.result.seats)
        return Step(
            index=fold.record,
            frame=fold.frame,
            kind=kind,
            round=position.round,
            turn=message.turn if kind in ("move", "rejected") else None,
            seat=seat,
            notation=notation,
            telling=telling,
            begins=is_game and before is not None and position.round != before.round,
            changed=changed,
            position=position,
            live=live,
            scores=scores,
            winners=() if fold.result is None else fold.result.winners,
            clock=_clock(message) if kind in ("move", "reveal") else None,
            refusal=why,
            findings=tuple(self._findings.get(fold.record, ())),
            message=message,
        )

    def _refusal(self, message: pb.Rejected) -> Refusal:
        refused = refusal(message, self.fold)
        try:
            move = str(answers.named_move(self.fold.position, message.action))
        except answers.Refused:
            move = None
        return Refusal(
            answers.reason_name(refused.reason),
            refused.message,
            refused.rule,
            move,
            message.attempt,
            self._strikes[message.seat],
        )


def _has(message: Any, name: str) -> bool:  # noqa: ANN401  any record
    return name in message.DESCRIPTOR.fields_by_name and message.HasField(name)


def _clock(message: pb.MoveRecord | pb.Reveal) -> Clock | None:
    if not message.HasField("timing"):
        return None
    timing = message.timing
    bank = timing.bank_after_ns if timing.HasField("bank_after_ns") else None
    elapsed = timing.received_ns - timing.sent_ns - timing.credited_ns
    return Clock(elapsed, timing.charged_ns, bank)
