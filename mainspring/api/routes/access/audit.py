"""The audit log: who changed what."""

import re
from typing import Annotated

from fastapi import APIRouter, Query, Request
from starlette.responses import Response

from mainspring.api.auth import GuardedRoute, Permission, require
from mainspring.api.engine_gate import engine_of, place_of
from mainspring.api.http.json_io import parse_instant, show, shown_json
from mainspring.api.http.paging import parse_place, place_pattern, write_place
from mainspring.api.openapi.document import answers
from mainspring.contract.access import ActorInfo, AuditEntryInfo, AuditPage
from mainspring.domain.access.permissions import PLAIN, AuditEntry
from mainspring.store.interface import AuditFilter

PAGE_MAX = 500
POSITION = re.compile(r"[0-9]{1,18}")
TEXT_MAX = 500

Limit = Annotated[int, Query(ge=1, le=PAGE_MAX)]
Text = Annotated[str | None, Query(min_length=1, max_length=TEXT_MAX, pattern=f"^{PLAIN.pattern}$")]
Cursor = Annotated[str | None, Query(pattern=place_pattern(POSITION))]
Since = Annotated[str | None, Query(json_schema_extra={"format": "date-time"})]


STRUCTS = (AuditPage,)

router = APIRouter(prefix="/api/v1/audit", route_class=GuardedRoute, tags=["audit"])


@router.get("", openapi_extra=answers({200: (AuditPage,)}), response_model=None)
@require(Permission.AUDIT_READ)
async def list_audit(
    request: Request,
    *,
    actor: Text = None,
    kind: Text = None,
    key: Text = None,
    since: Since = None,
    limit: Limit = 50,
    cursor: Cursor = None,
) -> Response:
    """Changes in the namespace, or in all of them, newest first."""
    place = parse_place(cursor, POSITION)
    query = AuditFilter(
        namespace=place_of(request),
        actor=actor,
        kind=kind,
        key=key,
        since=parse_instant("since", since),
        before=None if place is None else (place[0], int(place[1])),
        limit=limit,
    )
    found = await engine_of(request).access.audit(query)
    following = write_place(found[-1][1].at, found[-1][0]) if len(found) == limit else None
    return show(AuditPage([show_entry(position, entry) for position, entry in found], following))


def show_entry(position: int, entry: AuditEntry) -> AuditEntryInfo:
    return AuditEntryInfo(
        position=position,
        at=entry.at,
        actor=ActorInfo(entry.actor.name, entry.actor.token),
        namespace=entry.namespace,
        act=entry.act,
        kind=entry.kind,
        key=entry.key,
        details=shown_json(entry.details),
    )
