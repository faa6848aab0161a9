"""Options from a file: TOML whose keys are the names of the options.

The command line beats the environment, which beats the file. A key that is no option is an
error, since whoever wrote it meant something by it. Paths in a file start at its folder.
"""

from pathlib import Path
from typing import Any

import click

from referee.cli.text import printable

MAX_BYTES = 1 << 20


def load(ctx: click.Context, _param: click.Parameter, value: str | None) -> str | None:
    """Take the file named as the defaults of a command; the callback of its option."""
    if value is not None:
        ctx.default_map = read(Path(value), ctx.command.params)
    return value


def read(path: Path, params: list[click.Parameter]) -> dict[str, Any]:
    """Return the values of a file by the names of parameters, or raise `click.UsageError`."""
    import tomllib

    named = printable(str(path))
    try:
        with path.open("rb") as file:
            text = file.read(MAX_BYTES + 1)
        keys = tomllib.loads(text[:MAX_BYTES].decode())
    except OSError as error:
        raise click.UsageError(f"{named} cannot be read: {error.strerror}") from error
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise click.UsageError(f"{named} is not TOML: {printable(str(error))}") from error
    options = {
        option.opts[0].removeprefix("--"): option
        for option in params
        if isinstance(option, click.Option) and not option.is_eager
    }
    values = {}
    for key, value in keys.items():
        option = options.get(key)
        if option is None or option.name is None:
            there = ", ".join(sorted(options))
            raise click.UsageError(f"{named}: there is no option {key!a}; there are {there}")
        kinds = (bool,) if option.is_flag else (str, int)
        if not isinstance(value, kinds) or (isinstance(value, bool) and not option.is_flag):
            wanted = "true or false" if option.is_flag else "a text or a whole number"
            raise click.UsageError(f"{named}: {key} is {wanted}, not {printable(repr(value))}")
        if isinstance(option.type, click.Path):
            value = str(path.parent / str(value))  # noqa: PLW2901
        # As a text it goes the way of the command line, which would not say whence it came.
        values[option.name] = value if option.is_flag else str(value)
        if not option.is_flag:
            try:
                option.type.convert(str(value), option, None)
            except click.BadParameter as error:
                raise click.UsageError(f"{named}: {key}: {printable(error.message)}") from error
    return values
