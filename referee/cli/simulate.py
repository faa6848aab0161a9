"""`referee simulate`: random games, their speed and their shape."""

import itertools
import json
import os
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from referee.cli.home import DATA, key_path

if TYPE_CHECKING:
    from referee.match.playout import PlayGame, Summary, Watch
    from referee.rules import Options, Position, Ruleset

MAX_GAMES = 10_000_000


@click.command("simulate")
@click.argument("ruleset")
@click.option("--players", type=int, default=2, show_default=True, help="How many play.")
@click.option(
    "--games",
    type=click.IntRange(1, MAX_GAMES),
    default=100,
    show_default=True,
    help="How many games to play.",
)
@click.option("--seed", default="0", show_default=True, help="Same seed, same games.")
@click.option("--round-cap", type=int, help="Rounds after which a game ends. [default: 20]")
@click.option("--first-player", type=int, help="The seat that starts. [default: by chance]")
@click.option(
    "--goals",
    help="Duel only: three or four goals with commas between, or random3, random4."
    " [default: rows,columns,diagonals]",
)
@click.option(
    "--record", type=click.Path(), help="Write a transcript of every game into this folder."
)
@click.option("--shares", is_flag=True, help="With --record: the seats take part in the draws.")
@click.option(
    *("--data", "--home", "data"),
    type=click.Path(),
    help=f"With --record: the folder with the signing key. [default: ${DATA}]",
)
@click.option("--show", is_flag=True, help="Print every game move by move.")
@click.option("--json", "as_json", is_flag=True, help="Print the figures as one JSON object.")
def command(  # noqa: PLR0913  one argument an option
    *,
    ruleset: str,
    players: int,
    games: int,
    seed: str,
    round_cap: int | None,
    first_player: int | None,
    goals: str | None,
    record: str | None,
    shares: bool,
    data: str | None,
    show: bool,
    as_json: bool,
) -> None:
    """Play random games of RULESET and print their speed, lengths and scores."""
    from referee.match.playout import random_game, simulate
    from referee.rules import Options, get_ruleset

    if show and as_json:
        raise click.UsageError("--show tells games and --json prints figures; choose one")
    rules = get_ruleset(ruleset)
    options = Options(round_cap=round_cap, first_player=first_player, goals=read_goals(goals))
    if shares and record is None:
        raise click.UsageError("--shares is for --record: without a record nobody sees them")
    play = random_game if record is None else _recorder(Path(record), data, shares=shares)
    if show:
        _show(play, rules, players, options, games, seed)
        return
    started = time.perf_counter()
    summary = simulate(rules, players, options, games, seed, play)
    seconds = time.perf_counter() - started
    if as_json:
        click.echo(json.dumps(_figures(rules, summary, seconds, seed)))
    else:
        _print(rules, summary, seconds, seed)


def read_goals(text: str | None) -> tuple[str, ...] | int | None:
    """Read the goals as `Options` takes them."""
    if text is None:
        return None
    return int(text[-1]) if text in ("random3", "random4") else tuple(text.split(","))


def _show(
    play: "PlayGame",
    rules: "Ruleset",
    players: int,
    options: "Options",
    games: int,
    seed: str,
) -> None:
    from referee.cli.screen import Printer
    from referee.cli.story import Story
    from referee.match.playout import game_seed

    printer = Printer()
    for game in range(games):
        story = Story(printer.line, rules.initial(players, options))
        play(rules, players, options, game_seed(seed, game), story.watch)


def _recorder(folder: Path, data: str | None, *, shares: bool) -> "PlayGame":
    """Return a way to play games that also writes their transcripts."""
    from referee.match.recording import Identity, RecordedGame
    from referee.transcript.signing import load_or_make_key

    key, _ = load_or_make_key(key_path(data))
    folder.mkdir(parents=True, exist_ok=True)
    numbers = itertools.count()

    def play(
        rules: "Ruleset", seats: int, options: "Options", seed: bytes, watch: "Watch | None" = None
    ) -> "tuple[Position, list[int]]":
        match_id = os.urandom(16)
        roots = [os.urandom(32) for _ in range(seats)] if shares else None
        identity = Identity(match_id, key, roots, next(numbers), int(time.time()))
        game = RecordedGame(rules, seats, options, seed, identity)
        data = game.play(watch)
        # "x": an id is never used twice, so a file that stands there is a mistake.
        with (folder / f"{match_id.hex()}.azt").open("xb") as file:
            file.write(data)
        return game.position, game.choices

    return play


def _spread(values: list[int]) -> dict[str, float]:
    ordered = sorted(values)
    last = len(ordered) - 1
    return {
        "min": ordered[0],
        "p10": ordered[last // 10],
        "median": ordered[last // 2],
        "p90": ordered[last * 9 // 10],
        "max": ordered[-1],
        "mean": round(sum(ordered) / len(ordered), 2),
    }


def _figures(rules: "Ruleset", summary: "Summary", seconds: float, seed: str) -> dict[str, Any]:
    return {
        "ruleset": rules.key,
        "revision": rules.revision,
        "players": summary.seats,
        "seed": seed,
        "games": summary.games,
        "moves": summary.moves,
        "seconds": round(seconds, 3),
        "games_per_second": round(summary.games / seconds, 1),
        "moves_per_second": round(summary.moves / seconds),
        "moves_per_game": _spread(summary.moves_per_game),
        "rounds_per_game": _spread(summary.rounds_per_game),
        "scores": _spread(summary.scores),
        "wins": summary.wins,
        "shared_wins": summary.shared_wins,
        "terminations": summary.terminations,
        "fingerprint": summary.fingerprint,
    }


def _print(rules: "Ruleset", summary: "Summary", seconds: float, seed: str) -> None:
    figures = _figures(rules, summary, seconds, seed)
    click.echo(f"{rules.title}: {summary.seats} players, {summary.games} random games, seed {seed}")
    click.echo(
        f"speed    {figures['games_per_second']:,} games/s, {figures['moves_per_second']:,} moves/s"
        f" ({summary.moves:,} moves in {seconds:.2f} s)"
    )
    click.echo(f"{'':<17}{'min':>7}{'p10':>7}{'median':>8}{'p90':>7}{'max':>7}{'mean':>9}")
    for name, values in (
        ("moves per game", summary.moves_per_game),
        ("rounds per game", summary.rounds_per_game),
        ("final score", summary.scores),
    ):
        s = _spread(values)
        row = f"{s['min']:>7}{s['p10']:>7}{s['median']:>8}{s['p90']:>7}{s['max']:>7}"
        click.echo(f"{name:<17}{row}{s['mean']:>9}")
    wins = ", ".join(f"seat {seat}: {won}" for seat, won in enumerate(summary.wins))
    click.echo(f"wins     {wins}, shared: {summary.shared_wins}")
    ends = ", ".join(f"{name}: {times}" for name, times in sorted(summary.terminations.items()))
    click.echo(f"ended by {ends}")
    click.echo(f"fingerprint {summary.fingerprint[:16]} (equal for equal games)")
