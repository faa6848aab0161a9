"""The documentation is true: its programs run, its links lead somewhere, its commands exist."""

import json
import re
import subprocess
import sys
from pathlib import Path

import pytest

from referee.cli.main import COMMANDS
from referee.transcript.elsewhere import check_game

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
