"""One sentence for everything that can be wrong with a connection; the words are gRPC's own."""

import pytest

from azul_agent.unreachable import is_address, why

FAILED = "failed to connect to all addresses; last error: "
HANDSHAKE = (
    "UNKNOWN: ipv4:127.0.0.1:5: Tls handshake failed (TSI_PROTOCOL_FAILURE): SSL_ERROR_SSL: "
)


@pytest.mark.parametrize(
    ("details", "tls", "certificate", "says"),
    [
        (
            (
                f"{FAILED}{HANDSHAKE}error:100000f7:SSL routines:OPENSSL_internal:WRONG_VERSION_NUMBER:"
                " Invalid certificate verification context: OK"
            ),
            True,
            False,
            "what listens there does not use TLS; leave --tls, --ca, --cert and --key out",
        ),
        (
            (
                f"{FAILED}{HANDSHAKE}error:1000007d:SSL routines:OPENSSL_internal:"
                "CERTIFICATE_VERIFY_FAILED: self signed certificate: OK"
            ),
            True,
            False,
            (
                "its certificate is not trusted (self signed certificate); --ca names the authority"
                " that signed it"
            ),
        ),
        (
            (
                f"{FAILED}UNKNOWN: ipv4:127.0.0.1:5: Custom verification check failed with error:"
                " UNAUTHENTICATED: Hostname Verification Check failed."
            ),
            True,
            False,
            "its certificate is not for referee.example; call it by a name that stands in it",
        ),
        (
            f"{FAILED}UNKNOWN: ipv4:127.0.0.1:5: Failed to create security handshaker.",
            True,
            True,
            "the file of --ca, --cert or --key holds nothing that can be used",
        ),
        (
            f"{FAILED}UNAVAILABLE: ipv4:127.0.0.1:5: Socket closed",
            False,
            False,
            "it hung up at once; if it uses TLS, give --ca FILE or --tls",
        ),
        (
            f"{FAILED}UNAVAILABLE: ipv4:127.0.0.1:5: Socket closed",
            True,
            False,
            "it hung up at once; it may want a certificate of yours, --cert and --key",
        ),
        (
            f"{FAILED}UNAVAILABLE: ipv4:127.0.0.1:5: Socket closed",
            True,
            True,
            "it hung up at once; it may not accept the certificate of --cert",
        ),
        (
            (
                "errors resolving nonsense:1: [field:hostname lookup error:address lookup failed for"
                " nonsense:1: Domain name not found]"
            ),
            False,
            False,
            "no machine is known by the name referee.example",
        ),
        (
            (
                f"{FAILED}UNKNOWN: ipv4:127.0.0.1:5: Failed to connect to remote host: Connection"
                " refused"
            ),
            False,
            False,
            "nobody listens there",
        ),
        (
            f"{FAILED}UNKNOWN: ipv4:10.0.0.1:5: Failed to connect to remote host: No route to host",
            False,
            False,
            "No route to host",
        ),
        ("Socket closed", False, False, "Socket closed"),
        ("", False, False, "it does not say why"),
    ],
)
def test_why(details: str, tls: bool, certificate: bool, says: str) -> None:
    """What is wrong, and what to try."""
    assert why(details, "referee.example:50051", tls=tls, certificate=certificate) == says


@pytest.mark.parametrize(
    ("target", "good"),
    [
        ("localhost:50051", True),
        ("[::1]:50051", True),
        ("unix:/run/referee.sock", True),
        ("localhost", False),
        ("http://localhost:1", False),
        ("localhost:abc", False),
        ("::1:50051", False),
        ("", False),
    ],
)
def test_addresses(target: str, good: bool) -> None:
    """Without a port gRPC would take that of the web."""
    assert is_address(target) is good
