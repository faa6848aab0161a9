"""The text forms of moves, deals and positions, and what they refuse."""

import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from referee.rules import InvalidPosition, MalformedMove, NotationError, RulesError
from referee.rules.azul.components import CENTER, FLOOR
from referee.rules.azul.deal import RoundDeal
from referee.rules.azul.moves import Place, Take
from tests.tables import AZUL_TABLES, EMPTY_BOARD, board, deal, reach, ruleset, table

DOCS = Path(__file__).parents[2] / "docs" / "notation.md"
AZUL, GRAY, GOLD = ruleset("azul"), ruleset("azul-gray"), ruleset("chocolatier")


@pytest.mark.parametrize(
    ("text", "move"),
    [
        ("3B2", Take(3, 0, 2)),
        ("CRF", Take(CENTER, 2, FLOOR)),
        ("1K0<BY>W", Take(1, 3, 0, 0b00011, 0b10000)),
        ("0B0<W>W", Take(0, 0, 0, 0b10000, 0b10000)),
        ("1K0<>W", Take(1, 3, 0, 0, 0b10000)),
        ("8W4<BYRK>", Take(8, 4, 4, 0b01111, 0)),
        ("2@4", Place(2, 4)),
    ],
)
def test_moves(text: str, move: Take | Place) -> None:
    """Written and read back."""
    assert AZUL.parse_move(text) == move
    assert str(move) == text
    assert text in repr(move)


@pytest.mark.parametrize(
    "text",
    ["", " ", "3", "9B2", "3B5", "3B6", "3G2", "3b2", "FB2", "3B2 ", " 3B2", "3B2<>", "3B2<B>B>",
     "3B2<YB>", "3B2<BB>", "3B2<>WK", "5@0", "0@5", "0@", "@", "-1@0", "3B2\n", "٣B2", "3B2<", "CC"],
)  # fmt: skip
def test_texts_that_are_no_moves(text: str) -> None:
    """Each is refused with an error of ours."""
    with pytest.raises(NotationError):
        AZUL.parse_move(text)


@pytest.mark.parametrize(
    "arguments",
    [(-1, 0, 0), (10, 0, 0), (0, -1, 0), (0, 5, 0), (0, 0, -2), (0, 0, 6), (0, 0, 0, 32, 0),
     (0, 0, 0, 0, -1), (2**31, 0, 0), (True, 0, 0), ("0", 0, 0), (0, 1.0, 0), (None, 0, 0)],
)  # fmt: skip
def test_takes_that_cannot_exist(arguments: tuple[int, ...]) -> None:
    """A malformed move is another error than an illegal one."""
    with pytest.raises(MalformedMove):
        Take(*arguments)


@pytest.mark.parametrize("arguments", [(-1, 0), (5, 0), (0, 5), (0, -1), (True, 0), ("0", 0)])
def test_places_that_cannot_exist(arguments: tuple[int, int]) -> None:
    """The same for places."""
    with pytest.raises(MalformedMove):
        Place(*arguments)


def test_something_else_is_no_move_of_this_game() -> None:
    """Whatever is handed to check or play."""
    position = table(factories="BBBB,-,-,-,-")
    for thing in ("0B0", None, 3):
        with pytest.raises(MalformedMove):
            position.check(thing)
        with pytest.raises(MalformedMove):
            position.play(thing)


def test_moves_are_values() -> None:
    """Equal when they say the same, and unequal to anything else."""
    assert Take(1, 2, 3) == Take(1, 2, 3) != Take(1, 2, 4)
    assert Place(1, 2) == Place(1, 2) != Place(2, 1)
    assert Take(1, 2, 3, 1, 8) not in (
        Take(0, 2, 3, 1, 8),
        Take(1, 3, 3, 1, 8),
        Take(1, 2, 4, 1, 8),
        Take(1, 2, 3, 2, 8),
        Take(1, 2, 3, 1, 16),
    )
    assert Place(1, 2) not in (Place(1, 3), Place(0, 2))
    assert Take(0, 0, 0) != Place(0, 0)
    assert Place(0, 0) != "0@0"
    assert (Take(0, 0, 0) == 3) is (Place(0, 0) == 3) is False
    assert len({Take(1, 2, 3), Take(1, 2, 3), Place(1, 2), Place(1, 2)}) == 2


@pytest.mark.parametrize(
    "text",
    [
        "factories=BBYY,RRKK,BBWW,YYRR,KKWW",
        "factories=BBYY,RRKK,BBWW,YYRR,KKWW starter=1",
        "factories=B,-,-,-,- extra=W",
        "factories=BBYY,RRKK,BBWW,YYRR,KKWW extra=B starter=0 gold=-,plus_one,-,magnet_red,-",
    ],
)
def test_deals(text: str) -> None:
    """Written and read back."""
    read = deal(text)
    assert str(read) == text
    assert text in repr(read)
    assert deal(text) == read
    assert hash(deal(text)) == hash(read)
    assert read != deal("factories=W")
    assert read != text


@pytest.mark.parametrize(
    "text",
    ["", "factories", "factories=", "factories=BBX", "factories=B,,B", "factories=B extra=",
     "factories=B extra=X", "factories=B extra=BY", "factories=B starter=4", "factories=B starter=x",
     "starter=0", "factories=B gold=gold", "factories=B starter=0 extra=B", "factories=B  extra=B",
     "factories=B factories=B", "factories=" + "B" * 21, "factories=" + "B" * 101,
     "factories=" + ",".join("B" * 10), "factories=BBBB\n"],
)  # fmt: skip
def test_texts_that_are_no_deals(text: str) -> None:
    """Each is refused with an error of ours."""
    with pytest.raises(NotationError):
        deal(text)


def test_deals_are_values() -> None:
    """Every field counts."""
    one = RoundDeal((4, 5), 1, 0, (0, 9))
    assert one == RoundDeal((4, 5), 1, 0, (0, 9)) == one.view(0)
    assert (one == 3) is False
    assert one not in (
        RoundDeal((4, 4), 1, 0, (0, 9)),
        RoundDeal((4, 5), 2, 0, (0, 9)),
        RoundDeal((4, 5), 1, 1, (0, 9)),
        RoundDeal((4, 5), 1, 0, (0, 8)),
        RoundDeal((4, 5)),
    )


def test_tiles_of_a_factory_are_read_in_any_order() -> None:
    """They are written in the order of the colors."""
    assert str(deal("factories=WBKB")) == "factories=BBKW"


# Positions ----------------------------------------------------------------------------------

START = str(AZUL.initial(2))
MIDDLE = str(table(factories="BBYY,-,-,-,-", center="K", boards=[board(floor="R"), board()]))


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("azul/1", "azul/2"),
        ("azul/1", "azul"),
        ("azul/1", "duel/1"),
        ("cap=20", "cap=0"),
        ("cap=20", "cap=65"),
        ("cap=20", "cap="),
        ("cap=20", "cap=020"),
        ("cap=20", "cap"),
        ("round=2", "round=-1"),
        ("round=2", "round=1000000"),
        ("starter=0", "starter=2"),
        ("starter=0", "starter=center"),
        ("turn=0", "turn=3"),
        ("turn=0", "turn="),
        ("marker=center", "marker=?"),
        ("factories=BBYY,-,-,-,-", "factories=BBYY,-,-,-"),
        ("factories=BBYY,-,-,-,-", "factories=BBYY,-,-,-,-,-"),
        ("factories=BBYY,", "factories=gold:BBYY,"),
        ("factories=BBYY,", "factories=:BBYY,"),
        ("factories=BBYY,", "factories=-:BBYY,"),
        ("factories=BBYY,", "factories=,"),
        ("center=K", "center=k"),
        ("center=K", "centre=K"),
        ("bag=18B", "bag=18B18B"),
        ("bag=18B", "bag=21B"),
        ("bag=18B", "bag=B"),
        ("bag=18B18Y19R19K20W", "bag="),
        ("bag=18B", "bag=018B"),
        ("lid=-", "lid="),
        ("lid=-", "lid=0B"),
        (":R", ":RRRRRRRR"),
        (":R", ":RX"),
        (":R", ":"),
        (":R", ":R:shields"),
        (":R", ":R:shieldBB"),
        (":R", ":R:shieldBY"),
        (":R", ":R:B"),
        ("...../...../.....:", "...../.....:"),
        ("-/-/-/-/-:", "-/-/-/-:"),
        (":R", ":R:shieldM"),
        (":R", ":R:x:y"),
        ("seat0=0:", "seat0="),
        ("seat0=0:", "seat0=-1:"),
        ("seat0=0:", "seat0=1.0:"),
        ("seat0=0:-/", "seat0=0:"),
        ("...../....", "..../....."),
        ("...../....", "....../..."),
        ("...../....", "..x../...."),
        ("seat0=", "seat1="),
        (" seat1=" + EMPTY_BOARD, ""),
        (" lid=", "  lid="),
    ],
)
def test_texts_outside_the_grammar(old: str, new: str) -> None:
    """One thing changed in a good text, refused as notation."""
    assert old in MIDDLE
    with pytest.raises(NotationError):
        AZUL.parse_position(MIDDLE.replace(old, new, 1))


def test_a_position_in_a_log_can_be_read_back() -> None:
    """Its repr carries the notation."""
    assert repr(AZUL.initial(2)) == f"AzulPosition({START!r})"


@pytest.mark.parametrize(
    "text", ["", "azul", "azul/1", "azul/1 " * 400, "x" * 100_000, "\x00", "\n"]
)
def test_texts_that_are_no_positions(text: str) -> None:
    """Short, long and strange ones."""
    with pytest.raises(NotationError):
        AZUL.parse_position(text)


@pytest.mark.parametrize(
    ("words", "text"),
    [
        ("is not azul/1", "x" * 2_000),
        ("at most 2000 characters", "x" * 2_001),
        ("stands where cap=", MIDDLE.replace("cap=20", "cap")),
        ("ends with seat0", MIDDLE.replace(" seat1=" + EMPTY_BOARD, "")),
        ("ends with seat0", MIDDLE + "".join(f" seat{seat}={EMPTY_BOARD}" for seat in (2, 3, 4))),
    ],
)
def test_what_is_no_position_is_told_why(words: str, text: str) -> None:
    """Before anything else in it is looked at."""
    with pytest.raises(NotationError, match=words):
        AZUL.parse_position(text)


def test_2_3_5_a_tile_on_a_shield_is_read() -> None:
    """It lies there until its owner gives the shield back."""
    boards = [board(shield=":shieldB"), board()]
    position = table("chocolatier", factories="shield:out,keep:YYRR,-,-,-", boards=boards)
    assert (position.shield_owner, position.shield_tile) == (0, 0)
    assert ":shieldB" in str(position)


IMPOSSIBLE = [
    ("19 blue tiles", MIDDLE.replace("bag=18B", "bag=17B")),
    ("21 blue tiles", MIDDLE.replace("bag=18B", "bag=19B")),
    ("twice in row 0", MIDDLE.replace("bag=18B", "bag=16B").replace("...../", "B..B./", 1)),
    ("wrong column of row 0", MIDDLE.replace("bag=18B", "bag=17B").replace("...../", ".B.../", 1)),
    ("pattern line 0 cannot", MIDDLE.replace("bag=18B", "bag=16B").replace("0:-/", "0:BB/", 1)),
    (
        "pattern line 1 cannot",
        MIDDLE.replace("bag=18B18Y", "bag=17B17Y").replace("0:-/-/", "0:-/BY/", 1),
    ),
    (
        "row 0 of the wall already holds blue",
        MIDDLE.replace("bag=18B", "bag=16B").replace("0:-/", "0:B/", 1).replace("...../", "B..../", 1),
    ),
    ("pattern line 4 cannot", MIDDLE.replace("bag=18B", "bag=2B").replace("/-/-:", "/-/" + "B" * 16 + ":", 1)),
    ("M lies where", MIDDLE.replace(":R", ":RM", 1)),
    ("marker must lie on the floor", MIDDLE.replace("marker=center", "marker=0")),
    ("M lies where", MIDDLE.replace("marker=center", "marker=0").replace(":R", ":RMM", 1)),
    ("a round has a starter", MIDDLE.replace("starter=0", "starter=?")),
    ("a round has a starter", MIDDLE.replace("starter=0", "starter=?").replace("round=2", "round=1")),
    ("past the cap", MIDDLE.replace("cap=20", "cap=1")),
    ("complete row", str(table(factories="B,-,-,-,-")).replace("...../", "BYRKW/", 1).replace("19B20Y20R20K20W", "18B19Y19R19K19W")),
    ("holds more than 4", MIDDLE.replace("bag=18B", "bag=15B").replace("BBYY", "BBBBBYY")),
    ("in round 1 no wall", MIDDLE.replace("round=2", "round=1").replace("bag=18B", "bag=17B").replace("...../", "B..../", 1)),
    ("a seat is to move", MIDDLE.replace("turn=0", "turn=deal")),
    ("a seat is to move", MIDDLE.replace("turn=0", "turn=over")),
    ("nothing is dealt", MIDDLE.replace("round=2", "round=0")),
    ("nothing is dealt", START.replace("turn=deal", "turn=0")),
    ("nothing is dealt", START.replace(" seat0=0:", " seat0=5:")),
    ("no special factories", MIDDLE.replace("factories=BBYY", "factories=keep:BBYY")),
    ("the game is not over", START.replace("round=0", "round=1").replace("turn=deal", "turn=over").replace("?", "0")),
    ("the game is over", START.replace("round=0", "round=20").replace("?", "0")),
    ("floor and full lines are clear", MIDDLE.replace("turn=0", "turn=deal").replace("BBYY", "-").replace("center=K", "center=-").replace("18B18Y19R19K", "20B20Y19R20K")),
    ("leaves no choice", MIDDLE.replace("BBYY", "-").replace("center=K", "center=-").replace("18B18Y19R19K", "20B20Y19R20K")),
    ("no seat owns its shield", MIDDLE.replace("factories=BBYY,-", "factories=BBYY,shield:out")),
    ("no seat owns its shield", MIDDLE.replace("factories=BBYY,-", "factories=BBYY,out")),
    ("not in the circle", MIDDLE.replace(":R", ":R:shield", 1)),
    ("so it is out", MIDDLE.replace(":R", ":R:shield", 1).replace("factories=BBYY,-", "factories=BBYY,shield:-")),
    ("two seats own", MIDDLE.replace(":R", ":R:shield", 1) + ":shield"),
]  # fmt: skip


@pytest.mark.parametrize(("words", "text"), IMPOSSIBLE)
def test_tables_that_cannot_be(words: str, text: str) -> None:
    """In the grammar, against the rules, each refused with its own sentence."""
    assert text not in (MIDDLE, START)
    with pytest.raises(InvalidPosition, match=words):
        AZUL.parse_position(text)


@pytest.mark.parametrize(
    "text",
    [
        MIDDLE.replace("cap=20", "cap=none"),
        MIDDLE.replace("cap=20", "cap=64"),
        MIDDLE.replace("cap=20", "cap=2"),
        MIDDLE.replace("cap=20", "cap=none").replace("round=2", "round=999999"),
        START.replace("starter=?", "starter=1"),
    ],
)
def test_unusual_tables_that_can_be(text: str) -> None:
    """No cap, the largest and the smallest one, a first player who is named."""
    position = AZUL.parse_position(text)
    assert str(position) == text
    assert position != text


def test_v8_who_tiled_before_has_finished_and_who_comes_after_has_not() -> None:
    """From the starter on, up to the seat that has the choice."""
    boards = [board(), board(lines="B/-/-/-/-"), board(lines="-/YY/-/-/-", floor="R")]
    circle = ",".join("-" * 7)
    assert table("azul-gray", factories=circle, boards=boards, turn="1").actor == 1
    with pytest.raises(InvalidPosition, match="seat 1 has tiled"):
        table("azul-gray", factories=circle, boards=boards, turn="2")
    assert table("azul-gray", factories=circle, boards=boards, turn="2", starter="2").actor == 2


def test_a1_the_marker_lies_on_a_floor_line_until_that_is_paid() -> None:
    """With one tile on offer it must lie there; whoever has tiled keeps it without."""
    with pytest.raises(InvalidPosition, match="the marker must lie"):
        table(factories="B,-,-,-,-", marker="0")
    boards = [board(), board(lines="B/-/-/-/-")]
    assert table("azul-gray", boards=boards, turn="1", marker="0").marker == 0


def test_1_7_3_two_cells_are_a_choice() -> None:
    """One is none, so three are not needed."""
    own = board(lines="B/-/-/-/-", wall="YRK../...../...../...../.....")
    position = table("azul-gray", boards=[own, board()])
    assert [str(move) for move in position.legal_moves()] == ["0@3", "0@4"]


def test_a_gray_choice_is_looked_for_in_its_own_row() -> None:
    """Blue of line 1 has four columns although row 0 has one free cell."""
    wall = "YRKW./...../...../...../....."
    position = table("azul-gray", boards=[board(lines="-/BB/-/-/-", wall=wall), board()])
    assert [str(move) for move in position.legal_moves()] == ["1@0", "1@1", "1@2", "1@3", "1@4"]


def test_a1_a_marker_that_found_no_space_is_read() -> None:
    """Its taker's floor line is full and shows none."""
    position = table(factories="B,-,-,-,-", boards=[board(floor="KKKKKKK"), board()], marker="0")
    assert position.marker == 0


def test_gray_tables_that_cannot_be() -> None:
    """A color twice in a column; a tiling turn without a choice or out of order."""
    for wall, words in (
        ("B..../B..../...../...../.....", "twice in column 0"),
        ("...../B...B/...../...../.....", "twice in row 1"),
    ):
        with pytest.raises(InvalidPosition, match=words):
            table("azul-gray", factories="R,-,-,-,-", boards=[board(wall=wall), board()])
    with pytest.raises(InvalidPosition, match="no full line"):
        table("azul-gray", boards=[board(), board(lines="B/-/-/-/-")])
    with pytest.raises(InvalidPosition, match="seat 0 has tiled"):
        table("azul-gray", boards=[board(floor="K"), board(lines="B/-/-/-/-")], turn="1")
    narrow = board(lines="B/-/-/-/-", wall=".YRKW/...../...../...../.....")
    with pytest.raises(InvalidPosition, match="leaves no choice"):
        table("azul-gray", boards=[narrow, board()])


def test_chocolatier_tables_that_cannot_be() -> None:
    """Too few gold discs, a shield that is owned between rounds, another disc that is out."""
    with pytest.raises(InvalidPosition, match="no seat owns its shield"):
        table(
            "chocolatier",
            factories="keep:out,shield:out,B,-,-",
            boards=[board(shield=":shield"), board()],
        )
    with pytest.raises(InvalidPosition, match="gold"):
        table("chocolatier", factories="keep:B,-,-,-,-")
    with pytest.raises(InvalidPosition, match="nobody owns the shield"):
        table(
            "chocolatier",
            factories="keep:-,shield:out,-,-,-",
            boards=[board(shield=":shield"), board()],
            turn="deal",
        )


@pytest.mark.parametrize("thing", [None, 3, b"3B2", ["3B2"]])
def test_only_text_is_read(thing: str) -> None:
    """Anything else is refused with our error."""
    for parse in (AZUL.parse_move, AZUL.parse_deal, AZUL.parse_position):
        with pytest.raises(NotationError, match="notation is text"):
            parse(thing)


@given(st.text(max_size=200), st.sampled_from(["azul", "azul-gray", "chocolatier-gray"]))
def test_no_text_brings_out_an_error_of_python(text: str, key: str) -> None:
    """Whatever is read, the errors are ours."""
    for parse in (ruleset(key).parse_move, ruleset(key).parse_deal, ruleset(key).parse_position):
        with pytest.raises(RulesError):
            parse(text)


@given(st.sampled_from(AZUL_TABLES), st.integers(0, 50), st.integers(0, 60), st.data())
def test_no_damaged_position_brings_out_an_error_of_python(
    where: tuple[str, int], seed: int, steps: int, data: st.DataObject
) -> None:
    """A few characters changed: read as some table, or refused by us."""
    text = list(str(reach(*where, seed, steps)))
    for _ in range(data.draw(st.integers(1, 3))):
        at = data.draw(st.integers(0, len(text) - 1))
        text[at] = data.draw(st.sampled_from("BYRKWM-:/,.=0123456789 ?xshield"))
    try:
        read = ruleset(where[0]).parse_position("".join(text))
    except RulesError:
        return
    assert ruleset(where[0]).parse_position(str(read)) == read


def test_the_examples_of_the_documentation_hold() -> None:
    """Every move, deal and position shown in docs/notation.md is read and written back."""
    text = DOCS.read_text().split("## Azul Duel")[0]
    shown = re.findall(r"^    ((?:azul|chocolatier)\S*/1 cap=.*)$", text, re.MULTILINE)
    assert shown
    for line in shown:
        assert str(ruleset(line.split("/")[0]).parse_position(line)) == line
    deals = re.findall(r"^    (factories=\S+,.*)$", text, re.MULTILINE)
    assert deals
    for line in deals:
        assert str(deal(line)) == line
    moves = re.findall(r"^\| `([^`]+)` \|", text, re.MULTILINE)
    assert len(moves) == 4
    for line in moves:
        assert str(AZUL.parse_move(line)) == line
