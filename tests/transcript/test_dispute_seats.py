"""Claims about tiles, time and seats that are out."""

import pytest

from referee.rules import Options
from referee.transcript import reader
from referee.transcript.dispute.verdict import Remedy, Verdict
from referee.transcript.reader import Transcript
from referee.transcript.wire.game import move_action
from tests.transcript import wrongs
from tests.transcript.forge import Frames, forged, records_of
from tests.transcript.scene import Scene
from tests.transcript.wrongs import GAMES, right, ruling, wrong

UPHELD, OVERTURNED, INCONCLUSIVE = Verdict.UPHELD, Verdict.OVERTURNED, Verdict.INCONCLUSIVE


# Tiles -----------------------------------------------------------------------------------------


@pytest.mark.parametrize("number", [1, 2])
@pytest.mark.parametrize("name", GAMES)
def test_tiles_that_were_not_drawn(name: str, number: int) -> None:
    """They are overturned from the round on in which they were dealt."""
    transcript = wrong(name, wrongs.swap_tiles(number))
    found = ruling(transcript, f"tiles {number}")
    assert found.verdict is OVERTURNED
    assert found.rule.startswith("docs/draws.md, ")
    assert found.values.recorded != found.values.correct
    assert found.remedy is Remedy.REPLAY
    assert (found.replay_turn == 1) is (number == 1)
    assert ruling(transcript, "tiles").verdict is OVERTURNED
    later = ruling(transcript, f"tiles {number + 1}")
    assert later.verdict is INCONCLUSIVE
    if number > 1:
        assert ruling(transcript, f"tiles {number - 1}").verdict is UPHELD
    assert ruling(transcript, "winner 0").verdict is INCONCLUSIVE


def test_tiles_that_no_bag_could_give() -> None:
    """The ruling says how many there are on a factory."""
    found = ruling(wrong("azul-2", wrongs.impossible_tiles(1)), "tiles 1")
    assert (found.verdict, found.remedy) == (OVERTURNED, Remedy.REPLAY)
    assert found.rule == "A15"


def test_a_seed_that_was_not_committed_to() -> None:
    """No tile is proved, so the whole match falls."""
    transcript = wrong("azul-2-shares", wrongs.other_seed)
    found = ruling(transcript, "tiles 2")
    assert (found.verdict, found.replay_turn) == (OVERTURNED, 1)
    assert ruling(transcript, "winner 0").verdict is INCONCLUSIVE


@pytest.mark.parametrize("ruleset", ["azul", "duel"])
def test_a_referee_that_deals_from_another_seed(ruleset: str) -> None:
    """All moves are legal and all sums right, but the game is not the one that chance dealt."""
    scene = Scene(ruleset, 2, name="cheat")
    scene.dealt_from = bytes(32)
    scene.join(0, 1)
    scene.start()
    transcript = reader.read(scene.play_on())
    found = ruling(transcript, "tiles")
    assert (found.verdict, found.remedy, found.replay_turn) == (OVERTURNED, Remedy.REPLAY, 1)
    assert ruling(transcript, "tiles 1").verdict is OVERTURNED
    later = ruling(transcript, "tiles 2")
    assert later.verdict is INCONCLUSIVE
    assert later.reason.startswith("Tiles of round 1 ")
    assert ruling(transcript, "winner none").verdict is INCONCLUSIVE
    assert ruling(transcript, "accepted 1.1").verdict is UPHELD


@pytest.mark.parametrize(
    ("name", "text"),
    [("secret-lost", "The seed was lost"), ("open", "The record is not signed")],
)
def test_tiles_without_a_seed(name: str, text: str) -> None:
    """Nothing is proved without the seed, and the verdict says why there is none."""
    found = ruling(right(name), "tiles 1")
    assert found.verdict is INCONCLUSIVE
    assert found.reason.startswith(text)
    assert ruling(right(name), "anything").verdict is INCONCLUSIVE


@pytest.mark.parametrize(
    ("name", "note"), [("azul-2", "The seed was fixed"), ("azul-2-shares", "F2: ")]
)
def test_what_upheld_tiles_prove(name: str, note: str) -> None:
    """A note says how far the proof goes."""
    assert ruling(right(name), "tiles").notes[0].startswith(note)


# Time and seats that are out -------------------------------------------------------------------


def flagged(*, early_ns: int = 0, swapped: bool = False) -> tuple[Transcript, int]:
    """Return a match that ends with a flag, maybe too early or the other seat's; and the seat."""
    scene = Scene("azul", 2, name="flag", options=Options(round_cap=3))
    scene.join(0, 1)
    scene.start()
    for _ in range(5):
        scene.move()
    scene.flag(scene.position.actor)

    def edit(frames: Frames) -> None:
        (record,) = records_of(frames, "seat_out")
        record.seat_out.flag_ns -= early_ns
        record.seat_out.seat ^= swapped

    transcript = reader.read(forged(scene.data(), edit))
    return transcript, records_of(transcript.frames, "seat_out")[0].seat_out.seat


def test_a_time_loss_is_at_best_inconclusive() -> None:
    """The record shows the referee's clock, it cannot prove it, and the text says so."""
    transcript, seat = flagged()
    (event,) = wrongs.events_of(transcript.frames, "seat_out")
    for text in (f"time {seat}", f"out {seat}", f"time {1 - seat}"):
        found = ruling(transcript, text)
        assert found.verdict is INCONCLUSIVE, text
        assert "A record shows the referee's clock; it cannot prove it" in found.reason
    assert ruling(transcript, f"time {seat}").event == event
    assert ruling(transcript, "anything").verdict is UPHELD


@pytest.mark.parametrize("word", ["time", "out"])
def test_a_false_flag(word: str) -> None:
    """A flag that fell before the time was up contradicts the record itself."""
    transcript, seat = flagged(early_ns=1)
    found = ruling(transcript, f"{word} {seat}")
    assert (found.verdict, found.remedy, found.replay_turn) == (OVERTURNED, Remedy.REPLAY, 6)
    assert found.rule == "docs/transcript.md, Clocks"
    assert "it cannot prove it" in found.reason
    assert ruling(transcript, f"time {1 - seat}").verdict is INCONCLUSIVE


def test_a_flag_out_of_turn() -> None:
    """A seat that was not asked cannot lose on time."""
    transcript, seat = flagged(swapped=True)
    found = ruling(transcript, f"time {seat}")
    assert (found.verdict, found.remedy) == (OVERTURNED, Remedy.REPLAY)


def test_an_answer_that_came_too_late() -> None:
    """The other player may claim it, and what it would have changed is left open."""

    def edit(frames: Frames) -> None:
        timing = records_of(frames, "move")[20].move.timing
        timing.received_ns += 3600 * 10**9
        timing.charged_ns += 3600 * 10**9

    transcript = wrong("azul-2", edit)
    seat = records_of(transcript.frames, "move")[20].move.seat
    found = ruling(transcript, f"time {seat}")
    assert (found.verdict, found.remedy) == (OVERTURNED, Remedy.UNKNOWN)
    assert ruling(transcript, f"time {1 - seat}").verdict is INCONCLUSIVE
    assert ruling(transcript, "anything").remedy is Remedy.UNKNOWN


@pytest.mark.parametrize(
    ("name", "verdict"),
    [
        ("strikes", UPHELD),
        ("protocol", UPHELD),
        ("entropy", UPHELD),
        ("absent", INCONCLUSIVE),
        ("frozen", INCONCLUSIVE),
    ],
)
def test_seats_that_are_out(name: str, verdict: Verdict) -> None:
    """Strikes and reveals can be re-played; who came or resigned cannot be proved."""
    transcript = right(name)
    seat = records_of(transcript.frames, "seat_out")[0].seat_out.seat
    found = ruling(transcript, f"out {seat}")
    assert found.verdict is verdict
    assert found.rule


def test_a_seat_that_was_put_out_by_a_wrong_strike() -> None:
    """A legal move among its strikes, and the seat should not be out."""
    scene = Scene("azul", 2, name="wrong strike", strikes=1)
    scene.join(0, 1)
    scene.start()
    scene.move()
    seat = scene.position.actor
    scene.reject(b"\xff\xff")
    legal = scene.position.legal_moves()[0]

    def edit(frames: Frames) -> None:
        (record,) = records_of(frames, "rejected")
        record.rejected.action = move_action(legal)

    transcript = reader.read(forged(scene.data(), edit))
    found = ruling(transcript, f"out {seat}")
    assert (found.verdict, found.remedy, found.replay_turn) == (OVERTURNED, Remedy.REPLAY, 2)
    refusal = ruling(transcript, "refused 2.1")
    assert refusal.verdict is OVERTURNED
    assert "it was the last strike" in refusal.reason


def test_a_seat_that_never_resigned() -> None:
    """A seat that goes out without a reason in the record is back in."""

    def edit(frames: Frames) -> None:
        for frame in frames:
            frame[:] = [record for record in frame if record.WhichOneof("kind") != "resign"]

    transcript = wrong("frozen", edit)
    seat = records_of(transcript.frames, "seat_out")[0].seat_out.seat
    assert ruling(transcript, f"out {seat}").verdict is OVERTURNED
