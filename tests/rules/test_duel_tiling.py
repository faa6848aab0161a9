"""Duel: tiling the dome and scoring (3.5, D9-D14, D26, D29)."""

import pytest

from referee.rules import CHANCE, Illegal, tally
from referee.rules.duel import chips as chipset
from referee.rules.duel import offer
from referee.rules.duel.board import DuelBoard
from referee.rules.duel.components import FACE_LETTERS, NOBODY
from referee.rules.duel.phases import BETWEEN, NOTHING
from referee.rules.duel.position import DuelPosition
from referee.rules.duel.reading import parse_chips
from tests.duel_tables import EMPTY_LINES, NINE, listed, play, refusal, seat, table

# Plates 0 to 8 in slots 0 to 8, not turned:
#   Y K W B T R        0 1 2
#   T S T K B W
#   K Y K S T Y        3 4 5
#   R W T R W K
#   S K Y B T R        6 7 8
#   R B K S B S


def tiled(own: DuelBoard, other: DuelBoard | None = None, **parts: object) -> DuelPosition:
    """Return a table after its last turn: seat 1 has broken one turquoise tile."""
    boards = [own, other or seat()]
    position = table(boards=boards, large="T/-", turn=1, first=1, **parts)  # type: ignore[arg-type]
    return play(position, "LTX")


def lines(position: DuelPosition, who: int = 0) -> list[int]:
    """Return how many tiles the pattern lines of a seat hold."""
    return position.boards[who].line_counts


def tower(position: DuelPosition) -> tuple[int, ...]:
    """Return the tower without the tile that seat 1 broke."""
    counts = tally.counts(position.tower)
    return (*counts[:4], counts[4] - 1)


def test_3_5_1_one_cell_is_no_choice() -> None:
    """Row 0 has one blue cell and a wild one; without the wild one blue is forced."""
    position = tiled(seat(lines="B/-/-/-/-/-", plates=NINE, tiles={(0, 2): "T"}))
    assert position.actor == CHANCE
    assert position.boards[0].colors[0] == 1 << 3
    assert lines(position) == [0] * 6


def test_3_5_1_the_seat_chooses_among_cells() -> None:
    """Its color or wild, from the left."""
    position = tiled(seat(lines="B/-/-/-/-/-", plates=NINE))
    assert position.actor == 0
    assert listed(position) == ["0@2", "0@3"]
    play(position, "0@2")
    assert position.boards[0].colors[0] == 1 << 2
    assert position.actor == CHANCE


def test_3_5_1_refusals_of_cells() -> None:
    """Occupied, of another color, without a plate, of another line, of another kind."""
    own = seat(lines="B/BB/-/-/-/-", plates=NINE[:6], tiles={(0, 5): "R"})
    position = tiled(own)
    for text, reason in (
        ("0@5", Illegal.CELL_OCCUPIED),
        ("0@0", Illegal.CELL_OF_OTHER_COLOR),
        ("1@4", Illegal.WRONG_ROW),
        ("0+-", Illegal.WRONG_KIND),
        ("LT0", Illegal.WRONG_KIND),
        ("draw", Illegal.WRONG_KIND),
    ):
        error = refusal(position, text)
        assert error.reason is reason, text
        assert error.rule == ("3.5.1" if "CELL" in reason.name else "D29"), text
    # A special cell takes no color.
    own = seat(lines="-/TT/-/-/-/-", plates=NINE)
    assert refusal(tiled(own), "1@1").reason is Illegal.CELL_OF_OTHER_COLOR


def test_3_5_1_tiles_that_are_left_over_go_to_the_tower() -> None:
    """Four of a line of five."""
    position = tiled(seat(lines="-/-/-/-/YYYYY/-", plates=NINE))
    assert position.boards[0].colors[1] == 1 << (6 * 4 + 2)
    assert tower(position) == (0, 4, 0, 0, 0)


def test_d13_a_tile_that_has_a_cell_must_be_placed() -> None:
    """Nothing else is listed, and nothing else is accepted."""
    position = tiled(seat(lines="B/-/-/-/-/-", plates=NINE))
    assert refusal(position, "0+-").reason is Illegal.WRONG_KIND
    assert all("@" in move for move in listed(position))


# Chips ------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("chips", "color", "missing", "sets"),
    [
        ("2B", "B", 1, ["B,B"]),
        ("1B1BR", "B", 1, ["B,BR"]),
        ("1B1Y", "B", 1, []),
        ("1B1Y1R", "B", 1, ["B,Y,R"]),
        ("2B1Y", "B", 1, ["B,B", "B,B,Y"]),
        ("1Y1R1K", "B", 1, ["Y,R,K"]),
        ("2B2BR", "B", 2, ["B,B,BR,BR"]),
        ("2B1Y1BR", "B", 2, []),
        ("2B2Y1BR", "B", 2, ["B,B,Y,Y,BR"]),
        ("2B2Y1R", "B", 2, ["B,B,Y,Y,R"]),
        ("1B2Y2R", "B", 2, []),
        ("2Y2R2K", "B", 2, ["Y,Y,R,R,K,K"]),
        ("2B1Y1BR", "B", 1, ["B,B", "B,BR", "B,B,Y", "B,B,BR", "B,Y,BR"]),
        ("2BR2BK", "B", 1, ["BR,BR", "BR,BK", "BK,BK", "BR,BR,BK", "BR,BK,BK"]),
    ],
)
def test_3_5_2_which_chips_complete_a_line(
    chips: str, color: str, missing: int, sets: list[str]
) -> None:
    """Two that match for each missing tile, or any three; small sets first."""
    owned, wanted = parse_chips(chips), "BYRKT".index(color)
    found = chipset.completing_sets(owned, wanted, missing)
    assert [",".join(FACE_LETTERS[face] for face in chipset.faces(part)) for part in found] == sets
    assert chipset.can_complete(owned, wanted, missing) == bool(sets)


def test_3_5_2_by_definition_over_all_small_sets() -> None:
    """Against a plain search for a way to give each missing tile two or three chips."""

    def by_search(faces: list[int], color: str, missing: int) -> bool:
        matching = sum(color in FACE_LETTERS[face] for face in faces)
        return any(
            2 * pairs + 3 * (missing - pairs) == len(faces) and 2 * pairs <= matching
            for pairs in range(missing + 1)
        )

    everything = parse_chips("2B1Y1YT1BR1BK2YK")
    for missing in range(1, 6):
        wanted = set(chipset.completing_sets(everything, 0, missing))
        parts = [0]
        for face in range(10):
            n = chipset.count(everything, face)
            parts = [part + k * chipset.ONE_CHIP[face] for part in parts for k in range(n + 1)]
        found = {part for part in parts if by_search(chipset.faces(part), "B", missing)}
        assert wanted == found
        assert chipset.can_complete(everything, 0, missing) == bool(found)
        # What a seat spends is looked at by itself: too few are refused, and too many.
        assert {part for part in parts if chipset.completes(part, 0, missing)} == found


def test_3_2_3_two_chips_of_a_face_are_all_there_are() -> None:
    """A set of chips is a number whose fields of three bits are 0, 1 or 2."""
    for value in range(1 << 9):
        fields = (value & 7, value >> 3 & 7, value >> 6)
        assert chipset.is_set(value) == (max(fields) <= 2), fields
    assert chipset.is_set(chipset.ALL_CHIPS)
    for value in (chipset.ALL_CHIPS + 1, 1 << 30, -1, -1 << 30):
        assert not chipset.is_set(value)


def test_3_5_2_chips_complete_a_line_and_are_gone() -> None:
    """Two blue chips for one missing tile; the tile that was not there goes nowhere."""
    own = seat(lines="-/-/KK/-/-/-", plates=NINE[:6], chips="1Y2K", tiles={(2, 2): "K"})
    position = tiled(own)
    assert listed(position) == ["2+K,K", "2+Y,K,K", "2+-"]
    play(position, "2+K,K")
    assert position.boards[0].colors[3] >> 12 & 63 == 0b000101
    assert chipset.faces(position.boards[0].chips) == [1]
    # Two real tiles: one on the dome, one in the tower.
    assert tower(position) == (0, 0, 0, 1, 0)


def test_3_5_2_a_line_may_be_left_as_it_is() -> None:
    """Chips and tiles stay for the next round."""
    own = seat(lines="-/-/KK/-/-/-", plates=NINE[:6], chips="2K")
    position = play(tiled(own), "2+-")
    assert (lines(position)[2], position.boards[0].chips) == (2, parse_chips("2K"))


def test_3_5_2_an_empty_line_cannot_be_completed() -> None:
    """It has no color."""
    assert tiled(seat(lines=EMPTY_LINES, plates=NINE, chips="2B2Y2R2K2T")).actor == CHANCE


def test_3_5_2_refusals_of_chips() -> None:
    """Chips of somebody else, chips that do not fit, another line."""
    own = seat(lines="-/-/KK/-/-/-", plates=NINE[:6], chips="1Y2K")
    position = tiled(own)
    for text, reason in (
        ("2+B,B", Illegal.CHIPS_ABSENT),
        ("2+Y,K", Illegal.CHIPS_WRONG),
        ("2+K", Illegal.CHIPS_WRONG),
        ("3+K,K", Illegal.WRONG_ROW),
        ("2@0", Illegal.WRONG_KIND),
    ):
        assert refusal(position, text).reason is reason, text


def test_d9_a_chip_of_one_color_is_one_chip() -> None:
    """One blue chip and nothing else completes nothing."""
    assert not chipset.can_complete(parse_chips("1B"), 0, 1)


def test_d10_chips_complete_a_line_or_are_not_spent() -> None:
    """Two missing tiles and chips for one: no choice at all."""
    own = seat(lines="-/-/K/-/-/-", plates=NINE[:6], chips="2K")
    position = tiled(own)
    assert position.actor == CHANCE
    assert lines(position)[2] == 1
    own = seat(lines="-/-/K/-/-/-", plates=NINE[:6], chips="2K1BK1YK")
    assert refusal(tiled(own), "2+K,K").rule == "3.5.2, D10"


def test_d11_chips_are_spent_line_by_line_from_the_top() -> None:
    """What the upper line took the lower one lacks; a line that was left stays closed."""
    own = seat(lines="-/K/KK/-/-/-", plates=NINE[:6], chips="2K")
    position = tiled(own)
    assert listed(position) == ["1+K,K", "1+-"]
    assert listed(play(position.copy(), "1+-")) == ["2+K,K", "2+-"]
    # Row 1 has a black cell and a wild one.
    assert play(position, "1+K,K", "1@3").actor == CHANCE


def test_d12_no_chips_for_a_line_without_a_cell() -> None:
    """Row 2 has no blue cell and no wild one: the line breaks, chips or not."""
    own = seat(lines="-/-/BB/-/-/-", plates=NINE, chips="2B")
    position = tiled(own)
    assert position.actor == CHANCE
    assert lines(position)[2] == 0
    assert position.boards[0].chips == parse_chips("2B")


# Lines that stay and lines that break -----------------------------------------------------------


@pytest.mark.parametrize("line", ["BBB", "BB"])
def test_3_5_3_without_a_cell_tiles_wait_for_a_plate(line: str) -> None:
    """Two plates lie in that row of the dome, a third may still bring a cell."""
    own = seat(lines=f"-/-/{line}/-/-/-", plates={3: "3r0", 4: "4r0"})
    position = tiled(own)
    assert lines(position)[2] == len(line)
    assert tower(position) == (0, 0, 0, 0, 0)


@pytest.mark.parametrize("line", ["BBB", "BB", "B"])
def test_3_5_4_without_a_cell_and_with_three_plates_the_line_breaks(line: str) -> None:
    """All its tiles, and they are paid for at once."""
    own = seat(score=20, lines=f"-/-/{line}/-/-/-", plates=NINE)
    position = tiled(own)
    assert lines(position)[2] == 0
    assert position.scores[0] == 20 - (0, 1, 3, 6)[len(line)]
    assert tower(position) == (len(line), 0, 0, 0, 0)


def test_3_5_4_tiles_beyond_four_go_to_the_tower_unpaid() -> None:
    """Five tiles of a line: four spaces are paid."""
    own = seat(score=20, lines="-/-/-/-/-/RRRRRR", plates=NINE, tiles={(5, 0): "R"})
    assert tiled(own).scores[0] == 20 - 10


def test_d14_a_line_that_is_not_full_breaks_too() -> None:
    """One tile of three."""
    own = seat(score=9, lines="-/-/B/-/-/-", plates=NINE)
    assert tiled(own).scores[0] == 9 - 1


# Scoring ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("tiles", "points"),
    [
        ({}, 1),
        ({(4, 3): "B"}, 2),
        ({(3, 2): "T"}, 2),
        ({(4, 3): "B", (3, 2): "T"}, 4),
        ({(4, 3): "B", (4, 4): "T", (4, 1): "K"}, 4),
        ({(4, 4): "T", (2, 2): "K"}, 1),
        ({(5, 2): "K", (3, 2): "T", (2, 2): "K", (1, 2): "T"}, 5),
        ({(4, 0): "S", (4, 1): "K"}, 3),
    ],
)
def test_3_5_5_runs_across_and_down(tiles: dict[tuple[int, int], str], points: int) -> None:
    """Through row 4, column 2; any colors, special tiles included; gaps end a run."""
    own = seat(score=0, lines="-/-/-/-/YYYYY/-", plates=NINE, tiles=tiles)
    assert tiled(own).scores[0] == points


def test_3_5_5_upper_lines_count_for_lower_ones() -> None:
    """Row 2 places its red tile first, and the blue tile of row 3 finds it above."""
    own = seat(
        score=0,
        lines="-/-/RRR/BBBB/-/-",
        plates={3: "16r0", 4: "12r0", 5: "0r0"},
        tiles={(2, 1): "T"},
    )
    # Red beside the tile that was there: two across. Blue below red: two down.
    assert tiled(own).scores[0] == 2 + 2


def test_3_5_6_the_third_cell_of_a_special_plate_brings_a_special_tile() -> None:
    """Plate 0: Y K / T S in the top left slot. The special cell is in row 1: 2 points."""
    own = seat(
        score=0,
        lines="-/TT/-/-/-/-",
        plates=("0r0", "4r1", "8r0"),
        tiles={(0, 0): "Y", (0, 1): "K"},
    )
    position = tiled(own)
    # Plate 4 turned once shows T K / R S: T is in row 0, so row 1 has one turquoise cell.
    assert position.boards[0].specials == 1 << 7
    # Two down for the tile itself, then 2 for the special tile in row 1.
    assert position.scores[0] == 2 + 2


def test_3_5_6_a_special_tile_has_no_run_but_counts_in_later_ones() -> None:
    """The tile of a lower line sees it."""
    own = seat(
        score=0,
        lines="-/TT/BBB/-/-/-",
        plates=("0r0", "4r1", "8r0", "9r3", "3r0", "5r0"),
        tiles={(0, 0): "Y", (0, 1): "K"},
    )
    # Plate 9 turned three times shows R B / Y W in slot 3: blue in row 2, column 1.
    position = tiled(own)
    assert position.boards[0].specials == 1 << 7
    # Below the special tile: a column of three, black, special, blue.
    assert position.scores[0] == 2 + 2 + 3


def test_3_5_6_the_row_of_the_special_cell_decides_not_that_of_the_tile() -> None:
    """Plate 6 at the bottom left: S K / R B. Its special cell is in row 4: 5 points."""
    own = seat(
        score=0,
        lines="-/-/-/-/-/BBBBBB",
        plates={6: "6r0", 7: "7r0", 8: "8r3"},
        tiles={(4, 1): "K", (5, 0): "R", (5, 5): "R"},
    )
    position = tiled(own)
    assert position.boards[0].specials == 1 << 24
    assert position.scores[0] == 2 + 2 + 5


def test_3_5_6_a_special_tile_in_the_last_column_scores_its_own_row() -> None:
    """Plate 0 at the top right: Y K / T S. The special cell is the last one of row 1."""
    own = seat(
        score=0,
        lines="-/TT/-/-/-/-",
        plates={2: "0r0"},
        tiles={(0, 4): "Y", (0, 5): "K"},
    )
    position = tiled(own)
    assert position.boards[0].specials == 1 << 11
    assert position.scores[0] == 2 + 2


@pytest.mark.parametrize(
    ("broken", "first", "cost"),
    [
        ("-", 1, 0),
        ("B", 1, 1),
        ("BB", 1, 3),
        ("BBY", 1, 6),
        ("BBYK", 1, 10),
        ("-", 0, 2),
        ("BBY", 0, 8),
    ],
)
def test_3_5_7_broken_tiles_and_the_first_player_tile_cost_points(
    broken: str, first: int, cost: int
) -> None:
    """The tiles go to the tower; nothing falls below 0."""
    for score in (20, cost, 1, 0):
        boards = [seat(score=score, broken=broken), seat()]
        position = table(boards=boards, large="-/T", turn=1, first=first)
        play(position, "MTX")
        assert position.scores[0] == max(0, score - cost)
        assert position.boards[0].broken_count == 0
        assert tally.size(position.tower) == len(broken.strip("-")) + 1


def test_3_5_7_gains_of_the_round_come_before_the_penalties() -> None:
    """0 points, a gain of 1, a cost of 1: nothing is left; a gain of 1 and no cost: 1."""
    own = seat(score=0, lines="-/-/-/-/YYYYY/-", plates=NINE, broken="B")
    assert tiled(own).scores[0] == 0
    assert tiled(seat(score=0, lines="-/-/-/-/YYYYY/-", plates=NINE)).scores[0] == 1


# Form -------------------------------------------------------------------------------------------


def test_d26_boards_do_not_touch_each_other() -> None:
    """Tiling in the other order gives both seats the same."""
    own = seat(lines="B/TT/-/-/-/-", plates=NINE)
    other = seat(lines="-/-/KKK/-/YYYYY/-", plates=[f"{plate}r1" for plate in range(9, 18)])
    results = []
    for starter in (0, 1):
        position = table(boards=[own, other], large="T/-", turn=1, first=1, starter=starter)
        play(position, "LTX")
        while position.actor >= 0:
            position.play(position.legal_moves()[0])
        results.append((position.scores, [board.filled for board in position.boards]))
    assert results[0] == results[1]


def test_d29_seats_tile_in_turn_order_lines_from_the_top() -> None:
    """Chips or not, then the cell; single options are no moves."""
    own = seat(lines="B/-/KK/-/-/-", plates=NINE, chips="2K")
    other = seat(lines="B/-/-/-/-/-", plates=NINE)
    position = table(boards=[own, other], large="T/-", turn=0, first=0, starter=1)
    play(position, "LTX")
    assert position.actor == 1
    assert listed(position) == ["0@2", "0@3"]
    play(position, "0@2")
    assert position.actor == 0
    assert listed(position) == ["0@2", "0@3"]
    play(position, "0@3")
    assert listed(position) == ["2+K,K", "2+-"]
    play(position, "2+K,K")
    assert listed(position) == ["2@0", "2@2"]
    play(position, "2@2")
    assert position.actor == CHANCE


def test_d29_the_line_below_a_placed_tile_is_next() -> None:
    """No line is skipped after a choice, and a line that was tiled is empty."""
    position = play(tiled(seat(lines="B/TT/-/-/-/-", plates=NINE)), "0@2")
    assert listed(position) == ["1@0", "1@2", "1@5"]
    assert lines(position) == [0, 2, 0, 0, 0, 0]
    assert position.boards[0].line_colors[:2] == [NOBODY, 4]
    assert all(position.boards[0].is_open(0, color) for color in range(5))
    assert not any(position.boards[0].is_open(1, color) for color in range(5))


def test_d29_tiling_may_follow_a_plate_that_was_kept() -> None:
    """Nothing is due any more when the first line waits for its cell."""
    own = seat(tokens=1, lines="B/-/-/-/-/-", plates=NINE[:3])
    position = play(table(boards=[own, seat()], top="17"), "draw")
    play(position, "looker=0 faces=17", "keep0@3r0", "kept=17")
    assert listed(position) == ["0@2", "0@3"]
    assert (position.actor, position.due) == (0, NOTHING)


def test_3_6_1_nothing_of_a_round_is_left_after_its_tiling() -> None:
    """Both seats may take two chips again, and nobody is to move."""
    position = table(boards=[seat(taken=2), seat(taken=1)], large="B/-")
    play(position, "LBX")
    assert [board.chips_taken for board in position.boards] == [0, 0]
    assert (position.phase, position.mover, position.line) == (BETWEEN, NOBODY, 0)


def test_lists_of_chips_are_kept_but_not_without_end() -> None:
    """What was listed is listed again from memory, which is emptied when it has grown large."""
    position = tiled(seat(lines="-/-/KK/-/-/-", plates=NINE[:6], chips="1Y2K"))
    first = listed(position)
    offer._spends.clear()
    offer._spends.update({(at, 0, 0, 0): [] for at in range(offer._MAX_SPENDS)})
    assert listed(position) == first
    assert len(offer._spends) == 1
    moves = position.legal_moves()
    moves.clear()
    assert listed(position) == first
