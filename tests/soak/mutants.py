"""Mutation tests of the rules (`make soak-mutants`): which small mistake does no test notice.

Each mutant is one module with one small mistake in it: another comparison, a number off by
one, a statement left out. The quick tests of a suite are collected once; every mutant of a
function is a fork of that session in which the function has its mutated code. Whatever is
left then, mistakes outside of functions, and those in modules that keep what they made, are
tested with a fresh import of the mutated module: by the quick tests again, then by the
further ones. No file is changed on the way.

FILES= restricts it to some files or folders, or to a line of a file (`board.py:17`);
MUTANT_LEVEL=module to mistakes outside of functions. Not mutated are what tests do not pin by
design: words of errors, `__repr__`, annotations, asserts. The report lists the survivors.
"""

import ast
import importlib
import os
import sys
import time
from collections import Counter
from collections.abc import Callable, Sequence
from importlib.machinery import ModuleSpec, SourceFileLoader
from importlib.util import spec_from_file_location
from pathlib import Path
from types import CodeType, FunctionType
from typing import NamedTuple

import pytest
from hypothesis.internal.conjecture import engine

# The finder of `referee` must stand behind the one for mutants.
from referee.native.choice import build_kind
from tests.soak.forks import KILLED, SURVIVED, TIMED_OUT, Job, run
from tests.soak.mutant_suites import CACHING, SUITES, Suite
from tests.soak.mutations import changed_line, mutated, sites

# Seconds: tests that take longer wait for the fresh import.
LIGHT = 0.3
# Without further tests what the session leaves alive counts as a survivor.
FURTHER = os.environ.get("MUTANT_FURTHER", "1") != "0"
ONLY_MODULE_LEVEL = os.environ.get("MUTANT_LEVEL") == "module"
REPORT = Path("build/mutants.txt")


class Mutant(NamedTuple):
    """One mistake: the number of its site in a file, its line and the function around it."""

    path: str
    number: int
    line: int
    function: str

    def module(self) -> str:
        """Return the name of the module."""
        return self.path.removesuffix(".py").removesuffix("/__init__").replace("/", ".")

    def code(self) -> CodeType:
        """Return the mutated module, compiled."""
        return compile(mutated(Path(self.path).read_text(), self.number), self.path, "exec")

    def text(self) -> str:
        """Return where it is and what it does."""
        before, after = changed_line(Path(self.path).read_text(), self.number)
        return f"{self.path}:{self.line}\n    - {before}\n    + {after}"


class MutantImport(SourceFileLoader):
    """Finds and loads one module in its mutated form."""

    def __init__(self, mutant: Mutant) -> None:
        super().__init__(mutant.module(), mutant.path)
        self.mutant = mutant

    def find_spec(self, fullname: str, _path: object, _target: object = None) -> ModuleSpec | None:
        """Answer for the mutated module only."""
        if fullname != self.name:
            return None
        return spec_from_file_location(fullname, self.path, loader=self)

    def get_code(self, _fullname: str) -> CodeType:
        """Return the mutated code; bytecode files are neither read nor written."""
        return self.mutant.code()


# Tests -------------------------------------------------------------------------------------


def options(files: Sequence[str], keyword: str) -> list[str]:
    """Return how pytest is called for these files."""
    found = [str(path) for file in files for path in sorted(Path().glob(file))]
    chosen = ["-k", keyword] if keyword else []
    # Plugins were imported before pytest could rewrite their asserts, which does not matter.
    quiet = [
        "-x",
        "-q",
        "--tb=no",
        "--capture=no",
        "-W",
        "ignore::pytest.PytestAssertRewriteWarning",
    ]
    plugins = ["-p", "no:cacheprovider", "-p", "no:xdist", "-p", "no:pytest_cov"]
    return [*quiet, *plugins, *chosen, *found]


def time_limit(seconds: float) -> int:
    """Return the processor seconds for a mutant, given those that the tests need without one.

    An endless loop is a mistake that was noticed.
    """
    return 3 + round(2 * seconds)


class Session:
    """A pytest session that tests mutants of functions, each in a fork, quickest tests first."""

    def __init__(self, mutants: Sequence[Mutant], done: Callable[[Mutant, str, str], None]) -> None:
        self.mutants = mutants
        self.done = done
        self.seconds: dict[str, float] = {}
        self.kills: Counter[str] = Counter()

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtestloop(self, session: pytest.Session) -> bool:
        """Measure the tests without a mistake, then run them for each mutant."""
        for item in session.items:
            started = time.perf_counter()
            item.config.hook.pytest_runtest_protocol(item=item, nextitem=None)
            self.seconds[item.nodeid] = time.perf_counter() - started
        if session.testsfailed:
            return True
        items = {item.nodeid: item for item in session.items if self.seconds[item.nodeid] < LIGHT}
        limit = time_limit(sum(self.seconds[name] for name in items))
        # The others need a fresh import.
        replaceable = (mutant for mutant in self.mutants if new_code(mutant) is not None)
        jobs = ((mutant, self.job(mutant, session, items)) for mutant in replaceable)
        for mutant, fate, killer in run(jobs, limit):
            self.kills[killer] += 1
            self.done(mutant, fate, killer)
        return True

    def job(self, mutant: Mutant, session: pytest.Session, items: dict[str, pytest.Item]) -> Job:
        """Return what a fork does: put the mistake in, and test until one test fails."""

        def test() -> str:
            replaced = new_code(mutant)
            assert replaced is not None
            function, code = replaced
            function.__code__ = code
            order = sorted(items, key=lambda name: self.seconds[name] / (1 + self.kills[name]))
            for name in order:
                items[name].config.hook.pytest_runtest_protocol(item=items[name], nextitem=None)
                if session.testsfailed:
                    return name
            return ""

        return test


def new_code(mutant: Mutant) -> tuple[FunctionType, CodeType] | None:
    """Return a function and its mutated code, if it can have that."""
    found: object = importlib.import_module(mutant.module())
    for name in mutant.function.split("."):
        found = vars(found).get(name)
    if isinstance(found, property):
        found = found.fget
    code = function_code(mutant.code(), mutant.function)
    if not isinstance(found, FunctionType) or code is None:
        return None
    fits = len(code.co_freevars) == len(found.__code__.co_freevars)
    return (found, code) if fits else None


def function_code(code: CodeType, name: str) -> CodeType | None:
    """Return the code of a function or method within that of its module."""
    for inner in code.co_consts:
        if isinstance(inner, CodeType):
            found = inner if inner.co_qualname == name else function_code(inner, name)
            if found is not None:
                return found
    return None


def fresh(mutant: Mutant | None, files: Sequence[str], keyword: str) -> Job:
    """Return a job that imports everything anew, with one module mutated."""

    def test() -> str:
        if mutant is not None:
            sys.meta_path.insert(0, MutantImport(mutant))
        status = pytest.main(options(files, keyword))
        return "" if status == pytest.ExitCode.OK else "a fresh import"

    return test


# The run -----------------------------------------------------------------------------------


class Results:
    """What became of each mutant, with progress as it goes."""

    def __init__(self) -> None:
        self.started = time.perf_counter()
        self.fates: dict[Mutant, str] = {}

    def add(self, mutant: Mutant, fate: str) -> None:
        """Note a fate, and say how far the run is."""
        self.fates[mutant] = fate
        if fate != KILLED:
            print(fate, mutant.text(), flush=True)
        if len(self.fates) % 100 == 0:
            counts = Counter(self.fates.values())
            words = ", ".join(f"{number} {fate}" for fate, number in counts.items())
            print(f"{time.perf_counter() - self.started:.0f} s: {words}", flush=True)

    def survivors(self) -> list[Mutant]:
        """Return what no test has noticed so far."""
        return [mutant for mutant, fate in self.fates.items() if fate == SURVIVED]

    def report(self) -> str:
        """Return all survivors, and the numbers for each file."""
        lines = [mutant.text() for mutant in sorted(self.survivors())]
        files: dict[str, Counter[str]] = {}
        for mutant, fate in self.fates.items():
            files.setdefault(mutant.path, Counter())[fate] += 1
        files["all"] = Counter(self.fates.values())
        for path, counts in files.items():
            numbers = ", ".join(f"{counts[fate]} {fate}" for fate in (KILLED, TIMED_OUT, SURVIVED))
            lines.append(f"{path}: {counts.total()} mutants, {numbers}")
        return "\n".join(lines) + "\n"


def in_session(mutants: Sequence[Mutant], suite: Suite, results: Results) -> None:
    """Test mutants of functions in one session, which is a process of its own.

    This process must stay without any module of the rules, for fresh imports.
    """
    reading, writing = os.pipe()
    pid = os.fork()
    if not pid:
        os.close(reading)
        numbers = {mutant: number for number, mutant in enumerate(mutants)}

        def done(mutant: Mutant, fate: str, _killer: str) -> None:
            os.write(writing, f"{numbers[mutant]} {fate}\n".encode())

        status = pytest.main(options(suite.quick, suite.keyword), [Session(mutants, done)])
        os._exit(int(status))
    os.close(writing)
    with os.fdopen(reading) as lines:
        for line in lines:
            number, _, fate = line.strip().partition(" ")
            results.add(mutants[int(number)], fate)
    _, status = os.waitpid(pid, 0)
    if status:
        sys.exit("the tests fail without a mutant already")


def with_fresh_imports(
    mutants: Sequence[Mutant], files: Sequence[str], keyword: str, results: Results
) -> None:
    """Test mutants by these tests, each with imports of its own."""
    print(f"{len(mutants)} mutants are left for a fresh import", flush=True)
    before = os.times()
    for _, fate, _ in run([("no mistake", fresh(None, files, keyword))], 600):
        if fate != SURVIVED:
            sys.exit("the tests fail without a mutant already")
    after = os.times()
    limit = time_limit(after.children_user - before.children_user)
    jobs = ((mutant, fresh(mutant, files, keyword)) for mutant in mutants)
    for mutant, fate, _ in run(jobs, limit):
        results.add(mutant, fate)


def test_suite(suite: Suite, mutants: Sequence[Mutant], results: Results) -> None:
    """Test mutants, first those of functions, then whatever needs a fresh import."""
    in_functions = [mutant for mutant in mutants if mutant.function]
    if in_functions:
        in_session(in_functions, suite, results)
    left = [
        mutant
        for mutant in mutants
        if mutant not in results.fates or (FURTHER and results.fates[mutant] == SURVIVED)
    ]
    # The first file notices most, and the others take a while to collect.
    for files in (suite.quick[:1], suite.quick[1:], suite.further if FURTHER else ()):
        if left and files:
            with_fresh_imports(left, files, suite.keyword, results)
        left = [mutant for mutant in left if results.fates[mutant] == SURVIVED]


def mutants_of(path: str) -> list[Mutant]:
    """Return every mutant of a file."""
    tree = ast.parse(Path(path).read_text())
    outside = [node for node in tree.body if not isinstance(node, (ast.FunctionDef, ast.ClassDef))]
    calls = [node for part in outside for node in ast.walk(part) if isinstance(node, ast.Call)]
    # What such functions and classes do wrong shows in what is made on import only.
    on_import = {call.func.id for call in calls if isinstance(call.func, ast.Name)}
    found = []
    for number, site in enumerate(sites(tree)):
        needs_import = path in CACHING or site.function.removesuffix(".__init__") in on_import
        found.append(Mutant(path, number, site.line, "" if needs_import else site.function))
    return [mutant for mutant in found if not (ONLY_MODULE_LEVEL and mutant.function)]


def chosen_mutants() -> list[Mutant]:
    """Return the mutants of what FILES names, or of all rules and draws."""
    mutants: list[Mutant] = []
    for name in os.environ.get("FILES", "").split() or ["referee/rules", "referee/draws"]:
        place, _, line = name.partition(":")
        path = Path(place)
        for file in sorted(path.rglob("*.py")) if path.is_dir() else [path]:
            found = mutants_of(file.as_posix())
            mutants += [mutant for mutant in found if line in ("", str(mutant.line))]
    return mutants


def main() -> None:
    """Test the mutants of the chosen files, and write the report."""
    if build_kind() != "plain":
        sys.exit("mutants are made of plain sources: set REFEREE_PURE=1")
    # A failure is all that matters; nobody wants the smallest example of it.
    engine.MAX_SHRINKS = 0
    engine.MAX_SHRINKING_SECONDS = 0
    results = Results()
    by_suite: dict[Suite, list[Mutant]] = {}
    for mutant in chosen_mutants():
        suite = next(suite for start, suite in SUITES.items() if mutant.path.startswith(start))
        by_suite.setdefault(suite, []).append(mutant)
    print(f"{sum(map(len, by_suite.values()))} mutants", flush=True)
    for suite, mutants in by_suite.items():
        test_suite(suite, mutants, results)
    REPORT.parent.mkdir(exist_ok=True)
    REPORT.write_text(results.report())
    print(results.report(), f"{time.perf_counter() - results.started:.0f} s", sep="")


if __name__ == "__main__":
    main()
