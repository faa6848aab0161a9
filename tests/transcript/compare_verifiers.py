"""Runs both verifiers over the same files, good and damaged: they must agree.

`referee verify` and the Go verifier share no code. They must give the same verdict at the
same place; where the Go one does not re-play a ruleset, its verdict is compared as far as it
goes. Called with the command of the Go verifier; --games and --damaged say how many.
"""

import argparse
import json
import os
import random
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from referee.match.playout import game_seed
from referee.match.recording import Identity, RecordedGame
from referee.rules import RULESETS, Options
from referee.v1.record_pb2 import Record
from tests.games import EVERY_TABLE
from tests.transcript.forge import frames_of, match_id_of, rebuild
from tests.transcript.scene import KEY, bytes_of
from tests.transcript.scenes import SCENES
from tests.transcript.test_forgeries import EDITS, raw_frames

# Rulesets that the Go verifier re-plays.
REPLAYED = {"azul", "azul-gray"}
# Levels that it leaves out elsewhere.
LEFT_OUT = {"rules", "result", "draws", "clocks"}


def games(number: int, seed: str) -> Iterator[tuple[str, bytes]]:
    """Yield recorded games of every table."""
    for index in range(number):
        key, seats = EVERY_TABLE[index % len(EVERY_TABLE)]
        roots = [bytes_of("root", index, seat) for seat in range(seats)] if index % 2 else None
        identity = Identity(bytes_of("id", seed, index, size=16), KEY, roots, index)
        game = RecordedGame(RULESETS[key], seats, Options(), game_seed(seed, index), identity)
        yield f"game-{index:06}", game.play()


def cut(data: bytes, source: random.Random) -> bytes:
    """Return the beginning of a file."""
    return data[: source.randrange(len(data))]


def flip(data: bytes, source: random.Random) -> bytes:
    """Return a file with one bit flipped."""
    changed = bytearray(data)
    changed[source.randrange(len(data))] ^= 1 << source.randrange(8)
    return bytes(changed)


def move_frames(data: bytes, source: random.Random) -> bytes:
    """Return a file with frames deleted, doubled or swapped."""
    frames = raw_frames(data)
    if not frames:
        return data[:-1]
    one, other = source.randrange(len(frames)), source.randrange(len(frames))
    match source.randrange(3):
        case 0:
            del frames[one]
        case 1:
            frames.insert(other, frames[one])
        case _:
            frames[one], frames[other] = frames[other], frames[one]
    return data[:28] + b"".join(frames)


def edit_bytes(data: bytes, source: random.Random) -> bytes:
    """Return a file with one byte of one record changed, linked and signed anew."""
    frames = frames_of(data)
    if not frames:
        return data[:-1]
    records = source.choice(frames)
    index = source.randrange(len(records))
    while True:
        body = bytearray(records[index].SerializeToString())
        body[source.randrange(len(body))] = source.randrange(256)
        try:
            records[index] = Record.FromString(bytes(body))
        except Exception:  # noqa: BLE001  protobuf refuses it, so no frame can hold it
            continue
        return rebuild(match_id_of(data), frames)


def edit_number(data: bytes, source: random.Random) -> bytes:
    """Return a file with one number of one record changed, linked and signed anew."""
    frames = frames_of(data)
    places = [
        (message, field)
        for records in frames[1:]
        for record in records
        for message in messages(record)
        for field, value in message.ListFields()
        if isinstance(value, int)
    ]
    if not places:
        return data[:-1]
    message, field = source.choice(places)
    new = source.choice([0, 1, 2, 3, 5, 9, getattr(message, field.name) + 1])
    setattr(message, field.name, new == 1 if field.type == field.TYPE_BOOL else new)
    return rebuild(match_id_of(data), frames)


def messages(message: Any) -> Iterator[Any]:
    """Yield a message and all messages in it."""
    yield message
    for _, value in message.ListFields():
        if hasattr(value, "ListFields"):
            yield from messages(value)
        elif not isinstance(value, (str, bytes, int)):
            for item in value:
                if hasattr(item, "ListFields"):
                    yield from messages(item)


def edit_fact(data: bytes, source: random.Random) -> bytes:
    """Return a file with one of the wrong facts that the tests know."""
    frames = frames_of(data)
    edit, _ = source.choice([*EDITS.values()])
    try:
        edit(frames)
    except (IndexError, AttributeError, ValueError):
        return data[:-1]
    return rebuild(match_id_of(data), frames)


DAMAGES = (cut, flip, flip, move_frames, edit_bytes, edit_number, edit_number, edit_fact)


def write_files(folder: Path, number: int, damaged: int, seed: str) -> int:
    """Write good and damaged files, and return how many there are."""
    good = {name: scene() for name, scene in SCENES.items()}
    good.update(games(number, seed))
    for name, data in good.items():
        (folder / f"{name}.azt").write_bytes(data)
    source = random.Random(seed)
    names = sorted(good)
    for index in range(damaged):
        damage = source.choice(DAMAGES)
        data = damage(good[source.choice(names)], source)
        (folder / f"damaged-{index:06}-{damage.__name__}.azt").write_bytes(data)
    return len(good) + damaged


def read(command: list[str], folder: Path) -> dict[str, dict[str, Any]]:
    """Return what a verifier says of every file."""
    done = subprocess.run([*command, str(folder)], capture_output=True, text=True, check=False)
    if "Traceback" in done.stderr or "panic" in done.stderr:
        sys.exit(done.stderr)
    rows = map(json.loads, done.stdout.splitlines())
    return {Path(row["path"]).name: row for row in rows}


def differs(ours: dict[str, Any], theirs: dict[str, Any]) -> bool:
    """Return whether the two disagree on verdict or place."""
    replayed = ours["ruleset"] in REPLAYED or ours["ruleset"] is None
    if not replayed and ours["verdict"].lower() in LEFT_OUT:
        # The Go verifier must not have found anything before that.
        return theirs["verdict"] not in ("OK", "INCOMPLETE", "DRAWS")
    names = ("verdict", "frame", "record")
    return any(ours[name] != theirs[name] for name in names)


def main() -> None:
    """Compare, and say where they disagree."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("go", help="the command of the Go verifier")
    parser.add_argument("--games", type=int, default=60)
    parser.add_argument("--damaged", type=int, default=1500)
    parser.add_argument("--seed", default="1")
    parser.add_argument("--keep", help="keep the files in this folder")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(arguments.keep or temporary)
        folder.mkdir(exist_ok=True)
        number = write_files(folder, arguments.games, arguments.damaged, arguments.seed)
        ours = read([sys.executable, "-m", "referee", "verify", "--json"], folder)
        theirs = read([os.path.abspath(arguments.go), "--json"], folder)  # noqa: PTH100
    assert len(ours) == len(theirs) == number
    disagreements = [name for name in ours if differs(ours[name], theirs[name])]
    for name in disagreements[:20]:
        for who, row in (("referee", ours[name]), ("Go", theirs[name])):
            place = (row["verdict"], row["frame"], row["record"], row["expected"], row["found"])
            print(f"{name}: {who}: {place}")
    verdicts = Counter(row["verdict"] for row in ours.values())
    print(", ".join(f"{count} {verdict}" for verdict, count in verdicts.most_common()))
    print(f"{number - len(disagreements)} passed, {len(disagreements)} failed")
    sys.exit(bool(disagreements))


if __name__ == "__main__":
    main()
