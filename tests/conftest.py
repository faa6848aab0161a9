"""What all tests share: which build they test, and how hypothesis runs here."""

import signal
from collections.abc import Iterator

import pytest
from hypothesis import HealthCheck, settings

from referee.native import stubs
from referee.native.choice import build_kind, build_note

# The messages are those of the schemas as they are now.
stubs.generate()

# The same examples in every run: a red run can be repeated, and a green one means the same
# everywhere. `make soak-rules` looks further, with seeds of its own.
settings.register_profile(
    "repeatable",
    derandomize=True,
    deadline=None,
    max_examples=60,
    suppress_health_check=[HealthCheck.too_slow],
)
settings.load_profile("repeatable")

# A plain run has no compiled games to compare with.
collect_ignore = [] if build_kind() == "compiled" else ["native/test_same_games.py"]


def pytest_addoption(parser: pytest.Parser) -> None:
    """Let a run say which build it means to test."""
    parser.addoption("--build", choices=["compiled", "plain"], help="fail unless this build runs")


def pytest_configure(config: pytest.Config) -> None:
    """Refuse to test another build than the one that was meant."""
    wanted = config.getoption("--build")
    if wanted not in (None, build_kind()):
        raise pytest.UsageError(f"the {wanted} build was to be tested, but it is {build_note()}")


def pytest_report_header() -> str:
    """Say which build is tested."""
    return f"referee: {build_note()}"


@pytest.fixture
def _heeding_interrupts() -> Iterator[None]:
    """Let processes heed SIGINT: what runs in the background of a shell is made to ignore it."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)
