"""`referee check`: the format, the verdicts and their places."""

import copy
import gzip
import io
import json
import random
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from referee.transcript.elsewhere import Finding, Line, check_game, check_line, lines, read_lines
from tests.oracle.engine import Table
from tests.oracle.games import random_game

Game = dict[str, Any]


def made(key: str, seed: int, players: int = 2, policy: str = "builder") -> Game:
    """Return a right game."""
    return random_game(key, players, random.Random(seed), policy, legal=False)


AZUL = made("azul", 1)
GRAY = made("azul-gray", 2, policy="uniform")
GOLD = made("chocolatier", 5, players=3)


def found(game: object) -> Finding:
    """Return what is wrong with a game."""
    finding = check_game(game)
    assert finding is not None
    return finding


def changed(game: Game, change: Callable[[Game], object]) -> Finding:
    """Return what is wrong with a game after a change."""
    damaged = copy.deepcopy(game)
    change(damaged)
    return found(damaged)


@pytest.mark.parametrize("game", [AZUL, GRAY, GOLD], ids=["azul", "gray", "gold"])
def test_right_games_hold(game: Game) -> None:
    """Unknown fields are ignored."""
    assert check_game(game) is None
    assert check_game({**game, "comment": "from elsewhere", "rules": [1, 2]}) is None


NOT_GAMES: list[tuple[object, str | None]] = [
    (None, None),
    ([], None),
    ("azul", None),
    (7, None),
    ({}, "format"),
    ({**AZUL, "format": "azul-game/2"}, "format"),
    ({**AZUL, "ruleset": "duell"}, "ruleset"),
    ({**AZUL, "ruleset": ["azul"]}, "ruleset"),
    ({**AZUL, "rounds": {}}, "rounds"),
    ({**AZUL, "rounds": [*AZUL["rounds"][:2], 5]}, "rounds[2]"),
    ({**AZUL, "rounds": [{"starter": 0, "factories": "x", "moves": []}]}, "rounds[0].factories"),
    ({**AZUL, "rounds": [{**AZUL["rounds"][0], "moves": None}]}, "rounds[0].moves"),
    ({**AZUL, "rounds": [{**AZUL["rounds"][0], "scores_after": 3}]}, "rounds[0].scores_after"),
    ({**GRAY, "rounds": [{**GRAY["rounds"][0], "tiling": {}}]}, "rounds[0].tiling"),
    ({**GOLD, "special": "keep"}, "special"),
    ({name: value for name, value in AZUL.items() if name != "winners"}, "winners"),
    ({**AZUL, "final_scores": 10}, "final_scores"),
]


@pytest.mark.parametrize(("game", "place"), NOT_GAMES)
def test_what_is_no_game(game: object, place: str | None) -> None:
    """A missing or mistyped container is a matter of format."""
    finding = found(game)
    assert (finding.place, finding.reason, finding.is_format) == (place, "format", True)


def as_bools(game: Game) -> list[Any]:
    """Return the legal moves of the first move, with false in the place of 0."""
    table = Table("azul", 2, None, game["rounds"][0]["starter"])
    table.deal(game["rounds"][0]["factories"], None)
    legal = table.legal_takes()
    assert check_game({**game, "rounds": [with_legal(game, legal), *game["rounds"][1:]]}) is None
    return [[False if value == 0 else value for value in entry] for entry in legal]


def with_legal(game: Game, legal: list[Any]) -> Game:
    """Return the first round with that list of legal moves."""
    first, *others = game["rounds"][0]["moves"]
    return {**game["rounds"][0], "moves": [{**first, "legal": legal}, *others]}


FINDINGS: list[tuple[Game, Callable[[Game], object], str, str]] = [
    (AZUL, lambda g: g.update(players=5), "players", "players"),
    (AZUL, lambda g: g.pop("players"), "players", "players"),
    (AZUL, lambda g: g.update(players=True), "players", "players"),
    (GOLD, lambda g: g["special"].append(None), "special", "special"),
    (GOLD, lambda g: g.update(special=[7] * 7), "special", "special"),
    (GOLD, lambda g: g.update(special=[None] * 4 + ["keep", "spread", "gold"]), "special", "special"),
    (GOLD, lambda g: g.update(special=[None] * 4 + ["keep", "spread", ["shield"]]), "special", "special"),
    (GOLD, lambda g: g.update(special=[None] * 4 + ["keep", "spread", "spread"]), "special", "special"),
    (AZUL, lambda g: g["rounds"][0].pop("starter"), "rounds[0].starter", "starter"),
    (AZUL, lambda g: g["rounds"][0].update(starter=2), "rounds[0].starter", "starter"),
    (
        AZUL,
        lambda g: g["rounds"][1].update(starter=1 - g["rounds"][1]["starter"]),
        "rounds[1].starter",
        "starter",
    ),
    (AZUL, lambda g: g["rounds"][0]["factories"].pop(), "rounds[0].factories", "deal"),
    (AZUL, lambda g: g["rounds"][0]["factories"][0].pop(), "rounds[0].factories", "deal"),
    (AZUL, lambda g: g["rounds"][0]["factories"].__setitem__(0, ["blue"] * 40), "rounds[0].factories", "deal"),
    (AZUL, lambda g: g["rounds"][0].update(scores_after=[float(s) for s in g["rounds"][0]["scores_after"]]), "rounds[0].scores_after", "score"),
    (AZUL, lambda g: g.update(winners=[bool(w) for w in g["winners"]]), "winners", "winners"),
    (AZUL, lambda g: g["rounds"][0]["moves"][0].update(legal=as_bools(g)), "rounds[0].moves[0]", "legal"),
    (GRAY, lambda g: g["rounds"][0]["tiling"][0].update(player=False), "rounds[0].tiling[0]", "tiling"),
    (AZUL, lambda g: g["rounds"][0]["factories"][0].append("red"), "rounds[0].factories", "deal"),
    (AZUL, lambda g: g["rounds"][0]["factories"].__setitem__(2, 4), "rounds[0].factories", "deal"),
    (AZUL, lambda g: g["rounds"][0]["factories"][0].__setitem__(0, "x"), "rounds[0].factories", "deal"),
    (AZUL, lambda g: g["rounds"][0].update(extra="red"), "rounds[0].extra", "deal"),
    (AZUL, lambda g: g["rounds"][0].update(extra="absent"), "rounds[0].extra", "deal"),
    (AZUL, lambda g: g["rounds"][0].update(extra=3), "rounds[0].extra", "deal"),
    (AZUL, lambda g: g["rounds"][0]["moves"].__setitem__(3, "x"), "rounds[0].moves[3]", "type"),
    (AZUL, lambda g: g["rounds"][0]["moves"][0].pop("player"), "rounds[0].moves[0]", "player"),
    (AZUL, lambda g: g["rounds"][0]["moves"][0].update(legal_count=1), "rounds[0].moves[0]", "legal_count"),
    (AZUL, lambda g: g["rounds"][0]["moves"][0].update(legal_count=None), "rounds[0].moves[0]", "legal_count"),
    (AZUL, lambda g: g["rounds"][0]["moves"][0].update(legal=[]), "rounds[0].moves[0]", "legal"),
    (AZUL, lambda g: g["rounds"][0]["moves"][0].update(legal="all"), "rounds[0].moves[0]", "legal"),
    (AZUL, lambda g: g["rounds"][0]["moves"][0].update(source=5), "rounds[0].moves[0]", "move"),
    (AZUL, lambda g: g["rounds"][0]["moves"][0].update(source="middle"), "rounds[0].moves[0]", "move"),
    (AZUL, lambda g: g["rounds"][0]["moves"][0].update(color="pink"), "rounds[0].moves[0]", "move"),
    (AZUL, lambda g: g["rounds"][0]["moves"][0].update(color=["red"]), "rounds[0].moves[0]", "move"),
    (AZUL, lambda g: g["rounds"][0]["moves"][0].update(line=5), "rounds[0].moves[0]", "move"),
    (AZUL, lambda g: g["rounds"][0]["moves"][0].update(line=1.0), "rounds[0].moves[0]", "move"),
    (AZUL, lambda g: g["rounds"][0]["moves"][0].update(left="red"), "rounds[0].moves[0]", "move"),
    (AZUL, lambda g: g["rounds"][0]["moves"][0].update(left=["pink"]), "rounds[0].moves[0]", "move"),
    (AZUL, lambda g: g["rounds"][0]["moves"][0].update(left=["red", "red"]), "rounds[0].moves[0]", "move"),
    (AZUL, lambda g: g["rounds"][0]["moves"][0].update(left=["red"]), "rounds[0].moves[0]", "illegal"),
    (AZUL, lambda g: g["rounds"][0]["moves"][0].update(source="center"), "rounds[0].moves[0]", "illegal"),
    (AZUL, lambda g: g["rounds"][0]["moves"].pop(), f"rounds[0].moves[{len(AZUL['rounds'][0]['moves']) - 1}]", "missing"),
    (AZUL, lambda g: g["rounds"][0]["moves"].append(1), f"rounds[0].moves[{len(AZUL['rounds'][0]['moves'])}]", "surplus"),
    (AZUL, lambda g: g["rounds"][0]["scores_after"].append(0), "rounds[0].scores_after", "score"),
    (AZUL, lambda g: g["rounds"][0]["scores_after"].__setitem__(0, 99), "rounds[0].scores_after", "score"),
    (AZUL, lambda g: g["rounds"].pop(), f"rounds[{len(AZUL['rounds']) - 1}]", "missing"),
    (AZUL, lambda g: g["rounds"].append(g["rounds"][0]), f"rounds[{len(AZUL['rounds'])}]", "surplus"),
    (AZUL, lambda g: g.update(unfinished="no"), "unfinished", "type"),
    (AZUL, lambda g: g.update(unfinished=True), "unfinished", "over"),
    (AZUL, lambda g: (g.update(unfinished=True), g["rounds"].pop()), "final_scores", "unfinished"),
    (AZUL, lambda g: g["final_scores"].__setitem__(0, 500), "final_scores", "score"),
    (AZUL, lambda g: g["complete_rows"].reverse() or g["complete_rows"].append(0), "complete_rows", "complete_rows"),
    (AZUL, lambda g: g.update(winners=[0, 1]), "winners", "winners"),
    (AZUL, lambda g: g.update(winners=["0"]), "winners", "winners"),
    (AZUL, lambda g: g.update(winners=[g["winners"][0]] * 2), "winners", "winners"),
    (GRAY, lambda g: g["rounds"][0]["tiling"].pop(), f"rounds[0].tiling[{len(GRAY['rounds'][0]['tiling']) - 1}]", "missing"),
    (GRAY, lambda g: g["rounds"][0]["tiling"].append({}), f"rounds[0].tiling[{len(GRAY['rounds'][0]['tiling'])}]", "surplus"),
    (GRAY, lambda g: g["rounds"][0]["tiling"].__setitem__(0, None), "rounds[0].tiling[0]", "type"),
    (GRAY, lambda g: g["rounds"][0]["tiling"][0].update(row=9), "rounds[0].tiling[0]", "tiling"),
    (GRAY, lambda g: g["rounds"][0]["tiling"][0].update(column="floor"), "rounds[0].tiling[0]", "tiling"),
    (GRAY, lambda g: g["rounds"][0]["tiling"][0].update(column=5), "rounds[0].tiling[0]", "tiling"),
    (GRAY, lambda g: g["rounds"][0]["tiling"][0].update(column=True), "rounds[0].tiling[0]", "tiling"),
]  # fmt: skip


@pytest.mark.parametrize(("game", "change", "place", "reason"), FINDINGS)
def test_findings(game: Game, change: Callable[[Game], object], place: str, reason: str) -> None:
    """One thing changed, found at its place with its word."""
    finding = changed(game, change)
    assert (finding.place, finding.reason) == (place, reason)
    assert not finding.is_format


def test_an_illegal_move_cites_its_rule() -> None:
    """With a sentence for people."""
    finding = changed(AZUL, lambda g: g["rounds"][0]["moves"][0].update(source="center"))
    assert finding.rule == "1.3.2"
    assert "the center holds no" in finding.expected


def test_an_evicted_line_must_be_written_as_floor() -> None:
    """V4: a column where no cell is left is wrong."""
    for seed in range(200):
        game = made("azul-gray", seed, policy="nofloor")
        for number, claims in enumerate(game["rounds"]):
            for index, entry in enumerate(claims["tiling"]):
                if entry["column"] == "floor":
                    entry["column"] = 0
                    finding = found(game)
                    assert finding.place == f"rounds[{number}].tiling[{index}]"
                    assert finding.rule == "V4"
                    return
    raise AssertionError("no line was evicted in 200 games")


def test_more_tiles_of_a_color_than_a_tally_holds() -> None:
    """Four players, nine factories of one color, when fewer than twenty are left."""
    game = made("azul", 3, players=4)
    game["rounds"][1]["factories"] = [["blue"] * 4 for _ in range(9)]
    finding = found(game)
    assert (finding.place, finding.rule) == ("rounds[1].factories", "A13")


def test_a_wrong_starter_comes_before_a_wrong_factory() -> None:
    """The order of the checks, within the deal of a round."""

    def twice(game: Game) -> None:
        game["rounds"][1]["starter"] = 1 - game["rounds"][1]["starter"]
        game["rounds"][1]["factories"][0][0] = "purple"

    assert changed(AZUL, twice).place == "rounds[1].starter"


def test_a_colored_wall_has_no_tiling_to_look_at() -> None:
    """The field is unknown there, so it is ignored, even where a game stops."""
    last = {**AZUL["rounds"][0], "moves": AZUL["rounds"][0]["moves"][:3], "tiling": [1]}
    del last["scores_after"]
    cut = {k: v for k, v in AZUL.items() if k not in ("final_scores", "complete_rows", "winners")}
    assert check_game({**cut, "unfinished": True, "rounds": [last]}) is None
    whole = copy.deepcopy(AZUL)
    whole["rounds"][0]["tiling"] = "nothing"
    assert check_game(whole) is None


def test_the_first_wrong_thing_is_reported() -> None:
    """Of two damages the earlier one, in the order of the checks."""

    def twice(game: Game) -> None:
        game["rounds"][1]["scores_after"] = [99, 99]
        game["rounds"][0]["moves"][2]["player"] = 7

    assert changed(AZUL, twice).place == "rounds[0].moves[2]"


def test_only_the_last_round_may_lack_its_scores() -> None:
    """An unfinished game stops once, at its end."""
    cut = {k: v for k, v in AZUL.items() if k not in ("final_scores", "complete_rows", "winners")}
    first = {k: v for k, v in AZUL["rounds"][0].items() if k != "scores_after"}
    finding = found({**cut, "unfinished": True, "rounds": [first, AZUL["rounds"][1]]})
    assert (finding.place, finding.is_format) == ("rounds[0].scores_after", True)


def test_order_of_winners_has_no_meaning() -> None:
    """Shared victories may be named in any order."""
    for seed in range(300):
        game = made("azul", seed, policy="uniform")
        if len(game["winners"]) == 2:
            game["winners"].reverse()
            assert check_game(game) is None
            return
    raise AssertionError("no shared victory in 300 games")


def test_an_unfinished_game_may_stop_after_any_decision() -> None:
    """Every prefix of a right game holds, the last round with or without its empty lists."""
    for game in (AZUL, GRAY, GOLD):
        cut = {
            k: v for k, v in game.items() if k not in ("final_scores", "complete_rows", "winners")
        }
        cut["unfinished"] = True
        for number, claims in enumerate(game["rounds"]):
            head = game["rounds"][:number]
            deal = {k: v for k, v in claims.items() if k in ("starter", "factories", "extra")}
            assert check_game({**cut, "rounds": head}) is None
            assert check_game({**cut, "rounds": [*head, deal]}) is None
            for length in range(len(claims["moves"]) + 1):
                last = {**deal, "moves": claims["moves"][:length]}
                assert check_game({**cut, "rounds": [*head, last]}) is None
            for length in range(len(claims.get("tiling", [])) + 1):
                last = {
                    **deal,
                    "moves": claims["moves"],
                    "tiling": claims.get("tiling", [])[:length],
                }
                assert check_game({**cut, "rounds": [*head, last]}) is None


# Lines and files ----------------------------------------------------------------------------


def verdict(content: bytes) -> Finding | None:
    """Return the verdict on one line."""
    return check_line(Line("f", 1, content)).finding


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (b"{", "not JSON"),
        (b"\xff\xfe{}", "byte 0 is not UTF-8"),
        (b'{"id": NaN}', "NaN is no number of JSON"),
        (b"[" * 100_000, "nests too deeply"),
        (b'{"a": 1} {"b": 2}', "not JSON"),
        (b'{"id": "\x00"}', "not JSON"),
    ],
)
def test_lines_that_are_no_json(content: bytes, words: str) -> None:
    """A reason instead of a traceback."""
    finding = verdict(content)
    assert finding is not None
    assert finding.is_format
    assert words in finding.claimed


HUGE = "9" * 5000


@pytest.mark.parametrize("number", [HUGE, "-" + HUGE, "1e999", "-1e999", f"{HUGE}.5"])
def test_numbers_that_python_cannot_hold(number: str) -> None:
    """JSON all the same: a finding at their place, harmless where anything may stand."""
    text = json.dumps(AZUL)
    harmless = text.replace(json.dumps(AZUL["id"]), number, 1)
    assert harmless != text
    assert verdict(harmless.encode()) is None
    wrong = verdict(text.replace('"players": 2', f'"players": {number}', 1).encode())
    assert wrong is not None
    assert (wrong.place, wrong.reason) == ("players", "players")
    json.dumps(wrong.claimed, allow_nan=False)


@given(st.binary(max_size=200))
def test_no_bytes_make_the_checker_raise(content: bytes) -> None:
    """Whatever a line holds, there is a verdict."""
    finding = verdict(content)
    assert finding is not None
    assert finding.is_format


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=5)
    | st.sampled_from(["red", "center", "floor", "keep", "azul"]),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=5), inner, max_size=4),
    max_leaves=8,
)  # fmt: skip


def places(value: Any, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    """Return the path to everything inside a game."""
    found = [path] if path else []
    if isinstance(value, dict):
        for name, inner in value.items():
            found += places(inner, (*path, name))
    elif isinstance(value, list):
        for index, inner in enumerate(value):
            found += places(inner, (*path, index))
    return found


@given(st.sampled_from([AZUL, GRAY, GOLD]), st.data())
def test_no_value_anywhere_makes_the_checker_raise(game: Game, data: st.DataObject) -> None:
    """Any JSON in any place: a verdict, and one that can be written as JSON."""
    damaged = copy.deepcopy(game)
    path = data.draw(st.sampled_from(places(damaged)))
    holder: Any = damaged
    for step in path[:-1]:
        holder = holder[step]
    holder[path[-1]] = data.draw(JSON)
    finding = check_game(damaged)
    if finding is not None:
        json.dumps([finding.claimed, finding.expected])


def test_plain_and_gzip_files_and_blank_lines(tmp_path: Path) -> None:
    """Numbers count lines of the file; a byte order mark and a missing last newline are fine."""
    text = b"\xef\xbb\xbf" + json.dumps(AZUL).encode() + b"\n\n  \n" + json.dumps(GRAY).encode()
    plain, packed = tmp_path / "games.jsonl", tmp_path / "games.of.any.name"
    plain.write_bytes(text)
    packed.write_bytes(gzip.compress(text))
    for file in (plain, packed):
        reports = [check_line(line) for line in read_lines(str(file))]
        assert [report.line.number for report in reports] == [1, 4]
        assert [report.finding for report in reports] == [None, None]


def test_damaged_gzip_is_read_as_far_as_it_goes(tmp_path: Path) -> None:
    """The lines before the damage count, the damage has a line of its own."""
    file = tmp_path / "cut.gz"
    packed = gzip.compress(b"\n".join(json.dumps(AZUL).encode() for _ in range(300)))
    file.write_bytes(packed[: len(packed) * 3 // 4])
    read = list(read_lines(str(file)))
    assert len(read) > 100
    assert all(line.problem is None for line in read[:-1])
    assert "gzip" in (read[-1].problem or "")
    assert [line.number for line in read] == list(range(1, len(read) + 1))


class Trickle(io.RawIOBase):
    """A pipe that brings one byte at a time."""

    def __init__(self, data: bytes) -> None:
        self.data = data

    def readable(self) -> bool:
        """Return True."""
        return True

    def readinto(self, buffer: Any) -> int:
        """Bring one byte."""
        one, self.data = self.data[:1], self.data[1:]
        buffer[: len(one)] = one
        return len(one)


@pytest.mark.parametrize("pack", [bytes, gzip.compress])
def test_a_slow_pipe(pack: Callable[[bytes], bytes], monkeypatch: pytest.MonkeyPatch) -> None:
    """Gzip is told by its first two bytes, even when they come one by one."""
    text = b'{"a": 1}\n{"b": 2}\n'
    stdin = io.TextIOWrapper(io.BufferedReader(Trickle(pack(text))))
    monkeypatch.setattr("sys.stdin", stdin)
    assert [line.content for line in read_lines("-")] == [b'{"a": 1}\n', b'{"b": 2}\n']


@pytest.mark.parametrize("content", [b"", b"x", b"\x1f", b"\n"])
def test_tiny_files(content: bytes, tmp_path: Path) -> None:
    """Shorter than the mark of gzip."""
    file = tmp_path / "tiny"
    file.write_bytes(content)
    assert [line.content for line in read_lines(str(file))] == (
        [content] if content.strip() else []
    )


def test_files_that_cannot_be_read(tmp_path: Path) -> None:
    """Missing files and folders are reported, not raised."""
    for path in (tmp_path / "missing", tmp_path):
        (line,) = read_lines(str(path))
        assert line.problem
        assert check_line(line).finding is not None


def test_a_line_that_is_too_long_is_passed_over(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The lines after it are read."""
    monkeypatch.setattr(lines, "MAX_LINE_BYTES", 1000)
    file = tmp_path / "long.jsonl"
    file.write_bytes(b"x" * 5500 + b"\n{}\n" + b"y" * 1001)
    read = list(read_lines(str(file)))
    assert [(line.number, line.problem is None) for line in read] == [
        (1, False),
        (2, True),
        (3, False),
    ]
