"""Whether every tile follows from the seed that was committed to (docs/draws.md).

A proof re-draws each deal and compares it with the recorded one. It needs the seed, so it
can only be made of a match that has ended. Where a game hides facts, it plays along on a
table of its own that knows them all; the fold itself sees what a spectator sees.
"""

from dataclasses import dataclass, field

from referee.draws import FixedStreams, RoundStreams, match_key, round_key
from referee.draws import server_commit as commitment
from referee.draws import setup_hash as hash_setup
from referee.rules import Deal, Move, Position
from referee.transcript.wire.setup import Setup


@dataclass
class Fairness:
    """What the draws of a match prove, as long as the seats named are honest.

    ``rounds[r - 1]`` lists the seats that revealed a share for round r.
    """

    fixed_seed: bool
    rounds: list[tuple[int, ...]] = field(default_factory=list)

    @property
    def level(self) -> str | None:
        """F0, F1 or F2; None with a fixed seed."""
        if self.fixed_seed:
            return None
        if not self.rounds or not self.rounds[0]:
            return "F0"
        return "F2" if all(self.rounds) else "F1"

    @property
    def bare_rounds(self) -> list[int]:
        """The rounds, counted from 1, whose key holds no reveal."""
        return [number for number, seats in enumerate(self.rounds, 1) if not seats]


def opens(match_id: bytes, setup: Setup, commit: bytes, seed: bytes) -> bool:
    """Return whether the seed is the one that the referee was bound to."""
    return commitment(match_id, hash_setup(setup.data), seed) == commit


class DrawProof:
    """Re-draws a match from its seed, deal by deal."""

    def __init__(
        self, match_id: bytes, setup: Setup, seed: bytes, commits: list[bytes | None]
    ) -> None:
        self._fixed: FixedStreams | None = None
        self._match_key = b""
        if setup.fixed_seed:
            self._fixed = FixedStreams(seed, setup.seats)
        else:
            self._match_key = match_key(seed, match_id, hash_setup(setup.data), commits)
        self._round = 0
        self._streams: RoundStreams | None = None
        self._table: Position | None = None
        if setup.ruleset.hides:
            self._table = setup.ruleset.initial(setup.seats, setup.options)

    def draw(self, public: Position, number: int, shares: list[bytes | None]) -> Deal:
        """Return the deal that is due, as everybody may know it."""
        if self._streams is None or number != self._round:
            self._round = number
            if self._fixed is not None:
                self._streams = self._fixed.round(number)
            else:
                self._streams = RoundStreams(round_key(self._match_key, number, shares))
        if self._table is None:
            return public.draw(self._streams)
        deal = self._table.draw(self._streams)
        self._table.deal(deal)
        return deal.view(None)

    def play(self, move: Move) -> None:
        """Play a move on the table that knows everything."""
        if self._table is not None:
            self._table.play(move)

    @property
    def table(self) -> Position | None:
        """The table with all its hidden facts; None where the game hides none."""
        return self._table
