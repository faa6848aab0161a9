"""The store and the committer on the disk of this machine, with a real thread."""

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from referee.service.storage.committer import Committer
from referee.service.storage.errors import FolderInUse, MatchExists, NoSuchMatch
from referee.service.storage.groups import Result
from referee.service.storage.recovery import Kind
from referee.service.storage.store import Store
from referee.service.storage.transcripts import Durability
from tests.golden.write import TRANSCRIPTS
from tests.service.storage.frames import frames_of, id_of

DEADLINE_S = 60
GAME = TRANSCRIPTS / "azul-2.azt"


class Waiter:
    """Calls what was delivered, and lets a test wait for it."""

    def __init__(self) -> None:
        self.calls: list[int] = []

    def deliver(self, results: list[Result]) -> None:
        """Take the results of a group."""
        self.calls.append(len(results))
        for done, error in results:
            done(error)


class Once:
    """One result that is waited for, with a deadline."""

    def __init__(self) -> None:
        self._event = threading.Event()
        self.error: Exception | None = None

    def __call__(self, error: Exception | None) -> None:
        """Take the result."""
        self.error = error
        self._event.set()

    def wait(self) -> Exception | None:
        """Wait for the result and return it."""
        assert self._event.wait(DEADLINE_S), "nothing was delivered"
        return self.error


@contextmanager
def committing(root: Path) -> Iterator[tuple[Store, Committer, Waiter]]:
    """Run a committer on a folder."""
    waiter = Waiter()
    with Store(root) as store:
        committer = Committer(store, waiter.deliver)
        try:
            yield store, committer, waiter
        finally:
            committer.close()


@pytest.mark.parametrize("durability", Durability)
def test_a_match_is_written_and_finished(tmp_path: Path, durability: Durability) -> None:
    """A match ends up whole among the finished ones, whatever its durability."""
    data = GAME.read_bytes()
    match_id = id_of(data)
    with committing(tmp_path) as (store, committer, _):
        file = store.create(match_id, durability)
        written = b""
        for part in frames_of(data):
            done = Once()
            committer.commit(file, part, done)
            assert done.wait() is None
            written += part
            assert store.read(match_id) == written
        finished = Once()
        committer.finish(file, finished)
        assert finished.wait() is None
        assert store.read(match_id) == data
        assert store.open_ids() == []
        assert list(store.finished_ids()) == [match_id]
        with pytest.raises(MatchExists):
            store.create(match_id)
    assert (tmp_path / "finished" / match_id.hex()[:2] / f"{match_id.hex()}.azt").is_file()
    assert list((tmp_path / "journal").iterdir()) == []
    assert list((tmp_path / "open").iterdir()) == []


def test_a_match_goes_on_after_a_stop(tmp_path: Path) -> None:
    """What was committed before a stop is recovered, and can be gone on with."""
    data = GAME.read_bytes()
    match_id = id_of(data)
    parts = frames_of(data)
    with committing(tmp_path) as (store, committer, _):
        file = store.create(match_id, Durability.SYNC)
        for part in parts[:5]:
            committer.commit(file, part, Once())
    with committing(tmp_path) as (store, committer, _):
        (recovered,) = store.recover()
        assert (recovered.kind, recovered.cut) == (Kind.OPEN, 0)
        assert recovered.transcript is not None
        assert recovered.transcript.good == 5
        file = store.reopen(match_id)
        for part in parts[5:]:
            committer.commit(file, part, Once())
        done = Once()
        committer.finish(file, done)
        assert done.wait() is None
        assert store.read(match_id) == data


def test_commits_that_gather_are_one_group(tmp_path: Path) -> None:
    """All that waits while the thread is busy becomes one group, delivered in one call."""
    parts = frames_of(GAME.read_bytes())
    with committing(tmp_path) as (store, committer, waiter):
        files = [store.create(bytes([n]) * 16) for n in range(40)]
        going, busy = threading.Event(), threading.Event()

        def block() -> None:
            busy.set()
            assert going.wait(DEADLINE_S)

        committer.run(block, Once())
        assert busy.wait(DEADLINE_S)
        waits = [Once() for _ in files]
        for file, wait in zip(files, waits, strict=True):
            committer.commit(file, parts[0], wait)
        going.set()
        assert [wait.wait() for wait in waits] == [None] * 40
        assert waiter.calls == [1, 40]
        assert (committer.figures.groups, committer.figures.syncs) == (1, 1)


def test_work_that_fails_is_told(tmp_path: Path) -> None:
    """An error of other work reaches whoever asked for it, and the thread goes on."""
    with committing(tmp_path) as (store, committer, _):
        failed, done = Once(), Once()
        committer.run(lambda: store.reopen(bytes(16)), failed)
        assert isinstance(failed.wait(), NoSuchMatch)
        committer.commit(store.create(bytes(16)), b"frame", done)
        assert done.wait() is None


def test_a_folder_has_one_referee(tmp_path: Path) -> None:
    """A second referee on the same folder is told which folder it is."""
    with Store(tmp_path) as store:
        with pytest.raises(FolderInUse, match=str(tmp_path)) as caught:
            Store(tmp_path)
        assert caught.value.folder == store.layout.root
    Store(tmp_path).close()


def test_a_closed_committer_takes_nothing(tmp_path: Path) -> None:
    """Whoever commits after the end is told at once, instead of waiting for ever."""
    with committing(tmp_path) as (store, committer, _):
        committer.close()
        with pytest.raises(RuntimeError):
            committer.commit(store.create(bytes(16)), b"frame", Once())


def test_a_bug_of_ours_acknowledges_nothing(tmp_path: Path) -> None:
    """If the thread meets an error that it does not know, whoever waits gets an error."""
    with committing(tmp_path) as (store, committer, _):
        file = store.create(bytes(16))
        done, again = Once(), Once()
        committer.commit(file, "no bytes", done)  # type: ignore[arg-type]
        assert isinstance(done.wait(), OSError)
        committer.commit(file, b"frame", again)
        assert isinstance(again.wait(), OSError)
        other = Once()
        committer.commit(store.create(b"o" * 16), b"frame", other)
        assert other.wait() is None


def test_large_matches_without_durability_leave_memory(tmp_path: Path) -> None:
    """Bytes that nobody waits for are flushed when there are many of them."""
    with committing(tmp_path) as (store, committer, _):
        file = store.create(bytes(16), Durability.OFF)
        committer.commit(file, bytes(1 << 20), Once())
        done = Once()
        committer.run(lambda: None, done)
        assert done.wait() is None
        assert file.durable == 1 << 20
        assert store.read(bytes(16)) == bytes(1 << 20)


def test_a_match_can_be_flushed_when_asked(tmp_path: Path) -> None:
    """The transcript itself has everything when `flush` is answered."""
    with committing(tmp_path) as (store, committer, _):
        file = store.create(bytes(16))
        committer.commit(file, b"frame", Once())
        done = Once()
        committer.flush(file, done)
        assert done.wait() is None
        assert (tmp_path / "open" / f"{bytes(16).hex()}.azt").read_bytes() == b"frame"
