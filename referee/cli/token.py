"""`referee token`: the tokens of organisers and agents."""

import json
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

import click

from referee.cli.home import DATA, data_folder
from referee.cli.text import printable

if TYPE_CHECKING:
    from referee.service.credentials import Credentials, TokenInfo

_data = click.option("--data", type=click.Path(), help=f"The data directory. [default: ${DATA}]")


@click.group("token")
def command() -> None:
    """Issue, list and revoke the tokens of organisers and agents.

    An organiser makes and stops matches and sees everything that may be seen. An agent's token
    lets it ask to be paired, and play from other machines. A running referee knows of every
    change at once.
    """


@command.command("issue")
@click.argument("role", type=click.Choice(["organiser", "agent"]))
@click.argument("name")
@_data
@click.option("--json", "as_json", is_flag=True, help="Print a JSON object with the token.")
def issue(*, role: str, name: str, data: str | None, as_json: bool) -> None:
    """Issue a token for NAME and print it, alone, on standard output.

    NAME is 1 to 32 letters, digits, _ and -. That of an agent is the handle by which matches
    seat it, and which is registered with its first token.
    """
    from referee.service.auth import Role
    from referee.service.names import check_handle

    check_handle(name, "NAME")
    with _credentials(data, make=True) as credentials:
        text = credentials.issue(Role(role), name)
        info = credentials.describe(text)
        assert info is not None
    if as_json:
        click.echo(json.dumps({**_object(info), "token": text}))
    else:
        click.echo(text)
    click.echo(
        f"token {info.number}, of {role} {name}: it is shown only now, and only its hash is kept",
        err=True,
    )


@command.command("list")
@_data
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object a token.")
def list_tokens(*, data: str | None, as_json: bool) -> None:
    """List all tokens, the revoked ones too; none can be read again."""
    with _credentials(data) as credentials:
        infos = credentials.tokens()
    if as_json:
        for info in infos:
            click.echo(json.dumps(_object(info)))
        return
    click.echo(f"{'id':>4}  {'role':<9}  {'name':<32}  {'created':<20}  revoked")
    for info in infos:
        revoked = "" if info.revoked_utc_s is None else _time(info.revoked_utc_s)
        line = f"{info.number:>4}  {info.role.value:<9}  {info.name:<32}  "
        click.echo(f"{line}{_time(info.created_utc_s)}  {revoked}".rstrip())


@command.command("revoke")
@click.argument("number", type=click.IntRange(1), metavar="ID")
@_data
@click.option("--json", "as_json", is_flag=True, help="Print the token as a JSON object.")
def revoke(*, number: int, data: str | None, as_json: bool) -> None:
    """Revoke a token by its ID, as `list` shows it; from now on nobody has it."""
    with _credentials(data) as credentials:
        info = credentials.revoke(number)
    if as_json:
        click.echo(json.dumps(_object(info)))
    else:
        click.echo(f"token {info.number}, of {info.role.value} {info.name}, is revoked")


def _credentials(data: str | None, *, make: bool = False) -> "Credentials":
    """Open the file of tokens; make one only where one is to be put into it."""
    from referee.service.credentials import FILE, Credentials

    path = data_folder(data) / FILE
    if not make and not path.exists():
        raise click.UsageError(f"no token was ever issued here: there is no {printable(str(path))}")
    return Credentials(path)


def _object(info: "TokenInfo") -> dict[str, Any]:
    return {
        "id": info.number,
        "role": info.role.value,
        "name": info.name,
        "created_utc_s": info.created_utc_s,
        "revoked_utc_s": info.revoked_utc_s,
    }


def _time(utc_s: int) -> str:
    return datetime.fromtimestamp(utc_s, UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
