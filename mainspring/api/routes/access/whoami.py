"""Who the server takes a caller for."""

from datetime import datetime

import msgspec
from fastapi import APIRouter, Request
from starlette.responses import Response

from mainspring.api.auth import GuardedRoute, Permission, grant_of, require
from mainspring.api.http.json_io import show
from mainspring.api.openapi.document import answers
from mainspring.domain.access.permissions import PERMISSIONS, Role


class WhoamiView(msgspec.Struct, frozen=True, kw_only=True):
    """The token that was shown."""

    id: str
    name: str
    role: Role
    namespace: str
    """`*`: all of them."""
    permissions: list[str]
    expires_at: datetime | None
    """When what was shown ends: with the token, or with the overlap of a rotation."""


STRUCTS = (WhoamiView,)

router = APIRouter(prefix="/api/v1/whoami", route_class=GuardedRoute, tags=["tokens"])


@router.get("", openapi_extra=answers({200: (WhoamiView,)}), response_model=None)
@require(Permission.NAMESPACES_READ)
async def whoami(request: Request) -> Response:
    """The caller's own token."""
    grant = grant_of(request)
    token = grant.token
    return show(
        WhoamiView(
            id=token.id,
            name=token.name,
            role=token.role,
            namespace=token.namespace,
            permissions=sorted(PERMISSIONS[token.role]),
            expires_at=grant.until,
        )
    )
