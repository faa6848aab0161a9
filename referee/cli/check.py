"""`referee check`: re-plays games that were played elsewhere."""

import json
from typing import TYPE_CHECKING, Any

import click

from referee.cli.text import printable

if TYPE_CHECKING:
    from referee.transcript.elsewhere import LineReport

EXIT_FINDING = 1
EXIT_FORMAT = 2


@click.command("check")
@click.argument("files", nargs=-1, required=True, metavar="FILE...")
@click.option("--json", "as_json", is_flag=True, help="One JSON object a game.")
@click.pass_context
def command(ctx: click.Context, files: tuple[str, ...], *, as_json: bool) -> None:
    """Re-play games of the format azul-game/1 and say whether they obey the rules.

    FILE is JSON Lines, plain or gzip; - is standard input. For every game that cannot be
    true the first wrong place is named.

    Exit code: 0 all games hold, 1 at least one does not, 2 a line is not a game.
    """
    from referee.transcript.elsewhere import check_line, read_lines

    holding = wrong = out_of_format = 0
    for file in files:
        for line in read_lines(file):
            report = check_line(line)
            if report.finding is None:
                holding += 1
            elif report.finding.is_format:
                out_of_format += 1
            else:
                wrong += 1
            if as_json:
                click.echo(json.dumps(_as_object(report), allow_nan=False))
            elif report.finding is not None:
                click.echo(_as_text(report))
    counts = f"{holding + wrong} games checked: {holding} hold, {wrong} do not"
    if out_of_format:
        counts += f"; {out_of_format} lines or files are not games"
    click.echo(counts, err=as_json)
    ctx.exit(EXIT_FORMAT if out_of_format else EXIT_FINDING if wrong else 0)


def _as_object(report: "LineReport") -> dict[str, Any]:
    """Return a report as docs/check.md lists its fields."""
    finding = report.finding
    if finding is None:
        return {"id": report.id, "ok": True}
    fields: dict[str, Any] = {"id": report.id, "ok": False}
    if finding.place is not None:
        fields["place"] = finding.place
    fields |= {"claimed": finding.claimed, "expected": finding.expected, "reason": finding.reason}
    if finding.rule is not None:
        fields["rule"] = finding.rule
    if finding.is_format:
        fields |= {"file": report.line.file, "line": report.line.number}
    return fields


def _as_text(report: "LineReport") -> str:
    finding = report.finding
    assert finding is not None
    where = printable(report.line.file)
    if report.line.number is not None:
        where += f":{report.line.number}"
    name = f" {printable(report.id)}" if report.id is not None else ""
    place = f" {finding.place}" if finding.place is not None else ""
    rule = f" [{finding.rule}]" if finding.rule is not None else ""
    claimed, expected = printable(finding.claimed), printable(finding.expected)
    if finding.is_format and finding.place is None:
        return f"{where}:{name} format: {claimed}; expected {expected}"
    return f"{where}:{name}{place}: {finding.reason}: claimed {claimed}; expected {expected}{rule}"
