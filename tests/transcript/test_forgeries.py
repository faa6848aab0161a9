"""Forged transcripts: deleted, doubled, swapped and spliced frames and records (P-V1).

A forger without the key cannot link a change into a signed file; one with the key can, and
then the rules, the draws and the clocks have to find it.
"""

import random
from collections.abc import Callable
from functools import cache
from typing import Any

import pytest

from referee.match.recording import Recorder
from referee.rules import Options
from referee.transcript import reader
from referee.transcript import verify as verifying
from referee.transcript.finding import Level
from referee.transcript.report import summary
from referee.transcript.result import end_reason
from referee.transcript.verify import Report, Verdict
from referee.transcript.wire.game import index_action
from referee.v1 import record_pb2 as pb
from referee.v1.reason_pb2 import RejectReason
from tests.transcript.forge import Frames, forged, frames_of, match_id_of, rebuild, records_of
from tests.transcript.scene import KEY, OTHER_KEY, Scene
from tests.transcript.scenes import SCENES

WHOLE = ["azul-2-shares", "azul-gray-3", "chocolatier-2", "chocolatier-gray-4", "duel-2"]


@cache
def scene(name: str) -> bytes:
    """Return the transcript of a scene."""
    return SCENES[name]()


def verify(data: bytes) -> Report:
    """Verify the bytes of a file."""
    return verifying.verify(reader.read(data))


def raw_frames(data: bytes) -> list[bytes]:
    """Return the bytes of every frame as they stand in the file."""
    read = reader.read(data)
    frames = []
    at = 28
    for body in read.bodies:
        frames.append(data[at : at + 40 + len(body)])
        at += 40 + len(body)
    return frames


@pytest.mark.parametrize("name", WHOLE)
def test_moved_frames_are_found_without_the_key(name: str) -> None:
    """Frames deleted, doubled or swapped leave a head or a link that does not fit."""
    data = scene(name)
    head, frames = data[:28], raw_frames(data)
    for at in range(len(frames)):
        rest = frames[:at] + frames[at + 1 :]
        report = verify(head + b"".join(rest))
        # Without its signature a file is whole, but not finished.
        expected = Verdict.INCOMPLETE if at == len(frames) - 1 else Verdict.CORRUPT
        assert report.verdict is expected
        doubled = frames[: at + 1] + frames[at:]
        # No frame after the next one follows there, so it may be an interrupted write.
        expected = Verdict.TORN if at == len(frames) - 2 else Verdict.CORRUPT
        assert verify(head + b"".join(doubled)).verdict is expected
        if at:
            swapped = [*frames[: at - 1], frames[at], frames[at - 1], *frames[at + 1 :]]
            assert verify(head + b"".join(swapped)).verdict is Verdict.CORRUPT


def test_splices_of_two_games_are_found() -> None:
    """Frames of another match do not fit, not even with the same ruleset and index."""
    one, other = scene("azul-2-shares"), scene("azul-2")
    head, frames, strange = one[:28], raw_frames(one), raw_frames(other)
    for at in range(min(len(frames), len(strange))):
        spliced = [*frames[:at], strange[at], *frames[at + 1 :]]
        joined = frames[:at] + strange[at:]
        for changed in (spliced, joined):
            report = verify(head + b"".join(changed))
            # Bytes that fit nowhere may be those of an interrupted write.
            assert report.verdict in (Verdict.CORRUPT, Verdict.TORN)
            assert report.finding is not None
            assert report.finding.frame == at


@pytest.mark.parametrize("name", WHOLE)
def test_relinked_files_need_the_key(name: str) -> None:
    """Whoever links a change anew breaks the signature, or signs with another key."""
    data = scene(name)

    def edit(frames: Frames) -> None:
        records_of(frames, "joined")[0].joined.name = "somebody else"

    report = verify(forged(data, edit, key=None))
    assert report.verdict is Verdict.SIGNATURE
    assert verify(forged(data, edit, key=OTHER_KEY)).verdict is Verdict.SIGNATURE
    # The one who has the key may write what it wants about names, which prove nothing.
    assert verify(forged(data, edit, key=KEY)).verdict is Verdict.OK


@pytest.mark.parametrize("name", WHOLE)
def test_records_deleted_with_the_key_are_found(name: str) -> None:
    """Every record is needed: without it the next one cannot stand where it does."""
    data = scene(name)
    frames = frames_of(data)
    match_id = match_id_of(data)
    start = next(at for at, records in enumerate(frames) if records[0].HasField("started"))
    for at, records in enumerate(frames):
        for index in range(len(records)):
            rest = records[:index] + records[index + 1 :]
            changed = [*frames[:at], *([rest] if rest else []), *frames[at + 1 :]]
            report = verify(rebuild(match_id, changed))
            assert report.verdict is not Verdict.OK, (at, index)
            if report.verdict is not Verdict.INCOMPLETE:
                assert report.finding is not None
                # Who never joined or committed is missed when the match starts.
                assert report.finding.frame <= max(start, at + 1)


@pytest.mark.parametrize("name", WHOLE)
def test_records_doubled_or_swapped_with_the_key_are_found(name: str) -> None:
    """No two records may change places, and none may stand twice."""
    data = scene(name)
    frames = frames_of(data)
    match_id = match_id_of(data)
    for at in range(len(frames)):
        doubled = [*frames[: at + 1], *frames[at:]]
        assert verify(rebuild(match_id, doubled)).verdict is not Verdict.OK, at
        if at:
            swapped = [*frames[: at - 1], frames[at], frames[at - 1], *frames[at + 1 :]]
            verdict = verify(rebuild(match_id, swapped)).verdict
            kinds = {record.WhichOneof("kind") for record in frames[at] + frames[at - 1]}
            # Seats may join in any order, and so may reveal their shares.
            free = kinds <= {"joined", "agent_commit"} or (
                kinds == {"reveal"} and len(frames[at]) == len(frames[at - 1]) == 1
            )
            assert (verdict is Verdict.OK) == free, at


# One wrong fact each, signed by whoever has the key ------------------------------------------


def _first(frames: Frames, kind: str, number: int = 0) -> Any:
    return getattr(records_of(frames, kind)[number], kind)


def _set(kind: str, name: str, value: object, number: int = 0) -> Callable[[Frames], None]:
    def edit(frames: Frames) -> None:
        message = _first(frames, kind, number)
        *path, last = name.split(".")
        for part in path:
            message = getattr(message, part)
        setattr(message, last, value)

    return edit


def _clear(kind: str, name: str, number: int = 0) -> Callable[[Frames], None]:
    return lambda frames: _first(frames, kind, number).ClearField(name)


def _add(kind: str, name: str, delta: int, number: int = 0) -> Callable[[Frames], None]:
    def edit(frames: Frames) -> None:
        message = _first(frames, kind, number)
        *path, last = name.split(".")
        for part in path:
            message = getattr(message, part)
        setattr(message, last, getattr(message, last) + delta)

    return edit


def _score(frames: Frames) -> None:
    _first(frames, "round_scored").scores[0] += 1


def _impossible_deal(frames: Frames) -> None:
    deal = _first(frames, "deal").deal.azul_round
    deal.factories[0] = 5


def _split_end(frames: Frames) -> None:
    """Write the seed into a frame of its own: a crash in between would lose it."""
    last = frames[-2]
    frames[-2:-1] = [last[:-1], last[-1:]]


def _late_deal(frames: Frames) -> None:
    for at, records in enumerate(frames):
        if records[-1].WhichOneof("kind") == "deal" and len(records) > 1:
            frames[at : at + 1] = [records[:-1], records[-1:]]
            return


def _rank(frames: Frames) -> None:
    seats = _first(frames, "game_over").seats
    seats[0].rank, seats[1].rank = 2, 1


def _bonus(frames: Frames) -> None:
    _first(frames, "game_over").seats[0].bonuses[0].points += 2


def _agent_share(frames: Frames) -> None:
    _first(frames, "agent_commit").x0 = bytes(32)


def _move_shape(frames: Frames) -> None:
    """Record another move than the answer means."""
    move = _first(frames, "move", 1).move.azul_take
    move.line = 5 if move.line != 5 else 4


EDITS: dict[str, tuple[Callable[[Frames], None], Verdict]] = {
    "score of a round": (_score, Verdict.RULES),
    "number of a round": (_add("round_scored", "round", 1), Verdict.RULES),
    "digest": (_set("round_scored", "digest", bytes(32)), Verdict.RULES),
    "seat of a move": (_set("move", "seat", 3), Verdict.RULES),
    "no seat": (_clear("move", "seat", 1), Verdict.RULES),
    "turn": (_add("move", "turn", 1), Verdict.RULES),
    "attempt": (_add("move", "attempt", 1), Verdict.RULES),
    "no times": (_clear("move", "timing"), Verdict.RULES),
    "another move": (_move_shape, Verdict.RULES),
    "no move": (_clear("move", "move"), Verdict.RULES),
    "no answer": (_clear("move", "action"), Verdict.RULES),
    "no such index": (_set("move", "action", index_action(9999)), Verdict.RULES),
    "round of a deal": (_add("deal", "round", 1), Verdict.RULES),
    "impossible deal": (_impossible_deal, Verdict.RULES),
    "no deal": (_clear("deal", "deal"), Verdict.RULES),
    "another seed": (_set("seed_reveal", "seed", bytes(32)), Verdict.DRAWS),
    "short seed": (_set("seed_reveal", "seed", b"short"), Verdict.RULES),
    "another commitment": (_set("server_commit", "commit", bytes(32)), Verdict.RULES),
    "short commitment": (_set("server_commit", "commit", b"short"), Verdict.RULES),
    "another share": (_agent_share, Verdict.RULES),
    "round of a reveal": (_add("reveal", "round", 1), Verdict.RULES),
    "short reveal": (_set("reveal", "x", b"short"), Verdict.RULES),
    "wrong reveal": (_set("reveal", "x", bytes(32)), Verdict.RULES),
    "no times of a reveal": (_clear("reveal", "timing"), Verdict.RULES),
    "seed apart from the end": (_split_end, Verdict.RULES),
    "deal apart from its cause": (_late_deal, Verdict.RULES),
    "reason of the end": (_set("game_over", "reason", end_reason("no_tiles")), Verdict.RESULT),
    "ranks": (_rank, Verdict.RESULT),
    "bonus": (_bonus, Verdict.RESULT),
    "a seat joined twice": (_set("joined", "seat", 1), Verdict.RULES),
    "a long name": (_set("joined", "name", "x" * 200), Verdict.RULES),
    "charged too little": (_add("move", "timing.charged_ns", -1, 9), Verdict.CLOCKS),
    "charged too much": (_add("move", "timing.charged_ns", 1, 9), Verdict.CLOCKS),
    "credited": (_add("move", "timing.credited_ns", 1, 9), Verdict.CLOCKS),
    "sent before the last answer": (_set("move", "timing.sent_ns", 1, 9), Verdict.CLOCKS),
    "received before it was sent": (_set("move", "timing.received_ns", 1, 9), Verdict.CLOCKS),
    "bank": (_add("move", "timing.bank_after_ns", 1, 9), Verdict.CLOCKS),
    "no bank": (_clear("move", "timing.bank_after_ns", 9), Verdict.CLOCKS),
    "reveal charged": (_add("reveal", "timing.charged_ns", 1), Verdict.CLOCKS),
    "reveals asked apart": (_add("reveal", "timing.sent_ns", -1, 1), Verdict.CLOCKS),
}
EDITS["no bank"] = (
    lambda frames: _first(frames, "move", 9).timing.ClearField("bank_after_ns"),
    Verdict.CLOCKS,
)


@pytest.mark.parametrize("case", EDITS)
def test_a_wrong_fact_is_found_although_it_is_signed(case: str) -> None:
    """The key makes a signature, not the truth: each wrong fact fails on its level."""
    edit, expected = EDITS[case]
    report = verify(forged(scene("azul-2-shares"), edit))
    assert report.verdict is expected, report.findings
    assert report.finding is not None
    assert report.levels[Level.SIGNATURE].value == "ok"


@pytest.mark.parametrize("shares", [None, [True, True]], ids=["fixed", "shares"])
@pytest.mark.parametrize("ruleset", ["azul", "azul-gray", "chocolatier", "duel"])
def test_tiles_that_do_not_follow_from_the_seed_are_found(
    ruleset: str, shares: list[bool] | None
) -> None:
    """P-R1: a whole game by the rules, dealt from another seed, fails at its first deal."""
    cheat = Scene(ruleset, 2, name="cheat", shares=shares)
    cheat.dealt_from = bytes(32)
    cheat.join(0, 1)
    cheat.start()
    report = verify(cheat.play_on())
    assert report.verdict is Verdict.DRAWS
    finding = report.findings[Level.DRAWS]
    frames = frames_of(cheat.data())
    assert frames[finding.frame][-1].WhichOneof("kind") == "deal"
    assert len(report.findings) == 1


@pytest.mark.parametrize(
    ("name", "edit"),
    [
        ("strikes", _set("rejected", "reason", RejectReason.REJECT_REASON_LINE_FULL)),
        ("strikes", _set("rejected", "reason", 999)),
        ("strikes", _set("rejected", "action", index_action(0))),
        ("strikes", _add("rejected", "attempt", 1)),
        ("strikes", _set("seat_out", "reason", end_reason("time"))),
        ("strikes", _set("seat_out", "seat", 0)),
        ("protocol", _set("seat_out", "reason", end_reason("illegal_move"))),
        ("frozen", _set("resign", "seat", 3)),
        ("frozen", _set("seat_out", "seat", 0, 1)),
        ("late", _set("seat_out", "reason", end_reason("time"))),
        ("late", _set("seat_out", "seat", 1)),
        ("entropy", _set("seat_out", "reason", end_reason("resign"))),
        ("restarts", _set("restart", "epoch", 1)),
        ("restarts", _set("disconnect", "seat", 7)),
        ("void", _set("voided", "detail", "x" * 2000)),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_wrong_records_of_faults_are_found(name: str, edit: Callable[[Frames], None]) -> None:
    """Refusals, seats out, restarts and ends are checked like moves."""
    report = verify(forged(scene(name), edit))
    assert report.verdict is Verdict.RULES, report.findings


@pytest.mark.parametrize("name", ["sent_ns", "credited_ns", "flag_ns"])
def test_a_flag_falls_when_the_times_say_so(name: str) -> None:
    """The instant at which time ran out follows from question, credit and what was left."""
    for data in (scene("double-fault"), scene("frozen")):

        def edit(frames: Frames) -> None:
            for record in records_of(frames, "seat_out"):
                if record.seat_out.reason == end_reason("time"):
                    setattr(record.seat_out, name, getattr(record.seat_out, name) + 1)

        assert verify(forged(data, edit)).verdict is Verdict.CLOCKS


def test_seats_flagged_apart_do_not_go_out_at_once() -> None:
    """With another instant the second seat was already the winner."""
    edit = _add("seat_out", "flag_ns", 1, 1)
    report = verify(forged(scene("double-fault"), edit))
    assert report.verdict is Verdict.RULES
    assert report.finding is not None
    assert report.finding.expected == "game_over"


def test_a_move_by_the_referee_is_the_one_it_must_be() -> None:
    """For a seat that is out the first floor move is played, and without an answer."""

    def edit(frames: Frames) -> None:
        for record in records_of(frames, "move"):
            if not record.move.attempt:
                record.move.move.azul_take.line = 0
                return

    assert verify(forged(scene("frozen"), edit)).verdict is Verdict.RULES

    def answer(frames: Frames) -> None:
        for record in records_of(frames, "move"):
            if not record.move.attempt:
                record.move.action = index_action(0)
                return

    assert verify(forged(scene("frozen"), answer)).verdict is Verdict.RULES


def test_unknown_records_are_not_passed_over() -> None:
    """A record of a kind that this version does not know is not silently dropped."""

    def edit(frames: Frames) -> None:
        frames.insert(3, [pb.Record()])

    report = verify(forged(scene("azul-2-shares"), edit))
    assert report.verdict is Verdict.RULES
    assert report.finding is not None
    assert report.finding.frame == 3


def test_hidden_facts_do_not_belong_into_a_record() -> None:
    """A deal of Duel that names the face of a stacked plate is refused."""

    def edit(frames: Frames) -> None:
        for record in records_of(frames, "deal"):
            if record.deal.deal.duel_round.HasField("top"):
                record.deal.deal.duel_round.top = 0
                return

    report = verify(forged(scene("duel-2"), edit))
    assert report.verdict is Verdict.RULES
    assert report.finding is not None
    assert "hidden" in report.finding.expected


def test_a_rated_match_shows_what_makes_it_one() -> None:
    """Rated: a clock that limits, no fixed seed, durability sync."""
    rated = Scene("azul", 2, name="rated", shares=[True, True], rated=True)
    rated.join(0, 1)
    rated.start()
    rated.reveal_all()
    assert verify(rated.data()).verdict is Verdict.INCOMPLETE
    for fields in ({"clock": None}, {"shares": None}, {"durability": 2}):
        options: dict[str, Any] = {"shares": [True, True], **fields}
        scene = Scene("azul", 2, name="rated", rated=True, **options)
        assert verify(scene.data()).verdict is Verdict.RULES


@pytest.mark.parametrize(
    "fields",
    [
        {"ruleset": "no-such-game"},
        {"revision": 7},
        {"strikes": 5000},
        {"public_key": b"short"},
        {"durability": 99},
        {"request_id": "x" * 65},
    ],
    ids=lambda fields: next(iter(fields)),
)
def test_a_setup_that_cannot_be_played_is_refused(fields: dict[str, Any]) -> None:
    """The set-up is read with the same care as everything else."""
    data = scene("azul-2-shares")

    def edit(frames: Frames) -> None:
        setup = frames[0][0]
        changed = Scene("azul", 2).setup
        changed.MergeFrom(type(changed)(**fields))
        setup.setup = changed.SerializeToString()

    report = verify(forged(data, edit))
    assert report.verdict in (Verdict.RULES, Verdict.SIGNATURE)
    assert report.findings[Level.RULES].record == 0


@pytest.mark.parametrize("name", ["azul-2", "duel-2"])
def test_random_forgeries_never_raise(name: str) -> None:
    """Any field of any record set to anything gives a verdict, and never a traceback."""
    source = random.Random(3)
    data = scene(name)
    frames = frames_of(data)
    match_id = match_id_of(data)
    for _ in range(300):
        at = source.randrange(len(frames))
        index = source.randrange(len(frames[at]))
        body = bytearray(frames[at][index].SerializeToString())
        place = source.randrange(len(body))
        body[place] = source.randrange(256)
        try:
            changed = pb.Record.FromString(bytes(body))
        except Exception:  # noqa: BLE001  protobuf refuses it, so no frame can hold it
            continue
        copy = [list(records) for records in frames]
        copy[at][index] = changed
        verify(rebuild(match_id, copy))


def test_the_round_cap_of_a_setup_is_kept() -> None:
    """Options are read from the set-up: with another cap the same record is wrong."""
    good = Scene("azul", 2, name="cap", options=Options(round_cap=1))
    good.join(0, 1)
    good.start()
    assert verify(good.play_on()).verdict is Verdict.OK


def test_all_absent_seats_go_out_together() -> None:
    """NO_SHOW is for every seat that has not come, in one frame."""
    apart = Scene("azul", 4, name="apart")
    apart.join(0, 1)
    apart.add(seat_out=pb.SeatOut(seat=2, reason=end_reason("no_show")))
    apart.end_step()
    report = verify(apart.data())
    assert report.verdict is Verdict.RULES
    assert report.finding is not None
    assert (report.finding.expected, report.finding.found) == ("seat_out", "the end of the frame")


def test_nothing_but_a_signature_is_signed_and_wrong() -> None:
    """A signature over the beginning is valid, and no match."""
    recorder = Recorder(bytes(16))
    recorder.sign(KEY)
    report = verify(recorder.data())
    assert report.levels[Level.SIGNATURE].value == "ok"
    assert report.verdict is Verdict.RULES
    assert report.findings[Level.RULES].record == 0


def test_a_level_is_only_named_where_the_draws_are_proved() -> None:
    """Before the seed is known, and where a deal does not follow, nothing is proved."""
    assert summary("", verify(scene("azul-2-shares")))["fairness"]["level"] == "F2"
    assert summary("", verify(scene("azul-2")))["fairness"]["level"] == "fixed"
    assert summary("", verify(scene("open")))["fairness"]["level"] is None
    assert summary("", verify(scene("secret-lost")))["fairness"]["level"] is None
