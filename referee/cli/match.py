"""`referee match`: makes, lists, shows and stops matches of a running referee."""

import json
from typing import TYPE_CHECKING, Any

import click

from referee.cli.connection import EXIT_HELP, Connection, connected
from referee.cli.params import CLOCK, DURATION

if TYPE_CHECKING:
    from referee.transcript.clock import ClockRule
    from referee.v1 import match_pb2, setup_pb2

STATES = ("open", "playing", "finished", "void", "aborted")
MAX_NUMBER = (1 << 32) - 1
SEED_DIGITS = 64
PAGE = 200


@click.group("match", epilog=EXIT_HELP)
def command() -> None:
    """Make, list, show and stop matches of a running referee.

    To make and to stop matches you need an organiser's token: `referee token issue organiser NAME`.
    """


@command.command("create", epilog=EXIT_HELP)
@click.argument("ruleset")
@click.option("--seat", "seats", multiple=True, required=True, help="An agent's handle; repeat it.")
@click.option("--time", "clock", type=CLOCK, help="The clock. [default: that of the referee]")
@click.option("--no-clock", is_flag=True, help="No clock at all, for debugging.")
@click.option(
    "--strikes",
    type=click.IntRange(1, 1_000),
    default=3,
    show_default=True,
    help="Refused answers with which a seat loses.",
)
@click.option("--rated", is_flag=True, help="The match counts for ratings.")
@click.option(
    "--seed",
    help="Fix the tiles: 64 hex digits are the seed itself, of any other text it is the SHA-256.",
)
@click.option("--round-cap", type=click.IntRange(0, MAX_NUMBER), help="Rounds at most.")
@click.option("--first-player", type=click.IntRange(0, MAX_NUMBER), help="The seat that starts.")
@click.option("--goals", help="Duel only: goals with commas between, or random3, random4.")
@click.option(
    "--durability",
    type=click.Choice(["sync", "batch", "off"]),
    help="What an acknowledged move survives. [default: that of the referee]",
)
@click.option("--request-id", help="The same id again returns the same match. [default: random]")
@click.option("--event", default="", help="The event that the match belongs to.")
@click.option("--delay", type=DURATION, default="0", help="How far spectators are behind.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
@connected
def create(*, connection: Connection, as_json: bool, **options: Any) -> None:  # noqa: ANN401
    """Make a match of RULESET and print its id and a token for each seat.

    Whoever has the token of a seat plays for it: give each to its agent and to nobody else.
    """
    from referee.cli.match_text import as_object
    from referee.cli.text import printable

    request = _request(**options)
    with connection.open() as calls:
        made = calls.call("CreateMatch", request)
    if as_json:
        found = as_object(made.match)
        found["request_id"] = request.request_id
        for token in made.tokens:
            found["seats"][token.seat]["token"] = token.token
        click.echo(json.dumps(found))
        return
    click.echo(f"match {printable(made.match.match_id)}")
    agents = [printable(seat.agent) for seat in made.match.seats]
    width = max(map(len, agents))
    for token in made.tokens:
        click.echo(f"seat {token.seat}  {agents[token.seat]:<{width}}  {printable(token.token)}")


def _request(  # noqa: PLR0913  one argument an option
    *,
    ruleset: str,
    seats: tuple[str, ...],
    clock: "ClockRule | None",
    no_clock: bool,
    strikes: int,
    rated: bool,
    seed: str | None,
    round_cap: int | None,
    first_player: int | None,
    goals: str | None,
    durability: str | None,
    request_id: str | None,
    event: str,
    delay: int,
) -> "match_pb2.CreateMatchRequest":
    import secrets

    from referee.transcript.wire.setup import encode_clock
    from referee.v1 import match_pb2, setup_pb2

    if no_clock and clock is not None:
        raise click.UsageError("--time and --no-clock contradict each other")
    return match_pb2.CreateMatchRequest(
        # A call that is lost is made again, and must not make a second match.
        request_id=request_id or secrets.token_hex(16),
        ruleset=ruleset,
        options=_options(round_cap, first_player, goals),
        seats=[setup_pb2.Seat(agent=agent) for agent in seats],
        clock=encode_clock(clock),
        no_clock=no_clock,
        strikes=strikes,
        rated=rated,
        fixed_seed=None if seed is None else seed_bytes(seed),
        durability=None
        if durability is None
        else setup_pb2.Durability.Value(f"DURABILITY_{durability.upper()}"),
        event_id=event,
        spectator_delay_ns=delay,
    )


def _options(
    round_cap: int | None, first_player: int | None, goals: str | None
) -> "setup_pb2.Options":
    from referee.cli.simulate import read_goals
    from referee.rules import Options
    from referee.rules.duel.components import GOAL_NAMES
    from referee.transcript.wire.setup import encode_options

    named = read_goals(goals)
    if isinstance(named, tuple) and not set(named) <= set(GOAL_NAMES):
        raise click.UsageError(f"goals are {', '.join(GOAL_NAMES)}, or random3, random4")
    return encode_options(Options(round_cap=round_cap, first_player=first_player, goals=named))


def seed_bytes(text: str) -> bytes:
    """Return the seed that a text stands for: its own 32 bytes in hex, or its SHA-256."""
    import hashlib

    if len(text) == SEED_DIGITS:
        try:
            return bytes.fromhex(text)
        except ValueError:
            pass
    return hashlib.sha256(text.encode("utf-8", "surrogateescape")).digest()


@command.command("list", epilog=EXIT_HELP)
@click.option("--state", type=click.Choice(STATES), help="Only those that are so far.")
@click.option("--event", default="", help="Only those of this event.")
@click.option(
    "--limit", type=click.IntRange(1), default=50, show_default=True, help="So many at most."
)
@click.option("--page", default="", help="Go on where another list ended.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object a match.")
@connected
def list_matches(
    *,
    connection: Connection,
    state: str | None,
    event: str,
    limit: int,
    page: str,
    as_json: bool,
) -> None:
    """List matches, the newest first."""
    from referee.cli.match_text import HEADER, as_object, row
    from referee.cli.text import printable
    from referee.v1 import match_pb2

    number = 0 if state is None else STATES.index(state) + 1
    headed = as_json
    with connection.open() as calls:
        while limit:
            request = match_pb2.ListMatchesRequest(
                page_size=min(limit, PAGE),
                page_token=page,
                state=match_pb2.MatchState.Name(number),  # type: ignore[arg-type]
                event_id=event,
            )
            found = calls.call("ListMatches", request)
            if not headed:
                headed = True
                click.echo(HEADER)
            for info in found.matches:
                click.echo(json.dumps(as_object(info)) if as_json else row(info))
            limit -= len(found.matches)
            page = found.next_page_token
            if not page:
                return
    click.echo(f"there are more: --page {printable(page, 1_000)}", err=True)


@command.command("show", epilog=EXIT_HELP)
@click.argument("match_id", metavar="MATCH")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
@connected
def show(*, connection: Connection, match_id: str, as_json: bool) -> None:
    """Show what everybody may know of MATCH."""
    from referee.v1 import match_pb2

    with connection.open() as calls:
        found = calls.call("GetMatch", match_pb2.GetMatchRequest(match_id=match_id))
    _print(found.match, as_json=as_json)


@command.command("abort", epilog=EXIT_HELP)
@click.argument("match_id", metavar="MATCH")
@click.option("--detail", default="", help="Why, for the record.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
@connected
def abort(*, connection: Connection, match_id: str, detail: str, as_json: bool) -> None:
    """Stop MATCH, which then counts for nothing; its seed is shown and its record signed."""
    from referee.v1 import match_pb2

    request = match_pb2.AbortMatchRequest(match_id=match_id, detail=detail)
    with connection.open() as calls:
        stopped = calls.call("AbortMatch", request)
    _print(stopped.match, as_json=as_json)


def _print(info: "match_pb2.MatchInfo", *, as_json: bool) -> None:
    from referee.cli.match_text import as_object, facts

    if as_json:
        click.echo(json.dumps(as_object(info)))
    else:
        for line in facts(info):
            click.echo(line)
