"""What an operator watches: counters and times in the form that Prometheus reads."""

from collections.abc import Iterable, Sequence

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, start_http_server
from prometheus_client.core import CounterMetricFamily
from prometheus_client.registry import Collector

from referee.v1.play_pb2 import RefuseReason
from referee.v1.reason_pb2 import RejectReason
from referee.v1.record_pb2 import Record

NS = 1e-9
THINK_BUCKETS = (0.001, 0.003, 0.01, 0.03, 0.1, 0.3, 1, 3, 10, 30, 100)
FINE_BUCKETS = (0.0001, 0.0003, 0.001, 0.003, 0.01, 0.03, 0.1, 0.3, 1)
GROUP_BUCKETS = (1, 2, 4, 8, 16, 32, 64, 128, 256, 512)


class _Records(Collector):
    """The records told so far, by their kinds."""

    def __init__(self, counts: dict[str, int]) -> None:
        self._counts = counts

    def collect(self) -> Iterable[CounterMetricFamily]:
        """Return them as Prometheus wants them; `move` among them counts the moves."""
        family = CounterMetricFamily("referee_records", "Records told, by kind", labels=["kind"])
        for kind, count in list(self._counts.items()):
            family.add_metric([kind], count)
        yield family


class Metrics:
    """All figures of one referee, in a registry of its own."""

    def __init__(self) -> None:
        self.registry = CollectorRegistry()
        own = self.registry
        self._created = Counter(
            "referee_matches_created", "Matches made", ["ruleset"], registry=own
        )
        self._ended = Counter(
            "referee_matches_ended", "Matches ended", ["ruleset", "end"], registry=own
        )
        self.open_matches = Gauge("referee_matches_open", "Matches that go on", registry=own)
        self.streams = Gauge("referee_streams_open", "Streams of agents", registry=own)
        # Counted with every move, so it is a plain table until somebody reads it.
        self._records: dict[str, int] = {}
        own.register(_Records(self._records))
        self._rejected = Counter(
            "referee_answers_rejected", "Answers refused with a strike", ["reason"], registry=own
        )
        self._refused = Counter(
            "referee_messages_refused", "Messages without effect", ["reason"], registry=own
        )
        self.operator_faults = Counter(
            "referee_operator_faults", "Matches that the referee failed", registry=own
        )
        self._recovered = Counter(
            "referee_files_recovered", "Files put in order at a start", ["kind"], registry=own
        )
        self._think = self._histogram("think_seconds", "Time an answer took", THINK_BUCKETS)
        self._lag = self._histogram("lag_seconds", "How late the event loop is", FINE_BUCKETS)
        self._sync = self._histogram("sync_seconds", "Time of one group commit", FINE_BUCKETS)
        self._group = self._histogram("group_frames", "Frames of a group commit", GROUP_BUCKETS)

    def _histogram(self, name: str, words: str, buckets: Sequence[float]) -> Histogram:
        return Histogram(f"referee_{name}", words, buckets=buckets, registry=self.registry)

    def match_created(self, ruleset: str) -> None:
        """Count a match that was made."""
        self._created.labels(ruleset).inc()

    def match_ended(self, ruleset: str, end: Record | None) -> None:
        """Count a match that has ended."""
        self._ended.labels(ruleset, end.WhichOneof("kind") if end is not None else "").inc()

    def record(self, kind: str) -> None:
        """Count a record that was told."""
        self._records[kind] = self._records.get(kind, 0) + 1

    def thought(self, charged_ns: int) -> None:
        """Take note of the time of an answer."""
        self._think.observe(charged_ns * NS)

    def rejected(self, reason: RejectReason.ValueType) -> None:
        """Count an answer that was refused."""
        self._rejected.labels(
            RejectReason.Name(reason).removeprefix("REJECT_REASON_").lower()
        ).inc()

    def refused(self, reason: RefuseReason.ValueType) -> None:
        """Count a message that had no effect."""
        self._refused.labels(RefuseReason.Name(reason).removeprefix("REFUSE_REASON_").lower()).inc()

    def recovered(self, kind: str) -> None:
        """Count a file that was put in order."""
        self._recovered.labels(kind).inc()

    def lag(self, late_ns: int) -> None:
        """Take note of how late the event loop is."""
        self._lag.observe(max(0, late_ns) * NS)

    def serve(self, host: str, port: int) -> None:
        """Let Prometheus read, from a thread of its own."""
        start_http_server(port, host, self.registry)

    def synced(self, frames: int, seconds: float) -> None:
        """Take note of one sync."""
        self._sync.observe(seconds)
        self._group.observe(frames)
