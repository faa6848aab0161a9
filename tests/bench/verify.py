"""Games per second of whole verification, and the share of each step (`make bench-verify`).

Two-player `azul` as `simulate --record` writes it: one frame a move, with times, signed. Each
build runs in a process of its own, on one core, and their repeats take turns. The comparator
is what nobody can save: the hashes of the chain and the signature, with nothing understood.
Of every game the best of many repeats counts, since other work only ever slows one down.
"""

import argparse
import gc
import hashlib
import os
import platform
import subprocess
import sys
import time

from referee.draws import tag
from referee.match.playout import game_seed
from referee.match.recording import Identity, RecordedGame
from referee.native.choice import PURE, build_note
from referee.rules import RULESETS, Options
from referee.transcript import reader
from referee.transcript.fold import Fold
from referee.transcript.signing import is_signed
from referee.transcript.verify import Verdict, fold_of, verify
from referee.v1.record_pb2 import Frame
from tests.bench.rules import calibrate
from tests.transcript.scene import KEY, bytes_of

GAMES = 40
REPEATS = 60
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
    """One game, and the steps of its verification."""

    def __init__(self, data: bytes) -> None:
        self.data = data
        self.read = reader.read(data)

    def whole(self) -> None:
        """Verify the game from its bytes."""
        assert verify(reader.read(self.data)).verdict is Verdict.OK

    def reading(self) -> None:
        """Read frames, links and messages."""
        reader.read(self.data)

    def links(self) -> None:
        """Hash the chain."""
        previous = bytes(32)
        for body in self.read.bodies:
            previous = hashlib.sha256(FRAME + self.read.match_id + previous + body).digest()

    def messages(self) -> None:
        """Read the messages alone."""
        list(Frame.FromString(b"".join(self.read.bodies)).records)

    def signatures(self) -> None:
        """Check the signature."""
        links = self.read.links
        signature = self.read.frames[-1][0].signature
        key, signed = signature.public_key, signature.signature
        assert is_signed(key, signed, self.read.match_id, len(links) - 1, links[-2])

    def floor(self) -> None:
        """Do what nobody can save."""
        self.links()
        self.signatures()

    def folding(self) -> None:
        """Play the game by its records."""
        fold_of(self.read).follow(self.read.frames)

    def without_draws(self) -> None:
        """Play without drawing any tile."""
        Fold(self.read.match_id).follow(self.read.frames)

    def without_clocks(self) -> None:
        """Play without looking at times."""
        fold = fold_of(self.read)
        fold.follow(self.read.frames[:1])
        # A clock that was wrong once is not looked at again.
        fold.time.wrong = True
        fold.follow(self.read.frames[1:])


STEPS = [
    "whole", "floor", "reading", "links", "messages", "signatures", "folding", "without_draws",
    "without_clocks",
]  # fmt: skip


def serve() -> None:
    """For every step that standard input names, measure each game once and print the seconds."""
    games = [Work(data) for data in recorded(GAMES)]
    frames = sum(len(game.read.frames) for game in games) / GAMES
    # What is there stays; the command does the same before it starts.
    gc.freeze()
    print(f"{build_note()}|{frames:.0f}", flush=True)
    for line in sys.stdin:
        name = line.strip()
        seconds = []
        for game in games:
            step = calibrate if name == "calibrate" else getattr(game, name)
            started = time.perf_counter()
            done = step()
            seconds.append((time.perf_counter() - started) / (done or 1))
        print(*seconds, flush=True)


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
        self.each = {step: [float("inf")] * GAMES for step in (*STEPS, "calibrate")}

    def _read(self) -> str:
        assert self.process.stdout is not None
        return self.process.stdout.readline().strip()

    def measure(self) -> None:
        """Do one repeat of every step, and keep the best of each game."""
        assert self.process.stdin is not None
        for step, best in self.each.items():
            print(step, file=self.process.stdin, flush=True)
            self.each[step] = list(map(min, best, map(float, self._read().split())))

    @property
    def best(self) -> dict[str, float]:
        """The best seconds of each step, in the mean over the games."""
        return {step: sum(best) / GAMES for step, best in self.each.items()}

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
