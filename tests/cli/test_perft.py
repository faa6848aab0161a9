"""`referee perft` as a person runs it."""

import json
import re
from typing import Any

import pytest

from referee.draws import FixedStreams
from referee.rules import get_ruleset
from referee.rules.perft import Pins, divide, perft
from tests.cli.test_cli import out, run, shell
from tests.tables import board, table

OPENING = str(table(factories="BBBB,YYYY,RRRR,KKKK,WWWW", number=1))
# The last tile of a round.
LAST_TILE = str(table(factories="W,-,-,-,-", boards=[board(lines="B/-/-/-/-"), board()]))
NEXT_ROUND = "factories=BBBB,YYYY,RRRR,KKKK,WWWW"
ONE = "0" * 63 + "1"


def figures(*arguments: str) -> dict[str, Any]:
    """Return the JSON object without what depends on the clock."""
    read: dict[str, Any] = json.loads(out("perft", *arguments, "--json"))
    assert isinstance(read.pop("seconds"), float)
    assert isinstance(read.pop("positions_per_second"), int)
    return read


def test_perft_prints_count_digest_and_speed() -> None:
    """With separators for thousands."""
    text = out("perft", OPENING, "3")
    assert re.fullmatch(
        r"count +11,160\ndigest +47ba27e37d77f9de\n[0-9.]+ s, [0-9,]+ positions/s\n", text
    )


def test_perft_without_digests() -> None:
    """The count alone."""
    text = out("perft", OPENING, "3", "--count-only")
    assert re.fullmatch(r"count +11,160\n[0-9.]+ s, [0-9,]+ positions/s\n", text)


def test_perft_divides_by_first_move() -> None:
    """A line for each in the published order, then the total."""
    *rows, total, speed = out("perft", OPENING, "2", "--divide").splitlines()
    position = get_ruleset("azul").parse_position(OPENING)
    assert [row.split() for row in rows] == [
        [str(move), f"{part.count:,}", part.digest_text] for move, part in divide(position, 2)
    ]
    assert total.split() == ["total", "720", "ca39f827e8a989b6"]
    assert speed.endswith("positions/s")
    counts = out("perft", OPENING, "2", "--divide", "--count-only").splitlines()
    assert [row.split() for row in counts[:-1]] == [row.split()[:2] for row in [*rows, total]]
    assert out("perft", OPENING, "0", "--divide").startswith("total ")


def test_perft_json_is_one_object() -> None:
    """With everything that is needed to count again."""
    shown = figures(OPENING, "2")
    assert shown == {
        "ruleset": "azul",
        "revision": 1,
        "position": OPENING,
        "deals": [],
        "seed": None,
        "depth": 2,
        "count": 720,
        "digest": "ca39f827e8a989b6",
    }
    assert "digest" not in figures(OPENING, "2", "--count-only")
    parts = figures(OPENING, "2", "--divide")["moves"]
    assert len(parts) == 30
    assert parts[-1] == {"move": "4WF", "count": 24, "digest": "dbc1f0981493027a"}
    assert figures(OPENING, "0", "--divide")["moves"] == []
    assert set(figures(OPENING, "1", "--divide", "--count-only")["moves"][0]) == {"move", "count"}


def test_perft_pins_deals() -> None:
    """Given in order, and drawn from the seed by their number where none is given."""
    rules = get_ruleset("azul")
    start = rules.parse_position(LAST_TILE)
    given = rules.parse_deal(NEXT_ROUND)
    leaves = perft(start, 2, Pins([given]))
    shown = figures(LAST_TILE, "2", "--deal", NEXT_ROUND)
    assert (shown["count"], shown["digest"]) == (leaves.count, leaves.digest_text)
    assert shown["deals"] == [NEXT_ROUND]
    drawn = Pins(streams=lambda number: FixedStreams(bytes(31) + b"\1", 2).round(number))
    leaves = perft(start, 2, drawn)
    for seed in ("1", "01", ONE):
        shown = figures(LAST_TILE, "2", "--seed", seed)
        assert (shown["count"], shown["digest"]) == (leaves.count, leaves.digest_text)
        assert shown["seed"] == ONE
    both = figures(LAST_TILE, "2", "--seed", "1", "--deal", NEXT_ROUND)
    assert both["digest"] == figures(LAST_TILE, "2", "--deal", NEXT_ROUND)["digest"]
    assert figures(LAST_TILE, "2", "--seed", "2")["digest"] != leaves.digest_text


def test_perft_reads_standard_input() -> None:
    """One position, wrapped as anybody likes."""
    wrapped = "  " + OPENING.replace(" ", "\n ") + "\n"
    done = run("perft", "-", "2", "--json", stdin=wrapped.encode())
    assert (done.returncode, done.stderr) == (0, b"")
    assert json.loads(done.stdout)["position"] == OPENING


def test_the_example_of_the_help_runs() -> None:
    """As it is printed there."""
    _, example = out("perft", "--help").split("seed 7:\n")
    example, _ = example.split("\n\nOptions:")
    done = shell(example)
    assert (done.returncode, done.stderr) == (0, b"")
    assert done.stdout.startswith(b"count ")


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ((OPENING,), "Missing argument 'DEPTH'"),
        ((OPENING, "x"), "'x' is not a valid integer"),
        ((OPENING, "65"), "a depth is a number from 0 to 64, not 65"),
        ((OPENING, "--", "-1"), "a depth is a number from 0 to 64, not -1"),
        (("", "1"), "a position begins with key/revision, not ''"),
        (("azul", "1"), "a position begins with key/revision, not 'azul'"),
        (("duell/1 x", "1"), "no ruleset is called 'duell'"),
        (("azul/9 x", "1"), "azul is known in revision 1, not '9'"),
        ((OPENING + " seat2=", "1"), "seat2"),
        ((OPENING, "1", "--deal", "BBBB"), "'BBBB'"),
        ((OPENING, "1", "--seed", ""), "--seed is 1 to 64 hexadecimal digits"),
        ((OPENING, "1", "--seed", "g"), "--seed is 1 to 64 hexadecimal digits"),
        ((OPENING, "1", "--seed", "1" * 65), "--seed is 1 to 64 hexadecimal digits"),
        ((OPENING, "1", "--seed", "٣"), "--seed is 1 to 64 hexadecimal digits"),
        (
            (LAST_TILE, "2", "--divide"),
            "deal 1 is due after 0W1, and it is not pinned; give it with --deal, or a --seed",
        ),
        (
            (LAST_TILE, "2", "--deal", NEXT_ROUND.replace("RRRR", "KKKKK")),
            "pinned deal 1 does not fit after 0W1: factories: factory 2 holds KKKKK",
        ),
        (("\x1b[31m/1", "1"), "'\\x1b[31m'"),
    ],
)
def test_mistakes_get_a_sentence_and_exit_code_2(arguments: tuple[str, ...], words: str) -> None:
    """Which says what would be right, without a traceback or a raw control character."""
    done = run("perft", *arguments)
    said = done.stderr.decode()
    assert done.returncode == 2
    assert words in said
    assert "Traceback" not in said
    assert "\x1b" not in said


def test_standard_input_that_brings_no_position() -> None:
    """Closed, empty, endless, or no text at all."""
    closed = shell("referee perft - 1 <&-")
    assert (closed.returncode, closed.stdout) == (2, b"")
    assert b"standard input is closed" in closed.stderr
    for data, words in (
        (b"", b"begins with key/revision"),
        (b"\xff\xfe", b"begins with key/revision"),
        (b"azul/1 " * 10_000, b"longer than any position"),
    ):
        done = run("perft", "-", "1", stdin=data)
        assert (done.returncode, done.stdout) == (2, b"")
        assert words in done.stderr
