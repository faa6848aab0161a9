"""A whole referee: its data directory opened, its matches taken up, its server listening.

`run` is what `referee serve` runs, until it is told to stop. Stopping is orderly: no new
matches, then time for those in play if the operator wants that, then every frame on disk;
what is not over goes on at the next start.
"""

import asyncio
import contextlib
import gc
import signal
import sys
from collections.abc import Callable
from dataclasses import dataclass

import structlog

from referee.service.credentials import Credentials
from referee.service.house import Folder, House
from referee.service.indexing import Indexing
from referee.service.metrics import Metrics
from referee.service.pairing import Pairing
from referee.service.resuming import check_keys, resume_all
from referee.service.server import CannotServe, Server, keep_watch
from referee.service.settings import Settings
from referee.service.storage.committer import Committer
from referee.service.storage.debuglog import DebugLog
from referee.service.storage.disk import Disk
from referee.service.storage.groups import Result
from referee.service.storage.secrets import Secrets, key_file
from referee.service.storage.store import Store
from referee.service.timing import Clock
from referee.transcript.signing import load_or_make_key

KEY_FILE = "signing-key.pem"
TOKEN_KEY_FILE = "token-key"  # noqa: S105  the name of a file
CREDENTIALS_FILE = "credentials.db"
SWITCH_S = 0.0005
COLLECT = (50_000, 20, 50)

log = structlog.get_logger()


@dataclass
class Running:
    """A referee that is up."""

    house: House
    server: Server
    store: Store
    indexing: Indexing
    watch: "asyncio.Task[None]"

    async def stop(self) -> None:
        """Stop in order; every match that is not over goes on at the next start."""
        house = self.house
        house.drain()
        await self.server.drain()
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(house.settings.grace_ns / 1e9):
                await house.emptied.wait()
        self.watch.cancel()
        await house.close()
        await self.server.stop()
        await asyncio.to_thread(house.committer.close)
        self.indexing.close()
        house.credentials.close()
        self.store.close()


async def start(
    settings: Settings, clock: Clock | None = None, disk: Disk | None = None
) -> Running:
    """Open everything, take all matches up, and listen."""
    loop = asyncio.get_running_loop()
    store = Store(settings.data, disk)
    try:
        return await _start(settings, clock or Clock(), store, loop)
    except BaseException:
        store.close()
        raise


async def _start(
    settings: Settings, clock: Clock, store: Store, loop: asyncio.AbstractEventLoop
) -> Running:
    data = settings.data
    key, made = load_or_make_key(data / KEY_FILE)
    if made:
        log.info("signing key made", file=str(data / KEY_FILE))
    metrics = Metrics()
    indexing = Indexing()
    house = House(
        Folder(
            settings=settings,
            store=store,
            secrets=Secrets(store.layout.secrets, store.disk),
            credentials=Credentials(data / CREDENTIALS_FILE),
            indexing=indexing,
            key=key,
            token_key=key_file(data / TOKEN_KEY_FILE),
        ),
        metrics,
        clock,
    )
    house.debug_log = DebugLog(store.layout.debug)
    house.pairing = Pairing(house)
    found = store.recover()
    check_keys(house, found)
    house.seen_sequence(await indexing.open(data))

    def deliver(results: list[Result]) -> None:
        loop.call_soon_threadsafe(_hand_out, results)

    house.committer = Committer(store, deliver, measure=metrics.synced)
    house.heart.start()
    await resume_all(house, found)
    server = Server(house, settings)
    listening = False
    try:
        await server.start()
        listening = True
        if settings.metrics_port is not None:
            _serve_metrics(metrics, settings.host, settings.metrics_port)
    except BaseException:
        await house.close()
        if listening:
            await server.stop(0)
        await asyncio.to_thread(house.committer.close)
        indexing.close()
        raise
    watch = loop.create_task(keep_watch(house))
    return Running(house, server, store, indexing, watch)


def _serve_metrics(metrics: Metrics, host: str, port: int) -> None:
    try:
        metrics.serve(host, port)
    except OSError as error:
        problem = error.strerror or str(error)
        raise CannotServe(f"cannot serve metrics on port {port}: {problem}") from error


def _hand_out(results: list[Result]) -> None:
    """Tell every match of a group that its frame is durable, or why it is not."""
    for done, error in results:
        try:
            done(error)
        except Exception:
            # One match that fails must not cost the others their news.
            log.exception("match failed after a write")


def tune() -> None:
    """Set the interpreter up for a server: short turns for threads, few and short collections."""
    # The thread of the disk waits for the interpreter after each sync; 5 ms, the usual turn of
    # a thread that is busy, would be the longest part of a move.
    sys.setswitchinterval(SWITCH_S)
    # What is loaded stays; matches leave no cycles behind, so looking for some can wait.
    gc.freeze()
    gc.set_threshold(*COLLECT)


async def run(settings: Settings, ready: Callable[[Running], None]) -> None:
    """Serve until SIGTERM or SIGINT."""
    stopped = asyncio.Event()
    loop = asyncio.get_running_loop()
    # From the beginning: who stops a referee that is still starting wants it stopped in order.
    for number in (signal.SIGTERM, signal.SIGINT):
        loop.add_signal_handler(number, stopped.set)
    running = await start(settings)
    tune()
    ready(running)
    await stopped.wait()
    log.info("draining", open=len(running.house.hosts))
    await running.stop()
    log.info("stopped")


__all__ = ["CannotServe", "Running", "run", "start"]
