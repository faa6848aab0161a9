"""The grammar of claims: texts and JSON say the same, and what is neither is refused."""

import json
from typing import Any

import pytest

from referee.transcript.dispute import claims
from referee.transcript.dispute.claims import Claim, parse_claim, read_claim, read_claims
from referee.transcript.errors import BadClaim

FORMS: dict[str, dict[str, Any]] = {
    "refused 57": {"claim": "refused", "event": 57},
    "refused 17.2": {"claim": "refused", "turn": 17, "attempt": 2},
    "accepted 0": {"claim": "accepted", "event": 0},
    "accepted 9.0": {"claim": "accepted", "turn": 9, "attempt": 0},
    "score 0=41": {"claim": "score", "seat": 0, "score": 41},
    "score 1=7 round 3": {"claim": "score", "seat": 1, "score": 7, "round": 3},
    "bonus 0:columns=14": {"claim": "bonus", "seat": 0, "bonus": "columns", "points": 14},
    "bonus 1:empty_specials=-6": {
        "claim": "bonus",
        "seat": 1,
        "bonus": "empty_specials",
        "points": -6,
    },
    "rank 3=2": {"claim": "rank", "seat": 3, "rank": 2},
    "winner 1": {"claim": "winner", "seats": [1]},
    "winner 0,2": {"claim": "winner", "seats": [0, 2]},
    "winner none": {"claim": "winner", "seats": []},
    "tiles": {"claim": "tiles"},
    "tiles 4": {"claim": "tiles", "round": 4},
    "time 1": {"claim": "time", "seat": 1},
    "out 2": {"claim": "out", "seat": 2},
    "altered": {"claim": "altered"},
    "anything": {"claim": "anything"},
}


@pytest.mark.parametrize("text", FORMS)
def test_texts_and_objects_say_the_same(text: str) -> None:
    """Each form has the other, and both give the same claim."""
    claim = parse_claim(text)
    assert claim.text == text
    assert claim.as_object() == FORMS[text]
    assert read_claim(FORMS[text]) == read_claim(text) == claim


def test_every_claim_has_a_form() -> None:
    """The table above misses no kind of claim."""
    assert {text.split()[0] for text in FORMS} == set(claims.KINDS)


def test_winners_have_no_order() -> None:
    """Seats that share a victory may be named in any order."""
    assert parse_claim("winner 2,0") == parse_claim("winner 0,2")


@pytest.mark.parametrize(
    "text",
    [
        "", " ", "refused", "refused x", "refused -1", "refused 1.", "refused 1.2.3", "refused 01",
        "refused \u0661", "accepted 1 2", "score 0", "score 0=", "score 0=-1", "score 0=1 round",
        "score 0=1 runde 2", "bonus 0=1", "bonus 0:=1", "bonus 0:Rows=1", "bonus 0:rows", "rank 0",
        "winner", "winner nobody", "winner 0,", "winner 0,0", "tiles x", "time", "out",
        "altered 1", "anything else", "Winner 1", "9999999999", "refused 9999999999",
        "score 0=1\nround 2", "x" * 5000,
    ],
)  # fmt: skip
def test_texts_that_are_no_claim(text: str) -> None:
    """They are refused in one short line."""
    with pytest.raises(BadClaim) as error:
        parse_claim(text)
    assert len(str(error.value)) < 250
    assert str(error.value).isprintable()


@pytest.mark.parametrize(
    "given",
    [
        None, 1, [], {}, {"claim": 1}, {"claim": "no"}, {"claim": "winner"},
        {"claim": "winner", "seats": 1}, {"claim": "winner", "seats": [True]},
        {"claim": "winner", "seats": [1, 1]}, {"claim": "winner", "seats": [[]]},
        {"claim": "score", "seat": 0}, {"claim": "score", "seat": 0, "score": 1.5},
        {"claim": "score", "seat": 0, "score": 1, "round": None},
        {"claim": "score", "seat": True, "score": 1}, {"claim": "score", "seat": -1, "score": 1},
        {"claim": "score", "seat": 10**30, "score": 1}, {"claim": "tiles", "extra": 1},
        {"claim": "refused"}, {"claim": "refused", "event": 1, "turn": 1, "attempt": 1},
        {"claim": "refused", "turn": 1}, {"claim": "bonus", "seat": 0, "bonus": 3, "points": 1},
        {"claim": "bonus", "seat": 0, "bonus": "a\u0007", "points": 1},
        {"claim": "altered", "kind": 1}, {"claim": "out", "seat": "1"},
    ],
)  # fmt: skip
def test_objects_that_are_no_claim(given: object) -> None:
    """Fields that are missing, too many or of another type are refused in one line."""
    with pytest.raises(BadClaim) as error:
        read_claim(given)
    assert str(error.value).isprintable()


def test_several_claims_at_once() -> None:
    """JSON holds one claim or a list of texts and objects."""
    given = ["winner 1", {"claim": "tiles", "round": 2}]
    expected: list[Claim] = [parse_claim("winner 1"), parse_claim("tiles 2")]
    assert read_claims(json.dumps(given).encode()) == expected
    assert read_claims(b'{"claim": "anything"}') == [parse_claim("anything")]
    assert read_claims(b'"anything"') == [parse_claim("anything")]


@pytest.mark.parametrize(
    "data",
    [
        b"", b"winner 1", b"[]", b"{", b"\xff", b"[" * 100_000, b"[[]]", b"NaN",
        json.dumps(["altered"] * 1001).encode(), b'"altered"' + b" " * (1 << 20),
    ],
    ids=list("abcdefghij"),
)  # fmt: skip
def test_json_that_holds_no_claims(data: bytes) -> None:
    """What is no JSON, or none of claims, or too much, is refused."""
    with pytest.raises(BadClaim):
        read_claims(data)
