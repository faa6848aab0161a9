"""Tells the records around a game: who came, what was refused, who is out, how it ended.

Names, kits, ids and details are words of strangers; every one of them passes `printable`.
"""

from collections.abc import Callable
from typing import Any

from referee.rules import Position
from referee.transcript import answers
from referee.transcript.clock import ClockRule
from referee.transcript.fold import Fold
from referee.transcript.result import Result, SeatResult, reason_name
from referee.transcript.telling import TELLERS
from referee.transcript.telling.values import Points, Telling, bonus_points, listed, number
from referee.transcript.text import printable
from referee.v1 import record_pb2 as pb

SECOND_NS = 1_000_000_000
OUT_WORDS = {
    "no_show": "it never came",
    "illegal_move": "too many of its answers were refused",
    "protocol": "too many of its answers were refused, and the last could not be read",
    "resign": "it resigned",
    "entropy": "what it showed does not open its commitment",
    "time": "its time ran out",
}
END_WORDS = {
    "complete_row": "a row of a wall is complete",
    "round_cap": "the last round that was allowed is over",
    "no_tiles": "no tile can be dealt",
    "last_round": "the last round is over",
    "double_fault": "the last seats went out at once",
}


def seconds(ns: int) -> str:
    """Return a time as people read it."""
    return f"{ns / SECOND_NS:.3f} s"


def tell_record(kind: str, message: Any, fold: Fold, strikes: int) -> Telling:  # noqa: ANN401
    """Tell a record that is no deal and no move, after it was applied to the fold.

    ``strikes`` counts the refused answers of its seat so far, this one included.
    """
    if kind == "setup":
        return _setup(fold)
    if kind == "rejected":
        return _rejected(message, fold, strikes)
    if kind == "round_scored":
        scores = ", ".join(f"seat {seat} {score}" for seat, score in enumerate(message.scores))
        return Telling(f"Round {message.round} is over. Scores: {scores}")
    if kind == "game_over":
        assert fold.result is not None
        return tell_result(fold.result, fold.position)
    return Telling(_SENTENCES[kind](message, fold))


def _joined(message: pb.Joined, fold: Fold) -> str:
    agent = printable(fold.setup.agents[message.seat])
    name, kit = printable(message.name), printable(message.kit)
    return f'seat {message.seat}: agent {agent} is here as "{name}", made with "{kit}"'


def _agent_commit(message: pb.AgentCommit, _: Fold) -> str:
    if message.HasField("x0"):
        return f"seat {message.seat} commits to its share of the draws"
    return f"seat {message.seat} takes no part in the draws"


def _reveal(message: pb.Reveal, fold: Fold) -> str:
    text = f"seat {message.seat} shows its share of the draws of round {message.round}"
    wrong = fold.due == ("seat_out",)
    return text + (", which does not open what it showed before" if wrong else "")


def _seat_out(message: pb.SeatOut, _: Fold) -> str:
    name = reason_name(message.reason)
    return f"seat {message.seat} is out: {OUT_WORDS.get(name, name)}"


def _detail(text: str) -> str:
    return f': "{printable(text)}"' if text else ""


_SENTENCES: dict[str, Callable[[Any, Fold], str]] = {
    "server_commit": lambda _, __: "the referee commits to its seed",
    "joined": _joined,
    "agent_commit": _agent_commit,
    "started": lambda _, __: "the match begins",
    "reveal": _reveal,
    "seat_out": _seat_out,
    "resign": lambda message, _: f"seat {message.seat} resigns",
    "disconnect": lambda message, _: f"seat {message.seat} lost its connection",
    "reconnect": lambda message, _: f"seat {message.seat} is connected again",
    "restart": lambda message, _: f"the referee started anew, epoch {message.epoch}",
    "seed_reveal": lambda _, __: "the referee shows its seed: every deal can be checked now",
    "secret_lost": lambda _, __: "the seed is lost: the draws can never be proved",
    "voided": lambda message, _: (
        "the match is void, the referee could not go on" + _detail(message.detail)
    ),
    "aborted": lambda message, _: (
        "the match was stopped by its organiser" + _detail(message.detail)
    ),
    "signature": lambda _, __: "the referee signs the record",
}


def _setup(fold: Fold) -> Telling:
    setup = fold.setup
    agents = listed(printable(agent) for agent in setup.agents)
    details = [_clock(setup.clock)]
    details.append(f"a seat is out with {number(setup.strikes, 'refused answer')}")
    if setup.fixed_seed:
        details.append("the seed of the draws was fixed by the organiser")
    if setup.rated:
        details.append("the match is rated")
    message = setup.message
    if message.event_id:
        pairing = f", pairing {printable(message.pairing)}" if message.pairing else ""
        game = f", game {message.game_number}" if message.game_number else ""
        details.append(f"event {printable(message.event_id)}{pairing}{game}")
    title = f"{setup.ruleset.title} ({setup.ruleset.key})"
    return Telling(f"{title} for {setup.seats} seats: agents {agents}", tuple(details))


def _clock(rule: ClockRule | None) -> str:
    if rule is None:
        return "no clock"
    parts = []
    if rule.move_limit_ns is not None:
        parts.append(f"{seconds(rule.move_limit_ns)} for an answer")
    if rule.bank_ns is not None:
        parts.append(f"{seconds(rule.bank_ns)} for all of them")
    if rule.increment_ns:
        parts.append(f"{seconds(rule.increment_ns)} more with each move")
    if rule.startup_ns:
        parts.append(f"{seconds(rule.startup_ns)} to start up")
    return "clock: " + (", ".join(parts) or "it limits nothing")


def refusal(message: pb.Rejected, fold: Fold) -> answers.Refused:
    """Return why an answer is refused in this position, with the rule."""
    try:
        answers.resolve(fold.position, message.action)
    except answers.Refused as refused:
        return refused
    # The fold lets nothing pass that is legal.
    return answers.Refused(message.reason, answers.reason_name(message.reason))


def _rejected(message: pb.Rejected, fold: Fold, strikes: int) -> Telling:
    why = refusal(message, fold)
    name = answers.reason_name(why.reason).replace("_", " ")
    rule = f" ({why.rule})" if why.rule else ""
    details = (
        f"{name}: {printable(why.message)}{rule}",
        f"strike {strikes} of {fold.setup.strikes}",
    )
    return Telling(f"an answer of seat {message.seat} is refused{_named(message, fold)}", details)


def _named(message: pb.Rejected, fold: Fold) -> str:
    """Return the move that a refused answer names, if it names one."""
    try:
        return f", {answers.named_move(fold.position, message.action)}"
    except answers.Refused:
        return f", {number(len(message.action), 'byte')}"


def tell_result(result: Result, position: Position) -> Telling:
    """Tell what a match came to, with every bonus that was added to the scores of its table."""
    points: list[Points] = []
    for seat, entry in enumerate(result.seats):
        points += bonus_points(seat, entry.bonuses, position.scores[seat], entry.score)
    name = reason_name(result.reason)
    words = END_WORDS.get(name) or f"fewer than two seats are left, the last went out by {name}"
    seats = tuple(_seat_result(seat, entry) for seat, entry in enumerate(result.seats))
    winners = [f"seat {seat}" for seat in result.winners]
    last = "nobody wins"
    if winners:
        last = f"{listed(winners)} {'wins' if len(winners) == 1 else 'share the victory'}"
    best = result.seats[result.winners[0]].score if winners else None
    ties = _ties(result, position)
    if best in ties:
        last += f"; {ties.pop(best)}"
    details = (*seats, *ties.values(), f"{last}.")
    return Telling(f"The game is over: {words}.", details, tuple(points))


def _ties(result: Result, position: Position) -> dict[int | None, str]:
    """Return what parted, or did not part, the seats that have one score, by that score."""
    if position.outcome() is None:
        # Seats went out, and whoever is left has won.
        return {}
    equal: dict[int | None, list[int]] = {}
    for seat, entry in enumerate(result.seats):
        if entry.out is None:
            equal.setdefault(entry.score, []).append(seat)
    tie_break = TELLERS[type(position)].tie_break
    return {
        score: f"on equal points {tie_break(position, seats)}"
        for score, seats in equal.items()
        if len(seats) > 1
    }


def _seat_result(seat: int, entry: SeatResult) -> str:
    out = "" if entry.out is None else f", out by {reason_name(entry.out)}"
    return f"seat {seat}: {number(entry.score, 'point')}, rank {entry.rank}{out}"
