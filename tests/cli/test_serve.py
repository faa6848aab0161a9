"""`referee serve`: its options and where they come from, what stops it, and who may connect."""

import ipaddress
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID

from azul_agent import Tls
from referee.cli import serve
from referee.cli.home import data_folder
from referee.service.settings import Settings
from tests.cli.serving import line_with, play, run, serving, start

EXIT_CANNOT_SERVE = serve.EXIT_CANNOT_SERVE

Parse = Callable[..., Settings]


@pytest.fixture
def parse(monkeypatch: pytest.MonkeyPatch) -> Parse:
    """Return what reads the options of `serve` and returns what would be served."""
    served: list[Settings] = []
    monkeypatch.setattr(serve, "_serve", lambda settings, _: served.append(settings))
    monkeypatch.setattr("referee.service.logs.configure", lambda **_: None)

    def read(*arguments: str, **environment: str) -> Settings:
        clean = dict.fromkeys(("REFEREE_DATA", "REFEREE_HOME", "REFEREE_CONFIG")) | environment
        done = CliRunner().invoke(serve.command, arguments, env=clean)
        assert done.exit_code == 0, done.output
        return served.pop()

    return read


def test_without_any_option(parse: Parse) -> None:
    """It serves this machine alone, with the defaults of the service, where `token` looks."""
    assert parse() == Settings(data=data_folder())
    assert parse(REFEREE_HOME="/home-of") == Settings(data=Path("/home-of/data"))


def test_the_command_line_beats_the_environment_beats_the_file(
    parse: Parse, tmp_path: Path
) -> None:
    """Each for itself."""
    file = tmp_path / "referee.toml"
    file.write_text(
        'port = 1001\ngrace = "1s"\ndurability = "off"\ntime = "limit=3s"\nreflection = true\n'
        'data = "matches"\nmetrics-port = 9100\nlog-format = "json"\n'
    )
    given = parse(
        *("--config", str(file), "--grace", "3s"), REFEREE_DURABILITY="batch", REFEREE_GRACE="2s"
    )
    # Of the command line, of the environment, and the rest of the file.
    assert given.grace_ns == 3_000_000_000
    assert given.durability.value == "batch"
    assert (given.port, given.clock.move_limit_ns) == (1001, 3_000_000_000)
    assert (given.reflection, given.metrics_port, given.log_json) == (True, 9100, True)
    # A path in a file starts at the folder of the file.
    assert given.data == tmp_path / "matches"
    assert parse(REFEREE_CONFIG=str(file), REFEREE_DATA="x").data == Path("x")


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("prot = 1", "no option 'prot'"),
        ("config = 'other.toml'", "no option 'config'"),
        ("[port]\nx = 1", "port is a text or a whole number"),
        ("port = true", "port is a text or a whole number"),
        ("reflection = 1", "reflection is true or false"),
        ("port = 65536", "referee.toml: port: 65536 is not in the range"),
        ('port = "many"', "referee.toml: port: 'many' is not a valid integer"),
        ("grace = 5", "referee.toml: grace: a duration is like"),
        ('time = "fast"', "referee.toml: time: a clock is like"),
        ('durability = "none"', "referee.toml: durability: 'none' is not one of"),
        ("port = ", "is not TOML"),
        ('tls-cert = "x"', "both, --tls-cert and --tls-key"),
        ('tls-client-ca = "x"', "--tls-client-ca needs"),
    ],
)
def test_a_file_that_is_wrong(text: str, problem: str, tmp_path: Path) -> None:
    """The key or what is wrong with it is named."""
    file = tmp_path / "referee.toml"
    file.write_text(text)
    done = CliRunner().invoke(serve.command, ["--config", str(file)])
    assert done.exit_code == 2
    assert problem in " ".join(done.output.split())


def test_a_file_that_is_not_there(tmp_path: Path) -> None:
    """Is an error, too."""
    done = CliRunner().invoke(serve.command, ["--config", str(tmp_path / "none.toml")])
    assert done.exit_code == 2
    assert "cannot be read: No such file" in done.output


@pytest.mark.parametrize(
    ("settings", "warned"),
    [
        ({}, False),
        ({"host": "localhost"}, False),
        ({"host": "::1"}, False),
        ({"host": "127.1.2.3"}, False),
        ({"host": "0.0.0.0"}, True),
        ({"host": "::"}, True),
        ({"host": "referee.example"}, True),
    ],
)
def test_other_machines_without_tls_are_warned_of(settings: Any, warned: bool) -> None:
    """In one line."""
    lines = serve._hints(Settings(data=Path("d"), **settings), "address:1")
    assert sum("WARNING" in line for line in lines) == warned


@pytest.mark.parametrize(
    ("host", "named"),
    [
        ("0.0.0.0", "localhost:5"),
        ("::", "localhost:5"),
        ("::1", "[::1]:5"),
        ("10.0.0.1", "10.0.0.1:5"),
    ],
)
def test_what_is_shown_to_be_typed_can_be_called(host: str, named: str) -> None:
    """Every address is none to call: the next terminal is on this machine."""
    lines = serve._hints(Settings(data=Path("d"), host=host), serve._address(host, 5))
    assert lines[0] == f"listening on {serve._address(host, 5)}"
    assert f"  export REFEREE_SERVER={named}" in lines


async def test_a_certificate_that_is_missing_is_found_before_anything_is_made(
    tmp_path: Path,
) -> None:
    """No data directory, and above all no key that nobody wanted."""
    data, none = tmp_path / "data", str(tmp_path / "none.pem")
    done = await run("serve", "--data", str(data), "--tls-cert", none, "--tls-key", none)
    assert done.code == EXIT_CANNOT_SERVE
    assert f"cannot serve: {none} cannot be read: No such file" in done.err
    assert not data.exists()


async def test_the_data_directory_is_for_its_owner_alone(tmp_path: Path) -> None:
    """Whoever cannot enter it reads nothing below; one that was there keeps its mode."""
    data = tmp_path / "data"
    async with serving(data):
        assert data.stat().st_mode & 0o777 == 0o700
    data.chmod(0o750)
    async with serving(data):
        assert data.stat().st_mode & 0o777 == 0o750


# What stops it -----------------------------------------------------------------------------------


async def test_a_second_referee(tmp_path: Path) -> None:
    """On the same port or the same data directory it says so and leaves the first alone."""
    async with serving(tmp_path / "one") as one:
        same_port = await run("serve", "--data", str(tmp_path / "two"), "--port", one.port)
        assert same_port.code == EXIT_CANNOT_SERVE
        assert same_port.err.splitlines()[-1].startswith(
            f"referee: cannot serve: cannot listen on 127.0.0.1:{one.port}"
        )
        same_data = await run("serve", "--data", str(one.data), "--port", "0")
        assert same_data.code == EXIT_CANNOT_SERVE
        assert "another referee is running on the folder" in same_data.err
        metrics = await run(
            *("serve", "--data", str(tmp_path / "two"), "--port", "0"),
            *("--metrics-port", one.port),
        )
        assert metrics.code == EXIT_CANNOT_SERVE
        assert f"cannot serve metrics on port {one.port}: Address already in use" in metrics.err
        assert await one.out("match", "list")


async def test_open_matches_under_another_key(tmp_path: Path) -> None:
    """They would be orphaned, so nothing is served."""
    async with serving(tmp_path / "data") as referee:
        match_id, _ = await referee.create("azul", "--seat", "a", "--seat", "b")
    (tmp_path / "data" / "signing-key.pem").unlink()
    done = await run("serve", "--data", str(tmp_path / "data"), "--port", "0")
    assert done.code == EXIT_CANNOT_SERVE
    assert f"open match {match_id} was begun under another signing key" in done.err


async def test_a_data_directory_that_cannot_be(tmp_path: Path) -> None:
    """A file stands in its place."""
    (tmp_path / "file").touch()
    done = await run("serve", "--data", str(tmp_path / "file" / "data"), "--port", "0")
    assert done.code == EXIT_CANNOT_SERVE
    assert len(done.err.splitlines()) == 1
    assert "Not a directory" in done.err


async def test_a_data_directory_that_only_the_kernel_writes() -> None:
    """Not even the superuser makes a folder in `/proc`: it is said in a line, and that is all."""
    done = await run("serve", "--data", "/proc/self/referee", "--port", "0")
    assert done.code == EXIT_CANNOT_SERVE
    assert done.out == ""
    assert len(done.err.splitlines()) == 1
    assert "/proc/self/referee" in done.err


async def test_sigterm_and_a_restart(tmp_path: Path) -> None:
    """A match goes on after it, and so does whoever watches."""
    async with serving(tmp_path / "data") as referee:
        match_id, tokens = await referee.create("azul", "--seat", "a", "--seat", "b")
        watching = await start("watch", match_id, "--json", REFEREE_SERVER=referee.address)
        await line_with(watching, '"server_commit"')
        stopped = await referee.stop()
        assert (stopped.code, stopped.err) == (0, "")
    async with serving(tmp_path / "data", port=referee.port) as again:
        results = await play(again, tokens, tmp_path)
        assert [result.problems for result in results] == [(), ()]
        out, err = await watching.communicate()
        lines = out.decode().splitlines()
        assert watching.returncode == 0
        assert '"verdict": "OK"' in lines[-1]
        assert any('"kind": "restart"' in line for line in lines)
        assert err.decode() == "referee: the referee has gone; waiting for it to come back\n"


# TLS ---------------------------------------------------------------------------------------------


class Authority:
    """Makes certificates for one test."""

    def __init__(self, folder: Path, name: str) -> None:
        self._folder = folder
        self._key = ec.generate_private_key(ec.SECP256R1())
        self._name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, name)])
        self.file = self._write(f"{name}.pem", self._sign(self._name, self._key, is_ca=True))

    def certificate(self, name: str) -> tuple[Path, Path]:
        """Return the files of a certificate for this machine, and of its key."""
        key = ec.generate_private_key(ec.SECP256R1())
        subject = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, name)])
        data = key.private_bytes(
            serialization.Encoding.PEM,
            serialization.PrivateFormat.PKCS8,
            serialization.NoEncryption(),
        )
        return self._write(f"{name}.crt", self._sign(subject, key)), self._write(
            f"{name}.key", data
        )

    def _sign(
        self, subject: x509.Name, key: ec.EllipticCurvePrivateKey, *, is_ca: bool = False
    ) -> bytes:
        now = datetime.now(UTC)
        names = [x509.DNSName("localhost"), x509.IPAddress(ipaddress.ip_address("127.0.0.1"))]
        certificate = (
            x509.CertificateBuilder()
            .subject_name(subject)
            .issuer_name(self._name)
            .public_key(key.public_key())
            .serial_number(x509.random_serial_number())
            .not_valid_before(now - timedelta(hours=1))
            .not_valid_after(now + timedelta(hours=1))
            .add_extension(x509.SubjectAlternativeName(names), critical=False)
            .add_extension(x509.BasicConstraints(ca=is_ca, path_length=None), critical=True)
            .sign(self._key, hashes.SHA256())
        )
        return certificate.public_bytes(serialization.Encoding.PEM)

    def _write(self, name: str, data: bytes) -> Path:
        path = self._folder / name
        path.write_bytes(data)
        return path


async def test_tls_with_and_without_certificates_of_callers(tmp_path: Path) -> None:
    """An encrypted match; a stranger's certificate, none, or no encryption are not let in."""
    ours, others = Authority(tmp_path, "ours"), Authority(tmp_path, "others")
    certificate, key = map(str, ours.certificate("referee"))
    caller = ours.certificate("caller")
    own = [str(file) for file in caller]
    tls = Tls(ours.file.read_bytes(), caller[0].read_bytes(), caller[1].read_bytes())
    foreign = [str(file) for file in others.certificate("stranger")]
    ca = ("--ca", str(ours.file))
    options = ("--tls-cert", certificate, "--tls-key", key)
    async with serving(tmp_path / "data", *options) as referee:
        assert await referee.out("match", "list", *ca)
        for wrong in ((), ("--ca", str(others.file))):
            refused = await referee.run("match", "list", *wrong)
            assert (refused.code, refused.out) == (3, "")
            assert "no referee can be reached" in refused.err
    # With the certificates of callers demanded.
    async with serving(tmp_path / "data", *options, "--tls-client-ca", str(ours.file)) as referee:
        mutual = (*ca, "--cert", own[0], "--key", own[1])
        match_id, tokens = await referee.create("duel", "--seat", "a", "--seat", "b", *mutual)
        results = await play(referee, tokens, tmp_path, tls)
        assert [result.problems for result in results] == [(), ()]
        shown = await referee.out("match", "show", match_id, *mutual)
        assert "finished" in shown
        for stranger in (ca, (*ca, "--cert", foreign[0], "--key", foreign[1])):
            refused = await referee.run("match", "list", *stranger)
            assert (refused.code, refused.out) == (3, "")


async def test_certificates_that_cannot_be_used(tmp_path: Path) -> None:
    """The file is named."""
    authority = Authority(tmp_path, "ours")
    certificate, key = map(str, authority.certificate("referee"))
    other_key = str(authority.certificate("other")[1])
    (tmp_path / "junk").write_text("junk")
    junk, none = str(tmp_path / "junk"), str(tmp_path / "none")
    common = ("serve", "--data", str(tmp_path / "data"), "--port", "0")
    for options, problem in (
        ((none, key), f"{none} cannot be read: No such file"),
        ((certificate, junk), "are not a certificate and its key"),
        ((certificate, other_key), "are not a certificate and its key"),
        ((certificate, key, "--tls-client-ca", junk), f"{junk} has no certificate"),
    ):
        more = ("--tls-cert", options[0], "--tls-key", *options[1:])
        done = await run(*common, *more)
        assert done.code == EXIT_CANNOT_SERVE
        assert problem in done.err
