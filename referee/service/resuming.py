"""Taking matches up again after a start: each goes on from its file, or is voided with a reason.

What the disk has of every match is put in order by the storage first. Here it is decided what
becomes of it, as docs/service.md says under "After a restart".
"""

import secrets
from functools import partial
from typing import TYPE_CHECKING

import structlog

from referee.match.live import LiveMatch, SelfCheckFailed
from referee.rules.errors import RefereeError
from referee.service.creation import BY_MESSAGE, SEED_BYTES, open_match
from referee.service.finished import add_events, seed_of
from referee.service.host import Host
from referee.service.pairing import INTERRUPTED, is_half_told
from referee.service.storage.recovery import Kind, Recovered
from referee.transcript.errors import WireError
from referee.transcript.finding import WrongRecord
from referee.transcript.fold import Stage
from referee.transcript.reader import Transcript
from referee.transcript.wire.setup import decode_setup
from referee.transcript.writer import Chain

if TYPE_CHECKING:
    from referee.service.house import House

LOST_SECRET = "the secret of the match is lost"  # noqa: S105  no secret, but words about one

log = structlog.get_logger()


class ForeignKey(RefereeError):
    """Open matches were begun under a key that is not here; serving would orphan them."""


def check_keys(house: "House", found: list[Recovered]) -> None:
    """Raise `ForeignKey` if an open match names a key that this referee does not hold."""
    for one in found:
        if one.transcript is None or one.kind not in (Kind.OPEN, Kind.ENDED):
            continue
        record = one.transcript.frames[0][0]
        try:
            named_key = decode_setup(record.setup).public_key
        except WireError:
            # Of another version, perhaps: it cannot go on here, but keeps no other match waiting.
            continue
        if named_key != house.key.public:
            named = one.match_id.hex()
            raise ForeignKey(f"open match {named} was begun under another signing key; put it back")


async def resume_all(house: "House", found: list[Recovered]) -> None:
    """Take up every match that goes on."""
    for one in found:
        named = log.bind(match=one.match_id.hex())
        if one.cut or one.kind in (Kind.NO_MATCH, Kind.CORRUPT):
            named.warning(
                "recovered", kind=one.kind.value, cut=one.cut, kept=str(one.kept), why=one.problem
            )
            house.metrics.recovered(one.kind.value)
        if one.transcript is None or one.kind not in (Kind.OPEN, Kind.ENDED):
            continue
        try:
            await _resume(house, one.transcript)
        except OSError as error:
            # One match that the disk does not give must not keep all others waiting.
            named.warning("cannot be resumed", why=str(error))
            house.metrics.recovered("disk")
    # A file that is corrupt may be mended yet, and the match needs its seed then. Of all others
    # the seed was shown, or the match was never promised to anybody.
    needed = {one.match_id for one in found if one.kind in (Kind.OPEN, Kind.ENDED, Kind.CORRUPT)}
    for match_id in house.secrets.ids():
        if match_id not in needed:
            await house.on_disk(partial(house.secrets.delete, match_id))


async def _resume(house: "House", transcript: Transcript) -> None:
    match_id = transcript.match_id
    seed = seed_of(transcript) or await house.on_disk(partial(house.secrets.get, match_id))
    if len(transcript.frames) == 1 and seed is None:
        # Nothing was promised yet, so any seed will do.
        seed = await house.on_disk(partial(_new_seed, house, match_id))
    match = LiveMatch(match_id, seed, house.end_stamp)
    problem = ""
    try:
        match.take_up(transcript.frames)
    except SelfCheckFailed as error:
        problem = str(error)
    except WrongRecord as error:
        log.warning("cannot be resumed", match=match_id.hex(), why=str(error))
        house.metrics.recovered("against the rules")
        return
    fold = match.fold
    if fold.stage in (Stage.OPEN, Stage.PLAYING) and match.seed is None:
        problem = LOST_SECRET
    durability = BY_MESSAGE[fold.setup.message.durability]
    file = await house.on_disk(partial(house.store.reopen, match_id, durability))
    chain = Chain(match_id)
    chain.go_on(transcript)
    host = Host(house, match, chain, file)
    add_events(host, transcript)
    house.seen_sequence(fold.setup.message.sequence)
    await _go_on(host, problem)


def _new_seed(house: "House", match_id: bytes) -> bytes:
    seed = secrets.token_bytes(SEED_BYTES)
    house.secrets.delete(match_id)
    house.secrets.put(match_id, seed)
    return seed


async def _go_on(host: Host, problem: str) -> None:
    house, match = host.house, host.match
    if match.fold.stage is Stage.CREATED:
        await open_match(host)
        return
    house.started(host)
    host.events.release(match.held_from, house.clock.now_ns())
    if match.over:
        host.sign()
    elif problem:
        host.log.error("match voided", detail=problem)
        match.void(problem)
        host.write(lambda: None)
    elif is_half_told(match.fold):
        match.restart()
        match.abort(INTERRUPTED)
        host.write(lambda: None)
    else:
        match.restart()
        if match.fold.stage is Stage.OPEN:
            host.questions.wait_for_agents(house.settings.start_window_ns)
        else:
            host.questions.wait_for_agents(house.settings.reconnect_ns, returning=True)
        host.write(lambda: None)
        host.log.info("match resumed", turn=match.fold.turn, epoch=match.fold.epoch)
    house.index_match(host)
