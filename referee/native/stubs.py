"""Generates the Python of `proto/` into `referee/v1`: ``python -m referee.native.stubs``.

One function for everyone who needs it: the build hook, ``make proto`` and the tests. A
stamp with a hash of the schemas says whether what lies there is still true, so that asking
again costs nothing. Files arrive by renaming: whoever imports meanwhile finds whole ones.
"""

import hashlib
import os
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).parents[2]
PACKAGE = "referee/v1"
STAMP = f"{PACKAGE}/generated.stamp"
EXIT_FAILED = 1


class CannotGenerate(Exception):
    """Why no stubs could be made, in one line."""


def schemas(root: Path = ROOT) -> list[Path]:
    """Return the schema files in order; none in an installation, which has its stubs."""
    return sorted((root / "proto" / PACKAGE).glob("*.proto"))


def fingerprint(root: Path = ROOT) -> str:
    """Return what the stubs are made from, as a hash: the schemas and the generator."""
    digest = hashlib.sha256(Path(__file__).read_bytes())
    for schema in schemas(root):
        digest.update(f"{schema.name}\n".encode())
        digest.update(schema.read_bytes())
    return digest.hexdigest()


def is_current(root: Path = ROOT) -> bool:
    """Return whether the stubs that lie there are those of the schemas."""
    if not schemas(root):
        return True
    stamp = root / STAMP
    return stamp.exists() and stamp.read_text(encoding="utf-8") == fingerprint(root)


def generate(root: Path = ROOT) -> bool:
    """Generate the stubs unless they are current; return whether they were made anew."""
    if is_current(root):
        return False
    try:
        from grpc_tools import protoc
    except ImportError as error:
        raise CannotGenerate(f"grpcio-tools is missing: {error}") from error
    # protoc looks for the plugin that writes types among the programs of this Python.
    os.environ["PATH"] = f"{Path(sys.executable).parent}{os.pathsep}{os.environ.get('PATH', '')}"
    with tempfile.TemporaryDirectory(dir=root / "referee") as temporary:
        command = [
            "protoc",
            f"--proto_path={root / 'proto'}",
            f"--proto_path={Path(protoc.__file__).parent / '_proto'}",
            f"--python_out={temporary}",
            f"--mypy_out=quiet:{temporary}",
            *(str(schema) for schema in schemas(root)),
        ]
        services = [
            f"--grpc_python_out={temporary}",
            f"--mypy_grpc_out=quiet:{temporary}",
            *(str(schema) for schema in schemas(root) if _has_service(schema)),
        ]
        # The plugin of gRPC writes a module for every schema it is given, be it empty.
        if protoc.main(command) or protoc.main(command[:3] + services):
            raise CannotGenerate("protoc refuses the schemas, see above")
        made = Path(temporary) / PACKAGE
        for old in (root / PACKAGE).glob("*_pb2*"):
            if not (made / old.name).exists():
                old.unlink()
        for file in made.iterdir():
            file.replace(root / PACKAGE / file.name)
    (root / STAMP).write_text(fingerprint(root), encoding="utf-8")
    return True


def _has_service(schema: Path) -> bool:
    return "\nservice " in schema.read_text(encoding="utf-8")


def main() -> int:
    """Generate, and say what happened."""
    try:
        made = generate()
    except CannotGenerate as error:
        print(f"no stubs: {error}")
        return EXIT_FAILED
    print(f"stubs of {len(schemas())} schemas: {'made anew' if made else 'up to date'}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
