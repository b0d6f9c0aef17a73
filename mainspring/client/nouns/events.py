"""Events to tell, for the triggers that wait for them."""

from collections.abc import Sequence
from typing import Any

import msgspec

from mainspring.client.calls import given
from mainspring.client.transport.requests import Request
from mainspring.client.values import json_bytes
from mainspring.contract.events import EventTypePage, Published
from mainspring.errors import InvalidInputError

PATH = "/api/v1/events"


class Event(msgspec.Struct, frozen=True, omit_defaults=True):
    """Something has happened. Told again with the same id, it makes no second run of a trigger."""

    type: str
    data: Any = {}
    id: str | None = None


def publish_event(event: Event) -> Request[Published]:
    return Request("POST", PATH, _published, body=encode(event), repeatable=event.id is not None)


def publish_events(events: Sequence[Event]) -> Request[Published]:
    named = all(event.id is not None for event in events)
    return Request("POST", PATH, _published, body=encode({"events": events}), repeatable=named)


def list_event_types(*, limit: int, cursor: str | None) -> Request[EventTypePage]:
    return Request("GET", f"{PATH}/types", _types, params=given(limit=str(limit), cursor=cursor))


def encode(content: Any) -> bytes:
    try:
        return json_bytes(content)
    except (TypeError, ValueError, OverflowError, RecursionError) as error:
        raise InvalidInputError("data", f"cannot be written as JSON: {error}", code="bad_data") from None


_published = msgspec.json.Decoder(Published).decode
_types = msgspec.json.Decoder(EventTypePage).decode
