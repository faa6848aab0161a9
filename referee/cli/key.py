"""`referee key`: the public key that signs transcripts here."""

import click

from referee.cli.home import HOME, key_path


@click.command("key")
@click.option("--home", type=click.Path(), help=f"The folder with the key. [default: ${HOME}]")
@click.option("--pem", is_flag=True, help="Print it as PEM, for other tools.")
def command(*, home: str | None, pem: bool) -> None:
    """Print the public key, which anyone may know; a private one is made on first use.

    Publish it where participants trust it, so that they can `referee verify --key`.
    """
    from referee.transcript.signing import load_or_make_key, public_pem

    path = key_path(home)
    key, made = load_or_make_key(path)
    if made:
        click.echo(f"made a new signing key: {path}; keep it private and back it up", err=True)
    click.echo(public_pem(key.public).decode().strip() if pem else key.public.hex())
