"""What machines ask a server: alive, ready, which version. Strangers are told whether, and others how."""

import platform

from fastapi import APIRouter, Request
from starlette.responses import Response

from mainspring.api.auth import GuardedRoute, Permission, require
from mainspring.api.engine_gate import seat_of
from mainspring.api.http.json_io import show
from mainspring.api.openapi.document import answers
from mainspring.contract.cluster import ReadinessInfo, VersionInfo
from mainspring.domain.access.permissions import NAMESPACE_ALL
from mainspring.version import __version__
from mainspring.wire.messages import PROTOCOL

PRODUCT = "mainspring"


STRUCTS = (ReadinessInfo, VersionInfo)

router = APIRouter(route_class=GuardedRoute, tags=["health"])


@router.get("/livez")
@require(Permission.OPEN)
async def livez() -> dict[str, bool]:
    """The process answers."""
    return {"alive": True}


@router.get("/readyz", openapi_extra=answers({200: (ReadinessInfo,), 503: (ReadinessInfo,)}), response_model=None)
@require(Permission.OPEN)
async def readyz(request: Request) -> Response:
    """The server can take work; if not, 503 and why."""
    found = seat_of(request).readiness()
    grant = await request.app.state.doorkeeper.recognise(request)
    is_known = grant is not None or request.app.state.public_details
    counts = request.app.state.public_details or (grant is not None and grant.token.namespace == NAMESPACE_ALL)
    shown = ReadinessInfo(
        ready=found.ready,
        # What stands after the colon may name hosts and users.
        reason=found.reason if is_known else found.reason.partition(":")[0],
        executors=found.executors if counts else None,
    )
    return show(shown, status=200 if found.ready else 503)


@router.get("/version", openapi_extra=answers({200: (VersionInfo,)}), response_model=None)
@require(Permission.OPEN)
async def version(request: Request) -> Response:
    """What answers here; callers with a token see of which version."""
    if await request.app.state.doorkeeper.recognise(request) is None and not request.app.state.public_details:
        return show(VersionInfo(product=PRODUCT))
    shown = VersionInfo(product=PRODUCT, version=__version__, protocol=PROTOCOL, python=platform.python_version())
    return show(shown)
