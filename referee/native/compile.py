"""Compiles the rules and draws with mypyc: ``python -m referee.native.compile``.

The modules land beside their sources, or in a folder of the same shape that is named as
the argument. The stamp is written last, so that an interrupted build counts for nothing.
Where nothing can be compiled, this says why in one line and gives exit code 1; the
sources run all the same, and whoever called decides whether that matters.
"""

import os
import shlex
import shutil
import sys
import sysconfig
import tempfile
import time
from collections.abc import Iterable
from pathlib import Path

from referee.native import stamp
from referee.native.choice import pure_wanted, reason_for_plain

EXIT_PLAIN = 1


class CannotCompile(Exception):
    """Why this machine cannot compile, in one line."""


def compiler() -> str:
    """Return the command of the C compiler, or raise `CannotCompile`.

    The one that Python was built with is not always there, least of all when Python was
    built on another machine, so the usual names are tried too.
    """
    named = os.environ.get("CC")
    commands = [named] if named else [sysconfig.get_config_var("CC") or "cc", "cc", "gcc", "clang"]
    for command in commands:
        if _is_there(command):
            return command
    raise CannotCompile(f"no C compiler: there is no {' and no '.join(dict.fromkeys(commands))}")


def _is_there(command: str) -> bool:
    try:
        words = shlex.split(command)
    except ValueError:
        # A quote that is not closed: no command at all.
        return False
    return bool(words) and shutil.which(words[0]) is not None


def build(package: Path) -> None:
    """Compile into a folder of the shape of the package `referee`."""
    os.environ["CC"] = compiler()
    sources = stamp.sources()
    with tempfile.TemporaryDirectory() as temporary:
        built = _run_mypyc(sources, Path(temporary))
        remove(package)
        for file in stamp.module_files(sources):
            (package / file).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(built / file, package / file)
    (package / stamp.STAMP).parent.mkdir(parents=True, exist_ok=True)
    stamp.write(str(package), sources)


def _run_mypyc(sources: Iterable[str], temporary: Path) -> Path:
    try:
        from mypyc.build import mypycify
        from setuptools import Distribution  # type: ignore[import-untyped]
    except ImportError as error:
        raise CannotCompile(f"no mypyc: {error}") from error
    # mypy finds the name of a module from the folder it is called in.
    os.chdir(Path(stamp.PACKAGE).parent)
    # How strictly the project checks itself is no matter here, so mypy reads no settings.
    settings = temporary / "mypy.ini"
    settings.write_text("[mypy]\nignore_missing_imports = True\n", encoding="utf-8")
    extensions = mypycify(
        [
            f"--config-file={settings}",
            f"--cache-dir={temporary / 'cache'}",
            *(f"referee/{source}" for source in sources),
        ],
        # -O3 takes half as long again and gives the same speed.
        opt_level="2",
        debug_level="0",
        group_name="referee." + stamp.LIBRARY.removesuffix("__mypyc"),
        target_dir=str(temporary / "c"),
    )
    for extension in extensions:
        # What no other library sees may be inlined: it is worth 5 % here. Calling into Python
        # without the detour that would look a function up at its first call is worth 2 %.
        extension.extra_compile_args += ["-fvisibility=hidden", "-fno-plt"]
    command = Distribution({"ext_modules": extensions}).get_command_obj("build_ext")
    command.build_lib = str(temporary / "built")
    command.build_temp = str(temporary / "objects")
    command.ensure_finalized()
    command.run()
    return temporary / "built" / "referee"


def remove(package: Path) -> None:
    """Remove the compiled modules of this Python, the stamp first."""
    (package / stamp.STAMP).unlink(missing_ok=True)
    (package / (stamp.LIBRARY + stamp.SUFFIX)).unlink(missing_ok=True)
    for file in package.rglob(f"*{stamp.SUFFIX}"):
        file.unlink()


def main(arguments: list[str]) -> int:
    """Compile beside the sources, or into the folder named."""
    in_place = not arguments
    package = Path(stamp.PACKAGE) if in_place else Path(arguments[0])
    if pure_wanted():
        remove(package)
        print("not compiled:", reason_for_plain())
        return 0
    if in_place and not reason_for_plain():
        print("the compiled modules are up to date")
        return 0
    started = time.perf_counter()
    try:
        build(package)
    except (Exception, SystemExit) as error:  # noqa: BLE001  mypycify itself raises SystemExit
        reason = (str(error).strip() or type(error).__name__).splitlines()[-1]
        if isinstance(error, SystemExit):
            reason = "mypyc refuses them, see above"
        print(f"not compiled, the sources run as they are: {reason}")
        return EXIT_PLAIN
    print(f"compiled {len(stamp.sources())} modules in {time.perf_counter() - started:.0f} s")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
