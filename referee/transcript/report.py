"""The report of a verified transcript as plain values, for programs and for other processes."""

from typing import Any

from referee.transcript.finding import Finding, Level
from referee.transcript.fold import Fairness
from referee.transcript.result import Result, reason_name
from referee.transcript.verify import Report, Status

Summary = dict[str, Any]


def summary(path: str, report: Report) -> Summary:
    """Return everything a report says, as JSON can hold it."""
    finding = report.finding
    fairness = report.fairness
    fold = report.fold
    known = fold is not None and report.public_key is not None
    return {
        "path": path,
        "match_id": report.match_id.hex() if report.match_id else None,
        "verdict": report.verdict.name,
        "exit_code": report.verdict.value,
        "problem": report.problem or None,
        "frame": finding.frame if finding else None,
        "record": finding.record if finding else None,
        "expected": finding.expected if finding else None,
        "found": finding.found if finding else None,
        "rule": (finding.rule or None) if finding else None,
        "levels": {level.value: status.value for level, status in report.levels.items()},
        "findings": [
            finding_object(report.findings[level]) for level in Level if level in report.findings
        ],
        "ruleset": fold.setup.ruleset.key if fold and known else None,
        "revision": fold.setup.ruleset.revision if fold and known else None,
        "agents": fold.setup.agents if fold and known else None,
        "ended_by": (fold.ended_by or None) if fold else None,
        "result": result_object(report.result) if report.result else None,
        "fairness": {
            "level": _level(report, fairness),
            "rounds": [list(seats) for seats in fairness.rounds],
            "bare_rounds": [] if fairness.fixed_seed else fairness.bare_rounds,
        }
        if fairness
        else None,
        "public_key": report.public_key.hex() if report.public_key else None,
        "key_pinned": report.key_pinned,
        "frames": report.frames,
        "records": report.records,
    }


def _level(report: Report, fairness: Fairness) -> str | None:
    """Return what the draws prove: nothing before the seed is known, or where they fail."""
    if report.levels[Level.DRAWS] is not Status.OK:
        return None
    return "fixed" if fairness.fixed_seed else fairness.level


def finding_object(finding: Finding) -> dict[str, Any]:
    """Return a finding, as JSON can hold it."""
    return {
        "level": finding.level.value,
        "frame": finding.frame,
        "record": finding.record,
        "expected": finding.expected,
        "found": finding.found,
        "rule": finding.rule or None,
    }


def result_object(result: Result) -> dict[str, Any]:
    """Return a result, as JSON can hold it."""
    return {
        "reason": reason_name(result.reason),
        "winners": list(result.winners),
        "seats": [
            {
                "score": seat.score,
                "rank": seat.rank,
                "out": None if seat.out is None else reason_name(seat.out),
                "bonuses": {bonus.name: bonus.points for bonus in seat.bonuses},
            }
            for seat in result.seats
        ],
    }
