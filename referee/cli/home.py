"""Where the referee keeps what belongs to one operator: the signing key, and its matches."""

import os
from pathlib import Path

HOME = "REFEREE_HOME"
DATA = "REFEREE_DATA"
KEY_FILE = "signing-key.pem"
DATA_FOLDER = "data"


def home_folder() -> Path:
    """Return the folder of the environment, or the usual one."""
    return Path(os.environ.get(HOME) or Path.home() / ".azul-referee")


def data_folder(named: str | None = None) -> Path:
    """Return the data directory named, or that of the environment, or the one at home."""
    return Path(named or os.environ.get(DATA) or home_folder() / DATA_FOLDER)


def key_path(named: str | None = None) -> Path:
    """Return where the signing key lies: one key signs whatever is recorded here."""
    return data_folder(named) / KEY_FILE
