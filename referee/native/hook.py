"""Lets pip generate and compile when it installs the project or builds its wheel.

Hatchling calls this. Stubs are generated first: without them there is no transcript.

An editable install gets the compiled modules beside the sources, a wheel carries them and
is tagged for its platform. Nothing that goes wrong here fails an install: the compiler
runs in a process of its own, and without its result the project is plain Python.
"""

import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

from hatchling.builders.config import BuilderConfig
from hatchling.builders.hooks.plugin.interface import BuildHookInterface

# Hatchling loads this file by its path, so nothing has made the package known yet.
sys.path.insert(0, str(Path(__file__).parents[2]))

from referee.native import stamp, stubs
from referee.native.choice import pure_wanted
from referee.native.compile import CannotCompile, compiler

REQUIRES = ["mypy>=2.0", "setuptools>=77"]
TIMEOUT_SECONDS = 900


class CompileRules(BuildHookInterface[BuilderConfig]):
    """Compiles for wheels and for editable installs."""

    def dependencies(self) -> list[str]:
        """Return what compiling needs; nothing where it will not be tried."""
        try:
            compiler()
        except CannotCompile:
            return []
        return [] if pure_wanted() else REQUIRES

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Generate the stubs, compile, and say which files the wheel must carry."""
        stubs.generate(Path(self.root))
        if version == "editable":
            self._compile()
            return
        self._folder = tempfile.TemporaryDirectory()
        package = Path(self._folder.name)
        if self._compile(str(package)):
            for file in package.rglob("*"):
                if file.is_file():
                    name = f"referee/{file.relative_to(package).as_posix()}"
                    build_data["force_include"][str(file)] = name
            build_data["pure_python"] = False
            build_data["infer_tag"] = True

    def finalize(self, version: str, build_data: dict[str, Any], artifact_path: str) -> None:  # noqa: ARG002
        """Clear away what a wheel was made from."""
        if version != "editable":
            self._folder.cleanup()

    def _compile(self, *target: str) -> bool:
        """Run the compiler and return whether there are compiled modules now."""
        command = [sys.executable, "-m", "referee.native.compile", *target]
        try:
            done = subprocess.run(  # noqa: S603  our own module
                command,
                cwd=self.root,
                stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT,
                text=True,
                timeout=TIMEOUT_SECONDS,
                check=False,
            )
        except (OSError, subprocess.SubprocessError) as error:
            self.app.display_warning(f"not compiled, the sources run as they are: {error}")
            return False
        words = done.stdout.strip().splitlines()
        # A compiler that was killed, for want of memory, say, has no last words.
        self.app.display_info(words[-1] if words else "not compiled: the compiler was stopped")
        package = target[0] if target else stamp.PACKAGE
        return done.returncode == 0 and stamp.read(package) is not None
