"""Serves the caller's own token."""

from mainspring.api.binding import Routes
from mainspring.api.call import Call
from mainspring.contract.access import WhoamiInfo
from mainspring.contract.operations.access import WHOAMI
from mainspring.domain.access.permissions import PERMISSIONS

router = Routes()


@router.bind(WHOAMI)
async def whoami(call: Call) -> WhoamiInfo:
    token = call.grant.token
    return WhoamiInfo(
        id=token.id,
        name=token.name,
        role=token.role,
        namespace=token.namespace,
        permissions=sorted(PERMISSIONS[token.role]),
        expires_at=call.grant.until,
    )
