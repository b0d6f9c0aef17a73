"""Events to tell, for the triggers that wait for them."""

from collections.abc import Sequence
from datetime import datetime
from typing import Any

import msgspec

from mainspring.client.calls import given
from mainspring.client.transport.requests import Request
from mainspring.client.values import json_bytes
from mainspring.errors import InvalidInputError

PATH = "/api/v1/events"


class Event(msgspec.Struct, frozen=True, omit_defaults=True):
    """Something has happened. Told again with the same id, it makes no second run of a trigger."""

    type: str
    data: Any = {}
    id: str | None = None


class EventRun(msgspec.Struct, frozen=True, kw_only=True):
    """A run that an event made, or had made before; `event` is its position in the call."""

    event: int
    trigger: str
    run: str
    existing: bool


class EventRefusal(msgspec.Struct, frozen=True, kw_only=True):
    """A trigger that waited for an event, and could not take it."""

    event: int
    trigger: str
    code: str
    detail: str
    field: str | None = None


class Published(msgspec.Struct, frozen=True, kw_only=True):
    """What events came to; `matched` are the runs that were made now."""

    told: int
    matched: int
    runs: tuple[EventRun, ...] = ()
    refused: tuple[EventRefusal, ...] = ()


class EventTypeInfo(msgspec.Struct, frozen=True, kw_only=True):
    """How many events of a type were told, and how many runs that made; no trigger waited for the `unmatched` of them."""

    type: str
    told: int
    matched: int
    unmatched: int
    first_at: datetime
    last_at: datetime


class EventTypePage(msgspec.Struct, frozen=True):
    """Some types, by name; `next` is the cursor of the page behind."""

    types: list[EventTypeInfo]
    next: str | None


def publish(event: Event) -> Request[Published]:
    return Request("POST", PATH, _published, body=encode(event), repeatable=event.id is not None)


def publish_many(events: Sequence[Event]) -> Request[Published]:
    named = all(event.id is not None for event in events)
    return Request("POST", PATH, _published, body=encode({"events": events}), repeatable=named)


def list_types(*, limit: int, cursor: str | None) -> Request[EventTypePage]:
    return Request("GET", f"{PATH}/types", _types, params=given(limit=str(limit), cursor=cursor))


def encode(content: Any) -> bytes:
    try:
        return json_bytes(content)
    except (TypeError, ValueError, OverflowError, RecursionError) as error:
        raise InvalidInputError("data", f"cannot be written as JSON: {error}", code="bad_data") from None


_published = msgspec.json.Decoder(Published).decode
_types = msgspec.json.Decoder(EventTypePage).decode
