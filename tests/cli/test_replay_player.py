"""Stepping through a match: what keys do, what the screen shows, whatever its size."""

import re

import pytest
from rich.text import Text

from referee.cli.keys import Keys
from referee.cli.replay_player import HELP, KEYS, SPEEDS, STATUS, Player, compose
from referee.cli.replay_text import closing, step_lines
from referee.transcript import reader
from referee.transcript.events import Replay
from tests.golden.write import REPLAYED, recorded
from tests.transcript.hostile import NAMES, raw
from tests.transcript.test_events import hostile_match
from tests.transcript.test_events import recorded as game_to_its_end

SIZES = [(80, 24), (200, 60), (100, 24), (60, 20), (40, 24), (20, 8), (10, 3), (2, 2), (1, 1)]


def player(data: bytes) -> Player:
    """Return a match at its first event."""
    replay = Replay(reader.read(data))
    steps = list(replay.steps())
    return Player(steps, list(closing(replay, steps[-1])))


@pytest.fixture(scope="module")
def game() -> Player:
    """Return a short game; tests put it where they want it."""
    return player(recorded("azul", 2))


@pytest.fixture(autouse=True)
def _at_the_start(game: Player) -> None:
    for name, value in Player(game.steps, game.closing).__dict__.items():
        setattr(game, name, value)


def press(game: Player, *keys: str) -> int:
    """Press keys and return the event that is shown then."""
    for key in keys:
        game.press(key, 0.0)
    return game.step.index


def shown(game: Player, width: int = 80, height: int = 24) -> str:
    """Return the screen as text."""
    return "\n".join(line.plain for line in compose(game, width, height))


def test_forward_and_back(game: Player) -> None:
    """With every key that is for it, and never beyond the ends."""
    for key in ("right", " ", "n"):
        before = game.at
        assert press(game, key) == before + 1
    for key in ("left", "b", "p"):
        before = game.at
        assert press(game, key) == before - 1
    assert press(game, "left") == 0
    last = len(game.steps) - 1
    assert press(game, "end") == last
    assert press(game, "right") == last
    assert press(game, "home") == 0


def test_rounds(game: Player) -> None:
    """The next and the previous one, and the ends where there is none."""
    first, second = [step.index for step in game.steps if step.begins]
    assert press(game, "r") == first
    assert press(game, "r") == second
    assert press(game, "r") == len(game.steps) - 1
    assert press(game, "R") == second
    assert press(game, "R") == first
    assert press(game, "R") == 0


def test_go_to_an_event_or_a_round(game: Player) -> None:
    """With a number, which can be corrected or given up; what is not there is said."""
    assert press(game, "g", "1", "2", "enter") == 12
    assert press(game, "g", "1", "9", "backspace", "3", "enter") == 13
    assert press(game, "g", "5", "escape") == 13
    assert game.prompt is None
    assert press(game, "g", "x", "right", "enter") == 13
    assert press(game, "g", "r", "2", "enter") == game.step.index
    assert (game.step.begins, game.step.round) == (True, 2)
    assert press(game, "g", "9", "9", "9") == game.step.index
    assert "go to event, or r and a round: 999_" in shown(game)
    press(game, "enter")
    assert f"there is no event 999; the last is {len(game.steps) - 1}" in shown(game)
    press(game, "g", "r", "7", "enter")
    assert "there is no round 7; there are 2" in shown(game)
    press(game, "x")
    assert "there is no" not in shown(game)
    press(game, "g", *"12345678901234567890")
    assert game.prompt == "12345678"


def test_autoplay(game: Player) -> None:
    """It goes on by itself until a key stops it, or the end does."""
    game.press("a", 10.0)
    assert game.wait(10.0) == SPEEDS[2] == 1.0
    assert "playing, 1 s an event" in shown(game)
    game.tick(10.9)
    assert game.at == 0
    game.tick(11.0)
    assert (game.at, game.wait(11.0)) == (1, 1.0)
    game.press("+", 11.0)
    assert game.wait(11.0) == 0.5
    assert "autoplay: 0.5 s an event" in shown(game)
    for _ in range(9):
        game.press("-", 11.0)
    assert game.wait(11.0) == 4.0
    for _ in range(9):
        game.press("=", 11.0)
    assert game.wait(11.0) == pytest.approx(0.1)
    game.press("a", 11.0)
    assert game.wait(11.0) is None
    game.tick(99.0)
    assert game.at == 1
    game.press("a", 20.0)
    game.press("left", 20.0)
    assert game.wait(20.0) is None
    game.press("a", 20.0)
    now = 20.0
    while (wait := game.wait(now)) is not None:
        now += wait
        game.tick(now)
    assert game.at == len(game.steps) - 1
    game.press("a", now)
    assert game.wait(now) is None
    assert "this is the last event" in shown(game)


def test_help_names_every_key(game: Player) -> None:
    """And any key leads back."""
    press(game, "h")
    text = shown(game)
    assert all(line in text for line in HELP)
    for key in KEYS:
        named = {" ": "space", "=": "+"}.get(key, key)
        assert named in text
    assert press(game, "right") == 0
    assert STATUS in shown(game)
    press(game, "h", "q")
    assert game.done


def test_quit(game: Player) -> None:
    """At once; a key without a meaning does nothing."""
    press(game, "x", "Q", "enter")
    assert not game.done
    press(game, "q")
    assert game.done


@pytest.mark.parametrize(("key", "seats"), REPLAYED)
@pytest.mark.parametrize(("width", "height"), SIZES)
def test_the_screen_fits(key: str, seats: int, width: int, height: int) -> None:
    """As many lines as there are, none too wide, at every step of every ruleset."""
    match = player(recorded(key, seats))
    for at in range(0, len(match.steps), 5):
        match.at = at
        lines = compose(match, width, height)
        assert len(lines) == height
        assert max(line.cell_len for line in lines) <= width


@pytest.mark.parametrize(("key", "seats"), [*REPLAYED, ("azul", 4), ("chocolatier", 4)])
def test_everything_can_be_read_on_80_by_24(key: str, seats: int) -> None:
    """All boards at once, and every word, if need be line by line."""
    match = player(recorded(key, seats))
    for at, step in enumerate(match.steps):
        match.at, match.scroll = at, 0
        text = shown(match)
        assert all(f"seat {seat}: {step.scores[seat]}" in text for seat in range(seats))
        assert text.count(" | ") == 5 * seats + (2 if key == "duel" else 0), text
        at_scroll = -1
        while match.scroll != at_scroll:
            at_scroll = match.scroll
            match.press("down", 0.0)
            text += shown(match)
        words = "".join(text.split())
        for line in step_lines(step):
            # A long line is broken, so its words are looked for one by one.
            assert all(word in words for word in line.split())
        before = match.scroll
        match.press("up", 0.0)
        assert match.scroll == max(0, before - 1)


def test_the_last_event_says_how_far_the_record_goes(game: Player) -> None:
    """Where a person stops reading."""
    assert "The record is complete" not in shown(game)
    press(game, "end")
    assert "The record is complete" in shown(game)


@pytest.mark.parametrize("name", NAMES)
def test_no_name_reaches_the_screen_raw(name: str) -> None:
    """In the title or in the words."""
    match = player(hostile_match(name))
    for at in range(len(match.steps)):
        match.at = at
        text = shown(match)
        assert not raw(text)
        assert len(text.splitlines()) == 24


def test_color_is_never_the_only_carrier(game: Player) -> None:
    """A tile has its letter, and only small letters and dots are pale."""
    press(game, "end")
    for line in compose(game, 80, 24):
        assert isinstance(line, Text)
        for span in line.spans:
            text = line.plain[span.start : span.end]
            if " on " in str(span.style):
                assert text in "BYRKWTSM"


# Keys from bytes ---------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("data", "keys"),
    [
        (b"nq", ["n", "q"]),
        (b"\x1b[C\x1b[D\x1b[A\x1b[B", ["right", "left", "up", "down"]),
        (b"\x1bOC\x1bOD\x1bOH\x1bOF", ["right", "left", "home", "end"]),
        (b"\x1b[H\x1b[F\x1b[1~\x1b[4~", ["home", "end", "home", "end"]),
        (b"g12\r\n\x7f\x08", ["g", "1", "2", "enter", "enter", "backspace", "backspace"]),
        (b"\x1b[1;5C\x1b[200~x", ["x"]),
        (b"\x1bn", ["escape", "n"]),
        (b"\x00\x01\xff\xc3\xa9n", ["n"]),
        (b"\x1b[\x07n", ["n"]),
        (b"\x1b[" + b"1" * 40, []),
    ],
)
def test_keys(data: bytes, keys: list[str]) -> None:
    """The same whether the bytes come at once or one by one; unknown ones are skipped."""
    assert list(Keys().feed(data)) == keys
    slowly = Keys()
    found = [key for byte in data for key in slowly.feed(bytes([byte]))]
    assert found == keys or len(data) > 20


def test_an_escape_alone() -> None:
    """It waits for what may follow, and is a key of its own if nothing does."""
    keys = Keys()
    assert list(keys.feed(b"\x1b")) == []
    assert keys.is_waiting
    assert list(keys.flush()) == ["escape"]
    assert not keys.is_waiting
    assert list(keys.flush()) == []


def test_the_last_screen_names_the_winner_and_the_final_scores() -> None:
    """With all bonuses, on every screen from the end of the game on."""
    match = player(game_to_its_end("duel", 2, 0))
    over = next(at for at, step in enumerate(match.steps) if step.kind == "game_over")
    result = match.steps[over].message
    assert any(
        seat.score != before
        for seat, before in zip(result.seats, match.steps[over].position.scores, strict=True)
    )
    for at in range(over - 1, len(match.steps)):
        match.at = at
        text = shown(match)
        for number, seat in enumerate(result.seats):
            ended = at >= over
            assert (f"seat {number}: {seat.score}" in text) or not ended
            gained = r"( \([+-]\d+\))?"
            named = re.search(rf"seat {number}: \d+{gained} winner", text)
            assert (named is not None) is (ended and seat.rank == 1)
    press(match, "end")
    (winner,) = [number for number, seat in enumerate(result.seats) if seat.rank == 1]
    assert re.search(rf"^ *seat {winner} wins", shown(match), re.MULTILINE)
