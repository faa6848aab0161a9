"""Two copies of the record of one match: where they part, and which of them holds.

A copy holds if its chain and its signature do. Anybody can write a chain, but only the
referee's key can sign one: two valid signatures of one key over different links of one match
prove that the referee signed two accounts. Signatures of different keys prove nothing of
the kind, since a stranger can put a key of his own into a set-up; a pinned key decides.
"""

from dataclasses import dataclass
from enum import Enum

from referee.transcript.dispute.difference import Difference, first_difference
from referee.transcript.errors import NotOneMatch
from referee.transcript.finding import Finding, Level
from referee.transcript.reader import Tail, Transcript, is_signature
from referee.transcript.verify import Report, Status, Verdict, verify


class Comparison(Enum):
    """What two copies are to each other; the values are exit codes."""

    SAME = 0
    INCONCLUSIVE = 21
    TWO_ACCOUNTS = 22
    ONE_HOLDS = 23


TWO_ACCOUNTS = "the referee signed two accounts"


@dataclass(frozen=True)
class Copy:
    """One of the copies.

    account   the records up to the first signature, which is all that it can vouch for
    report    what verifying the whole file brought to light
    signed    whether chain and signature of the account hold
    replays   whether the account holds on every other level, too
    """

    transcript: Transcript
    account: Transcript
    report: Report
    signed: bool
    replays: bool
    finding: Finding | None

    @property
    def key(self) -> bytes:
        """The key beside the signature, which is that of the set-up if one can be read."""
        return self.account.frames[-1][0].signature.public_key


@dataclass(frozen=True)
class Comparing:
    """What comparing two copies brought to light.

    right    the copy, 0 or 1, whose account is right, 0 if they say the same; None if none is, or
             it cannot be told
    """

    verdict: Comparison
    reason: str
    copies: tuple[Copy, Copy]
    difference: Difference | None
    right: int | None


def compare(one: Transcript, other: Transcript, pinned: bytes | None = None) -> Comparing:
    """Compare two copies of one match; raise `NotOneMatch` if they are of two."""
    for number, copy in enumerate((one, other), 1):
        if not copy.match_id:
            raise NotOneMatch(f"copy {number} ends inside its header: it names no match")
    if one.match_id != other.match_id:
        ids = f"{one.match_id.hex()} and {other.match_id.hex()}"
        raise NotOneMatch(f"the files are of different matches, {ids}")
    copies = (_examine(one, pinned), _examine(other, pinned))
    difference = first_difference(one, other)
    verdict, reason, right = _weigh(copies, difference)
    return Comparing(verdict, reason, copies, difference, right)


def _examine(transcript: Transcript, pinned: bytes | None) -> Copy:
    report = verify(transcript, pinned)
    account = _account(transcript)
    judged = report if account is transcript else verify(account, pinned)
    levels = judged.levels
    signed = levels[Level.CHAIN] is Status.OK and levels[Level.SIGNATURE] is Status.OK
    finding = judged.finding
    return Copy(transcript, account, report, signed, judged.verdict is Verdict.OK, finding)


def _account(transcript: Transcript) -> Transcript:
    """Return a transcript up to its first signature: what was put behind it is not signed."""
    for index in range(transcript.good):
        if is_signature(transcript.frames[index]):
            end = index + 1
            if end == len(transcript.frames) and transcript.tail is Tail.CLEAN:
                return transcript
            return Transcript(
                transcript.match_id,
                transcript.bodies[:end],
                transcript.links[:end],
                transcript.frames[:end],
                end,
                Tail.CLEAN,
                None,
                None,
            )
    return transcript


def _weigh(
    copies: tuple[Copy, Copy], difference: Difference | None
) -> tuple[Comparison, str, int | None]:
    one, other = copies
    if one.signed and other.signed:
        return _both_signed(copies)
    if one.signed or other.signed:
        return _one_signed(copies, 0 if one.signed else 1)
    if difference is None and one.transcript.tail is other.transcript.tail:
        return (
            Comparison.INCONCLUSIVE,
            "The copies are the same, but neither has a signature that holds",
            None,
        )
    return Comparison.INCONCLUSIVE, _neither(copies), None


def _both_signed(copies: tuple[Copy, Copy]) -> tuple[Comparison, str, int | None]:
    one, other = copies
    if one.key != other.key:
        reason = (
            "Both copies are signed, but by different keys, and anybody can put a key of his own"
            " into a copy; name the referee's key with --key"
        )
        return Comparison.INCONCLUSIVE, reason, None
    # What a signature is made over: how many frames there are before it, and the last link.
    if one.account.links[:-1] == other.account.links[:-1]:
        right = 0 if one.replays else None
        reason = "Both copies hold the same signed account"
        for number, copy in enumerate(copies, 1):
            if copy.account is not copy.transcript:
                reason += f"; what follows its signature in copy {number} is no part of it"
        if right is None:
            reason += f", which is wrong {_where(one)}"
        return Comparison.SAME, reason, right
    replaying = [number for number, copy in enumerate(copies) if copy.replays]
    right = replaying[0] if len(replaying) == 1 else None
    if right is not None:
        where = _where(copies[1 - right])
        which = f"By re-play only copy {right + 1} is right; copy {2 - right} is wrong {where}"
    elif replaying:
        which = "Both can be re-played by the rules, so no record can say which one is true"
    else:
        which = f"By re-play neither is right; copy 1 is wrong {_where(one)}"
    reason = (
        f"{TWO_ACCOUNTS.capitalize()}: both signatures are valid, by the same key, over different"
        f" links of one match. {which}"
    )
    return Comparison.TWO_ACCOUNTS, reason, right


def _one_signed(copies: tuple[Copy, Copy], right: int) -> tuple[Comparison, str, int | None]:
    good, bad = copies[right], copies[1 - right]
    number, wrong = right + 1, 2 - right
    if _begins(bad.transcript, good.account):
        why = f"copy {wrong} is its beginning and says nothing else"
    else:
        why = f"copy {wrong} says something else, and nobody vouches for it"
    reason = f"Copy {number} is what the referee signed; {why}"
    if not good.replays:
        reason = f"{reason}. Still copy {number} is wrong {_where(good)}"
        return Comparison.ONE_HOLDS, reason, None
    return Comparison.ONE_HOLDS, reason, right


def _begins(short: Transcript, long: Transcript) -> bool:
    """Return whether a copy is the beginning of another one and has nothing else."""
    good = short.good
    return good == len(short.frames) <= len(long.frames) and short.links == long.links[:good]


def _neither(copies: tuple[Copy, Copy]) -> str:
    one, other = copies
    if _begins(one.transcript, other.transcript) or _begins(other.transcript, one.transcript):
        return "Neither copy is signed; one is the beginning of the other and contradicts nothing"
    return "The copies contradict each other, and neither has a signature that holds"


def _where(copy: Copy) -> str:
    """Return where verifying has something against an account, and what."""
    finding = copy.finding
    # An account that is signed is complete: what does not hold has a finding.
    assert finding is not None
    return f"at {finding.place}: expected {finding.expected}, found {finding.found}"
