"""Jobs in processes of their own, on all cores, with a limit of time and memory."""

import os
import resource
from collections.abc import Callable, Iterable, Iterator
from typing import TypeVar

JOBS = int(os.environ.get("MUTANT_JOBS", str(os.cpu_count() or 1)))
MEMORY = 2 << 30
SURVIVED, KILLED, TIMED_OUT = "survived", "killed", "timed out"

Subject = TypeVar("Subject")
Job = Callable[[], str]


def fork(job: Job, limit: int) -> tuple[int, int]:
    """Start a job in a process of its own; return its id and where its answer can be read."""
    reading, writing = os.pipe()
    pid = os.fork()
    if pid:
        os.close(writing)
        return pid, reading
    code = 1
    try:
        resource.setrlimit(resource.RLIMIT_CPU, (limit, limit + 5))
        resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
        silence = os.open(os.devnull, os.O_WRONLY)
        os.dup2(silence, 1)
        os.dup2(silence, 2)
        os.write(writing, job().encode())
        code = 0
    finally:
        os._exit(code)


def run(jobs: Iterable[tuple[Subject, Job]], limit: int) -> Iterator[tuple[Subject, str, str]]:
    """Run jobs on all cores; yield what became of each subject, and the test that failed.

    A job answers with the name of a test that failed, or nothing.
    """
    going: dict[int, tuple[int, Subject]] = {}

    def finished() -> tuple[Subject, str, str]:
        pid, status = os.wait()
        reading, subject = going.pop(pid)
        with os.fdopen(reading) as answer:
            killer = answer.read()
        if os.WIFSIGNALED(status):
            return subject, TIMED_OUT, ""
        return subject, SURVIVED if status == 0 and not killer else KILLED, killer

    for subject, job in jobs:
        pid, reading = fork(job, limit)
        going[pid] = reading, subject
        if len(going) == JOBS:
            yield finished()
    while going:
        yield finished()
