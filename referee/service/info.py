"""What everybody may know of a match, as a message."""

from referee.service.host import Host
from referee.service.index import Row, ending_of, row_of_fold
from referee.service.index.row import seat_info
from referee.transcript.fold import Stage
from referee.v1 import match_pb2


def match_row(host: Host) -> Row:
    """Return what the index keeps of a match."""
    fold = host.match.fold
    ending = None if host.end is None else ending_of(host.end)
    return row_of_fold(fold, ending, signed=fold.stage is Stage.SIGNED)


def match_info(host: Host) -> match_pb2.MatchInfo:
    """Describe a match as it is now, with what only the running referee knows."""
    info = match_row(host).info
    fold = host.match.fold
    info.round = fold.position.round
    info.turn = fold.turn
    info.events = len(host.events.public)
    del info.seats[:]
    for seat, place in enumerate(host.places):
        described = seat_info(fold, seat)
        described.connected = place is not None
        info.seats.append(described)
    return info
