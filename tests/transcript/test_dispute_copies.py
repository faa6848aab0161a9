"""Two copies of one match: which of them holds, and whose account is right."""

from collections.abc import Callable

import pytest

from referee.transcript import reader
from referee.transcript.dispute.copies import Comparing, Comparison, compare
from referee.transcript.errors import NotOneMatch
from referee.transcript.format import frame, head
from referee.transcript.wire.setup import decode_setup
from referee.v1 import record_pb2 as pb
from referee.v1.record_pb2 import Frame
from referee.v1.setup_pb2 import Setup
from tests.transcript import wrongs
from tests.transcript.forge import Frames, forged, records_of
from tests.transcript.scene import KEY, OTHER_KEY
from tests.transcript.wrongs import GAMES, golden

SAME, TWO_ACCOUNTS = Comparison.SAME, Comparison.TWO_ACCOUNTS
ONE_HOLDS, INCONCLUSIVE = Comparison.ONE_HOLDS, Comparison.INCONCLUSIVE


def compared(one: bytes, other: bytes, pinned: bytes | None = None) -> Comparing:
    """Compare two files; the other way round must say the same."""
    found = compare(reader.read(one), reader.read(other), pinned)
    back = compare(reader.read(other), reader.read(one), pinned)
    assert back.verdict is found.verdict
    if found.verdict is not SAME:
        assert back.right == (None if found.right is None else 1 - found.right)
    if found.difference is None:
        assert back.difference is None
    else:
        assert back.difference is not None
        assert (back.difference.frame, back.difference.event, back.difference.field) == (
            found.difference.frame,
            found.difference.event,
            found.difference.field,
        )
    return found


def other_name(frames: Frames) -> None:
    """Change something that no rule looks at."""
    records_of(frames, "joined")[0].joined.name = "somebody else"


def _ended_later(frames: Frames) -> None:
    """Let the match end later, which nothing else depends on."""
    records_of(frames, "game_over")[0].game_over.ended_utc_s += 1


def own_key(frames: Frames) -> None:
    """Put another key into the set-up, as a forger without the referee's key would."""
    record = records_of(frames, "setup")[0]
    setup = Setup.FromString(record.setup)
    setup.public_key = OTHER_KEY.public
    record.setup = setup.SerializeToString()
    assert decode_setup(record.setup).public_key == OTHER_KEY.public


def flipped(data: bytes) -> bytes:
    """Return a file with one bit changed in the middle."""
    at = len(data) // 2
    return data[:at] + bytes([data[at] ^ 1]) + data[at + 1 :]


def one_frame_more(data: bytes) -> bytes:
    """Return a file with a linked frame behind its signature, which anybody can write."""
    read = reader.read(data)
    body = Frame(records=[pb.Record(started=pb.Started())]).SerializeToString()
    return data + frame(read.match_id, len(read.frames), read.links[-1], body)[0]


def resigned(data: bytes) -> bytes:
    """Return a file whose signature frame holds the same in other bytes."""
    read = reader.read(data)
    start = len(data) - len(read.bodies[-1]) - 40
    # An unknown field: the message means the same to whoever does not know it.
    body = read.bodies[-1] + b"\x98\x06\x01"
    index = len(read.frames) - 1
    whole, _ = frame(read.match_id, index, read.links[-2], body)
    assert whole.startswith(head(read.match_id, index, len(body)))
    return data[:start] + whole


# name: what becomes of the second copy, verdict, which copy is right
COPIES: dict[str, tuple[Callable[[bytes], bytes], Comparison, int | None]] = {
    "equal": (lambda data: data, SAME, 0),
    "junk behind it": (lambda data: data + b"junk", SAME, 0),
    "a frame behind it": (one_frame_more, SAME, 0),
    "signed in other bytes": (resigned, SAME, 0),
    "cut within a frame": (lambda data: data[: len(data) // 2], ONE_HOLDS, 0),
    "without its signature": (lambda data: data[: -len(reader.read(data).bodies[-1]) - 40], ONE_HOLDS, 0),
    "header only": (lambda data: data[:28], ONE_HOLDS, 0),
    "a bit flipped": (flipped, ONE_HOLDS, 0),
    "relinked, not signed": (lambda data: forged(data, wrongs.swap_ranks, None), ONE_HOLDS, 0),
    "signed by a stranger": (lambda data: forged(data, wrongs.swap_ranks, OTHER_KEY), ONE_HOLDS, 0),
    "another result, signed": (lambda data: forged(data, wrongs.swap_ranks), TWO_ACCOUNTS, 0),
    "another name, signed": (lambda data: forged(data, other_name), TWO_ACCOUNTS, None),
    "a stranger's key": (lambda data: forged(data, own_key, OTHER_KEY), INCONCLUSIVE, None),
}  # fmt: skip


@pytest.mark.parametrize("how", COPIES)
@pytest.mark.parametrize("name", GAMES)
def test_copies(name: str, how: str) -> None:
    """Only a signature vouches for a copy; two of one key over different links are two accounts."""
    change, verdict, right = COPIES[how]
    data = golden(name)
    found = compared(data, change(data))
    assert (found.verdict, found.right) == (verdict, right)
    assert ("he referee signed two accounts" in found.reason) is (verdict is TWO_ACCOUNTS)
    if how == "equal":
        assert found.difference is None
    elif verdict is not SAME:
        assert found.difference is not None
        assert found.difference.first != found.difference.second


def test_accounts_that_are_both_wrong() -> None:
    """Two signed accounts, and by re-play neither is right."""
    data = golden("azul-2")
    one, other = forged(data, wrongs.swap_ranks), forged(data, wrongs.add_bonus(0, 7))
    found = compared(one, other)
    assert (found.verdict, found.right) == (TWO_ACCOUNTS, None)
    assert "By re-play neither is right" in found.reason


def test_two_accounts_although_one_is_hidden_behind_more_frames() -> None:
    """What is put behind a signature does not take it back."""
    data = golden("azul-2")
    for more in (lambda forgery: forgery + b"junk", one_frame_more):
        found = compared(data, more(forged(data, wrongs.swap_ranks)))
        assert (found.verdict, found.right) == (TWO_ACCOUNTS, 0)


def test_a_pinned_key_tells_the_referee_from_a_stranger() -> None:
    """With the referee's key the stranger's copy is nothing, and the other way round."""
    data = golden("azul-2")
    other = forged(data, own_key, OTHER_KEY)
    found = compared(data, other, KEY.public)
    assert (found.verdict, found.right) == (ONE_HOLDS, 0)
    found = compared(data, other, bytes(32))
    assert (found.verdict, found.right) == (INCONCLUSIVE, None)


def test_equal_copies_may_be_wrong_all_the_same() -> None:
    """They say the same, and the reason says what is wrong with it."""
    data = forged(golden("azul-2"), wrongs.swap_ranks)
    found = compared(data, data)
    assert (found.verdict, found.right) == (SAME, None)
    assert "which is wrong at frame" in found.reason


def test_set_ups_that_cannot_be_read() -> None:
    """Then the keys beside the signatures tell strangers apart."""
    data = golden("azul-2")
    one, other = forged(data, _no_setup), forged(data, _no_setup, OTHER_KEY)
    assert compared(one, other).verdict is INCONCLUSIVE
    assert compared(data, other).verdict is INCONCLUSIVE
    assert compared(data, other, KEY.public).verdict is ONE_HOLDS
    assert compared(data, one).verdict is TWO_ACCOUNTS


def test_the_signed_copy_may_be_wrong_all_the_same() -> None:
    """A valid signature says who wrote it, not that it is right."""
    data = golden("azul-2")
    found = compared(forged(data, wrongs.swap_ranks), flipped(data))
    assert (found.verdict, found.right) == (ONE_HOLDS, None)
    assert "Still copy 1 is wrong" in found.reason


@pytest.mark.parametrize(
    ("frames", "text"),
    [
        (3, "one is the beginning of the other"),
        (0, "the same, but neither has a signature"),
    ],
)
def test_copies_that_nobody_signed(frames: int, text: str) -> None:
    """Two states of a running match do not contradict each other, and prove nothing."""
    data = golden("open")
    read = reader.read(data)
    cut = sum(len(body) + 40 for body in read.bodies[len(read.bodies) - frames :])
    found = compared(data, data[: len(data) - cut])
    assert (found.verdict, found.right) == (INCONCLUSIVE, None)
    assert text in found.reason


def test_copies_that_nobody_signed_and_contradict_each_other() -> None:
    """Then nothing can be told."""
    data = golden("open")
    found = compared(data, forged(data, other_name, None))
    assert (found.verdict, found.right) == (INCONCLUSIVE, None)
    assert "contradict each other" in found.reason


def test_files_of_different_matches() -> None:
    """They are no copies, and neither is what names no match."""
    data = golden("azul-2")
    with pytest.raises(NotOneMatch, match="different matches"):
        compare(reader.read(data), reader.read(golden("duel-2")))
    with pytest.raises(NotOneMatch, match="copy 2 ends inside its header"):
        compare(reader.read(data), reader.read(data[:20]))


def _first_move(frames: Frames) -> None:
    move = records_of(frames, "move")[3].move
    move.move.azul_take.line = (move.move.azul_take.line + 1) % 6


def _drop(frames: Frames) -> None:
    frame = next(each for each in frames if len(each) > 2)
    frame.pop()


def _reject(frames: Frames) -> None:
    wrongs.refuse_move(2)(frames)


def _three_scores(frames: Frames) -> None:
    records_of(frames, "round_scored")[0].round_scored.scores.append(3)


def _no_setup(frames: Frames) -> None:
    records_of(frames, "setup")[0].setup = bytes([255]) * 9


def _bank(frames: Frames) -> None:
    records_of(frames, "move")[1].move.timing.ClearField("bank_after_ns")


@pytest.mark.parametrize(
    ("edit", "field", "first", "second"),
    [
        (_first_move, "move.move.azul_take.line", "move of seat ", "move of seat "),
        (wrongs.add_points(1, 0, 5), "round_scored.scores[0]", "round scored of round 1, scores ", "round scored of round 1, scores "),
        (wrongs.swap_tiles(1), "deal.deal.azul_round.factories[0]", "deal of round 1, factories=", "deal of round 1, factories="),
        (_reject, "", "move of seat ", "rejected of seat "),
        (_bank, "move.timing.bank_after_ns", "move of seat ", "move of seat "),
        (other_name, "joined.name", "joined of seat 0: bot 0", "joined of seat 0: somebody else"),
        (wrongs.other_seed, "seed_reveal.seed", "seed reveal: ", "seed reveal: 0000"),
        (_drop, "", "deal of round 2", "nothing"),
        (own_key, "setup.public_key", f"setup: {KEY.public.hex()}", f"setup: {OTHER_KEY.public.hex()}"),
        (_no_setup, "setup", "setup: ", "setup: ffff"),
        (wrongs.add_bonus(1, 2), "game_over.seats[1].score", "game over: ", "game over: "),
        (_three_scores, "round_scored.scores", "round scored of round 1", "round scored of round 1"),
        (_ended_later, "game_over.ended_utc_s", "game over: 1767225600", "game over: 1767225601"),
    ],
)  # fmt: skip
def test_the_first_difference(edit: wrongs.Edit, field: str, first: str, second: str) -> None:
    """It names the frame, the event, the field and what both copies have there."""
    data = golden("azul-2")
    other = forged(data, edit)
    found = compared(data, other).difference
    assert found is not None
    assert found.field == field
    assert found.first.startswith(first)
    assert found.second.startswith(second)
    read = reader.read(data)
    assert read.bodies[: found.frame] == reader.read(other).bodies[: found.frame]
    assert found.event is not None
    before = sum(len(records) for records in read.frames[: found.frame])
    assert before <= found.event <= before + len(read.frames[found.frame])
