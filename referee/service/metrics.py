"""What an operator watches: counters and times in the form that Prometheus reads."""

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram

from referee.v1.play_pb2 import RefuseReason
from referee.v1.reason_pb2 import RejectReason
from referee.v1.record_pb2 import Record

NS = 1e-9
THINK_BUCKETS = (0.001, 0.003, 0.01, 0.03, 0.1, 0.3, 1, 3, 10, 30, 100)
FINE_BUCKETS = (0.0001, 0.0003, 0.001, 0.003, 0.01, 0.03, 0.1, 0.3, 1)
GROUP_BUCKETS = (1, 2, 4, 8, 16, 32, 64, 128, 256, 512)


class Metrics:
    """All figures of one referee, in a registry of its own."""

    def __init__(self) -> None:
        self.registry = CollectorRegistry()
        make = {"registry": self.registry, "namespace": "referee"}
        self._created = Counter("matches_created", "Matches made", ["ruleset"], **make)
        self._ended = Counter("matches_ended", "Matches ended", ["ruleset", "end"], **make)
        self.open_matches = Gauge("matches_open", "Matches that go on", **make)
        self.streams = Gauge("streams_open", "Streams of agents", **make)
        self._records = Counter("records", "Records that became durable", ["kind"], **make)
        self._rejected = Counter("answers_rejected", "Answers refused with a strike", ["reason"], **make)
        self._refused = Counter("messages_refused", "Messages without effect", ["reason"], **make)
        self.operator_faults = Counter("operator_faults", "Matches the referee failed", **make)
        self._recovered = Counter("files_recovered", "Files put in order at a start", ["kind"], **make)
        self._think = Histogram("think_seconds", "Time charged for an answer", buckets=THINK_BUCKETS, **make)
        self._lag = Histogram("lag_seconds", "How late the event loop is", buckets=FINE_BUCKETS, **make)
        self._sync = Histogram("sync_seconds", "Time of one sync of the journal", buckets=FINE_BUCKETS, **make)
        self._group = Histogram("group_frames", "Frames that one sync covers", buckets=GROUP_BUCKETS, **make)
        # A labelled counter is looked up by name every time; most records are of a few kinds.
        self._by_kind: dict[str, Counter] = {}

    def match_created(self, ruleset: str) -> None:
        """Count a match that was made."""
        self._created.labels(ruleset).inc()

    def match_ended(self, ruleset: str, end: Record | None) -> None:
        """Count a match that has ended."""
        self._ended.labels(ruleset, end.WhichOneof("kind") if end is not None else "").inc()

    def record(self, kind: str) -> None:
        """Count a record that was told."""
        counter = self._by_kind.get(kind)
        if counter is None:
            counter = self._by_kind[kind] = self._records.labels(kind)
        counter.inc()

    def thought(self, charged_ns: int) -> None:
        """Take note of the time of an answer."""
        self._think.observe(charged_ns * NS)

    def rejected(self, reason: RejectReason.ValueType) -> None:
        """Count an answer that was refused."""
        self._rejected.labels(RejectReason.Name(reason).removeprefix("REJECT_REASON_").lower()).inc()

    def refused(self, reason: RefuseReason.ValueType) -> None:
        """Count a message that had no effect."""
        self._refused.labels(RefuseReason.Name(reason).removeprefix("REFUSE_REASON_").lower()).inc()

    def recovered(self, kind: str) -> None:
        """Count a file that was put in order."""
        self._recovered.labels(kind).inc()

    def lag(self, late_ns: int) -> None:
        """Take note of how late the event loop is."""
        self._lag.observe(max(0, late_ns) * NS)

    def synced(self, seconds: float, frames: int) -> None:
        """Take note of one sync."""
        self._sync.observe(seconds)
        self._group.observe(frames)
