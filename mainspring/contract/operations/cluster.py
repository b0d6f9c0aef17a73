"""Operations about the servers themselves."""

from typing import Any

import msgspec

from mainspring.contract.base.fields import Reason
from mainspring.contract.base.operation import Operation
from mainspring.contract.cluster import (
    AddressBookList,
    DatabaseInfo,
    DoctorReport,
    InvariantsInfo,
    LivenessInfo,
    ReadinessInfo,
    ServerInfo,
    ServerList,
    VersionInfo,
)
from mainspring.domain.access.permissions import Permission


class ServerReasonBody(msgspec.Struct, kw_only=True, forbid_unknown_fields=True):
    reason: Reason = ""


LIVEZ = Operation("livez", "GET /livez", Permission.OPEN, "Answer if the process runs.", LivenessInfo, tag="health")
READYZ = Operation(
    "readyz",
    "GET /readyz",
    Permission.OPEN,
    "Tell whether the server can take work; if not, answer 503 with the reason.",
    ReadinessInfo,
    answers={503: ReadinessInfo},
    tag="health",
)
VERSION = Operation(
    "version",
    "GET /version",
    Permission.OPEN,
    "Name the product; callers with a token also see its version.",
    VersionInfo,
    tag="health",
)
LIST_INVARIANTS = Operation(
    "list_invariants",
    "GET /api/v1/invariants",
    Permission.INVARIANTS_READ,
    "Check the invariants of the store over all namespaces. The work is bounded, so that it may be asked often.",
    InvariantsInfo,
)
GET_DATABASE = Operation(
    "get_database",
    "GET /api/v1/database",
    Permission.DATABASE_READ,
    "Look at the database: its size, its connections, who holds back vacuum, what a commit survives. It changes nothing.",
    DatabaseInfo,
)
EXAMINE = Operation(
    "examine",
    "GET /api/v1/doctor",
    Permission.DATABASE_READ,
    "Check the database, the secrets, the servers and the invariants, with a remedy for each problem. It changes nothing.",
    DoctorReport,
)
LIST_SERVERS = Operation(
    "list_servers",
    "GET /api/v1/servers",
    Permission.SERVERS_READ,
    "List the servers that are alive by name.",
    ServerList,
)
DRAIN_SERVER = Operation(
    "drain_server",
    "POST /api/v1/servers/{name}/drain",
    Permission.SERVERS_STEER,
    "Send the executors and callers of a server elsewhere. It stays, idle, until it is resumed or started again.",
    ServerInfo,
    body=ServerReasonBody,
    body_optional=True,
)
RESUME_SERVER = Operation(
    "resume_server",
    "POST /api/v1/servers/{name}/resume",
    Permission.SERVERS_STEER,
    "Let a drained server take executors and runs again.",
    ServerInfo,
    body=ServerReasonBody,
    body_optional=True,
)
LIST_ADDRESS_BOOKS = Operation(
    "list_address_books",
    "GET /api/v1/discovery",
    Permission.SERVERS_READ,
    "List the address books in which the server that answers makes itself known, and how each takes it.",
    AddressBookList,
)
GET_METRICS = Operation[Any](
    "get_metrics",
    "GET /metrics",
    Permission.METRICS_READ,
    "Get the metrics of this server as Prometheus reads them; a token of one namespace gets that namespace's.",
    str,
    documented=False,
)
GET_DOCUMENT = Operation[Any](
    "get_document",
    "GET /api/v1/openapi.json",
    Permission.DOCUMENT_READ,
    "Get the OpenAPI document.",
    dict,
    documented=False,
)
