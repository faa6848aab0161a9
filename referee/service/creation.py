"""Making a match: from a request to a set-up, a seed, and a record that others can join.

Everything is checked before anything is written. Then, each durable before the next: frame 0
with the set-up, the seed in its own file, frame 1 with the commitment to it. Only then does
the caller hear of the match.
"""

import asyncio
import os
from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING

from referee import __version__
from referee.match.live import LiveMatch
from referee.rules import get_ruleset
from referee.rules.errors import RulesError
from referee.service import limits
from referee.service.errors import ServiceError
from referee.service.host import Host
from referee.service.names import BadText, check_id
from referee.service.storage.transcripts import Durability, MatchFile
from referee.transcript import format as azt
from referee.transcript.errors import WireError
from referee.transcript.wire.setup import decode_setup, encode_clock
from referee.transcript.writer import Chain
from referee.v1 import match_pb2, record_pb2, setup_pb2
from referee.v1.error_pb2 import ErrorReason

if TYPE_CHECKING:
    from referee.service.house import House

SEED_BYTES = 32
MATCH_ID_BYTES = 16
STRIKES = 3
# The message and the storage have a word each for the same thing.
DURABILITIES = {
    Durability.SYNC: setup_pb2.DURABILITY_SYNC,
    Durability.BATCH: setup_pb2.DURABILITY_BATCH,
    Durability.OFF: setup_pb2.DURABILITY_OFF,
}
BY_MESSAGE = {message: durability for durability, message in DURABILITIES.items()}


def _invalid(message: str) -> ServiceError:
    return ServiceError(ErrorReason.ERROR_REASON_INVALID_ARGUMENT, message)


def setup_of(house: "House", request: match_pb2.CreateMatchRequest) -> setup_pb2.Setup:
    """Return the set-up that a request asks for, or raise `ServiceError`."""
    try:
        for name in ("request_id", "event_id", "pairing"):
            check_id(getattr(request, name), name)
        ruleset = get_ruleset(request.ruleset)
    except BadText as error:
        raise _invalid(str(error)) from error
    except RulesError as error:
        raise ServiceError(ErrorReason.ERROR_REASON_INVALID_SETUP, str(error)) from error
    if request.HasField("fixed_seed") and len(request.fixed_seed) != SEED_BYTES:
        raise _invalid(f"fixed_seed has {SEED_BYTES} bytes, not {len(request.fixed_seed)}")
    if request.spectator_delay_ns > limits.MAX_SPECTATOR_DELAY_NS:
        raise _invalid("spectators wait an hour at the most")
    if request.no_clock and request.HasField("clock"):
        raise _invalid("no_clock and a clock contradict each other")
    clock = request.clock if request.HasField("clock") else encode_clock(house.settings.clock)
    setup = setup_pb2.Setup(
        ruleset=ruleset.key,
        revision=ruleset.revision,
        options=request.options,
        seats=request.seats,
        clock=None if request.no_clock else clock,
        strikes=request.strikes or STRIKES,
        rated=request.rated,
        fixed_seed=request.HasField("fixed_seed"),
        durability=request.durability
        if request.HasField("durability")
        else DURABILITIES[house.settings.durability],
        request_id=request.request_id,
        event_id=request.event_id,
        pairing=request.pairing,
        game_number=request.game_number,
        referee_version=__version__,
        public_key=house.key.public,
        spectator_delay_ns=request.spectator_delay_ns,
    )
    _check(house, setup)
    return setup


def _check(house: "House", setup: setup_pb2.Setup) -> None:
    """Raise `ServiceError` unless the set-up can be played and recorded."""
    if setup.rated:
        unknown = [seat.agent for seat in setup.seats if not house.credentials.is_agent(seat.agent)]
        if unknown:
            words = "a rated match has a registered agent in every seat"
            raise ServiceError(ErrorReason.ERROR_REASON_NOT_RATEABLE, words)
    try:
        decode_setup(setup.SerializeToString())
    except WireError as error:
        rated = setup.rated and "rated" in str(error)
        reason = (
            ErrorReason.ERROR_REASON_NOT_RATEABLE
            if rated
            else ErrorReason.ERROR_REASON_INVALID_SETUP
        )
        raise ServiceError(reason, str(error)) from error


async def create(house: "House", setup: setup_pb2.Setup, fixed_seed: bytes | None) -> Host:
    """Make a match, durably, and return it; raise `OSError` if the disk does not let us."""
    match_id = os.urandom(MATCH_ID_BYTES)
    seed = os.urandom(SEED_BYTES) if fixed_seed is None else fixed_seed
    setup.created_utc_s = house.clock.utc_s()
    setup.sequence = house.next_sequence()
    record = record_pb2.Record(setup=setup.SerializeToString())
    chain = Chain(match_id)
    data = azt.header(match_id) + chain.frame([record])
    durability = BY_MESSAGE[setup.durability]
    file = await house.on_disk(partial(house.store.create, match_id, durability))
    try:
        await _commit(house, file, data)
    except OSError:
        await house.on_disk(partial(house.store.discard, file))
        raise
    match = LiveMatch(match_id, seed, house.end_stamp)
    match.take_up([[record]])
    host = Host(house, match, chain, file)
    host.events.add(0, chain.link, [record], [record.SerializeToString()])
    house.started(host)
    try:
        await house.on_disk(partial(house.secrets.put, match_id, seed))
    except OSError as error:
        house.fail(host, f"storage failed: {error.strerror or error}")
        raise
    await open_match(host)
    house.metrics.match_created(setup.ruleset)
    host.log.info("match created", ruleset=setup.ruleset, rated=setup.rated)
    return host


async def open_match(host: Host) -> None:
    """Commit to the seed, and let agents come."""
    opened: asyncio.Future[None] = asyncio.get_running_loop().create_future()

    def done(error: OSError | None = None) -> None:
        # Whoever waited may be gone: a referee that stops does not wait for a disk.
        if opened.done():
            return
        if error is None:
            opened.set_result(None)
        else:
            opened.set_exception(error)

    begin(host, done, done)
    await opened


def begin(
    host: Host, then: Callable[[], None], failed: Callable[[OSError], None] | None = None
) -> None:
    """Commit to the seed, and let agents come once that is durable."""

    def opened() -> None:
        host.questions.wait_for_agents(host.house.settings.start_window_ns)
        host.house.index_match(host)
        then()

    host.match.open()
    host.house.started(host)
    host.write(opened, failed)


async def _commit(house: "House", file: MatchFile, data: bytes) -> None:
    waiting: asyncio.Future[None] = asyncio.get_running_loop().create_future()

    def done(error: OSError | None) -> None:
        if waiting.done():
            return
        if error is None:
            waiting.set_result(None)
        else:
            waiting.set_exception(error)

    house.committer.commit(file, data, done)
    await waiting
