"""The blocking way in, the command line, and what the kit may import."""

import asyncio
import signal
import subprocess
import sys
import threading
from pathlib import Path

import grpc
import pytest

import azul_agent.agent
import referee
from azul_agent import run
from azul_agent.__main__ import find_bot, main, make_agent, parser
from referee.v1 import play_pb2
from tests.clients_python.fake import DEADLINE_S, Fake, Table

KIT = Path(azul_agent.__file__).parent


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return a home and a working folder of its own, with nothing set in the environment."""
    for name in ("REFEREE_SERVER", "REFEREE_TOKEN"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.chdir(tmp_path)
    return tmp_path


async def serve(fake: Fake, tokens: list[str], **closed: object) -> None:
    """Play one turn in each of these seats, and end them."""
    talk = await fake.accept()
    for number, _ in enumerate(tokens):
        table = Table(match_id=bytes([number]) * 16)
        join = await talk.hear_kind("join")
        assert join.seat_token == tokens[number]
        talk.say(**table.taken(join, commit_wanted=True))
        await talk.hear_kind("commit")
        talk.say(**table.turn(join))
        await talk.hear_kind("answer")
        table.finish(talk, join, **closed)


async def test_run_plays_to_the_end(fake: Fake, home: Path) -> None:
    """A first bot needs no asyncio; its secret lies where authors find it."""

    def play() -> list[azul_agent.Result]:
        one = run(fake.target, "t", lambda turn: len(turn.legal_moves) - 1)
        return one + run(fake.target, ["t", "u"], lambda _: 0, name="two seats", inline=True)

    async with asyncio.timeout(DEADLINE_S):
        playing = asyncio.create_task(asyncio.to_thread(play))
        await serve(fake, ["t"])
        talk = await fake.accept()
        joins = [await talk.hear_kind("join") for _ in range(2)]
        for join in joins:
            talk.say(**Table().taken(join))
            Table().finish(talk, join)
        results = await playing
    assert [result.scores for result in results] == [(30, 20)] * 3
    assert (home / ".azul-agent" / "secret").stat().st_size == 32


async def test_the_command_line_plays(
    fake: Fake, home: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    """Server from the environment, a bot of one's own, results on the screen, an exit code."""
    (home / "my_bot.py").write_text("def last(turn):\n    return len(turn.legal_moves) - 1\n")
    monkeypatch.setenv("REFEREE_SERVER", fake.target)
    environment = {"HOME": str(home), "REFEREE_SERVER": fake.target}
    command = [sys.executable, "-m", "azul_agent", "--seat", "t", "--bot", "my_bot:last"]
    for closed, code in (({}, 0), ({"seed": bytes(32)}, 1)):
        process = await asyncio.create_subprocess_exec(
            *command,
            env={**environment, "PYTHONPATH": f"{KIT.parent}:{KIT.parents[2]}"},
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
        )
        async with asyncio.timeout(2 * DEADLINE_S):
            await serve(fake, ["t"], **closed)
            out, err = await process.communicate()
        assert process.returncode == code, err
        assert out.decode().startswith(f"azul {'00' * 16} seat 0: COMPLETE_ROW, scores 30 20")
        assert b"Traceback" not in err


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        ([], "which referee?"),
        (["--server", "x", "--seat", "t"], "--server is HOST:PORT, not 'x'"),
        (["--server", "x:1"], "give --seat or --queue"),
        (["--server", "x:1", "--seat", "t", "--queue", "azul"], "give --seat or --queue"),
        (["--server", "x:1", "--seat", "t", "--bot", "nobody"], "there is no bot 'nobody'"),
        (["--server", "x:1", "--seat", "t", "--bot", "no_module:bot"], "cannot be loaded"),
        (["--server", "x:1", "--seat", "t", "--ca", "none.pem"], "none.pem"),
    ],
)
def test_wrong_calls_say_what_is_wrong(
    home: Path, capsys: pytest.CaptureFixture[str], arguments: list[str], says: str
) -> None:
    """In one line, with the exit code of a wrong call."""
    with pytest.raises(SystemExit) as caught:
        main(arguments)
    assert caught.value.code == 2
    assert says in capsys.readouterr().err


def test_a_referee_that_is_not_there_is_told(
    home: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """With a limit the command ends, and says why."""
    arguments = ["--server", "127.0.0.1:1", "--seat", "t", "--attempts", "1", "--no-shares"]
    codes: list[int] = []
    # In a thread of its own, because the tests have a loop here.
    thread = threading.Thread(target=lambda: codes.append(main(arguments)))
    thread.start()
    thread.join(DEADLINE_S)
    assert codes == [1]
    assert (
        "not played: 127.0.0.1:1: no referee can be reached without TLS: nobody listens there"
        in capsys.readouterr().err
    )


def test_options_reach_the_agent(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The bearer comes from the environment and is never shown; files of TLS are read."""
    monkeypatch.setenv("REFEREE_TOKEN", "secret bearer")
    (home / "ca.pem").write_bytes(b"PEM")
    arguments = ["--server", "x:1", "--seat", "t", "--bot", "greedy", "--ca", "ca.pem"]
    agent = make_agent(parser().parse_args([*arguments, "--inline", "--no-shares"]))
    assert (agent.name, agent.token, agent.inline) == ("greedy", "secret bearer", True)
    assert agent.tls is not None
    assert (agent.tls.root_certificates, agent.tls.key) == (b"PEM", None)
    assert "secret bearer" not in repr(agent)
    assert agent.bot is find_bot("greedy")


def test_the_kit_needs_messages_only() -> None:
    """Whoever imports the kit loads nothing of the referee but its messages."""
    program = (
        "import sys, azul_agent, azul_agent.__main__\n"
        "print(*(n for n in sorted(sys.modules) if n.startswith('referee.')))"
    )
    done = subprocess.run(
        [sys.executable, "-c", program],
        env={"PYTHONPATH": f"{KIT.parent}:{KIT.parents[2]}"},
        capture_output=True,
        text=True,
        check=True,
    )
    loaded = {name.split(".")[1] for name in done.stdout.split()}
    # `native` is what the package itself imports to choose a build.
    assert loaded == {"v1", "native"}


def test_the_kit_has_the_version_of_the_referee() -> None:
    """They are shipped together."""
    assert referee.__version__ == azul_agent.agent.VERSION


def test_exported_names() -> None:
    """What the kit promises is what it exports."""
    assert sorted(azul_agent.__all__) == azul_agent.__all__
    assert all(hasattr(azul_agent, name) for name in azul_agent.__all__)


def command(home: Path, *arguments: str) -> "asyncio.Future[asyncio.subprocess.Process]":
    """Start the command line in a process of its own."""
    return asyncio.ensure_future(
        asyncio.create_subprocess_exec(
            *(sys.executable, "-m", "azul_agent", *arguments),
            env={"HOME": str(home), "PYTHONPATH": f"{KIT.parent}:{KIT.parents[2]}"},
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
        )
    )


async def test_verbose_is_about_the_agent_alone(fake: Fake, home: Path) -> None:
    """What gRPC and asyncio tell of themselves helps no author of a bot."""
    process = await command(home, "--server", fake.target, "--seat", "t", "--verbose")
    async with asyncio.timeout(2 * DEADLINE_S):
        await serve(fake, ["t"])
        _, err = await process.communicate()
    assert process.returncode == 0
    lines = err.decode().splitlines()
    assert f"azul_agent: {fake.target}: connected" in lines
    assert all(line.startswith("azul_agent: ") for line in lines)


@pytest.mark.usefixtures("_heeding_interrupts")
async def test_an_interrupt_is_answered_with_a_word(fake: Fake, home: Path) -> None:
    """What becomes of the matches, and the exit code of whoever is interrupted."""
    process = await command(home, "--server", fake.target, "--seat", "t")
    async with asyncio.timeout(2 * DEADLINE_S):
        talk = await fake.accept()
        await talk.hear_kind("join")
        process.send_signal(signal.SIGINT)
        _, err = await process.communicate()
    assert process.returncode == 130
    assert err.decode().splitlines()[-1].startswith("interrupted: ")
    assert b"Traceback" not in err


async def test_every_result_of_the_queue_is_printed_as_it_comes(fake: Fake, home: Path) -> None:
    """Not only with the last one."""
    arguments = ("--queue", "azul", "--games", "2", "--token", "b")
    process = await command(home, "--server", fake.target, *arguments)
    assert process.stdout is not None
    async with asyncio.timeout(2 * DEADLINE_S):
        talk = await fake.accept()
        await talk.hear_kind("queue")
        for number in range(2):
            table = Table(match_id=bytes([number]) * 16)
            talk.say(paired=play_pb2.Paired(seat_token=f"t{number}", ruleset="azul"))
            if number:
                await talk.hear_kind("unqueue")
            join = await table.seat_agent(talk)
            table.finish(talk, join)
            line = await process.stdout.readline()
            assert line.decode().startswith(f"azul {table.match_id.hex()} seat 0: COMPLETE_ROW")
        _, err = await process.communicate()
    assert process.returncode == 0
    assert b"azul_agent: waiting to be paired for azul" in err
    assert b"azul_agent: paired for azul" in err


async def test_a_bearer_that_is_missing_is_named(fake: Fake, home: Path) -> None:
    """From another machine the token of a seat is not enough, and the word says what is."""
    process = await command(home, "--server", fake.target, "--seat", "t")
    async with asyncio.timeout(2 * DEADLINE_S):
        talk = await fake.accept_silently()
        talk.end(grpc.StatusCode.UNAUTHENTICATED)
        _, err = await process.communicate()
    assert process.returncode == 1
    text = err.decode()
    assert "UNAUTHENTICATED" in text
    assert "a bearer (aza_...) beside the token of its seat: --token or REFEREE_TOKEN" in text


async def test_a_failed_handshake_is_told_in_the_kits_words_alone(fake: Fake, home: Path) -> None:
    """The core of gRPC has nothing to add on standard error."""
    arguments = ("--server", fake.target, "--seat", "t", "--tls", "--attempts", "1")
    process = await command(home, *arguments)
    async with asyncio.timeout(2 * DEADLINE_S):
        _, err = await process.communicate()
    assert process.returncode == 1
    assert err.decode() == (
        f"not played: {fake.target}: no referee can be reached with TLS: what listens there does"
        " not use TLS; leave --tls, --ca, --cert and --key out\n"
    )
