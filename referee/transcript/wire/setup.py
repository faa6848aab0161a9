"""The set-up of a match: what was fixed before anybody joined."""

import re
from functools import lru_cache
from typing import Any, NamedTuple

from google.protobuf.message import DecodeError

from referee.rules import Options, RulesError, Ruleset, get_ruleset
from referee.rules.duel.components import GOAL_NAMES
from referee.rules.errors import UnknownRevision
from referee.transcript.clock import ClockRule
from referee.transcript.errors import WireError
from referee.transcript.limits import MAX_ID_BYTES, MAX_STRIKES, MAX_TIME_NS
from referee.transcript.signing import PUBLIC_KEY_BYTES
from referee.transcript.wire.duel import decode_goals
from referee.v1 import setup_pb2 as pb

HANDLE = re.compile(r"[A-Za-z0-9_-]{1,32}", re.ASCII)


class Setup(NamedTuple):
    """A match before anybody joins; ``data`` are its exact bytes."""

    data: bytes
    message: pb.Setup
    ruleset: Ruleset
    options: Options
    seats: int
    clock: ClockRule | None
    strikes: int
    rated: bool
    fixed_seed: bool
    public_key: bytes

    @property
    def agents(self) -> list[str]:
        """The organiser's handle of the agent in each seat."""
        return [seat.agent for seat in self.message.seats]


def encode_options(options: Options) -> pb.Options:
    """Return the options of a game as a message."""
    goals = options.goals
    numbers: list[Any] = []
    if isinstance(goals, tuple):
        numbers = [GOAL_NAMES.index(goal) + 1 for goal in goals]
    return pb.Options(
        round_cap=options.round_cap,
        first_player=options.first_player,
        goals=numbers,
        random_goals=goals if isinstance(goals, int) else None,
    )


def decode_options(message: pb.Options) -> Options:
    """Return the options of a game, or raise `WireError`."""
    goals: tuple[str, ...] | int | None = None
    if message.HasField("random_goals"):
        if message.goals:
            raise WireError("goals are named or chosen by chance, not both")
        goals = message.random_goals
    elif message.goals:
        goals = tuple([GOAL_NAMES[goal] for goal in decode_goals(message.goals)])
    return Options(
        round_cap=message.round_cap if message.HasField("round_cap") else None,
        first_player=message.first_player if message.HasField("first_player") else None,
        goals=goals,
    )


def encode_clock(rule: ClockRule | None) -> pb.ClockRule | None:
    """Return a clock as a message."""
    if rule is None:
        return None
    return pb.ClockRule(
        move_limit_ns=rule.move_limit_ns,
        bank_ns=rule.bank_ns,
        increment_ns=rule.increment_ns,
        startup_ns=rule.startup_ns,
    )


def decode_clock(message: pb.ClockRule) -> ClockRule:
    """Return the clock of a message, or raise `WireError`."""
    rule = ClockRule(
        move_limit_ns=message.move_limit_ns if message.HasField("move_limit_ns") else None,
        bank_ns=message.bank_ns if message.HasField("bank_ns") else None,
        increment_ns=message.increment_ns,
        startup_ns=message.startup_ns,
    )
    times = (rule.move_limit_ns or 0, rule.bank_ns or 0, rule.increment_ns, rule.startup_ns)
    if max(times) > MAX_TIME_NS:
        raise WireError(f"a clock has at most {MAX_TIME_NS} nanoseconds")
    return rule


# The same few games and clocks stand in a folder of transcripts over and over.
_KEPT = 256


@lru_cache(maxsize=_KEPT)
def _game(key: str, revision: int, seats: int, data: bytes) -> tuple[Ruleset, Options]:
    """Return a ruleset and the options of a game, or raise `WireError` if they do not fit."""
    options = decode_options(pb.Options.FromString(data))
    try:
        ruleset = get_ruleset(key)
        if revision != ruleset.revision:
            raise UnknownRevision(ruleset.key, str(revision), ruleset.revision)
        ruleset.check_seats(seats)
        ruleset.check_options(options, seats)
    except RulesError as error:
        raise WireError(str(error)) from error
    return ruleset, options


@lru_cache(maxsize=_KEPT)
def _clock(data: bytes) -> ClockRule:
    return decode_clock(pb.ClockRule.FromString(data))


def decode_setup(data: bytes) -> Setup:
    """Return the set-up of these bytes, or raise `WireError` with what is wrong in it."""
    try:
        message = pb.Setup.FromString(data)
    except DecodeError as error:
        raise WireError("the bytes are no set-up") from error
    seats = len(message.seats)
    chosen = message.options.SerializeToString()
    ruleset, options = _game(message.ruleset, message.revision, seats, chosen)
    clock = _clock(message.clock.SerializeToString()) if message.HasField("clock") else None
    setup = Setup(
        data=data,
        message=message,
        ruleset=ruleset,
        options=options,
        seats=seats,
        clock=clock,
        strikes=message.strikes,
        rated=message.rated,
        fixed_seed=message.fixed_seed,
        public_key=message.public_key,
    )
    _check(setup)
    return setup


def _check(setup: Setup) -> None:
    message = setup.message
    if not 1 <= setup.strikes <= MAX_STRIKES:
        raise WireError(f"strikes are 1 to {MAX_STRIKES}, not {setup.strikes}")
    if len(setup.public_key) != PUBLIC_KEY_BYTES:
        raise WireError(f"a public key has {PUBLIC_KEY_BYTES} bytes")
    if message.durability not in (pb.DURABILITY_SYNC, pb.DURABILITY_BATCH, pb.DURABILITY_OFF):
        raise WireError(f"there is no durability {message.durability}")
    for agent in setup.agents:
        if not HANDLE.fullmatch(agent):
            raise WireError("the handle of an agent is 1 to 32 letters, digits, _ and -")
    for text in (message.request_id, message.event_id, message.pairing, message.referee_version):
        if len(text.encode()) > MAX_ID_BYTES:
            raise WireError(f"an id has at most {MAX_ID_BYTES} bytes")
    if setup.rated:
        _check_rated(setup)


def _check_rated(setup: Setup) -> None:
    clock = setup.clock
    if clock is None or not clock.limits:
        raise WireError("a rated match has a clock with a limit or a bank")
    if setup.fixed_seed:
        raise WireError("a rated match has no fixed seed")
    if setup.message.durability != pb.DURABILITY_SYNC:
        raise WireError("a rated match has durability sync")
