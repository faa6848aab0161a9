"""Keys and streams: definitions by hand, exactness, refusals."""

import copy
import hashlib
import hmac
import pickle
from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from referee import draws
from referee.draws.mac import mac
from referee.rules import Purpose, RefereeError

ID, SEED, KEY = b"i" * 16, b"s" * 32, b"k" * 32


class GivenBytes(draws.ByteStream):
    """A stream over bytes that a test chooses."""

    def __init__(self, given: bytes) -> None:
        super().__init__(KEY, 1)
        self._block = given

    @property
    def used(self) -> int:
        """How many of the bytes were taken."""
        return self._at


@given(st.binary(min_size=32, max_size=32), st.binary(max_size=300))
def test_mac_is_hmac_sha_256(key: bytes, message: bytes) -> None:
    """The same bytes as the standard library."""
    assert mac(key, message) == hmac.digest(key, message, "sha256")


def test_values_by_their_definition() -> None:
    """Spelled out once with nothing but hashlib and hmac."""

    def t(name: str) -> bytes:
        return b"azul-referee/1/" + name.encode() + b"\x00"

    def h(data: bytes) -> bytes:
        return hashlib.sha256(data).digest()

    def m(key: bytes, data: bytes) -> bytes:
        return hmac.digest(key, data, "sha256")

    setup_hash = h(t("setup") + b"S")
    commit = h(t("server-commit") + ID + setup_hash + SEED)
    root = m(KEY, t("agent-root") + ID + b"\x01" + commit)
    x_63 = h(t("agent-chain") + ID + b"\x01" + commit + b"\x00\x00\x00\x40" + root)
    shares = b"\x02" + bytes(33) + b"\x01" + x_63
    match_key = m(SEED, t("match-key") + ID + setup_hash + shares)
    round_key = m(match_key, t("round-key") + b"\x00\x00\x00\x07" + shares)
    stream = m(round_key, t("stream") + b"\x05" + b"\x00\x00\x00\x00")
    assert draws.setup_hash(b"S") == setup_hash
    assert draws.server_commit(ID, setup_hash, SEED) == commit
    assert draws.agent_root(KEY, ID, 1, commit) == root
    assert draws.agent_chain(ID, 1, commit, root)[63] == x_63
    assert draws.match_key(SEED, ID, setup_hash, [None, x_63]) == match_key
    assert draws.round_key(match_key, 7, [None, x_63]) == round_key
    assert draws.player_seed(SEED, ID, 3) == m(SEED, t("player-seed") + ID + b"\x03")[:8]
    assert draws.fixed_match_key(SEED) == m(SEED, t("fixed-key"))
    assert draws.fixed_player_seed(SEED, 2) == m(SEED, t("fixed-player") + b"\x02")[:8]
    taken = draws.ByteStream(round_key, 5)
    assert bytes(taken.uniform(256) for _ in range(32)) == stream


def test_a_chain_opens_step_by_step() -> None:
    """x_0 is committed, each x_r opens the one before; 65 values in all."""
    chain = draws.agent_chain(ID, 0, KEY, SEED)
    assert (len(chain), chain[64]) == (65, SEED)
    for i in range(1, 65):
        assert draws.chain_step(ID, 0, KEY, i, chain[i]) == chain[i - 1]


@pytest.mark.parametrize("n", range(1, 257))
def test_uniform_is_exact_over_all_byte_values(n: int) -> None:
    """P-R3: among the bytes it accepts, every value comes equally often."""
    times = [0] * n
    for byte in range(256):
        # A zero follows for the bytes that are skipped; only accepted ones are counted.
        stream = GivenBytes(bytes([byte, 0]))
        value = stream.uniform(n)
        if stream.used == 1:
            times[value] += 1
    assert set(times) == {256 // n}


def test_one_still_takes_a_byte() -> None:
    """So that the place in the stream does not depend on what was left to choose."""
    stream = GivenBytes(bytes([9, 9, 9]))
    assert [stream.uniform(1), stream.uniform(1), stream.used] == [0, 0, 2]


@given(st.integers(1, 256), st.integers(0, 256))
def test_descend_is_uniform_again_and_again(n: int, k: int) -> None:
    """The same numbers, and the same place afterwards, over many blocks."""
    k = min(n, k)
    together, single = draws.ByteStream(KEY, 1), draws.ByteStream(KEY, 1)
    assert together.descend(n, k) == [single.uniform(n - i) for i in range(k)]
    assert together.uniform(256) == single.uniform(256)


@pytest.mark.parametrize(("n", "k"), [(0, 1), (-1, 0), (257, 1), (5, 6), (5, -1)])
def test_draws_that_cannot_be(n: int, k: int) -> None:
    """Refused with our error, and nothing is consumed."""
    stream = draws.ByteStream(KEY, 1)
    with pytest.raises(draws.DrawsError):
        stream.descend(n, k)
    assert stream.uniform(256) == draws.ByteStream(KEY, 1).uniform(256)


def test_streams_of_a_round_keep_their_place() -> None:
    """Asked again, a purpose goes on where it was; other purposes do not move it."""
    streams = draws.RoundStreams(KEY)
    first = [streams.stream(Purpose.TILES).uniform(256) for _ in range(20)]
    for purpose in Purpose:
        if purpose is not Purpose.TILES:
            assert streams.stream(purpose).uniform(256) == draws.ByteStream(KEY, purpose).uniform(
                256
            )
    second = [streams.stream(Purpose.TILES).uniform(256) for _ in range(20)]
    alone = draws.ByteStream(KEY, Purpose.TILES)
    assert first + second == [alone.uniform(256) for _ in range(40)]


def test_the_edges_of_what_is_allowed() -> None:
    """The last round, the last seat, one and four seats, the last purpose."""
    assert len(draws.round_key(KEY, 2**32 - 1, [None])) == 32
    assert len(draws.match_key(SEED, ID, KEY, [None] * 4)) == 32
    assert len(draws.player_seed(SEED, ID, 3)) == len(draws.fixed_player_seed(SEED, 3)) == 8
    assert len(draws.agent_root(KEY, ID, 3, KEY)) == 32
    assert len(draws.chain_step(ID, 3, KEY, 64, KEY)) == 32
    assert 0 <= draws.ByteStream(KEY, 255).uniform(256) < 256
    assert draws.ByteStream(KEY, 0).descend(0, 0) == []
    assert draws.FixedStreams(SEED, 1).round(1) is not None


@pytest.mark.parametrize("seats", [1, 2, 3, 4])
def test_fixed_streams_by_their_definition(seats: int) -> None:
    """The streams of a match in which no seat gave a share, whichever round comes first."""
    streams = draws.FixedStreams(SEED, seats)
    for r in (2, 1, 2**32 - 1):
        key = draws.round_key(draws.fixed_match_key(SEED), r, [None] * seats)
        expected = draws.RoundStreams(key).stream(Purpose.TILES).descend(100, 20)
        assert streams.round(r).stream(Purpose.TILES).descend(100, 20) == expected


def test_fixed_streams_give_the_same_round_again() -> None:
    """The same object within a round, new streams for another one."""
    streams = draws.FixedStreams(SEED, 2)
    assert streams.round(1) is streams.round(1)
    one = streams.round(1).stream(Purpose.TILES).descend(100, 20)
    two = streams.round(2).stream(Purpose.TILES).descend(100, 20)
    assert one != two
    assert draws.FixedStreams(SEED, 2).round(1).stream(Purpose.TILES).descend(100, 20) == one


@pytest.mark.parametrize(
    "again", [copy.copy, copy.deepcopy, lambda x: pickle.loads(pickle.dumps(x))]
)
def test_fixed_streams_can_be_copied_and_sent(again: Callable[[object], object]) -> None:
    """A copy gives the same rounds, also in another process."""
    streams = draws.FixedStreams(SEED, 2)
    copied = again(streams)
    assert isinstance(copied, draws.FixedStreams)
    one = streams.round(3).stream(Purpose.TILES).descend(100, 20)
    assert copied.round(3).stream(Purpose.TILES).descend(100, 20) == one


REFUSED = [
    lambda: draws.server_commit(ID[:-1], KEY, SEED),
    lambda: draws.server_commit(ID, KEY[:-1], SEED),
    lambda: draws.server_commit(ID, KEY, SEED + b"x"),
    lambda: draws.server_commit("i" * 16, KEY, SEED),  # type: ignore[arg-type]
    lambda: draws.agent_root(b"", ID, 0, KEY),
    lambda: draws.agent_root(KEY, ID, 4, KEY),
    lambda: draws.agent_root(KEY, ID, -1, KEY),
    lambda: draws.chain_step(ID, 0, KEY, 0, SEED),
    lambda: draws.chain_step(ID, 0, KEY, 65, SEED),
    lambda: draws.chain_step(ID, True, KEY, 1, SEED),
    lambda: draws.chain_step(ID, 0, KEY, 1, b"short"),
    lambda: draws.chain_step(ID[:-1], 0, KEY, 1, SEED),
    lambda: draws.chain_step(ID, 4, KEY, 1, SEED),
    lambda: draws.chain_step(ID, -1, KEY, 1, SEED),
    lambda: draws.chain_step(ID, 0, KEY[:-1], 1, SEED),
    lambda: draws.match_key(SEED[:-1], ID, KEY, [None]),
    lambda: draws.match_key(SEED, ID[:-1], KEY, [None]),
    lambda: draws.match_key(SEED, ID, KEY[:-1], [None]),
    lambda: draws.round_key(KEY[:-1], 1, [None]),
    lambda: draws.player_seed(SEED[:-1], ID, 0),
    lambda: draws.player_seed(SEED, ID[:-1], 0),
    lambda: draws.player_seed(SEED, ID, -1),
    lambda: draws.fixed_player_seed(SEED[:-1], 0),
    lambda: draws.fixed_player_seed(SEED, -1),
    lambda: draws.agent_root(KEY, ID[:-1], 0, KEY),
    lambda: draws.agent_root(KEY, ID, 0, KEY[:-1]),
    lambda: draws.tag(b"setup"),  # type: ignore[arg-type]
    lambda: draws.match_key(SEED, ID, KEY, []),
    lambda: draws.match_key(SEED, ID, KEY, [None] * 5),
    lambda: draws.match_key(SEED, ID, KEY, [b"short"]),
    lambda: draws.round_key(KEY, 0, [None]),
    lambda: draws.round_key(KEY, 2**32, [None]),
    lambda: draws.round_key(KEY, 1.0, [None]),  # type: ignore[arg-type]
    lambda: draws.fixed_match_key(b"short"),
    lambda: draws.fixed_player_seed(SEED, 4),
    lambda: draws.player_seed(SEED, ID, 4),
    lambda: draws.ByteStream(b"short", 1),
    lambda: draws.ByteStream(KEY, 256),
    lambda: draws.ByteStream(KEY, -1),
    lambda: draws.ByteStream("k" * 32, 1),
    lambda: draws.ByteStream(KEY, 1).uniform("5"),
    lambda: draws.ByteStream(KEY, 1).uniform(5.0),
    lambda: draws.ByteStream(KEY, 1).descend(5, None),
    lambda: draws.RoundStreams(KEY).stream(0),
    lambda: draws.RoundStreams(KEY).stream(7),
    lambda: draws.RoundStreams(KEY).stream(-1),
    lambda: draws.RoundStreams(KEY).stream("1"),
    lambda: draws.setup_hash("x"),  # type: ignore[arg-type]
    lambda: draws.tag("é"),
    lambda: draws.round_key(KEY, 1, None),  # type: ignore[arg-type]
    lambda: draws.round_key(KEY, 10**5000, [None]),
    lambda: draws.FixedStreams(SEED, 0),
    lambda: draws.FixedStreams(SEED, "2"),
    lambda: draws.FixedStreams(b"short", 2),
    lambda: draws.FixedStreams(SEED, 2).round(0),
    lambda: draws.FixedStreams(SEED, 2).round(-1),
]


@pytest.mark.parametrize("call", REFUSED)
def test_inputs_outside_the_definitions(call: object) -> None:
    """Wrong sizes, seats and numbers are refused with our error."""
    assert callable(call)
    with pytest.raises(draws.DrawsError) as caught:
        call()
    assert isinstance(caught.value, RefereeError)
