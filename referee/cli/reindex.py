"""`referee reindex`: the index of all matches, made anew from their transcripts."""

import click

from referee.cli.home import DATA, data_folder
from referee.cli.text import printable


@click.command("reindex")
@click.option("--data", type=click.Path(), help=f"The data directory. [default: ${DATA}]")
@click.option("--dump", is_flag=True, help="Print the new index, a JSON object a match.")
def command(*, data: str | None, dump: bool) -> None:
    """Make the index of a data directory anew from its transcripts.

    The index is a cache of what `ListMatches` shows, and the referee mends it by itself; this
    is for when it is in doubt. Files that cannot be read are named and left out, and then the
    exit code is 1. While a referee holds the directory nothing is done.
    """
    from referee.service.index import Index, rebuild
    from referee.service.index.table import FILE
    from referee.service.lock import held

    folder = data_folder(data)
    with held(folder):
        matches, problems = rebuild(folder)
        if dump:
            with Index(folder / FILE) as index:
                click.echo(index.canonical_dump(), nl=False)
    for path, problem in problems:
        click.echo(f"{printable(str(path))}: {printable(problem)}", err=True)
    # With --dump, standard output holds nothing else.
    left_out = f"; {len(problems)} files could not be read" if problems else ""
    click.echo(f"{matches} matches indexed{left_out}", err=dump)
    if problems:
        raise click.exceptions.Exit(1)
