"""Every call, by everybody, about every kind of match: what the table says, and no more (P-S1).

What is expected here was written down from docs/protocol.md, not from the table of the service.
"""

from collections.abc import AsyncIterator, Iterator
from typing import NamedTuple

import grpc
import pytest
import pytest_asyncio

from referee.service import auth, server
from referee.service.auth import Role
from referee.v1 import match_pb2, play_pb2
from tests.service.hostile.calls import Metadata, bearer, reason_of
from tests.service.hostile.court import Court
from tests.service.requests import request

ROLES = ["organiser", "agent", "loopback", "stranger", "wrong", "revoked"]
MATCHES = ["own", "other", "finished", "foreign"]
EVERYBODY = {"organiser": "yes", "agent": "yes", "loopback": "yes"}
ORGANISERS = {"organiser": "yes", "agent": "NOT_ALLOWED", "loopback": "UNAUTHENTICATED"}
SIGNED = {"organiser": "yes", "agent": "signed", "loopback": "signed"}
EXPECTED = {
    "AgentService.Play": EVERYBODY,
    "MatchService.CreateMatch": ORGANISERS,
    "MatchService.GetMatch": EVERYBODY,
    "MatchService.ListMatches": EVERYBODY,
    "MatchService.AbortMatch": ORGANISERS,
    "MatchService.GetTranscript": SIGNED,
    "MatchService.VerifyTranscript": SIGNED,
    "MatchService.WatchMatch": EVERYBODY,
}
OF_NO_MATCH = {"AgentService.Play", "MatchService.CreateMatch", "MatchService.ListMatches"}


class Cast(NamedTuple):
    """The bearers of all roles, and the matches."""

    bearers: dict[str, Metadata]
    matches: dict[str, str]


@pytest_asyncio.fixture(scope="module", loop_scope="session", name="cast")
async def the_cast(bar: Court) -> AsyncIterator[Cast]:
    """Issue bearers and make matches: one the agent plays in, one it does not, one that is over."""
    credentials = bar.running.house.credentials
    credentials.register("alice")
    credentials.register("gone")
    gone = credentials.issue(Role.AGENT, "gone")
    credentials.revoke(next(one.number for one in credentials.tokens() if one.name == "gone"))
    own = request()
    own.seats[0].agent = "alice"
    async with bar.calls(bar.organiser) as calls:
        ids = {"foreign": "0123456789abcdef" * 2}
        for name, asked in (("own", own), ("other", request()), ("finished", request())):
            made = await calls.send("CreateMatch", asked.SerializeToString())
            ids[name] = made.match.match_id
        await calls.ask("AbortMatch", match_id=ids["finished"])
    shown: dict[str, Metadata] = {
        "organiser": bearer(bar.organiser),
        "agent": bearer(credentials.issue(Role.AGENT, "alice")),
        "loopback": (),
        "stranger": (),
        "wrong": bearer("aza_" + "A" * 43),
        "revoked": bearer(gone),
    }
    yield Cast(shown, ids)


def methods() -> Iterator[str]:
    """Name every call of every service of ours."""
    for file in (match_pb2.DESCRIPTOR, play_pb2.DESCRIPTOR):
        for service in file.services_by_name.values():
            for method in service.methods:
                yield f"{service.name}.{method.name}"


def test_every_call_stands_in_the_matrix() -> None:
    """A new call without a row here fails."""
    assert set(methods()) == EXPECTED.keys()


def expected(call: str, role: str, match: str) -> str:
    """Return what must happen: yes, or the reason of the refusal."""
    if role in ("stranger", "wrong", "revoked"):
        return "UNAUTHENTICATED"
    allowed = EXPECTED[call][role]
    if allowed not in ("yes", "signed") or call in OF_NO_MATCH:
        return allowed
    if match == "foreign":
        return "MATCH_NOT_FOUND"
    if allowed == "signed" and match != "finished":
        return "NOT_SIGNED"
    if call == "MatchService.AbortMatch":
        return "MATCH_ENDED" if match == "finished" else "leave it"
    return "yes"


@pytest.mark.parametrize("match", MATCHES)
@pytest.mark.parametrize("role", ROLES)
@pytest.mark.parametrize("call", EXPECTED)
async def test_the_matrix(
    bar: Court, cast: Cast, monkeypatch: pytest.MonkeyPatch, call: str, role: str, match: str
) -> None:
    """The server itself is asked, with the bearer of the role."""
    if role == "stranger":
        identify = auth.identify
        # As seen from another machine; the honest agents beside it show no bearer either.
        monkeypatch.setattr(
            server,
            "identify",
            lambda metadata, peer, lookup: identify(
                metadata, "ipv4:192.0.2.7:1" if ("x-far", "1") in metadata else peer, lookup
            ),
        )
    shown = cast.bearers[role] + ((("x-far", "1"),) if role == "stranger" else ())
    wanted = expected(call, role, match)
    if wanted == "leave it":
        asked = request()
        async with bar.calls(bar.organiser) as calls:
            made = await calls.send("CreateMatch", asked.SerializeToString())
        match_id, wanted = made.match.match_id, "yes"
    else:
        match_id = cast.matches[match]
    assert await outcome(bar, call, shown, match_id) == wanted


async def outcome(bar: Court, call: str, shown: Metadata, match_id: str) -> str:
    """Make a call, and return yes or why not."""
    name = call.partition(".")[2]
    async with bar.calls() as calls:
        if name == "Play":
            talk = calls.talk(shown)
            await talk.say(play_pb2.AgentMessage(hello=play_pb2.Hello(name="M", protocol=1)))
            ended = await talk.bye()
            return "yes" if ended == "OK" else ended
        data = match_pb2.GetMatchRequest(match_id=match_id).SerializeToString()
        if name == "CreateMatch":
            data = request().SerializeToString()
        elif name == "ListMatches":
            data = b""
        try:
            await calls.send(name, data, shown)
        except grpc.aio.AioRpcError as error:
            return reason_of(error)
        return "yes"
