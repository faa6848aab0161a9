"""How this program was called, for commands that are shown so that somebody types them."""

import sys
from pathlib import Path


def referee() -> str:
    """Return what to type for `referee`."""
    import shutil

    path = Path(sys.argv[0])
    if path.name != "referee":
        return f"{python()} -m referee"
    found = shutil.which("referee")
    on_path = found is not None and path.exists() and Path(found).samefile(path)
    return "referee" if on_path else str(path)


def python() -> str:
    """Return what to type for the Python that this program runs on."""
    path = Path(sys.argv[0])
    beside = path.with_name("python")
    return str(beside) if path.name == "referee" and beside.exists() else "python"
