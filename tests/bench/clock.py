"""How exactly thinking is charged, and nothing else (`make bench-clock`).

Agents with scripted think times play many matches at once; each notes for itself how long it
thought, from the moment it read its turn to the moment before it wrote its answer. The referee
tells every move with the record of it, which has what was charged; these bytes are those of
the transcript. The difference is what an agent pays for the way there and back. It is measured
with nothing else to do, and beside other matches that are played as fast as they can be. What
nobody can save is the way itself: the round trip to a bare echo, of agents that think as long.
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
from tests.bench.servers import ECHO, Process, ServerProcess, run_loop

MATCHES = 32
# Think times are spread evenly from the one to the other.
THINK_S = (0.002, 0.080)
# A match has about so many moves.
MOVES = 45
# What the echo answers with is as long as a turn; so many matches are the load.
FRAME_BYTES = 145
FAST = 64
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
                await asyncio.sleep(rng.uniform(*THINK_S))
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


async def think_and_bounce(call: Any, rng: random.Random) -> list[tuple[int, int]]:
    """Think and say something to the echo as often as in a match; return each round trip."""
    await call.write(bytes(FRAME_BYTES))
    found: list[tuple[int, int]] = []
    for turn in range(1, MOVES + 1):
        await asyncio.sleep(rng.uniform(*THINK_S))
        wrote_at = time.monotonic_ns()
        await call.write(answer(1, turn, 1))
        await call.read()
        found.append((0, time.monotonic_ns() - wrote_at))
    await call.done_writing()
    return found


async def agents(job: Job) -> None:
    """Play all matches of a job at once, and print what was found."""
    channel = aio.insecure_channel(f"127.0.0.1:{job.port}")
    if job.kind == "echo":
        bounce: Any = channel.stream_stream(ECHO)
        works = [think_and_bounce(bounce(), random.Random(index)) for index in range(job.pool)]
    else:
        # Without a start-up allowance: it would take the first thinking off the clock.
        tokens = await create(channel, job, startup_ns=0)
        play: Any = channel.stream_stream(PLAY)
        works = [
            think_and_answer(play(), seats, random.Random(index))
            for index, seats in enumerate(tokens)
        ]
    async with asyncio.timeout(PATIENCE_S):
        found = await asyncio.gather(*works)
    print(json.dumps([pair for pairs in found for pair in pairs]), flush=True)
    await channel.close()


def think(server: ServerProcess, kind: str) -> list[float]:
    """Let agents think and play at a server, and return what each move cost beside, in ms."""
    job = Job(kind, server.port, server.pid, server.token, pool=MATCHES)
    thinking = Process("tests.bench.clock", "--agents", json.dumps(asdict(job)))
    found = [(charged - thought) * MS for thought, charged in thinking.read()]
    thinking.stop()
    return found


def think_beside(server: ServerProcess, other: Process) -> list[float]:
    """Do the same beside matches that are played as fast as they can be."""
    fast = Job("play", server.port, server.pid, server.token, FAST, 8 * FAST)
    other.say(json.dumps(asdict(fast)))
    found = think(server, "play")
    other.read()
    return found


def main(data: Path, repeats: int) -> None:
    """Print the differences, alone and under load."""
    # Here, because the process of the agents does without the rules.
    from tests.bench.rules import best_rate, calibrate

    steps = best_rate(calibrate)
    print(f"Python {platform.python_version()}; calibration: {steps / 1e6:.1f}M loop steps/s")
    least, most = (1e3 * seconds for seconds in THINK_S)
    print(f"{MATCHES} matches, sync, agents that think {least:.0f} to {most:.0f} ms")
    title = "charged less thought, in ms"
    print(f"{title:<36}{'moves':>7}{'p1':>9}{'p50':>9}{'p99':>9}{'most':>9}{'target':>9}")
    server, echo = ServerProcess("referee", data), ServerProcess("echo")
    other = Process("tests.bench.load")
    rows: dict[str, list[float]] = {"bare echo": [], "alone": [], f"beside {FAST} fast matches": []}
    bare, alone, beside = rows.values()
    try:
        for _ in range(repeats):
            bare += think(echo, "echo")
            alone += think(server, "play")
            beside += think_beside(server, other)
    finally:
        for process in (other, echo, server):
            process.stop()
    for name, found in rows.items():
        at = quantiles(found, n=100)
        target = "" if found is bare else f"<= {TARGET_MS:.0f}"
        figures = "".join(f"{figure:>9.3f}" for figure in (at[0], at[49], at[98], max(found)))
        print(f"{name:<36}{len(found):>7}{figures}{target:>9}")


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
