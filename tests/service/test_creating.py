"""CreateMatch again: the same request is the same match, another one is refused."""

import asyncio
from pathlib import Path

import pytest

from referee.service.app import start
from referee.service.auth import Role
from referee.service.settings import Settings
from referee.service.storage.transcripts import Durability
from referee.transcript.clock import ClockRule
from referee.v1 import match_pb2, setup_pb2
from tests.service.faulty import FaultyDisk, Held
from tests.service.here import address, play, seats_of, serving, until
from tests.service.hostile.calls import Calls
from tests.service.requests import SECOND_NS, request


@pytest.mark.parametrize(
    "defaults",
    [{"clock": ClockRule(SECOND_NS, SECOND_NS, 0, 0)}, {"durability": Durability.BATCH}],
    ids=["clock", "durability"],
)
async def test_the_same_request_is_the_same_match_whatever_the_defaults(
    tmp_path: Path, defaults: dict[str, object]
) -> None:
    """The operator may choose other defaults meanwhile; the match was made under the old ones."""
    wanted = match_pb2.CreateMatchRequest(
        request_id="r", ruleset="azul", seats=[setup_pb2.Seat(agent="a"), setup_pb2.Seat(agent="b")]
    ).SerializeToString()
    found = []
    for settings in ({}, defaults):
        running = await start(Settings(data=tmp_path, port=0, **settings))  # type: ignore[arg-type]
        organiser = running.house.credentials.issue(Role.ORGANISER, "o")
        async with Calls(address(running), organiser) as calls:
            found.append(await calls.send("CreateMatch", wanted))
        await running.stop()
    assert found[0].match.match_id == found[1].match.match_id
    assert found[0].tokens == found[1].tokens


@pytest.mark.parametrize("over", [False, True], ids=["in play", "over"])
async def test_another_fixed_seed_is_another_request(tmp_path: Path, over: bool) -> None:
    """The seed is no part of the set-up, and yet a part of what was asked for."""
    wanted = request(request_id="r", round_cap=1)
    async with serving(tmp_path) as running:
        organiser = running.house.credentials.issue(Role.ORGANISER, "o")
        async with Calls(address(running), organiser) as calls:
            wanted.fixed_seed = bytes(32)
            made = await calls.send("CreateMatch", wanted.SerializeToString())
            if over:
                await play(running, seats_of(made))
                await until(lambda: not running.house.hosts)
            again = await calls.send("CreateMatch", wanted.SerializeToString())
            assert again.match.match_id == made.match.match_id
            wanted.fixed_seed = bytes([1]) * 32
            found = await calls.refusal("CreateMatch", wanted.SerializeToString())
    assert found == "REQUEST_ID_REUSED"


async def test_a_request_that_a_stop_interrupts_is_told_why(tmp_path: Path) -> None:
    """And made again, it finds its match, or makes it, once the referee is back."""
    disk = FaultyDisk()
    held = Held("sync")
    running = await start(Settings(data=tmp_path, port=0), disk=disk)
    organiser = running.house.credentials.issue(Role.ORGANISER, "o")
    wanted = request(request_id="r", round_cap=1).SerializeToString()
    async with Calls(address(running), organiser) as calls:
        disk.fault = held
        asking = asyncio.create_task(calls.refusal("CreateMatch", wanted))
        await until(lambda: held.reached)
        stopping = asyncio.create_task(running.stop())
        assert await asking == "DRAINING"
        held.let_go()
        await stopping
    async with serving(tmp_path) as again, Calls(address(again), organiser) as calls:
        made = await calls.send("CreateMatch", wanted)
        assert list(again.house.hosts) == [bytes.fromhex(made.match.match_id)]
        await play(again, seats_of(made))
