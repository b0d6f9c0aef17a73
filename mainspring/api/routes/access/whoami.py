"""Who the server takes a caller for."""

from fastapi import APIRouter, Request
from starlette.responses import Response

from mainspring.api.auth import GuardedRoute, Permission, grant_of, require
from mainspring.api.http.json_io import show
from mainspring.api.openapi.document import answers
from mainspring.contract.access import WhoamiInfo
from mainspring.domain.access.permissions import PERMISSIONS

STRUCTS = (WhoamiInfo,)

router = APIRouter(prefix="/api/v1/whoami", route_class=GuardedRoute, tags=["tokens"])


@router.get("", openapi_extra=answers({200: (WhoamiInfo,)}), response_model=None)
@require(Permission.NAMESPACES_READ)
async def whoami(request: Request) -> Response:
    """The caller's own token."""
    grant = grant_of(request)
    token = grant.token
    return show(
        WhoamiInfo(
            id=token.id,
            name=token.name,
            role=token.role,
            namespace=token.namespace,
            permissions=sorted(PERMISSIONS[token.role]),
            expires_at=grant.until,
        )
    )
