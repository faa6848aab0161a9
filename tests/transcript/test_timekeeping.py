"""Answers that came too late, or in an order that cannot be, fail the level clocks."""

import pytest

from referee.transcript import reader
from referee.transcript.clock import ClockRule
from referee.transcript.finding import Level
from referee.transcript.verify import Report, verify
from tests.transcript.scene import Scene
from tests.transcript.scenes import ILLEGAL

LIMIT_NS = 50_000_000


def begun(rule: ClockRule) -> Scene:
    """Return a match of two seats with that clock, on its first turn."""
    scene = Scene("azul", 2, name="late answers", clock=rule)
    scene.join(0, 1)
    scene.start()
    return scene


def judged(scene: Scene) -> Report:
    """Verify what a scene has written so far."""
    return verify(reader.read(scene.data()))


@pytest.mark.parametrize(
    "rule",
    [ClockRule(move_limit_ns=LIMIT_NS), ClockRule(bank_ns=LIMIT_NS)],
    ids=["limit", "bank"],
)
def test_an_answer_may_take_all_its_time_and_no_more(rule: ClockRule) -> None:
    """To the nanosecond; a move accepted after that is one that had to lose."""
    scene = begun(rule)
    scene.move(think_ns=LIMIT_NS)
    assert Level.CLOCKS not in judged(scene).findings
    scene = begun(ClockRule(rule.move_limit_ns, rule.bank_ns, increment_ns=LIMIT_NS))
    scene.move(think_ns=LIMIT_NS + 1)
    finding = judged(scene).findings[Level.CLOCKS]
    assert "an answer within" in finding.expected


def test_a_move_is_not_received_before_an_earlier_refusal() -> None:
    """The refused answer of the same turn came first."""
    scene = begun(ClockRule(bank_ns=10 * LIMIT_NS))
    scene.reject(ILLEGAL)
    scene.move(think_ns=1)
    finding = judged(scene).findings[Level.CLOCKS]
    assert finding.expected.startswith("received_ns from")
