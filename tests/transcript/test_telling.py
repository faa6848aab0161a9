"""Words for every take, placement and point; the points add up to the scores, always."""

from collections import Counter
from collections.abc import Iterator
from itertools import pairwise

import pytest

from referee.rules import OVER, Deal, Move, Options, Position
from referee.rules.duel.components import NOBODY
from referee.transcript.fold import Fold
from referee.transcript.result import result
from referee.transcript.telling import Telling, tell
from referee.transcript.telling.records import tell_record, tell_result
from referee.v1.record_pb2 import MatchAborted, MatchVoid
from tests import duel_tables, tables
from tests.games import EVERY_TABLE, walk

GAMES = 12


def told(
    key: str, seats: int, seed: int, options: Options | None = None
) -> Iterator[tuple[Position, Deal | Move, Position]]:
    """Yield every step of a random game with the table before and after it."""
    steps = (
        (position.copy(), step)
        for position, step in walk(key, seats, seed, options, builder=seed % 2 == 1)
    )
    for (before, _), (after, step) in pairwise(steps):
        assert step is not None
        yield before, step, after


def brought(telling: Telling, seats: int) -> list[int]:
    """Return what the explained points of a step come to."""
    sums = [0] * seats
    for entry in telling.points:
        sums[entry.seat] += entry.points
    return sums


def change(before: Position, after: Position) -> list[int]:
    """Return what a step changed the scores by."""
    return [new - old for new, old in zip(after.scores, before.scores, strict=True)]


@pytest.mark.parametrize(("key", "seats"), EVERY_TABLE)
def test_explained_points_add_up_to_the_scores(key: str, seats: int) -> None:
    """Of every step, every seat and the end of whole games, as players and spectators see them."""
    kinds: Counter[str] = Counter()
    for seed in range(GAMES):
        options = Options(goals=3 + seed % 2) if key == "duel" else None
        for before, step, after in told(key, seats, seed, options):
            telling = tell(before, step, after)
            assert brought(telling, seats) == change(before, after), f"{before} {step}"
            kinds.update(entry.kind for entry in telling.points)
            seen = step.view(None) if isinstance(step, Deal) else step
            public = tell(before.view(None), seen, after.view(None))
            assert public.points == telling.points
        assert after.actor == OVER
        outcome = after.outcome()
        assert outcome is not None
        end = tell_result(result(after, ()), after)
        final = [old + new for old, new in zip(after.scores, brought(end, seats), strict=True)]
        assert final == list(outcome.scores)
        kinds.update(entry.kind for entry in end.points)
    assert {"tile", "bonus"} <= set(kinds)
    assert {"draw", "broken", "first_player", "broken_line", "stop"} <= set(kinds) or key != "duel"
    assert "floor" in kinds or key == "duel"
    assert "fallen_line" in kinds or not key.endswith("-gray") or seats > 2


@pytest.mark.parametrize(("key", "seats"), EVERY_TABLE)
def test_every_tile_is_explained_by_its_runs(key: str, seats: int) -> None:
    """A tile brings its runs of more than one tile, and one point if it has none."""
    for before, step, after in told(key, seats, 1):
        for entry in tell(before, step, after).points:
            if entry.kind == "tile":
                assert entry.across is not None
                assert entry.down is not None
                longer = [run for run in (entry.across, entry.down) if run > 1]
                assert entry.points == (sum(longer) or 1)
                assert str(entry.points) in entry.words


def words(telling: Telling) -> str:
    """Return everything that is said of a step."""
    lines = [telling.sentence, *telling.details]
    return "\n".join([*lines, *(f"{p.seat} {p.points:+d} {p.words}" for p in telling.points)])


# Azul and Master Chocolatier -------------------------------------------------------------------


def azul(position: Position, text: str) -> str:
    """Play a move of Azul and return all that is said of it."""
    after = position.copy()
    move = tables.ruleset("azul").parse_move(text)
    after.play(move)
    return words(tell(position, move, after))


ONE_TO_GO = "0:R/-/-/-/-:.Y.../...../...../...../.....:-"
POOR = "2:-/-/-/-/-:...../...../...../...../.....:RRR"


@pytest.mark.parametrize(
    ("position", "move", "said"),
    [
        (
            tables.table(factories="BBYK,-,-,-,-", center="R"),
            "0B1",
            [
                "takes 2 blue tiles from factory 0 to line 1",
                "1 yellow and 1 black go to the center",
                "line 1 is full",
            ],
        ),
        (
            tables.table(factories="BBYK,-,-,-,-", center="RRR"),
            "CR0",
            [
                "takes 3 red tiles from the center to line 0",
                "line 0 is full",
                "takes the first-player marker, onto the floor line",
                "2 tiles fell onto the floor",
            ],
        ),
        (
            tables.table(
                factories="BBYK,-,-,-,-",
                center="RRR",
                boards=[f"0:-/-/-/-/-:{tables.EMPTY_WALL}:BBBBBBB", tables.EMPTY_BOARD],
            ),
            "CRF",
            [
                "at no cost, as the floor line is full",
                "3 tiles found the floor line full and go to",
            ],
        ),
        (
            tables.table(factories="B,-,-,-,-", starter="1", boards=[ONE_TO_GO, POOR], turn="0"),
            "0BF",
            [
                "1 -2 floor line R-1 R-1 R-2: costs 4 points; only 2 points are left to lose",
                "0 -1 floor line B-1: costs 1 point",
            ],
        ),
        (
            tables.table(
                factories="B,-,-,-,-",
                boards=[ONE_TO_GO, tables.EMPTY_BOARD],
            ),
            "0B1",
            ["0 +2 line 0: red to column 2, 2 in its row, 2 points"],
        ),
    ],
)
def test_words_of_azul(position: Position, move: str, said: list[str]) -> None:
    """What is taken from where to where, what is left, what falls, what it costs."""
    text = azul(position, move)
    for part in said:
        assert part in text, text


def test_a_line_of_the_gray_wall_that_finds_no_column_falls() -> None:
    """V4: every column is taken or holds the color already."""
    # Column 4 is the only free one of row 3; a red tile in row 4 bars it.
    boards = ["3:-/-/-/RRRR/-:...../...../...../BYKW./....R:-", tables.EMPTY_BOARD]
    position = tables.table("azul-gray", factories="B,-,-,-,-", boards=boards)
    text = azul(position, "0BF")
    assert "0 +0 line 3: no column is left for red, the whole line falls: 4 tiles onto" in text
    assert "floor line B-1 R-1 R-2 R-2 R-2: costs 8 points; only 3 points are left" in text


def test_words_of_the_special_factories() -> None:
    """What each gold disc does with the tiles that a taker leaves."""
    position = tables.table("chocolatier", factories="keep:BBYK,shield:RRWK,-,-,-")
    assert "1 yellow and 1 black stay on the keep factory" in azul(position, "0B1")
    text = azul(position, "1R1")
    assert "owns the shield" in text
    assert "1 black and 1 white go to the center" in text
    assert "one red tile lies on the shield" in azul(position, "1R0")
    position = tables.table("chocolatier", factories="-,shield:RR,spread:BYKK,-,-")
    text = azul(position, "2B0<Y>K")
    assert "sends 1 yellow to the left, onto factory 1" in text
    assert "sends 2 black to the right, onto factory 3" in text
    # C6: a shield that somebody owns is passed over.
    tables.play(position, "1R1")
    assert "sends 1 yellow to the left, onto factory 0" in azul(position, "2B0<Y>K")


def test_words_of_a_deal_with_magnets_and_plus_one() -> None:
    """C2: in the order of the circle, each from the factories beside it."""
    position = tables.ruleset("chocolatier").initial(2)
    deal = tables.ruleset("chocolatier").parse_deal(
        "factories=BBYK,RKWW,RRRW,YKKW,BYRK extra=B starter=1 gold=plus_one,magnet_black,-,-,-"
    )
    after = position.copy()
    after.deal(deal)
    text = words(tell(position, deal, after))
    for part in (
        "special factories for the whole game: plus_one at 0, magnet_black at 1",
        "the plus_one factory 0 gets a blue tile more",
        "the magnet of factory 1 draws black: a tile from factory 0",
        "seat 1 starts",
        "Round 1: 0(plus_one) BBBY",
    ):
        assert part in text


# Duel ----------------------------------------------------------------------------------------


def test_words_of_a_special_tile() -> None:
    """Plate 0 gets its third tile: two in its column, then 2 points for row 1 (3.5.6)."""
    own = duel_tables.seat(
        score=0,
        lines="-/TT/-/-/-/-",
        plates=("0r0", "4r1", "8r0"),
        tiles={(0, 0): "Y", (0, 1): "K"},
    )
    before = duel_tables.table(boards=[own, duel_tables.seat()], large="T/-", turn=1, first=1)
    after = before.copy()
    move = duel_tables.move("LTX")
    after.play(move)
    telling = tell(before, move, after)
    text = words(telling)
    assert "0 +2 line 1: turquoise to column 0, 2 in its column, 2 points" in text
    assert "0 +2 the plate is full: a special tile in row 1, column 1, 2 points there" in text
    assert "1 -1 broken tiles T: cost 1 point" in text
    assert "1 -2 the first-player tile: costs 2 points" in text
    assert brought(telling, 2) == change(before, after)


def test_words_of_chips_that_complete_a_line() -> None:
    """Which chips stand for how many tiles, and what the tile brings then."""
    own = duel_tables.seat(
        lines="-/T/-/-/-/-", plates=("0r0", "4r1", "8r0"), chips="2T", score=1, broken="B"
    )
    before = duel_tables.table(boards=[own, duel_tables.seat()], large="T/-", turn=1, first=1)
    before.play(duel_tables.move("LTX"))
    after = before.copy()
    move = duel_tables.move("1+T,T")
    after.play(move)
    text = words(tell(before, move, after))
    assert "spends 2 chips, turquoise and turquoise, on line 1 in the place of 1 turquoise" in text
    assert "line 1: turquoise to column 0, stands alone, 1 point" in text
    leaving = duel_tables.move("1+-")
    after = before.copy()
    after.play(leaving)
    assert "leaves line 1, which lacks 1 tile" in words(tell(before, leaving, after))


def test_what_is_hidden_stays_hidden() -> None:
    """A spectator is told of backs, not of faces: no plate that nobody showed has a name."""
    drawn = 0
    for seed in range(8):
        for before, step, after in told("duel", 2, seed):
            if isinstance(step, Deal) and "faces=" in str(step):
                drawn += 1
                public = words(tell(before.view(None), step.view(None), after.view(None)))
                assert "(" not in public
                assert "special one" in public or "wild one" in public
                assert "(" in words(tell(before, step, after))
    assert drawn


# The end -------------------------------------------------------------------------------------

ONE_ROW = "BYRKW/...../...../...../....."
ROWS_DECIDE = "on equal points complete rows decide (1.6.3)"
TWO_ROWS = "BYRKW/WBYRK/...../...../....."


def last_words(position: Position) -> tuple[str, ...]:
    """Return what is said of the seats and the winner of a game that is over."""
    assert position.outcome() is not None
    return tell_result(result(position, ()), position).details


@pytest.mark.parametrize(
    ("boards", "says"),
    [
        ([(9, ONE_ROW), (6, TWO_ROWS)], ["seat 0 wins."]),
        (
            [(8, ONE_ROW), (6, TWO_ROWS)],
            [f"seat 1 wins; {ROWS_DECIDE}: seat 0 has 1, seat 1 has 2."],
        ),
        (
            [(8, ONE_ROW), (8, ONE_ROW)],
            [
                (
                    "seat 0 and seat 1 share the victory; on equal points complete rows would decide"
                    " (1.6.3), but each has 1."
                )
            ],
        ),
        (
            [(8, ONE_ROW), (6, TWO_ROWS), (20, ONE_ROW)],
            [f"{ROWS_DECIDE}: seat 0 has 1, seat 1 has 2", "seat 2 wins."],
        ),
    ],
    ids=["points", "rows", "shared", "below the winner"],
)
def test_why_a_tie_was_broken_in_azul(boards: list[tuple[int, str]], says: list[str]) -> None:
    """Equal points are parted by complete rows, which no board counts for its reader."""
    factories = ",".join(["-"] * (2 * len(boards) + 1))
    written = [tables.board(score=score, wall=wall) for score, wall in boards]
    position = tables.table(boards=written, turn="over", factories=factories)
    assert last_words(position)[len(boards) :] == tuple(says)


@pytest.mark.parametrize(
    ("first", "says"),
    [
        (1, "the first-player tile decides (3.7.3), and seat 1 has it."),
        (
            NOBODY,
            "the first-player tile decides (3.7.3); nobody took it, and seat 0 had it before.",
        ),
    ],
)
def test_why_a_tie_was_broken_in_duel(first: int, says: str) -> None:
    """By the tile of the last round, or by who started that round (D18)."""
    seats = [duel_tables.seat(score=0), duel_tables.seat(score=0)]
    position = duel_tables.table(boards=seats)
    position.starter, position.first, position.actor = 0, first, OVER
    winner = max(0, first)
    assert last_words(position)[-1] == f"seat {winner} wins; on equal points {says}"
    position.boards[0].score = 50
    assert last_words(position)[-1] == "seat 0 wins."


@pytest.mark.parametrize(("detail", "ends"), [("", "organiser"), ("fire", 'organiser: "fire"')])
def test_a_match_that_was_stopped(detail: str, ends: str) -> None:
    """Where nobody gave a reason none is quoted."""
    told = tell_record("aborted", MatchAborted(detail=detail), Fold(bytes(16)), 0)
    assert told.sentence == f"the match was stopped by its {ends}"


@pytest.mark.parametrize(("detail", "ends"), [("", "go on"), ("disk", 'go on: "disk"')])
def test_a_match_that_is_void(detail: str, ends: str) -> None:
    """The same for the referee."""
    told = tell_record("voided", MatchVoid(detail=detail), Fold(bytes(16)), 0)
    assert told.sentence == f"the match is void, the referee could not {ends}"
