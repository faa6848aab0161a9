"""What storage raises beside `OSError`, which it passes on as the disk gave it.

RefereeError
└── StorageError
    ├── FolderInUse    another referee holds the data directory
    ├── NoSuchMatch    no transcript has that id
    ├── MatchExists    a transcript with that id is there already
    ├── KeyFileError   a private key file that cannot be used
    └── SecretExists   another seed is kept for that match
"""

from pathlib import Path

from referee.rules.errors import RefereeError


class StorageError(RefereeError):
    """The root of the errors of this package."""


class FolderInUse(StorageError):
    """Another referee runs on the same data directory."""

    def __init__(self, folder: Path) -> None:
        super().__init__(f"another referee is running on the folder {folder}")
        self.folder = folder


class NoSuchMatch(StorageError):
    """There is no transcript of that match."""

    def __init__(self, match_id: bytes) -> None:
        super().__init__(f"there is no transcript of match {match_id.hex()}")
        self.match_id = match_id


class MatchExists(StorageError):
    """A match with that id has been recorded before."""

    def __init__(self, match_id: bytes) -> None:
        super().__init__(f"there is a transcript of match {match_id.hex()} already")
        self.match_id = match_id


class KeyFileError(StorageError):
    """A private key file that cannot be read, or that others can read."""


class SecretExists(StorageError):
    """A seed would take the place of another one."""

    def __init__(self, match_id: bytes) -> None:
        super().__init__(f"another seed is kept for match {match_id.hex()}")
        self.match_id = match_id
