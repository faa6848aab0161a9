"""The commands as a person runs them: in a process of their own."""

import gzip
import json
import os
import random
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import click
import pytest
from click.testing import CliRunner

from referee import __version__
from referee.cli import main as cli_main
from referee.cli.text import printable
from referee.match.playout import game_seed
from referee.native.choice import build_note
from referee.transcript.dispute.claims import KINDS
from tests.oracle.games import random_game


def run(*arguments: str, stdin: bytes = b"") -> subprocess.CompletedProcess[bytes]:
    """Run `referee` with these arguments."""
    command = [sys.executable, "-m", "referee", *arguments]
    return subprocess.run(command, input=stdin, capture_output=True, timeout=120, check=False)


def out(*arguments: str) -> str:
    """Run a command that must succeed and return what it prints."""
    done = run(*arguments)
    assert (done.returncode, done.stderr) == (0, b"")
    return done.stdout.decode()


def game(key: str = "azul", seed: int = 1) -> dict[str, Any]:
    """Return a right game."""
    return random_game(key, 2, random.Random(seed), "builder", legal=False)


def packed(*games: object) -> bytes:
    """Return games as JSON Lines."""
    return b"".join(json.dumps(one).encode() + b"\n" for one in games)


# referee ------------------------------------------------------------------------------------


def test_help_lists_every_command() -> None:
    """With a sentence each."""
    text = out("--help")
    for name in cli_main.COMMANDS:
        assert re.search(rf"^  {name} +\w", text, re.MULTILINE)
        assert "Usage:" in out(name, "-h")


def pages() -> dict[str, str]:
    """Return the help page of every command, those of groups included."""
    found: dict[str, str] = {}

    def walk(command: click.Command, name: str, parent: click.Context | None) -> None:
        context = click.Context(command, info_name=name, parent=parent)
        found[context.command_path] = command.get_help(context)
        if isinstance(command, click.Group):
            for below in command.list_commands(context):
                inner = command.get_command(context, below)
                assert inner is not None
                walk(inner, below, context)

    walk(cli_main.cli, "referee", None)
    return found


def test_no_help_page_shows_how_it_was_written() -> None:
    """Marks that keep lines apart do so, and are not printed."""
    found = pages()
    assert len(found) > len(cli_main.COMMANDS)
    for name, page in found.items():
        assert "\\" not in page, name
        assert "\b" not in page, name


def test_the_help_of_dispute_lists_claims() -> None:
    """One a line."""
    for kind in KINDS:
        assert re.search(rf"^ +{kind}\b.* {{2,}}\w", pages()["referee dispute"], re.MULTILINE), kind


def test_version() -> None:
    """The package's own, and which build of the rules runs."""
    assert out("--version") == f"referee, version {__version__} ({build_note()})\n"


@pytest.mark.parametrize(
    "arguments",
    [
        ("chek",),
        ("check",),
        ("simulate",),
        ("simulate", "duell"),
        ("simulate", "azul", "--players", "5"),
        ("simulate", "azul", "--players", "two"),
        ("simulate", "azul", "--games", "0"),
        ("simulate", "azul", "--round-cap", "65"),
        ("simulate", "azul", "--first-player", "2"),
        ("simulate", "azul", "--players", "1000000000000"),
        ("simulate", "azul", "--show", "--json"),
        ("rulesets", "azul"),
        ("--no-such-option",),
    ],
)
def test_mistakes_get_a_sentence_and_exit_code_2(arguments: tuple[str, ...]) -> None:
    """Never a traceback."""
    done = run(*arguments)
    assert done.returncode == 2
    assert done.stderr
    assert b"Traceback" not in done.stderr


def test_a_bug_of_ours_shows_no_traceback_unless_asked(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """One line, a hint, and an exit code of its own."""

    def broken(_: object) -> int:
        raise ZeroDivisionError("boom")

    monkeypatch.setattr(cli_main, "_run", broken)
    for debug in ("", "1"):
        monkeypatch.setenv("REFEREE_DEBUG", debug)
        with pytest.raises(SystemExit) as caught:
            cli_main.main()
        assert caught.value.code == cli_main.EXIT_INTERNAL
        shown = capsys.readouterr().err
        assert "internal error: ZeroDivisionError: boom" in shown
        assert ("Traceback" in shown) == bool(debug)


def shell(script: str) -> subprocess.CompletedProcess[bytes]:
    """Run a line of bash; `referee` in it is ours."""
    script = script.replace("referee", f"{sys.executable} -m referee")
    command = ["bash", "-o", "pipefail", "-c", script]
    return subprocess.run(command, capture_output=True, timeout=120, check=False)


def test_a_reader_that_goes_away_ends_the_command_quietly() -> None:
    """With the code of a broken pipe, which no verdict has."""
    done = shell("referee simulate azul --games 200 --show | head -1")
    assert (done.returncode, done.stderr) == (141, b"")


def test_output_that_cannot_be_written(tmp_path: Path) -> None:
    """The verdict survives a closed output; a full disk is said, with a code of its own."""
    right, wrong = tmp_path / "right", tmp_path / "wrong"
    right.write_bytes(packed(game()))
    wrong.write_bytes(packed({**game(), "winners": []}))
    assert shell(f"referee check {right} >&-").returncode == 0
    assert shell(f"referee check {wrong} >&-").returncode == 1
    assert shell(f"referee check {wrong} >&- 2>&-").returncode == 1
    full = shell(f"referee check {right} >/dev/full")
    assert (full.returncode, full.stderr) == (74, b"referee: No space left on device\n")
    assert shell(f"referee check --json {right} 2>/dev/full").returncode == 74
    assert shell(f"referee check {right} >/dev/full 2>/dev/full").returncode == 74


# referee rulesets ---------------------------------------------------------------------------


def test_rulesets() -> None:
    """Key, players and revision of each."""
    rows = [line.split()[:3] for line in out("rulesets").splitlines()]
    assert rows == [
        ["key", "players", "revision"],
        ["azul", "2-4", "1"],
        ["azul-gray", "2-4", "1"],
        ["chocolatier", "2-4", "1"],
        ["chocolatier-gray", "2-4", "1"],
        ["duel", "2", "1"],
    ]
    first = json.loads(out("rulesets", "--json").splitlines()[0])
    assert (first["key"], first["min_players"], first["max_players"]) == ("azul", 2, 4)


# referee check ------------------------------------------------------------------------------


def test_check_accepts_right_games(tmp_path: Path) -> None:
    """Plain, gzip and standard input together, exit code 0."""
    (tmp_path / "a.jsonl").write_bytes(packed(game(), game("azul-gray", 2)))
    (tmp_path / "b.gz").write_bytes(gzip.compress(packed(game("chocolatier", 3))))
    done = run(
        "check", str(tmp_path / "a.jsonl"), str(tmp_path / "b.gz"), "-", stdin=packed(game())
    )
    assert (done.returncode, done.stdout) == (0, b"4 games checked: 4 hold, 0 do not\n")


def test_check_reads_gzip_from_standard_input() -> None:
    """Told by its first bytes."""
    done = run("check", "-", stdin=gzip.compress(packed(game())))
    assert (done.returncode, done.stdout) == (0, b"1 games checked: 1 hold, 0 do not\n")


def test_check_names_the_first_wrong_place(tmp_path: Path) -> None:
    """File, line, id, place, what was claimed, what is true and the rule; exit code 1."""
    wrong = game()
    wrong["rounds"][1]["scores_after"] = [77, 77]
    file = tmp_path / "games.jsonl"
    file.write_bytes(packed(game(), wrong))
    done = run("check", str(file))
    assert done.returncode == 1
    line, counts = done.stdout.decode().splitlines()
    assert line.startswith(
        f"{file}:2: {wrong['id']} rounds[1].scores_after: score: claimed [77, 77]"
    )
    assert line.endswith("[1.4]")
    assert counts == "2 games checked: 1 hold, 1 do not"


def test_check_exit_code_2_wins_and_everything_is_still_checked(tmp_path: Path) -> None:
    """A missing file, a line of garbage and a wrong game do not hide one another."""
    wrong = game()
    wrong["winners"] = []
    file = tmp_path / "games.jsonl"
    file.write_bytes(b"garbage\n" + packed(wrong, game()))
    done = run("check", str(tmp_path / "missing"), str(file))
    text = done.stdout.decode()
    assert done.returncode == 2
    assert "missing: format: No such file or directory" in text
    assert f"{file}:1: format: not JSON" in text
    assert f"{file}:2: {wrong['id']} winners: winners" in text
    assert text.endswith("2 games checked: 1 hold, 1 do not; 2 lines or files are not games\n")


def test_check_json_is_one_object_a_game(tmp_path: Path) -> None:
    """Fields as documented, counts on standard error."""
    wrong = game()
    wrong["rounds"][0]["moves"][0]["color"] = "pink"
    done = run(
        "check", "--json", "-", stdin=packed(game(), wrong, {"id": "x", "format": "y"}) + b"{\n"
    )
    objects = [json.loads(line) for line in done.stdout.splitlines()]
    assert done.returncode == 2
    assert done.stderr == b"2 games checked: 1 hold, 1 do not; 2 lines or files are not games\n"
    assert objects[0] == {"id": game()["id"], "ok": True}
    assert objects[1] == {
        "id": wrong["id"],
        "ok": False,
        "place": "rounds[0].moves[0]",
        "claimed": "pink",
        "expected": ["blue", "yellow", "red", "black", "white"],
        "reason": "move",
        "rule": "1.3",
    }
    assert (objects[2]["id"], objects[2]["reason"], objects[2]["place"]) == (
        "x",
        "format",
        "format",
    )
    assert (objects[3]["reason"], objects[3]["line"]) == ("format", 4)
    assert "place" not in objects[3]


HOSTILE = [
    "\x1b[31mred\x1b[0m",
    "\u202eevil",
    "a\nb: 1 games checked",
    "\x9b2J",
    "\U000e0041",
    "\ud800",
]


@pytest.mark.parametrize("name", HOSTILE)
def test_check_shows_no_raw_control_characters(name: str) -> None:
    """P-S4: ids and claims come from outside."""
    wrong = game()
    wrong["id"] = name
    wrong["rounds"][0]["starter"] = name
    done = run("check", "-", stdin=packed(wrong))
    text = done.stdout.decode()
    assert done.returncode == 1
    assert len(text.splitlines()) == 2
    assert all(char.isprintable() or char == "\n" for char in text)


def test_printable_keeps_what_is_harmless() -> None:
    """Letters of any script stay, long values are cut."""
    assert printable("Плитка für Ți") == "Плитка für Ți"
    assert printable({"a": [1]}) == '{"a": [1]}'
    assert printable("x" * 300) == "x" * 200 + "..."
    assert printable("\x1b\U000e0041") == "\\u001b\\U000e0041"


# referee simulate ---------------------------------------------------------------------------


def test_simulate_same_seed_same_games() -> None:
    """Everything but the speed is equal, and another seed gives other games."""

    def figures(seed: str) -> dict[str, Any]:
        text = out(
            "simulate", "chocolatier", "--players", "3", "--games", "20", "--seed", seed, "--json"
        )
        read: dict[str, Any] = json.loads(text)
        return {k: v for k, v in read.items() if "second" not in k}

    assert figures("7") == figures("7")
    assert figures("7")["fingerprint"] != figures("8")["fingerprint"]


def test_simulate_takes_any_seed() -> None:
    """Bytes that are no text included."""
    seed = os.fsdecode(b"\xff\xfe")
    assert run("simulate", "azul", "--games", "1", "--seed", seed).returncode == 0
    assert game_seed(seed, 0) != game_seed("", 0)


def test_simulate_prints_speed_lengths_and_scores() -> None:
    """For people."""
    text = out(
        "simulate",
        "azul",
        "--games",
        "30",
        "--seed",
        "x",
        "--round-cap",
        "3",
        "--first-player",
        "1",
    )
    for words in (
        "games/s",
        "moves/s",
        "moves per game",
        "rounds per game",
        "final score",
        "ended by round_cap: 30",
    ):
        assert words in text


@pytest.mark.parametrize(
    ("key", "players"), [("azul", 2), ("azul-gray", 3), ("chocolatier-gray", 4)]
)
def test_simulate_shows_a_whole_game(key: str, players: int) -> None:
    """Every round, every board, the outcome with its bonuses."""
    text = out("simulate", key, "--players", str(players), "--games", "1", "--show")
    assert "Round 1:" in text
    assert f"seat {players - 1}: " in text
    assert "The game is over: a row of a wall is complete." in text
    assert "stands alone, 1 point" in text
    assert re.search(r"(wins|share the victory)\.$", text)


def test_simulate_shows_a_whole_game_of_duel() -> None:
    """Plates, chips and what comes to light, in words."""
    text = out("simulate", "duel", "--games", "1", "--show", "--goals", "random4", "--seed", "3")
    assert "Round 5:" in text
    for words in (
        "lays plate 0 (YKTS) into slot 2, turned once",
        "the chip of factory 2 is blue+red",
        "looks at what it has drawn: 13 (RTYW), 16 (RWBK) and 2 (TRBW)",
        "keeps the plate drawn second, 16 (RWBK), for slot 7",
        "piles black below turquoise below black",
        "from the moon side, the pile of factory 3, to the broken tiles",
        "leaves line 1, which lacks 1 tile",
        "4 empty specials -12",
        "a score stops at 0",
        "The game is over: the last round is over.",
    ):
        assert words in text


@pytest.mark.parametrize(
    ("ruleset", "option", "value", "words"),
    [
        ("duel", "--goals", "rows", "three or four"),
        ("duel", "--goals", "random5", "goals are 3 or 4 of"),
        ("duel", "--round-cap", "5", "duel has no option round_cap"),
        ("duel", "--players", "3", "duel is for 2 players"),
        ("azul", "--goals", "random3", "azul has no option goals"),
    ],
)
def test_simulate_refuses_options_of_another_game(
    ruleset: str, option: str, value: str, words: str
) -> None:
    """In one sentence."""
    done = run("simulate", ruleset, option, value)
    assert done.returncode == 2
    assert words in str(done.stderr)


def test_every_command_also_runs_in_process() -> None:
    """The click objects themselves, for those who embed them."""
    done = CliRunner().invoke(cli_main.cli, ["rulesets"])
    assert done.exit_code == 0
    assert "azul-gray" in done.output


def test_standard_input_that_is_closed() -> None:
    """A sentence, not a traceback."""
    done = shell("referee check - <&-")
    assert (done.returncode, done.stderr) == (2, b"")
    assert b"standard input is closed" in done.stdout
