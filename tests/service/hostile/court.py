"""A referee with honest matches at its tables, and what an attack needs to know of it."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any, NamedTuple

from referee.draws import agent_chain, agent_root
from referee.service.app import Running
from referee.service.auth import Role
from referee.v1 import game_pb2, match_pb2, setup_pb2
from referee.v1 import play_pb2 as pb
from tests.service.here import address, serving
from tests.service.hostile.calls import DEADLINE_S, Calls, Talk, answer, join, no_share
from tests.service.hostile.healthy import Healthy
from tests.service.process import create
from tests.service.requests import request


class Court(NamedTuple):
    """A running referee."""

    running: Running
    address: str
    organiser: str
    data: Path
    healthy: Healthy

    async def match(
        self, *, strikes: int = 0, clock_ns: int = 0, **wanted: Any
    ) -> match_pb2.CreateMatchResponse:
        """Make a match, with a limit for each answer if that is wanted."""
        if clock_ns:
            wanted["clock"] = setup_pb2.ClockRule(move_limit_ns=clock_ns)
        asked = request(**wanted)
        asked.strikes = strikes
        return await create(self.address, self.organiser, asked)

    def calls(self, token: str = "", **options: Any) -> Calls:
        """Open a channel."""
        return Calls(self.address, token, **options)


@asynccontextmanager
async def court(data: Path, tables: int = 2, **settings: Any) -> AsyncIterator[Court]:
    """Open a court; at the end every honest match must have ended well."""
    async with serving(data, **settings) as running:
        organiser = running.house.credentials.issue(Role.ORGANISER, "tests")
        where = address(running)
        async with Healthy(where, organiser, tables) as healthy:
            yield Court(running, where, organiser, data, healthy)


class Table(NamedTuple):
    """A match between two streams by hand, seat 0 and seat 1, without shares."""

    made: match_pb2.CreateMatchResponse
    talks: list[Talk]

    @property
    def match_id(self) -> str:
        """The id of the match, as calls name it."""
        return self.made.match.match_id

    def token(self, seat: int) -> str:
        """Return the token of a seat."""
        return self.made.tokens[seat].token

    async def turn(self) -> tuple[int, pb.YourTurn]:
        """Return who is asked for a move, and the question."""
        async with asyncio.timeout(DEADLINE_S):
            while True:
                for seat, talk in enumerate(self.talks):
                    asked = talk.next("your_turn")
                    if asked is not None:
                        return seat, asked.your_turn
                    talk.news.clear()
                waiting = [asyncio.create_task(talk.news.wait()) for talk in self.talks]
                await asyncio.wait(waiting, return_when=asyncio.FIRST_COMPLETED)
                for task in waiting:
                    task.cancel()

    async def play(self, moves: int) -> None:
        """Play some moves, the first listed one each time."""
        for _ in range(moves):
            seat, asked = await self.turn()
            await self.talks[seat].say(answer(asked.turn, asked.attempt, index(0)))


@asynccontextmanager
async def table(
    one: Calls, made: match_pb2.CreateMatchResponse, other: Calls | None = None
) -> AsyncIterator[Table]:
    """Seat two streams by hand at a match."""
    talks = []
    for calls, token in zip((one, other or one), made.tokens, strict=True):
        talk = calls.talk()
        await talk.hello(join(token.token, list_moves=True), no_share())
        await talk.hear("seat_taken")
        talks.append(talk)
    try:
        yield Table(made, talks)
    finally:
        for talk in talks:
            talk.call.cancel()


def index(number: int) -> bytes:
    """Return the action that names a listed move."""
    return game_pb2.Action(index=number).SerializeToString()


def chain_of(taken: pb.SeatTaken, secret: bytes = bytes(32)) -> list[bytes]:
    """Return the shares of a seat, x_0 first."""
    root = agent_root(secret, taken.match_id, taken.seat, taken.server_commit)
    return list(agent_chain(taken.match_id, taken.seat, taken.server_commit, root))
