"""The `referee` command: finds the module of a command, and lets no traceback out.

Every module of a command is imported only when that command runs or is listed, and
imports what is heavy inside its function, so that ``referee --help`` stays quick.
"""

import importlib
import os
import sys
import traceback

import click

from referee import __version__
from referee.rules.errors import RefereeError

COMMANDS = ("check", "rulesets", "simulate")

EXIT_USAGE = 2
EXIT_INTERNAL = 70
EXIT_INTERRUPTED = 130


class Commands(click.Group):
    """The commands, each `command` in the module of its name."""

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002
        """Return the names of all commands."""
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:  # noqa: ARG002
        """Return a command by its name."""
        if cmd_name not in COMMANDS:
            return None
        module = importlib.import_module(f"referee.cli.{cmd_name}")
        command = module.command
        assert isinstance(command, click.Command)
        return command


@click.command(cls=Commands, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, prog_name="referee")
def cli() -> None:
    """Referee bot competitions of the Azul family of games."""


def main() -> None:
    """Run the command line; every error ends in one sentence and an exit code."""
    try:
        code = cli.main(standalone_mode=False)
        sys.stdout.flush()
    except click.exceptions.Abort:
        code = EXIT_INTERRUPTED
    except click.ClickException as error:
        error.show()
        code = error.exit_code
    except RefereeError as error:
        click.echo(f"referee: {error}", err=True)
        code = EXIT_USAGE
    except BrokenPipeError:
        # Whoever read the output has gone; nothing is left to say to anybody.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        code = 0
    except Exception as error:  # noqa: BLE001  the last line of defence
        click.echo(f"referee: internal error: {type(error).__name__}: {error}", err=True)
        click.echo("This is a bug; REFEREE_DEBUG=1 shows where. Please report it.", err=True)
        if os.environ.get("REFEREE_DEBUG"):
            traceback.print_exc()
        code = EXIT_INTERNAL
    sys.exit(code)
