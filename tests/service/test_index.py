"""The index: rows that follow from transcripts, pages, and the way back after a crash."""

import json
import os
import sqlite3
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any
from zlib import crc32

import pytest

from referee.match.recording import Identity, RecordedGame
from referee.rules import Options, get_ruleset
from referee.service.database import DatabaseError
from referee.service.index import (
    BadPageToken,
    CannotIndex,
    Index,
    Row,
    ending_of,
    open_or_rebuild,
    rebuild,
    reconcile,
    row_of,
)
from referee.service.index.table import _page_token
from referee.transcript import format as azt
from referee.transcript import reader
from referee.transcript.result import reason_name
from referee.transcript.verify import verify
from referee.v1 import match_pb2 as pb
from referee.v1 import record_pb2, setup_pb2
from tests.golden.write import TRANSCRIPTS
from tests.transcript.forge import Frames, forged, records_of
from tests.transcript.scene import KEY, OTHER_KEY, UTC_S, Scene, bytes_of

GOLDEN = {file.stem: file.read_bytes() for file in sorted(TRANSCRIPTS.glob("*.azt"))}
OPEN, PLAYING = pb.MATCH_STATE_OPEN, pb.MATCH_STATE_PLAYING
FINISHED, VOID, ABORTED = pb.MATCH_STATE_FINISHED, pb.MATCH_STATE_VOID, pb.MATCH_STATE_ABORTED


def simulated(game: int) -> bytes:
    """Return the transcript of a whole simulated game, as `simulate --record` writes it."""
    match_id = bytes_of("simulated", game, size=16)
    identity = Identity(match_id, KEY, None, game, UTC_S + game)
    rules = get_ruleset("azul")
    return RecordedGame(rules, 2, Options(round_cap=1), bytes_of(game), identity).play()


def steps(data: bytes) -> Iterator[bytes]:
    """Yield a transcript as it was after each of its frames."""
    at = azt.HEADER_BYTES
    for body in reader.read(data).bodies:
        at += azt.FRAME_OVERHEAD + len(body)
        yield data[:at]


def listed(number: int, **fields: Any) -> Row:
    """Return the row of a match that was just made."""
    setup = setup_pb2.Setup(ruleset="azul", sequence=number, **fields)
    match_id = bytes_of("listed", number, size=16)
    return Row(pb.MatchInfo(match_id=match_id.hex(), state=OPEN, setup=setup), None)


@pytest.fixture
def data(tmp_path: Path) -> Path:
    """Return an empty data directory."""
    return tmp_path


@pytest.fixture
def index(data: Path) -> Iterator[Index]:
    """Return an empty index."""
    with Index(data / "index.db") as opened:
        yield opened


def keep(data: Path, transcript: bytes, name: str | None = None) -> Path:
    """Write a transcript to where the referee keeps it."""
    found = reader.read(transcript)
    name = name or found.match_id.hex()
    folder = data / "finished" / name[:2] if found.signed else data / "open"
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / f"{name}.azt"
    path.write_bytes(transcript)
    return path


# Rows ---------------------------------------------------------------------------------------

STATES = {"open": PLAYING, "void": VOID, "secret-lost": VOID, "aborted": ABORTED}


@pytest.mark.parametrize("name", GOLDEN)
def test_rows_of_kept_transcripts(name: str) -> None:
    """State, result and signature are those of the verifier."""
    row = row_of(GOLDEN[name])
    report = verify(reader.read(GOLDEN[name]))
    assert report.fold is not None
    info = row.info
    assert info.state == STATES.get(name, FINISHED)
    assert info.signed == (name != "open")
    assert row.match_id == report.match_id
    assert [seat.agent for seat in info.seats] == report.fold.setup.agents
    assert info.setup == report.fold.setup.message
    if report.result is not None:
        assert [seat.score for seat in info.seats] == [seat.score for seat in report.result.seats]
        ranks = [(seat.score, seat.rank) for seat in info.result.seats]
        assert ranks == [(seat.score, seat.rank) for seat in report.result.seats]
        assert [seat.out for seat in info.seats] == [s.out is not None for s in report.result.seats]
    if name != "open":
        assert row.ending is not None
        assert (row.ending.sequence, row.ending.utc_s) == (2, UTC_S)
        assert info.events == report.records


def test_a_row_in_full() -> None:
    """Names, details, numbers, as an organiser wrote them and agents said them."""
    fields: dict[str, Any] = {"event_id": "cup", "pairing": "A-B", "game_number": 3, "rated": True}
    scene = Scene("azul", 2, name="full", shares=[True, False], **fields)
    scene.join(0, name="Zoë")
    scene.abort()
    info, ending = row_of(scene.data())
    assert ending is not None
    assert (ending.sequence, ending.utc_s, ending.detail, ending.result) == (2, UTC_S, "rain", None)
    assert [(s.agent, s.name, s.joined) for s in info.seats] == [
        ("agent-0", "Zoë", True),
        ("agent-1", "", False),
    ]
    assert (info.state, info.detail, info.signed) == (ABORTED, "rain", True)
    setup = info.setup
    assert (setup.event_id, setup.pairing, setup.game_number, setup.rated) == (
        "cup",
        "A-B",
        3,
        True,
    )


def test_why_a_match_ended_can_be_asked(index: Index) -> None:
    """The reason stands in a column of its own."""
    for name in ("strikes", "double-fault", "void"):
        index.put(row_of(GOLDEN[name]))
    rows = index._fetch("SELECT reason FROM matches WHERE reason IS NOT NULL")
    assert sorted(reason_name(reason) for (reason,) in rows) == ["double_fault", "illegal_move"]


def test_a_match_that_goes_on_changes_its_row_only_when_it_starts_and_ends() -> None:
    """So the row that is written then is the one that the transcript gives at any time."""
    rows = [row_of(step) for step in steps(GOLDEN["azul-2-shares"])]
    different = [rows[0]]
    for row in rows:
        if row != different[-1]:
            different.append(row)
    states = [(row.info.state, row.info.signed) for row in different]
    assert states == [(OPEN, False), (PLAYING, False), (FINISHED, False), (FINISHED, True)]


def test_a_torn_transcript_gives_the_row_of_its_good_frames() -> None:
    """A crash in the middle of a write is nobody's mistake."""
    data = GOLDEN["azul-short"]
    last = list(steps(data))[-2]
    assert row_of(data[:-1]) == row_of(last)
    assert not row_of(data[:-1]).info.signed


def test_every_cut_gives_a_row_or_an_error() -> None:
    """Never anything else."""
    data = GOLDEN["azul-short"]
    first = len(next(steps(data)))
    for size in range(len(data)):
        if size < first:
            with pytest.raises(CannotIndex):
                row_of(data[:size])
        elif not size % 5:
            assert row_of(data[:size]).info.state


def _no_seats(frames: Frames) -> None:
    setup = setup_pb2.Setup.FromString(frames[0][0].setup)
    del setup.seats[:]
    frames[0][0].setup = setup.SerializeToString()


def _late(frames: Frames) -> None:
    records_of(frames, "game_over")[0].game_over.sequence = 2**63


def _wrong_score(frames: Frames) -> None:
    records_of(frames, "game_over")[0].game_over.seats[0].score += 1


def _no_commit(frames: Frames) -> None:
    del frames[1]


def _swapped_moves(frames: Frames) -> None:
    moves = records_of(frames, "move")
    moves[0].move.seat, moves[1].move.seat = moves[1].move.seat, moves[0].move.seat


def _other_name(frames: Frames) -> None:
    records_of(frames, "joined")[0].joined.name = "another"


def _key_beside(frames: Frames) -> None:
    # The signature itself stays right: it is not over the frame in which it stands.
    records_of(frames, "signature")[0].signature.public_key = OTHER_KEY.public


SHORT = GOLDEN["azul-short"]
BROKEN: dict[str, tuple[bytes, str]] = {
    "empty": (b"", "before its set-up"),
    "no transcript": (b"PNG" * 30, "does not begin like a transcript"),
    "header alone": (SHORT[: azt.HEADER_BYTES], "before its set-up"),
    "changed byte": (SHORT[:200] + bytes([SHORT[200] ^ 1]) + SHORT[201:], "damaged at frame"),
    "something behind it": (SHORT + b"x", "damaged at frame"),
    "no seats": (forged(SHORT, _no_seats), "cannot be followed at frame 0"),
    "no commitment": (forged(SHORT, _no_commit), "cannot be followed at frame 1"),
    "moves of other seats": (forged(SHORT, _swapped_moves), "cannot be followed"),
    "another score": (forged(SHORT, _wrong_score), "its events come to score"),
    "beyond all numbers": (forged(SHORT, _late), "place in the order"),
    "another key": (forged(SHORT, lambda _: None, OTHER_KEY), "signature"),
    "another key beside a right signature": (forged(SHORT, _key_beside, None), "signature"),
    "an old signature": (forged(SHORT, _other_name, None), "signature"),
}


@pytest.mark.parametrize(("data", "problem"), BROKEN.values(), ids=BROKEN)
def test_broken_transcripts_give_no_row(data: bytes, problem: str) -> None:
    """But an error that says what is wrong."""
    with pytest.raises(CannotIndex, match=problem):
        row_of(data)


# Looking up ---------------------------------------------------------------------------------


@pytest.mark.parametrize("name", GOLDEN)
def test_what_is_put_can_be_had(index: Index, name: str) -> None:
    """Whole, and once however often it is put."""
    row = row_of(GOLDEN[name])
    index.put(row)
    index.put(row)
    assert index.get(row.match_id) == row
    assert index.page().rows == [row]
    assert index.get(bytes(16)) is None


def test_a_row_is_replaced(index: Index) -> None:
    """By what the match has come to."""
    first, *_, last = steps(SHORT)
    index.put(row_of(first))
    index.put(row_of(last))
    assert [row.info.state for row in index.page().rows] == [FINISHED]


def test_requests_lead_to_their_match(index: Index) -> None:
    """The first that was made; an empty id to none."""
    for number, request in enumerate(["b", "", "a", "a"], 1):
        index.put(listed(number, request_id=request))
    assert index.find_request("a") == listed(3).match_id
    assert index.find_request("b") == listed(1).match_id
    assert index.find_request("") is None
    assert index.find_request("c") is None


def test_the_highest_place_of_all(index: Index) -> None:
    """Of those that were made and those that ended."""
    assert index.highest_sequence() == 0
    index.put(row_of(SHORT))
    assert index.highest_sequence() == 2
    index.put(listed(7))
    assert index.highest_sequence() == 7


def sequences(rows: list[Row]) -> list[int]:
    """Return the places of rows."""
    return [row.sequence for row in rows]


def walk(index: Index, size: int, **filters: Any) -> list[list[int]]:
    """Return all pages."""
    pages, token = [], ""
    while True:
        rows, token = index.page(size, token, **filters)
        pages.append(sequences(rows))
        if not token:
            return pages


def filled(index: Index) -> None:
    """Put ten matches, every third of an event, every second in play."""
    for number in range(1, 11):
        row = listed(number, event_id="" if number % 3 else "cup")
        row.info.state = OPEN if number % 2 else PLAYING
        index.put(row)


@pytest.mark.parametrize(
    ("size", "filters", "expected"),
    [
        (4, {}, [[10, 9, 8, 7], [6, 5, 4, 3], [2, 1]]),
        (5, {}, [[10, 9, 8, 7, 6], [5, 4, 3, 2, 1]]),
        (2, {"state": PLAYING}, [[10, 8], [6, 4], [2]]),
        (2, {"event_id": "cup"}, [[9, 6], [3]]),
        (1, {"event_id": "cup", "state": OPEN}, [[9], [3]]),
        (1, {"event_id": "cu"}, [[]]),
        (1, {"event_id": "' OR 1=1 --"}, [[]]),
        (9, {"state": 99}, [[]]),
    ],
    ids=map(str, range(8)),
)
def test_pages(index: Index, size: int, filters: dict[str, Any], expected: list[list[int]]) -> None:
    """The newest first, all of them, none twice."""
    filled(index)
    assert walk(index, size, **filters) == expected


def test_pages_keep_their_place(index: Index) -> None:
    """A match that is made in the meantime shifts nothing; equal places are all shown."""
    filled(index)
    rows, token = index.page(4)
    index.put(listed(11))
    assert sequences(index.page(4, token).rows) == [6, 5, 4, 3]
    for word in ("a", "b"):
        index.put(Row(pb.MatchInfo(match_id=bytes_of(word, size=16).hex()), None))
    assert walk(index, 1, state=0)[-2:] == [[0], [0]]
    assert len(rows) == 4


def test_sizes_of_pages(index: Index) -> None:
    """0 means 50, and 200 are the most."""
    index.put_all(listed(number) for number in range(1, 252))
    sizes = [len(index.page(size).rows) for size in (0, 1, 200, 201, 2**32 - 1)]
    assert sizes == [50, 1, 200, 200, 200]


def test_page_tokens_of_strangers(index: Index) -> None:
    """Garbage, and tokens of another list, are refused."""
    filled(index)
    token = index.page(2).next_token
    assert index.page(2, token).rows
    for wrong in ("x", token + "A", token[:-1], token + "=", "A" * 39, "é" * 39, "A" * 10_000_000):
        with pytest.raises(BadPageToken):
            index.page(2, wrong)
    beyond = _page_token(2**63, bytes(16), crc32(b"0 "))
    with pytest.raises(BadPageToken):
        index.page(2, beyond)
    for filters in ({"state": OPEN}, {"event_id": "cup"}):
        with pytest.raises(BadPageToken):
            index.page(2, token, **filters)


@pytest.mark.parametrize(
    ("filters", "used"),
    [({}, "by_sequence"), ({"state": OPEN}, "by_state"), ({"event_id": "cup"}, "by_event")],
    ids=["all", "state", "event"],
)
def test_pages_sort_nothing(index: Index, filters: dict[str, Any], used: str) -> None:
    """Each list has its index, or a long list would be slow."""
    filled(index)
    statements: list[str] = []
    index._connection.set_trace_callback(statements.append)
    index.page(2, index.page(2, **filters).next_token, **filters)
    index._connection.set_trace_callback(None)
    for statement in statements:
        plan = index._connection.execute(f"EXPLAIN QUERY PLAN {statement}").fetchall()
        assert [used in row[3] and "TEMP" not in row[3] for row in plan] == [True]


# Making it anew -----------------------------------------------------------------------------


def test_a_rebuilt_index_is_the_one_that_was_kept(data: Path, index: Index) -> None:
    """Row by row, whatever became of the matches."""
    transcripts = [*GOLDEN.values(), *(simulated(game) for game in range(5))]
    transcripts.append(Scene("duel", 2, name="waiting").data())
    for transcript in transcripts:
        last = None
        for step in steps(transcript):
            row = row_of(step)
            # As a host does it: when a match is made, starts, ends and is signed.
            if last is None or (row.info.state, row.info.signed) != last:
                index.put(row)
                last = row.info.state, row.info.signed
        keep(data, transcript)
    kept = index.canonical_dump()
    index.close()
    assert rebuild(data) == (len(transcripts), [])
    with Index(data / "index.db") as again:
        assert again.canonical_dump() == kept
        assert reconcile(again, data)[1:] == (0, [])
        assert again.canonical_dump() == kept
    assert len(kept.splitlines()) == len(transcripts)


def test_the_dump_is_sorted_text(index: Index) -> None:
    """A line of JSON per match, whatever the order in which they came."""
    rows = [row_of(GOLDEN[name]) for name in ("void", "azul-2", "open")]
    index.put_all(rows)
    dump = index.canonical_dump()
    lines = [json.loads(line) for line in dump.splitlines()]
    assert [line["match_id"] for line in lines] == sorted(row.info.match_id for row in rows)
    assert all(list(line) == sorted(line) for line in lines)
    for row in reversed(rows):
        index.drop(row.match_id)
        index.put(row)
    assert index.canonical_dump() == dump
    index.drop(rows[0].match_id)
    assert index.canonical_dump() != dump


def test_files_that_cannot_be_read_are_named(data: Path) -> None:
    """All others are indexed nevertheless."""
    good = keep(data, SHORT)
    broken = keep(data, SHORT, "ab" * 16)
    strange = keep(data, SHORT, "ab" + "x" * 30)
    elsewhere = data / "finished" / "cd" / good.name
    elsewhere.parent.mkdir()
    elsewhere.write_bytes(SHORT)
    empty = data / "open" / f"{'ef' * 16}.azt"
    empty.parent.mkdir()
    empty.write_bytes(b"")
    pipe = data / "open" / f"{'01' * 16}.azt"
    os.mkfifo(pipe)
    (data / "open" / "note.txt").write_bytes(b"not ours")
    (data / "finished" / "file").write_bytes(b"no folder")
    matches, problems = rebuild(data)
    assert matches == 1
    assert {path: problem.split(":")[0] for path, problem in problems} == {
        broken: f"it is the transcript of match {good.stem}",
        strange: "its name is not the id of a match",
        elsewhere: "it does not belong into the folder cd",
        empty: "it ends before its set-up",
        pipe: "it is no file",
        data / "finished" / "file": "Not a directory",
    }


def test_a_match_in_both_places_is_finished(data: Path) -> None:
    """A crash may leave the open file behind."""
    finished = keep(data, SHORT)
    (data / "open").mkdir()
    (data / "open" / finished.name).write_bytes(SHORT[:-1])
    assert rebuild(data) == (1, [])
    with Index(data / "index.db") as index:
        assert index.page().rows[0].info.signed


def test_a_data_directory_without_matches_has_an_empty_index(data: Path) -> None:
    """The folders need not be there."""
    assert rebuild(data) == (0, [])
    with Index(data / "index.db") as index:
        assert index.canonical_dump() == ""


def test_nothing_of_the_old_index_is_left(data: Path) -> None:
    """Not even a journal of a process that was killed, nor half of an index that was begun."""
    index = Index(data / "index.db")
    index.put(listed(1))
    assert (data / "index.db-wal").exists()
    (data / "index.db.new").write_bytes(b"half of one")
    keep(data, SHORT)
    rebuild(data)
    assert {file.name for file in data.iterdir()} == {"index.db", "finished"}
    with Index(data / "index.db") as again:
        assert sequences(again.page().rows) == [1]
        assert again.page().rows[0].info.signed
    index.close()


def _garbage(path: Path) -> None:
    path.write_bytes(b"no database at all" * 100)


def _newer(path: Path) -> None:
    with sqlite3.connect(path) as connection:
        connection.execute("PRAGMA user_version = 99")
    connection.close()


def _other(path: Path) -> None:
    path.unlink()
    with sqlite3.connect(path) as connection:
        connection.execute("CREATE TABLE notes (text)")
    connection.close()
    path.chmod(0o600)


def _damaged(path: Path) -> None:
    content = bytearray(path.read_bytes())
    content[4096:] = bytes(len(content) - 4096)
    path.write_bytes(content)


def _shared(path: Path) -> None:
    path.chmod(0o644)


@pytest.mark.parametrize(
    "spoil",
    [_garbage, _newer, _other, _damaged, _shared, Path.unlink],
    ids=["garbage", "newer", "of something else", "damaged", "readable to all", "missing"],
)
def test_an_index_that_cannot_be_used_is_made_anew(
    data: Path, spoil: Callable[[Path], None]
) -> None:
    """Whatever is wrong with it: it is a cache."""
    keep(data, SHORT)
    rebuild(data)
    index, rebuilt = open_or_rebuild(data)
    assert rebuilt is None
    dump = index.canonical_dump()
    index.close()
    spoil(data / "index.db")
    index, rebuilt = open_or_rebuild(data)
    assert rebuilt == (1, [])
    assert index.canonical_dump() == dump
    index.close()


def test_a_crash_costs_no_row(data: Path, index: Index) -> None:
    """What is missing is read, what is there is not read again, what is gone is dropped."""
    known, ended, new = (simulated(game) for game in range(3))
    paths = [keep(data, transcript) for transcript in (known, ended, new)]
    going_on = keep(data, GOLDEN["open"])
    broken = keep(data, SHORT, "ab" * 16)
    index.put(row_of(known))
    index.put(row_of(next(steps(ended))))
    index.put(listed(99))
    paths[0].write_bytes(b"never read again")
    written, dropped, problems = reconcile(index, data)
    assert (written, dropped, [path for path, _ in problems]) == (3, 1, [broken])
    assert index.ids() == {bytes.fromhex(path.stem) for path in (*paths, going_on)}
    assert index.ids(signed_only=True) == {bytes.fromhex(path.stem) for path in paths}


def test_a_disk_that_fails_is_said(data: Path) -> None:
    """A data directory that is a file cannot have an index."""
    (data / "file").write_bytes(b"")
    with pytest.raises(DatabaseError, match="Not a directory"):
        rebuild(data / "file")


def test_records_that_end_nothing_have_no_ending() -> None:
    """A move, for one."""
    assert ending_of(record_pb2.Record(started=record_pb2.Started())) is None
