"""The draws of Azul Duel: whole games, the rare cases, and goals.

The rule is spelled out in `duel_rule`. The kinds of chips have the numbers 0 to 9, in the
order of docs/draws.md.
"""

from collections.abc import Callable
from itertools import chain, count

from referee import draws
from referee.rules import Purpose
from tests.draws import duel_rule
from tests.draws.duel_rule import Entry
from tests.draws.samples import sample

FULL_BAG = [13] * 5
EMPTY = [0] * 5
CHIPS = [kind for kind in range(10) for _ in range(2)]


def _plates(unseen: str, top: int | None, display: str = "", returned: str = "") -> Entry:
    return {
        "unseen": [int(plate) for plate in unseen.split()],
        "top": top,
        "display": [int(plate) for plate in display.split()],
        "returned": [int(plate) for plate in returned.split()],
    }


BEFORE = {
    1: _plates("0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17", None),
    2: _plates("0 2 3 5 8 9 11 14 16", 6, "17 1"),
    3: _plates("1 4 9 12", 15, "7", "10 0"),
    4: _plates("3 13", 8, "11"),
    5: _plates("", None),
}
Turn = tuple[str, int, list[int]]


def _chips_before(case: str, round_number: int) -> list[int]:
    """Return chips that might be left: some kinds twice, some once, some gone."""
    rest = list(CHIPS)
    for at in sample(f"duel chips {case}")[: 4 * (round_number - 1)]:
        del rest[at % len(rest)]
    return rest


def _round(  # noqa: PLR0913
    case: str,
    key: bytes,
    round_number: int,
    *,
    bag: list[int],
    tower: list[int],
    plates: Entry | None = None,
    chips: list[int] | None = None,
    first_player: int | None = None,
    goal_count: int | None = None,
    turns: tuple[Turn, ...] = (),
) -> Entry:
    """Draw a round and what its turns draw from the stack."""
    streams = draws.RoundStreams(key)
    entry: Entry = {
        "case": case,
        "round_key": key.hex(),
        "round": round_number,
        "first_player": first_player,
        "goal_count": goal_count,
        "bag": bag,
        "tower": tower,
        "plates": BEFORE[round_number] if plates is None else plates,
        "chips": _chips_before(case, round_number) if chips is None else chips,
        "starter": None,
        "goals": None,
    }
    if round_number == 1:
        entry["starter"] = first_player
        if first_player is None:
            entry["starter"] = streams.stream(Purpose.FIRST_PLAYER).uniform(2)
        if goal_count is not None:
            entry["goals"] = duel_rule.goals(goal_count, streams.stream(Purpose.GOALS))["goals"]
    entry |= duel_rule.tiles(bag, tower, streams.stream(Purpose.TILES))
    stack = duel_rule.Plates(entry["plates"], streams.stream(Purpose.PLATES))
    entry["shown"] = stack.prepare()
    entry["plates_after"] = stack.state()
    rest, chance = list(entry["chips"]), streams.stream(Purpose.CHIPS)
    entry["laid"] = [rest.pop(chance.uniform(len(rest))) for _ in range(4)]
    entry["chips_after"] = rest
    entry["steps"] = [step for turn in turns for step in stack.turn(*turn)]
    entry["plates_end"] = stack.state()
    return entry


def _game(name: str, turns: tuple[tuple[Turn, ...], ...], **setup: int | None) -> list[Entry]:
    """Return the five rounds of one game; what it leaves behind begins the next round.

    Half of the tiles of each color go into the tower, and the others stay on the boards.
    """
    match_key = draws.fixed_match_key(sample(f"duel {name}"))
    entries: list[Entry] = []
    bag, tower, plates, chips = FULL_BAG, EMPTY, BEFORE[1], CHIPS
    for number in range(1, 6):
        entry = _round(
            f"{name}, round {number}",
            draws.round_key(match_key, number, [None, None]),
            number,
            bag=bag,
            tower=tower,
            plates=plates,
            chips=chips,
            turns=turns[number - 1],
            first_player=setup["first_player"],
            goal_count=setup["goal_count"] if number == 1 else None,
        )
        entries.append(entry)
        bag, plates, chips = entry["bag_after"], entry["plates_end"], entry["chips_after"]
        dealt = [*entry["large"], *chain(*entry["small"])]
        tower = [left + dealt.count(color) // 2 for color, left in enumerate(entry["tower_after"])]
    return entries


def _start(case: str, first_player: int | None = None, goal_count: int | None = None) -> Entry:
    """Return the first round of a game."""
    return _round(
        case,
        sample(f"duel {case}"),
        1,
        bag=FULL_BAG,
        tower=EMPTY,
        first_player=first_player,
        goal_count=goal_count,
    )


def _search(
    case: str,
    round_number: int,
    bag: list[int],
    tower: list[int],
    wanted: Callable[[Entry], bool] = lambda _: True,
) -> Entry:
    """Return the round of the first counter that gives what is wanted."""
    for counter in count():
        key = sample(f"duel {case} {counter}")
        stream = draws.RoundStreams(key).stream(Purpose.TILES)
        if wanted(duel_rule.tiles(bag, tower, stream)):
            return _round(case, key, round_number, bag=bag, tower=tower)
    raise AssertionError(case)


# Openings are the picks of the two players; later a player takes from the display or draws.
OPENING: tuple[Turn, ...] = (("opening", 0, []), ("opening", 2, []))
MANY_DRAWS: tuple[tuple[Turn, ...], ...] = (
    (*OPENING, ("draw", 1, [0]), ("take", 1, []), ("take", 0, []), ("draw", 0, [])),
    (("draw", 0, [2, 1]), ("take", 2, []), ("draw", 0, []), ("take", 0, [])),
    # The whole stack is drawn: the plates never seen, then those returned before.
    (("draw", 2, [4, 0, 3, 1]), ("take", 0, []), ("take", 0, []), ("draw", 1, [0])),
    (("take", 0, []), ("draw", 0, []), ("take", 1, []), ("take", 0, [])),
    (),
)
_FEW: tuple[Turn, ...] = (("take", 1, []), ("take", 0, []), ("draw", 0, []), ("take", 0, []))
FEW_DRAWS = ((*OPENING, *_FEW), _FEW, _FEW, _FEW, ())


def rounds() -> list[Entry]:
    """Return two whole games, and single rounds that hold the rare cases."""
    return [
        *_game("a game of many draws", MANY_DRAWS, first_player=None, goal_count=3),
        *_game("a game of few draws", FEW_DRAWS, first_player=1, goal_count=4),
        _start("a random first player"),
        _start("another random first player"),
        _start("the second seat is named", first_player=1),
        _start("the first seat is named, three random goals", first_player=0, goal_count=3),
        _start("a random first player and four random goals", goal_count=4),
        _search("a redraw in round 1", 1, FULL_BAG, EMPTY, lambda e: e["redraws"] != []),
        _search(
            "a redraw that leaves the tower alone",
            3,
            [12, 4, 3, 2, 3],
            [0, 5, 1, 6, 2],
            lambda e: e["redraws"] == [0],
        ),
        _search(
            "two redraws, one color and then another",
            3,
            [11, 0, 12, 0, 1],
            EMPTY,
            lambda e: e["redraws"] == [2, 0],
        ),
        _search(
            "three redraws", 4, [0, 1, 0, 12, 0], [2, 3, 0, 0, 4], lambda e: len(e["redraws"]) == 3
        ),
        _search("a redraw after which the tower is poured", 4, [0, 0, 8, 0, 0], [3, 2, 4, 1, 0]),
        _search(
            "two redraws, the tower poured after the first",
            3,
            [0, 0, 0, 0, 5],
            [0, 2, 1, 0, 7],
            lambda e: len(e["redraws"]) == 2,
        ),
        _search(
            "a pour in the middle of the large factory and then a redraw",
            4,
            [2, 0, 0, 0, 0],
            [7, 1, 1, 0, 2],
            lambda e: len(e["redraws"]) == 1,
        ),
        _search(
            "five of the only color in bag and tower are kept", 5, [0, 6, 0, 0, 0], [0, 7, 0, 0, 0]
        ),
        _search(
            "the same, the tower poured while they are drawn", 4, [0, 0, 0, 2, 0], [0, 0, 0, 5, 0]
        ),
        _search("the last five are alike and are kept", 4, [0, 0, 0, 0, 5], EMPTY),
        _search("a pour in the middle of the large factory", 4, [1, 0, 1, 0, 0], [4, 9, 6, 8, 5]),
        _search("a pour after the large factory", 4, [1, 2, 0, 1, 1], [6, 4, 5, 5, 8]),
        _search("a pour in the middle of a small factory", 5, [2, 3, 1, 4, 1], [5, 2, 4, 1, 6]),
        _search("an empty bag and a full tower", 4, EMPTY, [7, 6, 8, 5, 9]),
        _search("a short deal", 5, [1, 0, 2, 0, 1], [0, 3, 1, 1, 1]),
        _search("fewer than five, all alike, stay", 4, [1, 0, 0, 0, 0], [2, 0, 0, 0, 0]),
        _search("bag and tower are empty", 5, EMPTY, EMPTY),
        _round(
            "the last plate never seen, then those returned",
            sample("duel returned"),
            3,
            bag=[3, 1, 0, 2, 4],
            tower=[5, 4, 6, 7, 3],
            plates=_plates("7", 12, "0 16 3", "5 14 9"),
            turns=(
                ("draw", 1, [2, 0]),
                ("draw", 3, [1, 2, 0]),
                ("take", 2, []),
                ("take", 0, []),
            ),
        ),
        _round(
            "a stack of returned plates only",
            sample("duel returned only"),
            4,
            bag=[1, 1, 1, 0, 2],
            tower=[3, 4, 2, 6, 5],
            plates=_plates("", 17, "", "2 11 6"),
            turns=(("take", 2, []), ("draw", 0, []), ("take", 0, []), ("take", 0, [])),
        ),
    ]


def goals() -> list[Entry]:
    """Return draws of three and of four goal tokens."""
    entries = []
    for at in range(8):
        key = sample(f"duel goals {at}")
        drawn = duel_rule.goals(3 + at % 2, draws.RoundStreams(key).stream(Purpose.GOALS))
        entries.append({"round_key": key.hex(), "goal_count": 3 + at % 2, **drawn})
    return entries
