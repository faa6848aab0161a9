"""The state of a match after some of its records.

`Fold.apply` takes the records one by one and raises `WrongRecord` at the first that breaks
the order of records or the rules of the game; nothing after it can be trusted. What does
not stop a match from being understood (a wrong result, tile or time) is noted in `faults`,
the first of each level, and the fold goes on. docs/transcript.md says what follows what.

The position is the one a spectator sees. With the seed, `proof` re-draws every deal too.
"""

from collections.abc import Callable
from typing import Any, Final, NoReturn

from referee.rules import CHANCE, OVER, Position
from referee.transcript.finding import Finding, Level, WrongRecord
from referee.transcript.fold import chance, ending, opening, turns
from referee.transcript.fold.proof import DrawProof, Fairness
from referee.transcript.fold.stage import PLAYING, Stage
from referee.transcript.fold.timekeeping import Timekeeper
from referee.transcript.result import Out, Result
from referee.transcript.wire.setup import Setup
from referee.v1 import record_pb2 as pb

# Asked of the class: a record looks for a field of that name before it finds the method.
_kind_of: Final = pb.Record.WhichOneof


class Fold:
    """A match, record by record.

    frame, record  the place of the last record that was applied
    due       kinds of which one must follow directly, in this frame; empty if none must
    live      the seats that are not out
    outs      who went out, in order, those at once together
    chain     the last value that each seat showed: x_0, then what it revealed
    shares    what each seat revealed for the round to be dealt
    hides     whether the game has hidden facts, so that the proof plays along
    out_due   the seat that must go out next, and why
    last_out  frame, record and flag of the last seat that went out
    """

    # Known from the set-up on.
    setup: Setup
    position: Position
    live: list[bool]
    joined: list[pb.Joined | None]
    committed: list[bool]
    commits: list[bytes | None]
    chain: list[bytes | None]
    shares: list[bytes | None]
    strikes: list[int]
    time: Timekeeper
    fairness: Fairness

    def __init__(self, match_id: bytes, seed: bytes | None = None) -> None:
        self.match_id = match_id
        self.seed = seed
        self.stage = Stage.NOTHING
        self.due: tuple[str, ...] = ()
        self.faults: dict[Level, Finding] = {}
        self.frame = 0
        self.record = -1
        self.in_frame = 0
        self.epoch = 1
        self.turn = 1
        self.attempt = 1
        self.outs: list[Out] = []
        self.result: Result | None = None
        self.ended_by = ""
        self.commit = b""
        self.proof: DrawProof | None = None
        self.commitment_opens = False
        self.hides = False
        self.out_due: tuple[int, int] | None = None
        self.last_out: tuple[int, int, int | None] = (-1, -1, None)

    def apply(self, record: pb.Record) -> None:
        """Take the next record of the frame, or raise `WrongRecord`."""
        self.record += 1
        kind = _kind_of(record, "kind")
        if self.due and kind not in self.due:
            raise WrongRecord(" or ".join(self.due), kind or "a record of no known kind")
        if kind == "move":
            # Most records are moves, and a direct call is the quickest.
            turns.take_move(self, record.move)
        elif kind is None:
            raise WrongRecord("a record of a known kind", "one of another kind, or an empty one")
        else:
            HANDLERS[kind](self, getattr(record, kind))
        self.in_frame += 1

    def follow(self, frames: list[list[pb.Record]]) -> None:
        """Take all records of these frames, or raise `WrongRecord` at the first wrong one."""
        for records in frames:
            for record in records:
                self.apply(record)
            self.end_frame()

    def end_frame(self) -> None:
        """Close a frame: what had to follow directly must stand in it."""
        if self.due:
            self.record += 1
            raise WrongRecord(" or ".join(self.due), "the end of the frame")
        self.frame += 1
        self.in_frame = 0

    def fault(self, level: Level, expected: str, found: str, rule: str = "") -> None:
        """Note the first thing that is wrong on a level that does not stop the fold."""
        if level not in self.faults:
            self.faults[level] = Finding(level, self.frame, self.record, expected, found, rule)

    # What a record may count on ------------------------------------------------------------

    def misplaced(self, found: str) -> NoReturn:
        """Raise what says that a record cannot stand here."""
        raise WrongRecord(self.awaited(), found)

    def awaited(self) -> str:
        """Return what the match waits for, in words."""
        if self.stage is not PLAYING:
            return f"what belongs to a match {self.stage.value}"
        actor = self.position.actor
        if actor != CHANCE:
            return f"an answer of seat {actor}"
        seats = [str(seat) for seat in self.missing_reveals()]
        return f"a reveal of seat {' or '.join(seats)}"

    def need_stage(self, found: str, *stages: Stage) -> None:
        """Raise `WrongRecord` unless the match is that far."""
        if self.stage not in stages:
            self.misplaced(found)

    def need_seat(self, message: Any) -> int:  # noqa: ANN401  any record with a seat
        """Return the seat of a record, if the table has it."""
        if not message.HasField("seat") or message.seat >= len(self.live):
            found = str(message.seat) if message.HasField("seat") else "none"
            raise WrongRecord(f"a seat from 0 to {len(self.live) - 1}", f"seat {found}")
        seat: int = message.seat
        return seat

    def need_live(self, message: Any) -> int:  # noqa: ANN401  any record with a seat
        """Return the seat of a record, if it is not out."""
        seat = self.need_seat(message)
        if not self.live[seat]:
            raise WrongRecord("a seat that is not out", f"seat {seat}")
        return seat

    def wrong_time(self, wrong: WrongRecord) -> None:
        """Note a wrong time; a clock that was wrong once is not looked at again."""
        self.time.wrong = True
        self.fault(Level.CLOCKS, wrong.expected, wrong.found)

    # What must follow ------------------------------------------------------------------------

    def missing_reveals(self) -> list[int]:
        """Return the seats whose share of the round to be dealt is still to come."""
        position = self.position
        if position.chance_round == position.round:
            return []
        return [
            seat
            for seat, last in enumerate(self.chain)
            if last is not None and self.live[seat] and self.shares[seat] is None
        ]

    def expect_out(self, seat: int, reason: int) -> None:
        """Let a seat go out with the next record."""
        self.out_due = (seat, reason)
        self.due = ("seat_out",)

    def settle(self) -> None:
        """Find what must follow directly, now that something has changed."""
        position = self.position
        self.due = ()
        if self.live.count(True) < 2:
            # Another seat may go out at once with the last one.
            self.due = ("game_over", "seat_out")
        elif self.stage is not PLAYING:
            return
        elif position.actor == OVER:
            self.due = ("game_over",)
        elif position.actor == CHANCE:
            if not self.missing_reveals():
                self.due = ("deal",)
        elif not self.live[position.actor]:
            self.due = ("move",)

    def end(self, kind: str, *due: str) -> None:
        """End the match; what follows directly shows its seed."""
        self.ended_by = kind
        self.stage = Stage.ENDED
        self.due = due

    def close(self) -> None:
        """Leave nothing but the signature to come."""
        self.due = ()
        self.stage = Stage.CLOSED


HANDLERS: dict[str, Callable[[Fold, Any], None]] = {
    "setup": opening.take_setup,
    "server_commit": opening.take_server_commit,
    "joined": opening.take_joined,
    "agent_commit": opening.take_agent_commit,
    "started": opening.take_started,
    "reveal": chance.take_reveal,
    "deal": chance.take_deal,
    "rejected": turns.take_rejected,
    "resign": turns.take_resign,
    "round_scored": turns.take_round_scored,
    "disconnect": ending.take_connection,
    "reconnect": ending.take_connection,
    "restart": ending.take_restart,
    "seat_out": ending.take_seat_out,
    "game_over": ending.take_game_over,
    "voided": ending.take_voided,
    "aborted": ending.take_aborted,
    "seed_reveal": ending.take_seed_reveal,
    "secret_lost": ending.take_secret_lost,
    "signature": ending.take_signature,
}
