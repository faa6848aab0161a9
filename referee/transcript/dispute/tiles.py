"""Claims about the tiles: whether what was dealt follows from the seed (docs/draws.md)."""

from referee.transcript.dispute import clauses
from referee.transcript.dispute.case import Case
from referee.transcript.dispute.claims import Tiles
from referee.transcript.dispute.verdict import Ruling, Values, Verdict
from referee.transcript.finding import Level

_PROVED = {
    "F0": "F0: the referee could not change them after the start; nothing here shows that it did"
    " not choose them before",
    "F1": "F1: the referee neither chose nor changed them, as long as one of those who revealed"
    " is honest",
    "F2": "F2: nor did anybody know the tiles of the next round, as long as one of those who"
    " revealed is honest",
    None: "The seed was fixed: whoever knew it knew all tiles, and the organiser chose it",
}


def judge_tiles(case: Case, claim: Tiles) -> Ruling:
    """Judge the tiles of one round, or of all."""
    events = [
        event
        for event in case.find("deal")
        if claim.round is None or case.records[event].deal.round == claim.round
    ]
    which = "any round" if claim.round is None else f"round {claim.round}"
    if not events:
        return case.missing(claim, f"tiles of {which}")
    impossible = next((event for event in events if case.course.stops_at(event)), None)
    if impossible is not None:
        return _impossible(case, claim, impossible)
    fold = case.fold
    if fold.seed is None:
        return case.open(claim, _no_seed(case), clauses.DRAWS)
    if case.has_other_seed:
        return case.rule(
            claim,
            Verdict.OVERTURNED,
            "The seed that the referee showed is not the one that it committed to, so no tile of"
            " the match is proved",
            clauses.DRAWS,
            next(case.find("seed_reveal"), None),
        )
    fault = fold.faults.get(Level.DRAWS)
    if fault is not None:
        assert fault.record is not None
        wrong = case.records[fault.record].deal.round
        if fault.record in events:
            return case.rule(
                claim,
                Verdict.OVERTURNED,
                f"The tiles of round {wrong} (event {fault.record}) are not those that the seed"
                " gives",
                f"{clauses.DRAWS}, {clauses.of_tiles(case.ruleset)}",
                fault.record,
                values=Values(None, fault.found, fault.expected),
            )
        if fault.record < events[-1]:
            reason = (
                f"Tiles of round {wrong} (event {fault.record}) are already not those that the seed"
                f" gives, so nothing after them can be compared; claim tiles {wrong}"
            )
            return case.open(claim, reason, clauses.DRAWS, events[0])
    if events[-1] >= case.course.reached or (claim.round is None and case.course.stop is not None):
        return case.not_reached(claim, events[-1])
    level = fold.fairness.level
    deals = "The deal" if len(events) == 1 else f"All {len(events)} deals"
    rounds = "the match" if claim.round is None else which
    follow = "follows" if len(events) == 1 else "follow"
    return case.rule(
        claim,
        Verdict.UPHELD,
        f"{deals} of {rounds} {follow} from the seed that the referee committed to before the"
        " start",
        f"{clauses.DRAWS}, {clauses.of_tiles(case.ruleset)}",
        events[0],
        notes=(_PROVED[level],),
    )


def _impossible(case: Case, claim: Tiles, event: int) -> Ruling:
    stop = case.course.stop
    assert stop is not None
    return case.rule(
        claim,
        Verdict.OVERTURNED,
        f"The deal of event {event} is impossible there: expected {stop.expected}, found"
        f" {stop.found}",
        stop.rule or clauses.of_tiles(case.ruleset),
        event,
        values=Values(None, stop.found, stop.expected),
    )


def _no_seed(case: Case) -> str:
    if any(case.find("secret_lost")):
        return "The seed was lost, and without it the draws can never be proved"
    return "The seed is not shown before the match has ended, and without it no draw is proved"
