"""`referee demo`: a whole match over gRPC, with everything that belongs to one."""

from pathlib import Path

import click


@click.command("demo")
@click.argument("ruleset", default="azul")
@click.option("--players", type=click.IntRange(2, 4), default=2, show_default=True)
@click.option("--seed", help="Fix the tiles. [default: drawn by referee and bots together]")
@click.option("--folder", type=click.Path(), help="Where to keep everything. [default: a new one]")
def command(*, ruleset: str, players: int, seed: str | None, folder: str | None) -> None:
    """Play one match of RULESET over gRPC: a referee, its bots, a spectator, a verified record."""
    import asyncio
    import tempfile

    from referee.cli.demo_match import Demo

    place = Path(folder or tempfile.mkdtemp(prefix="azul-referee-demo-"))
    try:
        place.mkdir(parents=True, exist_ok=True)
        if any(place.iterdir()):
            raise click.UsageError(f"{place} is not empty; name another folder")
    except OSError as error:
        raise click.UsageError(f"{place} cannot be used: {error.strerror}") from error
    asyncio.run(Demo(place).play(ruleset, players, seed))
