"""Long runs over transcripts (`make soak-record`), with the command of the Go verifier.

1. Both verifiers over GAMES recorded games, and as many damaged ones: 0 disagreements (P-V2).
2. Every bit of every kept transcript flipped: 0 undetected (P-D4).
3. `referee verify` over a folder of 1,000 files and over one of FOLDER: memory stays flat.
"""

import os
import subprocess
import sys
import tempfile
from multiprocessing import get_context
from pathlib import Path

from referee.transcript import reader
from referee.transcript.errors import NotATranscript
from referee.transcript.verify import Verdict, verify
from tests.golden.write import TRANSCRIPTS

GAMES = int(os.environ.get("GAMES", "100000"))
FOLDER = int(os.environ.get("FOLDER", "100000"))
CHUNK = 2000


def compare(go: str) -> None:
    """Run both verifiers over chunks of games, each with a seed of its own."""
    for number in range(0, GAMES, CHUNK):
        arguments = ["--games", str(CHUNK), "--damaged", str(CHUNK), "--seed", f"soak {number}"]
        command = [sys.executable, "-m", "tests.transcript.compare_verifiers", go, *arguments]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        if done.returncode:
            sys.exit(done.stdout + done.stderr)
        print(f"{number + CHUNK} games: {done.stdout.splitlines()[-1]}", flush=True)


def flip_all(path: Path) -> tuple[str, int]:
    """Flip every bit of a file; return its name and how many flips nothing noticed."""
    data = path.read_bytes()
    whole = verify(reader.read(data)).verdict
    missed = 0
    for bit in range(8 * len(data)):
        changed = bytearray(data)
        changed[bit // 8] ^= 1 << bit % 8
        try:
            verdict = verify(reader.read(bytes(changed))).verdict
        except NotATranscript:
            continue
        missed += verdict in (Verdict.OK, Verdict.INCOMPLETE, whole)
    return path.name, missed


def flips() -> None:
    """Flip every bit of every kept transcript, on all cores."""
    with get_context("spawn").Pool() as pool:
        for name, missed in pool.imap_unordered(flip_all, sorted(TRANSCRIPTS.glob("*.azt"))):
            print(f"{name}: {missed} flips undetected", flush=True)
            if missed:
                sys.exit(1)


def peak(folder: Path) -> int:
    """Verify a folder in a process of its own; return the most memory that any process took."""
    program = (
        "import resource, sys; from referee.cli.main import _run; code = _run(sys.argv[1:]);"
        "kinds = (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN);"
        "print(max(resource.getrusage(kind).ru_maxrss for kind in kinds)); sys.exit(code)"
    )
    command = [sys.executable, "-c", program, "verify", str(folder)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    print(done.stdout.splitlines()[0])
    assert done.returncode == 0, done.stderr
    return int(done.stdout.splitlines()[-1])


def memory() -> None:
    """Compare a small folder with a large one: the same files under other names."""
    good = (TRANSCRIPTS / "azul-2.azt").read_bytes()
    with tempfile.TemporaryDirectory() as temporary:
        sizes = {}
        for number in (1000, FOLDER):
            folder = Path(temporary) / str(number)
            folder.mkdir()
            first = folder / "000000.azt"
            first.write_bytes(good)
            for index in range(1, number):
                (folder / f"{index:06}.azt").symlink_to(first)
            sizes[number] = peak(folder)
        print(", ".join(f"{number} files: {size / 1024:.0f} MiB" for number, size in sizes.items()))


def main() -> None:
    """Do all of it."""
    memory()
    flips()
    compare(sys.argv[1])


if __name__ == "__main__":
    main()
