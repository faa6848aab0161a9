"""The published values of docs/vectors/transcripts.json, by the code that a referee runs."""

import json
from typing import Any

import pytest

from referee.rules import parse_position
from referee.transcript import format as azt
from referee.transcript.digest import digest
from referee.transcript.signing import SigningKey, is_signed
from tests.transcript.write_vectors import FILE, vectors

KEPT: dict[str, Any] = json.loads(FILE.read_text())


def test_the_file_is_what_the_page_gives() -> None:
    """Written again, by the rule spelled out, the file comes out the same."""
    assert vectors() == KEPT


def test_heads_and_links() -> None:
    """The chain of the vectors is the one that transcripts are written with."""
    first, *rows = KEPT["frames"]
    match_id = bytes.fromhex(first["match_id"])
    link = azt.genesis(match_id)
    assert link.hex() == first["genesis"]
    for row in rows:
        body = bytes.fromhex(row["body"])
        data, link = azt.frame(match_id, row["index"], link, body)
        assert data.hex() == row["head"] + row["body"] + row["link"]
        assert link.hex() == row["link"]


def test_the_signature() -> None:
    """The bytes that are signed, and the signature, are those of the vectors."""
    row = KEPT["signature"]
    first, *_, last = KEPT["frames"]
    match_id, link = bytes.fromhex(first["match_id"]), bytes.fromhex(last["link"])
    assert azt.signed_bytes(match_id, row["index"], link).hex() == row["pae"]
    key = SigningKey.from_seed(bytes.fromhex(row["private_key"]))
    assert key.public.hex() == row["public_key"]
    made = key.sign(match_id, row["index"], link)
    assert made.hex() == row["signature"]
    assert is_signed(key.public, made, match_id, row["index"], link)
    assert not is_signed(key.public, made, match_id, row["index"] + 1, link)


@pytest.mark.parametrize("row", KEPT["positions"], ids=lambda row: row["position"].split("/")[0])
def test_layouts_of_positions(row: dict[str, str]) -> None:
    """A position has the layout that the vectors show, whoever reads it from notation."""
    position = parse_position(row["position"])
    assert position.layout().hex() == row["layout"]
    assert digest(position).hex() == row["digest"]
