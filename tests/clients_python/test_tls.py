"""Certificates: the agent knows its referee, and the referee its agent."""

import datetime as dt
import ipaddress

import grpc
import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID

from azul_agent import Pacing, Tls, Unreachable
from tests.clients_python.conftest import Ended, MakeAgent
from tests.clients_python.fake import Fake


def certificate() -> tuple[bytes, bytes]:
    """Return a self-signed certificate of this machine and its key."""
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "test")])
    now = dt.datetime.now(dt.UTC)
    address = x509.IPAddress(ipaddress.ip_address("127.0.0.1"))
    made = (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(name)
        .public_key(key.public_key())
        .serial_number(1)
        .not_valid_before(now - dt.timedelta(days=1))
        .not_valid_after(now + dt.timedelta(days=1))
        .add_extension(x509.SubjectAlternativeName([address]), critical=False)
        .add_extension(x509.BasicConstraints(ca=True, path_length=None), critical=True)
        .sign(key, hashes.SHA256())
    )
    return made.public_bytes(serialization.Encoding.PEM), key.private_bytes(
        serialization.Encoding.PEM,
        serialization.PrivateFormat.PKCS8,
        serialization.NoEncryption(),
    )


async def test_both_sides_show_who_they_are(make_agent: MakeAgent, start: Ended) -> None:
    """With the right certificates the agent is let in; without its own it is not."""
    (server, server_key), (client, client_key) = certificate(), certificate()
    credentials = grpc.ssl_server_credentials(
        [(server_key, server)], root_certificates=client, require_client_auth=True
    )
    fake = Fake(credentials)
    await fake.start()
    try:
        start(make_agent(target=fake.target, tls=Tls(server, client, client_key)).play("t"))
        talk = await fake.accept()
        assert (await talk.hear_kind("join")).seat_token == "t"
        once = Pacing(attempts=1)
        for wrong in (Tls(server), Tls(client, client, client_key), None):
            with pytest.raises(Unreachable):
                await make_agent(target=fake.target, tls=wrong, pacing=once).play("t")
    finally:
        await fake.stop()
