"""What machines ask a server: alive, ready, which version."""

import platform

import msgspec
from fastapi import APIRouter, Request
from starlette.responses import Response

from mainspring.api.auth import GuardedRoute, Permission, require
from mainspring.api.seat import seat_of
from mainspring.version import __version__
from mainspring.wire.messages import PROTOCOL

router = APIRouter(route_class=GuardedRoute, tags=["health"])


@router.get("/livez")
@require(Permission.OPEN)
async def livez() -> dict[str, bool]:
    """The process answers."""
    return {"alive": True}


@router.get("/readyz", responses={503: {"description": "It cannot, and why."}}, response_model=None)
@require(Permission.OPEN)
async def readyz(request: Request) -> Response:
    """The server can take work; if not, 503 and why."""
    readiness = seat_of(request).readiness()
    return Response(
        msgspec.json.encode(readiness), status_code=200 if readiness.ready else 503, media_type="application/json"
    )


@router.get("/version")
@require(Permission.OPEN)
async def version() -> dict[str, str | int]:
    return {"version": __version__, "protocol": PROTOCOL, "python": platform.python_version()}
