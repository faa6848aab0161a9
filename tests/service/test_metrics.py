"""What Prometheus reads after a short match is what happened in it."""

import asyncio
import urllib.request
from pathlib import Path
from typing import Any

import pytest
from prometheus_client import start_http_server
from prometheus_client.parser import text_string_to_metric_families

from referee.service import metrics
from referee.v1 import play_pb2 as pb
from referee.v1.reason_pb2 import RejectReason
from tests.service.here import address, create, until
from tests.service.hostile.calls import Calls, answer
from tests.service.hostile.court import index, table
from tests.service.requests import finished, request
from tests.service.virtual import SECOND_NS, standing_still

MS = 1_000_000
THOUGHT_MS = (0, 2, 20, 200, 2_000, 4_000)
LATE_NS = 250 * MS
Figures = dict[tuple[str, str], float]


def scrape(url: str) -> Figures:
    """Read all figures, by name and the values of their labels."""
    with urllib.request.urlopen(url, timeout=30) as answered:
        text = answered.read().decode()
    return {
        (sample.name, " ".join(sample.labels.values())): sample.value
        for family in text_string_to_metric_families(text)
        for sample in family.samples
    }


async def test_the_figures_of_a_short_match(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Thinking to the millisecond, refusals by reason, syncs by frames, and how late a beat was."""
    served: list[Any] = []

    def serve(_port: int, host: str, registry: Any) -> None:
        served.append(start_http_server(0, host, registry))

    monkeypatch.setattr(metrics, "start_http_server", serve)
    async with standing_still(tmp_path, monkeypatch, metrics_port=1) as (running, clock):
        ((server, thread),) = served
        url = f"http://127.0.0.1:{server.server_port}/metrics"
        async with Calls(address(running)) as calls:
            made = await create(running, request())
            async with table(calls, made) as game:
                for number, thought_ms in enumerate(THOUGHT_MS):
                    seat, asked = await game.turn()
                    talk = game.talks[seat]
                    await clock.forward(thought_ms * MS)
                    if number == 3:
                        await talk.say(answer(asked.turn, 2, index(0)))
                        await talk.hear("refused")
                        await talk.say(answer(asked.turn, 1, index(9_999)))
                        asked = (await talk.hear("your_turn")).your_turn
                    await talk.say(answer(asked.turn, asked.attempt, index(0)))
                seat, _ = await game.turn()
                clock.jump(LATE_NS)
                await clock.forward(SECOND_NS)
                open_ = await asyncio.to_thread(scrape, url)
                await game.talks[seat].say(pb.AgentMessage(give_up=pb.GiveUp(handle=1)))
                await game.talks[seat].hear("match_closed")
        await until(lambda: not running.house.hosts)
        figures = await asyncio.to_thread(scrape, url)
        server.shutdown()
        server.server_close()
        thread.join()
    transcript = finished(tmp_path, bytes.fromhex(game.match_id))
    reason = RejectReason.Name(RejectReason.REJECT_REASON_NO_SUCH_INDEX)
    wanted = {
        ("referee_matches_created_total", "azul"): 1,
        ("referee_matches_ended_total", "game_over azul"): 1,
        ("referee_matches_open", ""): 0,
        ("referee_records_total", "move"): len(THOUGHT_MS),
        ("referee_records_total", "rejected"): 1,
        ("referee_answers_rejected_total", reason.removeprefix("REJECT_REASON_").lower()): 1,
        ("referee_messages_refused_total", "stale"): 1,
        ("referee_think_seconds_count", ""): len(THOUGHT_MS),
        ("referee_think_seconds_bucket", "0.003"): 2,
        ("referee_think_seconds_bucket", "0.03"): 3,
        ("referee_think_seconds_bucket", "0.3"): 4,
        ("referee_think_seconds_bucket", "3.0"): 5,
        ("referee_group_frames_sum", ""): len(transcript.frames),
    }
    assert {name: figures.get(name) for name in wanted} == wanted
    assert figures["referee_think_seconds_sum", ""] == pytest.approx(sum(THOUGHT_MS) / 1e3)
    # A beat is late by what was left of its 5 ms when time jumped, and no other one is.
    beats = figures["referee_lag_seconds_count", ""]
    assert beats == figures["referee_lag_seconds_bucket", "0.0001"] + 1
    assert beats > sum(THOUGHT_MS) / 5
    assert LATE_NS - 5 * MS <= figures["referee_lag_seconds_sum", ""] * 1e9 <= LATE_NS
    syncs = figures["referee_sync_seconds_count", ""]
    assert 0 < syncs == figures["referee_group_frames_count", ""] <= len(transcript.frames)
    assert 0 < figures["referee_sync_seconds_sum", ""] < 60
    assert (open_["referee_matches_open", ""], open_["referee_streams_open", ""]) == (1, 2)
