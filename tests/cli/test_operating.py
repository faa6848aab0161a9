"""docs/operating.md is true: its options, limits, figures and certificates."""

import re
import subprocess
from pathlib import Path

import click
import pytest
from click.testing import CliRunner

from referee.cli import serve
from referee.service import limits
from referee.service.metrics import Metrics
from referee.transcript.time_text import format_duration
from tests.cli.serving import serving

ROOT = Path(__file__).parents[2]
TEXT = (ROOT / "docs" / "operating.md").read_text()


def table(heading: str) -> list[list[str]]:
    """Return the rows of the first table below a line that begins so."""
    rows = re.findall(r"^\| (.*) \|$", TEXT.split(f"\n{heading}")[1].split("\n\n")[0], re.MULTILINE)
    return [row.split(" | ") for row in rows]


def test_every_option_is_listed() -> None:
    """With its variable and its default."""
    listed: dict[str, tuple[str, str]] = {}
    for names, variables, default, *_ in table("| option | environment |"):
        found = zip(names.split(", "), variables.split(", "), strict=False)
        listed |= {name: (variable, default) for name, variable in found if name.startswith("`--")}
    options = [param for param in serve.command.params if isinstance(param, click.Option)]
    assert set(listed) == {f"`{option.opts[0]}`" for option in options}
    for option in options:
        variable, default = listed[f"`{option.opts[0]}`"]
        assert variable == f"`{option.envvar}`"
        if isinstance(option.default, str | int) and not option.is_flag:
            assert default == f"`{option.default}`"


def test_the_file_of_the_example(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Is one that `serve` takes."""
    served = []
    monkeypatch.setattr(serve, "_serve", lambda settings, _: served.append(settings))
    monkeypatch.setattr("referee.service.logs.configure", lambda **_: None)
    (example,) = re.findall(r"```toml\n(.*?)```", TEXT, re.DOTALL)
    (tmp_path / "referee.toml").write_text(example)
    done = CliRunner().invoke(serve.command, ["--config", str(tmp_path / "referee.toml")])
    assert done.exit_code == 0, done.output
    assert served[0].tls.certificate == tmp_path / "referee.pem"
    assert served[0].metrics_port == 9100


def test_every_limit_that_is_kept_is_listed() -> None:
    """With its value; one that nothing keeps is not promised."""
    used = set()
    for file in (ROOT / "referee" / "service").rglob("*.py"):
        used |= set(re.findall(r"\blimits\.([A-Z_]+)", file.read_text()))
    names = {name for name in vars(limits) if name.isupper()} & used
    listed = {name.strip("`"): value for name, value, _ in table("| limit | value |")}
    assert set(listed) == names
    for name, value in listed.items():
        number = getattr(limits, name)
        assert value == _shown(name, number), name


def _shown(name: str, number: int) -> str:
    if name.endswith("_NS"):
        return format_duration(number)
    if name.endswith("_BYTES") or name == "MAX_TRANSCRIPT_PIECE":
        return f"{number >> 20} MiB" if number >= 1 << 20 else f"{number >> 10} KiB"
    return f"{number:,}"


def test_every_figure_is_listed() -> None:
    """Under the name that Prometheus sees."""
    figures = " ".join(row[0] for row in table("| figure | what it tells |"))
    listed = set(re.findall(r"`(referee_\w+)`", figures))
    found = set()
    for family in Metrics().registry.collect():
        found.add(family.name + ("_total" if family.type == "counter" else ""))
    assert listed == found


@pytest.fixture
def certificates(tmp_path: Path) -> Path:
    """Return a folder in which the commands of openssl were run as written."""
    (commands,) = re.findall(r"```sh\n(# The authority.*?)```", TEXT, re.DOTALL)
    subprocess.run(
        ["bash", "-euc", commands], cwd=tmp_path, check=True, capture_output=True, timeout=60
    )
    return tmp_path


async def test_its_certificates_work(certificates: Path) -> None:
    """As both rows of the table say."""
    *_, plain, mutual = table("| | referee | callers |")

    def options(text: str) -> list[str]:
        words = re.sub("^the same and ", "", text.strip("`")).replace("`", "").split()
        return [word if word.startswith("--") else str(certificates / word) for word in words]

    async with serving(certificates / "data", *options(plain[1])) as referee:
        assert await referee.out("match", "list", *options(plain[2]))
        for given, says in (
            ((), "without TLS: it hung up at once; if it uses TLS, give --ca FILE or --tls"),
            (("--tls",), "with TLS: its certificate is not trusted ("),
        ):
            done = await referee.run("match", "list", *given)
            assert done.code == 3
            assert says in done.err
            assert len(done.err.splitlines()) == 1
    more = options(mutual[1].removeprefix("the same and "))
    async with serving(certificates / "data", *options(plain[1]), *more) as referee:
        assert await referee.out("match", "list", *options(mutual[2]))
        done = await referee.run("match", "list", *options(plain[2]))
        assert done.code == 3
        assert "it may want a certificate of yours, --cert and --key" in done.err
