"""Words of strangers hurt neither terminal, log, record nor table (P-S4)."""

import asyncio
import contextlib
import json
import signal
import sqlite3
import subprocess
import sys
import unicodedata
from pathlib import Path

import pytest
from prometheus_client import generate_latest

from referee.v1 import match_pb2, setup_pb2
from referee.v1 import play_pb2 as pb
from tests.service.hostile.calls import Calls, answer, join
from tests.service.hostile.court import Court, index, table
from tests.service.hostile.healthy import Healthy
from tests.service.hostile.texts import HOSTILE, PLAIN, raw
from tests.service.process import Referee
from tests.service.requests import assert_proved, finished, request

ROWS = [pytest.param(name, text, id=name) for name, text in HOSTILE.items()]
NAME = pb.REFUSE_REASON_NAME


@pytest.mark.parametrize("field", ["name", "kit"])
@pytest.mark.parametrize(("which", "text"), ROWS)
async def test_as_name_and_kit(bar: Court, field: str, which: str, text: str) -> None:
    """What cannot be shown is refused in words that do not repeat it; the rest is text."""
    async with bar.calls() as calls:
        talk = calls.talk()
        hello = pb.Hello(**{"name": "Mallory", "protocol": 1, field: text})  # type: ignore[arg-type]
        await talk.say(pb.AgentMessage(hello=hello))
        said = await talk.hear("welcome", "refused")
        if which in PLAIN:
            assert said.HasField("welcome")
        else:
            assert said.refused.reason == NAME
            assert not raw(said.refused.message.encode())
        await talk.bye()


async def test_a_name_that_is_longer_before_it_is_composed(bar: Court) -> None:
    """The record has the composed name; what it was made from must not void the match."""
    made = await bar.match()
    long = unicodedata.normalize("NFD", "\uac01" * 32)
    assert len(long.encode()) > 128
    async with bar.calls() as calls:
        talk = calls.talk()
        await talk.hello(join(made.tokens[0].token), name=long)
        await talk.hear("seat_taken")
        found = await calls.ask("GetMatch", match_id=made.match.match_id)
        assert found.match.state == match_pb2.MATCH_STATE_OPEN
        assert found.match.seats[0].name == unicodedata.normalize("NFC", long)
        await talk.bye()


@pytest.mark.parametrize("field", ["request_id", "event_id", "pairing", "ruleset"])
@pytest.mark.parametrize(("which", "text"), ROWS)
async def test_as_ids_of_a_match(bar: Court, field: str, which: str, text: str) -> None:
    """Ids are short and printable, or there is no match."""
    async with bar.calls(bar.organiser) as calls:
        asked = request()
        setattr(asked, field, text)
        if which in PLAIN and field != "ruleset":
            made = await calls.send("CreateMatch", asked.SerializeToString())
            assert getattr(made.match.setup, field) == text
        else:
            reason = await calls.refusal("CreateMatch", asked.SerializeToString())
            assert reason in ("INVALID_ARGUMENT", "INVALID_SETUP")


@pytest.mark.parametrize(("which", "text"), ROWS)
async def test_as_handle_of_an_agent(bar: Court, which: str, text: str) -> None:
    """Handles are letters, digits, _ and -."""
    async with bar.calls(bar.organiser) as calls:
        asked = request()
        asked.seats[0].CopyFrom(setup_pb2.Seat(agent=text))
        assert await calls.refusal("CreateMatch", asked.SerializeToString()) == "INVALID_SETUP"


@pytest.mark.parametrize(("which", "text"), ROWS)
async def test_as_detail_of_an_end(bar: Court, which: str, text: str) -> None:
    """Why a match was stopped is printable, too."""
    made = await bar.match()
    asked = match_pb2.AbortMatchRequest(match_id=made.match.match_id, detail=text)
    async with bar.calls(bar.organiser) as calls:
        if which in PLAIN:
            assert (await calls.send("AbortMatch", asked.SerializeToString())).match.detail == text
        else:
            refused = await calls.refusal("AbortMatch", asked.SerializeToString())
            assert refused == "INVALID_ARGUMENT"


@pytest.mark.parametrize(
    "name", ["GetMatch", "AbortMatch", "GetTranscript", "VerifyTranscript", "WatchMatch"]
)
@pytest.mark.parametrize(
    "match_id",
    [
        *("", "..", "../../signing-key.pem", "0" * 31, "0" * 33, "A" * 32, "0" * 31 + "\n"),
        *("\x00" * 32, "\uff10" * 32, "0x" + "0" * 30, "0" * 60_000),
    ],
    ids=lambda text: f"{len(text)} of {text[:1]!a}",
)
async def test_match_ids_that_are_none(bar: Court, name: str, match_id: str) -> None:
    """An id has 32 small hexadecimal digits; nothing else gets near a path."""
    data = match_pb2.GetMatchRequest(match_id=match_id).SerializeToString()
    async with bar.calls(bar.organiser) as calls:
        assert await calls.refusal(name, data) == "INVALID_ARGUMENT"


async def test_no_raw_character_in_any_view(tmp_path: Path) -> None:
    """Logs, transcripts, index, metrics, debug logs and `referee replay` stay on their lines."""
    async with Referee(tmp_path, metrics_port=None) as referee:
        await referee.start()
        asked = request(round_cap=3)
        asked.event_id = asked.pairing = HOSTILE["tag"]
        async with Healthy(referee.address, referee.organiser) as healthy:
            made = await referee.create(asked)
            assert made is not None
            match_id = await play_rudely(referee, made)
            healthy.look()
        referee.signal(signal.SIGTERM)
        await referee.ended()
    transcript = finished(tmp_path, bytes.fromhex(match_id))
    assert_proved(transcript)
    for line in referee.log.splitlines():
        json.loads(line)
    path = next((tmp_path / "finished").glob(f"*/{match_id}.azt"))
    command = [sys.executable, "-m", "referee", "replay", str(path)]
    ran = await asyncio.to_thread(subprocess.run, command, check=True, capture_output=True)
    debug = (tmp_path / "debug" / match_id).glob("*.log")
    for data in (referee.log.encode(), ran.stdout, *(log.read_bytes() for log in debug)):
        assert not raw(data)
    with contextlib.closing(sqlite3.connect(tmp_path / "index.db")) as index_db:
        rows = "\n".join(str(row) for row in index_db.iterdump() if "azul" in row)
    assert match_id.upper() in rows.upper()


async def play_rudely(referee: Referee, made: match_pb2.CreateMatchResponse) -> str:
    """Play a match with every hostile text as debug line, and return its id."""
    async with Calls(referee.address) as calls, table(calls, made) as game:
        for text in HOSTILE.values():
            seat, asked = await game.turn()
            said = answer(asked.turn, asked.attempt, index(0), debug=text[:4_000])
            await game.talks[seat].say(said)
        seat, _ = await game.turn()
        await game.talks[seat].say(pb.AgentMessage(give_up=pb.GiveUp(handle=1)))
        await game.talks[seat].hear("match_closed")
        return game.match_id


async def test_metrics_hold_no_words_of_strangers(bar: Court) -> None:
    """Labels are words of the referee alone."""
    text = generate_latest(bar.running.house.metrics.registry)
    assert not raw(text)
    for bad in (b"onerror", b"HYPERLINK", b"passwd", b"Mallory"):
        assert bad not in text
