"""Provable draws: keys that commit and reveal, and the streams made from them.

docs/draws.md defines every value; docs/vectors/draws.json has examples of each.
"""

from referee.draws.errors import DrawsError
from referee.draws.keys import (
    CHAIN_LENGTH,
    HASH_BYTES,
    MATCH_ID_BYTES,
    agent_chain,
    agent_root,
    chain_step,
    fixed_match_key,
    fixed_player_seed,
    match_key,
    player_seed,
    round_key,
    server_commit,
    setup_hash,
    tag,
)
from referee.draws.streams import ByteStream, FixedStreams, RoundStreams

__all__ = [
    "CHAIN_LENGTH",
    "HASH_BYTES",
    "MATCH_ID_BYTES",
    "ByteStream",
    "DrawsError",
    "FixedStreams",
    "RoundStreams",
    "agent_chain",
    "agent_root",
    "chain_step",
    "fixed_match_key",
    "fixed_player_seed",
    "match_key",
    "player_seed",
    "round_key",
    "server_commit",
    "setup_hash",
    "tag",
]
