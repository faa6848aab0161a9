"""`referee demo`: a whole match over gRPC, with everything that belongs to one."""

from pathlib import Path

import click

EXIT_TERMINATED = 143


@click.command("demo")
@click.argument("ruleset", default="azul")
@click.option("--players", type=click.IntRange(2, 4), default=2, show_default=True)
@click.option("--seed", help="Fix the tiles. [default: drawn by referee and bots together]")
@click.option("--folder", type=click.Path(), help="Where to keep everything. [default: a new one]")
def command(*, ruleset: str, players: int, seed: str | None, folder: str | None) -> None:
    """Play one match of RULESET over gRPC: a referee, its bots, a spectator, a verified record."""
    import asyncio
    import signal
    import tempfile

    from referee.cli.demo_match import Demo
    from referee.rules import get_ruleset

    # Before anything is started or made.
    get_ruleset(ruleset).check_seats(players)
    place = Path(folder or tempfile.mkdtemp(prefix="azul-referee-demo-"))
    try:
        place.mkdir(parents=True, exist_ok=True)
        if any(place.iterdir()):
            raise click.UsageError(f"{place} is not empty; name another folder")
    except OSError as error:
        raise click.UsageError(f"{place} cannot be used: {error.strerror}") from error

    async def play() -> None:
        task = asyncio.current_task()
        assert task is not None
        # Whatever stops it, its processes are stopped, too.
        asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, task.cancel)
        await Demo(place).play(ruleset, players, seed)

    try:
        asyncio.run(play())
    except asyncio.CancelledError:
        raise click.exceptions.Exit(EXIT_TERMINATED) from None
