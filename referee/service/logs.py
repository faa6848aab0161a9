"""Logs of the service: structlog, as JSON for machines or colored lines for people.

No token reaches a log: whatever looks like one is blanked. What agents say of themselves is
shown without a character that could command a terminal or forge a line.
"""

import logging
import sys
from collections.abc import MutableMapping
from typing import Any

import structlog

from referee.service.tokens import redact
from referee.transcript.text import printable


def _harmless(
    _logger: Any,  # noqa: ANN401  structlog's own signature
    _method: str,
    event: MutableMapping[str, Any],
) -> MutableMapping[str, Any]:
    """Blank tokens, and make words of strangers safe to show."""
    for key, value in event.items():
        if isinstance(value, str) and key != "exception":
            event[key] = printable(redact(value), 1_000)
        elif isinstance(value, str):
            event[key] = redact(value)
    return event


def configure(*, json: bool, level: str) -> None:
    """Let all logs go to standard error, in one form."""
    renderer: Any = (
        structlog.processors.JSONRenderer()
        if json
        else structlog.dev.ConsoleRenderer(colors=sys.stderr.isatty())
    )
    processors: list[Any] = [
        structlog.contextvars.merge_contextvars,
        structlog.processors.add_log_level,
        structlog.processors.TimeStamper(fmt="iso", utc=True),
        structlog.processors.format_exc_info,
        _harmless,
        renderer,
    ]
    structlog.configure(
        processors=processors,
        wrapper_class=structlog.make_filtering_bound_logger(logging.getLevelName(level.upper())),
        logger_factory=structlog.PrintLoggerFactory(file=sys.stderr),
        cache_logger_on_first_use=True,
    )
    # gRPC has its own logs, which say with a traceback what our own log says in a line.
    logging.getLogger("grpc").setLevel(logging.CRITICAL)
