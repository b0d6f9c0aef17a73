"""The audit log, for admins."""

from datetime import datetime

import msgspec

from mainspring.client.calls import AsyncCall, given
from mainspring.client.transport.requests import Request
from mainspring.client.values import instant_text
from mainspring.contract.access import AuditPage


def list_audit(
    *,
    actor: str | None = None,
    kind: str | None = None,
    key: str | None = None,
    since: datetime | None = None,
    limit: int = 50,
    cursor: str | None = None,
) -> Request[AuditPage]:
    params = given(actor=actor, kind=kind, key=key, since=instant_text(since, "since"), limit=str(limit), cursor=cursor)
    return Request("GET", "/api/v1/audit", _page, params=params)


class AsyncAudit:
    """`client.audit` of an `AsyncClient`."""

    def __init__(self, call: AsyncCall) -> None:
        self._call = call

    async def list(
        self,
        *,
        actor: str | None = None,
        kind: str | None = None,
        key: str | None = None,
        since: datetime | None = None,
        limit: int = 50,
        cursor: str | None = None,
    ) -> AuditPage:
        return await self._call(list_audit(actor=actor, kind=kind, key=key, since=since, limit=limit, cursor=cursor))


_page = msgspec.json.Decoder(AuditPage).decode
