"""What is found in `open/` at a start: torn, corrupt, signed, ended, or no match (P-D3, P-D4)."""

import random
from pathlib import Path

import pytest

from referee.service.storage.recovery import Kind, Recovered
from referee.service.storage.store import Store
from referee.transcript import format as azt
from tests.golden.write import TRANSCRIPTS
from tests.service.storage.fake_disk import FakeDisk
from tests.service.storage.frames import frames_of, id_of
from tests.service.storage.workload import ROOT, voided

GAME = (TRANSCRIPTS / "azul-short.azt").read_bytes()
ID = id_of(GAME)
PARTS = frames_of(GAME)
OPEN = ROOT / "open" / f"{ID.hex()}.azt"
FINISHED = ROOT / "finished" / ID.hex()[:2] / OPEN.name


def disk_with(data: bytes, path: Path = OPEN) -> FakeDisk:
    """Return a disk with one transcript."""
    disk = FakeDisk()
    Store(ROOT, disk).close()
    disk.make_folder(path.parent)
    descriptor = disk.open(path, create=True)
    disk.pwrite(descriptor, data, 0)
    disk.sync(descriptor)
    disk.close(descriptor)
    disk.sync_folder(path.parent)
    return disk


def recovered(disk: FakeDisk) -> Recovered:
    """Recover the one match of a disk; a second time finds the same and changes nothing."""
    with Store(ROOT, disk) as store:
        (found,) = store.recover()
    if found.kind in (Kind.OPEN, Kind.ENDED, Kind.CORRUPT):
        before = disk.files()
        with Store(ROOT, disk) as store:
            (again,) = store.recover()
        assert (again.kind, again.cut) == (found.kind, 0)
        assert disk.files() == before
    # It is durable: a cut right after it brings nothing back.
    assert disk.after_power_cut(random.Random(0)).files() == disk.files()
    return found


def aside(disk: FakeDisk) -> dict[str, bytes]:
    """Return what was kept."""
    folder = f"{ROOT}/aside/"
    return {
        path.removeprefix(folder): data
        for path, data in disk.files().items()
        if path.startswith(folder)
    }


def test_a_cut_at_every_byte_is_recovered_exactly() -> None:
    """The good frames stay, and what is cut off is kept under a name that tells where."""
    ends = [0]
    for part in PARTS:
        ends.append(ends[-1] + len(part))
    for size in range(len(GAME) + 1):
        disk = disk_with(GAME[:size])
        found = recovered(disk)
        good = max(end for end in ends if end <= size)
        if not good:
            assert found.kind is Kind.NO_MATCH
            assert aside(disk) == {OPEN.name: GAME[:size]}
            assert str(OPEN) not in disk.files()
            continue
        assert found.transcript is not None
        assert found.transcript.good == ends.index(good)
        if size == len(GAME):
            assert found.kind is Kind.FINISHED
            assert disk.files()[str(FINISHED)] == GAME
            continue
        assert found.kind is (Kind.ENDED if good == ends[-2] else Kind.OPEN)
        assert disk.files()[str(OPEN)] == GAME[:good]
        assert found.cut == size - good
        kept = {f"{ID.hex()}-at-{good}": GAME[good:size]} if size > good else {}
        assert aside(disk) == kept


def test_a_damaged_signature_is_cut_and_kept() -> None:
    """A match that has ended needs only its signature again; the damaged one is kept."""
    start = len(GAME) - len(PARTS[-1])
    for at in range(start, len(GAME)):
        damaged = bytearray(GAME)
        damaged[at] ^= 1
        disk = disk_with(bytes(damaged))
        found = recovered(disk)
        assert (found.kind, found.cut) == (Kind.ENDED, len(PARTS[-1]))
        assert disk.files()[str(OPEN)] == GAME[:start]
        assert aside(disk) == {f"{ID.hex()}-at-{start}": bytes(damaged[start:])}


def test_the_loss_of_the_seed_ends_a_match_too() -> None:
    """`secret_lost` in place of the seed leaves only the signature to be written."""
    data = (TRANSCRIPTS / "secret-lost.azt").read_bytes()
    match_id = id_of(data)
    path = ROOT / "open" / f"{match_id.hex()}.azt"
    disk = disk_with(data[: -len(frames_of(data)[-1])], path)
    assert recovered(disk).kind is Kind.ENDED


CORRUPT = {
    "in the middle": GAME[:300] + bytes([GAME[300] ^ 1]) + GAME[301:-200],
    "after the signature": GAME + b"more",
    "another magic": b"X" + GAME[1:],
    "its header zeros": bytes(azt.HEADER_BYTES) + GAME[azt.HEADER_BYTES :],
    "the id of another match": GAME[:12] + bytes(16) + GAME[28:],
    "another match": (TRANSCRIPTS / "void.azt").read_bytes(),
}


@pytest.mark.parametrize("data", CORRUPT.values(), ids=CORRUPT)
def test_a_corrupt_file_is_left_as_it_is(data: bytes) -> None:
    """Damage that is no interrupted write is reported, and not a byte is changed."""
    disk = disk_with(data)
    found = recovered(disk)
    assert found.kind is Kind.CORRUPT
    assert found.problem
    assert found.transcript is None
    assert disk.files()[str(OPEN)] == data
    assert aside(disk) == {}


@pytest.mark.parametrize("data", [bytes(200), bytes(64) + PARTS[0][64:]], ids=["all", "some"])
def test_a_lost_first_write_is_no_match(data: bytes) -> None:
    """Zeros where a first write was lost are set aside, as if the file ended there."""
    disk = disk_with(data)
    assert recovered(disk).kind is Kind.NO_MATCH
    assert aside(disk) == {OPEN.name: data}


def test_another_account_of_a_finished_match_is_left() -> None:
    """A signed file never takes the place of another one."""
    disk = disk_with(GAME)
    other = PARTS[0] + b"".join(voided(ID, PARTS[0]))
    descriptor_disk = disk_with(other, FINISHED)
    disk.names_cached.update(descriptor_disk.names_cached)
    disk.folders.update(descriptor_disk.folders)
    disk.names_cached[OPEN].cache[:] = GAME
    with Store(ROOT, disk) as store:
        (found,) = store.recover()
    assert found.kind is Kind.CORRUPT
    assert disk.files()[str(OPEN)] == GAME
    assert disk.files()[str(FINISHED)] == other


def test_a_move_that_was_half_done_is_completed() -> None:
    """The same signed bytes in both places become one finished transcript."""
    disk = disk_with(GAME)
    disk.names_cached.update(disk_with(GAME, FINISHED).names_cached)
    disk.names_stored.update(disk.names_cached)
    disk.folders[FINISHED.parent] = 0o755
    assert recovered(disk).kind is Kind.FINISHED
    assert str(OPEN) not in disk.files()
    assert disk.files()[str(FINISHED)] == GAME


def test_tails_at_the_same_place_are_all_kept() -> None:
    """A second torn tail of a match does not take the place of the first."""
    good = PARTS[0]
    disk = disk_with(good + b"one")
    recovered(disk)
    disk.names_cached[OPEN].cache[:] = good + b"two!"
    with Store(ROOT, disk) as store:
        store.recover()
    name = f"{ID.hex()}-at-{len(good)}"
    assert aside(disk) == {name: b"one", f"{name}-2": b"two!"}


def test_files_of_others_are_left_alone() -> None:
    """Names that are no match's are neither read nor moved; half-made files are removed."""
    disk = disk_with(b"notes", ROOT / "open" / "notes.txt")
    disk.names_cached.update(disk_with(b"half", OPEN.with_suffix(".new")).names_cached)
    with Store(ROOT, disk) as store:
        assert store.recover() == []
        assert store.open_ids() == []
    assert disk.files()[f"{ROOT}/open/notes.txt"] == b"notes"
    assert str(OPEN.with_suffix(".new")) not in disk.files()
