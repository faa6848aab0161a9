"""The key that signs transcripts, and the signature that ends one.

A key is made when it is first needed and kept in a file that only its owner can read. It
is all that makes a signature worth something: whoever has it can sign any account.
"""

import base64
import binascii
import os
import re
from pathlib import Path

from nacl import bindings, exceptions

from referee.transcript.errors import SigningKeyError
from referee.transcript.format import signed_bytes
from referee.transcript.private_file import FOLDER_MODE, write_new

PUBLIC_KEY_BYTES = 32
SEED_BYTES = 32
SIGNATURE_BYTES = 64
# A key file is a few lines; whatever is larger is none.
MAX_KEY_FILE_BYTES = 1 << 14

# An Ed25519 key in the usual files (RFC 8410) is a fixed beginning and its 32 bytes.
_PRIVATE_START = bytes.fromhex("302e020100300506032b657004220420")
_PUBLIC_START = bytes.fromhex("302a300506032b6570032100")
_PRIVATE_PEM = re.compile(
    rb"-----BEGIN PRIVATE KEY-----\s+([A-Za-z0-9+/=\s]+)-----END PRIVATE KEY-----\s*"
)


class SigningKey:
    """A private key, and the public one that everybody may know."""

    def __init__(self, seed: bytes) -> None:
        self._seed = seed
        self.public, self._secret = bindings.crypto_sign_seed_keypair(seed)

    @classmethod
    def from_seed(cls, seed: bytes) -> "SigningKey":
        """Return the key of 32 secret bytes."""
        return cls(seed)

    def sign(self, match_id: bytes, index: int, previous: bytes) -> bytes:
        """Return the signature for frame ``index``, after the link before it."""
        signed: bytes = bindings.crypto_sign(signed_bytes(match_id, index, previous), self._secret)
        return signed[:SIGNATURE_BYTES]

    def pem(self) -> bytes:
        """Return the private key as its file holds it."""
        return _pem("PRIVATE KEY", _PRIVATE_START + self._seed)


def _pem(kind: str, data: bytes) -> bytes:
    text = base64.b64encode(data).decode()
    return f"-----BEGIN {kind}-----\n{text}\n-----END {kind}-----\n".encode()


def public_pem(public: bytes) -> bytes:
    """Return a public key in the form that other tools read."""
    return _pem("PUBLIC KEY", _PUBLIC_START + public)


def is_signed(public: bytes, signature: bytes, match_id: bytes, index: int, link: bytes) -> bool:
    """Return whether the signature in frame ``index`` is that of the key."""
    if len(public) != PUBLIC_KEY_BYTES or len(signature) != SIGNATURE_BYTES:
        return False
    try:
        bindings.crypto_sign_open(signature + signed_bytes(match_id, index, link), public)
    except exceptions.BadSignatureError:
        return False
    return True


def load_key(path: Path) -> SigningKey:
    """Read a private key from its file."""
    try:
        with path.open("rb") as file:
            data = file.read(MAX_KEY_FILE_BYTES)
    except OSError as error:
        raise SigningKeyError(f"the key {path} cannot be read: {error.strerror}") from error
    found = _PRIVATE_PEM.fullmatch(data)
    try:
        key = base64.b64decode(found[1] if found else b"")
    except binascii.Error:
        key = b""
    if not key:
        raise SigningKeyError(f"{path} holds no private key that can be used")
    if not key.startswith(_PRIVATE_START) or len(key) != len(_PRIVATE_START) + SEED_BYTES:
        raise SigningKeyError(f"{path} holds a key of another kind, not Ed25519")
    if path.stat().st_mode & 0o077:
        raise SigningKeyError(f"others can read the key {path}: chmod 600 it, or make a new one")
    return SigningKey(key[-SEED_BYTES:])


def load_or_make_key(path: Path) -> tuple[SigningKey, bool]:
    """Return the key of a file, making one if there is none, and whether it was made."""
    if path.exists():
        return load_key(path), False
    key = SigningKey(os.urandom(SEED_BYTES))
    try:
        path.parent.mkdir(mode=FOLDER_MODE, parents=True, exist_ok=True)
    except OSError as error:
        raise SigningKeyError(f"no key can be kept at {path}: {error.strerror}") from error
    try:
        write_new(path, key.pem())
    except FileExistsError:
        # Somebody else made one in the meantime; one key is enough.
        return load_key(path), False
    except OSError as error:
        raise SigningKeyError(f"no key can be kept at {path}: {error.strerror}") from error
    return key, True
