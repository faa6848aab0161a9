"""For a first bot: play seats to their end without knowing asyncio."""

import asyncio
from collections.abc import Sequence
from typing import Any

from azul_agent.agent import Agent
from azul_agent.result import Result
from azul_agent.turns import Bot


def run(
    target: str,
    seat_tokens: str | Sequence[str],
    bot: Bot,
    *,
    name: str = "bot",
    **options: Any,  # noqa: ANN401 - Agent has their types, in one place
) -> list[Result]:
    """Play all these seats at once and return what became of each; options are those of Agent."""
    tokens = [seat_tokens] if isinstance(seat_tokens, str) else list(seat_tokens)

    async def play() -> list[Result]:
        async with Agent(target, bot, name=name, **options) as agent:
            return await asyncio.gather(*(agent.play(token) for token in tokens))

    return asyncio.run(play())
