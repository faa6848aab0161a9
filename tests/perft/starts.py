"""Positions to count from that are chosen by hand; everything else comes from the registry.

`STARTS` has a list for every ruleset that has any. Deals that they cross are drawn from a
seed unless they are given.
"""

from tests.perft.start import Start
from tests.perft.starts_duel import DUEL
from tests.tables import board, table

# White is missing in every row, so a white tile on any row ends the game.
NO_WHITE = "BYRK./.BYRK/K.BYR/RK.BY/YRK.B"
FOUR_SEATS = ",".join("-" * 9)


def _starters() -> list[Start]:
    """Return the three openings whose counts are published with the idea of perft for Azul."""
    return [
        Start(
            f"starter-{count}",
            f"Empty boards, marker in the center, {words}",
            str(table(factories=factories, number=1)),
        )
        for count, words, factories in (
            (30, "five factories of one color each", "BBBB,YYYY,RRRR,KKKK,WWWW"),
            (60, "two colors on each factory", "BBYY,RRKK,BBWW,YYRR,KKWW"),
            (120, "four colors on each factory", "BYRK,BYRW,BYKW,BRKW,YRKW"),
        )
    ]


def _with_any_wall(key: str) -> list[Start]:
    """Return tables of plain Azul that make sense on a colored and on a gray wall."""
    ends = [board(14, "-/W/WW/WWW/-", NO_WHITE), board(9, "-/-/-/W/WWWW", NO_WHITE)]
    poor = [board(30, "-/W/WW/W/-", NO_WHITE), *[board(20, "-/W/WW/WW/-", NO_WHITE)] * 3]
    return [
        Start(
            "full-floors",
            "Both floor lines are full: marker and tiles cost nothing, tiles go to the lid",
            str(
                table(
                    key,
                    factories="BBKW,-,-,-,-",
                    center="KR",
                    boards=[board(20, floor="YYYYRRR"), board(1, floor="WWWWWWW")],
                )
            ),
        ),
        Start(
            "one-floor-space",
            "The marker takes the last space of the floor line before the tiles fall",
            str(
                table(
                    key,
                    factories="RRKK,-,-,-,-",
                    center="YYYB",
                    boards=[board(7, "-/-/-/-/BB", floor="WWWWWW"), board(0, "K/-/-/-/-")],
                )
            ),
        ),
        Start(
            "marker-alone",
            "The center stays empty, so nobody takes the marker and the starter stays",
            str(table(key, factories="BBBB,-,KKKK,-,-", turn="1", starter="1")),
        ),
        Start(
            "claimed-lines",
            "Every line holds a color or is full, so most takes can only fall",
            str(
                table(
                    key,
                    center="BYRKW",
                    marker="1",
                    boards=[board(3, "B/Y/RR/KKK/W"), board(5, "W/KK/R/Y/BBBB", floor="M")],
                )
            ),
        ),
        Start(
            "last-tiles",
            "Two tiles are left, and both seats have full lines to tile",
            str(
                table(
                    key,
                    center="RW",
                    marker="0",
                    starter="1",
                    boards=[board(4, "K/RR/WWW/-/-", floor="MBB"), board(0, "-/YY/-/R/-")],
                )
            ),
        ),
        Start(
            "almost-full-walls",
            "A white tile completes a row: some sequences end the game, others go on",
            str(table(key, center="WWKK", boards=ends, number=6)),
        ),
        Start(
            "round-cap",
            "The second of two rounds: every sequence ends with it",
            str(table(key, factories="BBK,-,-,-,-", cap="2", boards=[board(5), board(6)])),
        ),
        Start(
            "refill",
            "The next deal empties the bag and pours the lid in, which differs by sequence",
            str(table(key, factories="BKKW,-,-,-,-", lid="18B17Y16R15K14W", number=5)),
        ),
        Start(
            "no-tiles",
            "The last tile of the game goes into a line, or one tile is dealt once more",
            str(table(key, factories="W" + FOUR_SEATS[1:], boards=poor, number=9)),
        ),
    ]


def _with_gray_wall() -> list[Start]:
    """Return tables of plain Azul whose gray walls leave choices."""
    key = "azul-gray"
    narrow = "R..../...../.BYK./...../....."
    closed = "R..../....R/.BYK./...../....."
    return [
        Start(
            "gray-choices",
            "Seat 1 started, so it tiles first; every line from the top has a choice",
            str(
                table(
                    key,
                    center="WK",
                    marker="0",
                    starter="1",
                    boards=[board(2, "B/-/BB/-/-", floor="M"), board(0, "K/RR/-/-/-")],
                )
            ),
        ),
        Start(
            "gray-tiling",
            "In the middle of tiling, floor lines still to be paid",
            str(
                table(
                    key,
                    marker="1",
                    boards=[
                        board(8, "-/YY/BBB/-/K", "B.Y../...../...../...../.....", "RR"),
                        board(3, "R/-/-/RRRR/-", floor="MK"),
                    ],
                )
            ),
        ),
        Start(
            "gray-one-column",
            "Line 2 has one column, which the choice of line 0 may take away",
            str(
                table(
                    key,
                    factories="W,-,-,-,-",
                    boards=[board(9, "R/-/RRR/-/-", narrow.replace("R....", ".....", 1)), board()],
                )
            ),
        ),
        Start(
            "gray-eviction",
            "Line 2 finds no column and falls, onto a floor line that it fills",
            str(
                table(
                    key,
                    center="WR",
                    marker="0",
                    boards=[board(30, "K/-/RRR/-/-", closed, "MKKKK"), board(0, "Y/-/-/-/-")],
                )
            ),
        ),
    ]


def _with_special_factories(key: str) -> list[Start]:
    """Return tables of Master Chocolatier for both sides of the box."""
    magnets = "factories=BBYW,RRKK,WWBB,YYRR,KKWW extra=W"
    poor = [board(30, "-/W/WW/W/-", NO_WHITE), *[board(20, "-/W/WW/WW/-", NO_WHITE)] * 3]
    return [
        Start(
            "spread",
            "Five colors on a spread factory: sixteen divisions for every take",
            str(table(key, factories="keep:-,RR,spread:BBYRKW,-,-")),
        ),
        Start(
            "spread-past-shield",
            "The neighbor of the spread factory is a shield that seat 1 owns",
            str(
                table(
                    key,
                    factories="-,spread:BYW,shield:out,RR,-",
                    boards=[board(), board(shield=":shield")],
                )
            ),
        ),
        Start(
            "spread-beside-shield",
            "The shield may go first, which changes where the spread factory sends tiles",
            str(table(key, factories="shield:BBBK,spread:BYW,-,-,-")),
        ),
        Start(
            "shield",
            "Whoever takes the shield lays one falling tile on it, not the marker",
            str(
                table(
                    key,
                    factories="magnet_red:-,-,shield:BBBBB,-,-",
                    center="KKRR",
                    boards=[board(9, floor="YYYYYY"), board(4, "W/-/-/-/-")],
                )
            ),
        ),
        Start(
            "shield-full",
            "The shield is owned and occupied, the floor line beside it is full",
            str(
                table(
                    key,
                    factories="shield:out,YR,plus_one:-,-,-",
                    center="K",
                    turn="1",
                    boards=[board(9), board(4, "W/-/-/-/-", floor="YYYYYRR", shield=":shieldB")],
                )
            ),
        ),
        Start(
            "keep",
            "What is not taken stays on the factory, so the center gets nothing",
            str(table(key, factories="keep:BYRK,-,-,plus_one:-,-", boards=[board(1), board(2)])),
        ),
        Start(
            "magnet-and-plus-one",
            "The next deal lets the discs act in the order of the circle",
            str(table(key, factories="plus_one:W,magnet_white:-,-,-,-", center="B")),
            (magnets,),
        ),
        Start(
            "no-extra-tile",
            "One tile is dealt once more, and none is left for the plus-one factory",
            str(
                table(
                    key,
                    factories="plus_one:W,keep:-,magnet_white:-,-,shield:-,-,-,-,-",
                    boards=poor,
                    number=9,
                )
            ),
        ),
    ]


def _with_special_factories_and_gray_wall() -> list[Start]:
    """Return tables where a line that falls meets a shield."""
    closed = "R..../....R/.BYK./...../....."
    return [
        Start(
            "eviction-onto-shield",
            "A line that fits no column falls, its first tile onto the shield",
            str(
                table(
                    "chocolatier-gray",
                    factories="shield:out,-,keep:-,-,WW",
                    turn="1",
                    starter="1",
                    boards=[board(9, "-/-/RRR/-/-", closed, shield=":shield"), board()],
                )
            ),
        ),
    ]


STARTS: dict[str, list[Start]] = {
    "azul": _starters() + _with_any_wall("azul"),
    "azul-gray": _with_any_wall("azul-gray") + _with_gray_wall(),
    "chocolatier": _with_special_factories("chocolatier"),
    "chocolatier-gray": _with_special_factories("chocolatier-gray")
    + _with_special_factories_and_gray_wall(),
    "duel": DUEL,
}
