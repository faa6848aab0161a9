"""What the referee itself does or suffers: restarts, voids, aborts, a seed that is lost."""

from collections.abc import Callable

import pytest

from referee.match.live import EndStamp, LiveMatch, SelfCheckFailed
from referee.rules import Options
from referee.transcript.finding import Level
from referee.transcript.limits import MAX_DETAIL_BYTES
from referee.transcript.verify import Status, Verdict
from referee.v1 import record_pb2 as pb
from tests.match.table import GARBAGE, SECOND, THINK_NS, Table, ended
from tests.transcript.scene import bytes_of

SHORT = Options(round_cap=2)


def opened(ruleset: str, seats: int) -> Table:
    """Nobody has come yet."""
    options = None if ruleset == "duel" else SHORT
    return Table(ruleset, seats, shares=[True] * seats, options=options)


def half_full(ruleset: str, seats: int) -> Table:
    """One agent is there, and has not committed."""
    table = opened(ruleset, seats)
    table.join(0)
    return table


def asked_for_shares(ruleset: str, seats: int) -> Table:
    """All are there, and no share is."""
    return opened(ruleset, seats).sit()


def short_of_a_share(ruleset: str, seats: int) -> Table:
    """One share of the first round is there."""
    table = asked_for_shares(ruleset, seats)
    table.reveal(0)
    return table


def dealt(ruleset: str, seats: int) -> Table:
    """Play until the first turn is open."""
    return asked_for_shares(ruleset, seats).play(until=lambda at: at.actor >= 0)


def refused_once(ruleset: str, seats: int) -> Table:
    """Play until the second attempt of the first turn is open."""
    table = dealt(ruleset, seats)
    table.answer(action=GARBAGE)
    return table


def in_the_game(ruleset: str, seats: int) -> Table:
    """Play until some turns have passed."""
    return dealt(ruleset, seats).play(until=lambda at: at.match.fold.turn == 6)


def between_rounds(ruleset: str, seats: int) -> Table:
    """One share of the second round is there."""
    table = dealt(ruleset, seats)
    table.play(until=lambda at: at.match.fold.position.chance_round == 2 and at.actor < 0)
    table.reveal(seats - 1)
    return table


STAGES = [
    opened,
    half_full,
    asked_for_shares,
    short_of_a_share,
    dealt,
    refused_once,
    in_the_game,
    between_rounds,
]
TABLES = [("azul", 2), ("azul-gray", 4), ("chocolatier", 3), ("duel", 2)]
every_stage = pytest.mark.parametrize("stage", STAGES, ids=lambda stage: stage.__name__)
every_table = pytest.mark.parametrize(("ruleset", "seats"), TABLES)
Stage = Callable[[str, int], Table]


# Void and aborted --------------------------------------------------------------------------


@every_stage
@every_table
@pytest.mark.parametrize("end", ["voided", "aborted"])
def test_a_match_can_be_stopped_at_any_time(
    stage: Stage, ruleset: str, seats: int, end: str
) -> None:
    """The seed is shown, the file verifies, and there is no result: nobody has lost."""
    table = stage(ruleset, seats)
    act = LiveMatch.void if end == "voided" else LiveMatch.abort
    table.do(lambda match: act(match, "the hall closes"))
    assert table.kinds() == [end, "seed_reveal"]
    assert (table.match.question(), table.match.held_from) == (None, None)
    table.tick(table.now + 1_000 * SECOND)
    assert table.finish() is None
    assert table.records(end)[0].detail == "the hall closes"


@every_stage
@every_table
def test_a_match_whose_seed_is_lost_is_void(stage: Stage, ruleset: str, seats: int) -> None:
    """It is signed all the same, and the draws are never called proved."""
    table = stage(ruleset, seats)
    table.seed = None
    table = table.resume()
    table.do(lambda match: match.void("the seed is lost"))
    assert table.kinds() == ["voided", "secret_lost"]
    report = table.sign()
    assert report.verdict is Verdict.DRAWS
    failed = [level for level, status in report.levels.items() if status is Status.FAILED]
    assert (failed, report.result) == ([Level.DRAWS], None)


def test_a_void_match_without_its_seed_is_still_signed_after_a_restart() -> None:
    """The referee may be killed between the end and the signature."""
    table = in_the_game("azul", 2)
    table.seed = None
    table = table.resume().do(lambda match: match.void("the seed is lost")).resume()
    assert table.match.over
    assert table.sign().verdict is Verdict.DRAWS


def take_up_in_vain(table: Table, seed: bytes | None) -> tuple[LiveMatch, list[str | None]]:
    """Take a match up that contradicts itself, and return what is recorded when it is voided."""
    match = LiveMatch(table.match_id, seed, lambda: EndStamp(0, 0))
    with pytest.raises(SelfCheckFailed):
        match.take_up(table.frames)
    match.void("the record contradicts itself")
    return match, [record.WhichOneof("kind") for record in match.take_step()]


@every_stage
def test_a_seed_that_does_not_open_the_commitment_is_lost(stage: Stage) -> None:
    """No match goes on with it, before a tile is dealt or after, and it is never shown."""
    _, kinds = take_up_in_vain(stage("azul", 2), bytes_of("another seed"))
    assert kinds == ["voided", "secret_lost"]


def test_a_file_with_other_tiles_is_noticed() -> None:
    """A match does not go on from tiles that its seed does not give."""
    table = dealt("azul", 2)
    deal = table.records("deal")[0].deal.azul_round
    deal.factories[0], deal.factories[1] = deal.factories[1], deal.factories[0]
    match, kinds = take_up_in_vain(table, table.seed)
    assert (kinds, [*match.fold.faults]) == (["voided", "seed_reveal"], [Level.DRAWS])


def test_a_file_with_a_wrong_charge_is_noticed() -> None:
    """Nor from clocks that its times do not give."""
    table = in_the_game("azul", 2)
    table.records("move")[0].timing.charged_ns += 1
    match, kinds = take_up_in_vain(table, table.seed)
    assert (kinds, [*match.fold.faults]) == (["voided", "seed_reveal"], [Level.CLOCKS])


@pytest.mark.parametrize("end", ["voided", "aborted"])
@pytest.mark.parametrize("detail", ["x" * 5_000, "ü" * 1_000, "x" + "ü" * 600], ids=len)
def test_the_end_says_as_much_as_a_record_can_hold(detail: str, end: str) -> None:
    """A referee that cannot go on must not fail again over the words for it."""
    act = LiveMatch.void if end == "voided" else LiveMatch.abort
    table = in_the_game("azul", 2).do(lambda match: act(match, detail))
    told = table.records(end)[0].detail
    assert detail.startswith(told)
    assert MAX_DETAIL_BYTES - 2 < len(told.encode()) <= MAX_DETAIL_BYTES
    table.finish()


def test_the_end_says_only_what_is_text() -> None:
    """Half of a character, as in the name of a file, is no text."""
    table = in_the_game("azul", 2).do(lambda match: match.void("no space for \udcff.azt"))
    assert table.records("voided")[0].detail == "no space for ?.azt"
    table.finish()


# Restarts ----------------------------------------------------------------------------------


@every_stage
@every_table
def test_a_match_goes_on_after_restarts(stage: Stage, ruleset: str, seats: int) -> None:
    """From any stage, in a new epoch each time, without anybody being there at first."""
    table = stage(ruleset, seats).resume().resume()
    assert [record.epoch for record in table.records("restart")] == [2, 3]
    assert table.match.connected == [False] * seats
    for seat, who in enumerate(table.match.fold.joined):
        table.join(seat)
        if who is not None:
            assert table.kinds() == ["reconnect"]
        if not table.match.fold.committed[seat]:
            table.commit(seat, table.chains[seat][0])
    assert table.match.connected == [True] * seats
    assert ended(table.play())[2] == [None] * seats


@every_stage
@every_table
def test_a_restart_charges_nobody(stage: Stage, ruleset: str, seats: int) -> None:
    """Clocks are those of the last record; the open question is sent anew, with all its time."""
    table = stage(ruleset, seats)
    before = [table.match.allowance_ns(seat) for seat in range(seats)]
    question, strikes = table.match.question(), table.match.fold.strikes
    table.now += 8 * SECOND
    table = table.resume(epoch_start_ns=7)
    assert [table.match.allowance_ns(seat) for seat in range(seats)] == before
    assert (table.match.question(), table.match.fold.strikes) == (question, strikes)
    if question is not None:
        assert table.match.sent_ns == table.now
        for seat in question.seats:
            assert table.match.time_left_ns(seat, table.now, 0) == before[seat]
        table.step()
        answer = table.records("move", "reveal")[-1]
        assert (answer.timing.sent_ns, answer.timing.credited_ns) == (150_007, 0)
        assert answer.timing.received_ns == 150_007 + THINK_NS
    table.sit().play().finish()


def test_a_restart_is_a_frame_of_its_own() -> None:
    """Nothing else is decided by it."""
    assert in_the_game("duel", 2).resume().kinds() == ["restart"]


def test_a_file_that_lacks_only_the_signature_is_only_signed() -> None:
    """Also if the seed is gone by then: the record shows it."""
    table = dealt("duel", 2).play()
    frames = len(table.frames)
    table.seed = None
    table = table.resume()
    assert len(table.frames) == frames
    assert ended(table)[0] == "last_round"
    assert len(table.frames) == frames + 1


def test_a_file_without_a_commitment_is_bound_anew() -> None:
    """Nothing was promised by then."""
    table = Table(options=SHORT).resume(1)
    assert table.kinds() == ["server_commit"]
    ended(table.sit().play())


# Coming and going --------------------------------------------------------------------------


@every_stage
@every_table
def test_coming_and_going_changes_nothing(stage: Stage, ruleset: str, seats: int) -> None:
    """It is recorded, in any stage, and neither clocks nor questions know of it."""
    table = stage(ruleset, seats)
    match = table.match
    sent, question = match.sent_ns, match.question()
    table.leave(0)
    went = pb.Disconnect(seat=0, at_ns=table.now - 150_000)
    assert table.records("disconnect") == ([went] if match.fold.joined[0] else [])
    assert match.connected[0] is False
    # Gone is gone: it is not told twice.
    table.leave(0)
    assert len(table.records("disconnect")) <= 1
    table.join(0)
    assert match.connected[0] is True
    assert (match.sent_ns, match.question()) == (sent, question)
    assert ended(table.sit().play())[2] == [None] * seats


def test_after_the_end_agents_come_and_go_unrecorded() -> None:
    """The record is closed."""
    table = dealt("azul", 2).play()
    frames = len(table.frames)
    table.leave(0)
    assert table.join(0) is None
    assert len(table.frames) == frames
    ended(table)


@pytest.mark.parametrize("resumed", [False, True], ids=["at once", "after a restart"])
def test_a_seat_that_flutters_is_not_recorded_for_ever(resumed: bool) -> None:
    """So many records of it there are, and the match goes on."""
    table = in_the_game("azul", 2)
    for number in range(1_100):
        if number == 300 and resumed:
            table = table.resume()
        table.join(0)
        table.leave(0)
    assert len(table.records("disconnect", "reconnect")) == 1_000
    ended(table.play())
