"""No secret is seen before its time, by anybody, in any form (P-R2, P-S5)."""

import base64
import contextlib
import stat
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import grpc

from referee.draws import fixed_player_seed
from referee.v1 import match_pb2
from referee.v1 import play_pb2 as pb
from tests.service.hostile.calls import MATCHES, Calls
from tests.service.hostile.court import Table, table
from tests.service.hostile.healthy import Healthy
from tests.service.process import Referee
from tests.service.requests import request

SEED = bytes.fromhex("c0ffee5eed" * 6 + "c0ff")


def forms(secret: bytes) -> Iterator[bytes]:
    """Return every form in which bytes are written down."""
    yield secret
    yield secret.hex().encode()
    yield secret.hex().upper().encode()
    for encoded in (base64.b64encode(secret), base64.urlsafe_b64encode(secret)):
        yield encoded.rstrip(b"=")
    yield str(list(secret))[1:-1].encode()
    yield repr(secret)[2:-1].encode()
    yield str(int.from_bytes(secret, "big")).encode()


def found(secret: bytes, data: bytes) -> bool:
    """Return whether a secret stands in some bytes, whole or its first half."""
    return any(form in data for part in (secret, secret[:16]) for form in forms(part))


def test_the_search_finds_what_it_looks_for() -> None:
    """A canary that cannot be found proves nothing."""
    for form in forms(SEED):
        assert found(SEED, b"x" + form + b"y")
    assert not found(SEED, bytes(100))


def files(data: Path) -> dict[str, bytes]:
    """Return all files of a data directory but for the secrets themselves."""
    return {
        str(path.relative_to(data)): path.read_bytes()
        for path in data.rglob("*")
        if path.is_file() and path.parent.name != "secrets"
    }


async def everything(calls: Calls, match_id: str) -> list[bytes]:
    """Return what all calls tell of an open match."""
    data = match_pb2.GetMatchRequest(match_id=match_id).SerializeToString()
    told = []
    for name in ("GetMatch", "GetTranscript", "VerifyTranscript"):
        unary: Any = calls.channel.unary_unary(MATCHES + name)
        with contextlib.suppress(grpc.aio.AioRpcError):
            told.append(await unary(data, metadata=calls.metadata, timeout=30))
    lists: Any = calls.channel.unary_unary(MATCHES + "ListMatches")
    told.append(await lists(b"", metadata=calls.metadata, timeout=30))
    watched: Any = calls.channel.unary_stream(MATCHES + "WatchMatch")
    watch = watched(data, metadata=calls.metadata)
    told.append(await watch.read())
    watch.cancel()
    return [one for one in told if isinstance(one, bytes)]


async def test_seed_and_tokens_are_seen_by_nobody(tmp_path: Path) -> None:
    """A known seed and known tokens: all that is sent, logged and stored is searched for them."""
    async with Referee(tmp_path) as referee:
        await referee.start()
        asked = request("duel", clock=None)
        asked.fixed_seed = SEED
        async with (
            Healthy(referee.address, referee.organiser, 1),
            Calls(referee.address, referee.organiser) as organiser,
            Calls(referee.address) as anybody,
        ):
            made = await organiser.send("CreateMatch", asked.SerializeToString())
            async with table(anybody, made) as game:
                await game.play(12)
                await game.turn()
                sent = await everything(organiser, game.match_id)
                sent += await everything(anybody, game.match_id)
                sent += [frame for talk in game.talks for frame in talk.kept]
                stored = files(tmp_path)
                check(tmp_path, referee, game, sent, stored)
                for seat, talk in enumerate(game.talks):
                    other = fixed_player_seed(SEED, 1 - seat)
                    assert other not in b"".join(talk.kept)
                give_up = pb.AgentMessage(give_up=pb.GiveUp(handle=1))
                for talk in game.talks:
                    await talk.say(give_up)
                closed = (await game.talks[0].hear("match_closed")).match_closed
                assert closed.seed == SEED
        tokens(referee, game, files(tmp_path))


def check(
    data: Path, referee: Referee, game: Table, sent: list[bytes], stored: dict[str, bytes]
) -> None:
    """Look for the seed before it is revealed."""
    secret = data / "secrets" / game.match_id
    assert SEED in secret.read_bytes()
    for name, content in stored.items():
        assert not found(SEED, content), name
    assert len(sent) > 10
    assert not any(found(SEED, one) for one in sent)
    for path in (secret, data / "token-key", data / "signing-key.pem"):
        assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert stat.S_IMODE(secret.parent.stat().st_mode) == 0o700
    key = (data / "token-key").read_bytes()
    assert not any(found(key, one) for one in sent)
    tokens(referee, game, stored)


def tokens(referee: Referee, game: Table, stored: dict[str, bytes]) -> None:
    """Look for tokens, which stand nowhere in clear."""
    for token in (referee.organiser, game.token(0), game.token(1)):
        for name, content in stored.items():
            assert token.encode() not in content, name
            assert token[4:].encode() not in content, name
