"""Where things lie in the data directory (docs/service.md, "The data directory")."""

import re
from pathlib import Path

from referee.service.storage.disk import FOLDER_MODE, Disk

PRIVATE_FOLDER_MODE = 0o700
ID_BYTES = 16
SUFFIX = ".azt"
NEW = ".new"
_ID = re.compile(r"[0-9a-f]{32}")
_SHELF = re.compile(r"[0-9a-f]{2}")
_SEGMENT = re.compile(r"([1-9][0-9]{0,18})\.log")


class Layout:
    """The paths of one data directory."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.lock = root / "lock"
        self.journal = root / "journal"
        self.open = root / "open"
        self.finished = root / "finished"
        self.secrets = root / "secrets"
        self.aside = root / "aside"
        self.debug = root / "debug"

    def make(self, disk: Disk) -> None:
        """Make whatever folder is missing in the data directory, durably."""
        for path in (self.journal, self.open, self.finished, self.aside, self.debug, self.secrets):
            # Agents' own words are for their authors, seeds for nobody.
            private = path in (self.debug, self.secrets)
            disk.make_folder(path, PRIVATE_FOLDER_MODE if private else FOLDER_MODE)
        disk.sync_folder(self.root)

    def open_path(self, match_id: bytes) -> Path:
        """Return where the transcript of a match that goes on lies."""
        return self.open / f"{match_id.hex()}{SUFFIX}"

    def new_path(self, match_id: bytes) -> Path:
        """Return where a transcript is written that takes the place of another at once."""
        return self.open / f"{match_id.hex()}{NEW}"

    def finished_path(self, match_id: bytes) -> Path:
        """Return where the transcript of a finished match lies."""
        name = match_id.hex()
        return self.finished / name[:2] / f"{name}{SUFFIX}"

    def segment_path(self, number: int) -> Path:
        """Return where a segment of the journal lies."""
        return self.journal / f"{number}.log"


def match_of(name: str) -> bytes | None:
    """Return the id that a file's name stands for, None if it is no transcript's."""
    stem = name.removesuffix(SUFFIX)
    return bytes.fromhex(stem) if stem != name and _ID.fullmatch(stem) else None


def id_of(name: str) -> bytes | None:
    """Return the match id that is written as a name."""
    return bytes.fromhex(name) if _ID.fullmatch(name) else None


def segment_of(name: str) -> int | None:
    """Return the number of a segment of the journal, None if it is none."""
    found = _SEGMENT.fullmatch(name)
    return int(found[1]) if found else None


def is_shelf(name: str) -> bool:
    """Return whether a folder within `finished/` holds transcripts."""
    return _SHELF.fullmatch(name) is not None
