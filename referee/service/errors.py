"""Why a call fails, and the one table that turns it into a status of gRPC.

Every failed call has exactly one `google.rpc.ErrorInfo` with a reason that a program can
read; the reasons are those of `proto/referee/v1/error.proto`.

RefereeError
└── ServiceError     a call that fails, with its reason
"""

from google.protobuf import any_pb2
from google.rpc import error_details_pb2, status_pb2
from grpc import StatusCode

from referee.rules.errors import RefereeError
from referee.v1.error_pb2 import ErrorReason

DOMAIN = "azul-referee"
STATUS_KEY = "grpc-status-details-bin"

STATUS = {
    ErrorReason.ERROR_REASON_UNAUTHENTICATED: StatusCode.UNAUTHENTICATED,
    ErrorReason.ERROR_REASON_NOT_ALLOWED: StatusCode.PERMISSION_DENIED,
    ErrorReason.ERROR_REASON_INVALID_ARGUMENT: StatusCode.INVALID_ARGUMENT,
    ErrorReason.ERROR_REASON_INVALID_SETUP: StatusCode.INVALID_ARGUMENT,
    ErrorReason.ERROR_REASON_MATCH_NOT_FOUND: StatusCode.NOT_FOUND,
    ErrorReason.ERROR_REASON_REQUEST_ID_REUSED: StatusCode.ALREADY_EXISTS,
    ErrorReason.ERROR_REASON_MATCH_ENDED: StatusCode.FAILED_PRECONDITION,
    ErrorReason.ERROR_REASON_NOT_SIGNED: StatusCode.FAILED_PRECONDITION,
    ErrorReason.ERROR_REASON_NOT_RATEABLE: StatusCode.FAILED_PRECONDITION,
    ErrorReason.ERROR_REASON_LIMIT: StatusCode.RESOURCE_EXHAUSTED,
    ErrorReason.ERROR_REASON_RATE: StatusCode.RESOURCE_EXHAUSTED,
    ErrorReason.ERROR_REASON_SLOW_READER: StatusCode.RESOURCE_EXHAUSTED,
    ErrorReason.ERROR_REASON_SILENT: StatusCode.DEADLINE_EXCEEDED,
    ErrorReason.ERROR_REASON_PROTOCOL: StatusCode.INVALID_ARGUMENT,
    ErrorReason.ERROR_REASON_DRAINING: StatusCode.UNAVAILABLE,
    ErrorReason.ERROR_REASON_STORAGE: StatusCode.INTERNAL,
    ErrorReason.ERROR_REASON_INTERNAL: StatusCode.INTERNAL,
}


class ServiceError(RefereeError):
    """A call that fails, with the reason that a program reads and words for a person."""

    def __init__(self, reason: ErrorReason.ValueType, message: str) -> None:
        self.reason = reason
        self.message = message
        super().__init__(message)

    @property
    def reason_name(self) -> str:
        """The reason as it stands on the wire."""
        return ErrorReason.Name(self.reason).removeprefix("ERROR_REASON_")

    @property
    def code(self) -> StatusCode:
        """The status of gRPC."""
        return STATUS[self.reason]

    def details(self) -> bytes:
        """Return what goes along with the status: itself again, and the machine's reason."""
        info = any_pb2.Any()
        info.Pack(error_details_pb2.ErrorInfo(reason=self.reason_name, domain=DOMAIN))
        status = status_pb2.Status(code=self.code.value[0], message=self.message, details=[info])
        data: bytes = status.SerializeToString()
        return data
