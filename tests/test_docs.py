"""The documentation is true: its programs run, its links lead somewhere, its commands exist."""

import hashlib
import json
import re
import subprocess
import sys
from pathlib import Path

import click
import pytest

from referee.cli.main import COMMANDS
from referee.cli.perft import command as perft_command
from referee.draws import FixedStreams
from referee.rules import CHANCE, parse_position
from referee.rules.perft import MAX_DEPTH, MERGED_POSITIONS, Pins, perft
from referee.transcript.elsewhere import check_game
from tests.perft.cases import QUICK, read_cases

ROOT = Path(__file__).parents[1]
PAGES = sorted([*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md")])
IDS = [str(page.relative_to(ROOT)) for page in PAGES]


@pytest.mark.parametrize("page", PAGES, ids=IDS)
def test_python_examples_run(page: Path) -> None:
    """All programs of a page, one after the other, in a process of their own."""
    programs = re.findall(r"```python\n(.*?)```", page.read_text(), re.DOTALL)
    indented = re.findall(r"(?:^    .*\n|^\n)+", page.read_text(), re.MULTILINE)
    programs += [
        re.sub(r"^    ", "", block, flags=re.MULTILINE)
        for block in indented
        if block.lstrip("\n").startswith("    from referee")
    ]
    if programs:
        done = subprocess.run(
            [sys.executable, "-W", "error", "-c", "\n".join(programs)],
            capture_output=True,
            text=True,
            timeout=60,
            check=False,
            cwd=ROOT,
        )
        assert done.stderr == ""
        assert done.stdout


@pytest.mark.parametrize("page", PAGES, ids=IDS)
def test_links_lead_somewhere(page: Path) -> None:
    """Files exist, and so do the headings named after a #."""
    prose = re.sub(r"```.*?```", "", page.read_text(), flags=re.DOTALL)
    for target in re.findall(r"\]\(([^)\s]+)\)", prose):
        if target.startswith("https://"):
            continue
        name, _, anchor = target.partition("#")
        file = page.parent / name if name else page
        assert file.exists(), target
        if anchor:
            headings = re.findall(r"^#+ (.*)$", file.read_text(), re.MULTILINE)
            anchors = [
                re.sub(r"[^\w -]", "", heading).lower().replace(" ", "-") for heading in headings
            ]
            assert anchor in anchors, target


def test_the_example_game_of_check_holds() -> None:
    """docs/check.md shows a game that passes."""
    text = (ROOT / "docs" / "check.md").read_text()
    (example,) = re.findall(r"```json\n(.*?)```", text, re.DOTALL)
    assert check_game(json.loads(example)) is None


def test_every_reason_of_check_is_documented() -> None:
    """The fixed words in the code are those of docs/check.md."""
    text = (ROOT / "docs" / "check.md").read_text()
    table = text.split("| reason | meaning |")[1].split("##")[0]
    documented = set(
        re.findall(r"`(\w+)`", "".join(re.findall(r"^\| (`.*?) \|", table, re.MULTILINE)))
    )
    used = set()
    for file in (ROOT / "referee" / "transcript" / "elsewhere").glob("*.py"):
        used |= set(re.findall(r'Wrong\(\s*[^,]+,\s*"(\w+)"', file.read_text()))
        used |= set(re.findall(r'"(score|complete_rows|winners)", "', file.read_text()))
    assert used | {"format", "starter", "deal"} == documented


def test_the_worked_example_of_perft_is_true() -> None:
    """docs/perft.md: position, leaves, their numbers, the sum, the deal and the table."""
    text = (ROOT / "docs" / "perft.md").read_text()
    example = text.split("### A worked example")[1].split("### In code")[0]
    (position,) = re.findall(r"^    (azul/1 .*)$", example, re.MULTILINE)
    start = parse_position(position)
    leaves = re.findall(r"^    ([0-9a-f]{16}) (azul/1 .*)$", example, re.MULTILINE)
    moves = re.findall(r"`(C\w+)`", example)
    assert moves == [str(move) for move in start.legal_moves()]
    drawn = set()
    for move, (number, leaf) in zip(start.legal_moves(), leaves, strict=True):
        after = start.copy()
        after.play(move)
        assert str(after) == leaf
        assert hashlib.sha256(leaf.encode("ascii")).hexdigest()[:16] == number
        if after.actor == CHANCE:
            streams = FixedStreams((1).to_bytes(32, "big"), seats=2)
            drawn.add(str(after.draw(streams.round(1))))
    assert drawn == set(re.findall(r"^    (factories=.*)$", example, re.MULTILINE))
    total = sum(int(number, 16) for number, _ in leaves)
    assert (
        f"The sum of the three is {total:x}; modulo 2^64 the digest is {total % 2**64:016x}."
        in (example)
    )
    rows = re.findall(r"^\| (\d+) \| (\d+) \| (\w{16}) \|$", example, re.MULTILINE)
    assert len(rows) == 3
    for depth, count, digest in rows:
        pins = Pins(streams=lambda n: FixedStreams((1).to_bytes(32, "big"), seats=2).round(n))
        found = perft(start, int(depth), pins)
        assert (str(found.count), found.digest_text) == (count, digest)


def test_the_starter_counts_of_perft_are_those_of_the_file() -> None:
    """docs/perft.md repeats them, and the values of its other examples."""
    text = (ROOT / "docs" / "perft.md").read_text()
    cases = {case.name: case for case in read_cases(ROOT / "tests" / "perft" / "azul.txt")}
    rows = re.findall(r"^\| ((?:\w{4} ?){5}) \| (.*) \|$", text, re.MULTILINE)
    assert len(rows) == 3
    for factories, counts in rows:
        case = cases[f"starter-{counts.split()[0]}"]
        assert f"factories={factories.replace(' ', ',')} " in case.position
        assert counts.split(" | ") == [f"{row.count:,}" for row in case.depths[:3]]
    one, two = cases["starter-30"].depths[:2]
    assert f"; 1: {one.count} {one.digest}; 2: {two.count} {two.digest}; …" in text
    assert f"# {two.count} {two.digest}\n" in text
    assert f"up to {QUICK:,}" in " ".join(text.split())
    assert f"At most {MERGED_POSITIONS:,} are kept" in text
    assert f"Depths go from 0 to {MAX_DEPTH}." in text


def test_every_option_of_perft_is_documented() -> None:
    """The table of docs/perft.md has the options of the command, and no other."""
    text = (ROOT / "docs" / "perft.md").read_text()
    named = set(re.findall(r"^\| `(--[a-z-]+)", text, re.MULTILINE))
    options = [param for param in perft_command.params if isinstance(param, click.Option)]
    assert named == {option.opts[0] for option in options}


def test_readme_names_commands_that_exist() -> None:
    """And make targets that exist."""
    text = (ROOT / "README.md").read_text()
    named = set(re.findall(r"bin/referee (\w+)", text))
    assert named == set(COMMANDS)
    targets = set(re.findall(r"^([a-z-]+):", (ROOT / "Makefile").read_text(), re.MULTILINE))
    assert set(re.findall(r"\bmake ([a-z-]+)", text)) <= targets


def test_the_publisher_is_named_as_independent() -> None:
    """The README says so."""
    assert "independent of the publisher" in (ROOT / "README.md").read_text()


def test_the_track_record_names_tests_that_exist() -> None:
    """Every bug that broke a promise has a test, and the test is still there."""
    rows = (ROOT / "TRACK_RECORD.md").read_text(encoding="utf-8").splitlines()[6:]
    assert rows
    for row in rows:
        file = ""
        named = re.findall(r"`(tests/[\w/]+\.py)?::(\w+)`", row)
        assert named, row
        for path, test in named:
            file = path or file
            assert f"def {test}(" in (ROOT / file).read_text(encoding="utf-8"), test
