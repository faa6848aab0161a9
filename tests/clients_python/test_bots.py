"""The bots of the kit: they play every ruleset, repeatably, and the greedy one is no fool."""

from typing import Any

import pytest

from azul_agent import Rejection, Turn
from azul_agent.bots import BOTS
from azul_agent.bots.greedy_bot import greedy
from azul_agent.bots.random_bot import random_move
from azul_agent.turns import action_bytes
from referee.draws import FixedStreams
from referee.rules import CHANCE, OVER, RULESETS, Position, parse_position
from referee.transcript.answers import resolve
from referee.transcript.wire.game import encode_move, encode_position
from tests.games import EVERY_TABLE, seed_bytes


def turn_of(position: Position, number: int = 1, seed: bytes = bytes(8), **changes: Any) -> Turn:
    """Return what the seat to move is given."""
    seat = position.actor
    message = encode_position(position.view(seat))
    fields = {
        "match_id": bytes(16),
        "seat": seat,
        "turn": number,
        "attempt": 1,
        "ruleset": message.ruleset,
        "position": message,
        "legal_moves": [encode_move(move) for move in position.legal_moves()],
        "time_left_ns": None,
        "bank_ns": None,
        "last_answer_ns": 0,
        "strikes_left": 2,
        "player_seed": seed,
        **changes,
    }
    return Turn(**fields)


def play(key: str, bots: list[Any], seed: int) -> tuple[list[str], list[int]]:
    """Play a whole game over messages, and return its moves and scores."""
    position = RULESETS[key].initial(len(bots))
    streams = FixedStreams(seed_bytes(seed), len(bots))
    moves: list[str] = []
    while position.actor != OVER:
        if position.actor == CHANCE:
            position.deal(position.draw(streams.round(position.chance_round)))
            continue
        turn = turn_of(position, len(moves) + 1, seed_bytes(seed + position.actor)[:8])
        move = resolve(position, action_bytes(bots[position.actor](turn)))
        moves.append(str(move))
        position.play(move)
    outcome = position.outcome()
    assert outcome is not None
    return moves, list(outcome.scores)


@pytest.mark.parametrize("name", sorted(BOTS))
@pytest.mark.parametrize(("key", "seats"), EVERY_TABLE)
def test_every_ruleset_can_be_played(name: str, key: str, seats: int) -> None:
    """Every answer is legal, and the same match is played the same way again."""
    first = play(key, [BOTS[name]] * seats, 7)
    assert first == play(key, [BOTS[name]] * seats, 7)
    assert first != play(key, [BOTS[name]] * seats, 8)


@pytest.mark.parametrize("key", ["azul", "azul-gray", "chocolatier", "chocolatier-gray"])
def test_greedy_beats_random(key: str) -> None:
    """Nearly always, from both seats."""
    wins = 0
    for seed in range(6):
        _, scores = play(key, [greedy, random_move], seed)
        wins += scores[0] > scores[1]
        _, scores = play(key, [random_move, greedy], seed)
        wins += scores[1] > scores[0]
    assert wins >= 10


@pytest.mark.parametrize(
    ("factories", "board", "best"),
    [
        # Three exactly fill line 2.
        ("BBBY,-,-,-,-", "0:-/-/-/-/-:...../...../...../...../.....:-", {"0B2"}),
        # A neighbor on the wall makes the top line worth more than another.
        ("BKRW,-,-,-,-", "0:-/-/-/-/-:.Y.../...../...../...../.....:-", {"0B0", "0R0"}),
        # Of lines that become full, those that use more tiles.
        ("KKKB,-,-,-,-", "0:-/B/-/-/KK:...../...../...../...../.....:-", {"0K4", "0K2"}),
    ],
)
def test_greedy_prefers_what_scores(factories: str, board: str, best: set[str]) -> None:
    """Full lines first, neighbors before strangers, and nothing to the floor without need."""
    tiles = "".join(factories.split(",")).replace("-", "") + "".join(
        letter for letter in board if letter in "BYRKW"
    )
    bag = "".join(f"{20 - tiles.count(c)}{c}" for c in "BYRKW")
    empty = "0:-/-/-/-/-:...../...../...../...../.....:-"
    position = parse_position(
        f"azul/1 cap=20 round=2 starter=0 turn=0 marker=center factories={factories} "
        f"center=- bag={bag} lid=- seat0={board} seat1={empty}"
    )
    chosen = {
        str(position.legal_moves()[greedy(turn_of(position, seed=bytes([n]) * 8))])
        for n in range(20)
    }
    assert chosen <= best


def test_greedy_does_not_insist() -> None:
    """Another attempt may bring another move, whatever the referee had against the first."""
    position = RULESETS["azul"].initial(2)
    position.deal(position.draw(FixedStreams(bytes(32), 2).round(1)))
    tried = {
        greedy(turn_of(position, attempt=n, rejected=Rejection(99) if n > 1 else None))
        for n in range(1, 9)
    }
    assert len(tried) > 1


@pytest.mark.parametrize("name", sorted(BOTS))
def test_without_a_list_bots_say_what_they_need(name: str) -> None:
    """No move can be chosen from none."""
    position = RULESETS["azul"].initial(2)
    position.deal(position.draw(FixedStreams(bytes(32), 2).round(1)))
    bot: Any = BOTS[name]
    with pytest.raises(ValueError, match="list_moves"):
        bot(turn_of(position, legal_moves=[]))
