"""Tables of Azul to test on: small ones written by hand, and positions reached by play."""

from collections.abc import Iterator, Sequence

import pytest
from hypothesis import strategies as st

from referee.rules import RULESETS, Deal, IllegalMove, Move, Options
from referee.rules.azul.components import FULL_BAG
from referee.rules.azul.deal import RoundDeal
from referee.rules.azul.notation import format_counts, parse_counts, parse_floor, parse_tiles
from referee.rules.azul.position import AzulPosition
from referee.rules.azul.ruleset import AzulRuleset
from referee.rules.tally import of_colors
from tests import games

EMPTY_LINES = "-/-/-/-/-"
EMPTY_WALL = "...../...../...../...../....."
EMPTY_BOARD = f"0:{EMPTY_LINES}:{EMPTY_WALL}:-"

AZUL_TABLES = [table for table in games.EVERY_TABLE if isinstance(RULESETS[table[0]], AzulRuleset)]


def ruleset(key: str) -> AzulRuleset:
    """Return a ruleset of this family."""
    found = RULESETS[key]
    assert isinstance(found, AzulRuleset)
    return found


def table(  # noqa: PLR0913  every part has a default
    key: str = "azul",
    *,
    factories: str = "-,-,-,-,-",
    center: str = "-",
    boards: Sequence[str] = (EMPTY_BOARD, EMPTY_BOARD),
    turn: str = "0",
    starter: str = "0",
    marker: str = "center",
    number: int = 2,
    cap: str = "20",
    lid: str = "-",
) -> AzulPosition:
    """Read a table from the parts that matter; the bag holds whatever lies nowhere else."""
    bag = FULL_BAG - parse_counts(lid)
    for factory in factories.split(","):
        tiles = factory.rpartition(":")[2]
        bag -= 0 if tiles == "out" else parse_tiles(tiles)
    bag -= parse_tiles(center)
    for board in boards:
        _, lines, wall, floor, *shield = board.split(":")
        bag -= sum(parse_tiles(line) for line in lines.split("/"))
        bag -= parse_tiles(wall.replace(".", "").replace("/", "") or "-")
        bag -= of_colors(tile for tile in parse_floor(floor) if tile < 5)
        bag -= parse_tiles("".join(shield).removeprefix("shield") or "-")
    seats = " ".join(f"seat{seat}={board}" for seat, board in enumerate(boards))
    return ruleset(key).parse_position(
        f"{key}/1 cap={cap} round={number} starter={starter} turn={turn} marker={marker}"
        f" factories={factories} center={center} bag={format_counts(bag)} lid={lid} {seats}"
    )


def board(
    score: int = 0,
    lines: str = EMPTY_LINES,
    wall: str = EMPTY_WALL,
    floor: str = "-",
    shield: str = "",
) -> str:
    """Write a board from the parts that matter."""
    return f"{score}:{lines}:{wall}:{floor}{shield}"


def play(position: AzulPosition, *moves: str) -> AzulPosition:
    """Play moves given in notation."""
    for move in moves:
        position.play(ruleset(position.variant.key).parse_move(move))
    return position


def refusal(position: AzulPosition, move: str) -> IllegalMove:
    """Return why a move is refused; the position must stay as it was."""
    before = str(position)
    with pytest.raises(IllegalMove) as caught:
        play(position, move)
    assert str(position) == before
    return caught.value


def listed(position: AzulPosition) -> list[str]:
    """Return the legal moves in notation."""
    return [str(move) for move in position.legal_moves()]


def deal(text: str) -> RoundDeal:
    """Read a deal."""
    return ruleset("azul").parse_deal(text)


def walk(
    key: str, seats: int, seed: int, options: Options | None = None, *, builder: bool = False
) -> Iterator[tuple[AzulPosition, Deal | Move | None]]:
    """Yield every position of a random game of this family with the step that led to it."""
    for position, step in games.walk(key, seats, seed, options, builder=builder):
        assert isinstance(position, AzulPosition)
        yield position, step


def reach(key: str, seats: int, seed: int, steps: int) -> AzulPosition:
    """Return the position after so many steps of a random game, or its last one."""
    position = games.reach(key, seats, seed, steps)
    assert isinstance(position, AzulPosition)
    return position


@st.composite
def positions(draw: st.DrawFn) -> AzulPosition:
    """Draw a position of this family that play can reach."""
    key, seats = draw(st.sampled_from(AZUL_TABLES))
    return reach(key, seats, draw(st.integers(0, 500)), draw(st.integers(0, 160)))
