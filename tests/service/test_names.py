"""Names and ids of strangers: what is let in, and what never is."""

import unicodedata
from itertools import count

import pytest
from hypothesis import given
from hypothesis import strategies as st

from referee.service import names
from tests.transcript.hostile import raw

NFD = unicodedata.normalize("NFD", "Zoë")

GOOD = {
    "plain": "GreedyBot",
    "words": "Greedy Bot 2.1",
    "one character": "x",
    "32 characters": "x" * 32,
    "32 characters of four bytes": "\U00010384" * 32,
    "32 letters with marks": unicodedata.normalize("NFC", "e\u0301" * 32),
    "emoji": "\U0001f916 bot",
    "another script": "包子",
    "right to left": "שלום",
    "a mark of its own letter": "x\u0323",
    # Plain text here; pages and tables escape it (P-S4).
    "markup": "<img src=x onerror=alert(1)>",
    "formula": "=HYPERLINK(1)",
    "path": "../../etc/passwd",
    "format": "{0} %s [red]",
    "quotes": "'\"`;--",
}

BAD = {
    "empty": "",
    "spaces": "   ",
    "leading space": " x",
    "trailing space": "x ",
    "33 characters": "x" * 33,
    "10,000 emoji": "\U0001f600" * 10_000,
    "a million marks": "x" + "\u0301" * 1_000_000,
    "a million marks in a wild order": "x" + "\u0301\u0323" * 500_000,
    "escape": "\x1b[2J",
    "title": "\x1b]0;title\x07",
    "C1": "\x9b2J",
    "NUL": "a\0b",
    "DEL": "a\x7f",
    "fake log line": "x\nlevel=info event=won",
    "carriage return": "x\rwon",
    "tab": "a\tb",
    "next line": "a\x85b",
    "line separator": "a\u2028b",
    "paragraph separator": "a\u2029b",
    "bidi override": "\u202egnp.exe",
    "bidi isolate": "\u2066x\u2069",
    "zero width": "a\u200bb",
    "joiner": "a\u200db",
    "byte order mark": "\ufeffx",
    "soft hyphen": "a\u00adb",
    "tags": "x\U000e0041",
    "surrogate": "a\ud800b",
    "private": "\ue000",
    "private plane": "\U0010fffdx",
    "unassigned": "a\u0378b",
    "no character": "a\uffffb",
    "no-break space": "a\u00a0b",
    "wide space": "a\u3000b",
    "filler": "\u3164",
    "Hangul filler": "a\u115fb",
    "blank of braille": "\u2800",
    "variation selector": "a\ufe0fb",
    "grapheme joiner": "a\u034fb",
    "mark without a letter": "\u0301x",
}


@pytest.mark.parametrize("name", GOOD.values(), ids=GOOD)
def test_good_names(name: str) -> None:
    """They come out as they went in."""
    assert names.check_name(name) == name


def test_names_are_composed() -> None:
    """One name has one spelling."""
    assert NFD != "Zoë"
    assert names.check_name(NFD) == "Zoë"
    assert len(names.check_name("e\u0301" * 32)) == 32


@pytest.mark.parametrize("name", BAD.values(), ids=BAD)
def test_bad_names(name: str) -> None:
    """Refused with a sentence that repeats nothing of it."""
    with pytest.raises(names.BadText) as caught:
        names.check_name(name)
    assert caught.value.field == "name"
    assert str(caught.value).startswith("name: ")
    assert not raw(str(caught.value))
    assert len(str(caught.value)) < 100


@pytest.mark.parametrize("kit", BAD.values(), ids=BAD)
def test_kits_are_like_names_but_may_be_empty(kit: str) -> None:
    """Not every agent was made with one."""
    if not kit:
        assert names.check_kit(kit) == ""
        return
    with pytest.raises(names.BadText, match=r"^kit: "):
        names.check_kit(kit)


@given(st.text(max_size=40))
def test_whatever_passes_can_be_shown(text: str) -> None:
    """Composed, short, visible, and it fits the record."""
    try:
        name = names.check_name(text)
    except names.BadText:
        return
    assert name == unicodedata.normalize("NFC", name) == name.strip() == names.check_name(name)
    assert not raw(name)
    assert "\n" not in name
    assert 1 <= len(name) <= 32
    assert len(name.encode()) <= 128


@pytest.mark.parametrize("handle", ["a", "A-b_9", "x" * 32])
def test_good_handles(handle: str) -> None:
    """Letters, digits, _ and -."""
    assert names.check_handle(handle) == handle


@pytest.mark.parametrize(
    "handle", ["", "x" * 33, "a b", "ä", "a\n", "a/b", "..", "٣", *BAD.values()]
)
def test_bad_handles(handle: str) -> None:
    """Nothing else, not even at the end of a line."""
    with pytest.raises(names.BadText, match=r"^agent: "):
        names.check_handle(handle)


@pytest.mark.parametrize("text", ["", "x", "x" * 64, "ä" * 32, "a b/c:d=<e>"])
def test_good_ids(text: str) -> None:
    """At most 64 bytes that can be printed, or none."""
    assert names.check_id(text, "request_id") == text


IDS = ["x" * 65, "ä" * 33, "a\nb", "\x1b", "a\u202eb", "\ud800", "a\0", "\U0001f600" * 10_000]


@pytest.mark.parametrize("text", IDS, ids=map(str, count()))
def test_bad_ids(text: str) -> None:
    """Refused under the name of their field."""
    with pytest.raises(names.BadText, match=r"^event_id: "):
        names.check_id(text, "event_id")


def test_details() -> None:
    """Longer than ids, and no less harmless."""
    assert names.check_detail("ä" * 512) == "ä" * 512
    for text in ("ä" * 513, "x" * 1025, "two\nlines", "\udcff"):
        with pytest.raises(names.BadText, match=r"^detail: "):
            names.check_detail(text)


def test_good_match_ids() -> None:
    """32 digits stand for 16 bytes."""
    assert names.check_match_id("00ff" * 8) == b"\x00\xff" * 8


MATCH_IDS = {
    "empty": "",
    "short": "00ff" * 7 + "00f",
    "long": "00ff" * 8 + "0",
    "upper case": "00FF" * 8,
    "other letters": "00fg" * 8,
    "path": "../" * 10 + "ab",
    "line break": "00ff" * 8 + "\n",
    "line break as last": "00ff" * 7 + "00f\n",
    "space": " " + "00ff" * 7 + "00f",
    "spaces within": "00 f" * 8,
    "prefix": "0x" + "00" * 15,
    "another script": "٣" * 32,
    "huge": "0" * 10_000_000,
}


@pytest.mark.parametrize("text", MATCH_IDS.values(), ids=MATCH_IDS)
def test_bad_match_ids(text: str) -> None:
    """Other lengths, upper case, paths, spaces, digits of other scripts."""
    with pytest.raises(names.BadText, match=r"^match_id: "):
        names.check_match_id(text)
