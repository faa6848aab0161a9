"""How commands reach a referee: the options for it, the calls, and what their failures mean.

Every failed call becomes one sentence with the reason that the referee gave, and an exit code
by its kind; the table of both is here and nowhere else.
"""

import functools
import os
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

import click

from referee.cli.text import printable

if TYPE_CHECKING:
    import grpc

DEFAULT_SERVER = "127.0.0.1:50051"
CALL_S = 30.0
# A call that was lost on the way is made again so often, after so long.
RETRY_S = (0.2, 0.6)
MAX_RECEIVED_BYTES = 64 << 20

EXIT_FAILED = 1
EXIT_USAGE = 2
EXIT_NOT_THERE = 3
EXIT_NOT_ALLOWED = 4
EXIT_NOT_FOUND = 5
EXIT_NOT_NOW = 6
EXITS = {
    "UNAUTHENTICATED": EXIT_NOT_ALLOWED,
    "NOT_ALLOWED": EXIT_NOT_ALLOWED,
    "INVALID_ARGUMENT": EXIT_USAGE,
    "INVALID_SETUP": EXIT_USAGE,
    "NOT_RATEABLE": EXIT_USAGE,
    "MATCH_NOT_FOUND": EXIT_NOT_FOUND,
    "REQUEST_ID_REUSED": EXIT_NOT_NOW,
    "MATCH_ENDED": EXIT_NOT_NOW,
    "NOT_SIGNED": EXIT_NOT_NOW,
    "LIMIT": EXIT_NOT_NOW,
    "RATE": EXIT_NOT_NOW,
    "SLOW_READER": EXIT_NOT_NOW,
    "SILENT": EXIT_NOT_NOW,
    "PROTOCOL": EXIT_FAILED,
    "DRAINING": EXIT_NOT_NOW,
    "STORAGE": EXIT_FAILED,
    "INTERNAL": EXIT_FAILED,
}
EXIT_HELP = (
    "Exit code: 1 the referee failed, 2 the request is wrong, 3 no referee is there, 4 it is not"
    " allowed, 5 there is no such match, 6 not now."
)

R = TypeVar("R")


class CallFailed(click.ClickException):
    """A call that failed; ``is_lost`` if it may never have reached a referee."""

    def __init__(self, message: str, exit_code: int, *, is_lost: bool = False) -> None:
        super().__init__(message)
        self.exit_code = exit_code  # type: ignore[misc]  # click asks the instance
        self.is_lost = is_lost

    def show(self, file: Any = None) -> None:  # noqa: ANN401  click's own signature
        """Say it in the form of all other errors."""
        click.echo(f"referee: {self.message}", err=True, file=file)


class Connection(NamedTuple):
    """Where a referee is, and who calls."""

    server: str
    token: str | None
    tls: bool
    ca: str | None
    cert: str | None
    key: str | None

    @contextmanager
    def open(self) -> "Iterator[Calls]":
        """Connect for the calls of one command."""
        # What gRPC's core has to say is said in a sentence here.
        os.environ.setdefault("GRPC_VERBOSITY", "NONE")
        import grpc

        from azul_agent.unreachable import is_address

        if not is_address(self.server):
            raise click.UsageError(
                f"--server (REFEREE_SERVER) is HOST:PORT, such as {DEFAULT_SERVER}, not"
                f" {printable(self.server)}"
            )
        options = [
            ("grpc.max_receive_message_length", MAX_RECEIVED_BYTES),
            # When to try again is for the command to say, not for the channel.
            ("grpc.initial_reconnect_backoff_ms", 100),
            ("grpc.max_reconnect_backoff_ms", 200),
        ]
        try:
            if self.tls or self.ca or self.cert:
                channel = grpc.secure_channel(self.server, self._credentials(), options)
            else:
                channel = grpc.insecure_channel(self.server, options)
        except ValueError as error:
            raise click.UsageError(f"--server: {printable(str(error))}") from error
        with channel:
            yield Calls(self, channel)

    def _credentials(self) -> "grpc.ChannelCredentials":
        import grpc

        if bool(self.cert) != bool(self.key):
            raise click.UsageError("--cert and --key go together")
        return grpc.ssl_channel_credentials(_read(self.ca), _read(self.key), _read(self.cert))


def _read(path: str | None) -> bytes | None:
    if path is None:
        return None
    try:
        return Path(path).read_bytes()
    except OSError as error:
        raise click.UsageError(f"{printable(path)} cannot be read: {error.strerror}") from error


class Calls:
    """The calls of organisers and spectators; each raises `CallFailed`."""

    def __init__(self, connection: Connection, channel: "grpc.Channel") -> None:
        from referee.v1.match_pb2_grpc import MatchServiceStub

        self._connection = connection
        self._stub = MatchServiceStub(channel)
        token = connection.token
        self._metadata = [("authorization", f"Bearer {token}")] if token else []

    def call(self, name: str, request: Any) -> Any:  # noqa: ANN401  any call of the service
        """Make a call; one that was lost on the way is made again, so it must be repeatable."""
        for wait_s in (*RETRY_S, None):
            try:
                return self._once(name, request)
            except CallFailed as error:
                if wait_s is None or not error.is_lost:
                    raise
                time.sleep(wait_s)
        raise AssertionError

    def _once(self, name: str, request: Any) -> Any:  # noqa: ANN401
        import grpc

        try:
            return getattr(self._stub, name)(request, timeout=CALL_S, metadata=self._metadata)
        except grpc.RpcError as error:
            raise failure(error, self._connection) from error

    def stream(self, name: str, request: Any) -> Iterator[Any]:  # noqa: ANN401
        """Make a call that answers again and again, and is not made a second time."""
        import grpc

        answers = getattr(self._stub, name)(request, metadata=self._metadata)
        try:
            yield from answers
        except grpc.RpcError as error:
            raise failure(error, self._connection) from error
        finally:
            answers.cancel()


def failure(error: "grpc.RpcError", connection: Connection) -> CallFailed:
    """Return what a failed call means to a person, and the exit code of its kind."""
    import grpc

    assert isinstance(error, grpc.Call)
    server = printable(connection.server)
    words = printable(error.details() or error.code().name, 2_000)
    reason = _reason(error)
    if reason == "UNAUTHENTICATED" and not connection.token:
        text = "this needs a token: --token or REFEREE_TOKEN (UNAUTHENTICATED)"
        return CallFailed(text, EXIT_NOT_ALLOWED)
    if reason == "UNAUTHENTICATED":
        words += "; see --token and REFEREE_TOKEN"
    if reason is not None:
        lost = reason == "DRAINING"
        return CallFailed(f"{words} ({reason})", EXITS.get(reason, EXIT_FAILED), is_lost=lost)
    if error.code() is grpc.StatusCode.UNAVAILABLE:
        from azul_agent.unreachable import why

        secure = bool(connection.tls or connection.ca or connection.cert)
        how = "with TLS" if secure else "without TLS"
        reason = why(words, server, tls=secure, certificate=bool(connection.cert))
        text = f"no referee can be reached at {server} {how}: {reason}"
        return CallFailed(text, EXIT_NOT_THERE, is_lost=True)
    if error.code() is grpc.StatusCode.DEADLINE_EXCEEDED:
        text = f"the referee at {server} does not answer"
        return CallFailed(text, EXIT_NOT_THERE, is_lost=True)
    if error.code() is grpc.StatusCode.CANCELLED:
        return CallFailed(f"the referee at {server} hung up", EXIT_NOT_THERE, is_lost=True)
    if error.code() is grpc.StatusCode.UNIMPLEMENTED:
        return CallFailed(f"{server} is no referee, or of another version", EXIT_NOT_THERE)
    return CallFailed(f"the call failed: {words} ({error.code().name})", EXIT_FAILED)


def _reason(error: "grpc.Call") -> str | None:
    """Return the reason that a referee gave, None if nothing of ours answered."""
    from google.protobuf.message import DecodeError
    from google.rpc import error_details_pb2, status_pb2

    from referee.service.errors import DOMAIN, STATUS_KEY

    try:
        for name, value in error.trailing_metadata() or ():
            if name != STATUS_KEY:
                continue
            for detail in status_pb2.Status.FromString(value).details:
                info = error_details_pb2.ErrorInfo()
                if detail.Unpack(info) and info.domain == DOMAIN:
                    return printable(info.reason)
    except DecodeError:
        pass
    return None


# Options -----------------------------------------------------------------------------------------


def connected(command: Callable[..., R]) -> Callable[..., R]:
    """Give a command the options of a connection; it gets them as ``connection``."""

    @click.option(
        "--server",
        envvar="REFEREE_SERVER",
        default=DEFAULT_SERVER,
        show_default=True,
        show_envvar=True,
        metavar="HOST:PORT",
        help="The referee.",
    )
    @click.option("--token", envvar="REFEREE_TOKEN", show_envvar=True, help="Who you are.")
    @click.option("--tls", is_flag=True, help="Encrypt, and trust what the system trusts.")
    @click.option(
        "--ca",
        type=click.Path(),
        envvar="REFEREE_CA",
        show_envvar=True,
        help="Encrypt, and trust these root certificates only.",
    )
    @click.option("--cert", type=click.Path(), help="Your own certificate, where one is demanded.")
    @click.option("--key", type=click.Path(), help="The key of that certificate.")
    @functools.wraps(command)
    def with_connection(
        *,
        server: str,
        token: str | None,
        tls: bool,
        ca: str | None,
        cert: str | None,
        key: str | None,
        **others: Any,  # noqa: ANN401  the command's own
    ) -> R:
        return command(connection=Connection(server, token, tls, ca, cert, key), **others)

    return with_connection
