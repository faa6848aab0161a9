"""Duel: positions in notation, what is read and what is refused with which error."""

import random
import re
from collections.abc import Callable
from functools import cache
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from referee.draws import FixedStreams
from referee.rules import (
    CHANCE,
    IllegalMove,
    InvalidPosition,
    MalformedMove,
    NotationError,
    RulesError,
    WrongMoment,
    tally,
)
from referee.rules import OVER as OVER_NOW
from referee.rules.duel import chips as chipset
from referee.rules.duel.phases import DUE_NAMES, PHASE_NAMES
from referee.rules.duel.position import DuelPosition
from referee.rules.duel.position_check import tiles_by_place
from referee.rules.duel.reading import parse_deal, parse_move
from referee.rules.duel.ruleset import DUEL
from tests.duel_tables import FIRST_DEAL, dealt, initial, play
from tests.games import reach, seed_bytes, walk

Wanted = Callable[[DuelPosition], bool]


@cache
def shown(phase: str, due: str = "-", number: int = 2, also: Wanted | None = None) -> str:
    """Return a table of some game in that phase, of that round or a later one."""
    for seed in range(40):
        for position, _ in walk("duel", 2, seed, builder=seed % 2 == 1):
            assert isinstance(position, DuelPosition)
            fits = PHASE_NAMES[position.phase] == phase and DUE_NAMES[position.due] == due
            if fits and position.round >= number and (also is None or also(position)):
                return str(position)
    raise AssertionError(f"no game shows {phase}, {due}")


def with_field(text: str, name: str, value: str) -> str:
    """Return a position with one field changed."""
    changed, times = re.subn(rf" {name}=\S+", f" {name}={value}", text)
    assert times == 1
    return changed


def with_part(text: str, seat: int, part: int, value: str) -> str:
    """Return a position with one part of a board changed."""
    match = re.search(rf" seat{seat}=(\S+)", text)
    assert match is not None
    parts = match[1].split(":")
    parts[part] = value
    return with_field(text, f"seat{seat}", ":".join(parts))


SCORE, LINES, PLATES, DOME, BROKEN, TOKENS, TAKEN, CHIPS = range(8)
EMPTY_DOME = "/".join(["......"] * 6)
OPENING = shown("opening", number=1)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "is not duel/1"),
        ("x" * 2_000, "is not duel/1"),
        ("x" * 2_001, "at most"),
        (OPENING.replace("duel/1", "duel/2"), "is not duel/1"),
        (OPENING + " more", "fields"),
        (OPENING.replace(" due=", " dues="), "due="),
        (with_field(OPENING, "goals", "rows,gold"), "no goal"),
        (with_field(OPENING, "round", "01"), "no number"),
        (with_field(OPENING, "starter", "2"), "no seat"),
        (with_field(OPENING, "turn", "x"), "no seat"),
        (with_field(OPENING, "turn", "-"), "has the turn"),
        (with_field(OPENING, "phase", "play"), "no phase"),
        (with_field(OPENING, "phase", "?"), "no phase"),
        (with_field(OPENING, "due", "?"), "can be due"),
        (with_field(OPENING, "phase", "opening1"), "name a line"),
        (with_field(OPENING, "phase", "placing"), "name a line"),
        (with_field(OPENING, "due", "tiles"), "can be due"),
        (with_field(OPENING, "due", "top0@1r1"), "only a kept plate"),
        (with_field(OPENING, "due", "kept"), "only a kept plate"),
        (with_field(OPENING, "display", "6,0,9"), "ascending"),
        (with_field(OPENING, "display", "0,6,18"), "no plate"),
        (with_field(OPENING, "top", "x"), "no plate"),
        (with_field(OPENING, "drawn", ",".join("-" * 19)), "at most 18"),
        (with_field(OPENING, "top", "5:2"), "no plate"),
        (with_field(OPENING, "large", "BYRRK"), "no factory"),
        (with_field(OPENING, "large", "BYRRQ/-"), "no color"),
        (with_field(OPENING, "large", "/-"), "no tiles"),
        (with_field(OPENING, "large", "B" * 14 + "/-"), "more tiles"),
        (with_field(OPENING, "small", "BBRT/-,BYRT/-,BYKK/-"), "4 small factories"),
        (with_field(OPENING, "small", "-/BBRT,BYRT/-,BYKK/-,YYKT/-"), "higher"),
        (with_field(OPENING, "chips", "(T),(YT),(BK)"), "4 small factories"),
        (with_field(OPENING, "chips", "(T),(TY),(BK),(K)"), "no chip"),
        (with_field(OPENING, "supply", "3B"), "at most 2"),
        (with_field(OPENING, "supply", "1Y1B"), "in order"),
        (with_field(OPENING, "supply", "1B1B"), "in order"),
        (with_field(OPENING, "bag", "1B1B"), "in order"),
        (with_field(OPENING, "chips", "(T,(YT),(BK),(K)"), "no chip"),
        (with_field(OPENING, "chips", "T),(YT),(BK),(K)"), "no chip"),
        (with_part(OPENING, 0, DOME, EMPTY_DOME.replace("....../", "......./", 1)), "no row"),
        (with_field(OPENING, "supply", "B"), "no counts"),
        (with_field(OPENING, "bag", "14B"), "at most 13"),
        (with_field(OPENING, "bag", "1Y1B"), "in order"),
        (with_field(OPENING, "bag", "1YB"), "no color"),
        (with_field(OPENING, "bag", ""), "nothing is written"),
        (with_field(OPENING, "seat0", "5:-"), "score:lines"),
        (with_part(OPENING, 0, LINES, "-/-/-/-/-"), "6 pattern lines"),
        (with_part(OPENING, 0, LINES, "BB/-/-/-/-/-"), "cannot hold"),
        (with_part(OPENING, 0, LINES, "-/BY/-/-/-/-"), "cannot hold"),
        (with_part(OPENING, 0, LINES, "-/x/-/-/-/-"), "no color"),
        (with_part(OPENING, 0, PLATES, "-,-"), "9 slots"),
        (with_part(OPENING, 0, PLATES, "x,-,-,-,-,-,-,-,-"), "such as 12r3"),
        (with_part(OPENING, 0, DOME, "......"), "6 rows"),
        (with_part(OPENING, 0, DOME, EMPTY_DOME.replace("....../", ".....x/")), "no row"),
        (with_part(OPENING, 0, BROKEN, "BBBBB"), "more broken tiles"),
        (with_part(OPENING, 0, TOKENS, "3"), "tokens"),
        (with_part(OPENING, 0, TAKEN, "3"), "chips than can be"),
    ],
)
def test_texts_outside_the_grammar(text: str, words: str) -> None:
    """Each says what is expected instead."""
    with pytest.raises(NotationError, match=words):
        DUEL.parse_position(text)


TURN = "duel/1 goals=rows,columns,diagonals round=2 starter=0 turn=0 phase=turn due=- first=large display=1,4,7 top=15 returned=- drawn=none large=BYRRK/- small=BBYT/-,RRKT/-,YRTT/-,RRTT/- chips=(YK),(T),(Y),(RT) supply=2B1Y2R1K1YT2BR1RT1BK1YK bag=5B5Y2R7K4T tower=3B1R2K seat0=0:-/K/RRR/K/YYYY/-:-,-,-,-,-,0r0,16r1,9r3,-:....../....../....../....../....../......:-:2:0:1K1YT seat1=1:B/TT/-/Y/B/T:-,-,-,6r1,-,2r1,8r2,-,-:....../....../....../....../....../......:-:2:0:1T1BK"
RETURNING = "duel/1 goals=rows,columns,diagonals round=3 starter=0 turn=0 phase=returning due=- first=large display=- top=9:1 returned=- drawn=1:0,17:0,-,11:0 large=-/BYKT small=-/KT,-/K,-/TBY,-/RTR chips=(YT),(BK),(YT),(R) supply=1B1Y2T1BR1RT1BK1YK bag=1R1T tower=6B2Y1R3K6T seat0=0:-/KK/Y/RRRR/Y/R:-,13r0,16r3,6r2,2r0,12r1,14r1,5r3,-:....TK/....../.....B/...T../....../.B....:-:0:0:1BR seat1=0:B/RR/KKK/Y/YYYYY/RR:7r0,-,4r3,8r2,-,0r3,3r1,10r2,15r3:YB..../....../....K./....../....../......:B:0:0:1B1RT"
BETWEEN = shown("between", "round")
PLACING = shown("placing")
SPENDING = shown("spending")
LATER_PLACING = shown("placing", also=lambda position: position.mover != position.starter)
SPECIAL = shown("turn", also=lambda position: position.boards[0].specials != 0)
KEPT = shown("keeping", "kept")
CHIPS_DUE = shown("turn", "chips")
LAST = shown("turn", number=5)
KEEPING = shown("keeping")
DRAWING = shown("drawing")
OVER = shown("between", "-", 5)


# Nothing is left to take, and yet a seat is to act.
NOTHING_LEFT = with_field(with_field(with_field(BETWEEN, "phase", "turn"), "turn", "0"), "due", "-")
for number in (0, 1):
    NOTHING_LEFT = with_part(NOTHING_LEFT, number, TAKEN, "2")


# Four chips that lie face down make up for those of a round that is too many.
SIXTH = re.sub(r" round=5 (.*) chips=\S+ supply=\S+", r" round=6 \1 chips=?,?,?,? supply=-", LAST)


def test_the_samples_are_read() -> None:
    """And written back as they were."""
    tables = (OPENING, TURN, RETURNING, BETWEEN, PLACING, SPENDING, KEEPING, DRAWING, OVER)
    for text in (*tables, LATER_PLACING, SPECIAL, KEPT, CHIPS_DUE, LAST):
        assert str(DUEL.parse_position(text)) == text


@pytest.mark.parametrize(
    ("text", "words"),
    [
        (with_field(TURN, "goals", "rows,columns"), "three or four"),
        (with_field(TURN, "goals", "columns,rows,wilds"), "in order"),
        (with_field(TURN, "goals", "rows,five_colors,wilds"), "one side"),
        (with_field(TURN, "goals", "random3"), "goals are known"),
        (with_field(TURN, "starter", "?"), "has a starter"),
        (with_field(TURN, "bag", "6B5Y2R7K4T"), "14 blue tiles"),
        (with_field(TURN, "display", "1,4,6"), "two places"),
        (with_field(TURN, "top", "1"), "two places"),
        (with_field(TURN, "returned", "15"), "two places"),
        (with_field(TURN, "display", "1,3,4,7"), "3 plates at most"),
        (with_field(TURN, "round", "3"), "chips are dealt"),
        (with_field(TURN, "round", "6"), "chips are dealt"),
        (SIXTH, "a game has 5 rounds"),
        (with_field(TURN, "chips", "(B),(B),(Y),(RT)"), "of one face"),
        (with_field(OPENING, "display", "-"), "3 plates lie on the display"),
        (with_field(OPENING, "display", "0,6"), "3 plates lie on the display"),
        (with_field(OPENING, "due", "display"), "2 plates lie on the display"),
        (with_part(OPENING, 0, TOKENS, "1"), "both tokens"),
        (with_part(BETWEEN, 0, PLATES, "-,-,-,-,-,-,-,-,-"), "plates"),
        (with_part(PLACING, 0, PLATES, "-,-,-,-,-,-,-,-,-"), "plates"),
        (with_field(OVER, "due", "chips"), "game is over"),
        (re.sub(r"drawn=(\d+):[01]+", r"drawn=\1", KEEPING), "has seen the plates"),
        (RETURNING.replace("drawn=1:0", "drawn=1"), "has seen the plates"),
        (with_field(TURN, "supply", "2B2Y2R1K2BR1RT1BK1YK"), "of one face"),
        (with_field(TURN, "supply", "2B1Y2R1K1YT2BR1RT1BK"), "chips are dealt"),
        (with_field(TURN, "chips", "YK,(T),(Y),(RT)"), "covered"),
        (with_field(TURN, "chips", "-,(T),(Y),(RT)"), "lost its chip"),
        (with_field(TURN, "due", "top"), "does not fit the phase"),
        (with_field(TURN, "due", "chips"), "waits to be revealed"),
        (with_field(TURN, "turn", "over"), "does not fit the phase"),
        (with_field(TURN, "first", "0"), "lies on the large"),
        (with_field(TURN, "top", "-"), "has a top"),
        (with_field(TURN, "drawn", "15"), "two places"),
        (with_field(TURN, "drawn", "12"), "do not fit the phase"),
        (with_field(TURN, "phase", "opening"), "plates"),
        (with_field(TURN, "phase", "drawing"), "do not fit the phase"),
        (with_field(TURN, "phase", "spending0"), "something to take"),
        (with_field(TURN, "phase", "between").replace("turn=0", "turn=-"), "round is due"),
        (
            with_field(TURN, "small", "BBYT/-,RRKT/-,YRTT/-,RRTT/-").replace("BBYT/-", "BBY/T"),
            "both of its",
        ),
        (TURN.replace("BYRRK/-", "BYRR/K"), "both of its"),
        (TURN.replace("BBYT/-,RRKT/-", "BBYTR/-,RKT/-"), "more than 4"),
        (TURN.replace("BYRRK/- small=BBYT", "BYRRKB/- small=BYT"), "more than 5"),
        (with_part(TURN, 0, TOKENS, "1"), "used its tokens"),
        (with_part(TURN, 0, TAKEN, "1"), "those that were taken"),
        (with_part(TURN, 0, DOME, "B" + EMPTY_DOME[1:]), "takes no B"),
        (with_part(TURN, 0, DOME, EMPTY_DOME[:-1] + "S"), "special tiles"),
        (with_part(TURN, 0, PLATES, "-,-,-,-,-,6r0,16r1,9r3,-"), "two places"),
        (RETURNING.replace("drawn=1:0,17:0,-,11:0", "drawn=1:0,17:0,11:0"), "was kept"),
        (RETURNING.replace("drawn=1:0,17:0,-,11:0", "drawn=1:0,-"), "do not fit"),
        (with_field(KEEPING, "drawn", "-"), "do not fit"),
        (DRAWING.replace("drawn=", "drawn=-,"), "no plate is gone"),
        (with_part(DRAWING, 0, SCORE, "0"), "no further plate"),
        (with_field(DRAWING, "due", "top"), "has a top"),
        (re.sub(r"kept0@.", "kept9@0", KEPT), "free slot"),
        (with_part(LAST, 0, TOKENS, "1"), "last round has no tokens"),
        (SPECIAL.replace("S", ".", 1), "special tiles"),
        (
            with_field(TURN, "small", "-/-,RRKT/-,YRTT/-,RRTT/-").replace(
                "bag=5B5Y2R7K4T", "bag=7B6Y2R7K5T"
            ),
            "is revealed",
        ),
        (NOTHING_LEFT, "no action left"),
        (with_field(BETWEEN, "due", "-"), "round is due"),
        (with_field(BETWEEN, "turn", "over"), "round is due"),
        (with_field(OVER, "due", "round"), "game is over"),
        (with_part(BETWEEN, 0, TOKENS, "1"), "ended the round"),
        (with_field(PLACING, "phase", "placing5"), "no choice of a cell"),
        (with_field(SPENDING, "phase", "placing5"), "no choice of a cell"),
        (with_field(PLACING, "phase", "spending3"), "no choice about chips"),
    ],
)
def test_tables_that_no_game_can_show(text: str, words: str) -> None:
    """Each says what is wrong with it."""
    with pytest.raises(InvalidPosition, match=words):
        DUEL.parse_position(text)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        (with_field(TURN, "supply", "2B1Y2R1K1YT2BR1RT2YK"), "of one face"),
        (with_field(RETURNING, "chips", "YT,(BK),(YT),(R)"), "covered"),
        (with_field(RETURNING, "chips", "(YT),BK,(YT),(R)"), "covered"),
        (with_field(RETURNING, "chips", "-,(BK),(YT),(R)"), "lost its chip"),
        (RETURNING.replace("top=9:1 returned=-", "top=- returned=9:1"), "has a top"),
        (RETURNING.replace("-/BYKT ", "-/BYKTT ").replace("1R1T", "1R"), "more than 5"),
        (with_part(BETWEEN, 0, TAKEN, "1"), "ended the round"),
        (with_part(PLACING, 0, TOKENS, "1"), "something to take"),
        (with_part(with_part(SPENDING, 0, CHIPS, "-"), 1, CHIPS, "-"), "no choice about chips"),
    ],
)
def test_one_fact_is_enough_to_refuse_a_table(text: str, words: str) -> None:
    """A pile counts like a sun side, one seat like both, the last face like the first."""
    with pytest.raises(InvalidPosition, match=words):
        DUEL.parse_position(text)


@pytest.mark.parametrize(
    ("phase", "due", "also"),
    [
        ("drawing", "top", lambda position: position.stack.returned != []),
        ("turn", "chips", lambda position: not position.can_act(position.mover)),
        ("keeping", "-", lambda position: not position.can_act(position.mover)),
        ("keeping", "kept", lambda position: len(set(position.kept)) == 3),
        ("turn", "-", lambda position: position.revealed > 1),
        ("returning", "-", lambda position: sum(e >= 0 for e in position.stack.drawn) == 2),
        (
            "spending",
            "-",
            lambda position: (
                position.boards[position.mover].line_counts[position.line] == position.line
            ),
        ),
    ],
)
def test_rare_moments_are_read(phase: str, due: str, also: Wanted) -> None:
    """What games show only now and then is no less a table."""
    text = shown(phase, due, 2, also)
    read = DUEL.parse_position(text)
    assert str(read) == text
    assert read.actor == (CHANCE if read.due else read.mover)
    places = tiles_by_place(read)
    offered = [name for name in places if name.startswith(("factory", "pile", "moon"))]
    assert read.tiles_left == sum(tally.size(places[name]) for name in offered)
    for who in (None, 0, 1):
        view = str(read.view(who))
        assert str(DUEL.parse_position(view)) == view


def test_every_moment_of_the_opening_is_read() -> None:
    """A plate is laid before the display is filled up, by one seat and then by the other."""
    position = dealt(first=1)
    for step in ("plate1@4r2", "display=3 top=9", "plate3@0r0", "display=9 top=4"):
        text = str(play(position, step))
        assert str(DUEL.parse_position(text)) == text
    # Named goals are not drawn after reading either.
    assert play(DUEL.parse_position(str(initial())), FIRST_DEAL).goals == (0, 2, 4)


def test_plate_0_counts_like_any_other() -> None:
    """On top of the stack, in the open text and in views."""
    text = TURN.replace("top=15", "top=0").replace("0r0,16r1", "15r0,16r1")
    position = DUEL.parse_position(text)
    assert str(position) == text
    assert position.view(0).stack.ids() == sorted([0, *position.stack.ids()])
    assert str(DUEL.parse_position(str(position.view(0)))) == str(position.view(0))


def test_the_plate_kept_was_drawn_and_has_a_free_slot() -> None:
    """Neither the number after the last nor a slot with a plate will do."""
    position = DUEL.parse_position(KEPT)
    board, drawn = position.boards[position.mover], len(position.stack.drawn)
    taken = next(slot for slot in range(9) if board.plates[slot] >= 0)
    for due in (f"kept0@{taken}r0", f"kept{drawn}@{position.kept[1]}r0"):
        with pytest.raises(InvalidPosition, match="free slot"):
            DUEL.parse_position(with_field(KEPT, "due", due))


def fillable(position: DuelPosition) -> list[tuple[int, int]]:
    """Return the empty lines that were tiled already, with the colors that could fill them."""
    board = position.boards[position.mover]
    return [
        (line, color)
        for line in range(position.line)
        for color in range(5)
        if not board.line_counts[line]
        and board.free_columns(line, color)
        and tally.count(position.bag, color) > line
    ]


def test_what_was_tiled_before_the_choice_is_gone() -> None:
    """Broken tiles of the starter, and a line above that has a cell to go to."""
    position = DUEL.parse_position(LATER_PLACING)
    color = tally.colors(position.bag)[0]
    position.boards[position.starter].break_tiles(color, 1)
    position.bag -= tally.ONE[color]
    with pytest.raises(InvalidPosition, match="broken tiles are gone"):
        DUEL.parse_position(str(position))
    position = DUEL.parse_position(shown("placing", also=lambda position: bool(fillable(position))))
    line, color = fillable(position)[0]
    position.boards[position.mover].add_to_line(line, color, line + 1)
    position.bag -= (line + 1) * tally.ONE[color]
    with pytest.raises(InvalidPosition, match="has a cell to go to"):
        DUEL.parse_position(str(position))


def completable_without_a_cell(position: DuelPosition) -> list[int]:
    """Return the lines that chips could complete, though no cell takes their tile."""
    board = position.boards[position.mover]
    return [
        line
        for line, held in enumerate(board.line_counts)
        if 0 < held <= line
        and not board.free_columns(line, board.line_colors[line])
        and chipset.can_complete(board.chips, board.line_colors[line], line + 1 - held)
    ]


def test_3_5_2_no_chips_are_spent_on_a_line_without_a_cell() -> None:
    """Whatever chips there are, such a line leaves no choice about them."""
    text = shown("spending", also=lambda position: bool(completable_without_a_cell(position)))
    line = completable_without_a_cell(DUEL.parse_position(text))[0]
    with pytest.raises(InvalidPosition, match=f"line {line} leaves no choice about chips"):
        DUEL.parse_position(with_field(text, "phase", f"spending{line}"))


def test_between_rounds_no_chip_and_no_drawn_plate_lies_around() -> None:
    """A chip that is back on its factory, a plate that was never kept."""
    position = DUEL.parse_position(BETWEEN)
    board = next(board for board in position.boards if board.chips)
    face = chipset.faces(board.chips)[0]
    board.chips -= chipset.ONE_CHIP[face]
    position.chips[0], position.revealed, position.chips_left = face, 1, 1
    with pytest.raises(InvalidPosition, match="no factory has tiles or chips"):
        DUEL.parse_position(str(position))
    position = DUEL.parse_position(BETWEEN)
    position.stack.drawn.append(position.stack.take_top())
    with pytest.raises(InvalidPosition, match="no factory has tiles or chips"):
        DUEL.parse_position(str(position))


def test_between_rounds_nothing_lies_around() -> None:
    """Neither tiles on factories, nor broken tiles, nor lines that had to be tiled."""
    taken = re.sub(r"bag=(\d+)", lambda match: f"bag={int(match[1]) - 1}", BETWEEN)
    tile = re.search(r"bag=\d+([BYRKT])", BETWEEN)
    assert tile is not None
    color = tile[1]
    for text, words in (
        (with_field(taken, "large", f"{color}/-"), "no factory has tiles"),
        (with_part(taken, 1, BROKEN, color), "broken tiles are gone"),
    ):
        with pytest.raises(InvalidPosition, match=words):
            DUEL.parse_position(text)


def with_line(line: int, *, accepted: bool) -> str:
    """Return a table between rounds with one more full line, taken from the bag."""
    for number in range(1, 5):
        position = DUEL.parse_position(shown("between", "round", number))
        for board in position.boards:
            for color in range(5):
                fits = (board.free_columns(line, color) != 0) == accepted
                bare = not board.line_counts[line] and board.row_has_all_plates(line)
                if fits and bare and tally.count(position.bag, color) > line:
                    board.add_to_line(line, color, line + 1)
                    position.bag -= (line + 1) * tally.ONE[color]
                    return str(position)
    raise AssertionError("no line is free")


@pytest.mark.parametrize(
    ("accepted", "words"), [(True, "has a cell to go to"), (False, "it broke")]
)
def test_lines_were_tiled_or_broken(accepted: bool, words: str) -> None:
    """Between rounds no full line has a cell, and none is without hope of one."""
    for line in (0, 1):
        with pytest.raises(InvalidPosition, match=words):
            DUEL.parse_position(with_line(line, accepted=accepted))


def test_a_table_before_its_first_deal_is_untouched() -> None:
    """With named goals or random ones, with a starter or without."""
    for position in (initial(), initial(3), initial(4, first=None)):
        assert DUEL.parse_position(str(position)) == position
    for changed in (
        with_part(str(initial()), 0, SCORE, "6"),
        with_field(str(initial()), "turn", "over"),
    ):
        with pytest.raises(InvalidPosition):
            DUEL.parse_position(changed)


def test_views_are_read_with_their_backs() -> None:
    """More backs of a type than plates of it are refused."""
    view = str(DUEL.parse_position(RETURNING).view(None))
    assert "top=w:1 " in view
    assert str(DUEL.parse_position(view)) == view
    with pytest.raises(InvalidPosition, match="backs of one type"):
        DUEL.parse_position(with_field(view, "drawn", "s:0,s:0,-,s:0"))
    with pytest.raises(InvalidPosition, match="backs of one type"):
        DUEL.parse_position(with_field(view, "drawn", "w:0,w:0,-,w:0"))


def test_moments() -> None:
    """What does not fit what happens next says so."""
    position = dealt()
    with pytest.raises(WrongMoment, match="seat 1 is to move"):
        position.deal(parse_deal(FIRST_DEAL))
    with pytest.raises(WrongMoment, match="seat 1 is to move"):
        position.draw(NoStreams())
    over = DUEL.parse_position(OVER)
    with pytest.raises(WrongMoment, match="the game is over"):
        over.deal(parse_deal(FIRST_DEAL))
    with pytest.raises(IllegalMove, match=r"the game is over \(3\.7\.1\)"):
        over.play(parse_move("draw"))
    with pytest.raises(IllegalMove, match="come to light"):
        play(position, "plate0@0r0", "plate1@0r0")
    with pytest.raises(WrongMoment, match="streams of one round"):
        initial().draw(None)
    with pytest.raises(MalformedMove):
        dealt().play("plate0@0r0")
    with pytest.raises(WrongMoment, match="does not know the plates"):
        DUEL.parse_position(BETWEEN).view(0).draw(NoStreams())
    assert repr(position).startswith("DuelPosition('duel/1 ")


class NoStreams:
    """Streams that nothing is drawn from."""

    def stream(self, purpose: int) -> None:
        """Refuse to draw."""
        raise AssertionError(purpose)


def test_a_position_is_no_text() -> None:
    """It equals positions only, although its text decides."""
    assert dealt() == dealt()
    assert dealt() != str(dealt())


@given(st.text(max_size=200))
def test_no_text_brings_out_an_error_of_python(text: str) -> None:
    """Whatever is read, the errors are ours."""
    for parse in (DUEL.parse_move, DUEL.parse_deal, DUEL.parse_position):
        with pytest.raises(RulesError):
            parse(text)


@given(st.integers(0, 50), st.integers(0, 160), st.data())
def test_no_damaged_position_brings_out_an_error_of_python(
    seed: int, steps: int, data: st.DataObject
) -> None:
    """A few characters changed: read as some table, or refused by us."""
    text = list(str(reach("duel", 2, seed, steps)))
    for _ in range(data.draw(st.integers(1, 3))):
        at = data.draw(st.integers(0, len(text) - 1))
        text[at] = data.draw(st.sampled_from("BYRKTSX-:/,.=0123456789 ?()swr"))
    try:
        read = DUEL.parse_position("".join(text))
    except RulesError:
        return
    # Whatever is read can be played to its end, and every table on the way can be read.
    rng = random.Random(seed)
    streams = FixedStreams(seed_bytes(seed), 2)
    while read.actor != OVER_NOW:
        assert DUEL.parse_position(str(read)) == read
        if read.actor == CHANCE:
            read.deal(read.draw(streams.round(read.chance_round)))
        else:
            read.play(rng.choice(read.legal_moves()))


def test_the_examples_of_the_documentation_hold() -> None:
    """Every move, deal and position shown in docs/notation.md is read and written back."""
    page = Path(__file__).parents[2] / "docs" / "notation.md"
    text = page.read_text().split("## Azul Duel")[1]
    positions = re.findall(r"^    (duel/1 goals=\S+ round=\d.*)$", text, re.MULTILINE)
    assert len(positions) == 1
    for line in positions:
        assert str(DUEL.parse_position(line)) == line
    deals = re.findall(r"^    ((?:starter|looker)=\d .*)$", text, re.MULTILINE)
    assert len(deals) == 2
    for line in deals:
        assert str(DUEL.parse_deal(line)) == line
    moves = re.findall(r"^\| `([^`]+)` \|", text, re.MULTILINE)
    assert len(moves) == 8
    for line in moves:
        assert str(DUEL.parse_move(line)) == line
