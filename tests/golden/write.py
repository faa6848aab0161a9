"""Writes the golden files anew; a change in them is a change of the rules and shows as such.

A playthrough is a whole game of one ruleset and seat count. Every deal and every move stands
in it in notation, each move with its number among the legal moves and a digest of the
position it leads to; the position itself is written out at the start and end of each round.

A replay is a recorded game of one ruleset as `referee replay` tells it where nobody watches.
"""

import hashlib
from pathlib import Path

from referee.cli.replay_text import Telling
from referee.match.recording import Identity, RecordedGame
from referee.rules import OVER, RULESETS, Deal, Options
from referee.transcript import reader
from referee.transcript.events import Replay
from referee.transcript.signing import SigningKey
from tests.games import EVERY_TABLE, reach, seed_bytes, walk
from tests.transcript.scenes import SCENES

FOLDER = Path(__file__).parent
PLAYTHROUGHS = FOLDER / "playthroughs"
REPLAYS = FOLDER / "replays"
MOVE_ORDERS = FOLDER / "move_orders.txt"
TRANSCRIPTS = FOLDER / "transcripts"
SEED = 2
# One short game a ruleset, with as many seats as make it worth reading.
REPLAYED = (("azul", 2), ("azul-gray", 3), ("chocolatier", 3), ("chocolatier-gray", 4), ("duel", 2))
# Enough positions to meet every shape of the list: spread divisions, gray choices, both ends.
SAMPLES = [(seed, steps) for seed in (0, 1) for steps in (1, 9, 18, 27, 44)]


def playthrough(key: str, seats: int) -> str:
    """Return a whole game as text."""
    lines = [f"# {key}, {seats} seats: a whole game, written by tests/golden/write.py"]
    legal: list[str] = []
    actor = -1
    for position, step in walk(key, seats, SEED, builder=True):
        text = str(position)
        if step is None:
            lines.append(f"start {text}")
        elif isinstance(step, Deal):
            lines += [f"deal {step}", f"position {text}"]
        else:
            digest = hashlib.sha256(text.encode()).hexdigest()[:12]
            number = f"{legal.index(str(step))}/{len(legal)}"
            lines.append(f"seat {actor} {step} {number} {digest}")
            if position.actor < 0:
                lines.append(f"position {text}")
        legal = [str(move) for move in position.legal_moves()]
        actor = position.actor
    assert position.actor == OVER
    outcome = position.outcome()
    assert outcome is not None
    scores, ranks = (",".join(map(str, values)) for values in (outcome.scores, outcome.ranks))
    lines.append(f"outcome {outcome.termination.value} scores={scores} ranks={ranks}")
    for seat, bonuses in enumerate(outcome.bonuses):
        gained = " ".join(f"{b.name}={b.times}*{b.points}" for b in bonuses)
        lines.append(f"bonuses {seat} {gained}")
    return "\n".join(lines) + "\n"


def move_orders() -> str:
    """Return legal moves of many positions, in their order."""
    lines = ["# Legal moves in the published order, written by tests/golden/write.py"]
    for key, seats in EVERY_TABLE:
        for seed, steps in SAMPLES:
            position = reach(key, seats, seed, steps)
            lines.append(str(position))
            lines.append("  " + " ".join(str(move) for move in position.legal_moves()))
    return "\n".join(lines) + "\n"


def recorded(key: str, seats: int) -> bytes:
    """Return a transcript of a random game of two rounds, or of the five of Duel."""
    options = Options() if key == "duel" else Options(round_cap=2)
    identity = Identity(seed_bytes(SEED)[:16], SigningKey.from_seed(seed_bytes(SEED)))
    return RecordedGame(RULESETS[key], seats, options, seed_bytes(SEED), identity).play()


def replay(key: str, seats: int) -> str:
    """Return a recorded game as it is told where the output is no terminal."""
    lines = Telling(Replay(reader.read(recorded(key, seats))), 80).lines()
    return "".join(f"{line if isinstance(line, str) else line.plain.rstrip()}\n" for line in lines)


def main() -> None:
    """Write every file."""
    REPLAYS.mkdir(exist_ok=True)
    for key, seats in REPLAYED:
        (REPLAYS / f"{key}-{seats}.txt").write_text(replay(key, seats))
    PLAYTHROUGHS.mkdir(exist_ok=True)
    for key, seats in EVERY_TABLE:
        (PLAYTHROUGHS / f"{key}-{seats}.txt").write_text(playthrough(key, seats))
    MOVE_ORDERS.write_text(move_orders())
    TRANSCRIPTS.mkdir(exist_ok=True)
    for name, scene in SCENES.items():
        (TRANSCRIPTS / f"{name}.azt").write_bytes(scene())
    written = f"{len(REPLAYED)} replays, {len(SCENES)} transcripts and the move orders"
    print(f"wrote {len(EVERY_TABLE)} playthroughs, {written}")


if __name__ == "__main__":
    main()
