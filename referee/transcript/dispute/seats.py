"""Claims about a seat that is out: by time, by strikes, by what it revealed.

Of times a record shows what the referee's clock said. It cannot prove that the clock was
right, so no ruling on time is ever UPHELD; it is OVERTURNED only where the times in the
record contradict themselves or the clock rule of the match.
"""

from dataclasses import replace

from referee.transcript.dispute import clauses
from referee.transcript.dispute.case import Case
from referee.transcript.dispute.claims import Claim, SeatOut, Time
from referee.transcript.dispute.verdict import Remedy, Ruling, Values, Verdict
from referee.transcript.errors import BadClaim
from referee.transcript.finding import Finding, Level
from referee.transcript.result import ENTROPY, NO_SHOW, RESIGN, TIME, reason_name

NO_PROOF = "A record shows the referee's clock; it cannot prove it"
_UNPROVABLE = {
    NO_SHOW: "The record says that the seat never came. It cannot prove that nobody knocked",
    RESIGN: "The record says that the seat resigned. It cannot prove who said so",
}


def judge_time(case: Case, claim: Time) -> Ruling:
    """Judge whether the time of a seat ran out, or should have."""
    case.check_seat(claim.seat)
    event = _out_event(case, claim.seat)
    if event is not None and case.records[event].seat_out.reason != TIME:
        event = None
    clock = case.fold.setup.clock
    if event is None and (clock is None or not clock.limits):
        raise BadClaim("the match has no clock that could run out")
    return _judge_time(case, claim, claim.seat, event)


def judge_out(case: Case, claim: SeatOut) -> Ruling:
    """Judge whether a seat was put out rightly."""
    case.check_seat(claim.seat)
    event = _out_event(case, claim.seat)
    if event is None:
        raise BadClaim(f"seat {claim.seat} was not put out in this record")
    reason = case.records[event].seat_out.reason
    if reason == TIME:
        return _judge_time(case, claim, claim.seat, event)
    name = reason_name(reason)
    stop = case.course.stop
    if case.course.stops_at(event):
        return _wrong(case, claim, event)
    if stop is not None and _is_strike(case, stop, claim.seat):
        return case.rule(
            claim,
            Verdict.OVERTURNED,
            f"Seat {claim.seat} was put out by {name} (event {event}), but the strike of event"
            f" {stop.record} is wrong: expected {stop.expected}, found {stop.found}",
            clauses.OUT,
            event,
            values=Values(None, f"out by {name}", "not out"),
        )
    if event >= case.course.reached:
        return case.not_reached(claim, event)
    if reason in _UNPROVABLE:
        return case.open(claim, _UNPROVABLE[reason], clauses.OUT, event)
    if reason == ENTROPY:
        why = "what it revealed does not open what it had shown before"
    else:
        why = f"each of its {case.fold.setup.strikes} strikes is an answer that the rules refuse"
    return case.rule(
        claim,
        Verdict.UPHELD,
        f"Seat {claim.seat} was put out by {name} rightly (event {event}): {why}",
        clauses.DRAWS if reason == ENTROPY else clauses.OUT,
        event,
        values=Values(None, f"out by {name}", f"out by {name}"),
    )


def _out_event(case: Case, seat: int) -> int | None:
    for event in case.find("seat_out"):
        out = case.records[event].seat_out
        if out.HasField("seat") and out.seat == seat:
            return event
    return None


def _is_strike(case: Case, stop: Finding, seat: int) -> bool:
    """Return whether the record that cannot be followed is a strike of that seat."""
    if stop.record is None or not case.course.stops_at(stop.record):
        return False
    record = case.records[stop.record]
    return record.WhichOneof("kind") == "rejected" and record.rejected.seat == seat


def _wrong(case: Case, claim: Claim, event: int) -> Ruling:
    stop = case.course.stop
    assert stop is not None
    return case.rule(
        claim,
        Verdict.OVERTURNED,
        f"No seat may go out like that in event {event}: expected {stop.expected}, found"
        f" {stop.found}",
        stop.rule or clauses.OUT,
        event,
        values=Values(None, stop.found, stop.expected),
    )


# Time ------------------------------------------------------------------------------------------


def _judge_time(case: Case, claim: Claim, seat: int, event: int | None) -> Ruling:
    if event is not None and case.course.stops_at(event):
        return _wrong(case, claim, event)
    fault = case.fold.faults.get(Level.CLOCKS)
    if fault is not None and _seat_at(case, fault) == seat:
        ruling = case.rule(
            claim,
            Verdict.OVERTURNED,
            f"The times of seat {seat} contradict the clock of the match in event {fault.record}:"
            f" expected {fault.expected}, found {fault.found}. {NO_PROOF}, but here it does not"
            " even agree with itself",
            clauses.CLOCKS,
            fault.record,
            values=Values(None, fault.found, fault.expected),
        )
        return _with_remedy(case, ruling, fault, flagged=event is not None)
    if event is not None and event >= case.course.reached:
        return case.not_reached(claim, event)
    if fault is not None:
        reason = (
            f"The times of another seat are wrong in event {fault.record} (expected"
            f" {fault.expected}, found {fault.found}), and later ones cannot be checked. {NO_PROOF}"
        )
        return case.open(claim, reason, clauses.CLOCKS, event)
    return case.open(claim, f"{_told(case, seat, event)}. {NO_PROOF}", clauses.CLOCKS, event)


def _told(case: Case, seat: int, event: int | None) -> str:
    """Return what the referee's clock says of a seat."""
    if event is None:
        return f"By the referee's clock every answer of seat {seat} came in time"
    out = case.records[event].seat_out
    spent = out.flag_ns - out.sent_ns - out.credited_ns
    return (
        f"By the referee's clock seat {seat} had {spent / 1e9:g} s for its answer and gave none in"
        f" time (event {event}); the sums follow from the recorded times"
    )


def _seat_at(case: Case, fault: Finding) -> int | None:
    """Return the seat whose times are wrong."""
    assert fault.record is not None
    record = case.records[fault.record]
    kind = record.WhichOneof("kind")
    if kind in ("move", "reveal", "rejected", "seat_out"):
        seat: int = getattr(record, kind).seat
        return seat
    return None


def _with_remedy(case: Case, ruling: Ruling, fault: Finding, *, flagged: bool) -> Ruling:
    """Return the ruling with what a wrong clock makes of the result."""
    if not flagged:
        # An answer that came too late, or a sum that is wrong: what it would have changed
        # depends on times that no record can prove.
        return replace(ruling, remedy=Remedy.UNKNOWN, corrected=None, replay_turn=None)
    assert fault.record is not None
    turn = 1 + sum(event < fault.record for event in case.find("move"))
    if ruling.replay_turn is not None:
        turn = min(turn, ruling.replay_turn)
    return replace(ruling, remedy=Remedy.REPLAY, corrected=None, replay_turn=turn)
