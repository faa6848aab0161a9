"""What the referee itself does for a move, step by step, without gRPC, disk and timers.

One process plays matches through the very functions that a host calls, in its order, and
measures each of them. Their sum is a bound: however cheap streams, syncs and timers become,
one event loop makes no more moves a second than that.
"""

import os
import time
from collections import Counter
from collections.abc import Iterator

from referee.match import acting
from referee.match.live import EndStamp, LiveMatch
from referee.service import saying
from referee.service.app import tune
from referee.service.events import Events
from referee.transcript.clock import ClockRule
from referee.transcript.wire.game import index_action
from referee.transcript.wire.setup import encode_clock
from referee.transcript.writer import Chain
from referee.v1 import play_pb2, record_pb2, setup_pb2

STEPS = {
    "read": "the message of an agent is parsed",
    "decide": "the answer is checked and played, what follows is dealt and scored",
    "record": "the records are serialized",
    "link": "the frame is hashed and linked",
    "tell": "the events are made, and addressed to both seats",
    "ask": "the next question is made, with the table",
}
FIRST_MOVE = index_action(0)
THINK_NS = 1_000_000
CLOCK = ClockRule(move_limit_ns=10**10, bank_ns=10**12, increment_ns=0, startup_ns=10**10)


def begun() -> tuple[LiveMatch, Chain]:
    """Return a match of two-player azul at its first turn, and the chain of its record."""
    match_id = os.urandom(16)
    setup = setup_pb2.Setup(
        ruleset="azul",
        revision=1,
        options=setup_pb2.Options(),
        seats=[setup_pb2.Seat(agent="one"), setup_pb2.Seat(agent="two")],
        clock=encode_clock(CLOCK),
        strikes=3,
        durability=setup_pb2.DURABILITY_SYNC,
        public_key=bytes(32),
        created_utc_s=1,
        sequence=1,
    )
    record = record_pb2.Record(setup=setup.SerializeToString())
    chain = Chain(match_id)
    chain.frame([record])
    match = LiveMatch(match_id, os.urandom(32), lambda: EndStamp(1, 2))
    match.take_up([[record]])
    match.open()
    for seat in (0, 1):
        acting.join(match, seat, record_pb2.Joined(seat=seat, name="bench", protocol=1), 0)
    for seat in (0, 1):
        acting.commit(match, seat, None)
    chain.frame(match.take_step())
    match.asked(0)
    return match, chain


def answers(match: LiveMatch) -> Iterator[tuple[int, bytes]]:
    """Return who is asked, and the frame that answers, until the match is over."""
    while (question := match.question()) is not None:
        fold = match.fold
        said = play_pb2.Answer(handle=1, turn=fold.turn, attempt=fold.attempt, action=FIRST_MOVE)
        frame = play_pb2.PlayRequest(messages=[play_pb2.AgentMessage(answer=said)])
        yield question.seats[0], frame.SerializeToString()


def play(spent: Counter[str]) -> int:
    """Play one match, add up the nanoseconds of every step, and return how many moves it had."""
    match, chain = begun()
    events = Events()
    tick = time.perf_counter_ns
    now = moves = 0
    for seat, frame in answers(match):
        now += THINK_NS
        moves += 1
        began = tick()
        message = play_pb2.PlayRequest.FromString(frame).messages[0]
        assert message.WhichOneof("kind") == "answer"
        answer = message.answer
        turn, attempt, action = answer.turn, answer.attempt, answer.action
        read = tick()
        acting.answer(match, seat, turn, attempt, action, now, 0)
        decided = tick()
        step = match.take_step()
        encoded = [record.SerializeToString() for record in step]
        recorded = tick()
        chain.frame_of(encoded)
        linked = tick()
        events.add(chain.index - 1, chain.link, step, encoded)
        for _, event in events.release(match.held_from, now):
            saying.match_event(1, event)
            saying.match_event(2, event)
        told = tick()
        question = match.question()
        if question is not None:
            match.asked(now)
            saying.your_turn(1, question.seats[0], match, 1, listed=False)
        asked = tick()
        times = (began, read, decided, recorded, linked, told, asked)
        for name, start, end in zip(STEPS, times, times[1:], strict=False):
            spent[name] += end - start
    return moves


def steps(matches: int, repeats: int) -> None:
    """Print the microseconds of every step, the best of some repeats, and what they allow."""
    best: dict[str, float] = {}
    tune()
    for _ in range(repeats):
        spent: Counter[str] = Counter()
        moves = sum(play(spent) for _ in range(matches))
        each = {name: spent[name] / moves / 1_000 for name in STEPS}
        if not best or sum(each.values()) < sum(best.values()):
            best = each
    whole = sum(best.values())
    print()
    print("the referee's own work, without gRPC, disk and timers, in one thread")
    print(f"{'us a move':>9}")
    for name, what in STEPS.items():
        print(f"{best[name]:>9.1f}  {name:<8}{what}")
    print(f"{whole:>9.1f}  all: {1e6 / whole:,.0f} moves/s, if all else cost nothing", flush=True)
