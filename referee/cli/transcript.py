"""`referee transcript`: fetches the record of a match from a running referee."""

import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click

from referee.cli.connection import EXIT_FAILED, EXIT_HELP, CallFailed, Connection, connected
from referee.cli.text import printable

if TYPE_CHECKING:
    from referee.cli.connection import Calls


@click.command("transcript", epilog=EXIT_HELP)
@click.argument("match_id", metavar="MATCH")
@click.option(
    "--output", "-o", type=click.Path(), help="The file to write; - prints it. [default: MATCH.azt]"
)
@click.option("--force", is_flag=True, help="Write over a file that is there.")
@connected
def command(*, connection: Connection, match_id: str, output: str | None, force: bool) -> None:
    """Fetch the transcript of MATCH, to be verified, replayed and kept.

    Everybody may have the transcript of a match that is signed. Before that only the organiser
    may, and gets what spectators could see so far.
    """
    with connection.open() as calls:
        data, signed = fetch(calls, match_id)
    if output == "-":
        sys.stdout.buffer.write(data)
    else:
        path = Path(output or f"{match_id}.azt")
        _write(path, data, force=force)
        click.echo(f"{printable(str(path))}: {len(data)} bytes", err=True)
    if not signed:
        click.echo("the match is not signed yet: this is its record so far", err=True)


def fetch(calls: "Calls", match_id: str) -> tuple[bytes, bool]:
    """Return all bytes that can be had of a transcript, and whether the match is signed."""
    from referee.transcript.limits import MAX_FILE_BYTES
    from referee.v1.match_pb2 import GetTranscriptRequest

    pieces: list[bytes] = []
    offset = 0
    while True:
        request = GetTranscriptRequest(match_id=match_id, offset=offset)
        piece = calls.call("GetTranscript", request)
        pieces.append(piece.data)
        offset += len(piece.data)
        if offset >= piece.size:
            return b"".join(pieces), piece.signed
        if not piece.data or offset > MAX_FILE_BYTES:
            raise CallFailed("the referee sends no whole transcript", EXIT_FAILED)


def _write(path: Path, data: bytes, *, force: bool) -> None:
    """Write the file whole, or raise `click.UsageError`."""
    named = printable(str(path))
    if path.exists() and not force:
        raise click.UsageError(f"{named} is there already; --force writes over it")
    temporary = path.with_name(f".{path.name}.{os.getpid()}")
    try:
        temporary.write_bytes(data)
        temporary.replace(path)
    except OSError as error:
        temporary.unlink(missing_ok=True)
        raise click.UsageError(f"{named} cannot be written: {error.strerror}") from error
