"""What an operator may choose, with its defaults; docs/operating.md explains each."""

from dataclasses import dataclass, field
from pathlib import Path

from referee.service.storage.transcripts import Durability
from referee.transcript.clock import ClockRule

SECOND_NS = 1_000_000_000
DEFAULT_PORT = 50_051
DEFAULT_CLOCK = ClockRule(
    move_limit_ns=30 * SECOND_NS,
    bank_ns=300 * SECOND_NS,
    increment_ns=SECOND_NS,
    startup_ns=30 * SECOND_NS,
)


@dataclass(frozen=True)
class Tls:
    """Certificates; with ``client_ca`` every caller must show a certificate of its own."""

    certificate: Path
    key: Path
    client_ca: Path | None = None


@dataclass(frozen=True)
class Settings:
    """Everything that `referee serve` can be told.

    start_window_ns  how long agents may take to join and commit
    reconnect_ns     how long clocks wait for agents after a restart of the referee
    grace_ns         how long a referee that is told to stop waits for matches in play
    """

    data: Path
    host: str = "127.0.0.1"
    port: int = DEFAULT_PORT
    durability: Durability = Durability.SYNC
    clock: ClockRule = field(default=DEFAULT_CLOCK)
    start_window_ns: int = 60 * SECOND_NS
    reconnect_ns: int = 60 * SECOND_NS
    grace_ns: int = 0
    tls: Tls | None = None
    reflection: bool = False
    metrics_port: int | None = None
    log_json: bool = False
    log_level: str = "info"
