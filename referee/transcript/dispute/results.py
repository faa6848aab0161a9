"""Claims about numbers: the score of a round, and what the match came to."""

from dataclasses import replace

from referee.transcript.dispute import clauses
from referee.transcript.dispute.case import Case
from referee.transcript.dispute.claims import BonusPoints, Claim, Rank, Score, Winner
from referee.transcript.dispute.verdict import Ruling, Value, Values, Verdict
from referee.transcript.errors import BadClaim
from referee.transcript.finding import Level
from referee.transcript.result import Result


def judge_score(case: Case, claim: Score) -> Ruling:
    """Judge the score of a seat after a round, or at the end."""
    case.check_seat(claim.seat)
    if claim.round is None:
        return _judge_final(case, claim, f"The final score of seat {claim.seat}", claim.score)
    scored = case.course.rounds.get(claim.round)
    if scored is None:
        for event in case.find("round_scored"):
            if case.records[event].round_scored.round == claim.round:
                return case.not_reached(claim, event)
        return case.missing(claim, f"score of round {claim.round}")
    recorded = scored.recorded[claim.seat] if claim.seat < len(scored.recorded) else None
    what = f"The score of seat {claim.seat} after round {claim.round}"
    rule = clauses.of_scores(case.ruleset)
    values = Values(claim.score, recorded, scored.correct[claim.seat])
    return _compare(case, claim, what, values, rule, scored.event)


def judge_bonus(case: Case, claim: BonusPoints) -> Ruling:
    """Judge the points of a seat for one bonus."""
    case.check_seat(claim.seat)
    what = f"The bonus {claim.bonus} of seat {claim.seat}"
    result = case.fold.result
    if result is not None:
        names = [bonus.name for bonus in result.seats[claim.seat].bonuses]
        if names and claim.bonus not in names:
            raise BadClaim(f"there is no bonus {claim.bonus} here; there are {', '.join(names)}")
    return _judge_final(case, claim, what, claim.points)


def judge_rank(case: Case, claim: Rank) -> Ruling:
    """Judge the rank of a seat."""
    case.check_seat(claim.seat)
    return _judge_final(case, claim, f"The rank of seat {claim.seat}", claim.rank)


def judge_winner(case: Case, claim: Winner) -> Ruling:
    """Judge who won."""
    for seat in claim.seats:
        case.check_seat(seat)
    return _judge_final(case, claim, "The winner", claim.seats)


def _judge_final(case: Case, claim: Claim, what: str, claimed: Value) -> Ruling:
    """Judge something that the result says."""
    result = case.fold.result
    if result is None or case.recorded is None:
        return _without_result(case, claim)
    event = next(case.find("game_over"))
    values = Values(claimed, _value(claim, case.recorded), _value(claim, result))
    ruling = _compare(case, claim, what, values, _rule(case, claim), event)
    fault = case.fold.faults.get(Level.DRAWS)
    if ruling.verdict is Verdict.UPHELD and fault is not None:
        # The sums are right, but they are those of another game than chance dealt.
        reason = (
            f"{ruling.reason}. But the tiles are not those that were drawn (event"
            f" {fault.record}: expected {fault.expected}, found {fault.found}), so the match does"
            " not count as it was played; dispute the tiles first"
        )
        return replace(ruling, verdict=Verdict.INCONCLUSIVE, reason=reason, rule=clauses.DRAWS)
    return ruling


def _without_result(case: Case, claim: Claim) -> Ruling:
    ended = case.fold.ended_by
    if ended in ("voided", "aborted"):
        reason = (
            f"The match was {ended} and counts for nothing, so it has no result. A record says that"
            " it was, and cannot show whether it had to be"
        )
        return case.open(claim, reason, clauses.RESULT)
    if case.course.stop is not None:
        return case.not_reached(claim)
    return case.open(claim, "The match has not ended, so it has no result yet", clauses.RESULT)


def _value(claim: Claim, result: Result) -> Value:
    """Return what a result says of the thing in dispute, None if it says nothing."""
    if isinstance(claim, Winner):
        return result.winners
    assert isinstance(claim, Score | Rank | BonusPoints)
    if claim.seat >= len(result.seats):
        return None
    seat = result.seats[claim.seat]
    if isinstance(claim, Score):
        return seat.score
    if isinstance(claim, Rank):
        return seat.rank
    return sum([bonus.points for bonus in seat.bonuses if bonus.name == claim.bonus])


def _rule(case: Case, claim: Claim) -> str:
    """Return what decides: the rules of the game, or those of a match that ended otherwise."""
    if case.fold.position.outcome() is None:
        return clauses.RESULT
    if isinstance(claim, Winner | Rank):
        outs = f", {clauses.RESULT}" if case.fold.outs else ""
        return clauses.of_ranks(case.ruleset) + outs
    bonuses = clauses.of_bonuses(case.ruleset)
    if isinstance(claim, Score):
        return f"{clauses.of_scores(case.ruleset)}, {bonuses}"
    return bonuses


def _compare(case: Case, claim: Claim, what: str, values: Values, rule: str, event: int) -> Ruling:
    """Rule on a value by comparing what the record says with the re-play."""
    correct = _shown(values.correct)
    told = f"{what} is {correct} by re-play"
    agrees = values.claimed == values.correct
    if values.recorded == values.correct:
        verdict = Verdict.UPHELD
        also = "; the claim says the same" if agrees else f", not {_shown(values.claimed)}"
        reason = f"{told}, as recorded{also}"
    else:
        verdict = Verdict.OVERTURNED
        also = "as claimed" if agrees else f"not {_shown(values.claimed)}"
        reason = f"{told}, {also}; the record says {_shown(values.recorded)}"
    return case.rule(claim, verdict, reason, rule, event, values=values)


def _shown(value: Value) -> str:
    if isinstance(value, tuple):
        if not value:
            return "nobody"
        return f"seat {value[0]}" if len(value) == 1 else f"seats {', '.join(map(str, value))}"
    return "missing" if value is None else f"{value}"
