"""Writes docs/vectors/draws.json, the published test vectors of the draws.

The inputs are made from counters and names, so the file can be written again at any time
and must come out the same. Deals are drawn tile by tile, with the rule spelled out, not by
the engine: a test compares the engine with them, and Go reproduces them.
"""

import json
from pathlib import Path
from typing import Any

from referee import draws
from referee.rules import Purpose
from tests.draws import vectors_azul, vectors_duel
from tests.draws.samples import sample

FILE = Path(__file__).parents[2] / "docs" / "vectors" / "draws.json"


def _tags() -> list[dict[str, Any]]:
    names = (
        "setup server-commit agent-chain agent-root match-key round-key stream player-seed"
        " fixed-key fixed-player frame genesis"
    )
    return [{"name": name, "bytes": draws.tag(name).hex()} for name in names.split()]


def _keys(seats: int, committed: list[bool], live: list[list[bool]]) -> dict[str, Any]:
    match_id = sample(f"match {seats}", 16)
    setup = sample(f"setup {seats}") * seats
    server_seed = sample(f"seed {seats}")
    setup_hash = draws.setup_hash(setup)
    server_commit = draws.server_commit(match_id, setup_hash, server_seed)
    roots = [sample(f"x_64 {seats} {seat}") if yes else None for seat, yes in enumerate(committed)]
    chains = [
        None if root is None else draws.agent_chain(match_id, seat, server_commit, root)
        for seat, root in enumerate(roots)
    ]
    x_0 = [None if chain is None else chain[0] for chain in chains]
    match_key = draws.match_key(server_seed, match_id, setup_hash, x_0)
    rounds = []
    for r, alive in enumerate(live, start=1):
        x_r = [
            chain[r] if chain is not None and lives else None
            for chain, lives in zip(chains, alive, strict=True)
        ]
        shown = [x is not None for x in x_r]
        key = draws.round_key(match_key, r, x_r)
        rounds.append({"round": r, "live": shown, "round_key": key.hex()})
    return {
        "match_id": match_id.hex(),
        "setup": setup.hex(),
        "server_seed": server_seed.hex(),
        "seats": seats,
        "x_64": [None if root is None else root.hex() for root in roots],
        "setup_hash": setup_hash.hex(),
        "server_commit": server_commit.hex(),
        "chains": [
            None if chain is None else {f"x_{i}": chain[i].hex() for i in (0, 1, 2, 32, 63)}
            for chain in chains
        ],
        "match_key": match_key.hex(),
        "player_seeds": [
            draws.player_seed(server_seed, match_id, seat).hex() for seat in range(seats)
        ],
        "rounds": rounds,
    }


def _agent_root(seat: int) -> dict[str, Any]:
    secret, match_id = sample(f"secret {seat}"), sample(f"root match {seat}", 16)
    commit = sample(f"root commit {seat}")
    return {
        "agent_secret": secret.hex(),
        "match_id": match_id.hex(),
        "seat": seat,
        "server_commit": commit.hex(),
        "x_64": draws.agent_root(secret, match_id, seat, commit).hex(),
    }


def _fixed(seats: int) -> dict[str, Any]:
    seed = sample(f"fixed {seats}")
    match_key = draws.fixed_match_key(seed)
    none = [None] * seats
    return {
        "seed": seed.hex(),
        "seats": seats,
        "match_key": match_key.hex(),
        "player_seeds": [draws.fixed_player_seed(seed, seat).hex() for seat in range(seats)],
        "rounds": [
            {"round": r, "round_key": draws.round_key(match_key, r, none).hex()}
            for r in (1, 2, 20, 64)
        ],
    }


def _stream(purpose: Purpose) -> dict[str, Any]:
    key = sample(f"stream {purpose}")
    stream = draws.ByteStream(key, purpose)
    # uniform(256) is the next byte, whatever it is.
    taken = bytes(stream.uniform(256) for _ in range(100))
    return {"round_key": key.hex(), "purpose": int(purpose), "bytes": taken.hex()}


def _uniform(purpose: Purpose, sizes: list[int]) -> dict[str, Any]:
    key = sample(f"uniform {purpose}")
    stream = draws.ByteStream(key, purpose)
    values = [stream.uniform(n) for n in sizes]
    return {"round_key": key.hex(), "purpose": int(purpose), "n": sizes, "values": values}


def _uniform_bytes(given: bytes, n: int) -> dict[str, Any]:
    """Say by the definition what uniform(n) makes of these bytes."""
    for used, byte in enumerate(given, start=1):
        if byte < 256 - 256 % n:
            return {"bytes": given.hex(), "n": n, "value": byte % n, "used": used}
    raise AssertionError(given)


def _pick(purpose: Purpose, items: list[int], k: int) -> dict[str, Any]:
    key = sample(f"pick {purpose} {len(items)} {k}")
    stream = draws.ByteStream(key, purpose)
    rest = list(items)
    values = [rest.pop(stream.uniform(len(rest))) for _ in range(k)]
    return {
        "round_key": key.hex(),
        "purpose": int(purpose),
        "items": items,
        "k": k,
        "values": values,
        "rest": rest,
    }


def vectors() -> dict[str, Any]:
    """Return everything that is published."""
    sizes = [*range(100, 60, -1), 1, 2, 3, 4, 9, 18, 20, 255, 256, 129, 128, 1]
    return {
        "format": "azul-referee-draws/1",
        "tags": _tags(),
        "keys": [
            _keys(2, [True, True], [[True, True], [True, True], [True, False], [False, False]]),
            _keys(3, [True, False, True], [[True, False, True], [False, False, True]]),
            _keys(4, [False] * 4, [[False] * 4, [False] * 4]),
        ],
        "agent_roots": [_agent_root(seat) for seat in range(4)],
        "fixed": [_fixed(seats) for seats in (2, 3, 4)],
        "streams": [_stream(purpose) for purpose in Purpose],
        "uniform": [_uniform(purpose, sizes) for purpose in Purpose],
        "uniform_bytes": [
            _uniform_bytes(bytes(given), n)
            for given, n in (
                ([0], 1),
                ([255], 1),
                ([255], 256),
                ([199], 100),
                ([200, 255, 201, 5], 100),
                ([254, 0], 127),
                ([254, 253], 127),
                ([255, 254], 255),
                ([128, 129, 130, 128, 7], 129),
                ([251, 252, 3], 9),
            )
        ],
        "picks": [
            _pick(Purpose.SPECIAL_FACTORIES, list(range(1, 10)), 9),
            _pick(Purpose.SPECIAL_FACTORIES, list(range(1, 6)), 2),
            # Duel: the top plate, the chips of a round (the twenty by position), goal tokens.
            _pick(Purpose.PLATES, list(range(18)), 1),
            _pick(Purpose.PLATES, list(range(18)), 18),
            _pick(Purpose.CHIPS, list(range(20)), 4),
            _pick(Purpose.GOALS, [1, 2, 3, 4], 3),
            _pick(Purpose.GOALS, [1, 2, 3, 4], 0),
        ],
        "deals": vectors_azul.deals(),
        "duel_goals": vectors_duel.goals(),
        "duel_rounds": vectors_duel.rounds(),
    }


def text() -> str:
    """Return the file: one entry a line, so that a change shows as the entry it changes."""
    lines = ["{"]
    sections = list(vectors().items())
    for at, (name, value) in enumerate(sections):
        comma = "," if at < len(sections) - 1 else ""
        if isinstance(value, list):
            entries = ",\n".join("  " + json.dumps(entry) for entry in value)
            lines.append(f' "{name}": [\n{entries}\n ]{comma}')
        else:
            lines.append(f' "{name}": {json.dumps(value)}{comma}')
    lines.append("}\n")
    return "\n".join(lines)


if __name__ == "__main__":
    FILE.parent.mkdir(parents=True, exist_ok=True)
    FILE.write_text(text())
    print(f"wrote {FILE.name}")
