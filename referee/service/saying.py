"""What the referee says to agents and spectators, as bytes that are ready to be sent.

Every function returns one entry of `PlayResponse.messages`: the entries of a frame are joined
and need no further work. What is said with every move is put together from parts that are
serialized already; everything else is an ordinary message.
"""

from typing import Final

from referee.match.live import LiveMatch
from referee.match.replies import Refusal, Rejection
from referee.rules import Move
from referee.transcript.pieces import bytes_field, number_field
from referee.transcript.wire.game import encode_move, encode_position, position_bytes
from referee.v1 import play_pb2 as pb
from referee.v1 import record_pb2

_MESSAGES = pb.PlayResponse.MESSAGES_FIELD_NUMBER
_EVENT = pb.RefereeMessage.EVENT_FIELD_NUMBER
_YOUR_TURN = pb.RefereeMessage.YOUR_TURN_FIELD_NUMBER
_HANDLE = pb.MatchEvent.HANDLE_FIELD_NUMBER
_EVENT_OF_MATCH = pb.MatchEvent.EVENT_FIELD_NUMBER
_POSITION = pb.YourTurn.POSITION_FIELD_NUMBER
_LEGAL_MOVES = pb.YourTurn.LEGAL_MOVES_FIELD_NUMBER


def message(said: pb.RefereeMessage) -> bytes:
    """Return a message as an entry of a frame."""
    return bytes_field(_MESSAGES, said.SerializeToString())


def event_bytes(index: int, frame: int, link: bytes, record: bytes) -> bytes:
    """Return an `Event` of a record that is serialized."""
    return b"".join(
        (
            number_field(1, index),
            number_field(2, frame),
            bytes_field(3, link),
            bytes_field(4, record),
        )
    )


def match_event(handle: int, event: bytes) -> bytes:
    """Tell an event to an agent."""
    inner = number_field(_HANDLE, handle) + bytes_field(_EVENT_OF_MATCH, event)
    return bytes_field(_MESSAGES, bytes_field(_EVENT, inner))


# There are a few hundred moves of Azul, and some thousands of Duel; one that is full begins anew.
_KEPT: Final = 1 << 14
_listed_moves: Final[dict[Move, bytes]] = {}


def _listed(move: Move) -> bytes:
    """Return a move as an entry of the list of legal moves."""
    entry = _listed_moves.get(move)
    if entry is None:
        if len(_listed_moves) >= _KEPT:
            _listed_moves.clear()
        entry = bytes_field(_LEGAL_MOVES, encode_move(move).SerializeToString())
        _listed_moves[move] = entry
    return entry


def your_turn(
    handle: int, seat: int, match: LiveMatch, left_ns: int | None, *, listed: bool
) -> bytes:
    """Ask a seat for a move."""
    fold = match.fold
    bank = fold.time.clocks[seat].bank_ns
    parts = [
        number_field(1, handle),
        number_field(2, fold.turn),
        number_field(3, fold.attempt),
        bytes_field(_POSITION, position_bytes(match.view(seat))),
    ]
    if listed:
        parts += [_listed(move) for move in fold.position.legal_moves()]
    if left_ns is not None:
        parts.append(number_field(6, left_ns))
    if bank is not None:
        parts.append(number_field(7, bank))
    parts.append(number_field(8, match.took_ns[seat]))
    parts.append(number_field(9, match.strikes_left(seat)))
    return bytes_field(_MESSAGES, bytes_field(_YOUR_TURN, b"".join(parts)))


def reveal_request(handle: int, number: int, left_ns: int | None) -> bytes:
    """Ask a seat for its share of a round."""
    request = pb.RevealRequest(handle=handle, round=number, time_left_ns=left_ns)
    return message(pb.RefereeMessage(reveal_request=request))


def seat_taken(handle: int, seat: int, match: LiveMatch, next_event: int) -> bytes:
    """Tell an agent that the seat is its own, and everything that it may know."""
    fold = match.fold
    wanted = not (match.over or fold.setup.fixed_seed or fold.committed[seat])
    shown = fold.position.round > 0
    taken = pb.SeatTaken(
        handle=handle,
        match_id=fold.match_id,
        seat=seat,
        setup=fold.setup.data,
        server_commit=fold.commit,
        player_seed=b"" if match.seed is None else match.player_seed(seat),
        next_event=next_event,
        commit_wanted=wanted,
        position=encode_position(match.view(seat)) if shown else None,
    )
    return message(pb.RefereeMessage(seat_taken=taken))


def rejected(handle: int, said: Rejection) -> bytes:
    """Tell an agent that its answer was no legal move."""
    reply = pb.AnswerRejected(
        handle=handle,
        turn=said.turn,
        attempt=said.attempt,
        reason=said.reason,
        message=said.message,
        rule=said.rule,
        strikes_left=said.strikes_left,
    )
    return message(pb.RefereeMessage(rejected=reply))


def refused(
    kind: "pb.AgentMessageKind.ValueType",
    said: Refusal,
    handle: int = 0,
    turn: int = 0,
    attempt: int = 0,
) -> bytes:
    """Tell an agent that its message had no effect."""
    reply = pb.Refused(
        handle=handle,
        refused=kind,
        reason=said.reason,
        message=said.message,
        turn=turn,
        attempt=attempt,
    )
    return message(pb.RefereeMessage(refused=reply))


def detached(handle: int) -> bytes:
    """Tell a stream that another one holds the seat now."""
    return message(pb.RefereeMessage(detached=pb.Detached(handle=handle)))


def match_over(handle: int, end: record_pb2.Record) -> bytes:
    """Tell an agent how its match ended."""
    kind = end.WhichOneof("kind")
    over = pb.MatchOver(handle=handle)
    if kind == "game_over":
        over.game_over.CopyFrom(end.game_over)
    elif kind == "voided":
        over.voided.CopyFrom(end.voided)
    else:
        over.aborted.CopyFrom(end.aborted)
    return message(pb.RefereeMessage(match_over=over))


def match_closed(handle: int, closed: pb.MatchClosed) -> bytes:
    """Tell an agent what proves the record."""
    own = pb.MatchClosed()
    own.CopyFrom(closed)
    own.handle = handle
    return message(pb.RefereeMessage(match_closed=own))
