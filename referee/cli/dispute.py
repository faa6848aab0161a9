"""`referee dispute`: what the record of a match says to a claim, or to another copy."""

import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from referee.cli.text import printable
from referee.cli.verify import read_key

if TYPE_CHECKING:
    from referee.transcript.dispute.claims import Claim
    from referee.transcript.reader import Transcript

EXIT_UNREADABLE = 3
# Reasons hold whole deals, which are longer than what a stranger's name may be.
WIDE = 1000


@click.command("dispute")
@click.argument("files", nargs=-1, required=True, type=click.Path(), metavar="FILE [FILE]")
@click.option("--claim", "texts", multiple=True, help="What is claimed, such as 'winner 1'.")
@click.option("--claims", "source", help="A JSON file with claims; - is standard input.")
@click.option("--key", help="The only public key to trust: 64 hex digits, or a file with them.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
def command(
    *,
    files: tuple[str, ...],
    texts: tuple[str, ...],
    source: str | None,
    key: str | None,
    as_json: bool,
) -> None:
    """Decide disputes about a match by re-playing its record, or compare two copies of it.

    \b
    A claim says that something in the record is wrong:
      refused EVENT            an answer was refused although it is a legal move
      accepted EVENT           a move was accepted although it is none
      score SEAT=N [round R]   a score at the end, or after a round
      bonus SEAT:NAME=N        the points for a bonus
      rank SEAT=N              a rank
      winner SEAT[,SEAT]       who won; none for nobody
      tiles [ROUND]            the tiles are not those that were drawn
      time SEAT                a loss on time, or none
      out SEAT                 a seat was put out
      altered                  the file is not what the referee signed
      anything                 whatever it is; this is the default
    EVENT is the number of a record, or TURN.ATTEMPT.

    The verdict is on the record, not on the claim. Exit code: 0 UPHELD, the record stands and the
    claim against it is refuted; 20 OVERTURNED, the record is wrong; 21 INCONCLUSIVE.
    Of two copies: 0 the same account, 23 only one is signed, 22 the referee signed two accounts,
    21 INCONCLUSIVE. A file that cannot be read gives 3.
    """  # noqa: D301  click keeps the lines after a \b as they are
    pinned = None if key is None else read_key(key)
    if len(files) > 2:
        raise click.UsageError("a dispute is about one record, or about two copies of one")
    if len(files) == 2:
        if texts or source is not None:
            raise click.UsageError("claims are about one record; two files are compared")
        _compare(files[0], files[1], pinned, as_json=as_json)
    else:
        _judge(files[0], texts, source, pinned, as_json=as_json)


def _load(path: str) -> "Transcript":
    """Read a file, or say why not and leave with the exit code of `verify`."""
    from referee.transcript.errors import NotATranscript
    from referee.transcript.reader import load

    try:
        return load(path)
    except NotATranscript as error:
        problem = str(error)
    except OSError as error:
        problem = error.strerror or str(error)
    click.echo(f"referee: {printable(path)} cannot be read: {printable(problem)}", err=True)
    raise click.exceptions.Exit(EXIT_UNREADABLE)


def _claims(texts: tuple[str, ...], source: str | None) -> "list[Claim]":
    from referee.transcript.dispute.claims import MAX_CLAIMS_BYTES, parse_claim, read_claims

    claims = [parse_claim(text) for text in texts]
    if source is not None:
        try:
            if source == "-":
                data = sys.stdin.buffer.read(MAX_CLAIMS_BYTES + 1)
            else:
                with Path(source).open("rb") as file:
                    data = file.read(MAX_CLAIMS_BYTES + 1)
        except OSError as error:
            problem = f"{printable(source)} cannot be read: {error.strerror}"
            raise click.UsageError(problem) from error
        claims += read_claims(data)
    return claims


def _say(text: str, indent: str = "  ") -> None:
    click.echo(indent + printable(text, WIDE))


# Claims ----------------------------------------------------------------------------------------


def _judge(
    path: str, texts: tuple[str, ...], source: str | None, pinned: bytes | None, *, as_json: bool
) -> None:
    from referee.transcript.dispute.judge import judge
    from referee.transcript.dispute.objects import of_judgement

    claims = _claims(texts, source)
    judgement = judge(_load(path), claims, pinned)
    found = of_judgement(path, judgement)
    if as_json:
        click.echo(json.dumps(found))
    else:
        _print_judgement(found)
    raise click.exceptions.Exit(judgement.verdict.value)


def _print_judgement(found: dict[str, Any]) -> None:
    click.echo(f"{printable(found['path'])}: {_match(found)}")
    for ruling in found["rulings"]:
        rule = f" ({ruling['rule']})" if ruling["rule"] else ""
        click.echo(f"{_becomes(ruling)}: {ruling['verdict']}{rule}")
        _say(f"{ruling['reason']}.")
        _print_remedy(found, ruling)
        for note in ruling["notes"]:
            _say(f"{note}.", "  note: ")


def _becomes(ruling: dict[str, Any]) -> str:
    """Say what becomes of the record, which the verdict is about, and what of the claim."""
    claimed = ruling["claimed"]
    right = claimed is None or claimed == ruling["correct"]
    match ruling["verdict"]:
        case "UPHELD":
            record, claim = (
                "upheld",
                "says the same" if right and claimed is not None else "refuted",
            )
        case "OVERTURNED":
            record, claim = "overturned", "confirmed" if right else "wrong as well"
        case _:
            record, claim = "not decisive", "left open"
    return f'record {record}, claim "{printable(ruling["text"])}" {claim}'


def _match(found: dict[str, Any]) -> str:
    words = [f"match {found['match_id'] or 'unknown'}"]
    if found["ruleset"]:
        words.append(f"{found['ruleset']}/{found['revision']}, {len(found['agents'])} seats")
    if not found["trusted"]:
        words.append("NOT TO BE TRUSTED")
    elif found["key_pinned"]:
        words.append("signed by the pinned key")
    else:
        words.append(f"signed by {found['public_key']}, key not pinned")
    return ", ".join(words)


def _print_remedy(found: dict[str, Any], ruling: dict[str, Any]) -> None:
    """Say what becomes of the result."""
    match ruling["remedy"]:
        case "stands":
            click.echo("  result: the recorded one stands")
        case "corrected":
            click.echo("  result: it changes; the corrected one is")
            _print_result(found["agents"], ruling["corrected_result"])
        case "replay":
            turn = ruling["replay_turn"]
            click.echo(
                "  result: it cannot be computed; the match must be played again from turn"
                f" {turn} on, or voided"
            )
        case "none":
            click.echo("  result: the match has none")
        case _:
            click.echo("  result: the record cannot say")


def _print_result(agents: list[str], result: dict[str, Any]) -> None:
    for seat, (agent, entry) in enumerate(zip(agents, result["seats"], strict=True)):
        bonuses = ", ".join(f"{name} {points}" for name, points in entry["bonuses"].items())
        out = f", out by {entry['out']}" if entry["out"] else ""
        line = f"{printable(agent)} (seat {seat}): rank {entry['rank']}, {entry['score']} points"
        click.echo(f"    {line}" + (f" ({bonuses})" if bonuses else "") + out)
    winners = ", ".join(map(str, result["winners"])) or "none"
    click.echo(f"    winner: {winners}; ended by {result['reason']}")


# Copies ----------------------------------------------------------------------------------------


def _compare(one: str, other: str, pinned: bytes | None, *, as_json: bool) -> None:
    from referee.transcript.dispute.copies import compare
    from referee.transcript.dispute.objects import of_comparing

    comparing = compare(_load(one), _load(other), pinned)
    found = of_comparing((one, other), comparing)
    if as_json:
        click.echo(json.dumps(found))
    else:
        _print_comparing(found)
    raise click.exceptions.Exit(comparing.verdict.value)


def _print_comparing(found: dict[str, Any]) -> None:
    click.echo(f"match {found['match_id']}: {found['verdict'].replace('_', ' ')}")
    _say(f"{found['reason']}.")
    difference = found["difference"]
    if difference is not None:
        event = "" if difference["event"] is None else f", event {difference['event']}"
        field = f", {difference['field']}" if difference["field"] else ""
        click.echo(f"  first difference: frame {difference['frame']}{event}{field}")
        for number, side in enumerate(("first", "second"), 1):
            _say(f"copy {number}: {difference[side]}", "    ")
    for number, copy in enumerate(found["copies"], 1):
        levels = copy["levels"]
        held = f"chain {levels['chain']}, signature {levels['signature']}"
        click.echo(
            f"  copy {number}, {printable(copy['path'])}: {held}; verify says"
            f" {copy['verify']['verdict']}; {_came_to(copy['result'])}"
        )
    if found["right"] is not None:
        right = found["right"] + 1
        both = found["verdict"] == "SAME"
        click.echo("  right: both" if both else f"  right: copy {right}")
    else:
        click.echo("  right: neither, or it cannot be told")


def _came_to(result: dict[str, Any] | None) -> str:
    if result is None:
        return "no result"
    scores = ", ".join(str(entry["score"]) for entry in result["seats"])
    return (
        f"re-played it comes to {scores}, winner {', '.join(map(str, result['winners'])) or 'none'}"
    )
