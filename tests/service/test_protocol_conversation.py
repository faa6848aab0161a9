"""docs/protocol.md tells a conversation as it is, and how stubs are made."""

import asyncio
import random
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

from referee.v1 import azul_pb2, game_pb2
from referee.v1 import play_pb2 as pb
from tests.service.here import address, create, seats_of, serving
from tests.service.raw_agent import RawAgent, Seat, always, say, stream
from tests.service.requests import request

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "protocol.md").read_text(encoding="utf-8")
LINE = re.compile(
    r"(?P<who>[→←]) (?P<kind>\w+)(?:.* index (?P<index>\d+): (?P<record>\w+))?"
    r"(?:.*\bturn (?P<turn>\d+)  attempt (?P<attempt>\d+))?"
)
NONE = {"index": None, "record": None, "turn": None, "attempt": None}


def told(text: str) -> list[dict[str, str | None]]:
    """Return what the lines of a conversation say: who, which message, its numbers."""
    return [found.groupdict() for found in map(LINE.match, text.splitlines()) if found]


class Ada:
    """The agent of the page: by hand, without a kit; it keeps what was said in both directions."""

    def __init__(self, call: Any, seat: Seat) -> None:
        self.call = call
        self.seat = seat
        self.said: list[dict[str, str | None]] = []
        self.committed = asyncio.Event()

    async def say(self, **message: Any) -> None:
        """Say one thing."""
        ((kind, body),) = message.items()
        numbers = {}
        if kind == "answer":
            numbers = {"turn": str(body.turn), "attempt": str(body.attempt)}
        self.said.append({**NONE, "who": "→", "kind": kind, **numbers})
        await say(self.call, [pb.AgentMessage(**message)])

    async def play(self) -> None:
        """Say what the page says, and answer what comes, to the end of the match."""
        await self.say(hello=pb.Hello(name="Ada", kit="by hand", protocol=1))
        while True:
            for message in pb.PlayResponse.FromString(await self.call.read()).messages:
                kind = message.WhichOneof("kind")
                assert kind is not None
                await self.take(kind, getattr(message, kind))
                if kind == "match_closed":
                    return

    async def take(self, kind: str, body: Any) -> None:
        """Keep a message, and answer it."""
        numbers = {}
        if kind == "event":
            record = body.event.record.WhichOneof("kind")
            numbers = {"index": str(body.event.index), "record": record}
            if record == "agent_commit":
                self.committed.set()
        elif kind in ("your_turn", "rejected"):
            numbers = {"turn": str(body.turn), "attempt": str(body.attempt)}
        self.said.append({**NONE, "who": "←", "kind": kind, **numbers})
        seat = self.seat
        match kind:
            case "welcome":
                join = pb.Join(handle=1, seat_token=seat.token, list_moves=True)
                await self.say(join=join)
            case "seat_taken":
                seat.taken = body
                await self.say(commit=pb.CommitShare(handle=1, x0=seat.share(0)))
            case "reveal_request":
                share = seat.share(body.round)
                await self.say(reveal=pb.RevealShare(handle=1, round=body.round, x=share))
            case "your_turn":
                action = self.action(body).SerializeToString()
                answer = pb.Answer(handle=1, turn=body.turn, attempt=body.attempt, action=action)
                await self.say(answer=answer)

    def action(self, question: pb.YourTurn) -> game_pb2.Action:
        """Answer as the page does: number 12, a color that is not there, and number 0 then on."""
        if question.turn == 1:
            return game_pb2.Action(index=12)
        if (question.turn, question.attempt) != (3, 1):
            return game_pb2.Action(index=0)
        factories = question.position.azul.factories
        source, color = next(
            (source, color)
            for source, tiles in enumerate(factories)
            for color in range(5)
            if tiles and not tiles >> 6 * color & 63
        )
        take = azul_pb2.AzulTake(source=source, color=color + 1, line=1)  # type: ignore[arg-type]
        return game_pb2.Action(move=game_pb2.Move(azul_take=take))


async def test_the_whole_conversation(tmp_path: Path) -> None:
    """Every message of the page comes where it stands, and every event has its number."""
    wanted = request(round_cap=1)
    wanted.options.first_player = 0
    async with serving(tmp_path) as running, asyncio.timeout(60):
        one, other = seats_of(await create(running, wanted))
        other.rng = random.Random(1)
        async with stream(address(running)) as call:
            ada = Ada(call, one)
            playing = asyncio.create_task(ada.play())
            await ada.committed.wait()
            await RawAgent([other], always(address(running))).play()
            await playing
    (page,) = re.findall(r"```text\n(→ hello.*?)```", PAGE, re.DOTALL)
    first, *_, last = page.split("\n  …\n")
    begin, end = told(first), told(last)
    assert len(begin) > 20
    assert ada.said[: len(begin)] == begin
    said = ada.said[-len(end) :]
    # How long a match is the page cannot know, but events are numbered without a gap.
    ahead = [
        int(here["index"] or 0) - int(there["index"] or 0)
        for here, there in zip(end, said, strict=True)
        if there["index"] is not None
    ]
    assert len(set(ahead)) == 1
    for line in (*end, *said):
        line["index"] = None
    assert said == end


def test_stubs_can_be_made_from_a_clone(tmp_path: Path) -> None:
    """With the command of the page, into another folder."""
    section = PAGE.split("## Stubs")[1]
    (commands,) = re.findall(r"```sh\n(.*?)```", section, re.DOTALL)
    install, *make = commands.splitlines()
    assert install == "python -m pip install grpcio-tools"
    script = "\n".join(make).replace("stubs", str(tmp_path / "stubs"))
    script = script.replace("python -m", f"{sys.executable} -m")
    subprocess.run(["bash", "-euc", script], cwd=ROOT, check=True, timeout=120)
    program = "import referee.v1.play_pb2, referee.v1.play_pb2_grpc, referee.v1.match_pb2_grpc"
    subprocess.run(
        [sys.executable, "-c", program],
        cwd=tmp_path / "stubs",
        env={"PYTHONPATH": str(tmp_path / "stubs")},
        check=True,
        timeout=60,
    )
