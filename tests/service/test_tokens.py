"""Tokens as text: what is made can be read, and nothing else can."""

import base64
import hashlib
import hmac

import pytest
from hypothesis import given
from hypothesis import strategies as st

from referee.draws import DrawsError
from referee.service import tokens

KEY = bytes(range(32))
OTHER_KEY = bytes(range(1, 33))
MATCH = bytes(range(100, 116))
SECRET = bytes(range(200, 232))
ORGANISER = tokens.bearer_text(tokens.ORGANISER_PREFIX, SECRET)
AGENT = tokens.bearer_text(tokens.AGENT_PREFIX, SECRET)
SEAT = tokens.make_seat_token(KEY, MATCH, 1)


def base64url(data: bytes) -> str:
    """Return bytes as tokens write them."""
    return base64.urlsafe_b64encode(data).decode().rstrip("=")


def test_a_seat_token_is_what_the_design_says() -> None:
    """Match, seat and a MAC over both, under the token key."""
    named = MATCH + b"\x01"
    mac = hmac.new(KEY, b"azul-referee/1/seat-token\x00" + named, hashlib.sha256).digest()
    assert "azs_" + base64url(named + mac) == SEAT


@pytest.mark.parametrize("seat", [0, 1, 3, 255])
def test_seat_tokens_open_to_what_they_were_made_for(seat: int) -> None:
    """And the same seat always has the same token."""
    text = tokens.make_seat_token(KEY, MATCH, seat)
    assert tokens.open_seat_token(KEY, text) == (MATCH, seat)
    assert tokens.make_seat_token(KEY, MATCH, seat) == text


def test_bearers_are_what_the_design_says() -> None:
    """32 bytes after a prefix; the hash is over the whole text."""
    assert ("azo_" + base64url(SECRET), "aza_" + base64url(SECRET)) == (ORGANISER, AGENT)
    for text in (ORGANISER, AGENT):
        assert tokens.bearer_hash(text) == hashlib.sha256(text.encode()).digest()


@pytest.mark.parametrize(
    ("key", "match_id", "seat"),
    [(KEY[:31], MATCH, 0), (KEY, MATCH[:15], 0), (KEY, MATCH, 256), (KEY, MATCH, -1)],
    ids=["short key", "short id", "seat 256", "seat -1"],
)
def test_tokens_of_no_seat_cannot_be_made(key: bytes, match_id: bytes, seat: int) -> None:
    """That would be a mistake of ours."""
    with pytest.raises(DrawsError):
        tokens.make_seat_token(key, match_id, seat)


def last_digit_changed(text: str) -> str:
    """Return another spelling of the same bytes: bits that no byte uses are set."""
    digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"
    return text[:-1] + digits[digits.index(text[-1]) + 1]


GARBAGE = {
    "empty": "",
    "prefix": "azs_",
    "huge": "azs_" + "A" * 10_000_000,
    "no prefix": SEAT[4:],
    "another prefix": "azo_" + SEAT[4:],
    "upper-case prefix": "AZS_" + SEAT[4:],
    "shorter": SEAT[:-1],
    "longer": SEAT + "A",
    "padded": SEAT + "==",
    "another spelling": last_digit_changed(SEAT),
    "space before": " " + SEAT,
    "space within": SEAT[:-2] + " " + SEAT[-1],
    "line break": SEAT[:-1] + "\n",
    "plus and slash": "azs_" + "+/" * 33,
    "NUL": SEAT[:-1] + "\0",
    "not ASCII": SEAT[:-1] + "é",
    "digits of another script": SEAT[:-1] + "\u0663",
    "surrogate": SEAT[:-1] + "\udc80",
    "bytes": SEAT.encode(),
    "none": None,
    "number": 7,
}


@pytest.mark.parametrize("text", GARBAGE.values(), ids=GARBAGE)
def test_garbage_is_no_seat_token(text: object) -> None:
    """And never raises anything."""
    assert tokens.open_seat_token(KEY, text) is None


@pytest.mark.parametrize("text", GARBAGE.values(), ids=GARBAGE)
def test_garbage_is_no_bearer(text: object) -> None:
    """The same for both other kinds, each with its own length."""
    for good in (ORGANISER, AGENT):
        changed = text.replace(SEAT[4:], good[4:]) if isinstance(text, str) else text
        if changed not in (ORGANISER, AGENT):
            assert tokens.bearer_hash(changed) is None


@pytest.mark.parametrize("good", [ORGANISER, AGENT], ids=["organiser", "agent"])
def test_a_bearer_has_one_spelling(good: str) -> None:
    """Every change of form makes it none."""
    longer = good[:4] + base64url(SECRET + b"x")
    shorter = good[:4] + base64url(SECRET[1:])
    other = (last_digit_changed(good), good + "=", good[:-1], " " + good, good.upper())
    for changed in (longer, shorter, *other):
        assert tokens.bearer_hash(changed) is None


def test_a_seat_token_is_no_bearer() -> None:
    """Whoever has a seat does not have an agent's rights."""
    assert tokens.bearer_hash(SEAT) is None


def test_every_changed_bit_makes_another_token() -> None:
    """Of match, seat or MAC: nothing of it opens."""
    data = base64.urlsafe_b64decode(SEAT[4:] + "==")
    for bit in range(8 * len(data)):
        changed = bytearray(data)
        changed[bit // 8] ^= 1 << bit % 8
        assert tokens.open_seat_token(KEY, "azs_" + base64url(bytes(changed))) is None


def test_a_token_of_another_referee_opens_nothing() -> None:
    """The key decides."""
    assert tokens.open_seat_token(OTHER_KEY, SEAT) is None


@given(st.text(max_size=80))
def test_no_text_raises(text: str) -> None:
    """Whatever a stranger sends is a token or none."""
    assert tokens.open_seat_token(KEY, "azs_" + text) is None
    tokens.bearer_hash("azo_" + text)


@pytest.mark.parametrize("token", [ORGANISER, AGENT, SEAT], ids=["organiser", "agent", "seat"])
@pytest.mark.parametrize(
    "line",
    ["{}", "Bearer {}", "b'{}'", '{{"token":"{}"}}', "{},{}", "a\n{}\nb", "x{}", "{}=="],
)
def test_logs_hold_no_token(token: str, line: str) -> None:
    """Nor half of one, wherever it stands."""
    for shown in (token, token[: len(token) // 2]):
        clean = tokens.redact(line.format(shown, shown))
        assert shown[4:] not in clean
        assert shown[4:16] not in clean
        assert token[:4] + "***" in clean


def test_other_text_is_left_alone() -> None:
    """Ids, links and names stay readable."""
    text = f"match {MATCH.hex()} link {SECRET.hex()} azs_ lazo_x"
    assert tokens.redact(text) == text
