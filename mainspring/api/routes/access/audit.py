"""Serves the audit log."""

import re

from mainspring.api.binding import Routes
from mainspring.api.call import Call
from mainspring.api.http.json_io import parse_instant, shown_json
from mainspring.api.http.paging import next_of, parse_place, write_place
from mainspring.api.views import view_of
from mainspring.contract.access import ActorInfo, AuditEntryInfo, AuditPage
from mainspring.contract.operations.access import LIST_AUDIT, AuditQuery
from mainspring.domain.access.permissions import AuditEntry
from mainspring.store.interface import AuditFilter

POSITION = re.compile(r"[0-9]{1,18}")

router = Routes()


@router.bind(LIST_AUDIT)
async def list_audit(call: Call, query: AuditQuery) -> AuditPage:
    place = parse_place(query.cursor, POSITION)
    wanted = AuditFilter(
        namespace=call.place,
        actor=query.actor,
        kind=query.kind or kind_of(query.act),
        key=query.key,
        act=query.act,
        since=parse_instant("since", query.since),
        until=parse_instant("until", query.until),
        before=None if place is None else (place[0], int(place[1])),
        limit=query.limit,
    )
    entries = await call.engine.access.audit(wanted)
    following = next_of(entries, query.limit, lambda last: write_place(last[1].at, last[0]))
    return AuditPage([show_entry(position, entry) for position, entry in entries], following)


def kind_of(act: str | None) -> str | None:
    """The kind of thing that an act is done to: an index finds its entries."""
    return act.split(".", 1)[0] if act is not None and "." in act else None


def show_entry(position: int, entry: AuditEntry) -> AuditEntryInfo:
    actor = ActorInfo(entry.actor.name, entry.actor.token)
    return view_of(AuditEntryInfo, entry, position=position, actor=actor, details=shown_json(entry.details))
