"""`referee dispute` as a person and a program run it."""

import json
import re
import shlex
import textwrap
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from referee.cli.main import cli
from referee.transcript.dispute.claims import KINDS, read_claim
from referee.transcript.dispute.copies import Comparison
from referee.transcript.dispute.verdict import Verdict
from referee.transcript.verify import Verdict as VerifyVerdict
from tests.cli.test_cli import run
from tests.transcript import wrongs
from tests.transcript.forge import Frames, forged, records_of
from tests.transcript.scene import KEY, OTHER_KEY
from tests.transcript.wrongs import golden


def dispute(*arguments: object, stdin: str | None = None) -> Result:
    """Run the command in this process; nothing may escape it but an exit code."""
    result = CliRunner().invoke(cli, ["dispute", *map(str, arguments)], input=stdin)
    assert result.exception is None or isinstance(result.exception, SystemExit)
    return result


def as_json(*arguments: object) -> dict[str, Any]:
    """Run the command for a program; its exit code stands in the object, too."""
    result = dispute(*arguments, "--json")
    found: dict[str, Any] = json.loads(result.stdout)
    assert found["exit_code"] == result.exit_code
    return found


@pytest.fixture
def good(tmp_path: Path) -> Path:
    """Return a file with a right record."""
    path = tmp_path / "good.azt"
    path.write_bytes(golden("azul-2"))
    return path


@pytest.fixture
def bad(tmp_path: Path) -> Path:
    """Return a file in which the ranks are swapped, signed by the referee."""
    path = tmp_path / "bad.azt"
    path.write_bytes(forged(golden("azul-2"), wrongs.swap_ranks))
    return path


def test_exit_codes_are_of_one_list() -> None:
    """Those of `dispute` and of `verify` are different, but for 0, and mean one thing each."""
    ours = {each.value for each in (*Verdict, *Comparison)} - {0}
    assert ours == {20, 21, 22, 23}
    assert not ours & {each.value for each in VerifyVerdict}


def test_an_upheld_claim(good: Path) -> None:
    """The text names the verdict, the rule, the reason and what becomes of the result."""
    result = dispute(good, "--claim", "winner 0", "--key", KEY.public.hex())
    assert result.exit_code == 0
    assert result.stdout.splitlines()[1:] == [
        'record upheld, claim "winner 0" refuted: UPHELD (1.6.3, A11, A12)',
        "  The winner is seat 1 by re-play, as recorded, not seat 0.",
        "  result: the recorded one stands",
    ]
    assert "signed by the pinned key" in result.stdout


def test_an_overturned_claim(bad: Path) -> None:
    """The corrected result is printed as a table."""
    result = dispute(bad, "--claim", "winner 1")
    assert result.exit_code == 20
    assert result.stdout.splitlines()[1:] == [
        'record overturned, claim "winner 1" confirmed: OVERTURNED (1.6.3, A11, A12)',
        "  The winner is seat 1 by re-play, as claimed; the record says seat 0.",
        "  result: it changes; the corrected one is",
        "    agent-0 (seat 0): rank 2, 4 points (rows 0, columns 0, colors 0)",
        "    agent-1 (seat 1): rank 1, 9 points (rows 2, columns 0, colors 0)",
        "    winner: 1; ended by complete_row",
    ]


@pytest.mark.parametrize(
    ("file", "claim", "says"),
    [
        ("good", "winner 1", 'record upheld, claim "winner 1" says the same: UPHELD'),
        ("good", "tiles", 'record upheld, claim "tiles" refuted: UPHELD'),
        ("bad", "winner 0,1", 'record overturned, claim "winner 0,1" wrong as well: OVERTURNED'),
        ("bad", "anything", 'record overturned, claim "anything" confirmed: OVERTURNED'),
        ("good", "time 0", 'record not decisive, claim "time 0" left open: INCONCLUSIVE'),
    ],
)
def test_the_first_line_is_about_the_record_and_about_the_claim(
    good: Path, bad: Path, file: str, claim: str, says: str
) -> None:
    """Nobody takes the verdict on the one for that on the other."""
    result = dispute({"good": good, "bad": bad}[file], "--claim", claim)
    assert result.stdout.splitlines()[1].partition(" (")[0] == says


def test_the_whole_record_is_judged_without_a_claim(good: Path, bad: Path) -> None:
    """An organiser need not know what is wrong."""
    assert dispute(good).exit_code == 0
    assert dispute(bad).exit_code == 20
    found = as_json(bad)
    assert found["rulings"][0]["claim"] == {"claim": "anything"}
    assert found["rulings"][0]["corrected_result"]["winners"] == [1]


def test_json_has_everything(bad: Path) -> None:
    """A program finds claim, verdict, values, rule and corrected result in fields."""
    found = as_json(bad, "--claim", "winner 1")
    assert (found["verdict"], found["trusted"], found["ruleset"]) == ("OVERTURNED", True, "azul")
    assert found["recorded_result"]["winners"] == [0]
    assert found["verify"] == {"verdict": "RESULT", "exit_code": 15}
    (ruling,) = found["rulings"]
    assert ruling["claim"] == {"claim": "winner", "seats": [1]}
    assert (ruling["text"], ruling["verdict"], ruling["rule"]) == (
        "winner 1",
        "OVERTURNED",
        "1.6.3, A11, A12",
    )
    assert (ruling["claimed"], ruling["recorded"], ruling["correct"]) == ([1], [0], [1])
    assert ruling["remedy"] == "corrected"
    assert ruling["corrected_result"]["seats"][1]["rank"] == 1


def test_several_claims_from_a_file(bad: Path, tmp_path: Path) -> None:
    """Each has its ruling, in order; the worst decides the exit code."""
    claims = tmp_path / "claims.json"
    claims.write_text(
        json.dumps(["time 0", {"claim": "tiles"}, {"claim": "rank", "seat": 0, "rank": 1}])
    )
    found = as_json(bad, "--claim", "altered", "--claims", claims)
    verdicts = [ruling["verdict"] for ruling in found["rulings"]]
    assert verdicts == ["UPHELD", "INCONCLUSIVE", "UPHELD", "OVERTURNED"]
    assert found["exit_code"] == 20
    found = as_json(bad, "--claim", "tiles", "--claim", "time 1")
    assert found["exit_code"] == 21
    result = dispute(bad, "--claims", "-", "--json", stdin='"tiles"')
    assert json.loads(result.stdout)["verdict"] == "UPHELD"


def test_a_time_loss_says_what_a_record_cannot_prove(tmp_path: Path) -> None:
    """An organiser reads it in the text, too."""
    path = tmp_path / "flag.azt"
    path.write_bytes(golden("double-fault"))
    result = dispute(path, "--claim", "time 1")
    assert result.exit_code == 21
    assert "A record shows the referee's clock; it cannot prove it." in result.stdout


def test_copies(good: Path, bad: Path, tmp_path: Path) -> None:
    """Each outcome has its exit code."""
    cut = tmp_path / "cut.azt"
    cut.write_bytes(good.read_bytes()[:3000])
    assert dispute(good, good).exit_code == 0
    assert dispute(good, cut).exit_code == 23
    assert dispute(cut, cut).exit_code == 21
    result = dispute(good, bad)
    assert result.exit_code == 22
    assert "TWO ACCOUNTS" in result.stdout
    assert "The referee signed two accounts: both signatures are valid" in result.stdout
    assert "first difference: frame " in result.stdout
    assert result.stdout.endswith("  right: copy 1\n")
    found = as_json(bad, good)
    assert (found["verdict"], found["finding"], found["right"]) == (
        "TWO_ACCOUNTS",
        "the referee signed two accounts",
        1,
    )
    assert found["difference"]["field"] == "game_over.seats[0].rank"
    assert [copy["signed"] for copy in found["copies"]] == [True, True]
    assert [copy["verify"]["verdict"] for copy in found["copies"]] == ["RESULT", "OK"]
    assert as_json(good, bad, "--key", OTHER_KEY.public.hex())["verdict"] == "INCONCLUSIVE"


@pytest.mark.parametrize(
    ("arguments", "code", "text"),
    [
        (["good.azt", "--claim", "winner 9"], 2, "there is no seat 9"),
        (["good.azt", "--claim", "accepted 0"], 2, "event 0 is no record of a move: it is setup"),
        (["good.azt", "--claim", "nonsense"], 2, "is no claim"),
        (["good.azt", "--claims", "good.azt"], 2, "the claims are not JSON"),
        (["good.azt", "--claims", "missing.json"], 2, "missing.json cannot be read"),
        (["good.azt", "--key", "12"], 2, "64 hex digits"),
        (["good.azt", "duel.azt"], 2, "the files are of different matches"),
        (["good.azt", "good.azt", "--claim", "tiles"], 2, "claims are about one record"),
        (["good.azt", "good.azt", "good.azt"], 2, "one record, or about two copies"),
        ([], 2, "Missing argument"),
        (["missing.azt"], 3, "missing.azt cannot be read: No such file or directory"),
        (["text.azt"], 3, "text.azt cannot be read: it does not begin like a transcript"),
        (["."], 3, "cannot be read: Is a directory"),
        (["good.azt", "text.azt"], 3, "it does not begin like a transcript"),
    ],
)
def test_bad_input(
    good: Path, arguments: list[str], code: int, text: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It gets one sentence and an exit code, never a traceback."""
    monkeypatch.chdir(good.parent)
    (good.parent / "text.azt").write_text("This is no transcript, but it is long enough.")
    (good.parent / "duel.azt").write_bytes(golden("duel-2"))
    done = run("dispute", *arguments)
    assert done.returncode == code
    assert text in done.stderr.decode()
    assert b"Traceback" not in done.stderr
    assert done.stdout == b""


PAGE = Path(__file__).parents[2] / "docs" / "disputes.md"
CONSOLES = re.findall(r"^ *```console\n(.*?)```", PAGE.read_text(), re.DOTALL | re.MULTILINE)


@pytest.mark.parametrize("block", CONSOLES, ids=[str(n) for n in range(len(CONSOLES))])
def test_the_walk_through_is_true(
    block: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """docs/disputes.md shows commands with just what they print."""
    monkeypatch.chdir(tmp_path)
    game = golden("azul-2")
    files = {
        "match.azt": game,
        "refused.azt": forged(game, wrongs.refuse_move(16)),
        "wrong.azt": forged(game, wrongs.swap_ranks),
        "cut.azt": game[:3000],
        "strikes.azt": golden("strikes"),
        "flag.azt": golden("double-fault"),
        "referee.key": f"{KEY.public.hex()}\n".encode(),
    }
    for name, data in files.items():
        Path(name).write_bytes(data)
    shown, *printed = textwrap.dedent(block).splitlines()
    command = shlex.split(shown)
    assert command[:3] == ["$", "referee", "dispute"]
    assert dispute(*command[3:]).stdout.splitlines() == printed


def test_every_claim_and_exit_code_is_documented() -> None:
    """docs/disputes.md misses none."""
    text = PAGE.read_text()
    table = text.split("| text | JSON |")[1].split("##")[0]
    assert set(re.findall(r"^\| `(\w+)", table, re.MULTILINE)) == set(KINDS)
    for example in re.findall(r'`(\{"claim".*?\})`', table):
        assert read_claim(json.loads(example)).as_object() == json.loads(example)
    for verdict in (*Verdict, *Comparison):
        name = verdict.name.replace("_", " ")
        assert re.search(rf"^ *\| \**{name}\** \|.*\| {verdict.value} \|$", text, re.MULTILINE)


def test_strange_text_is_made_safe(tmp_path: Path) -> None:
    """Names and paths cannot command a terminal."""

    def edit(frames: Frames) -> None:
        records_of(frames, "joined")[0].joined.name = "\x1b[2J\u202eevil"

    good, evil = tmp_path / "good.azt", tmp_path / "\x1b[31mevil.azt"
    good.write_bytes(golden("azul-2"))
    evil.write_bytes(forged(golden("azul-2"), edit))
    result = dispute(good, evil)
    assert result.exit_code == 22
    for output in (result.stdout, dispute(evil).stdout):
        assert all(line.isprintable() for line in output.splitlines())
