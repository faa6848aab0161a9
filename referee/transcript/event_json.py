"""The steps of a match as JSON, one object an event; docs/replay.md describes every field.

All of it is ASCII without control characters, so that no name of a stranger can reach a
terminal through it.
"""

import json
from collections.abc import Iterator
from typing import Any

from referee.transcript.events import Refusal, Replay, Step
from referee.transcript.fold import Fold, Stage
from referee.transcript.report import finding_object, summary
from referee.transcript.telling import Points


def dumps(value: object) -> str:
    """Return a value as one line of ASCII."""
    return json.dumps(value, ensure_ascii=True)


def event(step: Step) -> dict[str, Any]:
    """Return one step as JSON can hold it; what does not apply is left out."""
    found: dict[str, Any] = {
        "event": step.index,
        "frame": step.frame,
        "kind": step.kind,
        "round": step.round,
        "turn": step.turn,
        "seat": step.seat,
        "move": step.notation if step.kind == "move" else None,
        "deal": step.notation if step.kind == "deal" else None,
        "words": step.words,
        "details": list(step.telling.details) or None,
        "points": [_points(entry) for entry in step.points] or None,
        "scores": list(step.scores),
        "live": list(step.live),
        "actor": step.position.actor if step.position.actor >= 0 else None,
        "position": str(step.position) if step.changed else None,
        "refusal": None if step.refusal is None else _refusal(step.refusal),
        "findings": [finding_object(finding) for finding in step.findings] or None,
    }
    clock = step.clock
    if clock is not None:
        found["clock"] = {
            "elapsed_ns": clock.elapsed_ns,
            "charged_ns": clock.charged_ns,
            "bank_ns": clock.bank_ns,
        }
    found.update(_said(step))
    return {name: value for name, value in found.items() if value is not None}


def line(step: Step, fold: Fold) -> dict[str, Any]:
    """Return a step that was just made, with what is fixed for the match where it is the first."""
    found = event(step)
    if step.kind == "setup":
        found["match"] = match(fold)
    return found


def events(path: str, replay: Replay) -> Iterator[dict[str, Any]]:
    """Yield every event up to the break as JSON can hold it, and the verdict last."""
    number = 0
    for step in replay.steps():
        yield line(step, replay.fold)
        number += 1
    yield verdict(path, replay, number)


def _said(step: Step) -> dict[str, Any]:
    """Return what strangers said, as they said it."""
    message = step.message
    if step.kind == "joined":
        return {"name": message.name, "kit": message.kit}
    if step.kind in ("voided", "aborted"):
        return {"detail": message.detail}
    return {}


def _points(entry: Points) -> dict[str, Any]:
    found = {
        "seat": entry.seat,
        "kind": entry.kind,
        "points": entry.points,
        "words": entry.words,
        "row": entry.row,
        "column": entry.column,
        "across": entry.across,
        "down": entry.down,
    }
    return {name: value for name, value in found.items() if value is not None}


def _refusal(refusal: Refusal) -> dict[str, Any]:
    return {
        "reason": refusal.reason,
        "message": refusal.message,
        "rule": refusal.rule or None,
        "move": refusal.move,
        "attempt": refusal.attempt,
        "strike": refusal.strike,
    }


def match(fold: Fold) -> dict[str, Any]:
    """Return what is fixed for the whole match; call it once the first step was made."""
    if fold.stage is Stage.NOTHING:
        return {"match_id": fold.match_id.hex()}
    setup = fold.setup
    message = setup.message
    clock = setup.clock
    return {
        "match_id": fold.match_id.hex(),
        "ruleset": setup.ruleset.key,
        "revision": setup.ruleset.revision,
        "seats": setup.seats,
        "agents": setup.agents,
        "strikes": setup.strikes,
        "rated": setup.rated,
        "fixed_seed": setup.fixed_seed,
        "clock": None
        if clock is None
        else {
            "move_limit_ns": clock.move_limit_ns,
            "bank_ns": clock.bank_ns,
            "increment_ns": clock.increment_ns,
            "startup_ns": clock.startup_ns,
        },
        "event_id": message.event_id,
        "pairing": message.pairing,
        "game_number": message.game_number,
        "created_utc_s": message.created_utc_s,
    }


def verdict(path: str, replay: Replay, events: int) -> dict[str, Any]:
    """Return the last line: how far the record could be shown, and what is wrong with it."""
    found = summary(path, replay.report)
    broken = replay.broken
    return {
        "kind": "verdict",
        "events": events,
        "verdict": found["verdict"],
        "break": None if broken is None else finding_object(broken),
        "findings": found["findings"],
        "result": found["result"],
        "ended_by": found["ended_by"],
    }
