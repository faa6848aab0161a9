"""Reads and writes the lines of perft files; docs/perft.md describes the format."""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from referee.draws import FixedStreams
from referee.rules import Chance, Position, get_ruleset, parse_position
from referee.rules.perft import Pins

FOLDER = Path(__file__).parent
SEPARATOR = "; "
# Every run of the tests computes digests of up to so many sequences, and all counts; the
# larger digests are for `make soak-perft`.
QUICK = 25_000


@dataclass(frozen=True)
class Depth:
    """What is true after so many moves."""

    depth: int
    count: int
    digest: str


@dataclass(frozen=True)
class Case:
    """A position, the deals that are pinned, and the counts and digests that follow."""

    name: str
    position: str
    deals: tuple[str, ...] = ()
    seed: str | None = None
    depths: tuple[Depth, ...] = ()

    def start(self) -> Position:
        """Return the position."""
        return parse_position(self.position)

    def pins(self) -> Pins:
        """Return the deals as perft takes them."""
        start = self.start()
        rules = get_ruleset(self.position.partition("/")[0])
        deals = tuple(rules.parse_deal(text) for text in self.deals)
        if self.seed is None:
            return Pins(deals)
        seed = bytes.fromhex(self.seed)

        def fresh(number: int) -> Chance:
            return FixedStreams(seed, start.seats).round(number)

        return Pins(deals, fresh)


def file_of(key: str) -> Path:
    """Return the file of a ruleset."""
    return FOLDER / f"{key}.txt"


def format_case(case: Case) -> str:
    """Return a case as one line."""
    fields = [case.name, case.position]
    fields += [f"deal {deal}" for deal in case.deals]
    if case.seed is not None:
        fields.append(f"seed {case.seed}")
    fields += [f"{row.depth}: {row.count} {row.digest}" for row in case.depths]
    assert not any(";" in field for field in fields)
    return SEPARATOR.join(fields)


def parse_case(line: str) -> Case:
    """Read one line."""
    name, position, *rest = line.split(SEPARATOR)
    deals: list[str] = []
    seed = None
    depths = []
    for field in rest:
        word, _, value = field.partition(" ")
        if word == "deal":
            deals.append(value)
        elif word == "seed":
            seed = value
        else:
            count, digest = value.split(" ")
            depths.append(Depth(int(word.removesuffix(":")), int(count), digest))
    return Case(name, position, tuple(deals), seed, tuple(depths))


def read_cases(path: Path) -> Iterator[Case]:
    """Yield every case of a file; blank lines and lines with # in front are for people."""
    for line in path.read_text(encoding="ascii").splitlines():
        if line and not line.startswith("#"):
            yield parse_case(line)
