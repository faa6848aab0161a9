"""What it means when no referee can be reached: one sentence in the place of gRPC's many.

gRPC tells everything that it tried, in words of its own libraries, and not what to do about it.
"""

import re

# Names that gRPC resolves in another way than as HOST:PORT.
_SCHEMES = ("unix:", "unix-abstract:", "dns:", "ipv4:", "ipv6:")
_ADDRESS = re.compile(r"(?:\[[0-9A-Fa-f:.%\w]+\]|[^\s:/\[\]]+):[0-9]{1,5}")
_UNTRUSTED = re.compile(r"CERTIFICATE_VERIFY_FAILED(?:: (?P<reason>[^:]+))?")
_REMOTE = re.compile(r"Failed to connect to remote host: (?P<reason>[^:\]]+)")


def is_address(target: str) -> bool:
    """Return whether a referee can be looked for there: HOST:PORT, or a name with a scheme."""
    return target.startswith(_SCHEMES) or _ADDRESS.fullmatch(target) is not None


def why(details: str, target: str, *, tls: bool, certificate: bool = False) -> str:
    """Return why no connection came about, and what to try.

    ``details`` are gRPC's words, ``tls`` whether the connection was to be encrypted, and
    ``certificate`` whether the caller has one of its own.
    """
    host = target.rpartition(":")[0] or target
    if "WRONG_VERSION_NUMBER" in details:
        return "what listens there does not use TLS; leave --tls, --ca, --cert and --key out"
    if untrusted := _UNTRUSTED.search(details):
        reason = untrusted["reason"] or "no reason given"
        return f"its certificate is not trusted ({reason}); --ca names the authority that signed it"
    if "Hostname Verification" in details:
        return f"its certificate is not for {host}; call it by a name that stands in it"
    if "Failed to create security handshaker" in details:
        return "the file of --ca, --cert or --key holds nothing that can be used"
    if "resolving" in details or "lookup" in details:
        return f"no machine is known by the name {host}"
    if remote := _REMOTE.search(details):
        reason = remote["reason"].strip()
        return "nobody listens there" if reason == "Connection refused" else reason
    if details.startswith("failed to connect") and ("closed" in details or "reset" in details):
        if not tls:
            return "it hung up at once; if it uses TLS, give --ca FILE or --tls"
        if not certificate:
            return "it hung up at once; it may want a certificate of yours, --cert and --key"
        return "it hung up at once; it may not accept the certificate of --cert"
    # What is told in the middle of a call is short: the socket was closed.
    return details.rpartition("last error: ")[2].strip(" .]") or "it does not say why"
