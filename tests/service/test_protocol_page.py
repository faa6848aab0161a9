"""docs/protocol.md names every message and every reason that can go over the wire."""

from pathlib import Path

import pytest

from referee.service.errors import STATUS
from referee.v1 import error_pb2, match_pb2, play_pb2, reason_pb2

PAGE = (Path(__file__).parents[2] / "docs" / "protocol.md").read_text(encoding="utf-8")
MESSAGES = [
    field.name
    for message in (play_pb2.AgentMessage, play_pb2.RefereeMessage)
    for field in message.DESCRIPTOR.oneofs_by_name["kind"].fields
]
CALLS = [
    method.name
    for file in (play_pb2, match_pb2)
    for service in file.DESCRIPTOR.services_by_name.values()
    for method in service.methods
]
REASONS = [
    name.removeprefix(prefix)
    for enum, prefix in (
        (reason_pb2.RejectReason, "REJECT_REASON_"),
        (play_pb2.RefuseReason, "REFUSE_REASON_"),
        (error_pb2.ErrorReason, "ERROR_REASON_"),
    )
    for name in enum.DESCRIPTOR.values_by_name
    if not name.endswith("_UNSPECIFIED")
]


@pytest.mark.parametrize("name", sorted({*MESSAGES, *CALLS, *REASONS}))
def test_the_page_names_it(name: str) -> None:
    """Every message, call and reason stands on the page, as code."""
    assert f"`{name}`" in PAGE


@pytest.mark.parametrize("reason", sorted(STATUS))
def test_the_page_has_the_status_of_each_error(reason: error_pb2.ErrorReason.ValueType) -> None:
    """The table of errors has the status that the referee answers with."""
    name = error_pb2.ErrorReason.Name(reason).removeprefix("ERROR_REASON_")
    assert f"| `{name}` | {STATUS[reason].name} |" in PAGE


def test_every_error_has_a_status() -> None:
    """No reason is without a status, but the one that is never sent."""
    assert set(STATUS) == set(error_pb2.ErrorReason.values()) - {0}
