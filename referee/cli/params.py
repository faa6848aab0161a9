"""Kinds of options that several commands have."""

from typing import TYPE_CHECKING, Any

import click

if TYPE_CHECKING:
    from referee.transcript.clock import ClockRule


class Duration(click.ParamType[int]):
    """A duration such as 90s or 1m30s, in nanoseconds."""

    name = "duration"

    def convert(
        self,
        value: Any,  # noqa: ANN401  click's own signature
        param: click.Parameter | None,
        ctx: click.Context | None,
    ) -> int:
        """Read a text; a default is a number already."""
        from referee.transcript.time_text import BadTime, parse_duration

        if isinstance(value, int):
            return value
        try:
            return parse_duration(value)
        except BadTime as error:
            self.fail(f"{error}.", param, ctx)


class Clock(click.ParamType["ClockRule"]):
    """A clock such as bank=5m,increment=1s,limit=30s."""

    name = "clock"

    def convert(
        self,
        value: Any,  # noqa: ANN401  click's own signature
        param: click.Parameter | None,
        ctx: click.Context | None,
    ) -> "ClockRule":
        """Read a text; a default is a clock already."""
        from referee.transcript.clock import ClockRule
        from referee.transcript.time_text import BadTime, parse_clock

        if isinstance(value, ClockRule):
            return value
        try:
            return parse_clock(value)
        except BadTime as error:
            self.fail(f"{error}.", param, ctx)


DURATION = Duration()
CLOCK = Clock()
