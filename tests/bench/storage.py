"""What a durable frame costs (`make bench-storage`): alone, and in groups.

1. One match, one frame after the other: hand-over and sync, against a bare write and sync.
2. Many matches that always have a frame waiting: frames per second, and the processor's time
   per frame, which is what the thread takes from everybody else.
"""

import os
import statistics
import tempfile
import threading
import time
from pathlib import Path

from referee.service.storage.committer import Committer
from referee.service.storage.groups import Result
from referee.service.storage.store import Store
from referee.service.storage.transcripts import Durability, MatchFile

FRAME = bytes(range(150))
SINGLE = 3000
MATCHES = (1, 16, 64, 256)
SECONDS = 3.0
SEGMENT = 16 << 20


def bare(root: Path) -> list[float]:
    """Return the seconds of writes with a sync each, into a file that was reserved."""
    descriptor = os.open(root / "bare", os.O_RDWR | os.O_CREAT, 0o644)
    os.posix_fallocate(descriptor, 0, SEGMENT)
    os.fsync(descriptor)
    took: list[float] = []
    for number in range(SINGLE):
        start = time.perf_counter()
        os.pwrite(descriptor, FRAME, number * len(FRAME))
        os.fdatasync(descriptor)
        took.append(time.perf_counter() - start)
    os.close(descriptor)
    return took


def single(root: Path) -> list[float]:
    """Return the seconds from hand-over to the answer, of one match."""
    answered = threading.Semaphore(0)

    def deliver(results: list[Result]) -> None:
        for done, error in results:
            done(error)

    def done(error: OSError | None) -> None:
        assert error is None
        answered.release()

    took: list[float] = []
    with Store(root / "single") as store:
        committer = Committer(store, deliver)
        file = store.create(bytes(16))
        for _ in range(SINGLE):
            start = time.perf_counter()
            committer.commit(file, FRAME, done)
            answered.acquire()
            took.append(time.perf_counter() - start)
        committer.close()
    return took


def many(root: Path, matches: int, durability: Durability) -> tuple[float, float, float]:
    """Return frames per second, frames per group, and processor seconds per frame."""
    with Store(root / f"many-{matches}-{durability.value}") as store:
        frames = 0
        waiting: list[Result] = []
        ready = threading.Event()

        def deliver(results: list[Result]) -> None:
            waiting.extend(results)
            ready.set()

        committer = Committer(store, deliver)
        files = [store.create(number.to_bytes(16, "big"), durability) for number in range(matches)]

        def hand_over(file: MatchFile) -> None:
            committer.commit(file, FRAME, lambda _error: hand_over(file))

        start, used = time.perf_counter(), time.process_time()
        for file in files:
            hand_over(file)
        while time.perf_counter() - start < SECONDS:
            ready.wait()
            ready.clear()
            results, waiting[:] = waiting[:], []
            frames += len(results)
            for done, error in results:
                assert error is None
                done(error)
        took, used = time.perf_counter() - start, time.process_time() - used
        figures = committer.figures
        committer.close()
    return frames / took, figures.frames / figures.groups, used / max(1, frames)


def main() -> None:
    """Print the figures."""
    with tempfile.TemporaryDirectory(dir=os.environ.get("BENCH_DIR", ".")) as folder:
        root = Path(folder)
        for name, took in (("bare write and sync", bare(root)), ("one match", single(root))):
            took.sort()
            middle, late = statistics.median(took), took[len(took) * 99 // 100]
            print(f"{name:20} {middle * 1e6:7.0f} us, 99 % within {late * 1e6:7.0f} us")
        for durability in (Durability.SYNC, Durability.BATCH):
            for matches in MATCHES:
                rate, group, used = many(root, matches, durability)
                what = f"{durability.value}, {matches} matches"
                print(
                    f"{what:20} {rate:8.0f} frames/s, {group:5.0f} a group, {used * 1e6:5.1f} us of CPU each"
                )


if __name__ == "__main__":
    main()
