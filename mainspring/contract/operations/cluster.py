"""Operations about the servers themselves."""

from typing import Any

from mainspring.contract.base.operation import Operation
from mainspring.contract.cluster import InvariantsInfo, LivenessInfo, ReadinessInfo, VersionInfo
from mainspring.domain.access.permissions import Permission

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
