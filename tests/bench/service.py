"""What a move costs through the whole service, against a bare echo (`make bench-service`).

The referee, the echo and the client each have a process of their own, on loopback; the client
is the same for both (`load.py` says how lean it is), and their repeats take turns, so that
other work on the machine hits both. The echo answers with frames of the very sizes that the
referee sends. Of several repeats the best counts, since other work only ever slows one down.

A move is an answer of an agent. Matches are made before they are measured, and one that ends
is replaced by the next: `in play` is measured until the first match ends, `moves/s` with all
that joining, starting, ending and signing a match takes.
"""

import argparse
import contextlib
import json
import os
import platform
import shutil
import tempfile
import time
from collections.abc import Callable, Iterator
from dataclasses import asdict
from pathlib import Path
from typing import Any

from referee.native.choice import build_note
from tests.bench.load import Job
from tests.bench.rules import best_rate, calibrate
from tests.bench.servers import Process, ServerProcess
from tests.bench.steps import steps

SYNC_BYTES = 256
TOP = 25
# No repeat of a table begins later than that, however slow the machine is.
TABLE_S = 20


class Bench:
    """The three processes, and what is asked of them."""

    def __init__(self, data: Path, repeats: int) -> None:
        self._repeats = repeats
        self.referee = ServerProcess("referee", data)
        self.echo = ServerProcess("echo")
        self.client = Process("tests.bench.load")

    def repeats(self) -> Iterator[int]:
        """Count the repeats of a table, as long as there is time for them."""
        started = time.perf_counter()
        for index in range(self._repeats):
            if index == 0 or time.perf_counter() - started < TABLE_S:
                yield index

    def play(self, **wanted: Any) -> dict[str, Any]:
        """Let matches be played, and return what was measured."""
        return measure(self.client, self.referee, "play", **wanted)

    def bounce(self, **wanted: Any) -> dict[str, Any]:
        """Let messages be echoed, and return what was measured."""
        return measure(self.client, self.echo, "echo", **wanted)

    def close(self) -> None:
        """Let all of them end."""
        for process in (self.client, self.echo, self.referee):
            process.stop()


def measure(client: Process, server: ServerProcess, kind: str, **wanted: Any) -> dict[str, Any]:
    """Let the client do one job."""
    job = Job(kind, server.port, server.pid, server.token, **wanted)
    told: dict[str, Any] = client.ask(json.dumps(asdict(job)))
    return told


def rate(window: dict[str, float]) -> float:
    """Return the moves a second of a window."""
    return window["moves"] / window["seconds"] if window["seconds"] > 0 else 0.0


def per_move(window: dict[str, float], what: str) -> float:
    """Return the microseconds a move of some processor."""
    return 1e6 * window[what] / max(1, window["moves"])


def cpu(window: dict[str, float]) -> str:
    """Return what processors did for a move, as columns: loop, all of the server, client."""
    return "".join(f"{per_move(window, what):>9.0f}" for what in ("loop_s", "server_s", "client_s"))


CPU = f"{'loop':>9}{'server':>9}{'client':>9}"


def one_match(bench: Bench, pool: int) -> None:
    """Print the round trip of a move in one match, each of its two seats on its own stream."""
    shape: dict[str, Any] = {"matches": 1, "streams": "seat"}
    best: dict[str, dict[str, Any]] = {}
    frame = bench.play(**shape, pool=1, durability="off")["frame"]
    for _ in bench.repeats():
        for name in ("echo", "off", "batch", "sync"):
            if name == "echo":
                told = bench.bounce(**shape, frame=frame, messages=60 * pool)
            else:
                told = bench.play(**shape, pool=pool, durability=name)
            if name not in best or told["p50"] < best[name]["p50"]:
                best[name] = told
    print()
    print("one match, a stream for each seat: from an answer to the next turn")
    print(f"{'durability':<26}{'p50 us':>9}{'p99 us':>9}{'x echo':>9}{'target':>9}{CPU}  us a move")
    for name, told in best.items():
        ratio = told["p50"] / best["echo"]["p50"]
        target = {"off": "<= 1.2", "sync": "<= 1.6"}.get(name, "")
        title = f"bare echo, {len(frame) // 2} bytes" if name == "echo" else name
        print(
            f"{title:<26}{1e6 * told['p50']:>9.0f}{1e6 * told['p99']:>9.0f}{ratio:>9.2f}"
            f"{target:>9}{cpu(told['whole'])}",
            flush=True,
        )


def many_streams(
    bench: Bench, matches: int, pool: int, streams: str, names: tuple[str, ...]
) -> None:
    """Print the moves a second of many matches on streams of their own."""
    shape: dict[str, Any] = {"matches": matches, "streams": streams}
    echoes: list[dict[str, float]] = []
    plays: dict[str, list[dict[str, Any]]] = {name: [] for name in names}
    frame = bench.play(matches=1, streams=streams, durability="off")["frame"]
    for _ in bench.repeats():
        echoes.append(bench.bounce(**shape, frame=frame, messages=60 * pool)["whole"])
        for name in names:
            plays[name].append(bench.play(**shape, pool=pool, durability=name))
    echo = max(echoes, key=rate)
    floor = rate(echo)
    each = "match, with both seats" if streams == "match" else "seat"
    print()
    print(f"{matches} matches, a stream for each {each}; the target is for sync")
    print(f"{'':<26}{'moves/s':>9}{'in play':>9}{'x echo':>9}{'target':>9}{CPU}  us a move")
    title = f"bare echo, {len(frame) // 2} bytes"
    print(f"{title:<26}{floor:>9,.0f}{'':>9}{1:>9.2f}{'':>9}{cpu(echo)}")
    for name in names:
        play = max(plays[name], key=lambda told: rate(told["whole"]))
        whole, inner = rate(play["whole"]), rate(play["play"])
        target = ">= 0.7" if name == "sync" else ""
        print(
            f"{name:<26}{whole:>9,.0f}{inner:>9,.0f}{whole / floor:>9.2f}{target:>9}"
            f"{cpu(play['whole'])}",
            flush=True,
        )


def one_stream(bench: Bench, sizes: tuple[tuple[int, int], ...], names: tuple[str, ...]) -> None:
    """Print the moves a second of many matches on one stream."""
    print()
    print("all matches on one stream, frames of many messages; the target is for sync")
    print(
        f"{'matches, durability':<26}{'moves/s':>9}{'in play':>9}{'x echo':>9}{'target':>9}{CPU}"
        "  us a move; moves in a frame, in a sync"
    )
    frame = bench.play(matches=1, streams="one", durability="off")["frame"]
    for matches, pool in sizes:
        best: dict[str, tuple[dict[str, Any], float]] = {}
        for _ in bench.repeats():
            for name in names:
                before = bench.referee.ask("figures")
                told = bench.play(matches=matches, pool=pool, streams="one", durability=name)
                after = bench.referee.ask("figures")
                groups = after["groups"] - before["groups"]
                grouped = (after["frames"] - before["frames"]) / groups if groups else 0.0
                if name not in best or rate(told["whole"]) > rate(best[name][0]["whole"]):
                    best[name] = told, grouped
        # Its frames hold as many messages as those of the referee did.
        size = max(1, round(best["sync"][0]["per_frame"]))
        bounced = [
            bench.bounce(matches=1, streams="one", frame=frame * size, messages=100 * pool)
            for _ in bench.repeats()
        ]
        echo = max((told["whole"] for told in bounced), key=rate)
        floor = rate(echo)
        title = f"bare echo, for {matches}"
        print(f"{title:<26}{floor:>9,.0f}{'':>9}{1:>9.2f}{'':>9}{cpu(echo)}{size:>7}")
        for name, (told, grouped) in best.items():
            whole = told["whole"]
            target = ">= 30k" if name == "sync" else ""
            print(
                f"{f'{matches}, {name}':<26}{rate(whole):>9,.0f}{rate(told['play']):>9,.0f}"
                f"{rate(whole) / floor:>9.2f}{target:>9}{cpu(whole)}{told['per_frame']:>7.0f}"
                f"{grouped:>6.0f}",
                flush=True,
            )


def memory(data: Path, matches: int, turns: tuple[int, ...]) -> None:
    """Print the memory of a referee with many matches that nobody moves in."""
    print()
    print(f"memory of the server with {matches} live matches, each on its turn; <= 60 kB a match")
    for turn in turns:
        client = Process("tests.bench.load")
        server = ServerProcess("referee", data / f"memory-{turn}")
        # One match is played before: what is made once is not counted for every match.
        measure(client, server, "play", matches=1, pool=2)
        before = server.rss_kib()
        measure(client, server, "play", matches=matches, pool=matches, until=turn)
        after = server.rss_kib()
        client.stop()
        server.stop()
        each = 1.024 * (after - before) / matches
        print(
            f"  turn {turn:<4}{before * 1.024e-3:>7.0f} MB without, {after * 1.024e-3:.0f} MB with:"
            f" {each:.0f} kB a match",
            flush=True,
        )


def profile(bench: Bench, matches: int, pool: int) -> None:
    """Print the functions that the event loop spends most time in, per move."""
    shape: dict[str, Any] = {"matches": matches, "pool": pool, "streams": "one"}
    windows = [bench.play(**shape, profile=True)["whole"] for _ in bench.repeats()]
    moves = sum(window["moves"] for window in windows)
    rows = bench.referee.ask("profiled")
    best = max(windows, key=rate)
    print()
    print(f"{matches} matches on one stream, sync: {rate(best):,.0f} moves/s; sampled own time of")
    print(f"the event loop; {CPU.strip()}: {cpu(best).strip()} us a move")
    print(f"{'own us':>9}{'all us':>9}  a move; the function, with its hottest line")
    for name, own, whole in rows[:TOP]:
        print(f"{1e6 * own / moves:>9.2f}{1e6 * whole / moves:>9.2f}  {name}")


def sync_us(folder: Path) -> float:
    """Return the microseconds of one small write and its sync, the best of many."""
    best = float("inf")
    with (folder / "sync").open("wb") as file:
        os.posix_fallocate(file.fileno(), 0, 1 << 20)
        os.fsync(file.fileno())
        for index in range(100):
            started = time.perf_counter()
            os.pwrite(file.fileno(), bytes(SYNC_BYTES), index * SYNC_BYTES)
            os.fdatasync(file.fileno())
            best = min(best, time.perf_counter() - started)
    return 1e6 * best


def main(parts: list[str], repeats: int, data: Path, *, quick: bool, profiled: bool) -> None:
    """Print all tables, or those that are named."""
    loops = best_rate(calibrate)
    print(
        f"Python {platform.python_version()}; best of up to {repeats} repeats; rules {build_note()}"
    )
    print(
        f"calibration: {loops / 1e6:.1f}M loop steps/s; {os.cpu_count()} cores;"
        f" {sync_us(data):.0f} us a sync"
    )
    bench = Bench(data / "data", repeats)
    small = 16 if quick else 64
    names = ("sync",) if quick else ("sync", "batch", "off")
    tables: dict[str, Callable[[], None]] = {
        "one": lambda: one_match(bench, 2 if quick else 6),
        "match": lambda: many_streams(bench, small, 2 * small, "match", names),
        "seat": lambda: many_streams(bench, small, 2 * small, "seat", names),
        "batched": lambda: one_stream(
            bench,
            ((64, 128),) if quick else ((64, 256), (256, 768)),
            names,
        ),
        "steps": lambda: steps(20 if quick else 100, 1 if quick else repeats),
        "memory": lambda: memory(data, 100 if quick else 1_000, (1,) if quick else (1, 30)),
    }
    if profiled:
        tables = {
            "profile 64": lambda: profile(bench, 64, 192),
            "profile 256": lambda: profile(bench, 256, 512),
        }
    try:
        for name, table in tables.items():
            if not parts or name in parts:
                table()
    finally:
        bench.close()


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument(
        "parts", nargs="*", help="one, match, seat, batched, steps, memory: these only"
    )
    parser.add_argument("--repeats", type=int, default=None)
    parser.add_argument("--quick", action="store_true", help="see that it works, measure little")
    parser.add_argument("--profile", action="store_true", help="show where the server's loop is")
    parser.add_argument("--data", type=Path, default=Path("build"), help="where the disk is")
    arguments = parser.parse_args()
    arguments.data.mkdir(exist_ok=True)
    folder = Path(tempfile.mkdtemp(prefix="bench-service-", dir=arguments.data))
    try:
        main(
            arguments.parts,
            arguments.repeats or (1 if arguments.quick else 4),
            folder,
            quick=arguments.quick,
            profiled=arguments.profile,
        )
    finally:
        with contextlib.suppress(OSError):
            shutil.rmtree(folder)
