"""A second referee, a signal, too few descriptors, and certificates that are none."""

import asyncio
import datetime as dt
import random
import resource
import signal
import socket
from pathlib import Path
from typing import Any

import grpc
import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID

from referee.service.settings import Tls
from referee.transcript import reader
from referee.v1 import play_pb2 as pb
from tests.service.here import serving, until
from tests.service.hostile.calls import Calls
from tests.service.hostile.court import Court, table
from tests.service.hostile.healthy import Enduring
from tests.service.process import Died, Referee
from tests.service.raw_agent import RawAgent, Seat, always
from tests.service.requests import assert_proved, finished, kinds, request

OPEN = 100


async def test_a_second_referee_on_the_same_port(bar: Court, tmp_path: Path) -> None:
    """It does not start, and the first one does not notice."""
    port = bar.running.server.port
    async with Referee(tmp_path, port=port) as second:
        with pytest.raises(Died, match=r"(?s)CannotServe.*in use"):
            await second.start()
    bar.healthy.look()


async def test_a_second_referee_on_the_same_folder(bar: Court) -> None:
    """The lock keeps it out before it reads or writes anything."""
    before = sorted(path.name for path in bar.data.iterdir())
    async with Referee(bar.data) as second:
        with pytest.raises(Died, match="lock"):
            await second.start()
    (bar.data / "log").unlink()
    assert sorted(path.name for path in bar.data.iterdir()) == before


async def test_sigterm_with_open_matches(tmp_path: Path) -> None:
    """It ends in order; every match goes on at the next start, and so do honest ones beside."""
    async with Referee(tmp_path) as referee:
        await referee.start()
        made = await asyncio.gather(*(referee.create(request(round_cap=1)) for _ in range(OPEN)))
        async with Enduring(referee) as healthy:
            async with Calls(referee.address) as calls:
                for one in made[:10]:
                    assert one is not None
                    async with table(calls, one) as game:
                        await game.play(2)
                healthy.look()
                referee.signal(signal.SIGTERM)
                await referee.prepare()
                assert await referee.ended() == 0
            assert "Traceback" not in referee.log
            assert not list((tmp_path / "journal").iterdir())
            before = healthy.played
            await referee.start()
            assert referee.log.count('"match resumed"') >= 10
            seats = [
                Seat(token.token, random.Random(1)) for one in made if one for token in one.tokens
            ]
            async with asyncio.timeout(60):
                await RawAgent(seats, always(referee.address)).play()
            await until(lambda: healthy.played > before + 2)
        await referee.stop()
    for one in made:
        assert one is not None
        transcript = finished(tmp_path, bytes.fromhex(one.match.match_id))
        assert_proved(transcript)
        assert "game_over" in kinds(transcript)


async def test_connections_leave_descriptors_for_files(tmp_path: Path) -> None:
    """Idle connections are turned away before files go short: matches are made, go on and end."""
    async with Referee(tmp_path) as referee:
        await referee.prepare()
        assert referee._next is not None
        resource.prlimit(referee._next.pid, resource.RLIMIT_NOFILE, (120, 120))
        await referee.start()
        async with Calls(referee.address, referee.organiser) as calls:
            await calls.ask("ListMatches")
            sockets = []
            for _ in range(300):
                one = socket.socket()
                one.setblocking(False)
                one.connect_ex(("127.0.0.1", referee.port))
                sockets.append(one)
            for _ in range(5):
                made = await calls.send("CreateMatch", request().SerializeToString())
                async with table(calls, made) as game:
                    await game.play(5)
                    seat, _ = await game.turn()
                    await game.talks[seat].say(pb.AgentMessage(give_up=pb.GiveUp(handle=1)))
                    await game.talks[1 - seat].hear("match_closed")
                found = await calls.ask("GetTranscript", match_id=made.match.match_id)
                assert_proved(reader.read(found.data))
            for one in sockets:
                one.close()
    assert "Too many open files" not in referee.log
    assert "descriptor limit" not in referee.log


# Certificates -----------------------------------------------------------------------------------


Pair = tuple[x509.Certificate, ec.EllipticCurvePrivateKey]


def certificate(folder: Path, name: str, issuer: Pair | None = None) -> Pair:
    """Make a certificate and its key, and write both."""
    key = ec.generate_private_key(ec.SECP256R1())
    subject = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, name)])
    now = dt.datetime.now(dt.UTC)
    made = (
        x509.CertificateBuilder()
        .subject_name(subject)
        .issuer_name(issuer[0].subject if issuer else subject)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - dt.timedelta(days=1))
        .not_valid_after(now + dt.timedelta(days=1))
        .add_extension(x509.SubjectAlternativeName([x509.DNSName("localhost")]), critical=False)
        .add_extension(x509.BasicConstraints(ca=issuer is None, path_length=None), critical=True)
        .sign(issuer[1] if issuer else key, hashes.SHA256())
    )
    (folder / f"{name}.pem").write_bytes(made.public_bytes(serialization.Encoding.PEM))
    (folder / f"{name}.key").write_bytes(
        key.private_bytes(
            serialization.Encoding.PEM,
            serialization.PrivateFormat.PKCS8,
            serialization.NoEncryption(),
        )
    )
    return made, key


async def test_wrong_and_missing_client_certificates(tmp_path: Path) -> None:
    """Without a certificate of the right authority nobody gets as far as a call."""
    ca = certificate(tmp_path, "ca")
    certificate(tmp_path, "server", ca)
    certificate(tmp_path, "client", ca)
    stranger = certificate(tmp_path, "stranger")
    certificate(tmp_path, "forged", stranger)
    tls = Tls(tmp_path / "server.pem", tmp_path / "server.key", tmp_path / "ca.pem")
    data = tmp_path / "data"
    data.mkdir()
    async with serving(data, tls=tls) as running:
        for name, good in (("client", True), ("forged", False), ("", False)):
            pair = [
                (tmp_path / f"{name}.{end}").read_bytes() if name else None
                for end in ("key", "pem")
            ]
            credentials = grpc.ssl_channel_credentials((tmp_path / "ca.pem").read_bytes(), *pair)
            address = f"localhost:{running.server.port}"
            async with grpc.aio.secure_channel(address, credentials) as channel:
                ask: Any = channel.unary_unary("/referee.v1.MatchService/ListMatches")
                if good:
                    await ask(b"", timeout=10)
                    continue
                with pytest.raises(grpc.aio.AioRpcError) as caught:
                    await ask(b"", timeout=10)
                assert caught.value.code() is grpc.StatusCode.UNAVAILABLE
        # And without TLS at all, or with half a handshake: nobody else waits for them.
        halves = [
            await asyncio.open_connection("127.0.0.1", running.server.port) for _ in range(50)
        ]
        for _, writer in halves:
            writer.write(b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03")
        async with Calls(f"127.0.0.1:{running.server.port}") as calls:
            assert await calls.refusal("ListMatches", b"") == ""
        for _, writer in halves:
            writer.transport.abort()
