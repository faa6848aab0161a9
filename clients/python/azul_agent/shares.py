"""The agent's share of the draws: a chain of hashes, opened one round at a time.

docs/draws.md defines every value. An agent that keeps to the order below makes sure that not
even the referee knows the tiles of a round before the round before it is scored.
"""

import hashlib
import hmac

CHAIN_LENGTH = 64


class OutOfOrder(Exception):
    """Says why a share is not revealed now."""


def tag(name: str) -> bytes:
    """Return T(name): it keeps the inputs of different hashes apart."""
    return b"azul-referee/1/" + name.encode("ascii") + b"\0"


def setup_hash(setup: bytes) -> bytes:
    """Return the hash of the exact bytes of a set-up."""
    return hashlib.sha256(tag("setup") + setup).digest()


def server_commit(match_id: bytes, setup: bytes, seed: bytes) -> bytes:
    """Return the commitment of the referee that this seed opens."""
    content = tag("server-commit") + match_id + setup_hash(setup) + seed
    return hashlib.sha256(content).digest()


def agent_root(secret: bytes, match_id: bytes, seat: int, commit: bytes) -> bytes:
    """Return x_64, the end of the chain that everything else follows from."""
    content = tag("agent-root") + match_id + bytes([seat]) + commit
    return hmac.digest(secret, content, "sha256")


def agent_chain(root: bytes, match_id: bytes, seat: int, commit: bytes) -> list[bytes]:
    """Return x_0 to x_64."""
    head = tag("agent-chain") + match_id + bytes([seat]) + commit
    chain = [root]
    for i in range(CHAIN_LENGTH, 0, -1):
        chain.append(hashlib.sha256(head + i.to_bytes(4, "big") + chain[-1]).digest())
    return chain[::-1]


class Shares:
    """Guards the chain of one seat in one match.

    `reveal` opens rounds strictly in order, 1, 2, 3, …, each only after the one before it was
    scored; the same round may be asked for again. What a restarted agent has revealed before
    it learns from the record, and believes only what it could have said itself.
    """

    def __init__(self, secret: bytes, match_id: bytes, seat: int, commit: bytes) -> None:
        root = agent_root(secret, match_id, seat, commit)
        self._chain = agent_chain(root, match_id, seat, commit)
        self._revealed = 0
        self._scored: set[int] = set()
        self._recorded: bytes | None = None

    @property
    def x0(self) -> bytes:
        """Return what the agent commits to."""
        return self._chain[0]

    def note_commit(self, x0: bytes | None) -> bool:
        """Note what the record says this seat committed to; return whether it is true."""
        self._recorded = x0
        return x0 == self.x0

    def note_reveal(self, number: int, x: bytes) -> bool:
        """Note what the record says this seat revealed; return whether it is true."""
        if not 1 <= number <= CHAIN_LENGTH or x != self._chain[number]:
            return False
        self._revealed = max(self._revealed, number)
        return True

    def note_scored(self, number: int) -> None:
        """Note that a round was scored."""
        if 1 <= number <= CHAIN_LENGTH:
            self._scored.add(number)

    def reveal(self, number: int) -> bytes:
        """Return x_r, or raise OutOfOrder if r is not due."""
        if self._recorded not in (None, self.x0):
            raise OutOfOrder("the record holds a commitment that is not ours")
        if not 1 <= number <= CHAIN_LENGTH:
            raise OutOfOrder(f"there is no round {number}")
        if number not in (self._revealed, self._revealed + 1):
            raise OutOfOrder(f"round {number} is asked for after round {self._revealed}")
        if number > 1 and number - 1 not in self._scored:
            raise OutOfOrder(f"round {number - 1} was not seen scored")
        self._revealed = number
        return self._chain[number]
