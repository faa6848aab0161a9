"""Every round that ends is scored in the record, also one that ends with a plate that is shown."""

import itertools
import random

from referee.match.recording import Identity, RecordedGame
from referee.rules import RULESETS, Options
from referee.transcript import reader
from referee.transcript.signing import SigningKey
from referee.transcript.verify import Verdict, verify

GAMES = 30


def kinds(key: str, number: int) -> list[str]:
    """Return the kinds of all records of a random game, which must hold."""
    seed = random.Random(f"{key} {number}").randbytes(32)
    identity = Identity(seed[:16], SigningKey.from_seed(seed))
    transcript = reader.read(RecordedGame(RULESETS[key], 2, Options(), seed, identity).play())
    assert verify(transcript).verdict is Verdict.OK
    return [record.WhichOneof("kind") or "" for frame in transcript.frames for record in frame]


def test_duel_scores_its_five_rounds() -> None:
    """Agents wait for that before they show their share of the next round."""
    by_deal = 0
    for number in range(GAMES):
        found = kinds("duel", number)
        assert found.count("round_scored") == 5
        by_deal += sum(pair == ("deal", "round_scored") for pair in itertools.pairwise(found))
    assert by_deal, "no round ended with a plate that is shown; more games are needed"
