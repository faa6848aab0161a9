"""Matches to ask for, and what must be true of their transcripts at the end."""

import random
from collections.abc import Iterable, Iterator
from pathlib import Path

from referee.rules import RULESETS
from referee.service.storage.layout import Layout
from referee.transcript import reader
from referee.transcript.finding import Level
from referee.transcript.reader import Transcript
from referee.transcript.verify import Status, Verdict, verify
from referee.v1 import match_pb2, record_pb2, setup_pb2
from tests.service.raw_agent import Seat

SECOND_NS = 1_000_000_000
CLOCK = setup_pb2.ClockRule(bank_ns=30 * SECOND_NS)
SYNC, BATCH = setup_pb2.DURABILITY_SYNC, setup_pb2.DURABILITY_BATCH
TABLES = [
    (ruleset.key, seats)
    for ruleset in RULESETS.values()
    for seats in range(ruleset.min_seats, ruleset.max_seats + 1)
]


def request(
    ruleset: str = "azul",
    seats: int = 2,
    *,
    request_id: str = "",
    durability: setup_pb2.Durability.ValueType = SYNC,
    clock: setup_pb2.ClockRule | None = CLOCK,
    round_cap: int | None = None,
) -> match_pb2.CreateMatchRequest:
    """Ask for a match."""
    return match_pb2.CreateMatchRequest(
        request_id=request_id,
        ruleset=ruleset,
        seats=[setup_pb2.Seat(agent=f"bot{seat}") for seat in range(seats)],
        durability=durability,
        clock=clock,
        no_clock=clock is None,
        options=None if round_cap is None else setup_pb2.Options(round_cap=round_cap),
    )


def requests(rng: random.Random, name: str) -> Iterator[match_pb2.CreateMatchRequest]:
    """Ask for one match after the other, of every ruleset, size and durability, for ever."""
    number = 0
    while True:
        for ruleset, seats in rng.sample(TABLES, len(TABLES)):
            number += 1
            durability = rng.choice((SYNC, BATCH))
            cap = None if ruleset == "duel" else 2
            yield request(
                ruleset, seats, request_id=f"{name}-{number}", durability=durability, round_cap=cap
            )


def finished(data: Path, match_id: bytes) -> Transcript:
    """Return the transcript of a match that is over."""
    return reader.read(Layout(data).finished_path(match_id).read_bytes())


def kinds(transcript: Transcript) -> list[str | None]:
    """Return what the records of a transcript are, in order."""
    return [record.WhichOneof("kind") for frame in transcript.frames for record in frame]


def records(transcript: Transcript) -> list[record_pb2.Record]:
    """Return all records of a transcript."""
    return [record for frame in transcript.frames for record in frame]


def assert_proved(transcript: Transcript) -> None:
    """Hold a transcript against every level of the verifier."""
    report = verify(transcript)
    assert report.verdict is Verdict.OK, report
    assert report.levels == dict.fromkeys(Level, Status.OK)


def assert_kept(transcript: Transcript, seats: Iterable[Seat]) -> None:
    """Hold a transcript against all that its agents were told: nothing is lost or changed.

    The link of a frame is a hash of its bytes, so the same link is the same bytes.
    """
    where = [
        (frame, record) for frame, records in enumerate(transcript.frames) for record in records
    ]
    for seat in seats:
        for index, event in seat.events.items():
            frame, record = where[index]
            assert (event.frame, event.record) == (frame, record)
            assert event.link == transcript.links[frame]
        if seat.over is not None:
            end = seat.over.WhichOneof("end")
            assert end is not None
            told = getattr(seat.over, end)
            assert told in [getattr(record, end) for _, record in where if record.HasField(end)]
        if seat.closed is not None:
            assert seat.closed.final_link == transcript.links[-2]
            assert seat.closed.frames == len(transcript.frames) - 1
            assert seat.closed.signature == transcript.frames[-1][0].signature.signature
