"""What everybody may know of a match, as a message."""

from referee.service.host import Host
from referee.transcript.fold import Fold, Stage
from referee.v1 import match_pb2, record_pb2

STATES = {
    "game_over": match_pb2.MATCH_STATE_FINISHED,
    "voided": match_pb2.MATCH_STATE_VOID,
    "aborted": match_pb2.MATCH_STATE_ABORTED,
}


def state_of(fold: Fold) -> match_pb2.MatchState.ValueType:
    """Return how far a match is."""
    if fold.ended_by:
        return STATES[fold.ended_by]
    playing = fold.stage is Stage.PLAYING
    return match_pb2.MATCH_STATE_PLAYING if playing else match_pb2.MATCH_STATE_OPEN


def match_info(host: Host) -> match_pb2.MatchInfo:
    """Describe a match; what it has decided is durable, because hosts wait for that."""
    fold = host.match.fold
    scores = fold.position.scores
    end = host.end
    result: record_pb2.GameOver | None = None
    detail = ""
    if end is not None:
        kind = end.WhichOneof("kind")
        if kind == "game_over":
            result = end.game_over
            scores = tuple(seat.score for seat in result.seats)
        else:
            detail = end.voided.detail if kind == "voided" else end.aborted.detail
    return match_pb2.MatchInfo(
        match_id=fold.match_id.hex(),
        state=state_of(fold),
        setup=fold.setup.message,
        seats=[
            match_pb2.SeatInfo(
                agent=agent,
                name="" if joined is None else joined.name,
                joined=joined is not None,
                connected=host.places[seat] is not None,
                score=scores[seat],
                out=not fold.live[seat],
            )
            for seat, (agent, joined) in enumerate(
                zip(fold.setup.agents, fold.joined, strict=True)
            )
        ],
        round=fold.position.round,
        turn=fold.turn,
        events=len(host.events.public),
        result=result,
        detail=detail,
        signed=fold.stage is Stage.SIGNED,
    )
