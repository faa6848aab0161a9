"""The result of a match as a message and back."""

from referee.rules import Bonus
from referee.transcript.result import Result, SeatResult
from referee.v1 import record_pb2 as pb


def encode_result(result: Result, ended_utc_s: int, sequence: int) -> pb.GameOver:
    """Return a result as the record of the end."""
    return pb.GameOver(
        reason=result.reason,
        seats=[
            pb.SeatResult(
                score=seat.score,
                rank=seat.rank,
                bonuses=[
                    pb.Bonus(name=bonus.name, times=bonus.times, points=bonus.points)
                    for bonus in seat.bonuses
                ],
                out=seat.out,
            )
            for seat in result.seats
        ],
        ended_utc_s=ended_utc_s,
        sequence=sequence,
    )


def is_result(result: Result, message: pb.GameOver) -> bool:
    """Return whether a record claims that very result, without making another one of it."""
    if message.reason != result.reason or len(message.seats) != len(result.seats):
        return False
    for seat, claimed in zip(result.seats, message.seats[:], strict=True):
        if claimed.score != seat.score or claimed.rank != seat.rank:
            return False
        if (claimed.out if claimed.HasField("out") else None) != seat.out:
            return False
        bonuses = [(bonus.name, bonus.times, bonus.points) for bonus in claimed.bonuses[:]]
        if bonuses != [(bonus.name, bonus.times, bonus.points) for bonus in seat.bonuses]:
            return False
    return True


def decode_result(message: pb.GameOver) -> Result:
    """Return the result that a record claims, whatever it is."""
    return Result(
        message.reason,
        tuple(
            [
                SeatResult(
                    seat.score,
                    seat.rank,
                    tuple([Bonus(bonus.name, bonus.times, bonus.points) for bonus in seat.bonuses]),
                    seat.out if seat.HasField("out") else None,
                )
                for seat in message.seats
            ]
        ),
    )
