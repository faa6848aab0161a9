"""The tiling of a round of Duel, which a record writes seat 0 first, whoever started.

An entry stands for every line that has a choice by the format: the cell of a full line, even
if there is one cell only, and whether chips complete a line that is not full. So the entries
are checked on copies of the boards, and the choices that our table asks for are played after.
"""

from typing import Any

from referee.rules.duel import chips as chipset
from referee.rules.duel.board import DuelBoard
from referee.rules.duel.components import CHIPS_PER_FACE, FACE_NAMES, LINES
from referee.rules.duel.dome import COLUMNS_OF
from referee.rules.duel.moves import PlaceTile, SpendChips
from referee.rules.duel.phases import PLACING, SPENDING
from referee.rules.duel.position import DuelPosition
from referee.transcript.elsewhere.finding import ABSENT, Wrong
from referee.transcript.elsewhere.values import is_int

LEAVE = "leave"


class Tiling:
    """The claimed tiling of one round, on boards that are about to be tiled."""

    def __init__(self, boards: list[DuelBoard], place: str, entries: list[Any]) -> None:
        self.boards = boards
        self.place = place
        self.entries = entries
        # By seat and line: the chips spent, and the column, None for a line that is left.
        self.choices: dict[tuple[int, int], tuple[int, int | None]] = {}

    def check(self, position: DuelPosition, stops: bool) -> bool:  # noqa: FBT001
        """Check every entry and play the choices; return False if the line breaks off."""
        at = 0
        for player, board in enumerate(self.boards):
            for line in range(LINES):
                if not _needs_entry(board, line):
                    continue
                place = f"{self.place}[{at}]"
                if at == len(self.entries):
                    if stops:
                        return False
                    expected = {"player": player, "line": line}
                    raise Wrong(place, "missing", ABSENT, expected, "3.5.1")
                choice = _check_entry(place, self.entries[at], player, board, line)
                self.choices[player, line] = choice
                _lay(board, line, choice)
                at += 1
        if at < len(self.entries):
            place = f"{self.place}[{at}]"
            raise Wrong(place, "surplus", self.entries[at], "no line has a choice", "3.5.1")
        self._play(position)
        return True

    def _play(self, position: DuelPosition) -> None:
        while position.phase in (SPENDING, PLACING):
            line = position.line
            chips, column = self.choices[position.mover, line]
            if position.phase == SPENDING:
                position.play(SpendChips(line, chips))
            else:
                assert column is not None
                position.play(PlaceTile(line, column))


def _needs_entry(board: DuelBoard, line: int) -> bool:
    """Return whether the format has an entry for a line; a line that breaks is emptied."""
    held = board.line_counts[line]
    if not held:
        return False
    color = board.line_colors[line]
    if not board.free_columns(line, color):
        if board.row_has_all_plates(line):
            board.empty_line(line)
        return False
    missing = line + 1 - held
    return not missing or chipset.can_complete(board.chips, color, missing)


def _check_entry(
    place: str, entry: object, player: int, board: DuelBoard, line: int
) -> tuple[int, int | None]:
    """Return the chips spent and the column of a claimed entry, None for a line left."""
    if not isinstance(entry, dict):
        raise Wrong(place, "type", entry, "an object")
    for name, expected in (("player", player), ("line", line)):
        value = entry.get(name, ABSENT)
        if not is_int(value) or value != expected:
            raise Wrong(place, "tiling", {name: value}, {name: expected}, "3.5.1")
    color = board.line_colors[line]
    columns = COLUMNS_OF[board.free_columns(line, color)]
    missing = line + 1 - board.line_counts[line]
    sets = chipset.completing_sets(board.chips, color, missing) if missing else []
    if "legal_count" in entry:
        count = entry["legal_count"]
        legal = len(columns) * len(sets) + 1 if missing else len(columns)
        if not is_int(count) or count != legal:
            raise Wrong(place, "legal_count", count, legal, "3.5")
    column = entry.get("column", ABSENT)
    chips = _read_chips(place, entry.get("chips", []))
    if missing and column == LEAVE:
        if chips:
            raise Wrong(place, "tiling", {"chips": entry["chips"]}, "no chips", "D10")
        return 0, None
    if not is_int(column) or column not in columns:
        expected_columns = [*columns, LEAVE] if missing else list(columns)
        raise Wrong(place, "tiling", {"column": column}, {"column": expected_columns}, "3.5.1")
    if chips not in (sets or [0]):
        raise Wrong(place, "tiling", {"chips": entry.get("chips", [])}, _expected(sets), "3.5.2")
    return chips, column


def _read_chips(place: str, faces: object) -> int:
    if not isinstance(faces, list) or not all(face in FACE_NAMES for face in faces):
        raise Wrong(place, "tiling", {"chips": faces}, "a list of chips", "3.5.2")
    numbers = [FACE_NAMES.index(face) for face in faces]
    if any(numbers.count(face) > CHIPS_PER_FACE for face in numbers):
        raise Wrong(place, "tiling", {"chips": faces}, "chips of the seat", "3.5.2")
    return chipset.of_faces(numbers)


def _expected(sets: list[int]) -> object:
    if not sets:
        return "no chips: the line is full"
    return {"chips": [FACE_NAMES[face] for face in chipset.faces(sets[0])]}


def _lay(board: DuelBoard, line: int, choice: tuple[int, int | None]) -> None:
    """Do on a board what an entry says; only what later lines look at has to be right."""
    chips, column = choice
    if column is not None:
        board.lay_tile(line, column, board.line_colors[line])
        board.empty_line(line)
        board.chips -= chips
