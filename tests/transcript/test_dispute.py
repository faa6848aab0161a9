"""Claims about records that are right, wrong, damaged and incomplete."""

import contextlib
import random
import re
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from referee.transcript import reader
from referee.transcript.dispute.claims import KINDS
from referee.transcript.dispute.judge import judge
from referee.transcript.dispute.verdict import Remedy, Verdict
from referee.transcript.errors import BadClaim
from referee.transcript.reader import Transcript
from referee.transcript.verify import Verdict as VerifyVerdict
from referee.transcript.verify import verify
from referee.v1.reason_pb2 import RejectReason
from referee.v1.setup_pb2 import Setup
from tests.transcript import wrongs
from tests.transcript.forge import Frames, forged, frames_of, records_of
from tests.transcript.scene import KEY, OTHER_KEY
from tests.transcript.wrongs import GAMES, golden, right, ruling, wrong

UPHELD, OVERTURNED, INCONCLUSIVE = Verdict.UPHELD, Verdict.OVERTURNED, Verdict.INCONCLUSIVE
RULES = Path(__file__).parents[2] / "docs" / "rules"


def last_event(transcript: Transcript, kind: str) -> int:
    """Return the last event of a kind."""
    return wrongs.events_of(transcript.frames, kind)[-1]


# Records that are right ------------------------------------------------------------------------


@pytest.mark.parametrize("name", GAMES)
def test_a_right_record_stands_against_every_claim(name: str) -> None:
    """Whatever is claimed of a right record of any ruleset, it is upheld, with a rule."""
    transcript = right(name)
    final = judge(transcript, []).case.recorded
    assert final is not None
    score, bonus = final.seats[1].score, final.seats[1].bonuses[0]
    claims = [
        "anything",
        "altered",
        "tiles",
        "tiles 1",
        f"winner {(final.winners[0] + 1) % 2}",
        "winner none",
        f"score 1={score + 1}",
        f"score 1={score}",
        "score 0=99 round 1",
        f"bonus 1:{bonus.name}={bonus.points + 7}",
        "rank 0=3",
        f"accepted {last_event(transcript, 'move')}",
        "accepted 1.1",
    ]
    for text in claims:
        found = ruling(transcript, text)
        assert (found.verdict, found.remedy) == (UPHELD, Remedy.STANDS), text
        assert found.rule, text
        assert found.reason, text


def test_the_rules_cited_exist() -> None:
    """Every clause and ruling that a verdict cites stands in docs/rules."""
    pages = "".join(page.read_text() for page in RULES.glob("*.md"))
    source = (
        Path(__file__).parents[2] / "referee" / "transcript" / "dispute" / "clauses.py"
    ).read_text()
    cited = set(re.findall(r"\b([123](?:\.\d)+|[AVCD]\d+)\b", source))
    assert len(cited) > 15
    for number in cited:
        assert f"**{number}" in pages or f"## {number}" in pages, number


# Moves -----------------------------------------------------------------------------------------


@pytest.mark.parametrize("number", [0, 7])
@pytest.mark.parametrize("name", GAMES)
def test_a_legal_move_that_was_refused(name: str, number: int) -> None:
    """The refusal is overturned, and the match must be played again from that turn."""
    transcript = wrong(name, wrongs.refuse_move(number))
    event = wrongs.events_of(transcript.frames, "rejected")[0]
    found = ruling(transcript, f"refused {event}")
    assert (found.verdict, found.event) == (OVERTURNED, event)
    assert "is a legal move there" in found.reason
    assert re.match(r"[123]\.", found.rule)
    assert found.values.recorded == "refused as line_full"
    assert (found.remedy, found.replay_turn) == (Remedy.REPLAY, number + 1)
    by_turn = ruling(transcript, f"refused {number + 1}.1")
    assert replace(by_turn, claim=found.claim) == found
    assert ruling(transcript, "anything").verdict is OVERTURNED
    # What came after it was not played by the rules, and what came before was.
    assert ruling(transcript, "winner 0").verdict is INCONCLUSIVE
    assert ruling(transcript, f"accepted {number + 1}.2").verdict is INCONCLUSIVE
    if number:
        assert ruling(transcript, f"accepted {number}.1").verdict is UPHELD


@pytest.mark.parametrize("name", GAMES)
def test_an_illegal_move_that_was_accepted(name: str) -> None:
    """The acceptance is overturned, with the rule that the move breaks."""
    transcript = wrong(name, wrongs.illegal_move(name, 5))
    found = ruling(transcript, "accepted 6.1")
    assert found.verdict is OVERTURNED
    assert "should have been refused as" in found.reason
    assert re.match(r"[123]\.|[AVCD]\d", found.rule)
    assert (found.remedy, found.replay_turn) == (Remedy.REPLAY, 6)
    assert ruling(transcript, "accepted 5.1").verdict is UPHELD
    assert ruling(transcript, "score 0=1").verdict is INCONCLUSIVE


def test_a_refusal_with_a_wrong_reason_is_a_refusal_still() -> None:
    """It is upheld with a note, and the match can be followed past it."""

    def edit(frames: Frames) -> None:
        for record in records_of(frames, "rejected")[:1]:
            record.rejected.reason = RejectReason.REJECT_REASON_LINE_FULL

    transcript = wrong("strikes", edit)
    found = ruling(transcript, "refused 4.1")
    assert (found.verdict, found.remedy) == (UPHELD, Remedy.STANDS)
    assert found.notes[0] == "The reason recorded, line_full, is wrong; it is no_such_index"
    assert ruling(transcript, "anything").verdict is OVERTURNED
    assert ruling(transcript, "winner 0").verdict is UPHELD


def test_a_move_that_is_not_what_the_bytes_mean() -> None:
    """The recorded move is wrong, whatever was answered."""

    def edit(frames: Frames) -> None:
        moves = records_of(frames, "move")
        moves[2].move.move.CopyFrom(moves[0].move.move)

    found = ruling(wrong("azul-2", edit), "accepted 3.1")
    assert (found.verdict, found.rule) == (OVERTURNED, "docs/transcript.md, Answers")


def test_a_move_by_the_referee() -> None:
    """What the referee plays for a seat that is out is decided, too."""
    transcript = right("frozen")
    moves = records_of(frames_of(golden("frozen")), "move")
    turn = next(record.move.turn for record in moves if record.move.attempt == 0)
    found = ruling(transcript, f"accepted {turn}.0")
    assert (found.verdict, found.rule) == (UPHELD, "docs/transcript.md, Out")

    def edit(frames: Frames) -> None:
        by_referee = [m for m in records_of(frames, "move") if m.move.attempt == 0]
        by_referee[0].move.move.azul_take.line = 0

    found = ruling(wrong("frozen", edit), f"accepted {turn}.0")
    assert found.verdict is OVERTURNED


# Numbers ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", GAMES)
def test_a_wrong_score_of_a_round(name: str) -> None:
    """It is overturned, the right one is named, and the result stands: it was summed up right."""
    transcript = wrong(name, wrongs.add_points(2, 1, 5))
    found = ruling(transcript, "score 1=3 round 2")
    assert found.verdict is OVERTURNED
    assert isinstance(found.values.correct, int)
    assert found.values.recorded == found.values.correct + 5
    assert found.values.claimed == 3
    assert found.remedy is Remedy.STANDS
    other = ruling(transcript, "score 0=3 round 2")
    assert other.verdict is UPHELD
    # A statement that is wrong does not keep later ones from being judged.
    assert ruling(transcript, "score 1=999 round 3").verdict is UPHELD
    assert ruling(transcript, "winner none").verdict is UPHELD
    assert ruling(transcript, "winner none").notes[0].startswith("Event ")


@pytest.mark.parametrize("name", GAMES)
def test_a_wrong_bonus(name: str) -> None:
    """It is overturned, and the corrected result is the one that was recorded before."""
    before = judge(right(name), []).case.recorded
    assert before is not None
    bonus = before.seats[0].bonuses[0]
    transcript = wrong(name, wrongs.add_bonus(0, 7))
    found = ruling(transcript, f"bonus 0:{bonus.name}={bonus.points}")
    assert (found.verdict, found.remedy, found.corrected) == (
        OVERTURNED,
        Remedy.CORRECTED,
        before,
    )
    assert found.values.recorded == bonus.points + 7
    assert found.rule == ("3.7.2" if name == "duel-2" else "1.6.2")
    score = ruling(transcript, f"score 0={before.seats[0].score}")
    assert (score.verdict, score.corrected) == (OVERTURNED, before)
    assert ruling(transcript, "score 1=999").verdict is UPHELD


@pytest.mark.parametrize("name", GAMES)
def test_a_wrong_winner(name: str) -> None:
    """Ranks that were swapped are put right, with the clause that ranks seats."""
    before = judge(right(name), []).case.recorded
    assert before is not None
    transcript = wrong(name, wrongs.swap_ranks)
    winners = ",".join(map(str, before.winners))
    found = ruling(transcript, f"winner {winners}")
    assert (found.verdict, found.corrected) == (OVERTURNED, before)
    assert found.values.claimed == found.values.correct == before.winners
    assert found.rule.startswith("3.7.3" if name == "duel-2" else "1.6.3")
    rank = ruling(transcript, f"rank {before.winners[0]}=1")
    assert (rank.verdict, rank.corrected) == (OVERTURNED, before)


def test_a_claim_that_is_wrong_about_a_record_that_is_wrong() -> None:
    """The record cannot stand, and neither does the claim."""
    found = ruling(wrong("azul-2", wrongs.add_bonus(0, 7)), "score 0=1")
    assert found.verdict is OVERTURNED
    assert ", not 1; the record says" in found.reason


# Records that cannot be trusted ----------------------------------------------------------------


def flipped(data: bytes) -> bytes:
    """Return a file with one bit changed in the middle."""
    at = len(data) // 2
    return data[:at] + bytes([data[at] ^ 1]) + data[at + 1 :]


UNTRUSTED: dict[str, tuple[Callable[[bytes], bytes], Verdict]] = {
    "cut": (lambda data: data[: len(data) // 2], INCONCLUSIVE),
    "cut after a frame": (
        lambda data: data[: -len(reader.read(data).bodies[-1]) - 40],
        INCONCLUSIVE,
    ),
    "flipped": (flipped, OVERTURNED),
    "longer": (lambda data: data + b"more", OVERTURNED),
    "not signed anew": (lambda data: forged(data, wrongs.swap_ranks, None), OVERTURNED),
    "by another key": (lambda data: forged(data, wrongs.swap_ranks, OTHER_KEY), OVERTURNED),
    "only a header": (lambda data: data[:28], INCONCLUSIVE),
    "half a header": (lambda data: data[:20], INCONCLUSIVE),
}


@pytest.mark.parametrize("how", UNTRUSTED)
def test_a_record_that_cannot_be_trusted(how: str) -> None:
    """No claim is decided on it, but that it was altered is."""
    damage, altered = UNTRUSTED[how]
    transcript = reader.read(damage(golden("azul-2")))
    for text in ("winner 1", "accepted 1.1", "tiles 1", "anything", "score 0=3 round 1"):
        found = ruling(transcript, text)
        assert (found.verdict, found.remedy) == (INCONCLUSIVE, Remedy.UNKNOWN)
        assert found.corrected is None
    assert ruling(transcript, "altered").verdict is altered
    if how in ("cut", "not signed anew"):
        assert ruling(transcript, "accepted 1.1").if_trusted is UPHELD


def test_a_pinned_key_decides_whom_to_trust() -> None:
    """The same record holds with one key and with another it does not."""
    transcript = right("azul-2")
    assert ruling(transcript, "altered", KEY.public).verdict is UPHELD
    assert ruling(transcript, "altered", OTHER_KEY.public).verdict is OVERTURNED
    assert ruling(transcript, "winner 1", OTHER_KEY.public).verdict is INCONCLUSIVE


@pytest.mark.parametrize("name", ["void", "aborted", "secret-lost"])
def test_a_match_without_a_result(name: str) -> None:
    """Whether it had to be voided is not in the record."""
    found = ruling(right(name), "winner 0")
    assert found.verdict is INCONCLUSIVE
    assert "counts for nothing" in found.reason


def test_a_set_up_that_this_version_cannot_use() -> None:
    """Rules of another revision decide nothing here, and nothing says the file was altered."""

    def edit(frames: Frames) -> None:
        (record,) = records_of(frames, "setup")
        setup = Setup.FromString(record.setup)
        setup.revision = 7
        record.setup = setup.SerializeToString()

    transcript = wrong("azul-2", edit)
    for text in ("winner 1", "altered", "anything"):
        found = ruling(transcript, text)
        assert found.verdict is INCONCLUSIVE
        assert found.reason.startswith("The set-up cannot be used at frame 0")


# Claims that are about nothing -----------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("winner 2", "there is no seat 2; the match has the seats 0 to 1"),
        ("score 7=1", "there is no seat 7; the match has the seats 0 to 1"),
        ("rank 9=1", "there is no seat 9; the match has the seats 0 to 1"),
        ("time 4", "there is no seat 4; the match has the seats 0 to 1"),
        ("bonus 0:goals=1", "there is no bonus goals here; there are rows, columns, colors"),
        ("refused 1", "event 1 is no record of a refusal: it is server_commit"),
        ("accepted 0", "event 0 is no record of a move: it is setup"),
        ("accepted 99999", "the record has no event 99999"),
        ("refused 1.7", "the record has no event 1.7"),
        ("score 0=1 round 40", "the record has no score of round 40"),
        ("tiles 40", "the record has no tiles of round 40"),
        ("out 0", "seat 0 was not put out in this record"),
    ],
)
def test_claims_about_what_the_record_does_not_have(text: str, problem: str) -> None:
    """They are refused in a sentence, not judged."""
    with pytest.raises(BadClaim) as error:
        ruling(right("azul-2"), text)
    assert str(error.value) == problem


def test_a_match_without_a_clock() -> None:
    """Nobody can lose on time there, so there is nothing to claim."""
    with pytest.raises(BadClaim, match="no clock that could run out"):
        ruling(right("no-clock"), "time 0")


@pytest.mark.parametrize("kind", ["seat", "turn"])
def test_an_answer_to_another_question(kind: str) -> None:
    """A refusal of the wrong seat or turn is wrong, whatever the answer would mean."""

    def edit(frames: Frames) -> None:
        (record,) = records_of(frames, "rejected")
        setattr(record.rejected, kind, getattr(record.rejected, kind) ^ 1)

    transcript = wrong("azul-2", wrongs.all_of(wrongs.refuse_move(3), edit))
    event = wrongs.events_of(transcript.frames, "rejected")[0]
    found = ruling(transcript, f"refused {event}")
    assert found.verdict is OVERTURNED
    assert found.reason.startswith(f"Event {event} is wrong: expected ")


def test_whatever_the_record_is_there_is_a_ruling() -> None:
    """Records dropped, doubled, swapped and signed: claims are judged or refused, never a crash."""
    rng = random.Random(5)
    texts = [
        "anything", "altered", "winner 0", "score 0=1", "score 1=1 round 1", "rank 1=1", "tiles",
        "tiles 1", "time 0", "time 1", "out 0", "out 1", "bonus 0:rows=1", "refused 4.1",
        "accepted 2.1", "accepted 9", "refused 9",
    ]  # fmt: skip
    assert {text.split()[0] for text in texts} == set(KINDS)
    names = [*GAMES, "strikes", "frozen", "entropy", "double-fault", "absent", "void", "restarts"]

    def damage(frames: Frames) -> None:
        for _ in range(rng.randint(1, 3)):
            frame = rng.choice([frame for frame in frames if frame])
            at = rng.randrange(len(frame))
            match rng.randrange(4):
                case 0:
                    del frame[at]
                case 1:
                    frame.insert(at, frame[at])
                case 2:
                    frame.insert(at, rng.choice([each for other in frames for each in other]))
                case _:
                    frames.insert(rng.randrange(len(frames)), list(frame))
        frames[:] = [frame for frame in frames if frame]

    verdicts = set()
    for number in range(24):
        transcript = wrong(names[number % len(names)], damage)
        held = verify(transcript).verdict
        if ruling(transcript, "anything").verdict is not INCONCLUSIVE:
            assert (ruling(transcript, "anything").verdict is UPHELD) is (held is VerifyVerdict.OK)
        for text in texts:
            with contextlib.suppress(BadClaim):
                verdicts.add(ruling(transcript, text).verdict)
    assert verdicts == set(Verdict)
