"""Moves, deals, positions and set-ups as messages: whole games there and back, and refusals."""

import tracemalloc
from collections.abc import Callable
from typing import Any

import pytest

from referee.rules import Deal, Options, RulesError
from referee.rules.azul.moves import Take
from referee.transcript import answers
from referee.transcript.clock import ClockRule
from referee.transcript.errors import Unparsable, WireError
from referee.transcript.wire import game as wire
from referee.transcript.wire.setup import decode_options, decode_setup, encode_options
from referee.v1 import azul_pb2, duel_pb2
from referee.v1 import setup_pb2 as messages_of_setup
from referee.v1.game_pb2 import Action, Position
from referee.v1.game_pb2 import Deal as DealMessage
from referee.v1.game_pb2 import Move as MoveMessage
from tests.games import EVERY_TABLE, reach, walk
from tests.transcript.scene import Scene

# Numbers that are no values of their enums are what these tests are about.
azul: Any = azul_pb2
duel: Any = duel_pb2
setup_pb2: Any = messages_of_setup


def sent(message: Any) -> Any:
    """Return a message as it arrives at the other side."""
    return type(message).FromString(message.SerializeToString())


@pytest.mark.parametrize(("key", "seats"), EVERY_TABLE)
def test_whole_games_there_and_back(key: str, seats: int) -> None:
    """Every move, deal and position of a game, and every view of it, survives the wire."""
    for number, (position, step) in enumerate(walk(key, seats, 4, builder=True)):
        if isinstance(step, Deal):
            for seat in (None, 0, seats - 1):
                view = step.view(seat)
                assert wire.decode_deal(sent(wire.encode_deal(view))) == view
        elif step is not None:
            assert wire.decode_move(sent(wire.encode_move(step))) == step
            assert wire.read_action(wire.move_action(step)) == step
        if number % 3 == 0:
            for table in (position, position.view(None), position.view(0)):
                assert wire.decode_position(sent(wire.encode_position(table))) == table


@pytest.mark.parametrize(("key", "seats"), EVERY_TABLE)
def test_bytes_of_a_table_are_those_of_its_message(key: str, seats: int) -> None:
    """What is written at once for every turn is the message, over whole games."""
    for seed in (4, 9):
        for position, _ in walk(key, seats, seed):
            message = wire.encode_position(position)
            assert Position.FromString(wire.position_bytes(position)) == message


@pytest.mark.parametrize(("key", "seats"), EVERY_TABLE)
def test_every_legal_move_has_a_message(key: str, seats: int) -> None:
    """Also those that nobody plays; an index names the same move."""
    for seed, steps in ((1, 3), (2, 20), (5, 40), (7, 61)):
        position = reach(key, seats, seed, steps)
        for index, move in enumerate(position.legal_moves()):
            assert answers.resolve(position, wire.move_action(move)) == move
            assert answers.resolve(position, wire.index_action(index)) == move


def test_the_size_of_a_position() -> None:
    """Boards are packed: a two-player table takes about a hundred bytes."""
    position = reach("azul", 2, 3, 30)
    assert len(wire.encode_position(position).SerializeToString()) < 180


@pytest.mark.parametrize(
    "move",
    [
        MoveMessage(),
        MoveMessage(azul_take=azul.AzulTake(color=1, line=1)),
        MoveMessage(azul_take=azul.AzulTake(source=1, line=1)),
        MoveMessage(azul_take=azul.AzulTake(source=1, color=1)),
        MoveMessage(azul_take=azul.AzulTake(source=10, color=1, line=1)),
        MoveMessage(azul_take=azul.AzulTake(source=2**32 - 1, color=1, line=1)),
        MoveMessage(azul_take=azul.AzulTake(source=1, color=6, line=1)),
        MoveMessage(azul_take=azul.AzulTake(source=1, color=99, line=1)),
        MoveMessage(azul_take=azul.AzulTake(source=1, color=-1, line=1)),
        MoveMessage(azul_take=azul.AzulTake(source=1, color=-(2**31), line=1)),
        MoveMessage(azul_take=azul.AzulTake(source=1, color=1, line=6)),
        MoveMessage(azul_take=azul.AzulTake(source=1, color=1, line=1, left=[2, 2])),
        MoveMessage(azul_take=azul.AzulTake(source=1, color=1, line=1, left=[0])),
        MoveMessage(azul_take=azul.AzulTake(source=1, color=1, line=1, left=[2] * 16_000)),
        MoveMessage(azul_place=azul.AzulPlace(row=5, column=0)),
        MoveMessage(azul_place=azul.AzulPlace(row=1)),
        MoveMessage(duel_take_sun=duel.DuelTakeSun(factory=0, color=5, line=0)),
        MoveMessage(duel_take_sun=duel.DuelTakeSun(factory=5, color=1, line=0)),
        MoveMessage(duel_take_sun=duel.DuelTakeSun(factory=0, color=1, line=0, stack=[1] * 4)),
        MoveMessage(duel_take_moon=duel.DuelTakeMoon(color=1)),
        MoveMessage(duel_take_chip=duel.DuelTakeChip()),
        MoveMessage(duel_spend_chips=duel.DuelSpendChips(line=1, chips=[1, 1, 1])),
        MoveMessage(duel_spend_chips=duel.DuelSpendChips(line=1, chips=[11])),
        MoveMessage(duel_spend_chips=duel.DuelSpendChips(line=1, chips=[0])),
        MoveMessage(duel_place_plate=duel.DuelPlacePlate(plate=18, slot=0, rotation=0)),
        MoveMessage(duel_place_plate=duel.DuelPlacePlate(plate=1, slot=0)),
        MoveMessage(duel_keep_plate=duel.DuelKeepPlate(index=0, slot=9, rotation=0)),
        MoveMessage(duel_return_plate=duel.DuelReturnPlate()),
        MoveMessage(duel_place_tile=duel.DuelPlaceTile(line=0, column=6)),
    ],
    ids=lambda move: str(move).replace("\n", " ")[:60],
)
def test_messages_that_are_no_move(move: MoveMessage) -> None:
    """Missing and impossible numbers are refused; as an answer they are malformed."""
    with pytest.raises(WireError):
        wire.decode_move(move)
    action = Action(move=move).SerializeToString()
    with pytest.raises(answers.Refused) as refused:
        answers.resolve(reach("azul", 2, 1, 5), action)
    assert refused.value.reason == answers.MALFORMED


def test_zero_is_a_real_number() -> None:
    """Index 0, seat 0 and factory 0 are sent although they are the default."""
    take = Take(0, 0, 0)
    message = sent(wire.encode_move(take))
    assert message.azul_take.HasField("source")
    assert wire.decode_move(message) == take
    assert wire.read_action(wire.index_action(0)) == 0


@pytest.mark.parametrize(
    ("action", "reason"),
    [
        (b"\xff", answers.UNPARSABLE),
        (b"\x0a\xff", answers.UNPARSABLE),
        (b"\x08" + b"\xff" * 11, answers.UNPARSABLE),
        (b"\x0b" * 10_000, answers.UNPARSABLE),
        (b"", answers.MALFORMED),
        (b"\x78\x01", answers.MALFORMED),
        (wire.index_action(10_000), answers.NO_SUCH_INDEX),
        (wire.index_action(2**32 - 1), answers.NO_SUCH_INDEX),
    ],
    ids=["a byte", "cut off", "11-byte varint", "groups", "empty", "unknown field", "10000", "max"],
)
def test_answers_that_are_refused(action: bytes, reason: int) -> None:
    """Bytes that are no action, that name nothing, or an index that is not there."""
    with pytest.raises(answers.Refused) as refused:
        answers.resolve(reach("azul", 2, 1, 5), action)
    assert refused.value.reason == reason
    assert answers.reason_name(reason) in ("unparsable", "malformed", "no_such_index")


def test_unparsable_is_told_from_malformed() -> None:
    """What protobuf refuses is `Unparsable`, what it can read is a `WireError` of its own."""
    with pytest.raises(Unparsable):
        wire.read_action(b"\xff")
    with pytest.raises(WireError) as error:
        wire.read_action(b"")
    assert not isinstance(error.value, Unparsable)


def test_unknown_fields_of_a_legal_move_do_not_matter() -> None:
    """An agent of a newer version may say more than this one understands."""
    position = reach("azul", 2, 1, 5)
    move = position.legal_moves()[3]
    assert answers.resolve(position, wire.move_action(move) + b"\x78\x01") == move


def test_long_answers_are_not_kept_in_memory() -> None:
    """An agent may fill every answer up to its limit; short ones are kept, for speed."""
    field = b"\x7a\xe0\xd4\x03" + bytes(60_000)
    tracemalloc.start()
    try:
        for index in range(50):
            assert wire.read_action(wire.index_action(index) + field) == index
        kept, _ = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert kept < 1_000_000
    take = wire.move_action(Take(0, 1, 2))
    assert wire.read_action(take) is wire.read_action(take)


def test_reasons_that_are_not_known_have_a_name() -> None:
    """A report of a newer record does not fail over a number."""
    assert answers.reason_name(999) == "reason 999"


@pytest.mark.parametrize(
    "deal",
    [
        DealMessage(),
        DealMessage(azul_round=azul.AzulRoundDeal(factories=[1 << 31])),
        DealMessage(azul_round=azul.AzulRoundDeal(extra=0)),
        DealMessage(azul_round=azul.AzulRoundDeal(gold=[11])),
        DealMessage(azul_round=azul.AzulRoundDeal(gold=[0])),
        DealMessage(duel_round=duel.DuelRoundDeal(small=[0] * 4, chips=[12] * 4)),
        DealMessage(duel_round=duel.DuelRoundDeal(small=[0] * 4, chips=[1] * 4, goals=[9])),
        DealMessage(duel_uncovered=duel.DuelUncovered(top=20)),
        DealMessage(duel_uncovered=duel.DuelUncovered(chips=[duel.DuelChip(face=1)])),
    ],
    ids=lambda deal: str(deal).replace("\n", " ")[:50],
)
def test_messages_that_are_no_deal(deal: DealMessage) -> None:
    """A deal that no game could bring is refused with an error of ours."""
    with pytest.raises((WireError, RulesError)):
        wire.decode_deal(deal)


def _azul(**fields: Any) -> Callable[[Position], None]:
    return lambda message: message.azul.MergeFrom(azul.AzulPosition(**fields))


def _board(**fields: Any) -> Callable[[Position], None]:
    return lambda message: message.azul.boards[0].MergeFrom(azul.AzulBoard(**fields))


def _duel(**fields: Any) -> Callable[[Position], None]:
    return lambda message: message.duel.MergeFrom(duel.DuelPosition(**fields))


def _duel_board(**fields: Any) -> Callable[[Position], None]:
    return lambda message: message.duel.boards[0].MergeFrom(duel.DuelBoard(**fields))


@pytest.mark.parametrize(
    ("key", "change"),
    [
        ("azul", lambda message: message.ClearField("azul")),
        ("azul", _azul(bag=1 << 31)),
        ("azul", _azul(center=63)),
        ("azul", _azul(turn=7)),
        ("azul", _azul(gold=[1])),
        ("azul", _azul(factories=[0])),
        ("azul", _board(line_counts=[1])),
        ("azul", _board(wall=[1])),
        ("azul", _board(floor=[7])),
        ("azul", lambda message: message.azul.boards[0].wall.__setitem__(0, 2**25 - 1)),
        ("azul", lambda message: message.azul.boards[0].line_colors.__setitem__(4, 3)),
        ("duel", _duel(phase=12)),
        ("duel", _duel(due=7)),
        ("duel", _duel(goals=[9])),
        ("duel", _duel(sun=[1])),
        ("duel", _duel(bag=1 << 30)),
        ("duel", _duel(top=duel.DuelPlate(plate=30))),
        ("duel", _duel_board(dome=[1])),
        ("duel", _duel_board(slots=[duel.DuelSlot()])),
        ("duel", _duel_board(line_counts=[1])),
        ("duel", lambda message: message.duel.chips.__setitem__(0, 12)),
    ],
)
def test_messages_that_are_no_position(key: str, change: Callable[[Position], None]) -> None:
    """A table that cannot be is refused, as its notation would be."""
    message = sent(wire.encode_position(reach(key, 2, 1, 9)))
    change(message)
    with pytest.raises((WireError, RulesError)):
        wire.decode_position(message)


# Set-ups -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "options",
    [
        Options(),
        Options(round_cap=1, first_player=0),
        Options(goals=3),
        Options(goals=("rows", "corners", "wilds")),
    ],
    ids=str,
)
def test_options_there_and_back(options: Options) -> None:
    """What was not chosen stays not chosen."""
    assert decode_options(sent(encode_options(options))) == options


def test_goals_are_named_or_random() -> None:
    """Both at once mean nothing."""
    with pytest.raises(WireError, match="not both"):
        decode_options(setup_pb2.Options(goals=[1], random_goals=3))


def test_a_setup_is_read_whole() -> None:
    """Ruleset, options, clock and agents are those that were written."""
    scene = Scene("azul-gray", 3, options=Options(round_cap=5), clock=ClockRule(bank_ns=7))
    setup = decode_setup(scene.setup.SerializeToString())
    assert (setup.ruleset.key, setup.seats, setup.strikes) == ("azul-gray", 3, 3)
    assert setup.options == Options(round_cap=5)
    assert setup.clock == ClockRule(bank_ns=7)
    assert setup.agents == ["agent-0", "agent-1", "agent-2"]


@pytest.mark.parametrize(
    "data",
    [b"\xff", b"", setup_pb2.Setup(ruleset="azul", revision=1).SerializeToString()],
    ids=["garbage", "nothing", "no seats"],
)
def test_bytes_that_are_no_setup(data: bytes) -> None:
    """Whatever the bytes are, the error is ours."""
    with pytest.raises(WireError):
        decode_setup(data)


@pytest.mark.parametrize("agent", ["", "x" * 33, "a b", "../etc", "naïve", "a\n"])
def test_handles_of_agents(agent: str) -> None:
    """Handles are file names and log fields, so they are plain."""
    scene = Scene("azul", 2)
    scene.setup.seats[1].agent = agent
    with pytest.raises(WireError, match="handle"):
        decode_setup(scene.setup.SerializeToString())


def test_clocks_have_a_limit() -> None:
    """A clock longer than any match is a mistake."""
    scene = Scene("azul", 2, clock=ClockRule(bank_ns=2**63))
    with pytest.raises(WireError, match="at most"):
        decode_setup(scene.setup.SerializeToString())


def test_a_take_that_arrives_is_the_one_that_all_tables_share() -> None:
    """Without a split, the very same value as in the list of legal moves."""
    for move in reach("azul", 4, 2, 30).legal_moves():
        assert wire.decode_move(sent(wire.encode_move(move))) is move


def test_what_is_kept_of_answers_and_moves_is_limited() -> None:
    """More different ones than there is room for still mean what they say; no long one is kept."""
    for index in range(wire._KEPT + 2):
        assert wire.read_action(wire.index_action(index)) == index
        take = Take(index % 10, index // 10 % 5, 0, index // 50 % 32, index // 1600)
        assert wire.decode_move(wire.encode_move(take)) == take
    assert 0 < len(wire._choices) <= wire._KEPT
    assert 0 < len(wire._messages) <= wire._KEPT
    # Fields that nobody knows make an answer as long as one likes.
    padded = wire.index_action(3) + b"\x78\x00" * wire._KEPT_BYTES
    assert wire.read_action(padded) == 3
    assert padded not in wire._choices
