"""What the index knows of one match, and how that follows from its transcript.

A match that goes on changes with every move, and its host knows it best. So its row holds only
what was fixed when it was made, and whether it has started; all else is written when it ends.
A row is written three times: when a match is made, starts and ends (once more when it is
signed), and after each time it is the very row that the transcript gives.

This is no verifier: tiles and clocks are not looked at here.
"""

from typing import Final, NamedTuple

from referee.rules.errors import RefereeError
from referee.transcript import reader
from referee.transcript.errors import NotATranscript
from referee.transcript.finding import Level, WrongRecord
from referee.transcript.fold import Fold, Stage
from referee.transcript.reader import Tail, Transcript
from referee.transcript.signing import is_signed
from referee.v1 import match_pb2 as pb
from referee.v1.record_pb2 import GameOver, Record

# A number of SQLite has 63 bits and a sign.
MAX_SEQUENCE: Final = 2**63 - 1
_ENDED: Final = {
    "game_over": pb.MATCH_STATE_FINISHED,
    "voided": pb.MATCH_STATE_VOID,
    "aborted": pb.MATCH_STATE_ABORTED,
}


class CannotIndex(RefereeError):
    """A transcript that gives no row: damaged, against the rules, or of no match at all."""


class Ending(NamedTuple):
    """What the record that ends a match says beside its result."""

    sequence: int
    utc_s: int
    detail: str = ""
    result: GameOver | None = None


class Row(NamedTuple):
    """One match; ``info`` is what `ListMatches` shows of it."""

    info: pb.MatchInfo
    ending: Ending | None

    @property
    def match_id(self) -> bytes:
        """The id of the match, 16 bytes."""
        return bytes.fromhex(self.info.match_id)

    @property
    def sequence(self) -> int:
        """The place of its creation in the order of the data directory."""
        return self.info.setup.sequence


def ending_of(record: Record) -> Ending | None:
    """Return how a record ends its match; None if it does not."""
    kind = record.WhichOneof("kind")
    if kind == "game_over":
        over = record.game_over
        return Ending(over.sequence, over.ended_utc_s, result=over)
    if kind == "voided":
        void = record.voided
        return Ending(void.sequence, void.ended_utc_s, void.detail)
    if kind == "aborted":
        aborted = record.aborted
        return Ending(aborted.sequence, aborted.ended_utc_s, aborted.detail)
    return None


def row_of_fold(fold: Fold, ending: Ending | None, *, signed: bool) -> Row:
    """Return the row of a match that has its set-up, as far as its records tell it now."""
    setup = fold.setup.message
    info = pb.MatchInfo(match_id=fold.match_id.hex(), setup=setup)
    if ending is None:
        playing = fold.stage is Stage.PLAYING
        info.state = pb.MATCH_STATE_PLAYING if playing else pb.MATCH_STATE_OPEN
        info.seats.extend([pb.SeatInfo(agent=seat.agent) for seat in setup.seats])
        return Row(info, None)
    info.state = _ENDED[fold.ended_by]
    info.seats.extend([seat_info(fold, seat) for seat in range(fold.setup.seats)])
    info.round = fold.position.round
    info.turn = fold.turn
    info.events = fold.record + 1
    if ending.result is not None:
        info.result.CopyFrom(ending.result)
    info.detail = ending.detail
    info.signed = signed
    return Row(info, ending)


def seat_info(fold: Fold, seat: int) -> pb.SeatInfo:
    """Describe a seat as far as the records tell of it."""
    joined = fold.joined[seat]
    result = fold.result
    return pb.SeatInfo(
        agent=fold.setup.agents[seat],
        name="" if joined is None else joined.name,
        joined=joined is not None,
        score=fold.position.scores[seat] if result is None else result.seats[seat].score,
        out=not fold.live[seat],
    )


def row_of(transcript: Transcript | bytes) -> Row:
    """Return the row of a transcript, finished or not, or raise `CannotIndex`."""
    if isinstance(transcript, bytes):
        try:
            transcript = reader.read(transcript)
        except NotATranscript as error:
            raise CannotIndex(str(error)) from error
    if transcript.tail is Tail.CORRUPT:
        damage = transcript.damage or transcript.broken_link
        assert damage is not None
        raise CannotIndex(
            f"it is damaged at frame {damage.frame}: expected {damage.expected}, "
            f"found {damage.found}"
        )
    fold = _follow(transcript)
    ending = _find_ending(transcript)
    _check_sequence(fold.setup.message.sequence)
    if ending is not None:
        _check_sequence(ending.sequence)
    return row_of_fold(fold, ending, signed=_is_signed(transcript, fold))


def _follow(transcript: Transcript) -> Fold:
    """Return the match after all its records; a torn tail, after those that are good."""
    fold = Fold(transcript.match_id)
    try:
        fold.follow(transcript.frames)
    except WrongRecord as wrong:
        place = f"frame {fold.frame}, record {fold.record}"
        raise CannotIndex(
            f"it cannot be followed at {place}: expected {wrong.expected}, found {wrong.found}"
        ) from wrong
    if fold.stage is Stage.NOTHING:
        raise CannotIndex("it ends before its set-up")
    finding = fold.faults.get(Level.RESULT)
    if finding is not None:
        raise CannotIndex(
            f"its events come to {finding.expected}, and it says {finding.found}",
        )
    return fold


def _find_ending(transcript: Transcript) -> Ending | None:
    # What ends a match stands in the last frame, or in the last but the signature.
    for records in reversed(transcript.frames[-2:]):
        for record in reversed(records):
            ending = ending_of(record)
            if ending is not None:
                return ending
    return None


def _check_sequence(sequence: int) -> None:
    if sequence > MAX_SEQUENCE:
        raise CannotIndex(f"its place in the order is {sequence}, which no referee reaches")


def _is_signed(transcript: Transcript, fold: Fold) -> bool:
    """Return whether the transcript is whole; raise `CannotIndex` if its signature is wrong."""
    if fold.stage is not Stage.SIGNED:
        return False
    index = len(transcript.frames) - 1
    signature = transcript.frames[-1][0].signature
    key = fold.setup.public_key
    if signature.public_key != key or not is_signed(
        key, signature.signature, transcript.match_id, index, transcript.links[index - 1]
    ):
        raise CannotIndex("its signature is not that of the key in its set-up")
    return True
