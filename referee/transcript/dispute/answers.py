"""Claims about one answer: a move that was refused, or one that was accepted."""

from referee.transcript.answers import reason_name
from referee.transcript.dispute import clauses
from referee.transcript.dispute.case import Case
from referee.transcript.dispute.claims import Accepted, OfAnswer, Refused
from referee.transcript.dispute.replay import Answer
from referee.transcript.dispute.verdict import Ruling, Values, Verdict
from referee.transcript.errors import BadClaim


def judge_refused(case: Case, claim: Refused) -> Ruling:
    """Judge a claim that an answer was refused although it is legal."""
    event = _event(case, claim, "rejected", "a refusal")
    if event is None:
        return case.missing(claim, f"event {claim.detail}")
    answer = case.course.looked_at.get(event)
    if answer is None or event >= case.course.reached:
        return case.not_reached(claim, event)
    recorded = reason_name(case.records[event].rejected.reason)
    who = _who(answer, event)
    if case.course.stops_at(event):
        if answer.move is None:
            return _wrong_record(case, claim, event)
        return case.rule(
            claim,
            Verdict.OVERTURNED,
            f"{who} was refused as {recorded}, but {answer.move} is a legal move there: it"
            f" should have been played{_cost(case, event)}",
            clauses.of_move(answer.move, case.ruleset),
            event,
            values=Values(None, f"refused as {recorded}", f"{answer.move} accepted"),
        )
    refusal = answer.refusal
    assert refusal is not None
    correct = reason_name(refusal.reason)
    notes: tuple[str, ...] = ()
    if case.course.correction_at(event) is not None:
        notes = (f"The reason recorded, {recorded}, is wrong; it is {correct}",)
    return case.rule(
        claim,
        Verdict.UPHELD,
        f"{who} was refused rightly: {refusal.message}",
        refusal.rule or clauses.REFUSALS,
        event,
        values=Values(None, f"refused as {recorded}", f"refused as {correct}"),
        notes=notes,
    )


def judge_accepted(case: Case, claim: Accepted) -> Ruling:
    """Judge a claim that a move was accepted although it is not the right one."""
    event = _event(case, claim, "move", "a move")
    if event is None:
        return case.missing(claim, f"event {claim.detail}")
    answer = case.course.looked_at.get(event)
    if answer is None or event >= case.course.reached:
        return case.not_reached(claim, event)
    if not case.course.stops_at(event):
        assert answer.move is not None
        by_referee = not case.records[event].move.action
        why = "is what the referee plays for a seat that is out" if by_referee else "is legal there"
        return case.rule(
            claim,
            Verdict.UPHELD,
            f"{_who(answer, event)}, {answer.move}, {why}",
            clauses.OUT if by_referee else clauses.of_move(answer.move, case.ruleset),
            event,
            values=Values(None, f"{answer.move} accepted", f"{answer.move} accepted"),
        )
    refusal = answer.refusal
    if refusal is None:
        return _wrong_record(case, claim, event)
    return case.rule(
        claim,
        Verdict.OVERTURNED,
        f"{_who(answer, event)} was accepted, but it should have been refused as"
        f" {reason_name(refusal.reason)}: {refusal.message}",
        refusal.rule or clauses.REFUSALS,
        event,
        values=Values(None, "accepted", f"refused as {reason_name(refusal.reason)}"),
    )


def _event(case: Case, claim: OfAnswer, kind: str, what: str) -> int | None:
    """Return the event of a claim, None if the record has none; it must be of that kind."""
    event = case.event_of(claim)
    if event is None:
        return None
    found = case.records[event].WhichOneof("kind") or "of no known kind"
    if found != kind:
        raise BadClaim(f"event {event} is no record of {what}: it is {found}")
    return event


def _who(answer: Answer, event: int) -> str:
    where = f"event {event}, turn {answer.turn}, attempt {answer.attempt}"
    return f"The answer of seat {answer.seat} ({where})"


def _cost(case: Case, event: int) -> str:
    """Return what a wrong refusal cost the seat, in words."""
    following = case.records[event + 1 : event + 2]
    if following and following[0].WhichOneof("kind") == "seat_out":
        return "; it was the last strike, and the seat was put out by it"
    return "; it cost the seat a strike"


def _wrong_record(case: Case, claim: OfAnswer, event: int) -> Ruling:
    """Rule on a record that is wrong in another way than its answer is."""
    stop = case.course.stop
    assert stop is not None
    return case.rule(
        claim,
        Verdict.OVERTURNED,
        f"Event {event} is wrong: expected {stop.expected}, found {stop.found}",
        stop.rule or clauses.ANSWERS,
        event,
        values=Values(None, stop.found, stop.expected),
    )
