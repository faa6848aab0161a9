"""A record that is in dispute: whether it can be trusted, and what it comes to.

A claim rests on the whole record, so the chain and the signature are looked at first: the
signature vouches for the last link, and a broken link leaves everything before it without
anybody who vouches for it.
"""

from collections.abc import Iterator
from dataclasses import dataclass

from referee.rules import Ruleset
from referee.transcript.dispute import clauses
from referee.transcript.dispute.claims import Claim, OfAnswer
from referee.transcript.dispute.replay import Replay, replay
from referee.transcript.dispute.verdict import Remedy, Ruling, Values, Verdict
from referee.transcript.errors import BadClaim
from referee.transcript.finding import Finding, Level
from referee.transcript.fold import Stage
from referee.transcript.reader import Tail, Transcript
from referee.transcript.result import Result
from referee.transcript.verify import Report, Status, fold_of, verify
from referee.transcript.wire.results import decode_result
from referee.v1 import record_pb2 as pb


@dataclass(frozen=True)
class Trust:
    """Whether a record is what its key signed; ``why`` says why not.

    ``altered`` tells damage from a record that only has no end yet.
    """

    why: str = ""
    altered: bool = False


def trust(transcript: Transcript, report: Report) -> Trust:
    """Return whether frames, chain and signature hold."""
    findings = report.findings
    if Level.FRAMES in findings:
        torn = transcript.tail is Tail.TORN
        what = "ends in the middle of a write" if torn else "is damaged"
        return Trust(_because(f"The file {what}", findings[Level.FRAMES]), altered=not torn)
    if Level.CHAIN in findings:
        return Trust(_because("The chain is broken", findings[Level.CHAIN]), altered=True)
    if report.public_key is None and Level.RULES in findings:
        # Without the set-up nobody knows whose signature to expect.
        return Trust(_because("The set-up cannot be used", findings[Level.RULES]))
    if Level.SIGNATURE in findings:
        return Trust(_because("The signature fails", findings[Level.SIGNATURE]), altered=True)
    if report.levels[Level.SIGNATURE] is not Status.OK:
        return Trust("The record is not signed: the match goes on, or its end was cut off")
    return Trust()


def _because(what: str, finding: Finding) -> str:
    return f"{what} at {finding.place}: expected {finding.expected}, found {finding.found}"


class Case:
    """A record in dispute, re-played once for all claims."""

    def __init__(self, transcript: Transcript, pinned: bytes | None, claims: list[Claim]) -> None:
        self.report = verify(transcript, pinned)
        self.trust = trust(transcript, self.report)
        # Behind a broken link nothing belongs to what stands before it.
        broken = transcript.broken_link is not None
        frames = transcript.frames[: transcript.good] if broken else transcript.frames
        self.records: list[pb.Record] = [record for records in frames for record in records]
        events = {self.event_of(claim) for claim in claims if isinstance(claim, OfAnswer)}
        self.course: Replay = replay(
            fold_of(transcript), frames, {e for e in events if e is not None}
        )
        self.fold = self.course.fold
        self.started = self.fold.stage is not Stage.NOTHING
        # Whether the match has an end, so that what is missing will never come.
        self.ended = any(self.find("game_over", "voided", "aborted"))
        self.recorded = self._recorded_result()

    @property
    def ruleset(self) -> Ruleset:
        """The rules of the match."""
        return self.fold.setup.ruleset

    @property
    def has_other_seed(self) -> bool:
        """Whether the seed that was shown is not the one committed to."""
        fold = self.fold
        return fold.seed is not None and bool(fold.commit) and not fold.commitment_opens

    def find(self, *kinds: str) -> Iterator[int]:
        """Yield the events of these kinds."""
        for event, record in enumerate(self.records):
            if record.WhichOneof("kind") in kinds:
                yield event

    def _recorded_result(self) -> Result | None:
        for event in self.find("game_over"):
            return decode_result(self.records[event].game_over)
        return None

    def event_of(self, claim: OfAnswer) -> int | None:
        """Return the event that a claim names; None if the record has none such."""
        if claim.event is not None:
            return claim.event if claim.event < len(self.records) else None
        for event in self.find("move", "rejected"):
            record = self.records[event]
            kind = record.WhichOneof("kind")
            answer = record.move if kind == "move" else record.rejected
            if (answer.turn, answer.attempt) == (claim.turn, claim.attempt):
                return event
        return None

    def check_seat(self, seat: int) -> None:
        """Raise `BadClaim` unless the table has that seat."""
        seats = self.fold.setup.seats
        if seat >= seats:
            raise BadClaim(f"there is no seat {seat}; the match has the seats 0 to {seats - 1}")

    # Rulings ---------------------------------------------------------------------------------

    def open(self, claim: Claim, reason: str, rule: str = "", event: int | None = None) -> Ruling:
        """Return that the record cannot decide."""
        return Ruling(claim, Verdict.INCONCLUSIVE, reason, rule or clauses.RECORDS, event)

    def missing(self, claim: Claim, what: str) -> Ruling:
        """Return that something has not come yet, or raise `BadClaim` if it never will."""
        if self.ended and not self.trust.why:
            raise BadClaim(f"the record has no {what}")
        return self.open(claim, f"The record ends before it has any {what}")

    def not_reached(self, claim: Claim, event: int | None = None) -> Ruling:
        """Return that the record cannot be followed as far as the claim."""
        stop = self.course.stop
        if stop is None:
            return self.open(claim, "The record ends before that", event=event)
        reason = (
            f"The record cannot be followed past event {stop.record}: expected {stop.expected},"
            f" found {stop.found}. What comes after it was not played by the rules; dispute"
            " that event first"
        )
        return self.open(claim, reason, stop.rule, event)

    def rule(
        self,
        claim: Claim,
        verdict: Verdict,
        reason: str,
        rule: str,
        event: int | None = None,
        *,
        values: Values = Values(),  # noqa: B008  a value that never changes
        notes: tuple[str, ...] = (),
    ) -> Ruling:
        """Return what the record decides, what becomes of the result, and what else is wrong."""
        remedy, corrected, turn = self.remedy()
        return Ruling(
            claim,
            verdict,
            reason,
            rule,
            event,
            values,
            remedy,
            corrected,
            turn,
            notes=(*notes, *self.notes(event)),
        )

    def remedy(self) -> tuple[Remedy, Result | None, int | None]:
        """Return what the record as a whole makes of the result."""
        turn = self.replay_turn()
        if turn is not None:
            return Remedy.REPLAY, None, turn
        result = self.fold.result
        if result is None:
            return Remedy.NONE, None, None
        if result == self.recorded:
            return Remedy.STANDS, None, None
        return Remedy.CORRECTED, result, None

    def replay_turn(self) -> int | None:
        """Return the first turn that was not played by the rules or with the tiles drawn."""
        turns = []
        if self.course.stop is not None:
            turns.append(self.fold.turn)
        if self.has_other_seed:
            turns.append(1)
        fault = self.fold.faults.get(Level.DRAWS)
        if fault is not None and fault.record in set(self.find("deal")):
            turns.append(self.course.draws_turn)
        return min(turns, default=None)

    def findings(self) -> list[Finding]:
        """Return everything that is wrong with the record, in the order of the events."""
        found = [*self.course.corrections, *self.fold.faults.values()]
        if self.course.stop is not None:
            found.append(self.course.stop)
        return sorted(found, key=lambda each: (each.record or 0, each.frame))

    def notes(self, *but: int | None) -> tuple[str, ...]:
        """Return what else is wrong with the record than those events."""
        return tuple(
            [
                f"Event {each.record} is wrong, too: expected {each.expected}, found {each.found}"
                for each in self.findings()
                if each.record not in but
            ]
        )
