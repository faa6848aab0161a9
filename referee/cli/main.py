"""The `referee` command: finds the module of a command, and lets no traceback out.

Every module of a command is imported only when that command runs or is listed, and
imports what is heavy inside its function, so that ``referee --help`` stays quick.
"""

import contextlib
import importlib
import io
import os
import sys
import traceback
from typing import NoReturn

import click

from referee import __version__
from referee.native.choice import build_note
from referee.rules.errors import RefereeError

COMMANDS = (
    "check",
    "demo",
    "dispute",
    "key",
    "match",
    "perft",
    "reindex",
    "replay",
    "rulesets",
    "serve",
    "simulate",
    "token",
    "transcript",
    "verify",
    "watch",
)

# Beside 0 and what a command says with 1 and 2.
EXIT_USAGE = 2
EXIT_INTERNAL = 70
EXIT_OUTPUT = 74
EXIT_INTERRUPTED = 130
EXIT_BROKEN_PIPE = 141


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
@click.version_option(__version__, message=f"%(prog)s, version %(version)s ({build_note()})")
def cli() -> None:
    """Referee bot competitions of the Azul family of games."""


def main() -> None:
    """Run the command line; every error ends in one sentence and an exit code."""
    if isinstance(sys.stdout, io.TextIOWrapper):
        # Names may have letters that the terminal's own alphabet lacks.
        sys.stdout.reconfigure(errors="backslashreplace")
    try:
        code = _run(sys.argv[1:])
        if sys.stdout is not None:
            sys.stdout.flush()
    except BrokenPipeError:
        # Whoever read the output has gone; nothing is left to say to anybody.
        code = EXIT_BROKEN_PIPE
    except OSError as error:
        code = EXIT_OUTPUT
        _say(f"referee: {error.strerror or error}")
    except Exception as error:  # noqa: BLE001  the last line of defense
        code = EXIT_INTERNAL
        _say(f"referee: internal error: {type(error).__name__}: {error}")
        _say("This is a bug; REFEREE_DEBUG=1 shows where. Please report it.")
        if os.environ.get("REFEREE_DEBUG"):
            traceback.print_exc()
    _exit(code)


def _run(arguments: list[str]) -> int:
    # Not cli.main, which turns a reader that has gone into exit code 1: `check` needs that
    # code for something else.
    try:
        with cli.make_context("referee", arguments) as context:
            cli.invoke(context)
    except click.exceptions.Exit as done:
        return done.exit_code
    except (click.exceptions.Abort, KeyboardInterrupt):
        return EXIT_INTERRUPTED
    except click.ClickException as error:
        error.show()
        return error.exit_code
    except RefereeError as error:
        _say(f"referee: {error}")
        return EXIT_USAGE
    return 0


def _say(sentence: str) -> None:
    """Say something on standard error, or nothing where that has gone too."""
    with contextlib.suppress(OSError):
        click.echo(sentence, err=True)


def _exit(code: int) -> NoReturn:
    """Leave without another try to write what could not be written."""
    for stream in (sys.stdout, sys.stderr):
        try:
            if stream is not None:
                stream.flush()
        except OSError:
            os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())
    sys.exit(code)
