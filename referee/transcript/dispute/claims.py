"""What somebody may claim of a recorded match: one value a kind, as text and as JSON.

A claim says that something in the record is wrong. Its form is checked here; whether the
record has such an event, seat or round is for `case` to say. docs/disputes.md has the grammar.
"""

import json
import re
from collections.abc import Callable
from dataclasses import dataclass, fields
from typing import Any, ClassVar

from referee.transcript.errors import BadClaim

MAX_CLAIMS = 1000
MAX_CLAIMS_BYTES = 1 << 20
MAX_NUMBER = 999_999_999
# How much of a wrong text an error repeats.
SHOWN = 60


@dataclass(frozen=True)
class Claim:
    """The root of all claims; ``kind`` is the word that begins each."""

    kind: ClassVar[str]

    @property
    def detail(self) -> str:
        """What follows the word in the text form."""
        return ""

    @property
    def text(self) -> str:
        """The claim as the command line takes it."""
        return f"{self.kind} {self.detail}".rstrip()

    def as_object(self) -> dict[str, Any]:
        """Return the claim as JSON has it."""
        given = {each.name: getattr(self, each.name) for each in fields(self)}
        lists = {name: list(v) if isinstance(v, tuple) else v for name, v in given.items()}
        return {"claim": self.kind} | {n: v for n, v in lists.items() if v is not None}


@dataclass(frozen=True)
class OfAnswer(Claim):
    """A claim about one answer, named by its event or by its turn and attempt."""

    event: int | None = None
    turn: int | None = None
    attempt: int | None = None

    @property
    def detail(self) -> str:  # noqa: D102  as in `Claim`
        return f"{self.turn}.{self.attempt}" if self.event is None else f"{self.event}"


@dataclass(frozen=True)
class Refused(OfAnswer):
    """An answer was refused although it is a legal move."""

    kind = "refused"


@dataclass(frozen=True)
class Accepted(OfAnswer):
    """A move was accepted, or made by the referee, although it is not the right one."""

    kind = "accepted"


@dataclass(frozen=True)
class Score(Claim):
    """A seat had that score after a round, or at the end with its bonuses."""

    kind = "score"
    seat: int
    score: int
    round: int | None = None

    @property
    def detail(self) -> str:  # noqa: D102  as in `Claim`
        after = "" if self.round is None else f" round {self.round}"
        return f"{self.seat}={self.score}{after}"


@dataclass(frozen=True)
class BonusPoints(Claim):
    """A seat had so many points for one bonus of the end."""

    kind = "bonus"
    seat: int
    bonus: str
    points: int

    @property
    def detail(self) -> str:  # noqa: D102  as in `Claim`
        return f"{self.seat}:{self.bonus}={self.points}"


@dataclass(frozen=True)
class Rank(Claim):
    """A seat had that rank."""

    kind = "rank"
    seat: int
    rank: int

    @property
    def detail(self) -> str:  # noqa: D102  as in `Claim`
        return f"{self.seat}={self.rank}"


@dataclass(frozen=True)
class Winner(Claim):
    """These seats won, several if they share it; none if nobody did."""

    kind = "winner"
    seats: tuple[int, ...]

    @property
    def detail(self) -> str:  # noqa: D102  as in `Claim`
        return ",".join(map(str, self.seats)) or "none"


@dataclass(frozen=True)
class Tiles(Claim):
    """The tiles of a round, or of any, are not those that were drawn."""

    kind = "tiles"
    round: int | None = None

    @property
    def detail(self) -> str:  # noqa: D102  as in `Claim`
        return "" if self.round is None else f"{self.round}"


@dataclass(frozen=True)
class OfSeat(Claim):
    """A claim about one seat."""

    seat: int

    @property
    def detail(self) -> str:  # noqa: D102  as in `Claim`
        return f"{self.seat}"


@dataclass(frozen=True)
class Time(OfSeat):
    """The ruling on a seat's time, a loss or none, is wrong."""

    kind = "time"


@dataclass(frozen=True)
class SeatOut(OfSeat):
    """A seat was put out of the match wrongly."""

    kind = "out"


@dataclass(frozen=True)
class Altered(Claim):
    """The file is not what the referee wrote and signed."""

    kind = "altered"


@dataclass(frozen=True)
class Anything(Claim):
    """Something is wrong, whatever it is."""

    kind = "anything"


KINDS: dict[str, type[Claim]] = {
    kind.kind: kind
    for kind in (
        Refused,
        Accepted,
        Score,
        BonusPoints,
        Rank,
        Winner,
        Tiles,
        Time,
        SeatOut,
        Altered,
        Anything,
    )
}

# The grammar of texts, by the word that begins a claim.
_N = r"(?:0|[1-9][0-9]{0,8})"
_ANSWER = rf"(?:(?P<event>{_N})|(?P<turn>{_N})\.(?P<attempt>{_N}))"
_SEAT = rf"(?P<seat>{_N})"
_FORMS = {
    "refused": (_ANSWER, "refused EVENT or refused TURN.ATTEMPT"),
    "accepted": (_ANSWER, "accepted EVENT or accepted TURN.ATTEMPT"),
    "score": (
        rf"{_SEAT}=(?P<score>{_N})(?: round (?P<round>{_N}))?",
        "score SEAT=POINTS or score SEAT=POINTS round ROUND",
    ),
    "bonus": (
        rf"{_SEAT}:(?P<bonus>[a-z_]{{1,32}})=(?P<points>-?{_N})",
        "bonus SEAT:NAME=POINTS",
    ),
    "rank": (rf"{_SEAT}=(?P<rank>{_N})", "rank SEAT=RANK"),
    "winner": (rf"(?P<seats>none|{_N}(?:,{_N})*)", "winner SEAT,... or winner none"),
    "tiles": (rf"(?P<round>{_N})?", "tiles or tiles ROUND"),
    "time": (_SEAT, "time SEAT"),
    "out": (_SEAT, "out SEAT"),
    "altered": ("", "altered"),
    "anything": ("", "anything"),
}


def parse_claim(text: str) -> Claim:
    """Read a claim from its text, or raise `BadClaim`."""
    word, _, rest = text.strip().partition(" ")
    if word not in _FORMS:
        raise BadClaim(f"{_shown(text)} is no claim; a claim begins with {_words()}")
    pattern, form = _FORMS[word]
    found = re.fullmatch(pattern, rest.strip(), re.ASCII)
    if found is None:
        raise BadClaim(f"{_shown(text)} is no claim; the form is: {form}")
    given: dict[str, Any] = {"claim": word}
    for name, value in found.groupdict().items():
        if name == "seats":
            given[name] = [] if value == "none" else [int(seat) for seat in value.split(",")]
        elif name == "bonus":
            given[name] = value
        elif value is not None:
            given[name] = int(value)
    return read_claim(given)


# The fields of objects: what each must be.


def _is_number(value: object, least: int = 0) -> bool:
    is_int = isinstance(value, int) and not isinstance(value, bool)
    return is_int and least <= value <= MAX_NUMBER  # type: ignore[operator]


def _is_seats(value: object) -> bool:
    return (
        isinstance(value, list)
        and all(_is_number(seat) for seat in value)
        and len(set(value)) == len(value) <= MAX_CLAIMS
    )


def _is_name(value: object) -> bool:
    return isinstance(value, str) and re.fullmatch(r"[a-z_]{1,32}", value, re.ASCII) is not None


def _is_points(value: object) -> bool:
    return _is_number(value, -MAX_NUMBER)


_CHECKS: dict[str, tuple[Callable[[object], bool], str]] = {
    "bonus": (_is_name, "the name of a bonus"),
    "points": (_is_points, "a whole number"),
    "seats": (_is_seats, "a list of different seats"),
}
_NUMBER = (_is_number, f"a whole number from 0 to {MAX_NUMBER}")
_OPTIONAL = {Refused: (), Accepted: (), Score: ("round",), Tiles: ("round",)}


def read_claim(given: object) -> Claim:
    """Read a claim from what JSON brought: a text, or an object; or raise `BadClaim`."""
    if isinstance(given, str):
        return parse_claim(given)
    if not isinstance(given, dict) or not isinstance(given.get("claim"), str):
        raise BadClaim(f"{_shown(given)} is no claim; it is an object with a field claim, or text")
    word = given["claim"]
    if word not in KINDS:
        raise BadClaim(f"there is no claim {_shown(word)}; there are {_words()}")
    kind = KINDS[word]
    values = {name: value for name, value in given.items() if name != "claim"}
    _check_fields(kind, values)
    for name, value in values.items():
        fits, what = _CHECKS.get(name, _NUMBER)
        if not fits(value):
            raise BadClaim(f"{name} of a claim {word} is {what}, not {_shown(value)}")
    if kind is Winner:
        return Winner(tuple(sorted(values["seats"])))
    return kind(**values)


def _check_fields(kind: type[Claim], values: dict[str, Any]) -> None:
    """Check that the fields of a claim are all there, and no others."""
    known = [each.name for each in fields(kind)]
    for name in values:
        if name not in known:
            raise BadClaim(f"a claim {kind.kind} has no field {_shown(name)}")
    if issubclass(kind, OfAnswer):
        if set(values) not in ({"event"}, {"turn", "attempt"}):
            raise BadClaim(f"a claim {kind.kind} has an event, or a turn and an attempt")
        return
    for name in known:
        if name not in values and name not in _OPTIONAL.get(kind, ()):
            raise BadClaim(f"a claim {kind.kind} lacks its field {name}")


def read_claims(data: bytes) -> list[Claim]:
    """Read one claim or a list of them from JSON, or raise `BadClaim`."""
    if len(data) > MAX_CLAIMS_BYTES:
        raise BadClaim(f"claims have at most {MAX_CLAIMS_BYTES} bytes")
    try:
        given = json.loads(data)
    except (ValueError, RecursionError) as error:
        raise BadClaim("the claims are not JSON") from error
    listed = given if isinstance(given, list) else [given]
    if not 1 <= len(listed) <= MAX_CLAIMS:
        raise BadClaim(f"there are 1 to {MAX_CLAIMS} claims, not {len(listed)}")
    return [read_claim(each) for each in listed]


def _words() -> str:
    return ", ".join(KINDS)


def _shown(value: object) -> str:
    """Return a wrong value as JSON, so that nothing of it can command a terminal."""
    try:
        text = json.dumps(value)
    except (TypeError, ValueError, RecursionError):
        text = type(value).__name__
    return text if len(text) <= SHOWN else f"{text[:SHOWN]}..."
