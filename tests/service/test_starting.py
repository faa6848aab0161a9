"""A start that fails leaves no trace in the records of open matches."""

import socket
from pathlib import Path

import pytest

from referee.service.app import CannotServe, start
from referee.service.settings import Settings
from referee.v1 import match_pb2, setup_pb2
from tests.service.here import create, serving


async def test_a_port_that_is_in_use(tmp_path: Path) -> None:
    """Nobody was served, so no match was interrupted by that."""
    seats = [setup_pb2.Seat(agent="a"), setup_pb2.Seat(agent="b")]
    async with serving(tmp_path) as running:
        made = await create(running, match_pb2.CreateMatchRequest(ruleset="azul", seats=seats))
    file = tmp_path / "open" / f"{made.match.match_id}.azt"
    before = file.read_bytes()
    refused = pytest.raises(CannotServe, match="cannot listen")
    with socket.create_server(("127.0.0.1", 0)) as taken, refused:
        await start(Settings(data=tmp_path, port=taken.getsockname()[1]))
    assert file.read_bytes() == before
    async with serving(tmp_path) as running:
        assert bytes.fromhex(made.match.match_id) in running.house.hosts
