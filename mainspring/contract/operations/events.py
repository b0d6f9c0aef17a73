"""Operations of events, and their bodies."""

from typing import Annotated

import msgspec

from mainspring.contract.base.fields import PageLimit
from mainspring.contract.base.operation import Operation, Query
from mainspring.contract.events import EventTypePage, Published
from mainspring.domain.access.permissions import Permission
from mainspring.domain.webhooks.event_match import EVENT_TYPE, EVENTS_MAX, KEY_TEXT_MAX

EventType = Annotated[str, msgspec.Meta(pattern=f"^{EVENT_TYPE.pattern}$", max_length=200)]
EventId = Annotated[str, msgspec.Meta(min_length=1, max_length=KEY_TEXT_MAX)]


class EventBody(msgspec.Struct, kw_only=True, forbid_unknown_fields=True):
    """Something has happened."""

    type: EventType
    data: msgspec.Raw = msgspec.field(default_factory=lambda: msgspec.Raw(b"{}"))
    """Any JSON."""
    id: EventId | None = None
    """Told again with the same id, it makes no second run of a trigger."""


class EventsBody(msgspec.Struct, kw_only=True, forbid_unknown_fields=True):
    """Several events, all or none."""

    events: Annotated[list[EventBody], msgspec.Meta(min_length=1, max_length=EVENTS_MAX)]


EVENTS_BODY_MAX = 4 * 1024 * 1024
EventTypeCursor = Annotated[str, msgspec.Meta(max_length=200, pattern=f"^({EVENT_TYPE.pattern})?$")]


class EventTypeQuery(Query):
    limit: PageLimit = 50
    cursor: EventTypeCursor = ""


class StreamQuery(Query):
    kind: list[str] = []
    queue: str | None = None
    job: str | None = None
    run: str | None = None


PUBLISH_EVENTS = Operation(
    "publish_events",
    "POST /api/v1/events",
    Permission.RUNS_WRITE,
    "Publish one event, or up to 1,000. Every trigger that matches one gets a run, all of them or none.",
    Published,
    status=202,
    body=EventBody | EventsBody,
    body_max=EVENTS_BODY_MAX,
)
LIST_EVENT_TYPES = Operation(
    "list_event_types",
    "GET /api/v1/events/types",
    Permission.EVENTS_READ,
    "List the types of published events, whether or not a trigger matched them.",
    EventTypePage,
    query=EventTypeQuery,
)
STREAM_EVENTS = Operation(
    "stream_events",
    "GET /api/v1/events/stream",
    Permission.EVENTS_READ,
    "Stream the changes of a namespace, or the states of one run until its end, as server-sent events.",
    bytes,
    query=StreamQuery,
    documented=False,
)
