"""The rulings on all claims about one record."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from referee.transcript.dispute import answers, results, seats, tiles, whole
from referee.transcript.dispute.case import Case
from referee.transcript.dispute.claims import (
    Accepted,
    Altered,
    Anything,
    BonusPoints,
    Claim,
    Rank,
    Refused,
    Score,
    SeatOut,
    Tiles,
    Time,
    Winner,
)
from referee.transcript.dispute.verdict import WORST_FIRST, Ruling, Verdict
from referee.transcript.reader import Transcript

_JUDGES: dict[type[Claim], Callable[[Case, Any], Ruling]] = {
    Refused: answers.judge_refused,
    Accepted: answers.judge_accepted,
    Score: results.judge_score,
    BonusPoints: results.judge_bonus,
    Rank: results.judge_rank,
    Winner: results.judge_winner,
    Tiles: tiles.judge_tiles,
    Time: seats.judge_time,
    SeatOut: seats.judge_out,
    Altered: whole.judge_altered,
    Anything: whole.judge_anything,
}


@dataclass(frozen=True)
class Judgement:
    """A record in dispute, and the ruling on each claim in the order of the claims."""

    case: Case
    rulings: list[Ruling]

    @property
    def verdict(self) -> Verdict:
        """The verdict that decides: the record is wrong if it is wrong anywhere."""
        found = {ruling.verdict for ruling in self.rulings}
        return next(verdict for verdict in WORST_FIRST if verdict in found)


def judge(transcript: Transcript, claims: list[Claim], pinned: bytes | None = None) -> Judgement:
    """Judge claims about a record; without any, whether anything is wrong with it.

    ``pinned`` is the only public key to be trusted. Raises `BadClaim` for a claim about what
    the record does not have.
    """
    asked = claims or [Anything()]
    case = Case(transcript, pinned, asked)
    return Judgement(case, [_rule(case, claim) for claim in asked])


def _rule(case: Case, claim: Claim) -> Ruling:
    if isinstance(claim, Altered):
        return whole.judge_altered(case, claim)
    why = case.trust.why
    if not case.started:
        return case.open(claim, why or "The record has no set-up that can be read")
    ruling = _JUDGES[type(claim)](case, claim)
    return ruling.distrusted(why) if why else ruling
