"""One pass through the records of a match in dispute, by the rules.

It is the fold that verifies; this only notes what claims ask for on the way. A record that
merely *states* something (what a round came to, why an answer was refused) and states it
wrongly is put right, and the match goes on: the course of the game did not depend on it.
A record that *decided* something wrongly ends the pass, because nobody can know what the
players would have done.
"""

from collections.abc import Collection
from dataclasses import dataclass, field

from referee.rules import Move
from referee.transcript import answers
from referee.transcript.digest import digest
from referee.transcript.finding import Finding, Level, WrongRecord
from referee.transcript.fold import Fold, Stage
from referee.v1 import record_pb2 as pb


@dataclass(frozen=True)
class Answer:
    """What the rules say to the answer of one event: the move it means, or why it is none.

    Neither is set if the record is no answer to the question that was open.
    """

    seat: int
    turn: int
    attempt: int
    move: Move | None
    refusal: answers.Refused | None


@dataclass(frozen=True)
class Scored:
    """What a round came to: as the record states it, and by re-play."""

    event: int
    recorded: tuple[int, ...]
    correct: tuple[int, ...]


@dataclass
class Replay:
    """What the records come to.

    reached      how many records were looked at
    stop         the record that the match cannot be followed past, if there is one
    corrections  the statements that were put right
    rounds       what each round came to
    looked_at    the answers that claims are about, by event
    draws_turn   the turn in which the first wrong deal was made
    """

    fold: Fold
    reached: int = 0
    stop: Finding | None = None
    corrections: list[Finding] = field(default_factory=list)
    rounds: dict[int, Scored] = field(default_factory=dict)
    looked_at: dict[int, Answer] = field(default_factory=dict)
    draws_turn: int = 1

    def stops_at(self, event: int) -> bool:
        """Return whether the record of that event is the one that cannot be followed."""
        return self.stop is not None and self.stop.record == event < self.reached

    def correction_at(self, event: int) -> Finding | None:
        """Return what was put right in the record of that event."""
        return next((each for each in self.corrections if each.record == event), None)


def replay(fold: Fold, frames: list[list[pb.Record]], events: Collection[int]) -> Replay:
    """Go through the frames as far as the rules allow; look closely at some answers."""
    course = Replay(fold)
    try:
        for records in frames:
            for record in records:
                _step(course, record, events)
            fold.end_frame()
    except WrongRecord as wrong:
        course.stop = _finding(fold, wrong)
    return course


def _step(course: Replay, record: pb.Record, events: Collection[int]) -> None:
    fold = course.fold
    event = course.reached
    course.reached += 1
    if event in events:
        _look(course, record, event)
    clean = Level.DRAWS not in fold.faults
    turn = fold.turn
    try:
        fold.apply(record)
    except WrongRecord as wrong:
        stated = _corrected(fold, record)
        if stated is None:
            raise
        found = _finding(fold, wrong)
        _apply_instead(fold, stated, wrong)
        course.corrections.append(found)
    if clean and Level.DRAWS in fold.faults:
        course.draws_turn = turn
    if record.WhichOneof("kind") == "round_scored":
        recorded = tuple(record.round_scored.scores)
        number = fold.position.round
        course.rounds[number] = Scored(event, recorded, tuple(fold.position.scores))


def _finding(fold: Fold, wrong: WrongRecord) -> Finding:
    place = (fold.frame, fold.record)
    return Finding(Level.RULES, *place, wrong.expected, wrong.found, wrong.rule)


def _apply_instead(fold: Fold, record: pb.Record, wrong: WrongRecord) -> None:
    """Apply a record in the place of one that was refused, for which it must stand."""
    fold.record -= 1
    try:
        fold.apply(record)
    except WrongRecord:
        # It is wrong in more than what it states.
        raise wrong from None


def _look(course: Replay, record: pb.Record, event: int) -> None:
    """Note what the rules say to an answer, before it is applied."""
    fold = course.fold
    message = record.move if record.WhichOneof("kind") == "move" else record.rejected
    if fold.stage is not Stage.PLAYING or fold.position.actor < 0:
        return
    seat = fold.position.actor
    move, refusal = None, None
    fits = message.seat == seat and message.turn == fold.turn
    if fits and fold.live[seat]:
        try:
            move = answers.resolve(fold.position, message.action)
        except answers.Refused as refused:
            refusal = refused
    elif fits and record.WhichOneof("kind") == "move":
        move = answers.frozen_move(fold.position)
    course.looked_at[event] = Answer(seat, message.turn, message.attempt, move, refusal)


def _corrected(fold: Fold, record: pb.Record) -> pb.Record | None:
    """Return the record as it should be, if all it does is to state something."""
    if fold.stage is not Stage.PLAYING:
        return None
    kind = record.WhichOneof("kind")
    stated = pb.Record()
    stated.CopyFrom(record)
    if kind == "round_scored":
        stated.round_scored.scores[:] = fold.position.scores
        stated.round_scored.digest = digest(fold.position)
        return stated
    if kind == "rejected" and fold.position.actor >= 0:
        try:
            answers.resolve(fold.position, record.rejected.action)
        except answers.Refused as refused:
            stated.rejected.reason = refused.reason
            return stated
    return None
