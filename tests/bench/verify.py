"""Games per second of whole verification, and the share of each step (`make bench-verify`).

Two-player `azul` as `simulate --record` writes it: one frame a move, with times, signed. Each
build runs in a process of its own, on one core, and their repeats take turns. The comparator
is what nobody can save: the hashes of the chain and the signature, with nothing understood.
The best of many short repeats is printed, since other work only ever slows one down.
"""

import argparse
import gc
import hashlib
import os
import platform
import subprocess
import sys
import time
from collections.abc import Callable

from referee.draws import tag
from referee.match.playout import game_seed
from referee.match.recording import Identity, RecordedGame
from referee.native.choice import PURE, build_note
from referee.rules import RULESETS, Options
from referee.transcript import reader
from referee.transcript.fold import Fold
from referee.transcript.reader import Transcript
from referee.transcript.signing import is_signed
from referee.transcript.verify import Verdict, fold_of, verify
from referee.v1.record_pb2 import Frame
from tests.bench.rules import calibrate
from tests.transcript.scenes import KEY, bytes_of

GAMES = 12
REPEATS = 150
FRAME = tag("frame")


def recorded(number: int) -> list[bytes]:
    """Return so many transcripts of random games."""
    rules = RULESETS["azul"]
    games = []
    for index in range(number):
        identity = Identity(bytes_of("bench", index, size=16), KEY, None, index)
        game = RecordedGame(rules, 2, Options(), game_seed("bench", index), identity)
        games.append(game.play())
    return games


class Work:
    """The steps of verification, each over all games."""

    def __init__(self) -> None:
        self.files = recorded(GAMES)
        self.read = [reader.read(data) for data in self.files]

    def whole(self) -> None:
        """Verify every game from its bytes."""
        for data in self.files:
            assert verify(reader.read(data)).verdict is Verdict.OK

    def reading(self) -> None:
        """Read frames, links and messages."""
        for data in self.files:
            reader.read(data)

    def links(self) -> None:
        """Hash the chain."""
        for transcript in self.read:
            previous = bytes(32)
            for body in transcript.bodies:
                previous = hashlib.sha256(FRAME + transcript.match_id + previous + body).digest()

    def messages(self) -> None:
        """Read the messages alone."""
        for transcript in self.read:
            for body in transcript.bodies:
                list(Frame.FromString(body).records)

    def signatures(self) -> None:
        """Check the signatures."""
        for transcript in self.read:
            index = len(transcript.links) - 1
            signature = transcript.frames[-1][0].signature
            previous = transcript.links[index - 1]
            key, signed = signature.public_key, signature.signature
            assert is_signed(key, signed, transcript.match_id, index, previous)

    def floor(self) -> None:
        """Do what nobody can save."""
        self.links()
        self.signatures()

    def _fold(self, make: Callable[[Transcript], Fold], *, clocks: bool) -> None:
        for transcript in self.read:
            fold = make(transcript)
            for number, records in enumerate(transcript.frames):
                for record in records:
                    fold.apply(record)
                fold.end_frame()
                if not number and not clocks:
                    # A clock that was wrong once is not looked at again.
                    fold.time.wrong = True

    def folding(self) -> None:
        """Play every game by its records."""
        self._fold(fold_of, clocks=True)

    def without_draws(self) -> None:
        """Play without drawing any tile."""
        self._fold(lambda transcript: Fold(transcript.match_id), clocks=True)

    def without_clocks(self) -> None:
        """Play without looking at times."""
        self._fold(fold_of, clocks=False)


STEPS = [
    "whole", "floor", "reading", "links", "messages", "signatures", "folding", "without_draws",
    "without_clocks",
]  # fmt: skip


def serve() -> None:
    """Measure one repeat for every step that standard input names."""
    work = Work()
    frames = sum(len(transcript.frames) for transcript in work.read) / GAMES
    # What is there stays; the command does the same before it starts.
    gc.freeze()
    print(f"{build_note()}|{frames:.0f}", flush=True)
    for line in sys.stdin:
        step = getattr(work, line.strip(), None)
        started = time.perf_counter()
        if step is None:
            steps = calibrate()
            print((time.perf_counter() - started) / steps, flush=True)
        else:
            step()
            print((time.perf_counter() - started) / GAMES, flush=True)


class Build:
    """One build, in a process that measures when it is asked."""

    def __init__(self, pure: str) -> None:
        self.process = subprocess.Popen(
            [sys.executable, "-m", "tests.bench.verify", "--serve"],
            env={**os.environ, PURE: pure},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        self.note, self.frames = self._read().split("|")
        self.best = {step: float("inf") for step in (*STEPS, "calibrate")}

    def _read(self) -> str:
        assert self.process.stdout is not None
        return self.process.stdout.readline().strip()

    def measure(self) -> None:
        """Do one repeat of every step."""
        assert self.process.stdin is not None
        for step in self.best:
            print(step, file=self.process.stdin, flush=True)
            self.best[step] = min(self.best[step], float(self._read()))

    def shares(self) -> dict[str, float]:
        """Return the seconds that each step takes of one game."""
        best = self.best
        draws = best["folding"] - best["without_draws"]
        clocks = best["folding"] - best["without_clocks"]
        known = best["reading"] + best["signatures"] + best["folding"]
        return {
            "heads and lists": best["reading"] - best["links"] - best["messages"],
            "chain": best["links"],
            "messages": best["messages"],
            "signature": best["signatures"],
            "rules and result": best["folding"] - draws - clocks,
            "draws": draws,
            "clocks": clocks,
            "report": best["whole"] - known,
        }


def main() -> None:
    """Print both builds, and what each step takes."""
    builds = [Build("1"), Build("")]
    if builds[1].note != "compiled":
        builds.pop()
    for _ in range(REPEATS):
        for build in builds:
            build.measure()
    print(f"Python {platform.python_version()}; two-player azul, {builds[0].frames} frames a game")
    for build in builds:
        whole, floor = build.best["whole"], build.best["floor"]
        steps = 1 / build.best["calibrate"]
        print()
        print(
            f"{build.note.split(':')[0]}: {1 / whole:,.0f} games/s on one core,"
            f" {whole / floor:.2f}x the time of hashes and signature alone"
            f" (calibration {steps / 1e6:.1f}M loop steps/s)"
        )
        for name, seconds in build.shares().items():
            print(f"  {name:<18}{1e6 * seconds:>7.0f} us{seconds / whole:>7.0%}")
        build.process.communicate()


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--serve", action="store_true", help=argparse.SUPPRESS)
    if parser.parse_args().serve:
        serve()
    else:
        main()
