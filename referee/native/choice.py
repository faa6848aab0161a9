"""Which build runs: the compiled modules if they are exactly the sources, else the sources.

`referee` imports this before anything else. Compiled modules lie beside their sources,
and Python prefers them; where they must not be used, a finder in front of all others
loads the sources. So the two builds never mix.
"""

import os
import sys
from collections.abc import Sequence
from importlib.machinery import SOURCE_SUFFIXES, FileFinder, ModuleSpec, SourceFileLoader
from types import ModuleType

from referee.native import stamp

PURE = "REFEREE_PURE"


def pure_wanted() -> bool:
    """Return whether the environment asks for plain Python."""
    return os.environ.get(PURE, "") not in ("", "0")


def reason_for_plain() -> str:
    """Return why the sources must run; an empty text if the compiled modules may."""
    if pure_wanted():
        return f"{PURE} is set"
    compiled = stamp.read()
    if compiled is None:
        return "not compiled for this Python"
    if compiled != stamp.sources():
        return "the compiled modules are older than their sources; `make build` renews them"
    files = stamp.module_files(compiled)
    if not all(os.path.exists(os.path.join(stamp.PACKAGE, file)) for file in files):
        return "a compiled module is missing; `make build` renews them"
    return ""


class SourcesOnly:
    """Finds the sources of what could be compiled, whatever else lies beside them."""

    def find_spec(
        self,
        fullname: str,
        path: Sequence[str] | None,
        target: ModuleType | None = None,  # noqa: ARG002  the protocol of finders
    ) -> ModuleSpec | None:
        """Return where a module of the compiled folders has its source."""
        if path is None or not f"{fullname}.".startswith(_PREFIXES):
            return None
        for folder in path:
            spec = FileFinder(folder, (SourceFileLoader, SOURCE_SUFFIXES)).find_spec(fullname)
            if spec is not None:
                return spec
        return None


_PREFIXES = tuple(
    f"referee.{path.removesuffix('.py').replace('/', '.')}." for path in stamp.COMPILED
)
_REASON = reason_for_plain()
if _REASON:
    sys.meta_path.insert(0, SourcesOnly())


def build_kind() -> str:
    """Return which build of the rules and draws runs: ``"compiled"`` or ``"plain"``."""
    return "plain" if _REASON else "compiled"


def build_note() -> str:
    """Return the build as people read it: a plain one says why it is plain."""
    return f"plain: {_REASON}" if _REASON else "compiled"
