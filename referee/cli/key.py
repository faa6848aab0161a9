"""`referee key`: the public key that signs transcripts here."""

import click

from referee.cli.home import DATA, key_path
from referee.cli.text import printable


@click.command("key")
@click.option(
    *("--data", "--home", "data"),
    type=click.Path(),
    help=f"The data directory, or any folder with a key. [default: ${DATA}]",
)
@click.option("--make", is_flag=True, help="Make a key if there is none yet.")
@click.option("--pem", is_flag=True, help="Print it as PEM, for other tools.")
def command(*, data: str | None, make: bool, pem: bool) -> None:
    """Print the public key with which `serve` and `simulate --record` sign, for anyone to know.

    Publish it where participants trust it, so that they can `referee verify --key`. The private
    one lies in the data directory; the first `serve` there makes it.
    """
    from referee.transcript.signing import load_or_make_key, public_pem

    path = key_path(data)
    if not make and not path.exists():
        # One that nobody signs with would make every record look forged.
        where = printable(str(path.parent), 1_000)
        raise click.UsageError(
            f"there is no signing key in {where}: the first `referee serve` there makes one, and so"
            " does `referee key --make`; --data names another folder"
        )
    key, made = load_or_make_key(path)
    if made:
        named = printable(str(path), 1_000)
        click.echo(f"made a new signing key: {named}; keep it private and back it up", err=True)
    click.echo(public_pem(key.public).decode().strip() if pem else key.public.hex())
