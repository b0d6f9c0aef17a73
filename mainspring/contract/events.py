"""Bodies and views of events."""

from datetime import datetime
from typing import Annotated

import msgspec

from mainspring.contract.view import View
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


class EventRun(View, frozen=True, kw_only=True):
    """A run that an event made, or had made before; `event` is its position in the call."""

    event: int
    """The position of the event."""
    trigger: str
    run: str
    existing: bool
    """Whether the event had been told before."""


class EventRefusal(View, frozen=True, kw_only=True):
    """A trigger that waited for the event, and could not take it."""

    event: int
    trigger: str
    code: str
    detail: str
    field: str | None = None


class Published(View, frozen=True, kw_only=True):
    """What the events came to; `matched` are runs that were made now."""

    told: int
    matched: int
    runs: list[EventRun] = []
    refused: list[EventRefusal] = []


class EventTypeInfo(View, frozen=True, kw_only=True):
    """How many events of a type were told, and how many runs that made; no trigger waited for the `unmatched` of them."""

    type: str
    told: int
    matched: int
    unmatched: int
    first_at: datetime
    last_at: datetime


class EventTypePage(View, frozen=True):
    """A page; `next` is the cursor of the next one."""

    types: list[EventTypeInfo]
    next: str | None
