"""The agent's share of the draws: right values, in order, and a referee that breaks its word."""

import json
import stat
from pathlib import Path
from typing import Any

import pytest

from azul_agent import SecretFileError, proof, shares
from azul_agent.secret import load_secret
from azul_agent.shares import OutOfOrder, Shares
from referee.draws import keys
from referee.v1 import play_pb2, record_pb2
from tests.clients_python.conftest import Ended, MakeAgent
from tests.clients_python.fake import Fake, Table

VECTORS = json.loads(
    (Path(__file__).parents[2] / "docs" / "vectors" / "draws.json").read_text(encoding="utf-8")
)


@pytest.mark.parametrize("entry", VECTORS["tags"], ids=lambda entry: entry["name"])
def test_tags(entry: dict[str, str]) -> None:
    """Every tag is made as the vectors say."""
    assert shares.tag(entry["name"]).hex() == entry["bytes"]


@pytest.mark.parametrize("entry", VECTORS["keys"], ids=lambda entry: entry["match_id"])
def test_commitments_and_chains(entry: dict[str, Any]) -> None:
    """Set-up hash, commitment and every published value of every chain."""
    match_id, setup = bytes.fromhex(entry["match_id"]), bytes.fromhex(entry["setup"])
    assert shares.setup_hash(setup).hex() == entry["setup_hash"]
    commit = shares.server_commit(match_id, setup, bytes.fromhex(entry["server_seed"]))
    assert commit.hex() == entry["server_commit"]
    for seat, (root, published) in enumerate(zip(entry["x_64"], entry["chains"], strict=True)):
        if root is None:
            continue
        chain = shares.agent_chain(bytes.fromhex(root), match_id, seat, commit)
        assert len(chain) == 65
        for name, value in published.items():
            assert chain[int(name.removeprefix("x_"))].hex() == value


@pytest.mark.parametrize("entry", VECTORS["agent_roots"], ids=lambda entry: entry["match_id"])
def test_roots(entry: dict[str, Any]) -> None:
    """The end of the chain follows from the secret."""
    secret, match_id, commit = (
        bytes.fromhex(entry[name]) for name in ("agent_secret", "match_id", "server_commit")
    )
    assert shares.agent_root(secret, match_id, entry["seat"], commit).hex() == entry["x_64"]


def share() -> Shares:
    """Return the share of some seat."""
    return Shares(bytes(32), bytes(16), 1, bytes(32))


def test_rounds_are_opened_in_order() -> None:
    """Each round after the one before it was scored, and as often as it is asked for."""
    mine = share()
    head = (bytes(16), 1, bytes(32))
    seen = [mine.x0]
    for number in range(1, 65):
        for _ in range(2):
            x = mine.reveal(number)
        assert keys.chain_step(*head, number, x) == seen[-1]
        seen.append(x)
        mine.note_scored(number)
    with pytest.raises(OutOfOrder):
        mine.reveal(65)


@pytest.mark.parametrize(
    ("revealed", "scored", "asked"),
    [
        (0, [], 0),
        (0, [], 2),
        (1, [], 2),
        (2, [1], 1),
        (2, [1], 3),
        (2, [1, 3], 3),
        (2, [1, 2], 4),
        (2, [1, 2, 3], 4),
    ],
)
def test_what_is_not_due_stays_shut(revealed: int, scored: list[int], asked: int) -> None:
    """A referee that asks early, late or ahead learns nothing."""
    mine = share()
    for number in range(1, revealed + 1):
        mine.note_scored(number - 1)
        mine.reveal(number)
    for number in scored:
        mine.note_scored(number)
    with pytest.raises(OutOfOrder):
        mine.reveal(asked)


def test_a_restarted_agent_learns_from_the_record() -> None:
    """It believes only shares that it could have revealed itself."""
    before, after = share(), share()
    first = before.reveal(1)
    assert not after.note_reveal(1, bytes(32))
    assert not after.note_reveal(0, before.x0)
    after.note_scored(1)
    with pytest.raises(OutOfOrder):
        after.reveal(2)
    assert after.note_reveal(1, first)
    before.note_scored(1)
    assert after.reveal(2) == before.reveal(2)


def test_a_foreign_commitment_shuts_everything() -> None:
    """A share that does not open what was recorded would lose the match, and help nobody."""
    mine = share()
    assert not mine.note_commit(bytes(32))
    with pytest.raises(OutOfOrder, match="not ours"):
        mine.reveal(1)
    assert mine.note_commit(mine.x0)
    mine.reveal(1)


# The secret ------------------------------------------------------------------------------


def test_the_secret_is_made_once_and_private(tmp_path: Path) -> None:
    """The same 32 bytes every time, in a file and a folder that are the owner's alone."""
    file = tmp_path / "new" / "secret"
    first = load_secret(file)
    assert len(first) == 32
    assert load_secret(file) == first
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert stat.S_IMODE(file.parent.stat().st_mode) == 0o700
    assert list(file.parent.iterdir()) == [file]
    assert load_secret(tmp_path / "other") != first


def test_a_secret_that_is_none_is_refused(tmp_path: Path) -> None:
    """Too open, too short, or a folder."""
    file = tmp_path / "secret"
    load_secret(file)
    file.chmod(0o644)
    with pytest.raises(SecretFileError, match="by others"):
        load_secret(file)
    file.chmod(0o600)
    file.write_bytes(bytes(31))
    with pytest.raises(SecretFileError, match="31 bytes"):
        load_secret(file)
    with pytest.raises(SecretFileError):
        load_secret(tmp_path)


# Conversations ---------------------------------------------------------------------------


async def test_commit_and_reveal(fake: Fake, make_agent: MakeAgent, start: Ended) -> None:
    """The commitment goes out when it is wanted, and each share once its time has come."""
    table = Table(seat=1)
    start(make_agent().play("t"))
    talk = await fake.accept()
    join = await table.seat_agent(talk, commit_wanted=True)
    commit = await talk.hear_kind("commit")
    assert commit.handle == join.handle

    def request(number: int) -> play_pb2.RevealRequest:
        return play_pb2.RevealRequest(handle=join.handle, round=number)

    talk.say(reveal_request=request(1))
    first = await talk.hear_kind("reveal")
    assert (first.handle, first.round) == (join.handle, 1)
    assert keys.chain_step(table.match_id, 1, table.commit, 1, first.x) == commit.x0
    # Round 1 is not scored, so round 2 is not for anybody to know.
    talk.say(reveal_request=request(2))
    talk.say(reveal_request=request(3))
    await talk.silent()
    talk.say(reveal_request=request(1))
    assert (await talk.hear_kind("reveal")).x == first.x
    talk.say(**table.event(join, round_scored=record_pb2.RoundScored(round=1)))
    talk.say(reveal_request=request(2))
    second = await talk.hear_kind("reveal")
    assert keys.chain_step(table.match_id, 1, table.commit, 2, second.x) == first.x
    talk.end()
    # The same again on the next stream, whatever was recorded of it meanwhile.
    talk = await fake.accept()
    join = await table.seat_agent(talk, commit_wanted=True)
    assert (await talk.hear_kind("commit")).x0 == commit.x0
    talk.say(reveal_request=request(2))
    assert (await talk.hear_kind("reveal")).x == second.x


async def test_an_early_request_is_kept_in_mind(
    fake: Fake, make_agent: MakeAgent, start: Ended
) -> None:
    """If the score arrives after the request, the share follows without another one."""
    table = Table()
    start(make_agent().play("t"))
    talk = await fake.accept()
    join = await table.seat_agent(talk)
    talk.say(reveal_request=play_pb2.RevealRequest(handle=join.handle, round=1))
    await talk.hear_kind("reveal")
    talk.say(reveal_request=play_pb2.RevealRequest(handle=join.handle, round=2))
    await talk.silent()
    talk.say(**table.event(join, round_scored=record_pb2.RoundScored(round=1)))
    assert (await talk.hear_kind("reveal")).round == 2
    await talk.silent()


async def test_an_agent_started_again_goes_on(
    fake: Fake, make_agent: MakeAgent, start: Ended
) -> None:
    """Another process with the same secret reads the record from its beginning."""
    table = Table()
    first = make_agent()
    start(first.play("t"))
    talk = await fake.accept()
    join = await table.seat_agent(talk, commit_wanted=True)
    x0 = (await talk.hear_kind("commit")).x0
    talk.say(reveal_request=play_pb2.RevealRequest(handle=join.handle, round=1))
    x1 = (await talk.hear_kind("reveal")).x
    await first.close()
    start(make_agent().play("t"))
    talk = await fake.accept()
    join = await table.seat_agent(talk)
    assert join.resume_from == 0
    talk.say(**table.event(join, agent_commit=record_pb2.AgentCommit(seat=0, x0=x0)))
    talk.say(**table.event(join, reveal=record_pb2.Reveal(seat=0, round=1, x=x1)))
    talk.say(**table.event(join, round_scored=record_pb2.RoundScored(round=1)))
    talk.say(reveal_request=play_pb2.RevealRequest(handle=join.handle, round=2))
    x2 = (await talk.hear_kind("reveal")).x
    assert keys.chain_step(table.match_id, 0, table.commit, 2, x2) == x1


async def test_shares_of_others_are_theirs(fake: Fake, make_agent: MakeAgent, start: Ended) -> None:
    """What the record says of another seat is neither ours nor a problem."""
    table = Table()
    playing = start(make_agent().play("t"))
    talk = await fake.accept()
    join = await table.seat_agent(talk)
    other = record_pb2.AgentCommit(seat=1, x0=bytes(32))
    talk.say(**table.event(join, agent_commit=other))
    talk.say(**table.event(join, reveal=record_pb2.Reveal(seat=1, round=1, x=bytes(32))))
    talk.say(reveal_request=play_pb2.RevealRequest(handle=join.handle, round=1))
    await talk.hear_kind("reveal")
    table.finish(talk, join)
    assert (await playing).problems == ()


async def test_a_request_does_not_outlive_its_stream(
    fake: Fake, make_agent: MakeAgent, start: Ended
) -> None:
    """What was asked too early on a lost stream is answered only if it is asked again."""
    table = Table()
    start(make_agent().play("t"))
    talk = await fake.accept()
    join = await table.seat_agent(talk)
    talk.say(reveal_request=play_pb2.RevealRequest(handle=join.handle, round=1))
    await talk.hear_kind("reveal")
    talk.say(reveal_request=play_pb2.RevealRequest(handle=join.handle, round=2))
    await talk.silent()
    talk.end()
    talk = await fake.accept()
    join = await table.seat_agent(talk)
    talk.say(**table.event(join, round_scored=record_pb2.RoundScored(round=1)))
    await talk.silent()


async def test_without_shares_none_is_committed(
    fake: Fake, make_agent: MakeAgent, start: Ended, tmp_path: Path
) -> None:
    """The agent says so at once, needs no secret, and reveals nothing."""
    table = Table()
    start(make_agent(shares=False, secret_file=tmp_path / "none").play("t"))
    talk = await fake.accept()
    join = await table.seat_agent(talk, commit_wanted=True)
    assert not (await talk.hear_kind("commit")).HasField("x0")
    talk.say(reveal_request=play_pb2.RevealRequest(handle=join.handle, round=1))
    await talk.silent()
    assert not (tmp_path / "none").exists()


# What the referee says at the end ----------------------------------------------------------


@pytest.mark.parametrize(
    ("changes", "problem"),
    [
        ({"seed": bytes(32)}, "the seed does not open the commitment that was given"),
        ({"seed": b""}, "the seed was lost: the draws cannot be proved"),
        ({"signature": bytes(64)}, "the signature does not hold"),
        ({"signature": b"short"}, "the signature does not hold"),
        ({"public_key": bytes(32)}, "the key that signed is not the one of the set-up"),
        ({"frames": 8}, "the signature does not hold"),
    ],
)
async def test_a_broken_word_is_told(
    fake: Fake, make_agent: MakeAgent, start: Ended, changes: dict[str, Any], problem: str
) -> None:
    """The result says what does not hold."""
    table = Table()
    playing = start(make_agent().play("t"))
    talk = await fake.accept()
    join = await table.seat_agent(talk)
    table.finish(talk, join, **changes)
    result = await playing
    assert problem in result.problems
    assert f"PROBLEM: {problem}" in str(result)


async def test_two_accounts_of_one_match_are_told(
    fake: Fake, make_agent: MakeAgent, start: Ended, tmp_path: Path
) -> None:
    """Another set-up after a reconnect, other links, foreign shares: all of it is evidence."""
    table = Table()
    playing = start(make_agent(evidence=tmp_path / "kept").play("t"))
    talk = await fake.accept()
    join = await table.seat_agent(talk)
    talk.say(**table.event(join, link=b"\x01" * 32, setup=b""))
    await talk.silent()
    file = tmp_path / "kept" / f"{table.match_id.hex()}-0.json"
    assert json.loads(file.read_text(encoding="utf-8"))["closed"] is None
    talk.end()
    talk = await fake.accept()
    join = await table.seat_agent(talk, setup=b"")
    table.events = 0
    talk.say(**table.event(join, link=b"\x02" * 32, setup=b""))
    foreign = record_pb2.AgentCommit(seat=0, x0=bytes(32))
    talk.say(**table.event(join, agent_commit=foreign))
    talk.say(**table.event(join, reveal=record_pb2.Reveal(seat=0, round=1, x=bytes(32))))
    # What others say of themselves is not for this seat to judge.
    talk.say(**table.event(join, reveal=record_pb2.Reveal(seat=1, round=1, x=bytes(32))))
    table.events = 8
    talk.say(**table.event(join, link=b"\x03" * 32))
    table.finish(talk, join)
    result = await playing
    assert result.problems == (
        "the match was described differently when the seat was taken up again",
        "frame 0 was told with two different links",
        "the record holds a commitment of this seat that is not ours",
        "the record holds a reveal of this seat that is not ours",
        "the link that was signed is not the one that was told",
    )
    kept = json.loads(file.read_text(encoding="utf-8"))
    assert kept["problems"] == list(result.problems)
    assert (kept["format"], kept["match_id"]) == (proof.FORMAT, table.match_id.hex())
    assert (kept["setup"], kept["server_commit"]) == (table.setup.hex(), table.commit.hex())
    assert kept["links"] == {"0": "01" * 32, "8": "03" * 32}
    assert (kept["closed"]["seed"], kept["closed"]["frames"]) == (table.seed.hex(), 9)


def test_without_a_library_signatures_are_left_unchecked(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """PyNaCl is optional: nothing is claimed without it."""
    closed = Table().closed(play_pb2.Join(), signature=bytes(64))["match_closed"]
    assert proof.signature_holds(bytes(16), closed) is False
    monkeypatch.setitem(__import__("sys").modules, "nacl.signing", None)
    assert proof.signature_holds(bytes(16), closed) is None
