"""Simulated games: repeatable, complete, summed up right."""

from referee.match.playout import game_seed, random_game, simulate
from referee.rules import OVER, Deal, Move, Options, Position
from tests.tables import ruleset


def test_a_game_is_repeatable_and_every_step_is_watched() -> None:
    """The same seed gives the same choices; the watcher sees deals and moves in order."""
    seen: list[str] = []

    def watch(actor: int, step: Deal | Move, position: Position) -> None:
        assert (actor < 0) == isinstance(step, Deal)
        seen.append(f"{actor} {step} {position.round}")

    rules, seed = ruleset("chocolatier-gray"), game_seed("s", 3)
    position, choices = random_game(rules, 3, Options(), seed, watch)
    again, same = random_game(rules, 3, Options(), seed)
    assert (position.actor, str(again), same) == (OVER, str(position), choices)
    assert len(seen) == len(choices) + position.round


def test_seeds_of_games_differ() -> None:
    """By name and by number."""
    assert len({game_seed(name, n) for name in ("a", "b", "") for n in range(50)}) == 150


def test_a_summary_counts_what_was_played() -> None:
    """Against the games themselves."""
    rules, options = ruleset("azul"), Options(round_cap=4)
    summary = simulate(rules, 2, options, 25, "sum")
    games = [random_game(rules, 2, options, game_seed("sum", n)) for n in range(25)]
    outcomes = [position.outcome() for position, _ in games]
    assert summary.games == 25
    assert summary.moves == sum(len(choices) for _, choices in games)
    assert summary.moves_per_game == [len(choices) for _, choices in games]
    assert summary.rounds_per_game == [position.round for position, _ in games]
    assert summary.scores == [score for o in outcomes if o for score in o.scores]
    assert sum(summary.wins) + summary.shared_wins == 25
    assert summary.wins[0] == sum(o.winners == (0,) for o in outcomes if o)
    assert summary.terminations == {"round_cap": 25}
