"""Debug logs: what agents say, harmless and with an end."""

from pathlib import Path

from referee.service.storage.debuglog import FULL, MAX_BYTES, DebugLog

ID = b"m" * 16


def test_lines_are_kept_by_match_and_seat(tmp_path: Path) -> None:
    """Every seat has its own file, and a restart goes on at its end."""
    log = DebugLog(tmp_path)
    log.append(ID, 0, "thinking")
    log.append(ID, 1, "two\nlines")
    log.close_match(ID)
    DebugLog(tmp_path).append(ID, 0, "more")
    assert (tmp_path / ID.hex() / "0.log").read_bytes() == b"thinking\nmore\n"
    assert log.read(ID, 1) == b"two\nlines\n"
    assert log.read(ID, 2) == b""


def test_control_characters_are_escaped(tmp_path: Path) -> None:
    """Escapes, carriage returns, surrogates and bidi marks reach no file."""
    log = DebugLog(tmp_path)
    log.append(ID, 0, "\x1b[2J\rfake\u202e\ud800 \u00e9")
    assert log.read(ID, 0).decode() == "\\u001b[2J\\u000dfake\\u202e\\ud800 \u00e9\n"


def test_a_full_log_says_so_once(tmp_path: Path) -> None:
    """A log ends with one line that says that it is full, also after a restart."""
    log = DebugLog(tmp_path)
    for _ in range(3):
        log.append(ID, 0, "x" * (MAX_BYTES // 2))
    log.append(ID, 0, "y")
    DebugLog(tmp_path).append(ID, 0, "z")
    data = log.read(ID, 0)
    assert len(data) <= MAX_BYTES
    assert data == b"x" * (MAX_BYTES // 2) + b"\n" + FULL
