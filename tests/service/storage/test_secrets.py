"""Seeds and keys: durable, private, and gone when they are to be."""

import random
import stat
from pathlib import Path

import pytest

from referee.service.storage.errors import KeyFileError, SecretExists
from referee.service.storage.secrets import Secrets, key_file
from tests.service.storage.fake_disk import FakeDisk, PowerCut
from tests.service.storage.workload import Faults

ID, SEED = b"m" * 16, b"s" * 32
FOLDER = Path("/data/secrets")


def test_only_the_owner_can_read_a_secret(tmp_path: Path) -> None:
    """The file has mode 0600, its folder 0700, and nothing else is left."""
    folder = tmp_path / "secrets"
    Secrets(folder).put(ID, SEED)
    (path,) = folder.iterdir()
    assert path.name == ID.hex()
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert stat.S_IMODE(folder.stat().st_mode) == 0o700
    assert path.read_bytes() == SEED


def test_a_secret_is_kept_and_removed(tmp_path: Path) -> None:
    """A seed can be put, found, listed and removed, each of them twice."""
    secrets = Secrets(tmp_path)
    assert secrets.get(ID) is None
    secrets.put(ID, SEED)
    secrets.put(ID, SEED)
    assert Secrets(tmp_path).get(ID) == SEED
    assert secrets.ids() == [ID]
    secrets.delete(ID)
    secrets.delete(ID)
    assert (secrets.get(ID), secrets.ids()) == (None, [])


def test_a_seed_is_never_replaced(tmp_path: Path) -> None:
    """Another seed for the same match is refused, without a word of either."""
    secrets = Secrets(tmp_path)
    secrets.put(ID, SEED)
    with pytest.raises(SecretExists) as caught:
        secrets.put(ID, b"t" * 32)
    assert "ssss" not in str(caught.value)
    assert secrets.get(ID) == SEED


def test_a_cut_leaves_a_whole_seed_or_none() -> None:
    """Wherever the power goes, a seed that was promised is there, and none is in half."""
    done = False
    at = 0
    while not done:
        disk = FakeDisk()
        disk.make_folder(FOLDER.parent)
        disk.fault = Faults({at + disk.count: "cut"})
        try:
            secrets = Secrets(FOLDER, disk)
            secrets.put(ID, SEED)
            done = True
        except PowerCut:
            pass
        after = disk.after_power_cut(random.Random(at))
        found = Secrets(FOLDER, after)
        assert found.get(ID) in ((SEED,) if done else (None, SEED))
        found.put(ID, SEED)
        assert [name for name in after.names(FOLDER) if name != ID.hex()] == []
        at += 1
    assert at > 5


def test_a_cut_does_not_bring_a_deleted_seed_back() -> None:
    """A seed is gone for good when `delete` returns."""
    disk = FakeDisk()
    secrets = Secrets(FOLDER, disk)
    secrets.put(ID, SEED)
    secrets.delete(ID)
    assert all(
        Secrets(FOLDER, disk.after_power_cut(random.Random(n))).ids() == [] for n in range(9)
    )


def test_what_a_crash_left_of_a_seed_is_removed(tmp_path: Path) -> None:
    """No half-made file with a seed outlives a start."""
    (tmp_path / ".half").write_bytes(SEED)
    Secrets(tmp_path)
    assert list(tmp_path.iterdir()) == []


def test_a_key_file_is_made_once(tmp_path: Path) -> None:
    """The first start makes the key, and all later ones read it."""
    path = tmp_path / "token-key"
    key = key_file(path)
    assert len(key) == 32
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert key_file(path, make=lambda: bytes(32)) == key == path.read_bytes()


def test_a_key_file_that_cannot_be_trusted_is_refused(tmp_path: Path) -> None:
    """A key of another size, one that others can read, and a folder that is none: all refused."""
    path = tmp_path / "token-key"
    path.write_bytes(b"short")
    path.chmod(0o600)
    with pytest.raises(KeyFileError, match="no key of 32 bytes"):
        key_file(path)
    path.write_bytes(bytes(32))
    path.chmod(0o640)
    with pytest.raises(KeyFileError, match="others can read"):
        key_file(path)
    with pytest.raises(KeyFileError, match="no key can be kept"):
        key_file(path / "below")
