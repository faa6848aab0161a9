"""The documentation of the rules and their tests name the same clauses and rulings."""

import ast
import re
from pathlib import Path

ROOT = Path(__file__).parents[2]
RULES = ROOT / "docs" / "rules"
SOURCES = ROOT / "referee" / "rules"


def documented() -> set[str]:
    """Return the clauses and rulings that the documentation numbers, in bold."""
    found = set()
    for page in RULES.glob("*.md"):
        found |= set(re.findall(r"\*\*(\d(?:\.\d)+|[AVCD]\d+)(?: \w+)?\*\*", page.read_text()))
    return found


def clauses_with_tests() -> set[str]:
    """Return the clauses and rulings that names of tests begin with."""
    found = set()
    for page in Path(__file__).parent.glob("test_*.py"):
        for node in ast.walk(ast.parse(page.read_text())):
            if isinstance(node, ast.FunctionDef):
                clause = re.match(r"test_(\d(?:_\d)+)_(?!\d)", node.name)
                ruling = re.match(r"test_([avcd]\d+)_", node.name)
                if clause:
                    found.add(clause[1].replace("_", "."))
                if ruling:
                    found.add(ruling[1].upper())
    return found


def cited() -> set[str]:
    """Return the clauses and rulings that errors and comments of the rules cite."""
    found = set()
    for page in SOURCES.rglob("*.py"):
        text = page.read_text()
        found |= set(re.findall(r"\b([AVCD]\d{1,2})\b(?![:.]\d)", text))
        found |= {clause.rstrip("abc") for clause in re.findall(r"\b([123]\.\d\.\d)[abc]?\b", text)}
    return found


def test_every_clause_and_ruling_has_a_test() -> None:
    """Nothing is documented that no test holds in place."""
    missing = documented() - clauses_with_tests()
    assert not missing


def test_every_ruling_is_documented() -> None:
    """A1-A19, V1-V8, C1-C17, D1-D30, without a gap."""
    wanted = {f"A{n}" for n in range(1, 20)} | {f"V{n}" for n in range(1, 9)}
    wanted |= {f"C{n}" for n in range(1, 18)} | {f"D{n}" for n in range(1, 31)}
    assert wanted <= documented()


def test_tests_and_sources_name_only_what_is_documented() -> None:
    """A number that nobody can look up is no citation; whole sections may be cited."""
    sections = {clause.rpartition(".")[0] for clause in documented() if "." in clause}
    assert clauses_with_tests() <= documented() | sections
    assert cited() <= documented() | sections
