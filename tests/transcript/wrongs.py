"""Records as a referee that is wrong would write them, made from right ones.

Each function edits the records of a transcript; `forge.forged` links and signs it anew.
"""

from collections.abc import Callable
from pathlib import Path

from referee.rules import IllegalMove, MalformedMove, Position
from referee.transcript import reader
from referee.transcript.dispute.claims import parse_claim
from referee.transcript.dispute.judge import judge
from referee.transcript.dispute.verdict import Ruling
from referee.transcript.fold import Fold, Stage
from referee.transcript.verify import fold_of
from referee.transcript.wire.game import decode_move, encode_move, move_action
from referee.v1 import record_pb2 as pb
from referee.v1.reason_pb2 import RejectReason
from tests.transcript.forge import Frames, forged, records_of
from tests.transcript.scenes import SCENES

FOLDER = Path(__file__).parents[1] / "golden" / "transcripts"
# A whole game of every ruleset.
GAMES = ("azul-2", "azul-gray-3", "chocolatier-2", "chocolatier-gray-4", "duel-2")
LINE_FULL = RejectReason.REJECT_REASON_LINE_FULL
Edit = Callable[[Frames], None]


def golden(name: str) -> bytes:
    """Return the transcript of a scene."""
    assert name in SCENES
    return (FOLDER / f"{name}.azt").read_bytes()


def right(name: str) -> reader.Transcript:
    """Return a scene as it was recorded."""
    return reader.read(golden(name))


def ruling(transcript: reader.Transcript, text: str, pinned: bytes | None = None) -> Ruling:
    """Return the ruling on one claim."""
    found = judge(transcript, [parse_claim(text)], pinned)
    assert found.verdict is found.rulings[0].verdict
    return found.rulings[0]


def wrong(name: str, edit: Edit) -> reader.Transcript:
    """Return a transcript of a scene as a wrong referee would have written and signed it."""
    return reader.read(forged(golden(name), edit))


def events_of(frames: Frames, kind: str) -> list[int]:
    """Return the events of a kind."""
    records = [record for frame in frames for record in frame]
    return [event for event, record in enumerate(records) if record.WhichOneof("kind") == kind]


def fold_before(transcript: reader.Transcript, event: int) -> Fold:
    """Return the match before an event."""
    fold = fold_of(transcript)
    at = 0
    for records in transcript.frames:
        for record in records:
            if at == event:
                return fold
            fold.apply(record)
            at += 1
        fold.end_frame()
    raise AssertionError(event)


def position_before(name: str, event: int) -> Position:
    """Return the table of a scene before an event."""
    fold = fold_before(reader.read(golden(name)), event)
    assert fold.stage is Stage.PLAYING
    return fold.position


# Edits -------------------------------------------------------------------------------------


def refuse_move(number: int, reason: RejectReason.ValueType = LINE_FULL) -> Edit:
    """Let the answer of a move be refused first, as if it were illegal."""

    def edit(frames: Frames) -> None:
        record = records_of(frames, "move")[number]
        frame = next(frame for frame in frames if any(each is record for each in frame))
        refused = pb.Rejected(
            seat=record.move.seat,
            turn=record.move.turn,
            attempt=1,
            action=record.move.action,
            reason=reason,
            received_ns=record.move.timing.sent_ns,
        )
        at = next(at for at, each in enumerate(frame) if each is record)
        frame.insert(at, pb.Record(rejected=refused))
        record.move.attempt = 2

    return edit


def illegal_move(name: str, number: int) -> Edit:
    """Let another move of the game be accepted, one that is illegal at that moment."""
    transcript = reader.read(golden(name))
    event = events_of(transcript.frames, "move")[number]
    position = position_before(name, event)
    for other in records_of(transcript.frames, "move"):
        move = decode_move(other.move.move)
        try:
            position.check(move)
        except (IllegalMove, MalformedMove):
            break
    else:
        raise AssertionError("every move of the game is legal here")

    def edit(frames: Frames) -> None:
        record = records_of(frames, "move")[number]
        record.move.action = move_action(move)
        record.move.move.CopyFrom(encode_move(move))

    return edit


def add_points(round_number: int, seat: int, points: int) -> Edit:
    """Let the score of a round be wrong."""

    def edit(frames: Frames) -> None:
        for record in records_of(frames, "round_scored"):
            if record.round_scored.round == round_number:
                record.round_scored.scores[seat] += points

    return edit


def add_bonus(seat: int, points: int) -> Edit:
    """Let a seat have more points for its first bonus, and in all."""

    def edit(frames: Frames) -> None:
        (record,) = records_of(frames, "game_over")
        entry = record.game_over.seats[seat]
        entry.bonuses[0].points += points
        entry.score += points

    return edit


def swap_ranks(frames: Frames) -> None:
    """Let a winner change ranks with the first seat that did not win, or lose if all won."""
    (record,) = records_of(frames, "game_over")
    seats = record.game_over.seats
    winner = next(seat for seat in seats if seat.rank == 1)
    other = next((seat for seat in seats if seat.rank != 1), None)
    if other is None:
        winner.rank = len(seats)
    else:
        winner.rank, other.rank = other.rank, 1


def swap_tiles(round_number: int) -> Edit:
    """Let two factories change their tiles as they are dealt."""

    def edit(frames: Frames) -> None:
        deal = next(
            record.deal.deal
            for record in records_of(frames, "deal")
            if record.deal.round == round_number
        )
        duel = deal.WhichOneof("kind") == "duel_round"
        tallies = deal.duel_round.small if duel else deal.azul_round.factories
        other = next(at for at, tally in enumerate(tallies) if tally != tallies[0])
        tallies[0], tallies[other] = tallies[other], tallies[0]

    return edit


def impossible_tiles(round_number: int) -> Edit:
    """Let a factory get more tiles than a factory has."""

    def edit(frames: Frames) -> None:
        for record in records_of(frames, "deal"):
            deal = record.deal.deal
            if record.deal.round == round_number and deal.WhichOneof("kind") == "azul_round":
                deal.azul_round.factories[0] += 1

    return edit


def other_seed(frames: Frames) -> None:
    """Show another seed than the one committed to."""
    (record,) = records_of(frames, "seed_reveal")
    record.seed_reveal.seed = bytes(32)


def all_of(*edits: Edit) -> Edit:
    """Make several edits."""

    def edit(frames: Frames) -> None:
        for each in edits:
            each(frames)

    return edit
