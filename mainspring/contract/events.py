"""Bodies and views of events."""

from datetime import datetime

from mainspring.contract.base.view import View


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
    """The runs created for published events; `matched` counts those created by this call."""

    told: int
    matched: int
    waits: int = 0
    """Steps of workflow runs that waited for them, and go on."""
    runs: list[EventRun] = []
    refused: list[EventRefusal] = []


class EventTypeInfo(View, frozen=True, kw_only=True):
    """How many events of a type were told, and how many runs that made; nothing waited for the `unmatched`."""

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
