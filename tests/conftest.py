"""What all tests share: how hypothesis runs here."""

from hypothesis import HealthCheck, settings

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
