"""Signing keys: made once, private, and never silently replaced."""

import stat
from pathlib import Path

import pytest
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric.ec import SECP256R1, generate_private_key

from referee.transcript.errors import SigningKeyError
from referee.transcript.signing import is_signed, load_key, load_or_make_key, public_pem


def test_a_key_is_made_once(tmp_path: Path) -> None:
    """The first use makes it, private to its owner; the second finds it."""
    path = tmp_path / "new" / "key.pem"
    key, made = load_or_make_key(path)
    again, made_again = load_or_make_key(path)
    assert (made, made_again) == (True, False)
    assert key.public == again.public
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert stat.S_IMODE(path.parent.stat().st_mode) == 0o700
    assert [file.name for file in path.parent.iterdir()] == ["key.pem"]


def test_a_key_that_others_can_read_is_refused(tmp_path: Path) -> None:
    """Who else could sign with it nobody knows."""
    path = tmp_path / "key.pem"
    load_or_make_key(path)
    path.chmod(0o640)
    with pytest.raises(SigningKeyError, match="others can read"):
        load_key(path)


@pytest.mark.parametrize("data", [b"", b"not a key", b"\x00" * 40_000])
def test_a_file_that_is_no_key_is_left_alone(tmp_path: Path, data: bytes) -> None:
    """It is refused, and not overwritten with a new key."""
    path = tmp_path / "key.pem"
    path.write_bytes(data)
    path.chmod(0o600)
    with pytest.raises(SigningKeyError, match="no private key"):
        load_or_make_key(path)
    assert path.read_bytes() == data


def test_a_key_of_another_kind_is_refused(tmp_path: Path) -> None:
    """Only Ed25519 keys sign transcripts."""
    path = tmp_path / "key.pem"
    pem = generate_private_key(SECP256R1()).private_bytes(
        serialization.Encoding.PEM,
        serialization.PrivateFormat.PKCS8,
        serialization.NoEncryption(),
    )
    path.write_bytes(pem)
    path.chmod(0o600)
    with pytest.raises(SigningKeyError, match="another kind"):
        load_key(path)


def test_a_key_that_cannot_be_kept_is_an_error(tmp_path: Path) -> None:
    """A folder that is a file cannot hold a key; a folder is none."""
    file = tmp_path / "file"
    file.write_text("")
    with pytest.raises(SigningKeyError, match="no key can be kept"):
        load_or_make_key(file / "key.pem")
    with pytest.raises(SigningKeyError, match="cannot be read"):
        load_or_make_key(tmp_path)


def test_what_is_no_key_or_signature_signs_nothing() -> None:
    """Wrong sizes and points that are no key are simply not signed."""
    assert not is_signed(b"short", bytes(64), bytes(16), 0, bytes(32))
    assert not is_signed(bytes(32), b"short", bytes(16), 0, bytes(32))
    assert not is_signed(b"\xff" * 32, bytes(64), bytes(16), 0, bytes(32))


def test_the_public_key_as_pem(tmp_path: Path) -> None:
    """Other tools read the same 32 bytes."""
    key, _ = load_or_make_key(tmp_path / "key.pem")
    read = serialization.load_pem_public_key(public_pem(key.public))
    raw = read.public_bytes(serialization.Encoding.Raw, serialization.PublicFormat.Raw)
    assert raw == key.public
