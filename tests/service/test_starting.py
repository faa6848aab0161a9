"""A start that fails leaves no trace in the records of open matches."""

import socket
from pathlib import Path

import pytest

from referee.service.app import CannotServe, start
from referee.service.settings import Settings
from referee.transcript import format as azt
from referee.transcript.writer import Chain
from referee.v1 import match_pb2, record_pb2, setup_pb2
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


async def test_a_match_of_another_version_keeps_no_other_one_waiting(tmp_path: Path) -> None:
    """After a downgrade there may be a ruleset that is not known here; its file is left alone."""
    seats = [setup_pb2.Seat(agent="a"), setup_pb2.Seat(agent="b")]
    async with serving(tmp_path) as running:
        made = await create(running, match_pb2.CreateMatchRequest(ruleset="azul", seats=seats))
        key = running.house.key.public
        running.house.secrets.put(bytes(16), bytes(32))
    setup = setup_pb2.Setup(ruleset="azul-of-tomorrow", revision=9, public_key=key)
    chain = Chain(bytes(16))
    frame = chain.frame([record_pb2.Record(setup=setup.SerializeToString())])
    foreign = tmp_path / "open" / f"{chain.match_id.hex()}.azt"
    foreign.write_bytes(azt.header(chain.match_id) + frame)
    async with serving(tmp_path) as running:
        assert list(running.house.hosts) == [bytes.fromhex(made.match.match_id)]
        assert running.house.secrets.get(chain.match_id) == bytes(32)
    assert foreign.read_bytes() == azt.header(chain.match_id) + frame
