"""`referee perft`: counts move sequences from a position, to compare engines."""

import json
import re
import sys
import time
from typing import TYPE_CHECKING, Any

import click

if TYPE_CHECKING:
    from referee.rules import Chance, Move, Position
    from referee.rules.perft import Leaves, Pins

STANDARD_INPUT = "-"
# Far more than any position takes.
MAX_INPUT_BYTES = 65_536
SEED_DIGITS = 64
COUNT_WIDTH = 20


@click.command("perft")
@click.argument("position")
@click.argument("depth", type=int)
@click.option(
    "--deal",
    "deals",
    multiple=True,
    metavar="DEAL",
    help="A deal in notation; the n-th one given is the n-th deal of every sequence.",
)
@click.option("--seed", metavar="HEX", help="1 to 64 hex digits; draws the deals not given.")
@click.option("--divide", "divided", is_flag=True, help="Also print the part of each first move.")
@click.option("--count-only", is_flag=True, help="Leave the digest out, which is much faster.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
def command(
    *,
    position: str,
    depth: int,
    deals: tuple[str, ...],
    seed: str | None,
    divided: bool,
    count_only: bool,
    as_json: bool,
) -> None:
    """Count all sequences of DEPTH moves from POSITION, and digest where they end.

    POSITION is in notation, quoted as one argument; - reads it from standard input. Another
    engine that reports the same count and digest knows the same rules. Deals cost no depth,
    but sequences that meet one need it pinned, by --deal or --seed.

    \b
    Example, the first two moves of a game whose first deal is drawn from seed 7:
      referee perft "azul/1 cap=20 round=0 starter=0 turn=deal marker=center
        factories=-,-,-,-,- center=- bag=20B20Y20R20K20W lid=-
        seat0=0:-/-/-/-/-:...../...../...../...../.....:-
        seat1=0:-/-/-/-/-:...../...../...../...../.....:-" 2 --seed 7
    """  # noqa: D301  click keeps the lines after a \b as they are
    from referee.rules import DealNotPinned, RefereeError, parse_position
    from referee.rules.perft import perft, total

    start = parse_position(_given(position))
    pins = _pins(start, deals, seed)
    started = time.perf_counter()
    parts: list[tuple[Move, Leaves]] = []
    try:
        if divided and depth != 0:
            parts = _divide(start, depth, pins, with_digest=not count_only, show=not as_json)
            leaves = total((part for _, part in parts), with_digest=not count_only)
        else:
            leaves = perft(start, depth, pins, with_digest=not count_only)
    except DealNotPinned as error:
        raise RefereeError(f"{error}; give it with --deal, or a --seed to draw it from") from error
    seconds = time.perf_counter() - started
    if as_json:
        figures = _about(start, depth, pins, seed) | _figures(leaves)
        if divided:
            figures["moves"] = [{"move": str(move)} | _figures(part) for move, part in parts]
        figures["seconds"] = round(seconds, 3)
        figures["positions_per_second"] = _rate(leaves, seconds)
        click.echo(json.dumps(figures))
    elif divided:
        click.echo(_row("total", leaves))
        click.echo(_speed(leaves, seconds))
    else:
        click.echo(f"count   {leaves.count:>{COUNT_WIDTH},}")
        if leaves.digest is not None:
            click.echo(f"digest  {leaves.digest_text:>{COUNT_WIDTH}}")
        click.echo(_speed(leaves, seconds))


def _given(position: str) -> str:
    """Return the text of the position, from standard input if asked to."""
    if position == STANDARD_INPUT:
        if sys.stdin is None:
            raise click.UsageError("standard input is closed")
        data = sys.stdin.buffer.read(MAX_INPUT_BYTES + 1)
        if len(data) > MAX_INPUT_BYTES:
            raise click.UsageError("standard input is longer than any position")
        position = data.decode("utf-8", "surrogateescape")
    # Text that was wrapped to be read, as in the help, is as good as text on one line.
    return " ".join(position.split())


def _pins(start: "Position", deals: tuple[str, ...], seed: str | None) -> "Pins":
    from referee.draws import FixedStreams
    from referee.rules import get_ruleset
    from referee.rules.perft import Pins

    ruleset = get_ruleset(_key_and_revision(start)[0])
    given = tuple(ruleset.parse_deal(deal) for deal in deals)
    if seed is None:
        return Pins(given)
    if re.fullmatch(rf"[0-9a-fA-F]{{1,{SEED_DIGITS}}}", seed) is None:
        raise click.UsageError(f"--seed is 1 to {SEED_DIGITS} hexadecimal digits")
    key = bytes.fromhex(seed.zfill(SEED_DIGITS))

    def fresh(number: int) -> "Chance":
        return FixedStreams(key, start.seats).round(number)

    return Pins(given, fresh)


def _key_and_revision(start: "Position") -> tuple[str, int]:
    key, _, revision = str(start).partition(" ")[0].partition("/")
    return key, int(revision)


def _divide(
    start: "Position", depth: int, pins: "Pins", *, with_digest: bool, show: bool
) -> list[tuple["Move", "Leaves"]]:
    """Return the part of each first move, shown as soon as it is known: trees can be large."""
    from referee.rules.perft import divide

    parts = []
    for move, leaves in divide(start, depth, pins, with_digest=with_digest):
        parts.append((move, leaves))
        if show:
            click.echo(_row(str(move), leaves))
    return parts


def _row(name: str, leaves: "Leaves") -> str:
    digest = "" if leaves.digest is None else f"  {leaves.digest_text}"
    return f"{name:<10}  {leaves.count:>{COUNT_WIDTH},}{digest}"


def _speed(leaves: "Leaves", seconds: float) -> str:
    return f"{seconds:.2f} s, {_rate(leaves, seconds):,} positions/s"


def _rate(leaves: "Leaves", seconds: float) -> int:
    # A clock may stand still over a very small tree.
    return round(leaves.count / max(seconds, 1e-6))


def _about(start: "Position", depth: int, pins: "Pins", seed: str | None) -> dict[str, Any]:
    key, revision = _key_and_revision(start)
    return {
        "ruleset": key,
        "revision": revision,
        "position": str(start),
        "deals": [str(deal) for deal in pins.deals],
        "seed": None if seed is None else seed.lower().zfill(SEED_DIGITS),
        "depth": depth,
    }


def _figures(leaves: "Leaves") -> dict[str, Any]:
    figures: dict[str, Any] = {"count": leaves.count}
    if leaves.digest is not None:
        figures["digest"] = leaves.digest_text
    return figures
