"""Serves the caller's own rights."""

from mainspring.api.binding import Routes
from mainspring.api.call import Call
from mainspring.api.http.cookies import cookie_of
from mainspring.contract.access import WhoamiInfo
from mainspring.contract.operations.access import WHOAMI
from mainspring.domain.access.permissions import PERMISSIONS
from mainspring.domain.access.sign_in import csrf_of

router = Routes()


@router.bind(WHOAMI)
async def whoami(call: Call) -> WhoamiInfo:
    grant, token = call.grant, call.grant.token
    cookie = cookie_of(call.request) if grant.sign_in else ""
    return WhoamiInfo(
        id=token.id,
        name=token.name,
        role=token.role,
        namespace=token.namespace,
        permissions=sorted(PERMISSIONS[token.role]),
        expires_at=grant.until,
        roles=dict(grant.roles),
        csrf=csrf_of(cookie) if cookie else "",
    )
