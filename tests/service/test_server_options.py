"""What gRPC is told about connections: limits, keepalive both ways, and no end by age."""

from pathlib import Path
from typing import Any

import pytest
from grpc import aio

from referee.service import server
from tests.service.cable import cable
from tests.service.here import address, serving, until
from tests.service.hostile.calls import Calls

KIB = 1 << 10
# No others: each is a promise of docs/operating.md, or of the list of hostile clients.
WANTED = {
    "grpc.so_reuseport": 0,
    "grpc.max_receive_message_length": 64 * KIB,
    "grpc.max_metadata_size": 8 * KIB,
    "grpc.absolute_max_metadata_size": 16 * KIB,
    "grpc.max_concurrent_streams": 200,
    "grpc.server.max_pending_requests": 50_000,
    "grpc.server.max_pending_requests_hard_limit": 100_000,
    "grpc.server_max_unrequested_time_in_server": 300,
    "grpc.server_handshake_timeout_ms": 10_000,
    "grpc.max_connection_idle_ms": 300_000,
    "grpc.keepalive_time_ms": 20_000,
    "grpc.keepalive_timeout_ms": 10_000,
    "grpc.keepalive_permit_without_calls": 1,
    "grpc.http2.min_ping_interval_without_data_ms": 5_000,
    "grpc.http2.max_ping_strikes": 5,
    # Bit 0 is identity.
    "grpc.compression_enabled_algorithms_bitset": 1,
}
SOON_MS = 1_000


async def test_the_server_gets_these_options_and_no_others(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Above all none that ends a connection because it is old."""
    given: list[dict[str, Any]] = []
    make = aio.server

    def spy(*, options: tuple[tuple[str, Any], ...], **more: Any) -> aio.Server:
        given.append(dict(options))
        assert len(given[-1]) == len(options)
        return make(options=options, **more)

    monkeypatch.setattr(aio, "server", spy)
    async with serving(tmp_path):
        (options,) = given
        assert options.pop("grpc.max_allowed_incoming_connections") > 50
        assert options == WANTED


async def test_keepalive_finds_connections_that_hang(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With shorter times the same options: who does not answer a ping of HTTP/2 is gone."""
    given = [
        (name, SOON_MS if name == "grpc.keepalive_time_ms" else value)
        for name, value in server.OPTIONS
    ]
    # How long an answer may take is that of any ping, a minute by default: for now gRPC makes
    # nothing of its option for keepalive (grpc/grpc#39239).
    given.append(("grpc.http2.ping_timeout_ms", SOON_MS))
    monkeypatch.setattr(server, "OPTIONS", tuple(given))
    async with (
        serving(tmp_path) as running,
        cable(address(running)) as laid,
        Calls(laid.address) as far,
        Calls(address(running)) as near,
    ):
        silent, loyal = far.talk(), near.talk()
        for talk in (silent, loyal):
            await talk.hello()
        assert len(running.house.streams) == 2
        laid.pull()
        await until(lambda: len(running.house.streams) == 1)
        # The other one, as quiet as the first, has answered its pings by itself.
        await loyal.sync()
        assert await loyal.bye() == "OK"
