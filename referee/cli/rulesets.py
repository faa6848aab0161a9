"""`referee rulesets`: what can be played."""

import json

import click


@click.command("rulesets")
@click.option("--json", "as_json", is_flag=True, help="One JSON object a ruleset.")
def command(*, as_json: bool) -> None:
    """List the rulesets with their players and revision."""
    from referee.rules import RULESETS

    if as_json:
        for ruleset in RULESETS.values():
            row = {
                "key": ruleset.key,
                "revision": ruleset.revision,
                "min_players": ruleset.min_seats,
                "max_players": ruleset.max_seats,
                "title": ruleset.title,
            }
            click.echo(json.dumps(row))
        return
    click.echo(f"{'key':<18}{'players':<9}{'revision':<10}game")
    for ruleset in RULESETS.values():
        players = str(ruleset.min_seats)
        if ruleset.max_seats > ruleset.min_seats:
            players += f"-{ruleset.max_seats}"
        click.echo(f"{ruleset.key:<18}{players:<9}{ruleset.revision:<10}{ruleset.title}")
