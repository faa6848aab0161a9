"""How an agent reaches its referee: channels, certificates, and the pace of trying again."""

import asyncio
import random
import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass

import grpc
from grpc import aio

from azul_agent.unreachable import why

# Many messages share a frame, and a turn of every match may be among them.
MAX_RECEIVED_BYTES = 64 << 20
OPTIONS = [
    ("grpc.max_receive_message_length", MAX_RECEIVED_BYTES),
    # A channel of its own for every attempt: the pace of trying again is ours, see Pacing.
    ("grpc.use_local_subchannel_pool", 1),
]


@dataclass(frozen=True, slots=True)
class Tls:
    """Holds certificates in PEM: whom to trust (None: the system), and who the agent is."""

    root_certificates: bytes | None = None
    certificate: bytes | None = None
    key: bytes | None = None


def open_channel(target: str, tls: Tls | None) -> aio.Channel:
    """Return a channel to the referee; nothing is sent before the first call."""
    if tls is None:
        return aio.insecure_channel(target, options=OPTIONS)
    credentials = grpc.ssl_channel_credentials(tls.root_certificates, tls.key, tls.certificate)
    return aio.secure_channel(target, credentials, options=OPTIONS)


def lost(error: aio.AioRpcError, target: str, tls: Tls | None, *, welcomed: bool) -> str:
    """Return why a stream ended, or never began, in words."""
    details = error.details() or ""
    if error.code() is not grpc.StatusCode.UNAVAILABLE:
        return f"{error.code().name}: {details}"
    has_certificate = tls is not None and tls.certificate is not None
    reason = why(details, target, tls=tls is not None, certificate=has_certificate)
    if welcomed:
        return f"the connection was lost: {reason}"
    return f"no referee can be reached {'without' if tls is None else 'with'} TLS: {reason}"


def unwelcome(error: aio.AioRpcError, token: str | None) -> str:
    """Return why a referee does not want this agent, and what would change that."""
    text = f"{error.code().name}: {error.details()}"
    if error.code() is not grpc.StatusCode.UNAUTHENTICATED:
        return text
    return f"{text}; {bearer_hint(token)}"


def bearer_hint(token: str | None) -> str:
    """Return where the bearer of an agent comes from."""
    if token:
        return "the bearer is that of --token or REFEREE_TOKEN"
    return (
        "on another machine, and to be paired, an agent needs a bearer (aza_...) beside the token"
        " of its seat: --token or REFEREE_TOKEN"
    )


@dataclass(frozen=True, slots=True)
class Pacing:
    """Says how long to wait before the next attempt to reach the referee.

    Each wait is twice the last, up to `longest_s`, and then shortened at random, so that many
    agents do not come back at the same moment. A stream that lasted for `longest_s` starts it
    anew. After `attempts` failures in a row the agent stops; None means never.
    """

    first_s: float = 0.25
    longest_s: float = 5.0
    attempts: int | None = None
    sleep: Callable[[float], Awaitable[None]] = asyncio.sleep
    random: Callable[[], float] = random.random
    clock: Callable[[], float] = time.monotonic

    def delay_s(self, failures: int) -> float:
        """Return how long to wait after so many failures in a row, from 1."""
        wait = min(self.longest_s, self.first_s * 2.0 ** min(failures - 1, 30))
        return wait * (1 + self.random()) / 2
