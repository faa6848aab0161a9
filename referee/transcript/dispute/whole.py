"""Claims about the record as a whole: that it was altered, that anything is wrong in it."""

from dataclasses import replace

from referee.transcript.dispute import clauses
from referee.transcript.dispute.case import Case
from referee.transcript.dispute.claims import Altered, Anything
from referee.transcript.dispute.verdict import Remedy, Ruling, Values, Verdict
from referee.transcript.finding import Level

_RULES = {
    Level.RULES: clauses.RECORDS,
    Level.RESULT: clauses.RESULT,
    Level.DRAWS: clauses.DRAWS,
    Level.CLOCKS: clauses.CLOCKS,
}


def judge_altered(case: Case, claim: Altered) -> Ruling:
    """Judge whether the file is what the referee wrote."""
    trust = case.trust
    if trust.altered:
        return Ruling(claim, Verdict.OVERTURNED, trust.why, clauses.SIGNATURE)
    if trust.why:
        return case.open(claim, trust.why, clauses.SIGNATURE)
    key = "the pinned key" if case.report.key_pinned else "the key in its set-up"
    pin = () if case.report.key_pinned else ("Whose key that is, only --key can say",)
    reason = f"Every link holds, and {key} signed the last one"
    return case.rule(claim, Verdict.UPHELD, reason, clauses.SIGNATURE, notes=pin)


def judge_anything(case: Case, claim: Anything) -> Ruling:
    """Judge the whole record: the first thing that is wrong decides."""
    lost = set(case.find("secret_lost"))
    found = [each for each in case.findings() if each.record not in lost]
    if not found:
        if lost:
            reason = "All else holds, but the seed was lost, so the draws can never be proved"
            return case.open(claim, reason, clauses.DRAWS)
        if not case.ended:
            reason = "As far as it goes all holds, but the match has not ended"
            return case.open(claim, reason, clauses.RECORDS)
        reason = "Every record can stand where it does, and the result follows from the events"
        notes = ("What the clocks measured is the referee's account, which no record can prove",)
        return case.rule(claim, Verdict.UPHELD, reason, clauses.RECORDS, notes=notes)
    first = found[0]
    ruling = case.rule(
        claim,
        Verdict.OVERTURNED,
        f"Event {first.record} is wrong: expected {first.expected}, found {first.found}",
        first.rule or _RULES[first.level],
        first.record,
        values=Values(None, first.found, first.expected),
    )
    if {each.level for each in found} == {Level.CLOCKS}:
        # Whether the clock decided anything cannot be computed from it.
        return replace(ruling, remedy=Remedy.UNKNOWN, corrected=None)
    return ruling
