"""The one secret of an agent: 32 random bytes in a file that nobody else may read.

All shares of all matches follow from it, so a bot that is started again goes on with the
same ones. Whoever reads it before a match can foresee the agent's part of the draws.
"""

import os
import secrets
import stat
import tempfile
from pathlib import Path

from azul_agent.errors import SecretFileError

SECRET_BYTES = 32
DEFAULT_FILE = Path("~/.azul-agent/secret")


def load_secret(file: Path = DEFAULT_FILE) -> bytes:
    """Return the secret of a file; make both if there is none yet."""
    file = file.expanduser()
    try:
        if not file.exists():
            _make(file)
        mode = file.stat().st_mode
        secret = file.read_bytes()
    except OSError as error:
        raise SecretFileError(f"{file} cannot be used: {error.strerror}") from error
    if stat.S_IMODE(mode) & 0o077:
        raise SecretFileError(f"{file} can be read by others; `chmod 600` it, or begin a new one")
    if len(secret) != SECRET_BYTES:
        raise SecretFileError(f"{file} holds {len(secret)} bytes, not {SECRET_BYTES}")
    return secret


def _make(file: Path) -> None:
    file.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    # A whole file appears under its name at once, and only if no other process was faster.
    handle, draft = tempfile.mkstemp(dir=file.parent, prefix=".secret-")
    try:
        with os.fdopen(handle, "wb") as stream:
            stream.write(secrets.token_bytes(SECRET_BYTES))
            stream.flush()
            os.fsync(stream.fileno())
        try:
            os.link(draft, file)
        except FileExistsError:
            return
    finally:
        Path(draft).unlink()
