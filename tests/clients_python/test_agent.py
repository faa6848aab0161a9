"""Whole conversations: an agent joins, moves, is refused, is lost, comes back and ends."""

import asyncio
import threading
from typing import Any

import grpc
import pytest

from azul_agent import NotWelcome, Rejection, SeatDetached, SeatRefused, Turn
from referee.v1 import game_pb2, play_pb2, reason_pb2, record_pb2
from tests.clients_python.conftest import Ended, MakeAgent
from tests.clients_python.fake import DEADLINE_S, Fake, Table


def index_of(answer: play_pb2.Answer) -> int:
    """Return which legal move an answer names."""
    action = game_pb2.Action.FromString(answer.action)
    assert action.WhichOneof("choice") == "index"
    return action.index


async def test_a_whole_match(fake: Fake, make_agent: MakeAgent, start: Ended) -> None:
    """Join, two turns, the end: the bot is called once a turn, and the result is told."""
    seen: list[Turn] = []

    def bot(turn: Turn) -> int:
        seen.append(turn)
        turn.debug(f"thinking about {turn.turn}")
        return turn.turn - 1

    table = Table(seat=1)
    playing = start(make_agent(bot, token="bearer-of-mine").play("token-of-seat"))
    talk = await fake.accept()
    assert talk.metadata["authorization"] == "Bearer bearer-of-mine"
    join = await table.seat_agent(talk)
    assert (join.seat_token, join.list_moves, join.resume_from) == ("token-of-seat", True, 0)
    assert join.skip_moves
    talk.say(**table.turn(join, time_left_ns=5, bank_ns=0))
    answer = await talk.hear_kind("answer")
    assert (answer.handle, answer.turn, answer.attempt) == (join.handle, 1, 1)
    assert (index_of(answer), answer.debug) == (0, "thinking about 1")
    talk.say(**table.turn(join, turn=2))
    assert index_of(await talk.hear_kind("answer")) == 1
    table.finish(talk, join)
    result = await playing
    assert (result.scores, result.rank, result.reason) == ((30, 20), 2, "COMPLETE_ROW")
    assert (result.problems, result.error) == ((), None)
    first, second = seen
    assert (first.match_id, first.seat, first.ruleset) == (table.match_id, 1, "azul")
    assert (first.time_left_ns, first.bank_ns, first.strikes_left) == (5, 0, 2)
    assert (second.time_left_ns, second.bank_ns) == (None, None)
    assert (len(first.legal_moves), first.player_seed) == (3, b"\x01" * 8)


async def test_a_bot_may_answer_with_a_move(
    fake: Fake, make_agent: MakeAgent, start: Ended
) -> None:
    """A Move goes out as itself, and coroutines are bots, too."""
    move = game_pb2.Move()
    move.azul_place.row, move.azul_place.column = 0, 3

    async def bot(_: Turn) -> game_pb2.Move:
        return move

    table = Table()
    start(make_agent(bot).play("t"))
    talk = await fake.accept()
    join = await table.seat_agent(talk)
    talk.say(**table.turn(join))
    answer = await talk.hear_kind("answer")
    assert game_pb2.Action.FromString(answer.action).move == move


async def test_a_refused_move_is_asked_for_again(
    fake: Fake, make_agent: MakeAgent, start: Ended
) -> None:
    """The next attempt tells the bot why; reasons that this kit does not know survive."""
    seen: list[Rejection | None] = []

    def bot(turn: Turn) -> int:
        seen.append(turn.rejected)
        return turn.attempt

    table = Table()
    start(make_agent(bot).play("t"))
    talk = await fake.accept()
    join = await table.seat_agent(talk)
    reasons: list[Any] = [reason_pb2.REJECT_REASON_LINE_FULL, 999]
    for attempt, reason in enumerate(reasons, 1):
        talk.say(**table.turn(join, attempt=attempt))
        assert index_of(await talk.hear_kind("answer")) == attempt
        rejected = play_pb2.AnswerRejected(
            handle=join.handle, turn=1, attempt=attempt, reason=reason, message="no", rule="A7"
        )
        talk.say(rejected=rejected)
    talk.say(**table.turn(join, attempt=3))
    assert index_of(await talk.hear_kind("answer")) == 3
    talk.say(**table.turn(join, turn=2))
    await talk.hear_kind("answer")
    assert seen == [None, Rejection(15, "no", "A7"), Rejection(999, "no", "A7"), None]
    assert [r.name for r in seen if r] == ["REJECT_REASON_LINE_FULL", "999"]


async def test_a_question_repeated_gets_the_same_answer(
    fake: Fake, make_agent: MakeAgent, start: Ended
) -> None:
    """After a lost stream the bot is not asked again, and the very same bytes go out."""
    calls: list[int] = []

    def bot(turn: Turn) -> int:
        calls.append(turn.turn)
        return len(calls)

    table = Table()
    start(make_agent(bot).play("t"))
    talk = await fake.accept()
    join = await table.seat_agent(talk)
    talk.say(**table.event(join, setup=b""))
    talk.say(**table.turn(join))
    first = await talk.hear_kind("answer")
    talk.end(grpc.StatusCode.UNAVAILABLE)
    talk = await fake.accept()
    join = await table.seat_agent(talk)
    assert (join.seat_token, join.resume_from) == ("t", 1)
    talk.say(**table.turn(join))
    again = await talk.hear_kind("answer")
    assert (again.turn, again.attempt, again.action) == (1, 1, first.action)
    assert again.handle == join.handle
    talk.say(**table.turn(join, turn=2))
    assert index_of(await talk.hear_kind("answer")) == 2
    assert calls == [1, 2]


async def test_the_record_tells_why_if_nobody_else_did(
    fake: Fake, make_agent: MakeAgent, start: Ended
) -> None:
    """A refusal that was lost with the stream is found among the events; its words win."""
    seen: list[Rejection | None] = []

    def bot(turn: Turn) -> int:
        seen.append(turn.rejected)
        return 0

    table = Table()
    start(make_agent(bot).play("t"))
    talk = await fake.accept()
    join = await table.seat_agent(talk)
    for attempt, seat in ((1, 0), (2, 0), (3, 1)):
        record = record_pb2.Rejected(
            seat=seat, turn=1, attempt=attempt, reason=reason_pb2.REJECT_REASON_LINE_FULL
        )
        if attempt == 2:
            rejected = play_pb2.AnswerRejected(
                handle=join.handle, turn=1, attempt=2, reason=record.reason, message="no"
            )
            talk.say(rejected=rejected)
        talk.say(**table.event(join, rejected=record))
        talk.say(**table.turn(join, attempt=attempt + 1))
        await talk.hear_kind("answer")
    assert seen == [Rejection(15), Rejection(15, "no"), None]


async def test_long_notes_are_cut(fake: Fake, make_agent: MakeAgent, start: Ended) -> None:
    """The move must fit into a frame, whatever a bot has to say beside it."""

    def bot(turn: Turn) -> int:
        turn.debug("first")
        turn.debug("ä" * 100_000)
        return 0

    table = Table()
    start(make_agent(bot).play("t"))
    talk = await fake.accept()
    join = await table.seat_agent(talk)
    talk.say(**table.turn(join))
    debug = (await talk.hear_kind("answer")).debug
    assert debug == "first\n" + "ä" * ((4096 - 6) // 2)


async def test_an_answer_too_late_is_not_said(
    fake: Fake, make_agent: MakeAgent, start: Ended
) -> None:
    """What a bot makes of an old question, be it an error, does not touch the next one."""
    go = asyncio.Event()

    async def bot(turn: Turn) -> int:
        if turn.turn == 1:
            await go.wait()
            raise ZeroDivisionError
        return turn.turn

    table = Table()
    start(make_agent(bot).play("t"))
    talk = await fake.accept()
    join = await table.seat_agent(talk)
    talk.say(**table.turn(join))
    talk.say(**table.turn(join, turn=2))
    assert index_of(await talk.hear_kind("answer")) == 2
    go.set()
    await talk.silent()
    talk.say(**table.turn(join, turn=2))
    assert index_of(await talk.hear_kind("answer")) == 2


async def test_a_bot_thinks_on_while_the_stream_is_lost(
    fake: Fake, make_agent: MakeAgent, start: Ended
) -> None:
    """What it decides meanwhile goes out when the question comes again, and not before."""
    go = asyncio.Event()
    calls: list[int] = []

    async def bot(turn: Turn) -> int:
        calls.append(turn.turn)
        await go.wait()
        return 2

    table = Table()
    start(make_agent(bot).play("t"))
    talk = await fake.accept()
    join = await table.seat_agent(talk)
    talk.say(**table.turn(join))
    await talk.silent()
    talk.end()
    talk = await fake.accept()
    join = await table.seat_agent(talk)
    go.set()
    await talk.silent()
    talk.say(**table.turn(join))
    assert index_of(await talk.hear_kind("answer")) == 2
    assert calls == [1]


async def test_a_thinking_bot_does_not_stop_the_heart(
    fake: Fake, make_agent: MakeAgent, start: Ended
) -> None:
    """Pings are answered while a plain function thinks."""
    go = threading.Event()

    def bot(_: Turn) -> int:
        assert go.wait(DEADLINE_S)
        return 1

    table = Table()
    start(make_agent(bot).play("t"))
    talk = await fake.accept()
    join = await table.seat_agent(talk)
    talk.say(**table.turn(join))
    for number in (0, 7, 2**64 - 1):
        talk.say(ping=play_pb2.Ping(number=number))
        assert (await talk.hear_kind("pong")).number == number
    go.set()
    assert index_of(await talk.hear_kind("answer")) == 1


@pytest.mark.parametrize("inline", [True, False])
async def test_two_matches_at_once(
    fake: Fake, make_agent: MakeAgent, start: Ended, inline: bool
) -> None:
    """Both go over one stream under handles of their own, and end on their own."""
    tables = {"one": Table(match_id=b"1" * 16), "two": Table(match_id=b"2" * 16, seat=1)}
    agent = make_agent(lambda turn: turn.seat, inline=inline)
    playing = {token: start(agent.play(token)) for token in tables}
    talk = await fake.accept()
    joins = {}
    for _ in tables:
        join = await talk.hear_kind("join")
        joins[join.seat_token] = join
    assert joins["one"].handle != joins["two"].handle
    # All in one frame: the answers of inline bots come back in one, too.
    talk.frame(
        *(play_pb2.RefereeMessage(**tables[token].taken(join)) for token, join in joins.items()),
        *(play_pb2.RefereeMessage(**tables[token].turn(join)) for token, join in joins.items()),
    )
    answers = [await talk.hear_kind("answer") for _ in tables]
    assert {answer.handle: index_of(answer) for answer in answers} == {
        joins["one"].handle: 0,
        joins["two"].handle: 1,
    }
    if inline:
        assert [len(frame.messages) for frame in talk.frames][-1] == 2
    tables["two"].finish(talk, joins["two"])
    assert (await playing["two"]).match_id == b"2" * 16
    talk.say(**tables["one"].turn(joins["one"], turn=3))
    assert (await talk.hear_kind("answer")).turn == 3
    tables["one"].finish(talk, joins["one"])
    assert (await playing["one"]).match_id == b"1" * 16


async def test_a_bot_that_raises_gives_up_its_match_only(
    fake: Fake,
    make_agent: MakeAgent,
    start: Ended,
    caplog: pytest.LogCaptureFixture,
) -> None:
    """GiveUp goes out, again if the question comes again; the error is logged and told."""

    def bot(turn: Turn) -> int:
        if turn.seat == 1:
            raise ZeroDivisionError("a bug of this bot")
        return 1

    tables = {"good": Table(match_id=b"g" * 16), "bad": Table(match_id=b"b" * 16, seat=1)}
    agent = make_agent(bot)
    playing = {token: start(agent.play(token)) for token in tables}
    talk = await fake.accept()
    joins = {token: await table.seat_agent(talk) for token, table in tables.items()}
    talk.say(**tables["bad"].turn(joins["bad"]))
    assert (await talk.hear_kind("give_up")).handle == joins["bad"].handle
    talk.say(**tables["good"].turn(joins["good"]))
    assert (await talk.hear_kind("answer")).handle == joins["good"].handle
    assert "a bug of this bot" in caplog.text
    talk.end()
    talk = await fake.accept()
    joins = {token: await table.seat_agent(talk) for token, table in tables.items()}
    talk.say(**tables["bad"].turn(joins["bad"]))
    assert (await talk.hear_kind("give_up")).handle == joins["bad"].handle
    for token, table in tables.items():
        table.finish(talk, joins[token])
    assert isinstance((await playing["bad"]).error, ZeroDivisionError)
    assert (await playing["good"]).error is None


@pytest.mark.parametrize("inline", [False, True])
@pytest.mark.parametrize(
    ("choice", "shown"),
    [(None, "None"), (-1, "-1"), ("0", "'0'"), (2**32, "4294967296"), ("x" * 999, "'xxx")],
)
async def test_a_choice_that_is_no_move_gives_up(
    fake: Fake,
    make_agent: MakeAgent,
    start: Ended,
    caplog: pytest.LogCaptureFixture,
    choice: Any,
    shown: str,
    *,
    inline: bool,
) -> None:
    """It is a bug of the bot, which is told what it returned, and not where the kit noticed."""
    table = Table()
    playing = start(make_agent(lambda _: choice, inline=inline).play("t"))
    talk = await fake.accept()
    join = await table.seat_agent(talk)
    talk.say(**table.turn(join))
    await talk.hear_kind("give_up")
    assert f"the bot returned {shown}" in caplog.text
    assert "; it must return the index of a legal move or a Move" in caplog.text
    assert "Traceback" not in caplog.text
    assert len(caplog.text) < 600
    table.finish(talk, join)
    assert isinstance((await playing).error, TypeError)


async def test_an_agent_says_what_it_waits_for(
    fake: Fake, make_agent: MakeAgent, start: Ended, caplog: pytest.LogCaptureFixture
) -> None:
    """Connected, joined, begun, out: whoever looks knows why nothing moves."""
    caplog.set_level("INFO", logger="azul_agent")
    table = Table(seat=1)
    playing = start(make_agent().play("t"))
    talk = await fake.accept()
    join = await table.seat_agent(talk)
    talk.say(**table.event(join, started=record_pb2.Started()))
    time = reason_pb2.END_REASON_TIME
    talk.say(**table.event(join, seat_out=record_pb2.SeatOut(seat=0, reason=time)))
    talk.say(**table.event(join, seat_out=record_pb2.SeatOut(seat=1, reason=time)))
    table.finish(talk, join)
    await playing
    match = f"match {table.match_id.hex()} seat 1"
    said = [record.getMessage() for record in caplog.records if record.name == "azul_agent"]
    assert said == [
        f"{fake.target}: connected",
        f"{match}: joined, waiting for the match to begin",
        f"{match}: the match begins",
        f"{match}: seat 0 is out: time",
        f"{match}: this seat is out: time",
    ]


async def test_a_detached_seat_is_left_alone(
    fake: Fake, make_agent: MakeAgent, start: Ended
) -> None:
    """It is not joined again, also not on the next stream; other seats go on."""
    tables = {"kept": Table(match_id=b"k" * 16), "taken": Table(match_id=b"t" * 16)}
    agent = make_agent()
    playing = {token: start(agent.play(token)) for token in tables}
    talk = await fake.accept()
    joins = {token: await table.seat_agent(talk) for token, table in tables.items()}
    talk.say(detached=play_pb2.Detached(handle=joins["taken"].handle))
    with pytest.raises(SeatDetached):
        await playing["taken"]
    talk.say(**tables["taken"].turn(joins["taken"]))
    await talk.silent()
    talk.end()
    talk = await fake.accept()
    assert (await talk.hear_kind("join")).seat_token == "kept"
    await talk.silent()


async def test_what_is_unknown_is_left_aside(
    fake: Fake, make_agent: MakeAgent, start: Ended
) -> None:
    """Kinds, fields and numbers of a later protocol hurt nobody."""
    table = Table()
    playing = start(make_agent().play("t"))
    talk = await fake.accept()
    join = await table.seat_agent(talk)
    unknown_kind = play_pb2.RefereeMessage.FromString(b"\xa2\x06\x03abc")
    assert unknown_kind.WhichOneof("kind") is None
    talk.frame(unknown_kind, play_pb2.RefereeMessage())
    extended = play_pb2.RefereeMessage(**table.turn(join)).your_turn.SerializeToString()
    talk.say(your_turn=play_pb2.YourTurn.FromString(extended + b"\xa2\x06\x03abc"))
    await talk.hear_kind("answer")
    refused = play_pb2.Refused(
        handle=join.handle,
        refused=99,  # type: ignore[arg-type]
        reason=99,  # type: ignore[arg-type]
    )
    talk.say(refused=refused)
    talk.say(**table.turn(play_pb2.Join(handle=12345)))
    talk.say(**table.event(join))
    await talk.silent()
    over = record_pb2.GameOver(reason=77, seats=[])  # type: ignore[arg-type]
    talk.say(match_over=play_pb2.MatchOver(handle=join.handle, game_over=over))
    talk.say(**table.closed(join))
    result = await playing
    assert result.over is not None
    assert result.over.game_over.reason == 77
    assert (result.reason, result.rank) == ("UNKNOWN", None)


async def test_a_token_that_opens_no_seat(fake: Fake, make_agent: MakeAgent, start: Ended) -> None:
    """The seat is refused with the reason, and the agent stays."""
    agent = make_agent()
    playing = start(agent.play("wrong"))
    talk = await fake.accept()
    join = await talk.hear_kind("join")
    refused = play_pb2.Refused(
        handle=join.handle,
        refused=play_pb2.AGENT_MESSAGE_KIND_JOIN,
        reason=play_pb2.REFUSE_REASON_TOKEN,
        message="no such seat",
    )
    talk.say(refused=refused)
    with pytest.raises(SeatRefused, match="no such seat") as caught:
        await playing
    assert caught.value.reason == play_pb2.REFUSE_REASON_TOKEN
    start(agent.play("right"))
    assert (await talk.hear_kind("join")).seat_token == "right"


@pytest.mark.parametrize(
    "reason", [play_pb2.REFUSE_REASON_NAME, play_pb2.REFUSE_REASON_PROTOCOL_VERSION]
)
async def test_a_refused_hello_ends_the_agent(
    fake: Fake, make_agent: MakeAgent, start: Ended, reason: play_pb2.RefuseReason.ValueType
) -> None:
    """The same agent would be refused again, so it does not try."""
    agent = make_agent()
    playing = start(agent.play("t"))
    talk = await fake.accept_silently()
    await talk.hear_kind("hello")
    refused = play_pb2.Refused(
        refused=play_pb2.AGENT_MESSAGE_KIND_HELLO, reason=reason, message="not like this"
    )
    talk.say(refused=refused)
    with pytest.raises(NotWelcome, match="not like this"):
        await playing
    with pytest.raises(NotWelcome):
        await agent.play("t")
