"""Whole games in one process: fixed seed, random players, no clock.

`simulate` plays many of them and sums up; the demo shows one. The same seed always gives
the same games, on every machine: tiles come from the provable streams, and every seat
chooses with a generator of its own, made from its player seed.
"""

import hashlib
import random
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Protocol

from referee.draws import FixedStreams, fixed_player_seed, tag
from referee.rules import CHANCE, OVER, Deal, Move, Options, Outcome, Position, Ruleset

# Called after every deal and every move with who acted, what it was, and the table after it.
Watch = Callable[[int, Deal | Move, Position], None]


class PlayGame(Protocol):
    """A way to play one game, as `random_game` does."""

    def __call__(
        self,
        ruleset: Ruleset,
        seats: int,
        options: Options,
        seed: bytes,
        watch: Watch | None = None,
        /,
    ) -> tuple[Position, list[int]]:
        """Play to the end; return the last position and the index of every move."""


def game_seed(seed: str, game: int) -> bytes:
    """Return the fixed seed of the n-th simulated game."""
    # Whatever a command line can hold is a seed, bytes that are no UTF-8 included.
    data = seed.encode("utf-8", "surrogateescape")
    return hashlib.sha256(tag("simulate") + game.to_bytes(4, "big") + data).digest()


def random_game(
    ruleset: Ruleset, seats: int, options: Options, seed: bytes, watch: Watch | None = None
) -> tuple[Position, list[int]]:
    """Play random moves to the end; return the last position and the index of every move."""
    position = ruleset.initial(seats, options)
    streams = FixedStreams(seed, seats)
    # Not for secrets: simulated players must be repeatable.
    players = [random.Random(fixed_player_seed(seed, seat)).random for seat in range(seats)]  # noqa: S311
    choices: list[int] = []
    while position.actor != OVER:
        actor = position.actor
        step: Deal | Move
        if actor == CHANCE:
            step = position.draw(streams.round(position.chance_round))
            position.deal(step)
        else:
            moves = position.legal_moves()
            choice = int(players[actor]() * len(moves))
            choices.append(choice)
            step = moves[choice]
            position.play(step)
        if watch is not None:
            watch(actor, step, position)
    return position, choices


@dataclass
class Summary:
    """What many games came to; ``fingerprint`` differs if any game differs."""

    seats: int
    games: int = 0
    moves: int = 0
    moves_per_game: list[int] = field(default_factory=list)
    rounds_per_game: list[int] = field(default_factory=list)
    scores: list[int] = field(default_factory=list)
    wins: list[int] = field(default_factory=list)
    shared_wins: int = 0
    terminations: dict[str, int] = field(default_factory=dict)
    fingerprint: str = ""

    def add(self, position: Position, outcome: Outcome, moves: int) -> None:
        """Count a finished game."""
        self.games += 1
        self.moves += moves
        self.moves_per_game.append(moves)
        self.rounds_per_game.append(position.round)
        self.scores.extend(outcome.scores)
        if len(outcome.winners) == 1:
            self.wins[outcome.winners[0]] += 1
        else:
            self.shared_wins += 1
        name = outcome.termination.value
        self.terminations[name] = self.terminations.get(name, 0) + 1


def simulate(
    ruleset: Ruleset,
    seats: int,
    options: Options,
    games: int,
    seed: str,
    play: PlayGame = random_game,
) -> Summary:
    """Play so many random games and sum them up."""
    ruleset.check_seats(seats)
    summary = Summary(seats, wins=[0] * seats)
    digest = hashlib.sha256()
    for game in range(games):
        position, choices = play(ruleset, seats, options, game_seed(seed, game))
        outcome = position.outcome()
        assert outcome is not None
        digest.update(f"{choices} {position}\n".encode())
        summary.add(position, outcome, len(choices))
    summary.fingerprint = digest.hexdigest()
    return summary
