"""Recorded matches as steps: of every kind of end, of damaged files, of hostile names."""

import itertools
import json
import random
from collections import defaultdict
from pathlib import Path
from typing import Any

import pytest

from referee.match.recording import Identity, RecordedGame
from referee.rules import CHANCE, RULESETS, Options, get_ruleset
from referee.transcript import reader
from referee.transcript.errors import NotATranscript
from referee.transcript.event_json import dumps, events
from referee.transcript.events import Replay, Step
from referee.transcript.finding import Level
from referee.transcript.signing import SigningKey
from referee.transcript.verify import Verdict
from referee.transcript.wire.game import move_action
from referee.v1 import record_pb2 as pb
from tests.games import EVERY_TABLE, seed_bytes
from tests.transcript.forge import forged, frames_of, match_id_of, rebuild, records_of
from tests.transcript.hostile import NAMES, raw
from tests.transcript.scene import Scene
from tests.transcript.scenes import GARBAGE

FOLDER = Path(__file__).parents[1] / "golden" / "transcripts"
FILES = sorted(FOLDER.glob("*.azt"))
NAMED = [file.stem for file in FILES]
GAMES = 6


def replayed(data: bytes) -> tuple[Replay, list[Step]]:
    """Return all steps of a file."""
    replay = Replay(reader.read(data))
    return replay, list(replay.steps())


def recorded(key: str, seats: int, seed: int) -> bytes:
    """Return the transcript of a random game."""
    identity = Identity(seed_bytes(seed)[:16], SigningKey.from_seed(seed_bytes(7)))
    options = Options(goals=4) if key == "duel" else Options()
    return RecordedGame(get_ruleset(key), seats, options, seed_bytes(seed), identity).play()


def check_points(data: bytes) -> int:
    """Hold the explained points of every seat and round against the recorded scores."""
    _, steps = replayed(data)
    gained: dict[int, int] = defaultdict(int)
    scores = steps[0].scores
    rounds = 0
    for step in steps:
        for entry in step.points:
            gained[entry.seat] += entry.points
        if step.kind in ("round_scored", "game_over"):
            message = step.message
            recorded = [seat.score for seat in message.seats] if step.kind == "game_over" else []
            new = tuple(recorded or message.scores)
            assert step.scores == new
            change = [after - before for after, before in zip(new, scores, strict=True)]
            assert change == [gained[seat] for seat in range(len(new))]
            gained.clear()
            scores = new
            rounds += 1
    return rounds


@pytest.mark.parametrize(("key", "seats"), EVERY_TABLE)
def test_points_add_up_to_the_recorded_scores(key: str, seats: int) -> None:
    """Of every seat and round of recorded games of every table."""
    for seed in range(GAMES):
        assert check_points(recorded(key, seats, seed)) > 1


@pytest.mark.parametrize("file", FILES, ids=NAMED)
def test_every_way_a_match_can_go(file: Path) -> None:
    """One step a record, in order, each with words; the points add up."""
    data = file.read_bytes()
    replay, steps = replayed(data)
    records = [record for frame in reader.read(data).frames for record in frame]
    assert [step.index for step in steps] == list(range(len(records)))
    assert [step.kind for step in steps] == [record.WhichOneof("kind") for record in records]
    assert replay.broken is None
    assert not raw("\n".join([step.words for step in steps]))
    assert all(step.words and step.telling.sentence for step in steps)
    check_points(data)
    # A step never sees what came after it.
    assert str(steps[0].position).count("round=0") == 1
    assert str(steps[-1].position) == str(replay.fold.position)


def test_a_step_keeps_its_own_table() -> None:
    """Positions of earlier steps stay as they were, and only games change them."""
    _, steps = replayed((FOLDER / "azul-2.azt").read_bytes())
    for before, after in itertools.pairwise(steps):
        assert (before.position is after.position) == (after.kind not in ("deal", "move"))
        assert after.changed == (after.kind in ("deal", "move"))
    assert len({str(step.position) for step in steps if step.changed}) == sum(
        step.changed for step in steps
    )
    begins = [step.round for step in steps if step.begins]
    assert begins == list(range(1, steps[-1].round + 1))


def test_refused_answers_say_why() -> None:
    """With the rule, the number of strikes, and what was named, if anything was."""
    scene = Scene("azul", 2, name="refused", options=Options(first_player=0))
    scene.join(0, 1)
    scene.start()
    full = get_ruleset("azul").parse_move("8B0")
    scene.reject(move_action(full))
    scene.reject(GARBAGE)
    _, steps = replayed(scene.data())
    first, second = steps[-2:]
    assert first.refusal is not None
    assert second.refusal is not None
    assert (first.refusal.reason, first.refusal.move) == ("no_such_factory", "8B0")
    assert first.refusal.rule
    assert first.words == "an answer of seat 0 is refused, 8B0"
    assert first.refusal.rule in first.telling.details[0]
    assert first.telling.details[1] == "strike 1 of 3"
    assert (second.refusal.reason, second.refusal.move) == ("unparsable", None)
    assert second.telling.details[1] == "strike 2 of 3"
    assert (second.seat, second.turn, second.refusal.attempt) == (0, 1, 2)


def test_moves_for_a_seat_that_is_out() -> None:
    """They are the referee's, and are told so."""
    _, steps = replayed((FOLDER / "frozen.azt").read_bytes())
    frozen = [step for step in steps if step.kind == "move" and step.clock is None]
    assert frozen
    for step in frozen:
        assert step.words.startswith(f"seat {step.seat}, out, moved by the referee, takes")


# JSON ------------------------------------------------------------------------------------------


def as_json(data: bytes) -> list[dict[str, Any]]:
    """Return the lines of a file as a reader gets them."""
    lines = [dumps(found) for found in events("file.azt", Replay(reader.read(data)))]
    assert all(line.isascii() and line.isprintable() for line in lines)
    return [json.loads(line) for line in lines]


@pytest.mark.parametrize("file", FILES, ids=NAMED)
def test_json_is_enough_to_follow_a_match(file: Path) -> None:
    """Positions can be read again, and each move leads from one to the next."""
    lines = as_json(file.read_bytes())
    *found, last = lines
    assert last["kind"] == "verdict"
    assert last["events"] == len(found)
    rules = RULESETS[found[0]["match"]["ruleset"]]
    position = None
    for line in found:
        if "position" not in line:
            continue
        after = rules.parse_position(line["position"])
        if line["kind"] == "move":
            assert position is not None
            if position.actor != CHANCE:
                assert str(rules.parse_move(line["move"])) == line["move"]
                position.play(rules.parse_move(line["move"]))
                assert str(position) == line["position"]
        elif line["kind"] == "deal":
            assert position is not None
            position.deal(rules.parse_deal(line["deal"]))
            assert str(position) == line["position"]
        position = after


def test_json_names_what_a_page_needs() -> None:
    """Fields of a move, of points, of who came, of the match."""
    lines = as_json((FOLDER / "azul-2.azt").read_bytes())
    assert lines[0]["match"]["agents"] == ["agent-0", "agent-1"]
    joined = next(line for line in lines if line["kind"] == "joined")
    assert (joined["name"], joined["kit"]) == ("bot 0", "test")
    move = next(line for line in lines if line["kind"] == "move")
    assert set(move) >= {"event", "frame", "round", "turn", "seat", "move", "words", "clock"}
    assert set(move["clock"]) == {"elapsed_ns", "charged_ns", "bank_ns"}
    tile = next(
        entry for line in lines for entry in line.get("points", ()) if entry["kind"] == "tile"
    )
    names = {"seat", "kind", "points", "words", "row", "column", "across", "down"}
    assert set(tile) == names


# Damage ----------------------------------------------------------------------------------------


WHOLE = (FOLDER / "azul-2-shares.azt").read_bytes()
DUEL = (FOLDER / "duel-2.azt").read_bytes()


def spliced(data: bytes) -> bytes:
    """Return a file whose chain breaks in the middle: two frames have changed places."""
    frames = frames_of(data)
    other = rebuild(match_id_of(data), [*frames[:9], frames[10], frames[9], *frames[11:]])
    cut = sum(len(body) + 40 for body in reader.read(data).bodies[:12]) + 28
    return data[:cut] + other[cut:]


@pytest.mark.parametrize("data", [WHOLE, DUEL], ids=["azul", "duel"])
def test_a_cut_file_is_shown_up_to_the_cut(data: bytes) -> None:
    """Wherever it is cut: all whole frames before it, and the place by number."""
    whole = reader.read(data)
    cuts = [*range(0, 400, 13), *range(400, len(data), 211), len(data) - 1]
    for cut in cuts:
        try:
            transcript = reader.read(data[:cut])
        except NotATranscript:
            continue
        replay = Replay(transcript)
        steps = list(replay.steps())
        shown = sum(len(records) for records in whole.frames[: transcript.good])
        assert len(steps) == shown
        if replay.report.verdict is not Verdict.INCOMPLETE:
            assert replay.report.verdict is Verdict.TORN
            assert replay.broken is not None
            assert replay.broken.frame == transcript.good


@pytest.mark.parametrize("data", [WHOLE, DUEL], ids=["azul", "duel"])
def test_a_flipped_bit_stops_the_showing_where_it_is(data: bytes) -> None:
    """Nothing from the damaged frame on is shown, and never an error."""
    rng = random.Random(5)
    whole = reader.read(data)
    for _ in range(120):
        at = rng.randrange(28, len(data))
        damaged = bytearray(data)
        damaged[at] ^= 1 << rng.randrange(8)
        replay, steps = replayed(bytes(damaged))
        assert replay.report.verdict in (Verdict.CORRUPT, Verdict.TORN, Verdict.CHAIN)
        assert replay.broken is not None
        assert all(step.frame < replay.broken.frame for step in steps)
        before = sum(len(records) for records in whole.frames[: replay.broken.frame])
        assert len(steps) == before


def test_a_spliced_file_is_shown_up_to_the_splice() -> None:
    """The chain breaks; frames behind it are counted and not shown."""
    replay, steps = replayed(spliced(WHOLE))
    assert replay.report.verdict is Verdict.CHAIN
    assert replay.broken is not None
    assert replay.broken.level is Level.CHAIN
    assert replay.broken.frame == 12
    assert steps[-1].frame == 11
    assert len(replay.transcript.frames) > 12


def forge_move(frames: list[list[pb.Record]]) -> None:
    """Let the fifth move be another one than its answer says."""
    records_of(frames, "move")[4].move.move.azul_take.line += 1


def forge_result(frames: list[list[pb.Record]]) -> None:
    """Let a seat win by another number."""
    records_of(frames, "game_over")[0].game_over.seats[0].score += 7


def forge_clock(frames: list[list[pb.Record]]) -> None:
    """Charge a seat for less than it took."""
    records_of(frames, "move")[6].move.timing.charged_ns += 1


def forge_draws(frames: list[list[pb.Record]]) -> None:
    """Show another seed."""
    records_of(frames, "seed_reveal")[0].seed_reveal.seed = bytes(32)


@pytest.mark.parametrize(
    ("forge", "verdict", "kind"),
    [
        (forge_move, Verdict.RULES, None),
        (forge_result, Verdict.RESULT, "game_over"),
        (forge_clock, Verdict.CLOCKS, "move"),
        (forge_draws, Verdict.DRAWS, "seed_reveal"),
    ],
)
def test_forged_records_are_named_where_they_are(
    forge: Any, verdict: Verdict, kind: str | None
) -> None:
    """What stops the fold stops the showing; anything else is noted at its own step."""
    replay, steps = replayed(forged(WHOLE, forge))
    assert replay.report.verdict is verdict
    noted = [step for step in steps if step.findings]
    if kind is None:
        assert replay.broken is not None
        assert replay.broken.record == steps[-1].index + 1
        assert not noted
    else:
        assert replay.broken is None
        assert steps[-1].kind == "signature"
        assert [step.kind for step in noted] == [kind]


# Names -----------------------------------------------------------------------------------------


def hostile_match(name: str) -> bytes:
    """Return a match in which strangers have their say wherever they can."""
    scene = Scene("azul", 2, name="hostile", event_id="e\x1b[2J\u202e", pairing="p\n\x9b")
    scene.join(0, 1, name=name)
    scene.start()
    scene.move()
    scene.add(aborted=pb.MatchAborted(detail=name * 3, ended_utc_s=-(2**62), sequence=2))
    scene.add(seed_reveal=pb.SeedReveal(seed=scene.seed))
    scene._sign()
    return scene.data()


@pytest.mark.parametrize("name", NAMES)
def test_words_hold_nothing_that_commands_a_terminal(name: str) -> None:
    """Not in sentences, details or JSON; and JSON still gives the name back exactly."""
    data = hostile_match(name)
    replay, steps = replayed(data)
    assert replay.report.verdict is Verdict.OK
    text = "\n".join(line for step in steps for line in (step.words, *step.telling.details))
    assert not raw(text)
    assert len(text.splitlines()) == sum(1 + len(step.telling.details) for step in steps)
    joined = [line for line in as_json(data) if line["kind"] == "joined"]
    assert [line["name"] for line in joined] == [name or "bot 0", name or "bot 1"]
