"""The key that signs transcripts, and the signature that ends one.

A key is made when it is first needed and kept in a file that only its owner can read. It
is all that makes a signature worth something: whoever has it can sign any account.
"""

import os
from functools import lru_cache
from pathlib import Path

from cryptography.exceptions import InvalidSignature, UnsupportedAlgorithm
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric.ed25519 import (
    Ed25519PrivateKey,
    Ed25519PublicKey,
)

from referee.transcript.errors import SigningKeyError
from referee.transcript.format import signed_bytes

PUBLIC_KEY_BYTES = 32
SIGNATURE_BYTES = 64
PRIVATE_MODE = 0o600
FOLDER_MODE = 0o700
# A key file is a few lines; whatever is larger is none.
MAX_KEY_FILE_BYTES = 1 << 14


class SigningKey:
    """A private key, and the public one that everybody may know."""

    def __init__(self, private: Ed25519PrivateKey) -> None:
        self._private = private
        self.public = private.public_key().public_bytes_raw()

    @classmethod
    def from_seed(cls, seed: bytes) -> "SigningKey":
        """Return the key of 32 secret bytes; for tests, which need the same one again."""
        return cls(Ed25519PrivateKey.from_private_bytes(seed))

    def sign(self, match_id: bytes, index: int, previous: bytes) -> bytes:
        """Return the signature for frame ``index``, after the link before it."""
        return self._private.sign(signed_bytes(match_id, index, previous))

    def pem(self) -> bytes:
        """Return the private key as its file holds it."""
        return self._private.private_bytes(
            serialization.Encoding.PEM,
            serialization.PrivateFormat.PKCS8,
            serialization.NoEncryption(),
        )


def public_pem(public: bytes) -> bytes:
    """Return a public key in the form that other tools read."""
    return Ed25519PublicKey.from_public_bytes(public).public_bytes(
        serialization.Encoding.PEM, serialization.PublicFormat.SubjectPublicKeyInfo
    )


def is_signed(public: bytes, signature: bytes, match_id: bytes, index: int, link: bytes) -> bool:
    """Return whether the signature in frame ``index`` is that of the key."""
    if len(public) != PUBLIC_KEY_BYTES or len(signature) != SIGNATURE_BYTES:
        return False
    key = _public_key(public)
    if key is None:
        return False
    try:
        key.verify(signature, signed_bytes(match_id, index, link))
    except InvalidSignature:
        return False
    return True


@lru_cache(maxsize=64)
def _public_key(public: bytes) -> Ed25519PublicKey | None:
    """Return a public key; a folder of transcripts has the same one over and over."""
    try:
        return Ed25519PublicKey.from_public_bytes(public)
    except ValueError:
        return None


def load_key(path: Path) -> SigningKey:
    """Read a private key from its file."""
    try:
        with path.open("rb") as file:
            data = file.read(MAX_KEY_FILE_BYTES)
        private = serialization.load_pem_private_key(data, None)
    except OSError as error:
        raise SigningKeyError(f"the key {path} cannot be read: {error.strerror}") from error
    except (ValueError, TypeError, UnsupportedAlgorithm) as error:
        raise SigningKeyError(f"{path} holds no private key that can be used") from error
    if not isinstance(private, Ed25519PrivateKey):
        raise SigningKeyError(f"{path} holds a key of another kind, not Ed25519")
    if path.stat().st_mode & 0o077:
        raise SigningKeyError(f"others can read the key {path}: chmod 600 it, or make a new one")
    return SigningKey(private)


def load_or_make_key(path: Path) -> tuple[SigningKey, bool]:
    """Return the key of a file, making one if there is none, and whether it was made."""
    if path.exists():
        return load_key(path), False
    key = SigningKey(Ed25519PrivateKey.generate())
    try:
        path.parent.mkdir(mode=FOLDER_MODE, parents=True, exist_ok=True)
    except OSError as error:
        raise SigningKeyError(f"no key can be kept at {path}: {error.strerror}") from error
    try:
        _write_new(path, key.pem())
    except FileExistsError:
        # Somebody else made one in the meantime; one key is enough.
        return load_key(path), False
    except OSError as error:
        raise SigningKeyError(f"no key can be kept at {path}: {error.strerror}") from error
    return key, True


def _write_new(path: Path, data: bytes) -> None:
    """Write a file that did not exist, whole or not at all, and make it durable."""
    temporary = path.with_name(f".{path.name}.{os.getpid()}")
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
    folder = os.open(path.parent, os.O_RDONLY)
    try:
        os.fsync(folder)
    finally:
        os.close(folder)
