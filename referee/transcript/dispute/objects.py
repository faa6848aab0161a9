"""Rulings and comparisons as plain values, as JSON can hold them (docs/disputes.md)."""

from dataclasses import asdict
from typing import Any

from referee.transcript.dispute.copies import TWO_ACCOUNTS, Comparing, Comparison, Copy
from referee.transcript.dispute.judge import Judgement
from referee.transcript.dispute.verdict import Ruling, Value
from referee.transcript.report import result_object, summary

Object = dict[str, Any]


def of_judgement(path: str, judgement: Judgement) -> Object:
    """Return the rulings on one record."""
    case = judgement.case
    verified = summary(path, case.report)
    return {
        "path": path,
        "match_id": verified["match_id"],
        "verdict": judgement.verdict.name,
        "exit_code": judgement.verdict.value,
        "rulings": [of_ruling(ruling) for ruling in judgement.rulings],
        "trusted": not case.trust.why,
        "distrust": case.trust.why or None,
        "ruleset": verified["ruleset"],
        "revision": verified["revision"],
        "agents": verified["agents"],
        "recorded_result": result_object(case.recorded) if case.recorded else None,
        "public_key": verified["public_key"],
        "key_pinned": verified["key_pinned"],
        "verify": {"verdict": verified["verdict"], "exit_code": verified["exit_code"]},
    }


def of_ruling(ruling: Ruling) -> Object:
    """Return the ruling on one claim."""
    return {
        "claim": ruling.claim.as_object(),
        "text": ruling.claim.text,
        "verdict": ruling.verdict.name,
        "exit_code": ruling.verdict.value,
        "reason": ruling.reason,
        "rule": ruling.rule or None,
        "event": ruling.event,
        "claimed": _value(ruling.values.claimed),
        "recorded": _value(ruling.values.recorded),
        "correct": _value(ruling.values.correct),
        "remedy": ruling.remedy.value,
        "corrected_result": result_object(ruling.corrected) if ruling.corrected else None,
        "replay_turn": ruling.replay_turn,
        "if_trusted": ruling.if_trusted.name if ruling.if_trusted else None,
        "notes": list(ruling.notes),
    }


def _value(value: Value) -> int | str | list[int] | None:
    return list(value) if isinstance(value, tuple) else value


def of_comparing(paths: tuple[str, str], comparing: Comparing) -> Object:
    """Return what comparing two copies brought to light."""
    copies = zip(paths, comparing.copies, strict=True)
    verdict = comparing.verdict
    return {
        "match_id": comparing.copies[0].transcript.match_id.hex(),
        "verdict": verdict.name,
        "exit_code": verdict.value,
        "finding": TWO_ACCOUNTS if verdict is Comparison.TWO_ACCOUNTS else None,
        "reason": comparing.reason,
        "right": comparing.right,
        "difference": asdict(comparing.difference) if comparing.difference else None,
        "copies": [_copy(path, copy) for path, copy in copies],
    }


def _copy(path: str, copy: Copy) -> Object:
    verified = summary(path, copy.report)
    kept = ("levels", "findings", "result", "public_key", "key_pinned", "frames", "records")
    return {
        "path": path,
        "signed": copy.signed,
        "replays": copy.replays,
        "verify": {"verdict": verified["verdict"], "exit_code": verified["exit_code"]},
    } | {name: verified[name] for name in kept}
