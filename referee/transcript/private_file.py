"""A new file that only its owner can read, whole and durable or not there at all."""

import os
import secrets
from pathlib import Path

PRIVATE_MODE = 0o600
FOLDER_MODE = 0o700


def write_new(path: Path, data: bytes) -> None:
    """Write a file that did not exist; raise `FileExistsError` if it does."""
    # A name of its own: what a killed process left behind must not be in the way.
    temporary = path.with_name(f".{path.name}.{secrets.token_hex(8)}")
    descriptor = os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_EXCL, PRIVATE_MODE)
    try:
        with os.fdopen(descriptor, "wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        # A link, unlike a rename, fails where a file already stands.
        os.link(temporary, path)
    finally:
        temporary.unlink()
    sync_folder(path.parent)


def sync_folder(path: Path) -> None:
    """Make the names in a folder durable."""
    folder = os.open(path, os.O_RDONLY)
    try:
        os.fsync(folder)
    finally:
        os.close(folder)
