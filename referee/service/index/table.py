"""The database of the index: rows in, pages out.

Matches are listed by the place of their creation, the newest first; a page begins after the
last match of the one before it, so that matches made in the meantime shift nothing.
"""

import base64
import binascii
import json
import struct
from collections.abc import Iterable
from pathlib import Path
from typing import Any, Final, NamedTuple, Self
from zlib import crc32

from google.protobuf.json_format import MessageToDict

from referee.draws import MATCH_ID_BYTES
from referee.rules.errors import RefereeError
from referee.service import database
from referee.service.database import readable, transaction
from referee.service.index.row import MAX_SEQUENCE, Ending, Row
from referee.v1 import match_pb2 as pb

FILE: Final = "index.db"
DEFAULT_PAGE: Final = 50
MAX_PAGE: Final = 200
SCHEMA: Final = database.Schema(
    application_id=0x417A4978,
    user_version=1,
    # A cache may lose its last moments: they are mended from the transcripts.
    synchronous="NORMAL",
    statements=(
        """CREATE TABLE matches (
            match_id BLOB PRIMARY KEY CHECK (length(match_id) = 16),
            sequence INTEGER NOT NULL,
            ended_sequence INTEGER,
            state INTEGER NOT NULL,
            signed INTEGER NOT NULL,
            ruleset TEXT NOT NULL,
            seats INTEGER NOT NULL,
            rated INTEGER NOT NULL,
            event_id TEXT NOT NULL,
            pairing TEXT NOT NULL,
            game_number INTEGER NOT NULL,
            request_id TEXT NOT NULL,
            created_utc_s INTEGER NOT NULL,
            ended_utc_s INTEGER,
            reason INTEGER,
            info BLOB NOT NULL
        ) STRICT""",
        "CREATE INDEX by_sequence ON matches (sequence, match_id)",
        "CREATE INDEX by_state ON matches (state, sequence, match_id)",
        "CREATE INDEX by_event ON matches (event_id, sequence, match_id) WHERE event_id <> ''",
        "CREATE INDEX by_request ON matches (request_id, sequence) WHERE request_id <> ''",
        "CREATE INDEX by_end ON matches (ended_sequence)",
    ),
)
_PUT: Final = """INSERT OR REPLACE INTO matches VALUES (
    :match_id, :sequence, :ended_sequence, :state, :signed, :ruleset, :seats, :rated, :event_id,
    :pairing, :game_number, :request_id, :created_utc_s, :ended_utc_s, :reason, :info
)"""
# Version, sequence and id of the last match shown, and a check of what was asked for.
_PAGE_TOKEN: Final = struct.Struct(f">BQ{MATCH_ID_BYTES}sI")
_PAGE_VERSION: Final = 1
_MAX_PAGE_TOKEN: Final = 64


class BadPageToken(RefereeError):
    """A page token that this index has not given, or not for these matches."""

    def __init__(self) -> None:
        super().__init__("page_token: it is not one of this list; begin anew with an empty one")


class Page(NamedTuple):
    """Some matches, and what asks for those that follow; empty if there are none."""

    rows: list[Row]
    next_token: str


class Index:
    """The open index; each thread needs one of its own."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._connection = database.connect(path, SCHEMA)

    def close(self) -> None:
        """Leave the file."""
        self._connection.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    # Writing ---------------------------------------------------------------------------------

    def put(self, row: Row) -> None:
        """Write the row of a match, in place of the one that is there."""
        self.put_all([row])

    def put_all(self, rows: Iterable[Row]) -> int:
        """Write many rows, all or none, and return how many they were."""
        number = 0
        with readable(self.path), transaction(self._connection):
            for row in rows:
                self._connection.execute(_PUT, _columns(row))
                number += 1
        return number

    def drop(self, match_id: bytes) -> None:
        """Forget a match."""
        with readable(self.path):
            self._connection.execute("DELETE FROM matches WHERE match_id = ?", (match_id,))

    # Looking up ------------------------------------------------------------------------------

    def get(self, match_id: bytes) -> Row | None:
        """Return the row of a match."""
        rows = self._select("WHERE match_id = ?", (match_id,))
        return rows[0] if rows else None

    def find_request(self, request_id: str) -> bytes | None:
        """Return the match that a request made; None for an id that is new or empty."""
        if not request_id:
            return None
        rows = self._fetch(
            "SELECT match_id FROM matches WHERE request_id = ? AND request_id <> ''"
            " ORDER BY sequence LIMIT 1",
            (request_id,),
        )
        return rows[0][0] if rows else None

    def highest_sequence(self) -> int:
        """Return the highest place that any match was given, 0 if there is none."""
        rows = self._fetch("SELECT max(sequence) FROM matches")
        rows += self._fetch("SELECT max(ended_sequence) FROM matches")
        return max(highest or 0 for (highest,) in rows)

    def ids(self, *, signed_only: bool = False) -> set[bytes]:
        """Return the ids of all matches, or of those that are signed."""
        rows = self._fetch("SELECT match_id FROM matches WHERE signed OR NOT ?", (signed_only,))
        return {match_id for (match_id,) in rows}

    def page(self, size: int = 0, token: str = "", *, state: int = 0, event_id: str = "") -> Page:
        """Return a page of matches, the newest first; 0 and "" stand for all of them.

        Raises `BadPageToken` for a token that was not given for the same matches.
        """
        size = min(size, MAX_PAGE) if size > 0 else DEFAULT_PAGE
        asked = crc32(f"{state} {event_id}".encode())
        conditions: list[str] = []
        values: list[Any] = []
        if token:
            conditions.append("(sequence, match_id) < (?, ?)")
            values += _open_page_token(token, asked)
        if state:
            conditions.append("state = ?")
            values.append(state)
        if event_id:
            conditions.append("event_id = ? AND event_id <> ''")
            values.append(event_id)
        where = f"WHERE {' AND '.join(conditions)} " if conditions else ""
        order = f"{where}ORDER BY sequence DESC, match_id DESC LIMIT ?"
        # One more than is shown tells whether there are more.
        rows = self._select(order, (*values, size + 1))
        if len(rows) <= size:
            return Page(rows, "")
        last = rows[size - 1]
        return Page(rows[:size], _page_token(last.sequence, last.match_id, asked))

    def canonical_dump(self) -> str:
        """Return everything as text, a line per match by its id: equal text, equal index."""
        names = list(_columns(_EMPTY))
        lines = []
        for values in self._fetch("SELECT * FROM matches ORDER BY match_id"):
            line: dict[str, Any] = dict(zip(names, values, strict=True))
            line["match_id"] = line["match_id"].hex()
            info = pb.MatchInfo.FromString(line["info"])
            line["info"] = MessageToDict(info, preserving_proto_field_name=True)
            lines.append(json.dumps(line, sort_keys=True) + "\n")
        return "".join(lines)

    def is_sound(self) -> bool:
        """Return whether the file holds together; this reads all of it."""
        return self._fetch("PRAGMA quick_check(1)") == [("ok",)]

    def _select(self, clause: str, values: tuple[Any, ...]) -> list[Row]:
        # No text of a stranger stands in the clause: values are handed over apart from it.
        statement = f"SELECT info, ended_sequence, ended_utc_s FROM matches {clause}"  # noqa: S608
        return [_row(*columns) for columns in self._fetch(statement, values)]

    def _fetch(self, statement: str, values: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
        with readable(self.path):
            return self._connection.execute(statement, values).fetchall()


def _columns(row: Row) -> dict[str, Any]:
    """Return what the table holds of a row, in the order of its columns."""
    info, ending = row
    setup = info.setup
    finished = info.HasField("result")
    return {
        "match_id": row.match_id,
        "sequence": setup.sequence,
        "ended_sequence": None if ending is None else ending.sequence,
        "state": info.state,
        "signed": int(info.signed),
        "ruleset": setup.ruleset,
        "seats": len(setup.seats),
        "rated": int(setup.rated),
        "event_id": setup.event_id,
        "pairing": setup.pairing,
        "game_number": setup.game_number,
        "request_id": setup.request_id,
        "created_utc_s": setup.created_utc_s,
        "ended_utc_s": None if ending is None else ending.utc_s,
        "reason": info.result.reason if finished else None,
        "info": info.SerializeToString(deterministic=True),
    }


_EMPTY: Final = Row(pb.MatchInfo(), None)


def _row(data: bytes, sequence: int | None, utc_s: int | None) -> Row:
    info = pb.MatchInfo.FromString(data)
    if sequence is None or utc_s is None:
        return Row(info, None)
    result = info.result if info.HasField("result") else None
    return Row(info, Ending(sequence, utc_s, info.detail, result))


def _page_token(sequence: int, match_id: bytes, asked: int) -> str:
    data = _PAGE_TOKEN.pack(_PAGE_VERSION, sequence, match_id, asked)
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode("ascii")


def _open_page_token(token: str, asked: int) -> tuple[int, bytes]:
    if len(token) > _MAX_PAGE_TOKEN or not token.isascii():
        raise BadPageToken
    try:
        data = base64.urlsafe_b64decode(token + "=" * (-len(token) % 4))
        _, sequence, match_id, _ = _PAGE_TOKEN.unpack(data)
    except (binascii.Error, struct.error):
        raise BadPageToken from None
    # It must be the very token that would be given there for what is asked now.
    if token != _page_token(sequence, match_id, asked) or sequence > MAX_SEQUENCE:
        raise BadPageToken
    return sequence, match_id
