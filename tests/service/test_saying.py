"""What is put together from parts is the message that it stands for."""

import pytest

from referee.service import saying
from referee.transcript.pieces import bytes_field, number_field, varint
from referee.transcript.wire.game import encode_move, encode_position
from referee.v1 import play_pb2 as pb
from referee.v1 import record_pb2
from tests.games import EVERY_TABLE
from tests.match.table import Table

NUMBERS = (0, 1, 127, 128, 300, 2**21 - 1, 2**32 - 1, 2**63, 2**64 - 1)


def only(said: bytes) -> pb.RefereeMessage:
    """Return the one message of a frame."""
    (message,) = pb.PlayResponse.FromString(said).messages
    return message


@pytest.mark.parametrize("number", NUMBERS)
def test_numbers_are_those_of_protobuf(number: int) -> None:
    """A field that is a number reads back as that number, whatever its size."""
    assert pb.Pong.FromString(number_field(1, number)).number == number
    # Protobuf itself writes nothing for 0.
    assert pb.Pong(number=number).SerializeToString()[1:] in (varint(number), b"")


@pytest.mark.parametrize("size", [0, 1, 127, 128, 20_000])
def test_bytes_are_those_of_protobuf(size: int) -> None:
    """A field that is bytes reads back whole, whatever its length."""
    data = bytes(size)
    assert pb.RevealShare.FromString(bytes_field(3, data)).x == data


def test_an_event_is_the_message_of_its_record() -> None:
    """Index, frame, link and record arrive, for an agent under its handle."""
    record = record_pb2.Record(restart=record_pb2.Restart(epoch=7))
    link = bytes(range(32))
    event = saying.event_bytes(300, 200, link, record.SerializeToString())
    told = only(saying.match_event(70_000, event)).event
    assert (told.handle, told.event.index, told.event.frame) == (70_000, 300, 200)
    assert (told.event.link, told.event.record) == (link, record)


@pytest.mark.parametrize(("key", "seats"), EVERY_TABLE)
@pytest.mark.parametrize("listed", [True, False])
def test_a_turn_is_the_message_of_its_table(key: str, seats: int, listed: bool) -> None:
    """Table, moves, times and strikes arrive as the match has them."""
    match = Table(key, seats).sit().match
    question = match.question()
    assert question is not None
    (seat,) = question.seats
    turn = only(saying.your_turn(5, seat, match, 2**40, listed=listed)).your_turn
    assert (turn.handle, turn.turn, turn.attempt) == (5, match.fold.turn, match.fold.attempt)
    assert turn.position == encode_position(match.view(seat))
    moves = [encode_move(move) for move in match.fold.position.legal_moves()]
    assert list(turn.legal_moves) == (moves if listed else [])
    assert turn.time_left_ns == 2**40
    assert turn.bank_ns == match.fold.time.clocks[seat].bank_ns
    assert turn.strikes_left == match.strikes_left(seat)
