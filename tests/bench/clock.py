"""How exactly thinking is charged, and nothing else (`make bench-clock`).

Agents with scripted think times play many matches at once; each notes for itself how long it
thought, from the moment it read its turn to the moment before it wrote its answer. The referee
tells every move with the record of it, which has what was charged; these bytes are those of
the transcript. The difference is what an agent pays for the way there and back. It is measured
with nothing else to do, and beside other matches that are played as fast as they can be.
"""

import argparse
import asyncio
import contextlib
import json
import platform
import random
import shutil
import sys
import tempfile
import time
from dataclasses import asdict
from pathlib import Path
from statistics import quantiles
from typing import Any

from grpc import aio

from referee.v1 import play_pb2
from tests.bench.load import PATIENCE_S, PLAY, Job, Tokens, answer, create
from tests.bench.servers import Process, ServerProcess, cpu_s, run_loop

MATCHES = 32
# Longer than a loaded loop needs for all matches, shorter than anybody waits for a benchmark.
THINK_MS = (1, 2, 5, 10, 20, 40)
TARGET_MS = 2.0
MS = 1e-6


async def think_and_answer(call: Any, seats: Tokens, rng: random.Random) -> list[tuple[int, int]]:
    """Play one match, both seats on one stream; return what was thought and what was charged."""
    said = [play_pb2.AgentMessage(hello=play_pb2.Hello(name="bench", protocol=1))]
    for handle, token in enumerate(seats, 1):
        join = play_pb2.Join(handle=handle, seat_token=token, skip_moves=True)
        commit = play_pb2.CommitShare(handle=handle)
        said += [play_pb2.AgentMessage(join=join), play_pb2.AgentMessage(commit=commit)]
    await call.write(play_pb2.PlayRequest(messages=said).SerializeToString())
    thought: dict[int, int] = {}
    found: list[tuple[int, int]] = []
    open_seats = len(seats)
    while open_seats:
        data = await call.read()
        read_at = time.monotonic_ns()
        for message in play_pb2.PlayResponse.FromString(data).messages:
            kind = message.WhichOneof("kind")
            if kind == "your_turn":
                asked = message.your_turn
                await asyncio.sleep(rng.choice(THINK_MS) / 1e3)
                said_now = answer(asked.handle, asked.turn, asked.attempt)
                thought[asked.turn] = time.monotonic_ns() - read_at
                await call.write(said_now)
            elif kind == "event" and message.event.event.record.HasField("move"):
                move = message.event.event.record.move
                found.append((thought.pop(move.turn), move.timing.charged_ns))
            elif kind == "match_closed":
                open_seats -= 1
    await call.done_writing()
    return found


async def agents(job: Job) -> None:
    """Play all matches of a job at once, and print what was found."""
    channel = aio.insecure_channel(f"127.0.0.1:{job.port}")
    # Without a start-up allowance: it would take the first thinking off the clock.
    tokens = await create(channel, job, startup_ns=0)
    connect: Any = channel.stream_stream(PLAY)
    async with asyncio.timeout(PATIENCE_S):
        found = await asyncio.gather(
            *(
                think_and_answer(connect(), seats, random.Random(index))
                for index, seats in enumerate(tokens)
            )
        )
    print(json.dumps([pair for pairs in found for pair in pairs]), flush=True)
    await channel.close()


def main(data: Path, repeats: int) -> None:
    """Print the differences, alone and under load."""
    # Here, because the process of the agents does without the rules.
    from tests.bench.rules import best_rate, calibrate

    steps = best_rate(calibrate)
    print(f"Python {platform.python_version()}; calibration: {steps / 1e6:.1f}M loop steps/s")
    print(f"{MATCHES} matches, sync, agents that think {THINK_MS} ms; charged less thought, in ms")
    print(
        f"{'beside it':<34}{'moves':>7}{'p1':>9}{'p50':>9}{'p99':>9}{'most':>9}{'target':>9}{'busy':>7}"
    )
    server = ServerProcess("referee", data)
    try:
        for title, load in (("nothing", 0), ("64 matches as fast as they can be", 64)):
            pairs: list[tuple[int, int]] = []
            used = started = 0.0
            other = Process("tests.bench.load") if load else None
            for _ in range(repeats):
                job = Job("play", server.port, server.pid, server.token, pool=MATCHES)
                if other is not None:
                    fast = Job("play", server.port, server.pid, server.token, load, 8 * load)
                    other.say(json.dumps(asdict(fast)))
                began, used_before = time.perf_counter(), cpu_s(server.pid)
                thinking = Process("tests.bench.clock", "--agents", json.dumps(asdict(job)))
                pairs += thinking.read()
                thinking.stop()
                started += time.perf_counter() - began
                used += cpu_s(server.pid) - used_before
                if other is not None:
                    other.read()
            if other is not None:
                other.stop()
            off = [(charged - thought) * MS for thought, charged in pairs]
            at = quantiles(off, n=100)
            print(
                f"{title:<34}{len(off):>7}{at[0]:>9.3f}{at[49]:>9.3f}{at[98]:>9.3f}{max(off):>9.3f}"
                f"{f'<= {TARGET_MS:.0f}':>9}{used / started:>7.0%}",
                flush=True,
            )
    finally:
        server.stop()


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--repeats", type=int, default=3)
    parser.add_argument("--data", type=Path, default=Path("build"), help="where the disk is")
    parser.add_argument("--agents", default="", help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.agents:
        assert "referee.rules" not in sys.modules
        run_loop(agents(Job(**json.loads(arguments.agents))))
        sys.exit()
    arguments.data.mkdir(exist_ok=True)
    folder = Path(tempfile.mkdtemp(prefix="bench-clock-", dir=arguments.data))
    try:
        main(folder, arguments.repeats)
    finally:
        with contextlib.suppress(OSError):
            shutil.rmtree(folder)
