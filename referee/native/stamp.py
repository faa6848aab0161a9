"""What was compiled: a stamp beside the compiled modules, with a hash of every source.

Hashes, not times: a checkout, a wheel or a copy changes the times and means nothing. The
hash is the one Python itself uses for its cached bytecode. This runs at every start of
the referee, so it imports nothing heavy and reads each source once.

Every module of the compiled folders is compiled, except an ``__init__.py`` and whatever
says in a comment of its own why it is ``Not compiled``.
"""

import os
from collections.abc import Iterable
from importlib.machinery import EXTENSION_SUFFIXES
from importlib.util import source_hash

PACKAGE = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
# Folders, and single modules where the rest of a folder stays plain: the way of a record
# through a verifier, and of a move through a live match, is as hot as the rules are.
COMPILED = (
    "draws",
    "match/acting.py",
    "match/live.py",
    "match/replies.py",
    "rules",
    "service/events.py",
    "service/host.py",
    "service/questions.py",
    "service/saying.py",
    "transcript/answers.py",
    "transcript/clock.py",
    "transcript/digest.py",
    "transcript/fold",
    "transcript/format.py",
    "transcript/pieces.py",
    "transcript/reader.py",
    "transcript/result.py",
    "transcript/verify.py",
    "transcript/wire",
    "transcript/writer.py",
)
NOT_COMPILED = b"\n# Not compiled: "
# All compiled modules share one library; those beside the sources only point into it.
LIBRARY = "compiled__mypyc"
# Compiled modules are for one version of Python on one kind of machine, and so is a stamp.
SUFFIX = EXTENSION_SUFFIXES[0]
STAMP = f"native/compiled{SUFFIX}.stamp"


def sources(package: str = PACKAGE) -> dict[str, str]:
    """Return what is compiled: paths within the package, in order, each with its hash."""
    found: dict[str, str] = {}
    paths = list(COMPILED)
    while paths:
        path = paths.pop()
        if path.endswith(".py"):
            with open(os.path.join(package, path), "rb") as file:
                source = file.read()
            if NOT_COMPILED not in source:
                found[path] = source_hash(source).hex()
            continue
        with os.scandir(os.path.join(package, path)) as entries:
            for entry in entries:
                is_module = entry.name.endswith(".py") and entry.name != "__init__.py"
                if is_module or entry.is_dir():
                    paths.append(f"{path}/{entry.name}")
    return dict(sorted(found.items()))


def module_file(source: str) -> str:
    """Return the path within the package of what a source compiles to."""
    return source.removesuffix(".py") + SUFFIX


def module_files(sources: Iterable[str]) -> list[str]:
    """Return the paths within the package of all that the sources compile to."""
    return [LIBRARY + SUFFIX, *map(module_file, sources)]


def write(package: str, sources: dict[str, str]) -> None:
    """Leave the stamp of these sources beside their compiled modules."""
    with open(os.path.join(package, STAMP), "w", encoding="utf-8") as file:
        file.writelines(f"{digest} {source}\n" for source, digest in sources.items())


def read(package: str = PACKAGE) -> dict[str, str] | None:
    """Return the sources as they were compiled, None if they never were for this Python."""
    try:
        with open(os.path.join(package, STAMP), encoding="utf-8") as file:
            lines = file.read().splitlines()
    except (OSError, UnicodeDecodeError):
        return None
    return {source: digest for digest, _, source in (line.partition(" ") for line in lines)}
