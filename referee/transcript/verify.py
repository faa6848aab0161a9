"""Verifies a transcript: every level that docs/transcript.md names, each on its own.

Nothing here trusts a file: whatever its bytes are, the answer is a `Report`. The result is
rebuilt from the events alone and compared with the recorded one.
"""

import os
from dataclasses import dataclass, field
from enum import Enum

from referee.rules.errors import RefereeError
from referee.transcript import format as azt
from referee.transcript import reader
from referee.transcript.errors import NotATranscript
from referee.transcript.finding import Finding, Level, WrongRecord
from referee.transcript.fold import Fairness, Fold, Stage
from referee.transcript.reader import Tail, Transcript
from referee.transcript.result import Result
from referee.transcript.signing import is_signed


class Status(Enum):
    """What became of one level."""

    OK = "ok"
    FAILED = "failed"
    INCOMPLETE = "incomplete"
    NOT_CHECKED = "not checked"


class Verdict(Enum):
    """What a file is worth; the values are exit codes, in rising order of trust."""

    UNREADABLE = 3
    CORRUPT = 10
    TORN = 11
    CHAIN = 12
    SIGNATURE = 13
    RULES = 14
    RESULT = 15
    DRAWS = 16
    CLOCKS = 17
    INCOMPLETE = 18
    OK = 0


# The worst verdict of several files decides.
WORST_FIRST = [*Verdict]
_FAILED = {
    Level.CHAIN: Verdict.CHAIN,
    Level.SIGNATURE: Verdict.SIGNATURE,
    Level.RULES: Verdict.RULES,
    Level.RESULT: Verdict.RESULT,
    Level.DRAWS: Verdict.DRAWS,
    Level.CLOCKS: Verdict.CLOCKS,
}


@dataclass
class Report:
    """Everything that verifying a file brought to light.

    levels    the status of each level
    findings  the first thing wrong on each level that failed
    fold      the match as far as its records could be followed; None without a set-up
    """

    verdict: Verdict
    match_id: bytes | None = None
    levels: dict[Level, Status] = field(default_factory=dict)
    findings: dict[Level, Finding] = field(default_factory=dict)
    problem: str = ""
    fairness: Fairness | None = None
    result: Result | None = None
    public_key: bytes | None = None
    key_pinned: bool = False
    frames: int = 0
    records: int = 0
    fold: Fold | None = None

    @property
    def finding(self) -> Finding | None:
        """The finding that decided the verdict."""
        for level in Level:
            if level in self.findings:
                return self.findings[level]
        return None


def verify_file(path: str | os.PathLike[str], pinned: bytes | None = None) -> Report:
    """Verify a file; one that cannot be read gives a report that says so."""
    try:
        transcript = reader.load(path)
    except NotATranscript as error:
        return _unreadable(str(error))
    except OSError as error:
        return _unreadable(error.strerror or str(error))
    return verify(transcript, pinned)


def _unreadable(problem: str) -> Report:
    levels = dict.fromkeys(Level, Status.NOT_CHECKED)
    return Report(Verdict.UNREADABLE, levels=levels, problem=problem)


def verify(transcript: Transcript, pinned: bytes | None = None) -> Report:
    """Verify a transcript that was read; ``pinned`` is the only public key to be trusted."""
    report = Report(
        Verdict.OK,
        match_id=transcript.match_id or None,
        levels=dict.fromkeys(Level, Status.OK),
        frames=len(transcript.frames),
        records=sum(map(len, transcript.frames)),
        key_pinned=pinned is not None,
    )
    damage = transcript.damage
    if damage is not None:
        _fail(report, Finding(Level.FRAMES, damage.frame, None, damage.expected, damage.found))
    broken = transcript.broken_link
    if broken is not None:
        _fail(report, Finding(Level.CHAIN, broken.frame, None, broken.expected, broken.found))
    fold = fold_of(transcript)
    _follow(transcript, fold, report)
    report.fold = fold
    _check_signature(transcript, fold, pinned, report)
    report.verdict = _verdict(transcript, report)
    return report


def _fail(report: Report, finding: Finding) -> None:
    report.levels[finding.level] = Status.FAILED
    report.findings[finding.level] = finding


def fold_of(transcript: Transcript) -> Fold:
    """Return a fold before the first record, with the seed that the last ones show."""
    for records in reversed(transcript.frames[-2:]):
        for record in reversed(records):
            if record.WhichOneof("kind") == "seed_reveal":
                seed = record.seed_reveal.seed
                return Fold(transcript.match_id, seed if len(seed) == 32 else None)
    return Fold(transcript.match_id)


def _follow(transcript: Transcript, fold: Fold, report: Report) -> None:
    """Go through the records as far as they can be understood."""
    apply = fold.apply
    try:
        for records in transcript.frames:
            for record in records:
                apply(record)
            fold.end_frame()
    except WrongRecord as wrong:
        place = (fold.frame, fold.record)
        _fail(report, Finding(Level.RULES, *place, wrong.expected, wrong.found, wrong.rule))
    for finding in fold.faults.values():
        _fail(report, finding)
    closed = fold.stage in (Stage.CLOSED, Stage.SIGNED)
    report.result = fold.result
    if fold.stage is not Stage.NOTHING:
        report.fairness = fold.fairness
        report.public_key = fold.setup.public_key
    missing = Status.NOT_CHECKED if Level.RULES in report.findings else Status.INCOMPLETE
    if not closed:
        for level in (Level.RESULT, Level.DRAWS):
            if level not in report.findings:
                report.levels[level] = missing
        if missing is Status.INCOMPLETE:
            report.levels[Level.RULES] = Status.OK


def _check_signature(
    transcript: Transcript, fold: Fold, pinned: bytes | None, report: Report
) -> None:
    if not transcript.signed:
        report.levels[Level.SIGNATURE] = Status.INCOMPLETE
        return
    index = len(transcript.frames) - 1
    signature = transcript.frames[-1][0].signature
    # Without a set-up that can be read, the signature is judged by the key beside it.
    readable = fold.stage is not Stage.NOTHING
    expected = fold.setup.public_key if readable else signature.public_key
    if signature.public_key != expected:
        wrong = (f"the key of the set-up, {expected.hex()}", signature.public_key.hex())
    elif pinned is not None and expected != pinned:
        wrong = (f"the pinned key, {pinned.hex()}", expected.hex())
    else:
        previous = transcript.links[index - 1] if index else azt.genesis(transcript.match_id)
        key = signature.public_key
        if is_signed(key, signature.signature, transcript.match_id, index, previous):
            return
        wrong = ("a signature over all that stands before it", "another one")
    _fail(report, Finding(Level.SIGNATURE, index, None, *wrong))


def _verdict(transcript: Transcript, report: Report) -> Verdict:
    finding = report.finding
    if finding is not None:
        if finding.level is Level.FRAMES:
            return Verdict.TORN if transcript.tail is Tail.TORN else Verdict.CORRUPT
        return _FAILED[finding.level]
    if Status.INCOMPLETE in report.levels.values():
        return Verdict.INCOMPLETE
    return Verdict.OK


__all__ = ["RefereeError", "Report", "Status", "Verdict", "verify", "verify_file"]
