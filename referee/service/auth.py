"""Who calls, and what they may do: one table for every call of every service.

A caller is known by the bearer in the metadata and by where the call comes from. What is not
in the table is allowed to nobody. The token of a seat is no bearer: it stands in `Join`, and
it alone decides which seat of which match an agent plays for.
"""

import ipaddress
from collections.abc import Callable, Iterable, Mapping
from enum import Enum
from typing import TYPE_CHECKING, Final, NamedTuple, TypeAlias
from urllib.parse import unquote

from referee.rules.errors import RefereeError
from referee.service import tokens
from referee.v1.error_pb2 import ErrorReason

if TYPE_CHECKING:
    Reason: TypeAlias = ErrorReason.ValueType
else:
    # An enum of messages is a number when the program runs.
    Reason = int

AUTHORIZATION: Final = "authorization"
_SCHEME: Final = "bearer"


class Role(Enum):
    """What a bearer makes of a caller."""

    ORGANISER = "organiser"
    AGENT = "agent"
    # No bearer at all.
    ANONYMOUS = "anonymous"
    # A bearer that nobody has: wrong, revoked, or no token at all.
    UNKNOWN = "unknown"


class Principal(NamedTuple):
    """Who a bearer belongs to; ``name`` is an agent's handle or an organiser's label."""

    role: Role
    name: str = ""


ANONYMOUS: Final = Principal(Role.ANONYMOUS)
UNKNOWN: Final = Principal(Role.UNKNOWN)

Lookup: TypeAlias = Callable[[str], Principal | None]


class Caller(NamedTuple):
    """Who calls, and whether from this machine.

    address  where the call comes from, without the port, which is another one for every connection
    shown    the hash of the bearer, to ask later whether it is still good; None without a good one
    """

    principal: Principal
    loopback: bool
    address: str = ""
    shown: bytes | None = None

    @property
    def is_organiser(self) -> bool:
        """Whether no limit of one caller is for this one."""
        return self.principal.role is Role.ORGANISER

    @property
    def key(self) -> str:
        """What limits of one caller go by: its bearer's name, or where it is if it has none."""
        role, name = self.principal
        # On this machine everybody can choose among millions of addresses.
        place = "this machine" if self.loopback else self.address
        return f"{role.value} {name or place}"


class Grant(Enum):
    """When a call is allowed."""

    ALWAYS = "always"
    SIGNED = "once the match is signed"
    NEVER = "never"


class Rule(NamedTuple):
    """Who may make one call: organisers, agents, and those without a bearer on this machine."""

    organiser: Grant
    agent: Grant
    local: Grant


# A queue is no call of its own but a message within Play.
QUEUE: Final = "AgentService.Play.queue"

_A, _S, _N = Grant.ALWAYS, Grant.SIGNED, Grant.NEVER
TABLE: Final[Mapping[str, Rule]] = {
    #                                     organiser, agent, without a bearer on this machine
    "AgentService.Play": Rule(_A, _A, _A),
    QUEUE: Rule(_N, _A, _N),
    "MatchService.CreateMatch": Rule(_A, _N, _N),
    "MatchService.GetMatch": Rule(_A, _A, _A),
    "MatchService.ListMatches": Rule(_A, _A, _A),
    "MatchService.AbortMatch": Rule(_A, _N, _N),
    "MatchService.GetTranscript": Rule(_A, _S, _S),
    "MatchService.VerifyTranscript": Rule(_A, _S, _S),
    "MatchService.WatchMatch": Rule(_A, _A, _A),
}


class Denied(RefereeError):
    """A call that its caller may not make; ``reason`` is the one that goes over the wire."""

    def __init__(self, call: str, reason: Reason, message: str) -> None:
        self.call = call
        self.reason = reason
        super().__init__(message)


def authorize(call: str, caller: Caller, *, signed: bool = False) -> None:
    """Raise `Denied` unless the table allows the call; ``signed`` tells of its match, if any."""
    role = caller.principal.role
    if role is Role.UNKNOWN:
        # Also on this machine: whoever shows a token means to be somebody.
        wrong = "nobody has this bearer: it is wrong, or was revoked"
        raise Denied(call, ErrorReason.ERROR_REASON_UNAUTHENTICATED, wrong)
    grant = _grant(call, caller)
    if grant is Grant.ALWAYS or (grant is Grant.SIGNED and signed):
        return
    if grant is Grant.SIGNED:
        early = "the match is not signed yet; until then its transcript is the organiser's"
        raise Denied(call, ErrorReason.ERROR_REASON_NOT_SIGNED, early)
    if role is Role.ANONYMOUS:
        needed = "this needs a bearer: authorization: Bearer TOKEN"
        raise Denied(call, ErrorReason.ERROR_REASON_UNAUTHENTICATED, needed)
    refused = f"an {role.value} may not do this"
    if call == QUEUE:
        refused = f"only agents are paired: this needs an agent's bearer, not an {role.value}'s"
    raise Denied(call, ErrorReason.ERROR_REASON_NOT_ALLOWED, refused)


def _grant(call: str, caller: Caller) -> Grant:
    rule = TABLE.get(call)
    if rule is None:
        return Grant.NEVER
    role = caller.principal.role
    if role is Role.ORGANISER:
        return rule.organiser
    if role is Role.AGENT:
        return rule.agent
    return rule.local if caller.loopback and role is Role.ANONYMOUS else Grant.NEVER


def call_name(method: str) -> str:
    """Return the name that the table has for a gRPC method, /referee.v1.Service/Method."""
    service, _, name = method.rpartition("/")
    return f"{service.rpartition('.')[2]}.{name}" if service.startswith("/referee.v1.") else method


# Who calls -------------------------------------------------------------------------------------


def identify(
    metadata: Iterable[tuple[str, str | bytes]] | None, peer: str, lookup: Lookup
) -> Caller:
    """Return who makes a call, from its metadata and the peer as gRPC names it."""
    shown = [value for name, value in metadata or () if name == AUTHORIZATION]
    here, address = is_loopback(peer), peer.rpartition(":")[0]
    if not shown:
        return Caller(ANONYMOUS, here, address)
    # Two bearers would let two readers of one call see different callers.
    text = _bearer(shown[0]) if len(shown) == 1 else None
    found = lookup(text) if text is not None else None
    if found is None:
        return Caller(UNKNOWN, here, address)
    return Caller(found, here, address, tokens.bearer_hash(text))


def _bearer(value: str | bytes) -> str | None:
    """Return the token of a header, or None if it is of another form."""
    if not isinstance(value, str):
        return None
    scheme, _, text = value.partition(" ")
    return text if scheme.lower() == _SCHEME else None


def is_loopback(peer: str) -> bool:
    """Return whether a peer, as gRPC names it, is on this machine.

    A proxy on this machine makes a loopback peer of everybody; it must demand tokens itself.
    """
    kind, _, address = peer.partition(":")
    if kind in ("unix", "unix-abstract"):
        return True
    if kind not in ("ipv4", "ipv6"):
        return False
    host = unquote(address).rpartition(":")[0]
    if kind == "ipv6":
        if not (host.startswith("[") and host.endswith("]")):
            return False
        host = host[1:-1]
    try:
        found = ipaddress.ip_address(host)
    except ValueError:
        return False
    if isinstance(found, ipaddress.IPv6Address) and found.ipv4_mapped is not None:
        return found.ipv4_mapped.is_loopback
    return found.is_loopback
