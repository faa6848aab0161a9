"""`referee match` and `referee transcript`: an organiser at work on a running referee."""

import hashlib
import json
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
import pytest_asyncio

from referee.cli import connection
from referee.cli.match import seed_bytes
from referee.v1.error_pb2 import ErrorReason
from tests.cli.serving import Referee, play, run, serving

SEATS = ("--seat", "one", "--seat", "two")


@pytest_asyncio.fixture(scope="module", loop_scope="session")
async def referee(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Referee]:
    """Return a referee that all tests of this module share."""
    async with serving(tmp_path_factory.mktemp("match") / "data") as running:
        yield running


async def test_create_and_show(referee: Referee) -> None:
    """Everything that was asked for stands in the match."""
    made = json.loads(
        await referee.out(
            *("match", "create", "azul", *SEATS, "--time", "bank=1m,limit=10s", "--strikes", "1"),
            *("--seed", "x", "--round-cap", "7", "--first-player", "1", "--event", "cup"),
            *("--durability", "batch", "--delay", "2s", "--request-id", "again", "--json"),
        )
    )
    assert [seat["agent"] for seat in made["seats"]] == ["one", "two"]
    assert all(seat["token"].startswith("azs_") for seat in made["seats"])
    shown = await referee.out("match", "show", made["match_id"])
    for line in (
        f"match      {made['match_id']}",
        "state      open, 2 events, not signed yet",
        "ruleset    azul/1",
        "options    7 rounds at most, seat 1 starts",
        "clock      bank=1m,limit=10s",
        "strikes    1",
        "rated      no",
        "seed       fixed by the organiser",
        "durability batch",
        "delay      spectators are 2s behind",
        "event      cup",
        "seat 0     one, 0 points, not here yet",
    ):
        assert line in shown.splitlines()
    as_json = json.loads(await referee.out("match", "show", made["match_id"], "--json"))
    for seat in made["seats"]:
        del seat["token"]
    assert made.pop("request_id") == "again"
    assert as_json == made


async def test_the_same_request_again(referee: Referee) -> None:
    """Returns the same match with the same tokens; another match under its id is refused."""
    twice = [await referee.create("duel", *SEATS, "--request-id", "r1") for _ in range(2)]
    assert twice[0] == twice[1]
    other = await referee.run("match", "create", "azul", *SEATS, "--request-id", "r1")
    assert (other.code, other.out) == (6, "")
    assert other.err == "referee: the request id was used for another match (REQUEST_ID_REUSED)\n"
    fresh = [await referee.create("duel", *SEATS) for _ in range(2)]
    assert fresh[0][0] != fresh[1][0]


async def test_list_abort_and_paging(referee: Referee) -> None:
    """The newest first, filtered, in pages."""
    made = [(await referee.create("azul-gray", *SEATS, "--event", "list"))[0] for _ in range(3)]
    aborted = await referee.out("match", "abort", made[1], "--detail", "rain")
    assert "state      aborted, " in aborted
    assert "because    rain" in aborted
    listed = (await referee.out("match", "list", "--event", "list")).splitlines()
    assert [line.split()[0] for line in listed[1:]] == made[::-1]
    assert listed[2].split()[1:4] == ["aborted", "azul-gray", "0"]
    only = await referee.out("match", "list", "--event", "list", "--state", "aborted", "--json")
    assert [json.loads(line)["match_id"] for line in only.splitlines()] == [made[1]]
    first = await referee.run("match", "list", "--event", "list", "--limit", "2")
    assert first.err.startswith("there are more: --page ")
    rest = await referee.out("match", "list", "--event", "list", "--page", first.err.split()[-1])
    both = first.out.splitlines()[1:] + rest.splitlines()[1:]
    assert both == listed[1:]


@pytest.mark.parametrize(
    ("arguments", "code", "words"),
    [
        (("show", "00"), 2, "INVALID_ARGUMENT"),
        (("show", "0" * 32), 5, "there is no such match (MATCH_NOT_FOUND)"),
        (("abort", "0" * 32), 5, "MATCH_NOT_FOUND"),
        (("list", "--token", "azo_wrong"), 4, "UNAUTHENTICATED"),
        (("list", "--page", "nonsense"), 2, "INVALID_ARGUMENT"),
        (("create", "azul", "--seat", "one"), 2, "azul is for 2 to 4 players, not 1"),
        (("create", "chess", *SEATS), 2, "INVALID_SETUP"),
        (("create", "azul", *SEATS, "--rated"), 2, "NOT_RATEABLE"),
        (("create", "azul", *SEATS, "--token", ""), 4, "this needs a token: --token"),
        (("create", "azul", *SEATS, "--time", "1m"), 2, "a clock is like"),
        (("create", "duel", *SEATS, "--goals", "x,y"), 2, "goals are rows, five_colors"),
        (("create", "azul", *SEATS, "--no-clock", "--time", "bank=1m"), 2, "contradict"),
        (("list", "--ca", "/no/such/file"), 2, "cannot be read"),
        (("list", "--tls", "--cert", "x"), 2, "--cert and --key go together"),
    ],
)
async def test_errors_are_one_sentence(
    referee: Referee, arguments: tuple[str, ...], code: int, words: str
) -> None:
    """With the reason, and an exit code by its kind."""
    done = await referee.run("match", *arguments)
    assert (done.code, done.out) == (code, "")
    assert words in done.err
    if not done.err.startswith("Usage:"):
        assert len(done.err.splitlines()) == 1


async def test_a_referee_that_is_not_there(referee: Referee) -> None:
    """Is said to be not there, where it was looked for."""
    # Nobody but root can listen on port 1.
    done = await run("match", "list", "--server", "127.0.0.1:1")
    assert (done.code, done.out) == (3, "")
    assert done.err == (
        "referee: no referee can be reached at 127.0.0.1:1 without TLS: nobody listens there\n"
    )


async def test_tls_where_there_is_none(referee: Referee) -> None:
    """Is said so, in one sentence."""
    done = await referee.run("match", "list", "--tls")
    assert (done.code, done.out) == (3, "")
    assert done.err == (
        f"referee: no referee can be reached at {referee.address} with TLS: what listens there does"
        " not use TLS; leave --tls, --ca, --cert and --key out\n"
    )


@pytest.mark.parametrize("server", ["nonsense", "localhost", "http://localhost:1", "host:", ""])
async def test_a_server_is_a_host_and_a_port(server: str) -> None:
    """Without a port gRPC would knock at that of the web."""
    done = await run("match", "list", "--server", server)
    assert done.code == 2
    assert "--server (REFEREE_SERVER) is HOST:PORT" in done.err


async def test_a_wrong_token_is_named(referee: Referee) -> None:
    """And whence it came."""
    done = await referee.run("match", "list", "--token", "azo_wrong")
    assert done.code == 4
    assert "wrong, or was revoked; see --token and REFEREE_TOKEN (UNAUTHENTICATED)" in done.err


def test_every_reason_has_an_exit_code() -> None:
    """Also those that come with later versions of the schema."""
    reasons = {name.removeprefix("ERROR_REASON_") for name, _ in ErrorReason.items()}
    assert set(connection.EXITS) == reasons - {"UNSPECIFIED"}


def test_the_seed_of_a_text() -> None:
    """64 hex digits are the seed, whatever else is hashed."""
    assert seed_bytes("0f" * 32) == b"\x0f" * 32
    for text in ("0f", "zz" * 32, "", "é"):
        assert seed_bytes(text) == hashlib.sha256(text.encode()).digest()


async def test_the_transcript_of_a_match(referee: Referee, tmp_path: Path) -> None:
    """So far for the organiser alone, whole for everybody, and never over another file."""
    match_id, tokens = await referee.create("azul", *SEATS)
    file = tmp_path / "match.azt"
    early = await run("transcript", match_id, "--server", referee.address, "-o", str(file))
    assert (early.code, file.exists()) == (6, False)
    assert "NOT_SIGNED" in early.err
    so_far = await referee.run("transcript", match_id, "-o", str(file))
    assert so_far.code == 0
    assert "not signed yet" in so_far.err
    await play(referee, tokens, tmp_path)
    refused = await referee.run("transcript", match_id, "-o", str(file))
    assert refused.code == 2
    assert "is there already; --force" in refused.err
    whole = await run(
        "transcript", match_id, "--server", referee.address, "-o", str(file), "--force"
    )
    assert whole.code == 0
    assert (await run("verify", str(file))).code == 0


def test_a_call_that_is_lost_is_made_again(monkeypatch: pytest.MonkeyPatch) -> None:
    """With the same request, and only if it was lost."""
    made: list[str] = []
    answers: list[connection.CallFailed | str] = []

    class Lossy(connection.Calls):
        def __init__(self) -> None:
            pass

        def _once(self, name: str, request: str) -> str:
            made.append(request)
            answer = answers.pop(0)
            if isinstance(answer, connection.CallFailed):
                raise answer
            return answer

    monkeypatch.setattr(connection, "RETRY_S", (0.0, 0.0))
    lost = connection.CallFailed("lost", 3, is_lost=True)
    answers[:] = [lost, lost, "made"]
    assert Lossy().call("CreateMatch", "request") == "made"
    assert made == ["request"] * 3
    for failures in ([lost, lost, lost], [connection.CallFailed("no", 6)]):
        answers[:] = failures
        with pytest.raises(connection.CallFailed):
            Lossy().call("CreateMatch", "request")
        assert answers == []
