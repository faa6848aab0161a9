"""What the agents of the benchmarks count, and between which moments."""

import os
import time
from dataclasses import dataclass, field
from statistics import quantiles
from typing import Any

from tests.bench.servers import PROFILE, PROFILED, cpu_s, loop_s

# Of so many frames the one of middle size is kept, for the echo to send.
SAMPLES = 1_000


@dataclass
class Window:
    """From when to when it is measured, and what was done and used meanwhile."""

    pid: int
    moves: int = 0
    seconds: float = 0.0
    server_s: float = 0.0
    loop_s: float = 0.0
    client_s: float = 0.0
    profile: bool = False
    opened: bool = False
    closed: bool = False

    def open(self, moves: int) -> None:
        """Begin, after so many moves."""
        self.opened = True
        self._mark(-1, moves)
        if self.profile:
            os.kill(self.pid, PROFILE)

    def close(self, moves: int) -> None:
        """End, after so many moves."""
        if self.opened and not self.closed:
            self.closed = True
            self._mark(1, moves)
            if self.profile:
                os.kill(self.pid, PROFILED)

    def _mark(self, sign: int, moves: int) -> None:
        self.seconds += sign * time.perf_counter()
        self.server_s += sign * cpu_s(self.pid)
        self.loop_s += sign * loop_s(self.pid)
        self.client_s += sign * time.process_time()
        self.moves += sign * moves

    def told(self) -> dict[str, float]:
        """Return it for the process that prints."""
        return {
            "moves": self.moves,
            "seconds": self.seconds,
            "server_s": self.server_s,
            "loop_s": self.loop_s,
            "client_s": self.client_s,
        }


@dataclass
class Meter:
    """What all streams of a job count together.

    play   from when all matches are under way until the first of them ends
    whole  until no more match is there to take the place of one that ended
    """

    play: Window
    whole: Window
    matches: int
    moves: int = 0
    started: int = 0
    frames: int = 0
    samples: list[bytes] = field(default_factory=list)
    trips: list[float] = field(default_factory=list)
    sent_at: float = 0.0

    def start(self) -> None:
        """Count a match whose first question has come."""
        self.started += 1
        if self.started == self.matches:
            self.play.open(self.moves)
            self.whole.open(self.moves)

    def count(self, moves: int, data: bytes) -> None:
        """Count the moves that answer a frame."""
        self.moves += moves
        self.frames += 1
        if len(self.samples) < SAMPLES:
            self.samples.append(data)

    def told(self) -> dict[str, Any]:
        """Return everything for the process that prints."""
        trips = quantiles(self.trips, n=100) if len(self.trips) > 1 else [0.0] * 99
        return {
            "play": self.play.told(),
            "whole": self.whole.told(),
            "p50": trips[49],
            "p99": trips[98],
            "per_frame": self.moves / max(1, self.frames),
            "frame": sorted(self.samples, key=len)[len(self.samples) // 2].hex(),
        }
