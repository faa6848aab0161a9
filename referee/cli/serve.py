"""`referee serve`: runs a referee until it is told to stop."""

import os
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

from referee.cli import config, invoked
from referee.cli.home import data_folder
from referee.cli.params import CLOCK, DURATION
from referee.cli.text import printable

if TYPE_CHECKING:
    from referee.service.app import Running
    from referee.service.settings import Settings
    from referee.transcript.clock import ClockRule

EXIT_CANNOT_SERVE = 3
F = TypeVar("F", bound=Callable[..., Any])


def _option(name: str, *argument: str, **more: Any) -> Callable[[F], F]:  # noqa: ANN401  click's
    """Return an option that the environment can give, too."""
    variable = f"REFEREE_{name.upper().replace('-', '_')}"
    return click.option(f"--{name}", *argument, envvar=variable, show_envvar=True, **more)


@click.command("serve")
@_option(
    "config",
    type=click.Path(),
    is_eager=True,
    expose_value=False,
    callback=config.load,
    help="A TOML file with any of these options.",
)
@_option("data", type=click.Path(), help="The data directory.")
@_option("host", default="127.0.0.1", show_default=True, help="Where to listen.")
@_option(
    "port",
    type=click.IntRange(0, 65_535),
    default=50_051,
    show_default=True,
    help="0 takes a free one.",
)
@_option("ready-file", type=click.Path(), help="Write HOST:PORT there once the referee listens.")
@_option(
    "durability",
    type=click.Choice(["sync", "batch", "off"]),
    default="sync",
    show_default=True,
    help="What an acknowledged move survives: a loss of power, the end of the process, nothing.",
)
@_option(
    "time",
    "clock",
    type=CLOCK,
    default="bank=5m,increment=1s,limit=30s,startup=30s",
    show_default=True,
    help="The clock of matches that name none.",
)
@_option(
    "start-window",
    type=DURATION,
    default="60s",
    show_default=True,
    help="How long agents may take to join.",
)
@_option(
    "reconnect-window",
    type=DURATION,
    default="60s",
    show_default=True,
    help="How long clocks wait for agents after a restart.",
)
@_option(
    "grace",
    type=DURATION,
    default="0",
    show_default=True,
    help="How long to wait for matches in play when told to stop.",
)
@_option("tls-cert", type=click.Path(), help="The certificate, PEM; encrypts all connections.")
@_option("tls-key", type=click.Path(), help="The key of the certificate.")
@_option("tls-client-ca", type=click.Path(), help="Let in only callers with a certificate of this.")
@_option("reflection", is_flag=True, help="Let callers ask for the schemas.")
@_option("metrics-port", type=click.IntRange(1, 65_535), help="Serve figures for Prometheus there.")
@_option(
    "log-format",
    type=click.Choice(["lines", "json"]),
    default="lines",
    show_default=True,
    help="How to log to standard error.",
)
@_option(
    "log-level",
    type=click.Choice(["debug", "info", "warning", "error"]),
    default="info",
    show_default=True,
    help="What to log.",
)
def command(**options: Any) -> None:  # noqa: ANN401  each has its own type
    """Run a referee: matches are made, played and watched over gRPC.

    Without any option it serves this machine alone. The command line beats the environment,
    which beats the file of --config, whose keys are the names of these options. SIGTERM or
    Ctrl-C stops it; whatever is not over then goes on at the next start.

    Exit code: 0 stopped, 2 an option is wrong, 3 it cannot serve, with the reason.
    """
    # What gRPC's core has to say is said in a sentence here.
    os.environ.setdefault("GRPC_VERBOSITY", "NONE")
    from referee.rules.errors import RefereeError
    from referee.service import logs

    settings = _settings(**options)
    logs.configure(json=settings.log_json, level=settings.log_level)
    ready_file = None if options["ready_file"] is None else Path(options["ready_file"])
    try:
        _serve(settings, ready_file)
    except RefereeError as error:
        problem = str(error)
    except OSError as error:
        named = f"{error.filename}: " if error.filename else ""
        problem = f"{named}{error.strerror or error}"
    else:
        return
    click.echo(f"referee: cannot serve: {printable(problem, 1_000)}", err=True)
    raise click.exceptions.Exit(EXIT_CANNOT_SERVE)


def _settings(  # noqa: PLR0913  one argument an option
    *,
    data: str | None,
    clock: "ClockRule",
    durability: str,
    start_window: int,
    reconnect_window: int,
    tls_cert: str | None,
    tls_key: str | None,
    tls_client_ca: str | None,
    log_format: str,
    ready_file: str | None,  # noqa: ARG001  not a setting of the service
    **same: Any,  # noqa: ANN401  each has its own type
) -> "Settings":
    from referee.service.settings import Settings, Tls
    from referee.service.storage.transcripts import Durability

    tls = None
    if tls_cert is not None and tls_key is not None:
        ca = None if tls_client_ca is None else Path(tls_client_ca)
        tls = Tls(Path(tls_cert), Path(tls_key), ca)
    elif tls_cert is not None or tls_key is not None:
        raise click.UsageError("TLS needs both, --tls-cert and --tls-key")
    elif tls_client_ca is not None:
        raise click.UsageError("--tls-client-ca needs --tls-cert and --tls-key")
    return Settings(
        data=data_folder(data),
        clock=clock,
        durability=Durability(durability),
        start_window_ns=start_window,
        reconnect_ns=reconnect_window,
        grace_ns=same.pop("grace"),
        tls=tls,
        log_json=log_format == "json",
        **same,
    )


def _check_files(settings: "Settings") -> None:
    """Raise `CannotServe` for a missing certificate: before a data directory and a key are made."""
    from referee.service.app import CannotServe

    tls = settings.tls
    for path in (tls.certificate, tls.key, tls.client_ca) if tls else ():
        try:
            if path is not None:
                path.open("rb").close()
        except OSError as error:
            raise CannotServe(f"{path} cannot be read: {error.strerror}") from error


def _serve(settings: "Settings", ready_file: Path | None) -> None:
    import asyncio

    from referee.service.app import run

    _check_files(settings)
    if ready_file is not None:
        # One that an earlier referee left behind would be believed.
        ready_file.unlink(missing_ok=True)

    def ready(running: "Running") -> None:
        address = _address(settings.host, running.server.port)
        if ready_file is not None:
            _write(ready_file, f"{address}\n")
        for line in _hints(settings, address):
            click.echo(line)

    try:
        with asyncio.Runner(loop_factory=_loop_factory()) as runner:
            runner.run(run(settings, ready))
    finally:
        if ready_file is not None:
            ready_file.unlink(missing_ok=True)


def _loop_factory() -> Callable[[], Any] | None:
    """Return what makes a quick event loop, None where there is only the usual one."""
    try:
        import uvloop
    except ImportError:
        return None
    return uvloop.new_event_loop


def _write(path: Path, text: str) -> None:
    """Write a file that whoever waits for it sees whole or not at all."""
    temporary = path.with_name(f".{path.name}.{os.getpid()}")
    temporary.write_text(text, encoding="utf-8")
    temporary.replace(path)


# What the operator reads ---------------------------------------------------------------------


def _address(host: str, port: int) -> str:
    return f"[{host}]:{port}" if ":" in host else f"{host}:{port}"


def _callable(settings: "Settings", address: str) -> str:
    """Return where the next terminal finds the referee: every address is none to call."""
    import ipaddress

    try:
        anywhere = ipaddress.ip_address(settings.host).is_unspecified
    except ValueError:
        return address
    return f"localhost:{address.rpartition(':')[2]}" if anywhere else address


def _is_loopback(host: str) -> bool:
    import ipaddress

    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


def _hints(settings: "Settings", address: str) -> list[str]:
    """Return what the referee says of itself, and what to do next."""
    import shlex

    from referee.transcript.time_text import format_clock

    where = printable(str(settings.data), 1_000)
    promises = f"durability {settings.durability.value}, clock {format_clock(settings.clock)}"
    lines = [f"listening on {address}", f"data in {where}, {promises}"]
    if settings.tls is None and not _is_loopback(settings.host):
        lines.append(
            "WARNING: other machines can connect and nothing is encrypted: whoever listens on the"
            " way can take every token; use --tls-cert and --tls-key"
        )
    data = "" if settings.data == data_folder() else f" --data {shlex.quote(str(settings.data))}"
    referee = invoked.referee()
    lines += [
        "",
        "What next, in another terminal:",
        f"  export REFEREE_SERVER={_callable(settings, address)}",
        f"  export REFEREE_TOKEN=$({referee} token issue organiser NAME{data})",
    ]
    for text, remark in (
        (f"{referee} match create azul --seat one --seat two", "prints a token for each seat"),
        (f"{invoked.python()} -m azul_agent --bot greedy --seat TOKEN", "a bot; one for each seat"),
        (f"{referee} watch MATCH", "the boards, live"),
        (f"{referee} transcript MATCH -o match.azt", "its signed record; then"),
        (f"{referee} replay match.azt", "watch it again, step by step"),
    ):
        lines.append(f"  {text:<62} # {remark}")
    if settings.tls is not None:
        lines.append(
            "  (each of them with --ca FILE, or --tls if the system trusts the certificate)"
        )
    return lines
