"""A bot for any ruleset: some legal move, the same one whenever the same match is played again."""

import hashlib

from azul_agent.turns import Turn


def random_move(turn: Turn) -> int:
    """Return the index of a legal move, chosen by the seed that this seat was given."""
    return choose(turn, len(turn.legal_moves))


def choose(turn: Turn, count: int) -> int:
    """Return a number below `count`; another attempt at the same turn brings another one."""
    if not count:
        raise ValueError("no legal moves are listed: this bot needs list_moves")
    words = turn.player_seed + turn.turn.to_bytes(4, "big") + turn.attempt.to_bytes(4, "big")
    return int.from_bytes(hashlib.sha256(words).digest(), "big") % count
