"""What nobody may read: the seeds of open matches, and keys of 32 bytes.

A seed is durable before `put` returns, and its file can be read by the owner alone. It is
never shown: no error and no representation here has a byte of it.
"""

import secrets
from collections.abc import Callable
from pathlib import Path

from referee.service.storage.disk import Disk, RealDisk
from referee.service.storage.errors import KeyFileError, SecretExists
from referee.service.storage.layout import PRIVATE_FOLDER_MODE, id_of

SECRET_BYTES = 32


class Secrets:
    """The seeds in one folder, a file for each match."""

    def __init__(self, folder: Path, disk: Disk | None = None) -> None:
        self._disk: Disk = RealDisk() if disk is None else disk
        self._folder = folder
        if self._disk.make_folder(folder, PRIVATE_FOLDER_MODE):
            self._disk.sync_folder(folder.parent)
        for name in self._disk.names(folder):
            # What a crash left of a seed that was never promised to anyone.
            if name.startswith("."):
                self._disk.unlink(folder / name)

    def put(self, match_id: bytes, seed: bytes) -> None:
        """Keep a seed, durably; the same one again changes nothing."""
        try:
            self._disk.write_private(self._path(match_id), seed)
        except FileExistsError:
            if self.get(match_id) != seed:
                raise SecretExists(match_id) from None
            # The first time may have ended before its name was durable.
            self._disk.sync_folder(self._folder)

    def get(self, match_id: bytes) -> bytes | None:
        """Return the seed of a match, None if there is none, or a file of another size."""
        try:
            seed = self._disk.read(self._path(match_id), SECRET_BYTES + 1)
        except FileNotFoundError:
            return None
        return seed if len(seed) == SECRET_BYTES else None

    def delete(self, match_id: bytes) -> None:
        """Remove the seed of a match, durably; one that is gone stays gone."""
        try:
            self._disk.unlink(self._path(match_id))
        except FileNotFoundError:
            return
        self._disk.sync_folder(self._folder)

    def ids(self) -> list[bytes]:
        """Return the matches that have a seed here."""
        return sorted(filter(None, map(id_of, self._disk.names(self._folder))))

    def _path(self, match_id: bytes) -> Path:
        return self._folder / match_id.hex()


def _random() -> bytes:
    return secrets.token_bytes(SECRET_BYTES)


def key_file(path: Path, make: Callable[[], bytes] = _random, disk: Disk | None = None) -> bytes:
    """Return the key of 32 bytes that a private file holds, making it if there is none."""
    disk = RealDisk() if disk is None else disk
    try:
        disk.write_private(path, make())
    except FileExistsError:
        pass
    except OSError as error:
        raise KeyFileError(f"no key can be kept at {path}: {error.strerror}") from error
    try:
        key = disk.read(path, SECRET_BYTES + 1)
        private = disk.is_private(path)
    except OSError as error:
        raise KeyFileError(f"the key {path} cannot be read: {error.strerror}") from error
    if len(key) != SECRET_BYTES:
        raise KeyFileError(f"{path} holds no key of {SECRET_BYTES} bytes")
    if not private:
        raise KeyFileError(f"others can read the key {path}: chmod 600 it, or make a new one")
    return key
