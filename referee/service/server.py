"""The gRPC server: which call goes where, who calls, and how a failure is said.

Streams of agents and spectators carry bytes that are serialized already. Every other call
goes through one wrapper, which finds the caller, counts it, and turns each of our errors into
a status with exactly one reason; whatever else happens is logged here and said as INTERNAL.
"""

import asyncio
import resource
import ssl
from collections.abc import Awaitable, Callable
from contextlib import aclosing
from pathlib import Path
from typing import TYPE_CHECKING, Any

import grpc
import structlog
from google.protobuf.message import DecodeError, Message
from grpc import aio
from grpc_health.v1 import health, health_pb2, health_pb2_grpc
from grpc_reflection.v1alpha import reflection

from referee.rules.errors import RefereeError
from referee.service import limits
from referee.service.auth import Caller, Denied, authorize, identify
from referee.service.calls import MatchCalls
from referee.service.errors import STATUS_KEY, ServiceError
from referee.service.rates import Allowances
from referee.service.settings import Settings, Tls
from referee.service.spectators import read_in_time
from referee.service.streams import AgentStream
from referee.v1 import match_pb2
from referee.v1.error_pb2 import ErrorReason

if TYPE_CHECKING:
    from referee.service.house import House

PLAY = "referee.v1.AgentService"
MATCHES = "referee.v1.MatchService"

OPTIONS = (
    ("grpc.so_reuseport", 0),
    ("grpc.max_receive_message_length", limits.MAX_FRAME_BYTES),
    ("grpc.max_metadata_size", limits.MAX_METADATA_BYTES),
    ("grpc.absolute_max_metadata_size", 2 * limits.MAX_METADATA_BYTES),
    ("grpc.max_concurrent_streams", limits.MAX_STREAMS_PER_CONNECTION),
    # Calls that nobody has looked at yet: beyond these gRPC would drop some at random, and a crowd
    # on a few connections would cost others theirs.
    ("grpc.server.max_pending_requests", limits.MAX_PENDING_CALLS),
    ("grpc.server.max_pending_requests_hard_limit", 2 * limits.MAX_PENDING_CALLS),
    # So many seconds they wait: a process that was stopped for a while still answers them.
    ("grpc.server_max_unrequested_time_in_server", 300),
    ("grpc.server_handshake_timeout_ms", limits.HANDSHAKE_NS // 1_000_000),
    ("grpc.max_connection_idle_ms", limits.UNUSED_NS // 1_000_000),
    ("grpc.keepalive_time_ms", 20_000),
    ("grpc.keepalive_timeout_ms", 10_000),
    ("grpc.keepalive_permit_without_calls", 1),
    ("grpc.http2.min_ping_interval_without_data_ms", 5_000),
    ("grpc.http2.max_ping_strikes", 5),
    # Only identity: the core would inflate a message before it looks at its size.
    ("grpc.compression_enabled_algorithms_bitset", 1),
)

# How often streams and watches are looked after.
WATCH_S = 1.0

log = structlog.get_logger()


class CannotServe(RefereeError):
    """Why no server could be started."""


class Server:
    """The server of one house."""

    def __init__(self, house: "House", settings: Settings) -> None:
        self._house = house
        self._settings = settings
        self._calls = MatchCalls(house)
        self._rates = Allowances(limits.CALLS_BURST, limits.CALLS_PER_SECOND, limits.MAX_CALLERS)
        options = (*OPTIONS, ("grpc.max_allowed_incoming_connections", _connections()))
        self._server = aio.server(options=options, maximum_concurrent_rpcs=None)
        self._health = health.aio.HealthServicer()
        # Done when this server stops.
        self._stopping: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self.port = 0

    def bind(self) -> None:
        """Take the port, or raise `CannotServe`; nobody is answered yet."""
        server = self._server
        server.add_generic_rpc_handlers((self._play_handler(), self._match_handler()))
        health_pb2_grpc.add_HealthServicer_to_server(self._health, server)
        if self._settings.reflection:
            self._reflect()
        host = self._settings.host
        # An address of version 6 has colons of its own.
        address = f"[{host}]" if ":" in host else host
        address += f":{self._settings.port}"
        tls = self._settings.tls
        try:
            if tls is None:
                self.port = server.add_insecure_port(address)
            else:
                self.port = server.add_secure_port(address, _credentials(tls))
        except RuntimeError as error:
            raise CannotServe(f"cannot listen on {address}: {_why(error)}") from error

    async def start(self) -> None:
        """Answer whoever calls."""
        await self._server.start()
        for name in ("", PLAY, MATCHES):
            await self._health.set(name, health_pb2.HealthCheckResponse.SERVING)

    async def drain(self) -> None:
        """Tell those who ask that this referee is about to stop."""
        await self._health.enter_graceful_shutdown()

    async def stop(self, grace_s: float = 1.0) -> None:
        """Stop listening, and end what is left after a while."""
        if not self._stopping.done():
            self._stopping.set_result(None)
        await self._server.stop(grace_s)

    def _reflect(self) -> None:
        names = (PLAY, MATCHES, health_pb2.DESCRIPTOR.services_by_name["Health"].full_name)
        reflection.enable_server_reflection((*names, reflection.SERVICE_NAME), self._server)

    # Handlers ----------------------------------------------------------------------------------

    def _play_handler(self) -> grpc.GenericRpcHandler:
        play: grpc.RpcMethodHandler[Any, Any] = grpc.stream_stream_rpc_method_handler(self._play)
        return grpc.method_handlers_generic_handler(PLAY, {"Play": play})

    def _match_handler(self) -> grpc.GenericRpcHandler:
        calls = self._calls
        unary: dict[str, tuple[Any, Any]] = {
            "CreateMatch": (calls.create_match, match_pb2.CreateMatchRequest),
            "GetMatch": (calls.get_match, match_pb2.GetMatchRequest),
            "ListMatches": (calls.list_matches, match_pb2.ListMatchesRequest),
            "AbortMatch": (calls.abort_match, match_pb2.AbortMatchRequest),
            "GetTranscript": (calls.get_transcript, match_pb2.GetTranscriptRequest),
            "VerifyTranscript": (calls.verify_transcript, match_pb2.VerifyTranscriptRequest),
        }
        handlers: dict[str, grpc.RpcMethodHandler[Any, Any]] = {
            name: grpc.unary_unary_rpc_method_handler(
                self._unary(name, call, request),
                response_serializer=lambda response: response.SerializeToString(),
            )
            for name, (call, request) in unary.items()
        }
        handlers["WatchMatch"] = grpc.unary_stream_rpc_method_handler(self._watch)
        return grpc.method_handlers_generic_handler(MATCHES, handlers)

    def _caller(self, context: Any) -> Caller:  # noqa: ANN401  typed by grpc only for one kind of message
        metadata = context.invocation_metadata()
        return identify(metadata, context.peer(), self._house.credentials.lookup)

    def _admit(self, context: Any) -> Caller:  # noqa: ANN401
        """Return who makes a call, or raise `ServiceError` if it makes too many."""
        caller = self._caller(context)
        if not caller.is_organiser:
            now = self._house.clock.now_ns()
            if not self._rates.take(caller.key, now):
                raise ServiceError(ErrorReason.ERROR_REASON_RATE, "too many calls; wait a little")
        return caller

    def _unary(
        self, name: str, call: Callable[[Any, Caller], Awaitable[Any]], kind: type[Message]
    ) -> Callable[[bytes, Any], Awaitable[Any]]:
        async def handle(data: bytes, context: Any) -> Any:  # noqa: ANN401
            try:
                caller = self._admit(context)
                return await self._until_stopped(call(_parsed(kind, data), caller))
            except Exception as error:  # noqa: BLE001  the last line of defense
                await self._abort(context, name, error)

        return handle

    async def _until_stopped(self, call: Awaitable[Any]) -> Any:  # noqa: ANN401
        """Return what a call returns, unless the referee stops: gRPC would give no reason then."""
        work = asyncio.ensure_future(call)
        try:
            await asyncio.wait((work, self._stopping), return_when=asyncio.FIRST_COMPLETED)
            if not work.done():
                words = "the referee stops; ask again when it is back"
                raise ServiceError(ErrorReason.ERROR_REASON_DRAINING, words)
            return work.result()
        finally:
            work.cancel()

    async def _watch(self, data: bytes, context: Any) -> None:  # noqa: ANN401
        try:
            caller = self._admit(context)
            request: Any = _parsed(match_pb2.WatchMatchRequest, data)
            async with (
                self._house.spectators.watching(caller),
                aclosing(await self._calls.watch_match(request, caller)) as told,
            ):
                await _greet(context)
                async for events in told:
                    await read_in_time(context.write(events))
        except Exception as error:  # noqa: BLE001  the last line of defense
            await self._abort(context, "WatchMatch", error)

    async def _play(self, _requests: Any, context: Any) -> None:  # noqa: ANN401
        house = self._house
        stream: AgentStream | None = None
        try:
            caller = self._caller(context)
            authorize("AgentService.Play", caller)
            stream = AgentStream(house, caller, context)
            house.add_stream(stream)
            house.metrics.streams.set(len(house.streams))
            await _greet(context)
            await stream.run()
        except Exception as error:  # noqa: BLE001  the last line of defense
            await self._abort(context, "Play", error)
        finally:
            if stream is not None:
                house.drop_stream(stream)
                house.metrics.streams.set(len(house.streams))

    async def _abort(self, context: Any, name: str, error: Exception) -> None:  # noqa: ANN401
        """End a call with the status of an error."""
        if isinstance(error, aio.AbortError):
            raise error
        if isinstance(error, Denied):
            error = ServiceError(error.reason, str(error))
        elif not isinstance(error, ServiceError):
            log.error("call failed", call=name, exc_info=error)
            words = "the referee has made a mistake; its log knows more"
            error = ServiceError(ErrorReason.ERROR_REASON_INTERNAL, words)
        context.set_trailing_metadata(((STATUS_KEY, error.details()),))
        await context.abort(error.code, error.message)


async def _greet(context: Any) -> None:  # noqa: ANN401
    """Send the headers of an answer before anything that may stay unread.

    A first message takes them along, and as long as it is not read the call could not be ended
    with a status: gRPC would send the headers once more, and fail.
    """
    await context.send_initial_metadata(())


def _connections() -> int:
    """Return how many connections to take, after asking for as many descriptors as we may have.

    Half of them are for connections: files must never wait for somebody to hang up.
    """
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = 2 * limits.MAX_CONNECTIONS
    if soft != resource.RLIM_INFINITY and soft < wanted:
        soft = wanted if hard == resource.RLIM_INFINITY else min(wanted, hard)
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))
    return min(limits.MAX_CONNECTIONS, soft // 2) if soft > 0 else limits.MAX_CONNECTIONS


def _parsed(kind: type[Message], data: bytes) -> Message:
    """Return a request; what gRPC says of bytes that are none has no reason for machines."""
    try:
        return kind.FromString(data)
    except DecodeError as error:
        words = "these bytes are no request of this call"
        raise ServiceError(ErrorReason.ERROR_REASON_INVALID_ARGUMENT, words) from error


def _credentials(tls: Tls) -> grpc.ServerCredentials:
    def read(path: Path) -> bytes:
        try:
            return path.read_bytes()
        except OSError as error:
            raise CannotServe(f"{path} cannot be read: {error.strerror}") from error

    ca = None if tls.client_ca is None else read(tls.client_ca)
    pair = (read(tls.key), read(tls.certificate))
    _check(tls)
    return grpc.ssl_server_credentials(
        [pair], root_certificates=ca, require_client_auth=ca is not None
    )


def _check(tls: Tls) -> None:
    """Raise `CannotServe` for certificates that gRPC would call an address in use."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    try:
        # Nobody is there to be asked for the password of a key.
        context.load_cert_chain(tls.certificate, tls.key, password=lambda: "")
    except (ssl.SSLError, ValueError) as error:
        words = "are not a certificate and its key, both PEM and without a password"
        raise CannotServe(f"{tls.certificate} and {tls.key} {words}") from error
    try:
        if tls.client_ca is not None:
            context.load_verify_locations(tls.client_ca)
    except ssl.SSLError as error:
        raise CannotServe(f"{tls.client_ca} has no certificate, PEM") from error


def _why(error: RuntimeError) -> str:
    """Return what gRPC says of a port, without its own words around it."""
    text = str(error)
    return "the address is in use or not ours" if "bind" in text.lower() else text


async def keep_watch(house: "House") -> None:
    """Ping agents that are quiet, and let go of those that are gone; runs until cancelled.

    So are those let go whose bearer was revoked since they came.
    """
    number = rights = 0
    while True:
        await asyncio.sleep(WATCH_S)
        now = house.clock.now_ns()
        if rights != (rights := house.rights()):
            house.drop_revoked()
        for stream in list(house.streams):
            quiet = now - stream.heard_ns
            if stream.hello is None and now - stream.opened_ns > limits.HELLO_NS:
                stream.close(ErrorReason.ERROR_REASON_SILENT, "nobody said hello")
            elif quiet > limits.SILENCE_NS:
                stream.close(ErrorReason.ERROR_REASON_SILENT, "nothing was heard for too long")
            elif quiet > limits.PING_NS and now - stream.pinged_ns > limits.PING_NS:
                number += 1
                stream.ping(number, now)
