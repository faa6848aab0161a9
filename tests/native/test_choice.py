"""Which build runs: never a stale one, never a mixture, and plain whenever it is asked for."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from referee.native import compile as compiling
from referee.native import stamp
from referee.native.choice import PURE

ROOT = Path(stamp.PACKAGE).parent
# Which module of each kind was loaded from where, as the interpreter tells it.
REPORT = """
import referee.rules, referee.draws, sys
from referee.native.choice import build_note
print(build_note())
for name, module in sorted(sys.modules.items()):
    if name.startswith(("referee.rules.", "referee.draws.")):
        print(name, (module.__file__ or "").endswith(".py"))
"""


@pytest.fixture
def package(tmp_path: Path) -> Path:
    """Return a copy of the package, with stand-ins for compiled modules and their stamp.

    The stand-ins are no modules at all, so that a Python which loads one of them fails.
    """
    copy = tmp_path / "referee"
    ignored = shutil.ignore_patterns("__pycache__", "*.so", "*.stamp")
    shutil.copytree(stamp.PACKAGE, copy, ignore=ignored)
    sources = stamp.sources(str(copy))
    for file in stamp.module_files(sources):
        (copy / file).write_bytes(b"no module")
    stamp.write(str(copy), sources)
    return copy


def report(package: Path, pure: str = "") -> tuple[str, dict[str, bool]]:
    """Return what `referee` says of its build, and which of its modules are sources."""
    done = subprocess.run(
        [sys.executable, "-c", REPORT],
        cwd=package.parent,
        env={**os.environ, PURE: pure},
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode:
        return done.stderr.splitlines()[-1], {}
    note, *lines = done.stdout.splitlines()
    return note, {name: source == "True" for name, source in map(str.split, lines)}


def test_fresh_compiled_modules_are_used(package: Path) -> None:
    """Here they are broken, which shows that they were loaded."""
    for pure in ("", "0"):
        assert report(package, pure)[0].startswith("ImportError: ")


def test_plain_when_asked_for(package: Path) -> None:
    """REFEREE_PURE=1 loads sources only, whatever lies beside them."""
    note, modules = report(package, "1")
    assert note == "plain: REFEREE_PURE is set"
    assert len(modules) > 15
    assert all(modules.values())


def test_plain_when_any_source_has_changed(package: Path) -> None:
    """One byte in one source is enough, and then all of them are plain."""
    source = package / "rules" / "tally.py"
    source.write_bytes(source.read_bytes() + b"\n")
    note, modules = report(package)
    assert note.startswith("plain: the compiled modules are older than their sources; `make build`")
    assert all(modules.values())
    # Times mean nothing: the same bytes are fresh again, whenever they were written.
    source.write_bytes(source.read_bytes()[:-1])
    assert report(package)[0].startswith("ImportError: ")


def test_plain_when_a_source_is_added_or_gone(package: Path) -> None:
    """A module that was never compiled must not meet compiled ones."""
    added = package / "rules" / "added.py"
    added.write_text('"""New."""\n')
    assert "older than their sources" in report(package)[0]
    added.write_text('"""New."""\n\n# Not compiled: it says so.\n')
    assert report(package)[0].startswith("ImportError: ")


@pytest.mark.parametrize("file", [stamp.LIBRARY + stamp.SUFFIX, "rules/tally" + stamp.SUFFIX])
def test_plain_when_a_compiled_module_is_missing(package: Path, file: str) -> None:
    """Half a build is none."""
    (package / file).unlink()
    note, modules = report(package)
    assert note.startswith("plain: a compiled module is missing")
    assert all(modules.values())


def test_plain_without_a_stamp(package: Path) -> None:
    """An interrupted build leaves modules without one; they do not count."""
    (package / stamp.STAMP).unlink()
    note, modules = report(package)
    assert note == "plain: not compiled for this Python"
    assert all(modules.values())


def test_plain_with_a_stamp_that_is_no_text(package: Path) -> None:
    """Damage beside the sources never keeps them from running."""
    (package / stamp.STAMP).write_bytes(b"\xff\xfe")
    note, modules = report(package)
    assert note == "plain: not compiled for this Python"
    assert all(modules.values())


def test_every_reason_not_to_compile_is_in_its_module() -> None:
    """What is not compiled is an `__init__.py` or says why."""
    compiled = stamp.sources()
    for named in stamp.COMPILED:
        place = Path(stamp.PACKAGE) / named
        for file in [place] if place.is_file() else place.rglob("*.py"):
            path = file.relative_to(stamp.PACKAGE).as_posix()
            said = stamp.NOT_COMPILED in file.read_bytes()
            assert (path in compiled) != (said or file.name == "__init__.py")
    assert "rules/azul/position.py" in compiled
    assert "transcript/reader.py" in compiled


# Compiling ----------------------------------------------------------------------------------


def compile_in(package: Path, **environment: str) -> subprocess.CompletedProcess[str]:
    """Compile a copy of the package in place."""
    return subprocess.run(
        [sys.executable, "-m", "referee.native.compile"],
        cwd=package.parent,
        env={**os.environ, PURE: "", **environment},
        capture_output=True,
        text=True,
        check=False,
    )


@pytest.mark.parametrize(
    ("environment", "reason"),
    [
        ({"CC": "/no/such/compiler"}, "no C compiler: there is no /no/such/compiler"),
        ({"CC": " "}, "no C compiler"),
        ({"CC": '"gcc'}, "no C compiler"),
        ({"CC": "false"}, ""),
    ],
)
def test_without_a_working_compiler_it_says_so_and_all_stays_plain(
    package: Path, environment: dict[str, str], reason: str
) -> None:
    """One line, an exit code of its own, no traceback."""
    (package / stamp.STAMP).unlink()
    done = compile_in(package, **environment)
    assert done.returncode == compiling.EXIT_PLAIN
    last = done.stdout.splitlines()[-1]
    assert last.startswith(f"not compiled, the sources run as they are: {reason}")
    assert "Traceback" not in done.stdout + done.stderr
    assert report(package)[0] == "plain: not compiled for this Python"


def test_compiling_when_plain_is_asked_for_clears_the_compiled_modules(package: Path) -> None:
    """So that nothing compiled is left to be used later."""
    assert compile_in(package, **{PURE: "1"}).returncode == 0
    assert not list(package.rglob("*.stamp"))
    assert not list(package.rglob(f"*{stamp.SUFFIX}"))


def test_what_is_fresh_is_not_compiled_again(package: Path) -> None:
    """The stand-ins count as fresh."""
    done = compile_in(package, CC="/no/such/compiler")
    assert (done.returncode, done.stdout) == (0, "the compiled modules are up to date\n")
