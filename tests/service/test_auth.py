"""Who may do what (P-S1): every call by every caller from everywhere, on every match."""

from itertools import product

import pytest

from referee.service import auth, tokens
from referee.service.auth import ANONYMOUS, UNKNOWN, Caller, Principal, Role
from referee.v1 import match_pb2, play_pb2
from referee.v1.error_pb2 import ErrorReason

SERVICES = [
    service
    for file in (play_pb2, match_pb2)
    for service in file.DESCRIPTOR.services_by_name.values()
]
RPCS = [f"{service.name}.{method.name}" for service in SERVICES for method in service.methods]
CALLS = [*RPCS, auth.QUEUE]

CALLERS = {
    "organiser": Principal(Role.ORGANISER, "ann"),
    "agent": Principal(Role.AGENT, "bob"),
    "anonymous": ANONYMOUS,
    "wrong bearer": UNKNOWN,
}


# Whether the match that a call names is signed. Whose seats are in it changes nothing: the
# bearer of an agent shows no more of its own matches than of others.
MATCHES = {
    "own match in play": False,
    "own match that is over": False,
    "own match, signed": True,
    "other match in play": False,
    "other match, signed": True,
    # No match of this referee: what nobody has cannot be signed.
    "foreign match": False,
}

# Written from the design (3, "Who sees what"), not from the table: who may do what.
EVERYTHING = {"Play", "queue", "CreateMatch", "GetMatch", "ListMatches", "AbortMatch"} | {
    "GetTranscript",
    "VerifyTranscript",
    "WatchMatch",
}
LOOKING = {"GetMatch", "ListMatches", "WatchMatch"}
PROOFS = {"GetTranscript", "VerifyTranscript"}


def expected(call: str, who: str, *, loopback: bool, signed: bool) -> str:
    """Return the reason with which a call is refused, or nothing."""
    word = call.rpartition(".")[2]
    assert word in EVERYTHING
    if who == "wrong bearer" or (who == "anonymous" and not loopback):
        return "UNAUTHENTICATED"
    if who == "organiser" and word == "queue":
        # Agents are paired, and an organiser would wait for ever in silence.
        return "NOT_ALLOWED"
    if who == "organiser" or word == "Play" or word in LOOKING:
        return ""
    if word in PROOFS:
        return "" if signed else "NOT_SIGNED"
    if who == "agent":
        return "" if word == "queue" else "NOT_ALLOWED"
    return "UNAUTHENTICATED"


def refusal(call: str, caller: Caller, *, signed: bool) -> str:
    """Return the reason with which a call is refused, or nothing."""
    try:
        auth.authorize(call, caller, signed=signed)
    except auth.Denied as denied:
        return ErrorReason.Name(denied.reason).removeprefix("ERROR_REASON_")
    return ""


MATRIX = list(product(CALLS, CALLERS, [True, False], MATCHES))


@pytest.mark.parametrize(
    ("call", "who", "loopback", "match"),
    MATRIX,
    ids=[
        f"{call} by {who} {'here' if here else 'elsewhere'}, {match}"
        for call, who, here, match in MATRIX
    ],
)
def test_the_matrix(call: str, who: str, loopback: bool, match: str) -> None:
    """What the table says is what the design says."""
    signed = MATCHES[match]
    found = refusal(call, Caller(CALLERS[who], loopback), signed=signed)
    assert found == expected(call, who, loopback=loopback, signed=signed)


def test_every_rpc_is_in_the_table() -> None:
    """And nothing else: a new one must be thought about first."""
    assert len(RPCS) == 8
    assert set(auth.TABLE) == set(CALLS)


def test_every_role_is_in_the_matrix() -> None:
    """A new one must be thought about first."""
    assert {principal.role for principal in CALLERS.values()} == set(Role)


@pytest.mark.parametrize("who", CALLERS)
@pytest.mark.parametrize("call", ["MatchService.New", "", "AgentService.play", "GetMatch"])
def test_what_is_not_in_the_table_is_allowed_to_nobody(call: str, who: str) -> None:
    """Not even to organisers."""
    assert refusal(call, Caller(CALLERS[who], loopback=True), signed=True)


def test_a_match_counts_as_unsigned_unless_somebody_says_otherwise() -> None:
    """Whoever forgets to ask refuses."""
    with pytest.raises(auth.Denied, match="not signed yet") as caught:
        auth.authorize("MatchService.GetTranscript", Caller(ANONYMOUS, loopback=True))
    assert caught.value.call == "MatchService.GetTranscript"


# Seats: the token in Join decides -------------------------------------------------------------

KEY = bytes(32)
OWN, OTHER = bytes(16), bytes([1]) * 16


@pytest.mark.parametrize(
    ("token", "seat"),
    [
        (tokens.make_seat_token(KEY, OWN, 0), (OWN, 0)),
        (tokens.make_seat_token(KEY, OWN, 1), (OWN, 1)),
        (tokens.make_seat_token(KEY, OTHER, 0), (OTHER, 0)),
        (tokens.make_seat_token(bytes([1]) * 32, OWN, 0), None),
        (tokens.bearer_text("aza_", bytes(32)), None),
        (tokens.bearer_text("azo_", bytes(32)), None),
    ],
    ids=["own", "other seat", "other match", "foreign referee", "agent's", "organiser's"],
)
def test_a_seat_token_opens_its_own_seat_only(token: str, seat: tuple[bytes, int] | None) -> None:
    """Nobody's bearer opens one, not even an organiser's."""
    assert tokens.open_seat_token(KEY, token) == seat


@pytest.mark.parametrize(
    ("method", "call"),
    [
        ("/referee.v1.AgentService/Play", "AgentService.Play"),
        ("/referee.v1.MatchService/GetMatch", "MatchService.GetMatch"),
        ("/other.v1.MatchService/GetMatch", "/other.v1.MatchService/GetMatch"),
        ("/referee.v1./", "."),
        ("", ""),
    ],
)
def test_methods_have_the_names_of_the_table(method: str, call: str) -> None:
    """As gRPC spells them; those of other packages have none."""
    assert auth.call_name(method) == call


def test_every_method_is_found_by_its_path() -> None:
    """The full name of the descriptor leads to the table."""
    for service in SERVICES:
        for method in service.methods:
            assert auth.call_name(f"/{service.full_name}/{method.name}") in auth.TABLE


# Who calls ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "peer",
    [
        "ipv4:127.0.0.1:1234",
        "ipv4:127.255.0.9:1",
        "ipv6:%5B::1%5D:1234",
        "ipv6:[::1]:1234",
        "ipv6:[0:0:0:0:0:0:0:1]:1234",
        "ipv6:%5B::ffff:127.0.0.1%5D:1234",
        "unix:",
        "unix:/run/referee.sock",
        "unix-abstract:referee",
    ],
)
def test_peers_on_this_machine(peer: str) -> None:
    """Whatever gRPC calls them."""
    assert auth.is_loopback(peer)


@pytest.mark.parametrize(
    "peer",
    [
        "ipv4:10.0.0.1:1234",
        "ipv4:128.0.0.1:1234",
        "ipv4:0.0.0.0:1234",
        "ipv4:127.0.0.1.example.org:1",
        "ipv4:127.1:1",
        "ipv4:127.0.0.1",
        "ipv4:",
        "ipv6:[2001:db8::1]:1234",
        "ipv6:[fe80::1%25lo]:1234",
        "ipv6:[::]:1234",
        "ipv6:%5B::ffff:10.0.0.1%5D:1234",
        "ipv6:::1:1234",
        "127.0.0.1:1234",
        "localhost:1234",
        "unixx:/run/referee.sock",
        "vsock:1:2",
        "vsock:127.0.0.1:2",
        "ipv4:127.0.0.1:1,10.0.0.1:1",
        "unknown",
        "",
        "ipv4:" + "1" * 1_000_000,
    ],
    ids=lambda peer: peer[:40],
)
def test_peers_elsewhere(peer: str) -> None:
    """And everything that cannot be read counts as elsewhere."""
    assert not auth.is_loopback(peer)


TOKEN = tokens.bearer_text("aza_", bytes(32))
BOB = Principal(Role.AGENT, "bob")


def lookup(text: str) -> Principal | None:
    """Know one token."""
    return BOB if text == TOKEN else None


@pytest.mark.parametrize(
    ("metadata", "principal"),
    [
        (None, ANONYMOUS),
        ([], ANONYMOUS),
        ([("user-agent", "x")], ANONYMOUS),
        ([("authorization", f"Bearer {TOKEN}")], BOB),
        ([("x", "y"), ("authorization", f"bearer {TOKEN}")], BOB),
        ([("authorization", f"Bearer  {TOKEN}")], UNKNOWN),
        ([("authorization", f"Bearer {TOKEN} ")], UNKNOWN),
        ([("authorization", TOKEN)], UNKNOWN),
        ([("authorization", f"Basic {TOKEN}")], UNKNOWN),
        ([("authorization", "Bearer ")], UNKNOWN),
        ([("authorization", "Bearer")], UNKNOWN),
        ([("authorization", "")], UNKNOWN),
        ([("authorization", f"Bearer {TOKEN[:-1]}B")], UNKNOWN),
        ([("authorization", f"Bearer {TOKEN}".encode())], UNKNOWN),
        ([("authorization", "Bearer " + "x" * 1_000_000)], UNKNOWN),
        ([("authorization", f"Bearer {TOKEN}")] * 2, UNKNOWN),
        ([("authorization", f"Bearer {TOKEN}"), ("authorization", "Bearer x")], UNKNOWN),
    ],
    ids=map(str, range(17)),
)
@pytest.mark.parametrize("peer", ["ipv4:127.0.0.1:1", "ipv4:10.0.0.1:1"])
def test_callers_are_known_by_their_bearer(
    metadata: list[tuple[str, str | bytes]] | None, principal: Principal, peer: str
) -> None:
    """One good one; a wrong one is worse than none."""
    caller = auth.identify(metadata, peer, lookup)
    assert caller[:3] == (principal, peer.startswith("ipv4:127"), peer.removesuffix(":1"))
    assert caller.shown == (tokens.bearer_hash(TOKEN) if principal == BOB else None)


def test_limits_of_one_caller_go_by_its_name_or_its_address() -> None:
    """Not by the port, and not by which of its own addresses this machine calls from."""
    shown = [("authorization", f"Bearer {TOKEN}")]
    peers = ["ipv4:127.0.0.1:1", "ipv4:127.3.4.5:2", "ipv6:%5B::1%5D:3", "ipv4:10.0.0.1:4"]
    peers += ["ipv4:10.0.0.1:5", "ipv4:10.0.0.2:6"]
    assert len({auth.identify(shown, peer, lookup).key for peer in peers}) == 1
    nameless = [auth.identify((), peer, lookup).key for peer in peers]
    assert [nameless.index(key) for key in nameless] == [0, 0, 0, 3, 3, 5]
